// SPDX-License-Identifier: Apache-2.0
// All state that the binding keeps between calls. There is one instance, because the extension
// supports only the main interpreter. Guarded by the GIL.
#pragma once

#include <tvm/ffi/c_api.h>

#include <atomic>
#include <vector>

#include "borrow.h"
#include "class_info.h"
#include "compat.h"

namespace binding {

// An attribute of a Python module, imported on first use and owned for the life of the process. If
// several threads use it first at the same time, each may import it, but all get the same object.
class LazyImport {
 public:
  constexpr LazyImport(const char* module_name, const char* name)
      : module_name_(module_name), name_(name) {}

  // Returns the object, borrowed, or NULL with an exception set. May run Python.
  PyObject* get() {
    PyObject* x = value_.load(std::memory_order_acquire);
    return BINDING_LIKELY(x != nullptr) ? x : import();
  }
  bool is_loaded() const { return value_.load(std::memory_order_acquire) != nullptr; }

 private:
  PyObject* import();

  const char* module_name_;
  const char* name_;
  std::atomic<PyObject*> value_{nullptr};
};

// Interned names that are looked up or compared often.
struct Names {
  PyObject* tvm_ffi_error;          // __tvm_ffi_error__
  PyObject* tvm_ffi_type_info;      // __tvm_ffi_type_info__
  PyObject* tvm_ffi_object;         // __tvm_ffi_object__
  PyObject* tvm_ffi_value;          // __tvm_ffi_value__
  PyObject* tvm_ffi_int;            // __tvm_ffi_int__
  PyObject* tvm_ffi_float;          // __tvm_ffi_float__
  PyObject* tvm_ffi_opaque_ptr;     // __tvm_ffi_opaque_ptr__
  PyObject* tvm_ffi_cached_object;  // _tvm_ffi_cached_object
  PyObject* from_tvm_ffi_object;    // __from_tvm_ffi_object__
  PyObject* tvm_ffi_env_stream;     // __tvm_ffi_env_stream__
  PyObject* cuda_stream;            // __cuda_stream__
  PyObject* dlpack;                 // __dlpack__
  PyObject* dlpack_device;          // __dlpack_device__
  PyObject* dlpack_data_type;       // __dlpack_data_type__
  PyObject* dlpack_exchange_api;    // __dlpack_c_exchange_api__
  PyObject* max_version;            // max_version
  PyObject* asobject;               // asobject
  PyObject* is_conj;                // is_conj
  PyObject* is_neg;                 // is_neg
  PyObject* dunder_init;            // __init__
  PyObject* dunder_new;             // __new__
  PyObject* dunder_dict;            // __dict__
  PyObject* dunder_class;           // __class__
  PyObject* dunder_slots;           // __slots__
  PyObject* dunder_setattr;         // __setattr__
  PyObject* dunder_subclasshook;    // __subclasshook__
  PyObject* dunder_getstate;        // __getstate__
  PyObject* dunder_setstate;        // __setstate__
  PyObject* dunder_reduce;          // __reduce__
  PyObject* dunder_reduce_ex;       // __reduce_ex__
  PyObject* restore_graph;          // restore_graph
  PyObject* dunder_module;          // __module__
  PyObject* dunder_qualname;        // __qualname__
  PyObject* dunder_name;            // __name__
  PyObject* dunder_doc;             // __doc__
  PyObject* ffi_init;               // __ffi_init__
  PyObject* empty;                  // the empty string
  PyObject* post_init;              // __post_init__
};

// Native functions that the binding itself calls; owned for the life of the process.
struct NativeFunctions {
  TVMFFIObject* repr_print;        // ffi.ReprSummary or ffi.ReprPrint; NULL if both are missing
  TVMFFIObject* global_flags;      // ffi.GetGlobalFuncFlags
  TVMFFIObject* global_call_info;  // ffi.GetGlobalFuncCallInfo
  TVMFFIObject* find_device;       // ffi.ContainerFindFirstNonCPUDevice
};

#ifdef Py_GIL_DISABLED
// A vector that grows while other threads read it. Former arrays are never freed; each is half as
// large as the next.
class ClassTable {
 public:
  size_t size() const { return now()->size; }
  std::atomic<ClassInfo*>& operator[](size_t i) const { return now()->entries[i]; }
  // The caller has the registration to itself. Throws std::bad_alloc.
  void resize(size_t size, ClassInfo*);

 private:
  struct Array {
    size_t size;
    std::atomic<ClassInfo*>* entries;
  };
  const Array* now() const { return array_.load(std::memory_order_acquire); }

  static const Array kEmpty;
  std::atomic<const Array*> array_{&kEmpty};
};
#else
using ClassTable = std::vector<ClassInfo*>;
#endif

struct State {
  Names names;
  NativeFunctions functions;

  PyObject* module;  // tvm_ffi.core, borrowed

  // Types made in C that are heap types. The static types are in type/types.h.
  PyTypeObject* object_type;  // core.Object
  PyTypeObject* object_meta;  // core._ObjectSlotsMeta
  PyTypeObject* string_type;  // core.String
  PyTypeObject* bytes_type;   // core.Bytes
  PyObject* ascii_string;     // an instance of core.String with ASCII text

  // Classes that a client may replace (`_set_class_tensor` etc.); owned.
  PyTypeObject* class_tensor;
  PyTypeObject* class_device;
  PyTypeObject* class_dtype;  // NULL until tvm_ffi._values.dtype is imported

  // Classes of the results of keys(), values() and items() of mappings; owned, NULL until
  // tvm_ffi.container sets them.
  PyTypeObject* view_classes[3];

  // Indexed by type index; entries are NULL for types that Python code has never used.
  ClassTable classes;

  // core.ERROR_NAME_TO_TYPE, core.ERROR_TYPE_TO_NAME, core._OPAQUE_PTR_HANDLERS: owned dicts that
  // clients may change.
  PyObject* error_name_to_type;
  PyObject* error_type_to_name;
  PyObject* opaque_ptr_handlers;
  // core._lazy_class_module: maps a type key to the module to import before a fallback class is
  // made.
  PyObject* lazy_class_module;
  LazyImport integral_abc{"numbers", "Integral"};
  LazyImport real_abc{"numbers", "Real"};
  LazyImport number_abc{"numbers", "Number"};
  LazyImport mapping_abc{"collections.abc", "Mapping"};
  LazyImport sequence_abc{"collections.abc", "Sequence"};
  LazyImport c_void_p{"ctypes", "c_void_p"};

  PyObject* missing;  // core.MISSING, owned
  PyObject* kwargs;   // core.KWARGS, owned
  TVMFFIObject* kwargs_object;

  // The initial value of Function.release_gil for functions that are not marked as short calls.
  bool release_gil_by_default;
};

extern State g_state;
inline State& state() { return g_state; }

// The section of the state that is rarely used: classes, enums, tracebacks, data types.
class StateSection : public Section {
 public:
  StateSection() : Section(g_state.module) {}
};

// Initializes the state: names, dictionaries and native functions. Returns 0, or -1 with an
// exception set.
int state_init(PyObject* module);

// Imports `module_name` and returns its attribute `name`; new reference, or NULL with an exception
// set.
PyObject* state_import(const char* module_name, const char* name);

// Returns whether `x` is an instance of the class. The result is 1, 0, or -1 with an exception set.
// Runs Python.
int is_instance_of_lazy(PyObject* x, LazyImport* cls);

// Returns whether a type has an attribute. Attributes of protocols are looked up on the type.
inline bool type_has(PyTypeObject* type, PyObject* name) {
  return _PyType_Lookup(type, name) != nullptr;
}

}  // namespace binding
