// SPDX-License-Identifier: Apache-2.0
// Equality and order of values by content.
#pragma once

#include <tvm/ffi/any.h>

namespace tvm::ffi::runtime {

/*! \brief Compare as RecursiveEq in extra/dataclass.h does. */
bool recursive_equal(const Any& lhs, const Any& rhs);

/*! \brief Compare as RecursiveLt in extra/dataclass.h does. \return a negative number, zero or a
 * positive one. */
int recursive_compare(const Any& lhs, const Any& rhs);

}  // namespace tvm::ffi::runtime
