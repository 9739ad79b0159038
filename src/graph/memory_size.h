// SPDX-License-Identifier: Apache-2.0
// The memory that a value keeps, in bytes.
#ifndef TVM_FFI_SRC_GRAPH_MEMORY_SIZE_H_
#define TVM_FFI_SRC_GRAPH_MEMORY_SIZE_H_

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Bytes of a value and of all values that it refers to, each counted once: objects,
 * elements of containers, text, the elements of tensors. Python objects and what functions hold are
 * not counted; memory that the allocator adds is not, either.
 */
int64_t memory_size(const Any& value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_MEMORY_SIZE_H_
