// SPDX-License-Identifier: Apache-2.0
// Equality and order of values without children.
#pragma once

#include <tvm/ffi/c_api.h>

namespace tvm::ffi::runtime {

/*! \brief Relation of two values. kLookInside: their children must be compared. */
enum class LeafOrder : int { kLess = -1, kEqual = 0, kGreater = 1, kLookInside = 2 };

/*! \brief Compare for equality. Every result except kEqual and kLookInside means unequal. */
LeafOrder leaf_equality(const TVMFFIAny& lhs, const TVMFFIAny& rhs);

/*!
 * \brief Compare for order; return kLookInside for two objects of one type that have children.
 * \throws TypeError for values that have no order.
 */
LeafOrder leaf_order(const TVMFFIAny& lhs, const TVMFFIAny& rhs);

}  // namespace tvm::ffi::runtime
