// SPDX-License-Identifier: Apache-2.0
// Hash of values by content.
#ifndef TVM_FFI_SRC_GRAPH_HASH_H_
#define TVM_FFI_SRC_GRAPH_HASH_H_

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Hash a value as RecursiveHash in extra/dataclass.h does. */
int64_t recursive_hash(const Any& value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_HASH_H_
