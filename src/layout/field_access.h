// SPDX-License-Identifier: Apache-2.0
// Getters and setters of fields in types without a C++ class.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*! \brief Converts a value to an owned value that suits the field. A converter may throw, or return
 * a status other than 0 with an error raised. */
using FieldConverter = int (*)(void* context, const TVMFFIAny* value, TVMFFIAny* result);

/*!
 * \brief Return the getter for a field of this declared type.
 * \throws ValueError for a type index that a field cannot have.
 */
TVMFFIFieldGetter field_getter_of(int64_t static_type_index);

/*!
 * \brief Make a setter, to be registered with kTVMFFIFieldFlagBitSetterIsFunctionObj.
 * \param static_type_index the declared type of the field, which determines its representation.
 * \param size number of bytes of an integer or float field; 0 means 8.
 * \param context passed to `convert`; must live as long as the function.
 * \param convert its result must fit into `size` bytes for an integer or float field.
 * \throws ValueError for a type index that a field cannot have.
 */
Function make_field_setter(int64_t static_type_index, int32_t size, void* context,
                           FieldConverter convert);

}  // namespace tvm::ffi::runtime
