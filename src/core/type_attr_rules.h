// SPDX-License-Identifier: Apache-2.0
// Rules for the values of well-known type attributes.
#ifndef TVM_FFI_SRC_CORE_TYPE_ATTR_RULES_H_
#define TVM_FFI_SRC_CORE_TYPE_ATTR_RULES_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <string_view>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Whether an attribute accepts a value.
 *
 * Hooks with a known signature must be functions, because clients call them without checking. None
 * is always accepted, because None means that the attribute is absent. An attribute whose name has
 * no meaning in the ABI accepts every value.
 * \param name canonical name of the attribute.
 */
bool accepts_type_attr(std::string_view name, const Any& value);

/*!
 * \brief Raise a TypeError that names the attribute, the type, the accepted kinds of values and the
 * given value.
 * \return -1
 */
int refuse_type_attr(int32_t type_index, std::string_view name, const Any& value);

/*!
 * \brief Take over the former value of an attribute that was overwritten.
 *
 * Clients read hooks from the columns without a lock and without a reference, and may be calling a
 * hook while it is replaced. So a replaced hook is never released. Other values are released.
 */
void retire_type_attr(std::string_view name, Any value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_ATTR_RULES_H_
