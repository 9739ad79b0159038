// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/visit_error_context.h>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Error;
using ffi::Expected;
using ffi::ObjectRef;
using ffi::VisitErrorContext;
using ffi::VisitErrorContextObj;

HOLDS(VisitErrorContextObj::_type_final&& VisitErrorContextObj::_type_mutable);
HAS_TYPE(The<VisitErrorContextObj>().reverse_visit_pattern, ffi::List<ObjectRef>);
HAS_TYPE(The<VisitErrorContextObj>().prev_error_context, ffi::Optional<ObjectRef>);
HOLDS(!VisitErrorContext::_type_is_nullable);
HAS_TYPE(VisitErrorContext::TryGetFromError(The<const Error>()), ffi::Optional<VisitErrorContext>);
using Paths = ffi::Array<ffi::reflection::AccessPath>;
HAS_TYPE(VisitErrorContext::FindAccessPaths(The<const ObjectRef>(), The<const VisitErrorContext>()),
         Paths);
HAS_TYPE(VisitErrorContext::FindAccessPaths(The<const ObjectRef>(), The<const VisitErrorContext>(),
                                            true),
         Paths);
void Visit(const ObjectRef& node) {
  TVM_FFI_VISIT_BEGIN();
  if (node.defined()) TVM_FFI_VISIT_THROW(ValueError, node) << "text";
  TVM_FFI_VISIT_END(node);
}
Expected<int> VisitExpected(const ObjectRef& node) {
  TVM_FFI_VISIT_BEGIN();
  return 1;
  TVM_FFI_VISIT_END_RETURN_EXPECTED(node);
}
HOLDS(std::is_convertible_v<decltype(ffi::detail::MakeVisitErrorContext(The<const ObjectRef>())),
                            ObjectRef>);
void Update(Error& error, const ObjectRef& node, const TVMFFIAny& raw) {
  ffi::detail::UpdateVisitErrorContext(error, node);
  ffi::detail::UpdateVisitErrorContext(error, ffi::AnyView(node));
  ffi::detail::UpdateVisitErrorContext(raw, ffi::AnyView(node));
}
