// SPDX-License-Identifier: Apache-2.0
// The memory that a value uses, in bytes.
#pragma once

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*!
 * \brief Return the number of bytes that a value and all values that it refers to use. Each object
 * is counted once, together with its elements, its text or its tensor data. Python objects, the
 * state of functions and the overhead of the allocator are not counted.
 */
int64_t memory_size(const Any& value);

}  // namespace tvm::ffi::runtime
