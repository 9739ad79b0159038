// SPDX-License-Identifier: Apache-2.0
// core.Function: a native function called from Python.
#include "function.h"

#include <atomic>
#include <new>

#include "../attach.h"
#include "../call.h"
#include "../convert/opaque_ptr.h"
#include "../keywords.h"
#include "../raise.h"
#include "../type/types.h"
#include "../utf8.h"
#include "prepared.h"

namespace binding {
namespace {

FunctionWrapper* as_function(PyObject* x) { return reinterpret_cast<FunctionWrapper*>(x); }

PyObject* function_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = type->tp_alloc(type, 0);
  if (self == nullptr) return nullptr;
  function_set_call_path(self);
  as_function(self)->release_gil = state().release_gil_by_default;
  return self;
}

int function_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_function(self)->dict);
  return wrapper_traverse(self, visit, arg);
}

int function_clear(PyObject* self) {
  Py_CLEAR(as_function(self)->dict);
  return as_function(self)->active == 0 ? wrapper_clear(self) : 0;
}

void function_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (as_function(self)->weak_references != nullptr) PyObject_ClearWeakRefs(self);  // runs Python
  Py_CLEAR(as_function(self)->dict);
  Py_CLEAR(as_function(self)->parameters);
  Py_CLEAR(as_function(self)->name);
  Py_CLEAR(as_function(self)->readers);
  wrapper_dealloc_static(self);
}

PyObject* function_get_release_gil(PyObject* self, void*) {
  return PyBool_FromLong(as_function(self)->release_gil);
}

int function_set_release_gil(PyObject* self, PyObject* value, void*) {
  if (value == nullptr || !PyLong_Check(value)) {
    PyErr_Format(PyExc_TypeError, "release_gil expects a bool, got %s",
                 value == nullptr ? "nothing" : Py_TYPE(value)->tp_name);
    return -1;
  }
  int truth = PyObject_IsTrue(value);
  if (truth < 0) return -1;
  as_function(self)->release_gil = truth != 0;
  return 0;
}

// A C function, and a Python object (owned, or NULL) that must live as long as the native function
// which wraps the C function.
struct ExternSymbol {
  void* symbol;
  PyObject* keep_alive;
  bool mlir;
};

int extern_safe_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  auto* s = static_cast<ExternSymbol*>(self);
  if (!s->mlir) {
    return reinterpret_cast<TVMFFISafeCallType>(s->symbol)(nullptr, args, num_args, result);
  }
  void* handle = nullptr;
  int status = 0;
  void* packed[] = {&handle, &args, &num_args, &result, &status};
  reinterpret_cast<void (*)(void**)>(s->symbol)(packed);
  return status;
}

void extern_delete(void* self) {
  auto* s = static_cast<ExternSymbol*>(self);
  if (s->keep_alive != nullptr) {
    Attach attached;
    // After the interpreter has shut down, Python objects must not be touched.
    if (attached) Py_DECREF(s->keep_alive);  // may run Python
  }
  delete s;
}

PyObject* function_from_symbol(PyObject* args, PyObject* kwargs, const char* name, bool mlir) {
  static const char* const kSymbolName[] = {"c_symbol", "mlir_packed_symbol"};
  const char* keywords[] = {kSymbolName[mlir], "keep_alive_object", nullptr};
  PyObject *address, *keep = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|$O", const_cast<char**>(keywords),
                                   &PyLong_Type, &address, &keep)) {
    return nullptr;
  }
  void* symbol;
  if (address_from_py(address, &symbol) < 0) return nullptr;
  if (symbol == nullptr) return PyErr_Format(PyExc_ValueError, "%s: the symbol is NULL", name);
  if (keep == Py_None) keep = nullptr;
  auto* s = new (std::nothrow) ExternSymbol{symbol, keep, mlir};
  if (s == nullptr) return PyErr_NoMemory();
  Py_XINCREF(keep);
  TVMFFIObjectHandle out = nullptr;
  int status = TVMFFIFunctionCreate(s, extern_safe_call, extern_delete, &out);
  if (status != 0) {
    extern_delete(s);
    raise_from_slot(status);
    return nullptr;
  }
  return function_wrapper_new_steal(static_cast<TVMFFIObject*>(out), false);
}

