// SPDX-License-Identifier: Apache-2.0
// Global functions for classes defined in Python.
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include "core/type_table.h"
#include "functions/functions.h"
#include "layout/laid_out_class.h"
#include "layout/object_extent.h"

namespace tvm::ffi::runtime {
namespace {

// Registers the class. Called when all fields of the type are registered.
void register_py_class(int32_t type_index, int32_t total_size) {
  const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
  if (type_index < kTVMFFIDynObjectBegin) {
    TVM_FFI_THROW(ValueError) << "`" << ToStringView(type->type_key)
                              << "` is a type of the library and cannot be defined in Python";
  }
  if (!register_laid_out_class(type, total_size, LaidOutUse::kConstructed)) {
    TVM_FFI_THROW(RuntimeError) << "`" << ToStringView(type->type_key)
                                << "` is already defined in Python";
  }
}

// Returns the index of a type key; allocates the index if the key is new.
int32_t open_class(const String& type_key, int32_t parent) {
  TypeRequest request;
  request.key = {type_key.data(), type_key.size()};
  request.depth = detail::GetTypeInfoOrThrow(parent)->type_depth + 1;
  request.overflows = true;
  request.parent = parent;
  int32_t index = get_or_alloc_type(request);
  if (index < 0) TVM_FFI_CHECK_SAFE_CALL(-1);
  return index;
}

// Refuses a type that a library declares without its fields, and a type whose ancestors have fields
// that cannot be copied and destroyed. Called before the first field of the type is registered, so
// that nothing must be undone after an error.
void check_definition(int32_t type_index) {
  const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
  if (has_unknown_members(type)) {
    TVM_FFI_THROW(ValueError)
        << "Type key '" << ToStringView(type->type_key)
        << "' is already registered: a library declares a class for it but did not register its "
           "fields (ObjectDef is missing), so its layout is unknown. Add ObjectDef to the library, "
           "or give this class another key. If the class of the library describes the objects of "
           "this class, declare it with TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP";
  }
  check_object_layout(type);
}

// Returns the offset at which the fields of a child may begin; -1 if reflection does not show it.
int64_t members_end_of(int32_t type_index) {
  return members_end(detail::GetTypeInfoOrThrow(type_index));
}

// Makes the key of a type available for a new type. Called when the definition of a class fails
// after fields of its type were registered.
void forget(int32_t type_index) {
  if (type_index < kTVMFFIDynObjectBegin) {
    TVM_FFI_THROW(ValueError) << "a type of the library cannot be taken back";
  }
  forget_type_key(type_index);
}

// Adds a type for the key of the type `former`. Until take_key is called, the key refers to
// `former`.
int32_t open_again(int32_t former, int32_t parent) {
  if (former < kTVMFFIDynObjectBegin) {
    TVM_FFI_THROW(ValueError) << "a type of the library cannot be defined again";
  }
  int32_t index = add_type_again(former, parent);
  if (index < 0) TVM_FFI_CHECK_SAFE_CALL(-1);
  return index;
}

// Makes the key refer to a type: to the new type when a repeated definition of a class is complete,
// to the former type when the new definition is withdrawn afterwards.
void take_key(int32_t type_index) {
  if (type_index < kTVMFFIDynObjectBegin) {
    TVM_FFI_THROW(ValueError) << "a type of the library cannot be defined again";
  }
  take_type_key(type_index);
}

// Sets who defined the type, for error messages: "the Python class `module.Name`".
void set_origin(int32_t type_index, const String& origin) {
  detail::GetTypeInfoOrThrow(type_index);
  set_type_origin(type_index, detail::TextView(origin));
}

// Returns who defined the type; empty if it is not known.
String origin_of(int32_t type_index) {
  detail::GetTypeInfoOrThrow(type_index);
  std::string_view origin = type_origin(type_index);
  return String(origin.data(), origin.size());
}

}  // namespace

void register_py_class_functions() {
  ShortDef()
      .def("ffi._PyClassOpen", open_class)
      .def("ffi._PyClassOpenAgain", open_again)
      .def("ffi._PyClassTakeKey", take_key)
      .def("ffi._PyClassRegisterTypeAttrColumns", register_py_class)
      .def("ffi._TypeSetOrigin", set_origin)
      .def("ffi._TypeGetOrigin", origin_of)
      .def("ffi._PyClassForget", forget)
      .def("ffi._PyClassMembersEnd", members_end_of)
      .def("ffi._PyClassCheckAncestors", check_definition);
}

}  // namespace tvm::ffi::runtime
