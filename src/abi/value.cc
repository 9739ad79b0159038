// SPDX-License-Identifier: Apache-2.0
// C ABI: conversion of a borrowed value to an owned one.
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/string.h>

#include <utility>

#include "core/error_slot.h"
#include "core/owned_value.h"

namespace runtime = tvm::ffi::runtime;

namespace {

// Convert the kinds of values that only a view can have, and raise an error for NULL pointers.
TVM_FFI_NO_INLINE int own_special(const TVMFFIAny& view, TVMFFIAny* out) {
  return runtime::guarded([&] {
    tvm::ffi::Any value;
    if (runtime::make_owned(view, "any_view", &value) != 0) return -1;
    *out = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
    return 0;
  });
}

}  // namespace

extern "C" {

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view == nullptr) return runtime::raise_null("any_view");
  if (out == nullptr) return runtime::raise_null("out");
  if (any_view->type_index >= kTVMFFIStaticObjectBegin && any_view->v_obj != nullptr) {
    tvm::ffi::detail::IncStrongRef(any_view->v_obj);
  } else if (any_view->type_index > kTVMFFIDevice) {
    return own_special(*any_view, out);
  }
  *out = *any_view;
  return 0;
}

}  // extern "C"
