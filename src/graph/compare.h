// SPDX-License-Identifier: Apache-2.0
// Equality and order of values by content.
#ifndef TVM_FFI_SRC_GRAPH_COMPARE_H_
#define TVM_FFI_SRC_GRAPH_COMPARE_H_

#include <tvm/ffi/any.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Compare as RecursiveEq in extra/dataclass.h does. */
bool recursive_equal(const Any& lhs, const Any& rhs);

/*!
 * \brief Compare as RecursiveLt in extra/dataclass.h does. \return a negative number, zero or a
 * positive one.
 */
int recursive_compare(const Any& lhs, const Any& rhs);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_COMPARE_H_
