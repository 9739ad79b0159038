// SPDX-License-Identifier: Apache-2.0
// The schemas that libraries and images bring along, by the types that they define.
#ifndef TVM_FFI_SRC_FUNCTIONS_SCHEMA_DEFINITIONS_H_
#define TVM_FFI_SRC_FUNCTIONS_SCHEMA_DEFINITIONS_H_

#include <string_view>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Note which schema defines some types; a type that has one keeps it.
 * \param keys the type keys.
 * \param schema the intermediate form, compressed; empty: there is none to note.
 */
void add_schema_definitions(const std::vector<std::string_view>& keys, std::string_view schema);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_FUNCTIONS_SCHEMA_DEFINITIONS_H_
