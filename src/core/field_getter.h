// SPDX-License-Identifier: Apache-2.0
// Getters of fields in objects whose memory layout a language binding (such as the Python
// extension) chooses. Each kind of field has its own getter, so the address of a getter tells the
// kind.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <cstring>

namespace tvm::ffi::runtime {

// Each function is a TVMFFIFieldGetter and never fails.

/*!
 * \brief Read a field that holds a plain value (not an object), such as an int: copy its bytes to
 * `v_int64` of the result, and set the other bytes to zero.
 */
template <typename T, int32_t kTypeIndex>
int get_plain_field(void* field, TVMFFIAny* result) {
  TVMFFIAny value{};
  value.type_index = kTypeIndex;
  std::memcpy(&value.v_int64, field, sizeof(T));
  *result = value;
  return 0;
}

/*! \brief Read a field that is an owned TVMFFIAny. */
inline int get_value_field(void* field, TVMFFIAny* result) {
  TVMFFIAny value = *static_cast<TVMFFIAny*>(field);
  if (value.type_index >= kTVMFFIStaticObjectBegin) {
    detail::ObjectUnsafe::IncRefObjectHandle(value.v_obj);
  }
  *result = value;
  return 0;
}

/*! \brief Read a field that is an owned pointer to an object; NULL stands for None. */
inline int get_object_field(void* field, TVMFFIAny* result) {
  TVMFFIAny value{};
  if (TVMFFIObject* object = *static_cast<TVMFFIObject**>(field)) {
    detail::ObjectUnsafe::IncRefObjectHandle(object);
    value.type_index = object->type_index;
    value.v_obj = object;
  }
  *result = value;
  return 0;
}

}  // namespace tvm::ffi::runtime
