// SPDX-License-Identifier: Apache-2.0
// Attributes of types in two tiers: a map that holds everything, and dense columns for hot hooks
// and for those whom clients ask for by column.
#ifndef TVM_FFI_SRC_CORE_TYPE_ATTR_H_
#define TVM_FFI_SRC_CORE_TYPE_ATTR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Values of one attribute by type index; never holds None. */
using TypeAttrMap = std::unordered_map<int32_t, Any>;

// All are safe from any thread and may throw std::bad_alloc. `__structural_equal__` is another name
// of `__s_equal__` everywhere.

/*!
 * \brief Register an attribute by the rules of TVMFFITypeRegisterAttr: well-known names once, other
 * names again and again.
 * \return 0, or -1 with an error raised.
 */
int register_type_attr(int32_t type_index, std::string_view name, Any value);

/*! \brief Set any attribute, overwriting. \return 0, or -1 when the type is unknown. */
int set_type_attr(int32_t type_index, std::string_view name, Any value);

/*! \brief Value of an attribute, None when absent. */
Any get_type_attr(std::string_view name, int32_t type_index);

/*! \brief Make the dense column exist, empty as it may be. */
void ensure_type_attr_column(std::string_view name);

/*!
 * \brief The column of a name, made on the first request; NULL when the name was never registered.
 * Takes no lock once the column is there. Stable address.
 */
const TVMFFITypeAttrColumn* find_type_attr_column(std::string_view name);

/*! \brief The map of a name, made on demand. Stable address; reading it must not race with a
 * writer of the same attribute. */
const TypeAttrMap& type_attr_map(std::string_view name);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_ATTR_H_
