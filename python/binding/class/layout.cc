// SPDX-License-Identifier: Apache-2.0
// Where the fields of a class that is defined in Python lie.
#include <algorithm>

#include "plan.h"

namespace binding {
namespace {

constexpr int64_t kHeaderSize = sizeof(TVMFFIObject);

int64_t round_up(int64_t x, int64_t alignment) {
  return (x + alignment - 1) / alignment * alignment;
}

// What reflection tells of the memory of a native type.
struct Extent {
  int64_t end = kHeaderSize;         // behind the last known member
  int64_t total_size = kHeaderSize;  // of an object
  int64_t alignment = alignof(TVMFFIObject);
  // Some bytes belong to no field that is known, and are no padding either.
  bool has_hidden = false;
};

// Adds the members that one type of the chain declares.
void add_members(const TVMFFITypeInfo* type, Extent* extent) {
  std::vector<const TVMFFIFieldInfo*> fields;
  for (int32_t i = 0; i < type->num_fields; ++i) fields.push_back(&type->fields[i]);
  std::sort(fields.begin(), fields.end(), [](auto* a, auto* b) { return a->offset < b->offset; });
  int64_t at = extent->end;
  for (const TVMFFIFieldInfo* field : fields) {
    int64_t alignment = std::max<int64_t>(field->alignment, 1);
    // Members that an ancestor's padding holds begin before its total size.
    bool is_next = field->offset <= round_up(std::max(at, extent->total_size), alignment);
    if (!is_next) extent->has_hidden = true;
    at = std::max(at, field->offset + field->size);
    extent->alignment = std::max(extent->alignment, alignment);
  }
  extent->end = at;
  int64_t covered = round_up(std::max(at, extent->total_size), extent->alignment);
  int64_t registered = type->metadata == nullptr ? 0 : type->metadata->total_size;
  if (registered > covered) extent->has_hidden = true;
  extent->total_size = std::max(covered, registered);
}

}  // namespace

int32_t layout_begin(const TVMFFITypeInfo* parent, PyObject* cls) {
  ClassInfo* known = class_info_known(parent->type_index);
  if (known != nullptr && known->plan != nullptr) return known->plan->end;
  Extent extent;
  for (int32_t depth = 1; depth < parent->type_depth; ++depth) {
    add_members(parent->type_ancestors[depth], &extent);
  }
  if (parent->type_depth > 0) add_members(parent, &extent);
  bool is_builtin = parent->type_index < kTVMFFIDynObjectBegin && parent->type_depth > 0;
  bool is_told = parent->num_fields > 0 || parent->metadata != nullptr;
  if (extent.has_hidden || (is_builtin && !is_told)) {
    PyErr_Format(PyExc_TypeError,
                 "%s cannot derive from `%s`: its objects have members that are not reflected, "
                 "of which a class defined in Python cannot take care",
                 reinterpret_cast<PyTypeObject*>(cls)->tp_name, parent->type_key.data);
    return -1;
  }
  return static_cast<int32_t>(extent.end);
}

int32_t layout_place(const std::vector<ClassField*>& fields, int32_t begin) {
  int64_t at = begin;
  for (ClassField* field : fields) {
    const StorageShape& shape = shape_of(field->storage);
    at = round_up(at, shape.alignment);
    if (at + shape.size > (int64_t{1} << 30)) {
      PyErr_SetString(PyExc_OverflowError, "a class cannot have that many fields");
      return -1;
    }
    field->offset = static_cast<int32_t>(at);
    at += shape.size;
  }
  return static_cast<int32_t>(at);
}

}  // namespace binding
