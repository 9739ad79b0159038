// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/structural_visit.h>

#include <string_view>
#include <tuple>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Expected;
using ffi::Optional;
using ffi::StructuralVisitor;
using ffi::StructuralVisitorObj;
using ffi::StructuralVisitorVTable;
using ffi::VisitInterrupt;
using ffi::VisitInterruptObj;
using ffi::WalkOrder;
using ffi::WalkResult;
using Interrupt = Optional<VisitInterrupt>;

HOLDS(VisitInterruptObj::_type_index == kTVMFFIVisitInterrupt && VisitInterruptObj::_type_final);
HAS_TYPE(The<VisitInterruptObj>().value, Any);
HOLDS(std::is_default_constructible_v<VisitInterrupt>);
HOLDS(std::is_constructible_v<VisitInterrupt, Any> && !std::is_convertible_v<Any, VisitInterrupt>);

HOLDS(StructuralVisitorObj::_type_mutable && !StructuralVisitor::_type_is_nullable);
HAS_TYPE(The<StructuralVisitorObj>().Visit(The<AnyView>()), Interrupt);
HAS_TYPE(The<StructuralVisitorObj>().VisitExpected(The<AnyView>()), Expected<Interrupt>);
HAS_TYPE(The<StructuralVisitorObj>().DefaultVisitExpected(The<AnyView>()), Expected<Interrupt>);
HOLDS(noexcept(The<StructuralVisitorObj>().VisitExpected(The<AnyView>())));
HOLDS(noexcept(The<StructuralVisitorObj>().DefaultVisitExpected(The<AnyView>())));
HAS_TYPE(The<const StructuralVisitorObj>().def_region_kind(), TVMFFIDefRegionKind);
void Region(StructuralVisitorObj& visitor) {
  visitor.WithDefRegionKind(kTVMFFIDefRegionKindPattern,
                            [] { return Expected<Interrupt>(Interrupt()); });
}
SAME_TYPE(StructuralVisitorObj::VisitorObjType, StructuralVisitorObj);
SAME_TYPE(StructuralVisitorObj::StateTupleType, std::tuple<>);
SAME_TYPE(ffi::FStructuralVisitABI, TVMFFIAny (*)(StructuralVisitorObj*, AnyView) noexcept);
using Hook = ffi::reflection::NativeFunctionView<Interrupt(StructuralVisitorObj*, AnyView)>;
SAME_TYPE(ffi::FStructuralVisit, Hook);
HAS_TYPE(The<StructuralVisitorVTable>().visit, ffi::FStructuralVisitABI);
HAS_TYPE(ffi::type_attr::kStructuralVisit, const ffi::reflection::AttrKey<ffi::FStructuralVisit>);
HOLDS(std::string_view(ffi::type_attr::kStructuralVisit.name) == "__s_visit__");
struct CountingObj : StructuralVisitorObj {
  explicit CountingObj(const StructuralVisitorVTable* table) : StructuralVisitorObj(table) {}
  void Use() {
    HAS_TYPE(vtable_, const StructuralVisitorVTable*);
    (void)def_region_mode_;
    HAS_TYPE(StateTuple(), std::tuple<>);
  }
};

HOLDS(std::is_base_of_v<ffi::Variant<VisitInterrupt, int32_t>, WalkResult>);
HAS_TYPE(WalkResult::Advance(), WalkResult);
HAS_TYPE(WalkResult::Skip(), WalkResult);
HAS_TYPE(WalkResult::Interrupt(), WalkResult);
HAS_TYPE(WalkResult::Interrupt(The<VisitInterrupt>()), WalkResult);
HOLDS(WalkResult::kAdvanceTag == 0 && WalkResult::kSkipTag == 1);
HOLDS(static_cast<int>(WalkOrder::kPreOrder) == 0 && static_cast<int>(WalkOrder::kPostOrder) == 1);

auto walk = [](const ffi::String&) { return WalkResult::Advance(); };
auto walk_kind = [](int64_t, TVMFFIDefRegionKind) -> Expected<WalkResult> {
  return WalkResult::Skip();
};
auto visit = [](const ffi::String& text, StructuralVisitorObj* visitor) -> Interrupt {
  return visitor->Visit(text);
};
HAS_TYPE(ffi::StructuralWalkExpected<WalkOrder::kPreOrder>(The<AnyView>(), walk, walk_kind),
         Expected<Interrupt>);
HAS_TYPE(ffi::StructuralWalk<WalkOrder::kPostOrder>(The<AnyView>(), walk), Interrupt);
HAS_TYPE(ffi::StructuralVisit(The<AnyView>(), visit), Interrupt);
HAS_TYPE(ffi::StructuralVisitExpected(The<AnyView>(), visit), Expected<Interrupt>);
using Walker =
    ffi::StructuralWalkEngine<StructuralVisitorObj, WalkOrder::kPreOrder, decltype(walk)>;
using Engine = ffi::StructuralVisitEngine<StructuralVisitorObj, decltype(visit)>;
HOLDS(std::is_base_of_v<StructuralVisitorObj, Walker>);
HOLDS(std::is_base_of_v<StructuralVisitorObj, Engine>);
Expected<Interrupt> Early(StructuralVisitorObj* visitor, AnyView value) {
  TVM_FFI_S_VISIT_MAYBE_EARLY_RETURN(visitor->VisitExpected(value));
  HAS_TYPE(ffi::detail::StructuralVisitNeedEarlyReturn(The<const Expected<Interrupt>>()), bool);
  return Interrupt();
}
HAS_TYPE(ffi::detail::VisitReflectedFieldsExpected(The<StructuralVisitorObj*>(),
                                                   The<const ffi::Object*>()),
         Expected<Interrupt>);
