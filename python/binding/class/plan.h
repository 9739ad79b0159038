// SPDX-License-Identifier: Apache-2.0
// The plan of a class that is defined in Python. It is computed once, and construction, copying and
// garbage collection use it.
#pragma once

#include <vector>

#include "../convert/class_field.h"
#include "../type/types.h"

namespace binding {

// Immutable once the class is registered, but for defaults that turn out to be sharable.
struct ClassPlan {
  ClassInfo* info = nullptr;
  // The fields that the class itself declares.
  std::vector<ClassField*> own;
  // All of them, those of ancestors first.
  std::vector<ClassField*> fields;
  // Places in `fields` of the parameters of `__init__`: required ones, then those with a default;
  // first the positional ones.
  std::vector<uint32_t> parameters;
  uint32_t num_positional = 0;
  // Construction may run code of the user that constructs again.
  bool may_recurse = false;
  // First byte behind the last field; children begin there.
  int32_t end = 0;
  int32_t total_size = 0;
  // `__ffi_new__` and `__ffi_shallow_copy__`, borrowed from the type table, which keeps them.
  TVMFFIObject* allocate = nullptr;
  TVMFFIObject* copy = nullptr;
};

// The plan of a type with the given own fields, which are stolen. NULL with an exception set.
ClassPlan* plan_make(ClassInfo* info, std::vector<ClassField*> own, int32_t end,
                     int32_t total_size);

// A new object with all fields in their zero state. NULL with an exception set.
TVMFFIObject* plan_allocate(const ClassPlan& plan);

// A new object from the arguments of a call, without wrapper. NULL with an exception set. Runs
// Python.
TVMFFIObject* plan_construct(ClassPlan* plan, PyObject* const* args, Py_ssize_t n,
                             PyObject* kwnames);

// ---- messages (refusal.cc); all set an exception.

BINDING_COLD void refuse_missing(const ClassPlan& plan, const ClassField& field);
BINDING_COLD void refuse_keyword(const ClassPlan& plan, PyObject* name);
BINDING_COLD void refuse_twice(const ClassPlan& plan, PyObject* name);
BINDING_COLD void refuse_too_many(const ClassPlan& plan, Py_ssize_t given);
// Adds the field to the message of a conversion that has just failed. `what` is "field" or "default
// for field". An exception that is not about the conversion is left as it was raised.
BINDING_COLD void refuse_value(const ClassPlan& plan, const ClassField& field, const char* what);

// ---- registration (layout.cc, native_fields.cc, setter.cc)

// Where the fields of a child of `parent` begin; -1 with TypeError when the parent has members that
// nothing is known of.
int32_t layout_begin(const TVMFFITypeInfo* parent, PyObject* cls);
// Places the fields one behind the other. The first byte behind the last one; -1 with an exception.
int32_t layout_place(const std::vector<ClassField*>& fields, int32_t begin);

// Native setter function of a field, owned; NULL with an exception set.
TVMFFIObject* setter_make(const ClassField* field);

}  // namespace binding
