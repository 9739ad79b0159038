// SPDX-License-Identifier: Apache-2.0
// The global functions that print, copy, compare and hash values by the reflection of their types.
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/reflection/registry.h>

#include "functions/functions.h"
#include "graph/repr.h"

namespace tvm::ffi::runtime {

void register_dataclass_functions() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def("ffi.DeepCopy", DeepCopy, refl::short_call())
      .def("ffi.ReprPrint", ReprPrint, refl::short_call())
      .def("ffi.ReprSummary", repr_summary, refl::short_call())
      .def("ffi.RecursiveEq", RecursiveEq, refl::short_call())
      .def("ffi.RecursiveLt", RecursiveLt, refl::short_call())
      .def("ffi.RecursiveLe", RecursiveLe, refl::short_call())
      .def("ffi.RecursiveGt", RecursiveGt, refl::short_call())
      .def("ffi.RecursiveGe", RecursiveGe, refl::short_call())
      .def("ffi.RecursiveHash", RecursiveHash, refl::short_call());
}

}  // namespace tvm::ffi::runtime
