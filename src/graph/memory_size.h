// SPDX-License-Identifier: Apache-2.0
// The memory that a value uses, in bytes.
#ifndef TVM_FFI_SRC_GRAPH_MEMORY_SIZE_H_
#define TVM_FFI_SRC_GRAPH_MEMORY_SIZE_H_

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Return the number of bytes that a value and all values that it refers to use. Each object
 * is counted once, together with its elements, its text or its tensor data. Python objects, the
 * state of functions and the overhead of the allocator are not counted.
 */
int64_t memory_size(const Any& value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_MEMORY_SIZE_H_
