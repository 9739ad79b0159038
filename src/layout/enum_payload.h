// SPDX-License-Identifier: Apache-2.0
// Conversion of numbers and text to entries, for fields whose type is an IntEnum or StrEnum.
#pragma once

#include <tvm/ffi/c_api.h>

namespace tvm::ffi::runtime {

/*!
 * \brief If a value is the payload of an entry of the field's enum, set the field to this entry.
 * Return false if the field's type is not an IntEnum, a StrEnum, or an Optional of such an enum.
 * \return Whether there is such an entry.
 * \throws Error TypeError for a number beyond 64 bits, and the errors of the setter.
 */
bool set_field_to_payload(const TVMFFIFieldInfo* field, void* address, const TVMFFIAny* value);

/*!
 * \brief Call set_field_to_payload after the setter of a field has failed with -1.
 * \return 0, or -1 with an error raised: the error of the setter if the value is not the payload of
 * an entry.
 */
int retry_field_with_payload(const TVMFFIFieldInfo* field, void* address, const TVMFFIAny* value);

}  // namespace tvm::ffi::runtime
