// SPDX-License-Identifier: Apache-2.0
// C ABI: functions made from C code, function calls, global functions.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include "core/error_slot.h"
#include "core/function_table.h"
#include "core/raw_object.h"
#include "core/type_name.h"

namespace runtime = tvm::ffi::runtime;
using tvm::ffi::detail::ObjectUnsafe;

namespace {

/*! \brief A function object around a C function; calls pass the handle of this object to it. */
struct PlainFunction {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
};

/*! \brief A function object around a C function; calls pass the context `self` to it. */
struct BoundFunction {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  void* self;
  TVMFFISafeCallType call;
  void (*self_deleter)(void* self);
};

void delete_plain(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) runtime::free_raw_object(self);
}

void destroy_bound(void* self, int flags) {
  auto* function = static_cast<BoundFunction*>(self);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && function->self_deleter != nullptr) {
    function->self_deleter(function->self);  // runs foreign code
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) runtime::free_raw_object(self);
}

int call_bound(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  auto* function = static_cast<BoundFunction*>(handle);
  return function->call(function->self, args, num_args, result);
}

int make_plain(TVMFFISafeCallType call, TVMFFIObjectHandle* out) {
  auto* function = runtime::make_raw_object<PlainFunction>(kTVMFFIFunction, delete_plain);
  if (function == nullptr) return runtime::raise_out_of_memory();
  function->cell = {call, nullptr};
  *out = function;
  return 0;
}

/*! \brief Raise an error that says why a handle is not a function. \return -1. */
int refuse_function(TVMFFIObjectHandle handle, std::string_view parameter) {
  if (handle == nullptr) return runtime::raise_null(parameter);
  return runtime::raise(
      "TypeError",
      {"Cannot convert from type `",
       runtime::type_name(static_cast<TVMFFIObject*>(handle)->type_index), "` to `ffi.Function`"});
}

bool is_function(TVMFFIObjectHandle handle) {
  return handle != nullptr && static_cast<TVMFFIObject*>(handle)->type_index == kTVMFFIFunction;
}

/*! \brief Register a function under a name; the registry gets a new reference. \return false when
 * the name is taken. */
bool set_retained(std::string_view name, TVMFFIObject* function,
                  const runtime::GlobalFunctionInfo& info, bool allow_override) {
  auto owned = ObjectUnsafe::ObjectPtrFromUnowned<tvm::ffi::Object>(function);
  if (!runtime::set_global_function(name, function, info, allow_override)) return false;
  ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(owned));
  return true;
}

int raise_taken(std::string_view name) {
  std::string_view origin = runtime::global_function_origin(name);
  if (origin.empty()) {
    return runtime::raise("RuntimeError", {"Global Function `", name, "` is already registered"});
  }
  return runtime::raise("RuntimeError",
                        {"Global Function `", name, "` is already registered by ", origin,
                         "; pass override=True to replace it, or choose another name"});
}

}  // namespace

extern "C" {

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                         TVMFFIObjectHandle* out) {
  if (safe_call == nullptr) return runtime::raise_null("safe_call");
  if (out == nullptr) return runtime::raise_null("out");
  if (self == nullptr && deleter == nullptr) return make_plain(safe_call, out);
  auto* function = runtime::make_raw_object<BoundFunction>(kTVMFFIFunction,
                                                           runtime::delete_nested<destroy_bound>);
  if (function == nullptr) return runtime::raise_out_of_memory();
  function->cell = {call_bound, nullptr};
  function->self = self;
  function->call = safe_call;
  function->self_deleter = deleter;
  *out = function;
  return 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args,
                       TVMFFIAny* result) {
  if (__builtin_expect(!is_function(func), 0)) return refuse_function(func, "func");
  if (__builtin_expect(result == nullptr, 0)) return runtime::raise_null("result");
  if (__builtin_expect(num_args < 0, 0)) {
    return runtime::raise("ValueError", {"`num_args` must not be negative"});
  }
  if (__builtin_expect(args == nullptr && num_args != 0, 0)) return runtime::raise_null("args");
  return TVMFFIFunctionGetCellPtr(func)->safe_call(func, args, num_args, result);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (__builtin_expect(name == nullptr || !runtime::well_formed(*name), 0)) {
    return runtime::check_text(name, "name");
  }
  if (__builtin_expect(out == nullptr, 0)) return runtime::raise_null("out");
  *out = runtime::get_global_function(runtime::view_of(*name));
  return 0;
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (runtime::check_text(name, "name") != 0) return -1;
  if (!is_function(f)) return refuse_function(f, "f");
  return runtime::guarded([&] {
    runtime::GlobalFunctionInfo info;
    info.flags = kTVMFFIFieldFlagBitMaskIsStaticMethod;
    std::string_view text = runtime::view_of(*name);
    if (set_retained(text, static_cast<TVMFFIObject*>(f), info, allow_override != 0)) return 0;
    return raise_taken(text);
  });
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  if (method_info == nullptr) return runtime::raise_null("method_info");
  if (runtime::check_text(&method_info->name, "method_info->name") != 0 ||
      runtime::check_text(&method_info->doc, "method_info->doc") != 0 ||
      runtime::check_text(&method_info->metadata, "method_info->metadata") != 0) {
    return -1;
  }
  const TVMFFIAny& method = method_info->method;
  if (method.type_index != kTVMFFIFunction) {
    return runtime::raise("TypeError",
                          {"Cannot convert from type `", runtime::type_name(method.type_index),
                           "` to `ffi.Function`"});
  }
  if (method.v_obj == nullptr) return runtime::raise_null("method_info->method");
  return runtime::guarded([&] {
    runtime::GlobalFunctionInfo info;
    info.doc = runtime::view_of(method_info->doc);
    info.metadata = runtime::view_of(method_info->metadata);
    info.flags = method_info->flags;
    std::string_view name = runtime::view_of(method_info->name);
    if (set_retained(name, method.v_obj, info, allow_override != 0)) return 0;
    std::string_view origin = runtime::global_function_origin(name);
    return runtime::raise("RuntimeError", {"Global Function `", name, "` is already registered",
                                           origin.empty() ? "" : " by ", origin,
                                           ", possible causes:\n- Two definitions use the same "
                                           "name\n- A library that registers it was "
                                           "loaded twice, or two copies of it\nChoose another "
                                           "name, or replace it on purpose, with the "
                                           "option to override"});
  });
}

}  // extern "C"
