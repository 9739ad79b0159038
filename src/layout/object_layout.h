// SPDX-License-Identifier: Apache-2.0
// Objects whose class exists only in the type table: memory laid out by reflected fields.
#ifndef TVM_FFI_SRC_LAYOUT_OBJECT_LAYOUT_H_
#define TVM_FFI_SRC_LAYOUT_OBJECT_LAYOUT_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief The layout of the objects of one type; never freed, since the entry of the type refers to
 * it. */
struct ObjectLayout {
  struct Range {
    int32_t offset;
    int32_t size;
  };
  int32_t type_index;
  /*! \brief Bytes, header included. */
  int32_t total_size;
  /*! \brief Offsets of owned TVMFFIAny. */
  std::vector<int32_t> values;
  /*! \brief Offsets of owned object pointers, NULL or not. */
  std::vector<int32_t> objects;
  /*! \brief Bytes that do not own anything. */
  std::vector<Range> plain;

  bool owns_something() const { return !values.empty() || !objects.empty(); }
};

/*!
 * \brief The layout that the fields of the type and its ancestors describe.
 * \throws TypeError or ValueError that names a field which cannot be copied and destroyed.
 */
const ObjectLayout* make_object_layout(const TVMFFITypeInfo* type, int32_t total_size);

/*! \brief Throw what make_object_layout would throw for the fields that are there now. */
void check_object_layout(const TVMFFITypeInfo* type);

/*! \brief A new object, all fields zero, None or null; owned. Throws std::bad_alloc. */
ObjectPtr<Object> new_object(const ObjectLayout* layout);

/*! \brief A new object with the fields of `source`, which has this layout. */
ObjectPtr<Object> shallow_copy(const ObjectLayout* layout, const Object* source);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_LAYOUT_OBJECT_LAYOUT_H_
