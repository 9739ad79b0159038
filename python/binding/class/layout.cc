// SPDX-License-Identifier: Apache-2.0
// The offsets of the fields of a class that is defined in Python.
#include "../call.h"
#include "plan.h"

namespace binding {
namespace {

int64_t round_up(int64_t x, int64_t alignment) {
  return (x + alignment - 1) / alignment * alignment;
}

// Asks the runtime for the first offset at which fields of a child may begin. Returns -1 if the
// runtime does not know the offset, -2 with an exception set.
int64_t members_end(int32_t type_index) {
  static RuntimeFunction end_of("ffi._PyClassMembersEnd");
  TVMFFIAny arg, result;
  value_set_int(&arg, type_index);
  return end_of.call(&arg, 1, &result) < 0 ? -2 : result.v_int64;
}

}  // namespace

int32_t layout_begin(const TVMFFITypeInfo* parent, PyObject* cls) {
  ClassInfo* known = class_info_known(parent->type_index);
  if (known != nullptr && known->plan != nullptr) return known->plan->end;
  int64_t end = members_end(parent->type_index);
  if (end == -1) {
    bool is_defined = parent->metadata != nullptr || parent->num_fields != 0;
    PyErr_Format(PyExc_TypeError,
                 "%s cannot derive from `%s`: %s, of which a class defined in Python cannot take "
                 "care",
                 reinterpret_cast<PyTypeObject*>(cls)->tp_name, parent->type_key.data,
                 is_defined ? "its objects have members that are not reflected"
                            : "its objects may have members that are not reflected, because its "
                              "library has no ObjectDef for it");
  }
  return end < 0 ? -1 : static_cast<int32_t>(end);
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