PyObject* function_from_extern_c(PyObject*, PyObject* args, PyObject* kwargs) {
  return function_from_symbol(args, kwargs, "__from_extern_c__", false);
}

PyObject* function_from_mlir(PyObject*, PyObject* args, PyObject* kwargs) {
  return function_from_symbol(args, kwargs, "__from_mlir_packed_safe_call__", true);
}

PyCFunction with_keywords(PyObject* (*f)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

PyMethodDef function_methods[] = {
    {"prepare", as_c_function(function_prepare), METH_FASTCALL | METH_KEYWORDS,
     "prepare($self, *examples, **keywords)\n--\n\n"
     "Return a PreparedCall: this function for calls whose arguments are like the examples.\n\n"
     "A keyword gives the example for the parameter with that name. TypeError if the function does "
     "not take this number of arguments."},
    {"__from_extern_c__", with_keywords(function_from_extern_c),
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "__from_extern_c__(c_symbol, *, keep_alive_object=None)\n--\n\n"
     "Function from the address of a C function with the safe-call signature."},
    {"__from_mlir_packed_safe_call__", with_keywords(function_from_mlir),
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "__from_mlir_packed_safe_call__(mlir_packed_symbol, *, keep_alive_object=None)\n--\n\n"
     "Function from the address of a void f(void**) whose array holds addresses of handle, "
     "args, num_args, result and the return code."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef function_getset[] = {
    {"release_gil", function_get_release_gil, function_set_release_gil,
     "Whether the GIL is released around the native call.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyTypeObject FunctionType = static_type();

PyObject* function_wrapper_new_steal(TVMFFIObject* f, bool short_call) {
  PyObject* live = g_wrappers.get(f);
  if (live != nullptr) {
    object_dec_ref(f);  // not the last reference
    return live;
  }
  ClassInfo* info = class_info_for_index(kTVMFFIFunction);
  PyObject* self = info == nullptr ? nullptr : function_new(info->cls, nullptr, nullptr);
  if (self == nullptr) {
    object_dec_ref(f);
    return nullptr;
  }
  as_wrapper(self)->handle = f;
  if (short_call) as_function(self)->release_gil = false;
  return wrapper_publish_steal(self);
}

bool function_wrapper_is_named(PyObject* self) { return function_wrapper_name(self) != nullptr; }

PyObject* function_wrapper_name(PyObject* self) {
  return PyObject_TypeCheck(self, &FunctionType) ? as_function(self)->name : nullptr;
}

namespace {

// Returns the `safe_call` that all functions from libraries share; NULL if the runtime does not
// have `ffi._LibrarySafeCall`.
TVMFFISafeCallType library_safe_call() {
  static RuntimeFunction ask("ffi._LibrarySafeCall");
  static std::atomic<TVMFFISafeCallType> found{nullptr};
  static std::atomic<bool> is_known{false};
  if (is_known.load(std::memory_order_acquire)) return found;
  TVMFFIAny result = value_none();
  if (ask.call(nullptr, 0, &result) == 0 && result.type_index == kTVMFFIOpaquePtr) {
    found = reinterpret_cast<TVMFFISafeCallType>(result.v_ptr);
  }
  clear_error();  // A runtime of another version may lack `ffi._LibrarySafeCall`.
  is_known.store(true, std::memory_order_release);
  return found;
}

}  // namespace

// Stores the name of a function that was looked up in a module. For a function of a library, the
// names of its parameters are read from the library at the first call. Returns False for a function
// of another kind of module: the caller has to read the metadata of the function and pass it to
// _set_metadata.
PyObject* function_name_in_module(PyObject*, PyObject* const* args, Py_ssize_t n) {
  if (n != 2 || !PyObject_TypeCheck(args[0], &FunctionType) || !PyUnicode_Check(args[1])) {
    PyErr_SetString(PyExc_TypeError, "_name_in_module expects a Function and a str");
    return nullptr;
  }
  FunctionWrapper* f = as_function(args[0]);
  TVMFFIObject* handle = f->base.handle;
  if (f->name != nullptr || handle == nullptr || handle->type_index != kTVMFFIFunction) {
    Py_RETURN_TRUE;
  }
  f->name = compat_new_ref(args[1]);
  if (TVMFFIFunctionGetCellPtr(handle)->safe_call != library_safe_call()) Py_RETURN_FALSE;
  f->parameters = compat_new_ref(Py_None);
  function_set_call_path(args[0]);
  Py_RETURN_TRUE;
}

void function_wrapper_describe(PyObject* self, PyObject* name, PyObject* metadata) {
  FunctionWrapper* f = as_function(self);
  // The handle of a function may have been moved into a wrapper of another class.
  if (!PyObject_TypeCheck(self, &FunctionType) || f->name != nullptr) return;
  f->name = compat_new_ref(name);
  if (metadata == nullptr) return;
  f->parameters = compat_new_ref(metadata);
  function_set_call_path(self);
}

// Stores the metadata of a function whose module is not a library.
PyObject* function_set_metadata(PyObject*, PyObject* const* args, Py_ssize_t n) {
  if (n != 2 || !PyObject_TypeCheck(args[0], &FunctionType) || !PyUnicode_Check(args[1])) {
    PyErr_SetString(PyExc_TypeError, "_set_metadata expects a Function and a str");
    return nullptr;
  }
  TVMFFIByteArray text;
  if (utf8_borrowed(args[1], &text) < 0) return nullptr;
  if (PyObject_SetAttrString(args[0], "__tvm_ffi_metadata__", args[1]) < 0) return nullptr;
  Py_CLEAR(as_function(args[0])->readers);
  as_function(args[0])->tensor_use = TensorUse::kUnknown;
  Ref metadata(metadata_with_names(text));
  if (PyErr_Occurred()) return nullptr;
  if (metadata) {
    Py_XSETREF(as_function(args[0])->parameters, metadata.release());
    function_set_call_path(args[0]);
  }
  Py_RETURN_NONE;
}

namespace {

// Returns a repr such as `<Function lib.f(x: int) -> int>`; the repr of CObject if nothing is known
// about the function. Runs Python.
PyObject* function_repr(PyObject* self) {
  TVMFFIObject* handle = as_function(self)->base.handle;
  if (handle != nullptr && handle->type_index == kTVMFFIFunction) {
    Ref write(state_import("tvm_ffi._signatures.function", "text_of"));
    Ref text(write ? PyObject_CallFunctionObjArgs(write.get(), self, nullptr) : nullptr);
    if (text && PyUnicode_Check(text.get())) return text.release();
    if (is_stop_raised()) return nullptr;
    clear_error();
  }
  return CObjectType.tp_repr(self);
}

}  // namespace

int function_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(
      &FunctionType, "tvm_ffi.core.Function", sizeof(FunctionWrapper),
      Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
      "A native function; it accepts keywords only if its metadata names the parameters.");
  t->tp_base = &CObjectType;
  t->tp_new = function_new;
  t->tp_dealloc = function_dealloc;
  t->tp_traverse = function_traverse;
  t->tp_clear = function_clear;
  t->tp_repr = function_repr;
  t->tp_call = PyVectorcall_Call;
  t->tp_vectorcall_offset = offsetof(FunctionWrapper, vectorcall);
  t->tp_dictoffset = offsetof(FunctionWrapper, dict);
  t->tp_weaklistoffset = offsetof(FunctionWrapper, weak_references);
  t->tp_getattro = PyObject_GenericGetAttr;
  t->tp_methods = function_methods;
  t->tp_getset = function_getset;
  if (type_add(module, t) < 0 || prepared_type_init(module) < 0) return -1;
  return function_attributes_init();
}

}  // namespace binding
