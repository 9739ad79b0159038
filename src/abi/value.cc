// SPDX-License-Identifier: Apache-2.0
// C ABI: a borrowed value becomes an owned one.
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/string.h>

#include "core/error_slot.h"
#include "core/owned_value.h"

namespace runtime = tvm::ffi::runtime;

extern "C" {

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view == nullptr) return runtime::raise_null("any_view");
  if (out == nullptr) return runtime::raise_null("out");
  return runtime::guarded([&] {
    tvm::ffi::Any value;
    if (runtime::make_owned(*any_view, "any_view", &value) != 0) return -1;
    *out = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
    return 0;
  });
}

}  // extern "C"
