// SPDX-License-Identifier: Apache-2.0
// A field of a class before its registration in the type table.
#pragma once

#include <memory>
#include <vector>

#include "plan.h"

namespace binding {

struct FieldSpec {
  std::unique_ptr<ClassField> field;
  TVMFFIByteArray name, doc, metadata;  // borrowed from the tuple
  int64_t flags = 0;
  TVMFFIFieldGetter getter = nullptr;
  TVMFFIObject* setter = nullptr;   // owned
  TVMFFIAny packed = value_none();  // default or factory, owned
  FieldSpec() = default;
  FieldSpec(const FieldSpec&) = delete;
  FieldSpec& operator=(const FieldSpec&) = delete;
  ~FieldSpec();
};

// Reads each tuple (name, doc, metadata text, converter, default or factory, flags, frozen) of
// `entries`, which must outlive the specs. Registers nothing. On failure, returns false with an
// exception set.
bool read_field_specs(PyObject* entries, std::vector<std::unique_ptr<FieldSpec>>* specs);

// Registers a field whose offset is known in the type table, and returns the field, which is never
// freed. On failure, returns NULL with an exception set.
ClassField* register_field(int32_t type_index, FieldSpec* spec);

}  // namespace binding
