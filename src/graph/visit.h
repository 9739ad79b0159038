// SPDX-License-Identifier: Apache-2.0
// Structural visits: the walk below extra/structural_visit.h.
#ifndef TVM_FFI_SRC_GRAPH_VISIT_H_
#define TVM_FFI_SRC_GRAPH_VISIT_H_

#include <tvm/ffi/extra/structural_visit.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief The functions that clients' visitors call; see detail/visit_runtime.h. */
extern const detail::StructuralVisitRuntime structural_visit_runtime;

/*! \brief `__s_visit__` of arrays, lists, maps and dicts. */
TVMFFIAny visit_container(StructuralVisitorObj* visitor, AnyView value) noexcept;

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_VISIT_H_
