// SPDX-License-Identifier: Apache-2.0
// Numbers and text given to fields of IntEnum and StrEnum types, in place of the entries that they
// stand for.
#ifndef TVM_FFI_SRC_LAYOUT_ENUM_PAYLOAD_H_
#define TVM_FFI_SRC_LAYOUT_ENUM_PAYLOAD_H_

#include <tvm/ffi/c_api.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Set the entry that a refused value stands for, if it is the number or text of one and the
 * field is of such a type, or optionally of one.
 * \return Whether there is such an entry.
 * \throws Error TypeError for a number beyond 64 bits, and what the setter throws.
 */
bool set_field_to_payload(const TVMFFIFieldInfo* field, void* address, const TVMFFIAny* value);

/*!
 * \brief The same for a setter that has failed with -1.
 * \return 0, or -1 with an error raised: that of the setter, where the value stands for nothing.
 */
int retry_field_with_payload(const TVMFFIFieldInfo* field, void* address, const TVMFFIAny* value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_LAYOUT_ENUM_PAYLOAD_H_
