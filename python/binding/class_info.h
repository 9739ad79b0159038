// SPDX-License-Identifier: Apache-2.0
// The binding's data about one native type: its Python class and how instances are made.
#pragma once

#include <tvm/ffi/c_api.h>

#include <vector>

#include "compat.h"

namespace binding {

struct ClassPlan;

// How an object of a native type becomes a Python value.
enum class ToPython : uint8_t {
  kWrapper,   // an instance of `cls` that holds the handle
  kFunction,  // as kWrapper, with the vectorcall set
  kTensor,    // as kWrapper, with the current tensor class
  kString,    // `String`, a subclass of str
  kBytes,     // `Bytes`, a subclass of bytes
  kShape,     // Python value with cached object: `cls.__from_tvm_ffi_object__(cls, object)`
  kOpaque,    // the Python object inside the opaque object
  kBigInt,    // int
};

// Each native type that Python code has used has one ClassInfo, which lives as long as the process.
// Guarded by the GIL.
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
  // True if `init` is a C++ constructor whose parameters have types and no names.
  bool init_by_position = false;
  // Parameters of a C++ constructor with parameter names, see keywords.h; owned, or NULL.
  PyObject* init_parameters = nullptr;
  // The docstring that the class got from the type because the class body has none; owned, or NULL.
  PyObject* type_doc = nullptr;
  ToPython to_python = ToPython::kWrapper;
  // True if instances have exactly the layout of Wrapper. Then the memory of a freed instance may
  // be reused for the next instance.
  bool plain = false;
  // True if the binding made the class because no class was registered.
  bool is_fallback = false;
  // The identity of the type in pickles: (class or type key, names of the fields). Owned, or NULL.
  // `num_fields_pickled` is the number of these fields.
  PyObject* pickled_type = nullptr;
  int32_t num_fields_pickled = 0;

  // The type that took over the type key when the class was defined again; NULL while the key names
  // this type. Never freed.
  ClassInfo* successor = nullptr;

  // For cycle collection (collect/edges.h): offsets of the fields that own a value, offsets of the
  // fields that own an object pointer, and the number of fields when the offsets were computed.
  std::vector<int32_t> value_edges;
  std::vector<int32_t> object_edges;
  int32_t num_fields_seen = 0;
  bool has_all_edges = false;

  // The members below are for classes that are defined in Python. The plan is never freed: setters
  // point into it.
  ClassPlan* plan = nullptr;
  // The generated `__init__`, owned; NULL when there is none.
  PyObject* initializer = nullptr;
  // True if the garbage collector tracks instances, because they may be part of a cycle.
  bool tracked = false;
};

}  // namespace binding
