// SPDX-License-Identifier: Apache-2.0
// Calls from Python to native functions. Each small number of arguments has its own call path.
// Every path has the same four steps: convert the arguments, call, release the temporary objects,
// convert the result or raise.
#include "call.h"

#include <cstring>
#include <memory>
#include <new>

#include "attach.h"
#include "callback.h"
#include "environment.h"
#include "error_message.h"
#include "frame.h"
#include "keywords.h"
#include "raise.h"
#include "read_only.h"

namespace binding {
namespace {

inline TVMFFIFunctionCell* function_cell(TVMFFIObject* f) { return TVMFFIFunctionGetCellPtr(f); }

// Calls the native function. If it wraps a Python callable, the call keeps the GIL, because the
// callback would only take the GIL again.
BINDING_INLINE int enter(TVMFFIObject* f, Gil gil, const TVMFFIAny* args, int32_t n,
                         TVMFFIAny* result) {
  TVMFFISafeCallType safe_call = function_cell(f)->safe_call;
  if (gil == Gil::kHold || safe_call == callback_safe_call) {
    return safe_call(f, args, n, result);
  }
  Detach detached;
  return safe_call(f, args, n, result);
}

// Calls the function in the environment (stream, allocator) that the arguments require. Returns 0,
// or -1 with an exception set.
BINDING_COLD int enter_in_environment(TVMFFIObject* f, Gil gil, const Given& given,
                                      const CallContext& context, TVMFFIAny* result) {
  if (context.has_read_only && check_read_only(given) < 0) return -1;
  if (context.exchange_api == nullptr && !context.has_device()) {
    int status = enter(f, gil, given.values, static_cast<int32_t>(given.size), result);
    return BINDING_LIKELY(status == 0) ? 0 : raise_from_slot(status, &given);
  }
  Environment environment(context);
  if (!environment.entered()) return -1;
  int status = enter(f, gil, given.values, static_cast<int32_t>(given.size), result);
  if (status != 0) return raise_from_slot(status, &given);
  if (environment.restore() == 0) return 0;
  value_release(result);
  return -1;
}

// Calls the function with converted arguments; all call paths end here. `api` is NULL for a
// constructor, which is called without an environment.
BINDING_INLINE int finish(Gil gil, const Given& given, const CallContext& context,
                          TVMFFIAny* result, const DLPackExchangeAPI** api) {
  *result = value_none();
  if (BINDING_UNLIKELY(api != nullptr && Environment::wanted(context))) {
    *api = context.exchange_api;
    return enter_in_environment(given.function, gil, Given(given), context, result);
  }
  auto size = static_cast<int32_t>(given.size);
  int status = enter(given.function, gil, given.values, size, result);
  if (BINDING_LIKELY(status == 0)) return 0;
  Given copy(given);  // raise_from_slot needs an address; `given` can stay in registers
  return raise_from_slot(status, &copy);
}

// Calls a function without arguments. Nothing is converted and nothing is borrowed.
BINDING_INLINE int call_without_arguments(TVMFFIObject* f, Gil gil, TVMFFIAny* result) {
  TVMFFIAny none = value_none();  // a pointer that is valid even if the callee reads an argument
  *result = none;
  int status = enter(f, gil, &none, 0, result);
  if (BINDING_LIKELY(status == 0)) return 0;
  Given given{f, nullptr, nullptr, &none, 0};
  return raise_from_slot(status, &given);
}

// Calls a function with up to Frame::kSpace arguments, `first` included. Stores the framework of
// the tensors among the arguments in `*api` unless `api` is NULL.
BINDING_INLINE int call_with_few(TVMFFIObject* f, Gil gil, PyObject* first, PyObject* const* args,
                                 Py_ssize_t n, TVMFFIAny* result, const DLPackExchangeAPI** api,
                                 bool only_views) {
  Frame frame;
  if (BINDING_UNLIKELY(!frame)) return -1;
  TVMFFIAny* values = frame.space();
  TVMFFIObject* places[Frame::kSpace];
  CallContext context;
  Arguments arguments{Temporaries(places), &context, true, only_views};
  if (first != nullptr) {
    if (BINDING_UNLIKELY(value_from_py(first, &values[0], &arguments) < 0)) return -1;
    frame.grow();
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (BINDING_UNLIKELY(value_from_py(args[i], &values[frame.size()], &arguments) < 0)) {
      return raise_from_argument(Given{f, first, args, values, frame.size()});
    }
    frame.grow();
  }
  return finish(gil, Given{f, first, args, values, frame.size()}, context, result, api);
}

// Calls a function with any number of arguments.
BINDING_COLD int call_with_many(TVMFFIObject* f, Gil gil, PyObject* first, PyObject* const* args,
                                Py_ssize_t n, TVMFFIAny* result, const DLPackExchangeAPI** api,
                                bool only_views) {
  size_t total = static_cast<size_t>(n) + (first != nullptr ? 1 : 0);
  if (total > INT32_MAX) {
    PyErr_Format(PyExc_OverflowError, "too many arguments: %zu, at most %d", total, INT32_MAX);
    return -1;
  }
  std::unique_ptr<TVMFFIAny[]> values(new (std::nothrow) TVMFFIAny[total]);
  std::unique_ptr<TVMFFIObject*[]> places(new (std::nothrow) TVMFFIObject*[total]);
  if (values == nullptr || places == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  CallContext context;
  Arguments arguments{Temporaries(places.get()), &context, true, only_views};
  Frame frame(values.get());
  if (!frame) return -1;
  if (first != nullptr) {
    if (value_from_py(first, &values[0], &arguments) < 0) return -1;
    frame.grow();
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (value_from_py(args[i], &values[frame.size()], &arguments) < 0) {
      return raise_from_argument(Given{f, first, args, values.get(), frame.size()});
    }
    frame.grow();
  }
  return finish(gil, Given{f, first, args, values.get(), frame.size()}, context, result, api);
}

// `only_views`: see Arguments.
BINDING_INLINE int call_positional(TVMFFIObject* f, Gil gil, PyObject* first, PyObject* const* args,
                                   Py_ssize_t n, TVMFFIAny* result, const DLPackExchangeAPI** api,
                                   bool only_views = false) {
  switch (n) {
    case 0:
      if (first == nullptr) return call_without_arguments(f, gil, result);
      return call_with_few(f, gil, first, args, 0, result, api, only_views);
    case 1:
      return call_with_few(f, gil, first, args, 1, result, api, only_views);
    case 2:
      return call_with_few(f, gil, first, args, 2, result, api, only_views);
    default:
      if (n < Frame::kSpace) return call_with_few(f, gil, first, args, n, result, api, only_views);
      return call_with_many(f, gil, first, args, n, result, api, only_views);
  }
}

// Calls a native initializer with keywords. The packed arguments are the positional ones, the
// KWARGS sentinel, then the name and value of each keyword. Keywords whose value is MISSING are
// left out.
BINDING_COLD int call_keywords(TVMFFIObject* f, Gil gil, PyObject* const* args, Py_ssize_t n,
                               PyObject* kwnames, TVMFFIAny* result) {
  Py_ssize_t num_kw = PyTuple_GET_SIZE(kwnames);
  std::unique_ptr<PyObject*[]> all(new (std::nothrow) PyObject*[n + 1 + 2 * num_kw]);
  if (all == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  Py_ssize_t count = 0;
  for (; count < n; ++count) all[count] = args[count];
  all[count++] = state().kwargs;
  for (Py_ssize_t i = 0; i < num_kw; ++i) {
    if (args[n + i] == state().missing) continue;
    all[count++] = PyTuple_GET_ITEM(kwnames, i);
    all[count++] = args[n + i];
  }
  return call_positional(f, gil, nullptr, all.get(), count, result, nullptr);
}

BINDING_INLINE PyObject* result_to_py_steal(const TVMFFIAny& result, const DLPackExchangeAPI* api) {
  return BINDING_LIKELY(api == nullptr) ? value_to_py_steal(result)
                                        : result_to_framework_steal(api, result);
}

// Returns the name of a function for messages. New reference; runs Python.
BINDING_COLD PyObject* function_name_for_messages(FunctionWrapper* function) {
  if (function->name != nullptr) return compat_new_ref(function->name);
  PyObject* name = PyObject_GetAttrString(reinterpret_cast<PyObject*>(function), "__name__");
  if (name != nullptr || !PyErr_ExceptionMatches(PyExc_AttributeError)) return name;
  clear_error();
  return PyUnicode_FromString("__call__");
}

// Calls a function with keywords; TypeError if its parameters have no names.
BINDING_COLD PyObject* call_function_by_keyword(PyObject* self, PyObject* const* args, Py_ssize_t n,
                                                PyObject* kwnames) {
  BoundArguments bound;
  Ref parameters(function_bind_keywords(self, args, n, kwnames, &bound));
  if (!parameters) return nullptr;
  return call_function(self, bound.items(), static_cast<size_t>(bound.size()), nullptr);
}

// Calls a function with fewer positional arguments than it has parameters.
BINDING_COLD PyObject* call_function_with_defaults(PyObject* self, PyObject* const* args,
                                                   Py_ssize_t n) {
  Ref kept = Ref::borrow(reinterpret_cast<FunctionWrapper*>(self)->parameters);
  BoundArguments bound;
  if (!bound.fill(kept.get(), args, n)) return nullptr;
  if (bound.items() == nullptr) return call_function(self, args, static_cast<size_t>(n), nullptr);
  return call_function(self, bound.items(), static_cast<size_t>(bound.size()), nullptr);
}

// The vectorcall of a core.Function whose parameters have default values.
PyObject* call_function_filling(PyObject* self, PyObject* const* args, size_t nargsf,
                                PyObject* kwnames) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  PyObject* parameters = reinterpret_cast<FunctionWrapper*>(self)->parameters;
  if (BINDING_UNLIKELY(n < parameters_size(parameters)) &&
      (kwnames == nullptr || PyTuple_GET_SIZE(kwnames) == 0)) {
    return call_function_with_defaults(self, args, n);
  }
  return call_function(self, args, nargsf, kwnames);
}

}  // namespace

PyObject* call_native(TVMFFIObject* f, Gil gil, PyObject* first, PyObject* const* args,
                      Py_ssize_t n) {
  TVMFFIAny result;
  const DLPackExchangeAPI* api = nullptr;
  if (call_positional(f, gil, first, args, n, &result, &api) < 0) return nullptr;
  return result_to_py_steal(result, api);
}

int call_converted(Gil gil, const Given& given, const CallContext& context, TVMFFIAny* result,
                   const DLPackExchangeAPI** api) {
  return finish(gil, given, context, result, api);
}

int call_native_raw(TVMFFIObject* f, Gil gil, PyObject* const* args, Py_ssize_t n,
                    PyObject* kwnames, TVMFFIAny* result) {
  if (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) != 0) {
    return call_keywords(f, gil, args, n, kwnames, result);
  }
  return call_positional(f, gil, nullptr, args, n, result, nullptr);
}

int call_values(TVMFFIObject* f, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  Frame frame;
  if (BINDING_UNLIKELY(!frame)) return -1;
  frame.add_objects(args, n);
  *result = value_none();
  int status = enter(f, Gil::kHold, args, n, result);
  return BINDING_LIKELY(status == 0) ? 0 : raise_from_slot(status);
}

TVMFFIObject* RuntimeFunction::find() {
  TVMFFIByteArray key{name_, std::strlen(name_)};
  TVMFFIObjectHandle found = nullptr;
  int status = TVMFFIFunctionGetGlobal(&key, &found);
  if (status != 0) raise_from_slot(status);
  if (status == 0 && found == nullptr) {
    PyErr_Format(PyExc_RuntimeError, "the runtime lacks %s", name_);
  }
  if (status != 0 || found == nullptr) return nullptr;
  function_.store(static_cast<TVMFFIObject*>(found), std::memory_order_release);
  return static_cast<TVMFFIObject*>(found);
}

TVMFFIObject* function_handle_or_raise(PyObject* self) {
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (BINDING_UNLIKELY(obj != nullptr && obj->type_index != kTVMFFIFunction)) {
    PyErr_Format(PyExc_TypeError, "this %s holds a native object that is not a function",
                 Py_TYPE(self)->tp_name);
    return nullptr;
  }
  return obj;
}

PyObject* call_function(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  auto* function = reinterpret_cast<FunctionWrapper*>(self);
  if (BINDING_UNLIKELY(kwnames != nullptr && PyTuple_GET_SIZE(kwnames) != 0)) {
    return call_function_by_keyword(self, args, PyVectorcall_NARGS(nargsf), kwnames);
  }
  CallMark mark;
  TVMFFIObject* f = function->base.handle;
  if (BINDING_UNLIKELY(f == nullptr || f->type_index != kTVMFFIFunction)) {
    function_handle_or_raise(self);
    return nullptr;
  }
  TVMFFIAny result;
  const DLPackExchangeAPI* api = nullptr;
  BINDING_COUNT_CALL(++function->active);
  int rc = call_positional(f, function->release_gil ? Gil::kRelease : Gil::kHold, nullptr, args,
                           PyVectorcall_NARGS(nargsf), &result, &api,
                           function->tensor_use == TensorUse::kViews);
  BINDING_COUNT_CALL(--function->active);
  if (BINDING_UNLIKELY(rc < 0)) return nullptr;
  if (BINDING_LIKELY(api == nullptr)) return value_to_py_steal(result);
  if (BINDING_UNLIKELY(function_find_tensor_use(self) < 0)) {
    value_release(&result);
    return nullptr;
  }
  return result_to_framework_steal(api, result);
}

namespace {

// Asks the library that exports a function for the metadata of the function. Runs code of the
// library, and therefore may run Python.
void find_parameters_in_library(FunctionWrapper* function) {
  static RuntimeFunction ask("ffi._FunctionLibraryMetadata");
  ObjectOwner handle = ObjectOwner::borrow(function->base.handle);
  const char* name = function->name == nullptr ? nullptr : PyUnicode_AsUTF8(function->name);
  TVMFFIAny args[2] = {value_none(), value_none()}, result = value_none();
  args[0].type_index = kTVMFFIFunction;
  args[0].v_obj = handle.get();
  args[1].type_index = kTVMFFIRawStr;
  args[1].v_c_str = name == nullptr ? "" : name;
  Ref metadata;
  if (handle && handle.get()->type_index == kTVMFFIFunction && ask.call(args, 2, &result) == 0) {
    if (result.type_index == kTVMFFIStr) {
      metadata = Ref(metadata_with_names(*TVMFFIBytesGetByteArrayPtr(result.v_obj)));
    }
    value_release(&result);
  }
  clear_error();  // The function is then called without parameter names.
  if (function->parameters == Py_None) publish_steal(&function->parameters, metadata.release());
}

}  // namespace

PyObject* function_parameters(PyObject* self) {
  auto* function = reinterpret_cast<FunctionWrapper*>(self);
  if (function->parameters == Py_None) find_parameters_in_library(function);
  return keyword_parameters(&function->parameters);
}

int function_find_tensor_use(PyObject* self) {
  auto* function = reinterpret_cast<FunctionWrapper*>(self);
  if (BINDING_LIKELY(function->tensor_use != TensorUse::kUnknown)) return 0;
  Ref find(state_import("tvm_ffi._values.read_only", "takes_only_views"));
  Ref found(find ? PyObject_CallFunctionObjArgs(find.get(), self, nullptr) : nullptr);
  if (!found) return -1;
  function->tensor_use = found.get() == Py_True ? TensorUse::kViews : TensorUse::kTensors;
  return 0;
}

PyObject* function_bind_keywords(PyObject* self, PyObject* const* args, Py_ssize_t n,
                                 PyObject* kwnames, BoundArguments* bound) {
  Ref parameters = Ref::borrow(function_parameters(self));
  if (!parameters && PyErr_Occurred()) return nullptr;
  Ref name(function_name_for_messages(reinterpret_cast<FunctionWrapper*>(self)));
  if (!name) return nullptr;
  if (!parameters) {
    refuse_unknown_keyword(name.get(), nullptr, PyTuple_GET_ITEM(kwnames, 0));
    return nullptr;
  }
  if (bound->bind(name.get(), parameters.get(), args, n, kwnames) < 0) return nullptr;
  return parameters.release();
}

void function_set_call_path(PyObject* self) {
  auto* function = reinterpret_cast<FunctionWrapper*>(self);
  function->vectorcall = function->parameters != nullptr ? call_function_first : call_function;
}

vectorcallfunc function_exact_path(PyObject* self, Py_ssize_t n) {
  auto* function = reinterpret_cast<FunctionWrapper*>(self);
  vectorcallfunc path = function->vectorcall;
  if (path == call_function) return path;
  return path == call_function_filling && n >= parameters_size(function->parameters) ? path
                                                                                     : nullptr;
}

PyObject* call_function_first(PyObject* self, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  function_find_call_path(self);
  return reinterpret_cast<FunctionWrapper*>(self)->vectorcall(self, args, nargsf, kwnames);
}

void function_find_call_path(PyObject* self) {
  auto* function = reinterpret_cast<FunctionWrapper*>(self);
  if (function->vectorcall != call_function_first) return;
  if (function->parameters == Py_None) find_parameters_in_library(function);
  bool fills = parameters_with_defaults(&function->parameters) != nullptr;  // may run Python
  function->vectorcall = fills ? call_function_filling : call_function;
}

namespace {

BINDING_COLD PyObject* constructor_gave_wrong_value(PyObject* cls, TVMFFIAny* result) {
  PyErr_Format(PyExc_TypeError, "the native constructor of %s returned a value that is not a %s",
               reinterpret_cast<PyTypeObject*>(cls)->tp_name,
               reinterpret_cast<PyTypeObject*>(cls)->tp_name);
  if (result->v_obj != nullptr) value_release(result);
  return nullptr;
}

}  // namespace

PyObject* call_class(PyObject* cls, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  ClassInfo* info = class_info_of(reinterpret_cast<PyTypeObject*>(cls));
  if (BINDING_UNLIKELY(class_refuses_keywords(info, kwnames))) return nullptr;
  TVMFFIAny result;
  if (call_native_raw(info->init, Gil::kHold, args, PyVectorcall_NARGS(nargsf), kwnames, &result) <
      0) {
    return nullptr;
  }
  if (BINDING_UNLIKELY(result.type_index != info->type_index || result.v_obj == nullptr)) {
    return constructor_gave_wrong_value(cls, &result);
  }
  if (BINDING_LIKELY(!g_wrappers.has(result.v_obj))) {
    auto* type = reinterpret_cast<PyTypeObject*>(cls);
    return wrapper_new_steal(type, info->plain && info->cls == type, result.v_obj);
  }
  // The object that the constructor returned already has a wrapper. Lookups continue to return that
  // wrapper, so do not add the new wrapper to the wrapper table.
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  PyObject* self = type->tp_alloc(type, 0);
  if (self == nullptr) {
    value_release(&result);
    return nullptr;
  }
  as_wrapper(self)->handle = result.v_obj;
  return self;
}

PyObject* call_class_by_name(PyObject* cls, PyObject* const* args, size_t nargsf,
                             PyObject* kwnames) {
  ClassInfo* info = class_info_of(reinterpret_cast<PyTypeObject*>(cls));
  BoundArguments bound;
  int is_bound = bind_constructor(info, args, PyVectorcall_NARGS(nargsf), kwnames, &bound);
  if (is_bound < 0) return nullptr;
  if (is_bound == 0) return call_class(cls, args, nargsf, kwnames);
  return call_class(cls, bound.items(), static_cast<size_t>(bound.size()), nullptr);
}

}  // namespace binding
