// SPDX-License-Identifier: Apache-2.0
// C ABI: error objects, the error slot, backtraces.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>

#include <string>

#include "core/backtrace.h"
#include "core/error_slot.h"
#include "core/type_name.h"

namespace runtime = tvm::ffi::runtime;
using tvm::ffi::detail::ObjectUnsafe;

namespace {

/*! \brief Return a handle after adding a reference, which the new error object will own. NULL is
 * returned unchanged. */
TVMFFIObjectHandle retained(TVMFFIObjectHandle handle) {
  if (handle != nullptr) ObjectUnsafe::IncRefObjectHandle(handle);
  return handle;
}

}  // namespace

extern "C" {

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  // Without an output parameter the error stays in the slot.
  if (result != nullptr) *result = runtime::error_slot_take();
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (error == nullptr) {
    runtime::raise_null("error");
    return;
  }
  int32_t type_index = static_cast<TVMFFIObject*>(error)->type_index;
  if (type_index != kTVMFFIError) {
    runtime::raise("TypeError", {"Cannot raise a value of type `", runtime::value_name(type_index),
                                 "`, expected `ffi.Error`"});
    return;
  }
  runtime::take_raise_site();  // libraries that make their own errors do not ask for one
  ObjectUnsafe::IncRefObjectHandle(error);
  runtime::error_slot_put_steal(static_cast<TVMFFIObject*>(error));
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStrParts(kind, &message, 1);
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts,
                                       int32_t num_parts) {
  const void* caller = __builtin_return_address(0);
  if (kind == nullptr) {
    runtime::raise_null("kind");
    return;
  }
  if (message_parts == nullptr && num_parts > 0) {
    runtime::raise_null("message_parts");
    return;
  }
  runtime::guarded([&] {
    std::string message;
    for (int32_t i = 0; i < num_parts; ++i) {
      if (message_parts[i] != nullptr) message.append(message_parts[i]);
    }
    return runtime::raise_from(kind, {message}, caller, false);
  });
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                      const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  return TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, nullptr, nullptr, out);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(
    const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
    TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  if (out == nullptr) return -1;
  try {
    // NULL is treated as an empty text: raising an error here would change the error slot.
    TVMFFIObject* handle =
        runtime::new_error(tvm::ffi::detail::CopyText(kind), tvm::ffi::detail::CopyText(message),
                           tvm::ffi::detail::CopyText(backtrace), runtime::take_raise_site());
    TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(handle);
    cell->cause_chain = retained(cause_chain);
    cell->extra_context = retained(extra_context);
    *out = handle;
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

__attribute__((noinline)) const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno,
                                                                 const char* func,
                                                                 int cross_ffi_boundary) {
  runtime::note_raise_site(filename);
  runtime::BacktraceRequest request;
  request.file = filename;
  request.function = func;
  request.line = lineno;
  request.cross_boundary = cross_ffi_boundary != 0;
  request.first_frame = __builtin_return_address(0);
  return runtime::capture_backtrace(request);
}

}  // extern "C"
