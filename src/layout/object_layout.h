// SPDX-License-Identifier: Apache-2.0
// Objects whose class exists only in the type table: memory laid out by reflected fields.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <vector>

namespace tvm::ffi::runtime {

/*! \brief The layout of the objects of one type. It is never freed, because the type's entry refers
 * to it. */
struct ObjectLayout {
  struct Range {
    int32_t offset;
    int32_t size;
  };
  struct LockedField {
    int32_t offset;
    TVMFFIFieldGetter getter;
    TVMFFIFieldSetter setter;
  };
  int32_t type_index;
  /*! \brief Number of bytes, including the header. */
  int32_t total_size;
  /*! \brief Offsets of owned TVMFFIAny. */
  std::vector<int32_t> values;
  /*! \brief Offsets of owned object pointers, which may be NULL. */
  std::vector<int32_t> objects;
  /*! \brief Ranges of bytes that do not own anything. */
  std::vector<Range> plain;
  /*! \brief The fields that other threads may set during a copy; the vectors above have them too.
   */
  std::vector<LockedField> locked;

  bool owns_something() const { return !values.empty() || !objects.empty(); }
};

/*!
 * \brief Make the layout that the fields of the type and its ancestors describe.
 * \throws TypeError or ValueError that names a field which cannot be copied and destroyed.
 */
const ObjectLayout* make_object_layout(const TVMFFITypeInfo* type, int32_t total_size);

/*!
 * \brief Check that make_object_layout can make a layout from the current fields of the type.
 * \throws the errors of make_object_layout.
 */
void check_object_layout(const TVMFFITypeInfo* type);

/*! \brief Make an object whose fields are zero, None or NULL. Throws std::bad_alloc. */
ObjectPtr<Object> new_object(const ObjectLayout* layout);

/*! \brief Make an object with the field values of `source`, which must have this layout. */
ObjectPtr<Object> shallow_copy(const ObjectLayout* layout, const Object* source);

}  // namespace tvm::ffi::runtime
