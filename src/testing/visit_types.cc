// SPDX-License-Identifier: Apache-2.0
// Fixtures: types for structural visits, with definition regions and a hook.
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>

#include <utility>

namespace tvm::ffi::testing {
namespace {

namespace refl = reflection;

class TestVisitRegionsObj : public Object {
 public:
  int64_t simple = 1;
  int64_t pattern = 2;
  int64_t ordinary = 3;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestVisitRegions", TestVisitRegionsObj, Object);
};

class TestVisitHookObj : public Object {
 public:
  ObjectRef child;

  TestVisitHookObj() = default;
  explicit TestVisitHookObj(ObjectRef child) : child(std::move(child)) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestVisitHook", TestVisitHookObj, Object);
};

// Visits the field `child` as a definition, then the number 4, which is not in a field.
Expected<Optional<VisitInterrupt>> visit_hook(StructuralVisitorObj* visitor,
                                              AnyView value) noexcept {
  const auto* self = value.as<TestVisitHookObj>();
  TVM_FFI_S_VISIT_MAYBE_EARLY_RETURN(visitor->WithDefRegionKind(
      kTVMFFIDefRegionKindSimple, [&] { return visitor->VisitExpected(self->child); }));
  return visitor->VisitExpected(4);
}

Any make_visit_region_graph(bool with_hook) {
  ObjectRef regions(make_object<TestVisitRegionsObj>());
  if (!with_hook) return regions;
  return ObjectRef(make_object<TestVisitHookObj>(std::move(regions)));
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<TestVisitRegionsObj>()
      .def_ro("simple", &TestVisitRegionsObj::simple, refl::AttachFieldFlag::SEqHashDefSimple())
      .def_ro("pattern", &TestVisitRegionsObj::pattern, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_ro("ordinary", &TestVisitRegionsObj::ordinary);
  refl::ObjectDef<TestVisitHookObj>().def_ro("child", &TestVisitHookObj::child);
  // This hook is a Function, to test this form: clients must accept a Function and a pointer to a
  // C++ function.
  refl::TypeAttrDef<TestVisitHookObj>().def(
      type_attr::kStructuralVisit.name,
      Function::FromTyped(
          [](StructuralVisitorObj* visitor, AnyView value) { return visit_hook(visitor, value); }));
  refl::GlobalDef().def("testing.make_visit_region_graph", make_visit_region_graph);
}

}  // namespace tvm::ffi::testing
