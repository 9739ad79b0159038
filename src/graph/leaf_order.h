// SPDX-License-Identifier: Apache-2.0
// Equality and order of values without children.
#ifndef TVM_FFI_SRC_GRAPH_LEAF_ORDER_H_
#define TVM_FFI_SRC_GRAPH_LEAF_ORDER_H_

#include <tvm/ffi/c_api.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Relation of two values. kLookInside: their children must be compared. */
enum class LeafOrder : int { kLess = -1, kEqual = 0, kGreater = 1, kLookInside = 2 };

/*! \brief Compare for equality. Every result except kEqual and kLookInside means unequal. */
LeafOrder leaf_equality(const TVMFFIAny& lhs, const TVMFFIAny& rhs);

/*!
 * \brief Compare for order; return kLookInside for two objects of one type that have children.
 * \throws TypeError for values that have no order.
 */
LeafOrder leaf_order(const TVMFFIAny& lhs, const TVMFFIAny& rhs);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_LEAF_ORDER_H_
