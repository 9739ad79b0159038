// SPDX-License-Identifier: Apache-2.0
// C ABI: conversion of data types to text and back.
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
  return runtime::guarded([&] { return runtime::parse_dtype(runtime::view_of(*str), out); });
}

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype == nullptr) return runtime::raise_null("dtype");
  if (out == nullptr) return runtime::raise_null("out");
  return runtime::guarded([&] {
    std::string text;
    if (runtime::print_dtype(*dtype, &text) != 0) return -1;
    // This function promises a string on the heap. A String that is made from a moved std::string
    // is on the heap even if it is short.
    tvm::ffi::Any value = tvm::ffi::String(std::move(text));
    *out = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
    return 0;
  });
}

}  // extern "C"
