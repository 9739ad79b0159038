// SPDX-License-Identifier: Apache-2.0
// Functions of tvm_ffi.core that register, find and describe global functions.
#include "../call.h"
#include "../callback.h"
#include "../convert/convert.h"
#include "../keywords.h"
#include "../named.h"
#include "../raise.h"
#include "names.h"
#include "registry.h"

namespace binding {
namespace {

// Asks the runtime about the global function `name`: calls `question`, a function of the runtime,
// with this name. Returns the owned result; None if the runtime lacks `question`, or if no function
// has this name any more.
TVMFFIAny ask_about(TVMFFIObject* question, const TVMFFIByteArray& name) {
  TVMFFIAny arg = value_none(), result;
  arg.type_index = kTVMFFIRawStr;
  arg.v_c_str = name.data;  // NUL-terminated, because it is the UTF-8 buffer of a str
  if (question == nullptr) return value_none();
  if (call_values(question, &arg, 1, &result) == 0) return result;
  clear_error();
  return value_none();
}

bool is_short_call(const TVMFFIAny& flags) {
  return flags.type_index == kTVMFFIInt && (flags.v_int64 & kTVMFFIMethodFlagBitMaskShortCall);
}

// Returns the core.Function of a global function. Steals `f`. A new wrapper gets the name, the
// flags and the metadata that names the parameters.
PyObject* global_function_steal(TVMFFIObject* f, const TVMFFIByteArray& name, PyObject* py_name) {
  Ref live(g_wrappers.get(f));
  if (live && function_wrapper_is_named(live.get())) {
    return function_wrapper_new_steal(f, false);
  }
  TVMFFIAny info = ask_about(state().functions.global_call_info, name);
  bool has_names = info.type_index == kTVMFFIStr;
  bool short_call =
      is_short_call(has_names ? ask_about(state().functions.global_flags, name) : info);
  Ref function(function_wrapper_new_steal(f, short_call));
  Ref metadata(has_names ? metadata_with_names(*TVMFFIBytesGetByteArrayPtr(info.v_obj)) : nullptr);
  value_release(&info);
  if (!function || PyErr_Occurred()) return nullptr;
  function_wrapper_describe(function.get(), py_name, metadata.get());
  if (!live && callback_callable(f) == nullptr) ease_sharing(function.get());
  return function.release();
}

// Raises ValueError for a name without a function, with a hint from the runtime.
BINDING_COLD PyObject* refuse_unknown(PyObject* py_name, const TVMFFIByteArray& name) {
  static const char kQuestion[] = "ffi._GlobalFunctionHint";
  TVMFFIByteArray question{kQuestion, sizeof(kQuestion) - 1};
  TVMFFIObjectHandle found = nullptr;
  if (TVMFFIFunctionGetGlobal(&question, &found) != 0) found = nullptr;
  ObjectOwner holder(static_cast<TVMFFIObject*>(found));
  TVMFFIAny hint = ask_about(holder.get(), name);
  Ref text(value_to_py_steal(hint));
  if (!text) return nullptr;
  if (!PyUnicode_Check(text.get())) text = Ref(PyUnicode_FromString(""));
  if (!text) return nullptr;
  return PyErr_Format(PyExc_ValueError, "Cannot find global function %U%U", py_name, text.get());
}

// Returns the core.Function with the name `py_name`, None if it is missing and `allow_missing` is
// true, or NULL with an exception set.
PyObject* find_global_func(PyObject* py_name, PyObject* allow_missing) {
  TVMFFIByteArray name;
  if (!name_argument(py_name, "get_global_func", &name)) return nullptr;
  TVMFFIObjectHandle out = nullptr;
  for (int attempt = 0; attempt < 2; ++attempt) {
    int status = TVMFFIFunctionGetGlobal(&name, &out);
    if (status != 0) {
      raise_from_slot(status);
      return nullptr;
    }
    if (out != nullptr) break;
    int loaded = attempt == 0 ? load_testing(name) : 0;
    if (loaded < 0) return nullptr;
    if (loaded == 0) break;
  }
  if (out != nullptr) {
    return global_function_steal(static_cast<TVMFFIObject*>(out), name, py_name);
  }
  int may_be_missing = PyObject_IsTrue(allow_missing);
  if (may_be_missing < 0) return nullptr;
  if (may_be_missing) Py_RETURN_NONE;
  return refuse_unknown(py_name, name);
}

PyObject* get_global_func(PyObject*, PyObject* const* args) {
  return find_global_func(args[0], args[1] != nullptr ? args[1] : Py_False);
}

// Returns the Function for `x`: `x` itself, or a new Function around a callable. New reference.
PyObject* function_of(PyObject* x) {
  if (PyObject_TypeCheck(x, &FunctionType)) {
    if (function_handle_or_raise(x) == nullptr) return nullptr;
    return compat_new_ref(x);
  }
  TVMFFIObject* f = function_from_callable(x);
  return f == nullptr ? nullptr : function_wrapper_new_steal(f, false);
}

// Returns the module and qualified name of the Python function inside a native one. Returns NULL
// without an exception for other callables, which have no such names, and for lambdas, because many
// lambdas have the same name.
PyObject* definition_of(TVMFFIObject* function) {
  PyObject* callable = callback_callable(function);
  if (callable == nullptr || !PyFunction_Check(callable)) return nullptr;
  Ref module(PyObject_GetAttr(callable, state().names.dunder_module));
  Ref name(module ? PyObject_GetAttr(callable, state().names.dunder_qualname) : nullptr);
  if (!name) {
    clear_error();
    return nullptr;
  }
  Ref lambda(PyUnicode_FromString("<lambda>"));
  int is_lambda = lambda ? PyUnicode_Tailmatch(name.get(), lambda.get(), 0, PY_SSIZE_T_MAX, 1) : -1;
  if (is_lambda != 0) {
    clear_error();
    return nullptr;
  }
  return PyTuple_Pack(2, module.get(), name.get());
}

// Returns whether a function may be registered under a name: 0 if the name is free, 1 if the
// registered function is a former definition of the same function, -1 with RuntimeError if another
// function has the name.
int may_replace(PyObject* py_name, const TVMFFIByteArray& name, TVMFFIObject* function) {
  TVMFFIObjectHandle found = nullptr;
  int status = TVMFFIFunctionGetGlobal(&name, &found);
  if (status != 0) return raise_from_slot(status);
  if (found == nullptr) return 0;
  ObjectOwner holder(static_cast<TVMFFIObject*>(found));
  Ref theirs(definition_of(holder.get()));
  Ref ours(theirs ? definition_of(function) : nullptr);
  int same = ours ? PyObject_RichCompareBool(ours.get(), theirs.get(), Py_EQ) : 0;
  if (same != 0) return same;
  if (theirs) {
    PyErr_Format(PyExc_RuntimeError,
                 "Global Function `%U` is already registered: it is `%S.%S`. Pass override=True to "
                 "replace it",
                 py_name, PyTuple_GET_ITEM(theirs.get(), 0), PyTuple_GET_ITEM(theirs.get(), 1));
  } else {
    PyErr_Format(PyExc_RuntimeError,
                 "Global Function `%U` is already registered. Pass override=True to replace it",
                 py_name);
  }
  return -1;
}

PyObject* register_global_func(PyObject*, PyObject* const* args, Py_ssize_t n) {
  if (n != 3) {
    PyErr_Format(PyExc_TypeError,
                 "_register_global_func takes a name, a function and override, got %zd values", n);
    return nullptr;
  }
  TVMFFIByteArray name;
  if (!name_argument(args[0], "register_global_func", &name)) return nullptr;
  int override_it = PyObject_IsTrue(args[2]);
  if (override_it < 0) return nullptr;
  Ref function(function_of(args[1]));
  if (!function) return nullptr;
  TVMFFIObject* handle = as_wrapper(function.get())->handle;
  if (!override_it) override_it = may_replace(args[0], name, handle);
  if (override_it < 0) return nullptr;
  int status = TVMFFIFunctionSetGlobal(&name, handle, override_it);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  return function.release();
}

constexpr Parameters kGetGlobalFuncParameters = {"get_global_func", 1, {"name", "allow_missing"}};
constexpr Parameters kRequiredGetGlobalFuncParameters = {
    "_get_global_func", 2, {"name", "allow_missing"}};
constexpr Parameters kRegisterGlobalFuncParameters = {
    "_register_global_func", 3, {"name", "pyfunc", "override"}};

PyMethodDef global_function_functions[] = {
    named_method(kGetGlobalFuncParameters, named_placed<get_global_func, kGetGlobalFuncParameters>,
                 R"(get_global_func($module, name, allow_missing=False)
--

Return the global function with this name.

Parameters
----------
name
    The name.
allow_missing
    Whether to return ``None`` if there is no such function.

Raises
------
ValueError
    If there is no such function and ``allow_missing`` is false.

Examples
--------
>>> import tvm_ffi
>>> tvm_ffi.get_global_func("testing.add_one")(1)
2
)"),
    named_method(kRequiredGetGlobalFuncParameters,
                 named_placed<get_global_func, kRequiredGetGlobalFuncParameters>,
                 "_get_global_func($module, name, allow_missing)\n--\n\n"
                 "The same as get_global_func, without a default."),
    named_method(kRegisterGlobalFuncParameters,
                 named_some<register_global_func, kRegisterGlobalFuncParameters>,
                 "_register_global_func($module, name, pyfunc, override)\n--\n\n"
                 "Register a function under a global name and give its Function."),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int global_functions_init(PyObject* module) {
  return PyModule_AddFunctions(module, global_function_functions);
}

}  // namespace binding
