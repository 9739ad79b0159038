// SPDX-License-Identifier: Apache-2.0
// Hashes of values by content.
#pragma once

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*! \brief Hash a value as RecursiveHash in extra/dataclass.h does. */
int64_t recursive_hash(const Any& value);

/*! \brief Hash a value as StructuralHash::Hash in extra/structural_hash.h does. */
uint64_t structural_hash(const Any& value, bool map_free_vars, bool skip_tensor_content);

}  // namespace tvm::ffi::runtime
