// SPDX-License-Identifier: Apache-2.0
// C ABI: strings and bytes.
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/string.h>

#include "core/error_slot.h"

namespace runtime = tvm::ffi::runtime;

namespace {

/*! \brief Copy a text into a value of class `Text` (String or Bytes). A short text is stored inside
 * the value, a longer text on the heap. */
template <typename Text>
int copy_text(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (runtime::check_text(input, "input") != 0) return -1;
  if (out == nullptr) return runtime::raise_null("out");
  return runtime::guarded([&] {
    std::string_view view = runtime::view_of(*input);
    tvm::ffi::Any value = Text(view.data() == nullptr ? "" : view.data(), view.size());
    *out = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
    return 0;
  });
}

}  // namespace

extern "C" {

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return copy_text<tvm::ffi::String>(input, out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return copy_text<tvm::ffi::Bytes>(input, out);
}

}  // extern "C"
