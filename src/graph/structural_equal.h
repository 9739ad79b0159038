// SPDX-License-Identifier: Apache-2.0
// Structural equality of values.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/access_path.h>

namespace tvm::ffi::runtime {

/*! \brief Compare as StructuralEqual::Equal in extra/structural_equal.h does. */
bool structural_equal(const Any& lhs, const Any& rhs, bool map_free_vars, bool skip_tensor_content);

/*! \brief Search as StructuralEqual::GetFirstMismatch in extra/structural_equal.h does. */
Optional<reflection::AccessPathPair> first_structural_mismatch(const Any& lhs, const Any& rhs,
                                                               bool map_free_vars,
                                                               bool skip_tensor_content);

}  // namespace tvm::ffi::runtime
