// SPDX-License-Identifier: Apache-2.0
// Deep copies.
#ifndef TVM_FFI_SRC_GRAPH_COPY_H_
#define TVM_FFI_SRC_GRAPH_COPY_H_

#include <tvm/ffi/any.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Copy a value as DeepCopy in extra/dataclass.h does. */
Any deep_copy(const Any& value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_COPY_H_
