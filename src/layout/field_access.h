// SPDX-License-Identifier: Apache-2.0
// Getters and setters of fields that were laid out without a C++ class.
#ifndef TVM_FFI_SRC_LAYOUT_FIELD_ACCESS_H_
#define TVM_FFI_SRC_LAYOUT_FIELD_ACCESS_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Turns a value into an owned one that suits the field. It may throw, or return a status
 * other than 0 with an error raised.
 */
using FieldConverter = int (*)(void* context, const TVMFFIAny* value, TVMFFIAny* result);

/*!
 * \brief Return the getter for a field of this declared type.
 * \throws ValueError for a type index that no field has.
 */
TVMFFIFieldGetter field_getter_of(int64_t static_type_index);

/*!
 * \brief A setter, to be registered with kTVMFFIFieldFlagBitSetterIsFunctionObj.
 * \param static_type_index the declared type of the field, which tells what lies there.
 * \param size bytes of a field that holds an integer or a float; 0: 8.
 * \param context given to `convert`; lives as long as the function.
 * \param convert what it gives for an integer or a float must fit `size`.
 * \throws ValueError for a type index that no field has.
 */
Function make_field_setter(int64_t static_type_index, int32_t size, void* context,
                           FieldConverter convert);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_LAYOUT_FIELD_ACCESS_H_
