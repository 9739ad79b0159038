// SPDX-License-Identifier: Apache-2.0
// The plan of a class that is defined in Python: its fields, the parameters of its `__init__`, and
// the size of its objects. The plan is computed once; construction, copying and garbage collection
// use it.
#pragma once

#include <vector>

#include "../convert/class_field.h"
#include "../type/types.h"

namespace binding {

// Immutable once the class is registered, except that a default becomes Initial::kReady when its
// converted value turns out to be sharable.
struct ClassPlan {
  ClassInfo* info = nullptr;
  // The fields that the class itself declares.
  std::vector<ClassField*> own;
  // All fields: the fields of ancestors first, then those of `own`.
  std::vector<ClassField*> fields;
  // The parameters of `__init__`, as indices into `fields`: required ones first, then those with a
  // default; within each group the positional ones first.
  std::vector<uint32_t> parameters;
  uint32_t num_positional = 0;
  // True if constructing an object may run Python code that constructs another object of the class.
  bool may_recurse = false;
  // Offset of the first byte after the last field. The fields of child classes begin here.
  int32_t end = 0;
  int32_t total_size = 0;
  // `__ffi_new__` and `__ffi_shallow_copy__`, borrowed from the type table, which keeps them.
  TVMFFIObject* allocate = nullptr;
  TVMFFIObject* copy = nullptr;
};

// Makes the plan of a type. `own` contains the fields that the type itself declares; the plan takes
// ownership of them. On failure, returns NULL with an exception set.
ClassPlan* plan_make(ClassInfo* info, std::vector<ClassField*> own, int32_t end,
                     int32_t total_size);

// Allocates an object with all fields zero. On failure, returns NULL with an exception set.
TVMFFIObject* plan_allocate(const ClassPlan& plan);

// Constructs an object from the arguments of a call, without a wrapper. On failure, returns NULL
// with an exception set. Runs Python.
TVMFFIObject* plan_construct(ClassPlan* plan, PyObject* const* args, Py_ssize_t n,
                             PyObject* kwnames);

// ---- messages (refusal.cc); all set an exception.

BINDING_COLD void refuse_missing(const ClassPlan& plan, const ClassField& field);
BINDING_COLD void refuse_keyword(const ClassPlan& plan, PyObject* name);
BINDING_COLD void refuse_twice(const ClassPlan& plan, PyObject* name);
BINDING_COLD void refuse_too_many(const ClassPlan& plan, Py_ssize_t given);
// Adds the name of the field to the message of a conversion that has just failed. `what` is "field"
// or "default for field". An exception with another cause is left unchanged.
BINDING_COLD void refuse_value(const ClassPlan& plan, const ClassField& field, const char* what);

// ---- registration (layout.cc, native_fields.cc, setter.cc)

// Returns the offset of the first field of a child of `parent`; -1 with TypeError if the layout of
// the parent is not completely known.
int32_t layout_begin(const TVMFFITypeInfo* parent, PyObject* cls);
// Chooses the offsets of the fields, one after another. Returns the offset of the first byte after
// the last field; -1 with an exception set.
int32_t layout_place(const std::vector<ClassField*>& fields, int32_t begin);

// Makes the native setter function of a field. Owned; NULL with an exception set.
TVMFFIObject* setter_make(const ClassField* field);

}  // namespace binding
