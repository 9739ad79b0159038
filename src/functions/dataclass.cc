// SPDX-License-Identifier: Apache-2.0
// The global functions that print, copy, compare and hash values by the reflection of their types.
#include <tvm/ffi/extra/dataclass.h>

#include "functions/argument.h"
#include "functions/functions.h"
#include "graph/repr.h"

namespace tvm::ffi::runtime {
namespace {

template <bool (*compare)(const Any&, const Any&)>
bool compare_arguments(AnyView lhs, AnyView rhs) {
  return compare(Argument(lhs).value(), Argument(rhs).value());
}

}  // namespace

void register_dataclass_functions() {
  ShortDef()
      .def("ffi.DeepCopy", DeepCopy)
      .def("ffi.ReprPrint", ReprPrint)
      .def("ffi.ReprSummary", repr_summary)
      .def("ffi.RecursiveEq", compare_arguments<RecursiveEq>)
      .def("ffi.RecursiveLt", compare_arguments<RecursiveLt>)
      .def("ffi.RecursiveLe", compare_arguments<RecursiveLe>)
      .def("ffi.RecursiveGt", compare_arguments<RecursiveGt>)
      .def("ffi.RecursiveGe", compare_arguments<RecursiveGe>)
      .def("ffi.RecursiveHash",
           [](AnyView value) { return RecursiveHash(Argument(value).value()); });
}

}  // namespace tvm::ffi::runtime
