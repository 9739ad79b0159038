// SPDX-License-Identifier: Apache-2.0
// C ABI: data types as text and back. Complex types have a text inside the library and in Python;
// in these functions they have none, as the recorded vectors of the ABI say.
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/string.h>

#include <string>

#include "core/error_slot.h"
#include "text/dtype_text.h"

namespace runtime = tvm::ffi::runtime;

extern "C" {

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (runtime::check_text(str, "str") != 0) return -1;
  if (out == nullptr) return runtime::raise_null("out");
  return runtime::guarded([&] {
    DLDataType dtype;
    if (runtime::parse_dtype(runtime::view_of(*str), &dtype) != 0) return -1;
    if (dtype.code == kDLComplex) {
      return runtime::raise_unknown_dtype(runtime::view_of(*str));
    }
    *out = dtype;
    return 0;
  });
}

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype == nullptr) return runtime::raise_null("dtype");
  if (out == nullptr) return runtime::raise_null("out");
  return runtime::guarded([&] {
    std::string text;
    if (dtype->code == kDLComplex) {
      return runtime::raise("ValueError", {"DLDataType contains unknown type_code=5"});
    }
    if (runtime::print_dtype(*dtype, &text) != 0) return -1;
    // Moving a std::string makes a heap string of any length, which is what this function gives.
    tvm::ffi::Any value = tvm::ffi::String(std::move(text));
    *out = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
    return 0;
  });
}

}  // extern "C"
