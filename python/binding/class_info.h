// SPDX-License-Identifier: Apache-2.0
// What the binding knows about one native type: its Python class and how instances are made.
#pragma once

#include <tvm/ffi/c_api.h>

#include <vector>

#include "compat.h"

namespace binding {

struct ClassPlan;

// How an object of a native type becomes a Python value.
enum class ToPython : uint8_t {
  kWrapper,   // an instance of `cls` that holds the handle
  kFunction,  // as kWrapper, with its vectorcall set
  kTensor,    // as kWrapper, of the current tensor class
  kString,    // `String`, a str
  kBytes,     // `Bytes`, a bytes
  kShape,     // `cls.__from_tvm_ffi_object__(cls, object)`: a Python value with a cached object
  kOpaque,    // the Python object in the box
  kBigInt,    // int
};

// One for each native type that Python code has used; lives as long as the process. Guarded by the
// GIL.
struct ClassInfo {
  int32_t type_index = -1;
  const TVMFFITypeInfo* native = nullptr;
  // Class of new wrappers, owned.
  PyTypeObject* cls = nullptr;
  // The attribute `__tvm_ffi_type_info__` of `cls`, owned; NULL for classes made in C.
  PyObject* type_info = nullptr;
  // Native initializer (`__ffi_init__`), borrowed from the type table, which keeps it for the life
  // of the process.
  TVMFFIObject* init = nullptr;
  // It is a C++ constructor, whose parameters have types and no names.
  bool init_by_position = false;
  // Parameters of a C++ constructor that names them, see keywords.h; owned, or NULL.
  PyObject* init_parameters = nullptr;
  // The documentation of the type as the class has it, because its body has none; owned, or NULL.
  PyObject* type_doc = nullptr;
  ToPython to_python = ToPython::kWrapper;
  // Instances have exactly the layout of Wrapper: their memory may be kept for the next one.
  bool plain = false;
  // The class was made by the binding because none was registered.
  bool is_fallback = false;
  // How pickles name the type: (class or type key, names of the fields). Owned, or NULL. With the
  // number of fields that it lists.
  PyObject* pickled_type = nullptr;
  int32_t num_fields_pickled = 0;

  // The type that has the key of this one since its class was defined again; NULL as long as the
  // key names this type. Never freed.
  ClassInfo* successor = nullptr;

  // Offsets of the fields that own a value, or an object pointer, and how many fields the type had
  // when they were computed: see collect/edges.h.
  std::vector<int32_t> value_edges;
  std::vector<int32_t> object_edges;
  int32_t num_fields_seen = 0;
  bool has_all_edges = false;

  // The rest is for classes that are defined in Python. Immortal: setters point into it.
  ClassPlan* plan = nullptr;
  // The generated `__init__`, owned; NULL when there is none.
  PyObject* initializer = nullptr;
  // Instances may be part of a cycle, so the garbage collector has to know them.
  bool tracked = false;
};

}  // namespace binding
