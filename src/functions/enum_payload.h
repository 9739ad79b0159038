// SPDX-License-Identifier: Apache-2.0
// Numbers and text given to fields of IntEnum and StrEnum types, in place of the entries that they
// stand for.
#ifndef TVM_FFI_SRC_FUNCTIONS_ENUM_PAYLOAD_H_
#define TVM_FFI_SRC_FUNCTIONS_ENUM_PAYLOAD_H_

#include <tvm/ffi/c_api.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief For a value that a setter has refused: set the entry that it stands for, if it is the
 * number or text of one and the field is of such a type, or optionally of one.
 * \return 0, or -1 with an error raised: that of the setter, where the value stands for nothing.
 */
int set_field_to_payload(const TVMFFIFieldInfo* field, void* address, const TVMFFIAny* value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_FUNCTIONS_ENUM_PAYLOAD_H_
