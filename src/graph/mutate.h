// SPDX-License-Identifier: Apache-2.0
// Changed copies of graphs of objects.
#ifndef TVM_FFI_SRC_GRAPH_MUTATE_H_
#define TVM_FFI_SRC_GRAPH_MUTATE_H_

#include <tvm/ffi/extra/structural_mutate.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief What structural_mutate.h reaches through `ffi.StructuralMutateRuntime`. */
extern const detail::StructuralMutateRuntime kMutateRuntime;

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_MUTATE_H_
