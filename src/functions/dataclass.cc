// SPDX-License-Identifier: Apache-2.0
// The global functions that print, copy, compare and hash values by the reflection of their types.
#include <tvm/ffi/extra/dataclass.h>

#include "functions/functions.h"
#include "graph/repr.h"

namespace tvm::ffi::runtime {

void register_dataclass_functions() {
  ShortDef()
      .def("ffi.DeepCopy", DeepCopy)
      .def("ffi.ReprPrint", ReprPrint)
      .def("ffi.ReprSummary", repr_summary)
      .def("ffi.RecursiveEq", RecursiveEq)
      .def("ffi.RecursiveLt", RecursiveLt)
      .def("ffi.RecursiveLe", RecursiveLe)
      .def("ffi.RecursiveGt", RecursiveGt)
      .def("ffi.RecursiveGe", RecursiveGe)
      .def("ffi.RecursiveHash", RecursiveHash);
}

}  // namespace tvm::ffi::runtime
