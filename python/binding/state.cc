// SPDX-License-Identifier: Apache-2.0
// Initialization of the state, once, when the module is created.
#include "state.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "ref.h"

namespace binding {

State g_state{};

#ifdef Py_GIL_DISABLED
const ClassTable::Array ClassTable::kEmpty = {0, nullptr};

void ClassTable::resize(size_t size, ClassInfo*) {
  size = std::max(size, 2 * now()->size);
  auto* next = new Array{size, nullptr};
  next->entries = new std::atomic<ClassInfo*>[size] {};
  for (size_t i = 0; i < now()->size; ++i) next->entries[i].store(now()->entries[i].load());
  array_.store(next, std::memory_order_release);
}
#endif

namespace {

int intern_names(Names* n) {
  struct Entry {
    PyObject** place;
    const char* text;
  };
  const Entry entries[] = {
      {&n->tvm_ffi_error, "__tvm_ffi_error__"},
      {&n->tvm_ffi_type_info, "__tvm_ffi_type_info__"},
      {&n->tvm_ffi_object, "__tvm_ffi_object__"},
      {&n->tvm_ffi_value, "__tvm_ffi_value__"},
      {&n->tvm_ffi_int, "__tvm_ffi_int__"},
      {&n->tvm_ffi_float, "__tvm_ffi_float__"},
      {&n->tvm_ffi_opaque_ptr, "__tvm_ffi_opaque_ptr__"},
      {&n->tvm_ffi_cached_object, "_tvm_ffi_cached_object"},
      {&n->from_tvm_ffi_object, "__from_tvm_ffi_object__"},
      {&n->tvm_ffi_env_stream, "__tvm_ffi_env_stream__"},
      {&n->cuda_stream, "__cuda_stream__"},
      {&n->dlpack, "__dlpack__"},
      {&n->dlpack_device, "__dlpack_device__"},
      {&n->dlpack_data_type, "__dlpack_data_type__"},
      {&n->dlpack_exchange_api, "__dlpack_c_exchange_api__"},
      {&n->max_version, "max_version"},
      {&n->asobject, "asobject"},
      {&n->is_conj, "is_conj"},
      {&n->is_neg, "is_neg"},
      {&n->dunder_init, "__init__"},
      {&n->dunder_new, "__new__"},
      {&n->dunder_dict, "__dict__"},
      {&n->dunder_class, "__class__"},
      {&n->dunder_slots, "__slots__"},
      {&n->dunder_setattr, "__setattr__"},
      {&n->dunder_subclasshook, "__subclasshook__"},
      {&n->dunder_getstate, "__getstate__"},
      {&n->dunder_setstate, "__setstate__"},
      {&n->dunder_reduce, "__reduce__"},
      {&n->dunder_reduce_ex, "__reduce_ex__"},
      {&n->restore_graph, "restore_graph"},
      {&n->dunder_module, "__module__"},
      {&n->dunder_qualname, "__qualname__"},
      {&n->dunder_name, "__name__"},
      {&n->dunder_doc, "__doc__"},
      {&n->ffi_init, "__ffi_init__"},
      {&n->empty, ""},
      {&n->post_init, "__post_init__"},
  };
  for (const Entry& e : entries) {
    *e.place = PyUnicode_InternFromString(e.text);
    if (*e.place == nullptr) return -1;
  }
  return 0;
}

TVMFFIObject* native_function(const char* name) {
  TVMFFIByteArray key{name, std::strlen(name)};
  TVMFFIObjectHandle out = nullptr;
  if (TVMFFIFunctionGetGlobal(&key, &out) != 0) return nullptr;
  return static_cast<TVMFFIObject*>(out);
}

// Both directions of the exception mapping initially contain the classes that native code throws
// most.
int fill_error_tables(State* s) {
  PyObject* const classes[] = {PyExc_RuntimeError,   PyExc_ValueError, PyExc_TypeError,
                               PyExc_AttributeError, PyExc_KeyError,   PyExc_IndexError,
                               PyExc_AssertionError, PyExc_MemoryError};
  s->error_name_to_type = PyDict_New();
  s->error_type_to_name = PyDict_New();
  if (s->error_name_to_type == nullptr || s->error_type_to_name == nullptr) return -1;
  for (PyObject* cls : classes) {
    Ref name(PyObject_GetAttr(cls, s->names.dunder_name));
    if (!name || PyDict_SetItem(s->error_name_to_type, name.get(), cls) < 0 ||
        PyDict_SetItem(s->error_type_to_name, cls, name.get()) < 0) {
      return -1;
    }
  }
  return 0;
}

// Returns whether the environment variable TVM_FFI_RELEASE_GIL_BY_DEFAULT, an integer, is not 0;
// true if it is missing or malformed.
bool read_release_default() {
  const char* text = std::getenv("TVM_FFI_RELEASE_GIL_BY_DEFAULT");
  if (text == nullptr || *text == '\0') return true;
  char* end = nullptr;
  long value = std::strtol(text, &end, 10);
  return *end != '\0' || value != 0;
}

}  // namespace

int state_init(PyObject* module) {
  State& s = g_state;
  s.module = module;
  if (intern_names(&s.names) < 0 || fill_error_tables(&s) < 0) return -1;
  s.opaque_ptr_handlers = PyDict_New();
  s.lazy_class_module = PyDict_New();
  if (s.opaque_ptr_handlers == nullptr || s.lazy_class_module == nullptr) return -1;
  s.release_gil_by_default = read_release_default();
  s.functions.repr_print = native_function("ffi.ReprSummary");
  if (s.functions.repr_print == nullptr) {  // an older runtime
    s.functions.repr_print = native_function("ffi.ReprPrint");
  }
  s.functions.global_flags = native_function("ffi.GetGlobalFuncFlags");
  s.functions.global_call_info = native_function("ffi.GetGlobalFuncCallInfo");
  s.functions.find_device = native_function("ffi.ContainerFindFirstNonCPUDevice");
  struct {
    const char* name;
    PyObject* value;
  } const entries[] = {{"ERROR_NAME_TO_TYPE", s.error_name_to_type},
                       {"ERROR_TYPE_TO_NAME", s.error_type_to_name},
                       {"_OPAQUE_PTR_HANDLERS", s.opaque_ptr_handlers},
                       {"_lazy_class_module", s.lazy_class_module}};
  for (const auto& e : entries) {
    Py_INCREF(e.value);
    if (PyModule_AddObject(module, e.name, e.value) < 0) {
      Py_DECREF(e.value);
      return -1;
    }
  }
  return 0;
}

PyObject* state_import(const char* module_name, const char* name) {
  Ref module(PyImport_ImportModule(module_name));  // may run Python
  return module ? PyObject_GetAttrString(module.get(), name) : nullptr;
}

PyObject* LazyImport::import() {
  PyObject* made = state_import(module_name_, name_);  // runs Python: another thread may be first
  PyObject* first = nullptr;
  if (made == nullptr || value_.compare_exchange_strong(first, made, std::memory_order_acq_rel)) {
    return made;
  }
  Py_DECREF(made);
  return first;
}

int is_instance_of_lazy(PyObject* x, LazyImport* cls) {
  PyObject* type = cls->get();
  return type == nullptr ? -1 : PyObject_IsInstance(x, type);  // may run Python
}

}  // namespace binding
