/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/extra/c_function.h
 * \brief Find and call functions in C: global functions, and functions of a library.
 *
 * The words owned, borrowed and raised are used as in c_api.h. These functions are compiled into
 * the program, so a program that uses them needs no symbol beyond those of c_api.h, and works with
 * every library of this ABI. Each function returns 0, or -1 with an error raised. After a failure
 * the result is None or NULL, so the caller can release it in every case.
 */
#ifndef TVM_FFI_EXTRA_C_FUNCTION_H_
#define TVM_FFI_EXTRA_C_FUNCTION_H_

#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_value.h>

#ifdef __cplusplus
extern "C" {
#endif

/*! \brief Raise an error (put it into the error slot of this thread) whose message consists of a
 * text, a name, and another text. */
static inline int tvm_ffi_raise_about_(const char* kind, const char* before, const char* name,
                                       const char* after) {
  const char* parts[3];
  parts[0] = before;
  parts[1] = name;
  parts[2] = after;
  TVMFFIErrorSetRaisedFromCStrParts(kind, parts, 3);
  return -1;
}

/*!
 * \brief Call a function.
 * \param function the function; NULL raises ValueError.
 * \param args `num_args` views.
 * \param num_args number of arguments.
 * \param result gets the owned result; it must not be one of the arguments.
 * \return the status of the function: 0, or -1 with an error raised.
 */
static inline int tvm_ffi_call(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args,
                               TVMFFIAny* result) {
  int status;
  if (result == NULL)
    return tvm_ffi_raise_about_("ValueError", "`result` must not be NULL", "", "");
  *result = tvm_ffi_any_none();
  if (function == NULL) {
    return tvm_ffi_raise_about_("ValueError", "`function` must not be NULL", "", "");
  }
  status = TVMFFIFunctionCall(function, args, num_args, result);
  if (status != 0) *result = tvm_ffi_any_none();
  return status;
}

/*! \brief Find a global function; an unknown name raises ValueError. `*out` is owned. */
static inline int tvm_ffi_get_global(const char* name, TVMFFIObjectHandle* out) {
  TVMFFIByteArray text;
  if (out == NULL) return tvm_ffi_raise_about_("ValueError", "`out` must not be NULL", "", "");
  *out = NULL;
  if (name == NULL) return tvm_ffi_raise_about_("ValueError", "`name` must not be NULL", "", "");
  text.data = name;
  text.size = strlen(name);
  if (TVMFFIFunctionGetGlobal(&text, out) != 0) return -1;
  if (*out != NULL) return 0;
  return tvm_ffi_raise_about_("ValueError", "Function ", name,
                              " not found: load the library that registers it first");
}

/*! \brief Call a global function by its name. */
static inline int tvm_ffi_call_global(const char* name, TVMFFIAny* args, int32_t num_args,
                                      TVMFFIAny* result) {
  TVMFFIObjectHandle function;
  int status;
  if (result != NULL) *result = tvm_ffi_any_none();
  if (tvm_ffi_get_global(name, &function) != 0) return -1;
  status = tvm_ffi_call(function, args, num_args, result);
  tvm_ffi_object_release(&function);
  return status;
}

/*!
 * \brief Load a library as a module.
 * \param path the file; a path without `/` is searched as by dlopen.
 * \param module gets the owned module. The library stays loaded while the module or one of its
 *        functions is alive; release objects whose code is in the library before it is unloaded.
 */
static inline int tvm_ffi_load_module(const char* path, TVMFFIAny* module) {
  TVMFFIAny arg = tvm_ffi_any_str(path);
  if (module == NULL)
    return tvm_ffi_raise_about_("ValueError", "`module` must not be NULL", "", "");
  *module = tvm_ffi_any_none();
  if (path == NULL) return tvm_ffi_raise_about_("ValueError", "`path` must not be NULL", "", "");
  return tvm_ffi_call_global("ffi.ModuleLoadFromFile", &arg, 1, module);
}

/*! \brief Find a function of a module; an unknown name raises AttributeError. `*out` is owned. */
static inline int tvm_ffi_get_function(const TVMFFIAny* module, const char* name,
                                       TVMFFIObjectHandle* out) {
  TVMFFIAny args[3], found;
  if (out == NULL) return tvm_ffi_raise_about_("ValueError", "`out` must not be NULL", "", "");
  *out = NULL;
  if (module == NULL || module->type_index != kTVMFFIModule) {
    return tvm_ffi_raise_about_("TypeError", "expected a module, made by tvm_ffi_load_module", "",
                                "");
  }
  if (name == NULL) return tvm_ffi_raise_about_("ValueError", "`name` must not be NULL", "", "");
  args[0] = *module;
  args[1] = tvm_ffi_any_str(name);
  args[2] = tvm_ffi_any_bool(0); /* do not search the imports of the module */
  if (tvm_ffi_call_global("ffi.ModuleGetFunction", args, 3, &found) != 0) return -1;
  if (found.type_index != kTVMFFIFunction) {
    tvm_ffi_any_release(&found);
    return tvm_ffi_raise_about_("AttributeError", "Module has no function '", name,
                                "': its library must export `__tvm_ffi_` and that name");
  }
  *out = found.v_obj; /* moves the reference out of `found` */
  return 0;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TVM_FFI_EXTRA_C_FUNCTION_H_ */
