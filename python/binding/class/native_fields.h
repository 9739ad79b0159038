// SPDX-License-Identifier: Apache-2.0
// A field of a class that is being defined, before it is in the type table.
#pragma once

#include <memory>
#include <vector>

#include "plan.h"

namespace binding {

struct FieldSpec {
  std::unique_ptr<ClassField> field;
  TVMFFIByteArray name, doc, metadata;  // borrowed from the entry that it was read from
  int64_t flags = 0;
  TVMFFIFieldGetter getter = nullptr;
  TVMFFIObject* setter = nullptr;   // owned
  TVMFFIAny packed = value_none();  // default or factory, owned
  FieldSpec() = default;
  FieldSpec(const FieldSpec&) = delete;
  FieldSpec& operator=(const FieldSpec&) = delete;
  ~FieldSpec();
};

// Reads a tuple of (name, doc, metadata text, converter, default or factory, flags, frozen); the
// tuple must outlive the specs. Registers nothing. False with an exception set.
bool read_field_specs(PyObject* entries, std::vector<std::unique_ptr<FieldSpec>>* specs);

// Adds a field whose offset is known to the type table, and returns it. The field is never freed.
// NULL with an exception set.
ClassField* register_field(int32_t type_index, FieldSpec* spec);

}  // namespace binding
