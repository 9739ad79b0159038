// SPDX-License-Identifier: Apache-2.0
// The type and the global function of visit error contexts.
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/reflection/registry.h>

#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_visit_error_context() {
  namespace refl = reflection;
  refl::ObjectDef<VisitErrorContextObj>(refl::init(false))
      .def_ro("reverse_visit_pattern", &VisitErrorContextObj::reverse_visit_pattern)
      .def_ro("prev_error_context", &VisitErrorContextObj::prev_error_context);
  ShortDef().def("ffi.VisitErrorContext.FindAccessPaths", VisitErrorContext::FindAccessPaths);
}

}  // namespace tvm::ffi::runtime
