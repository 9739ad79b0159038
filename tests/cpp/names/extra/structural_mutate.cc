// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/structural_mutate.h>

#include <optional>
#include <string_view>
#include <unordered_map>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Expected;
using ffi::InplaceMode;
using ffi::String;
using ffi::StructuralMutatorObj;
using ffi::StructuralMutatorVTable;
using ffi::Unchanged;
using ffi::UnchangedOr;
using ffi::WalkOrder;

SAME_TYPE(std::underlying_type_t<InplaceMode>, int32_t);
HOLDS(static_cast<int>(InplaceMode::kDisallow) == 0 && static_cast<int>(InplaceMode::kAllow) == 1);
HOLDS(std::is_convertible_v<Unchanged, Any>);
HAS_TYPE(The<Unchanged>().CopyToTVMFFIAny(), TVMFFIAny);

using Text = UnchangedOr<String>;
HOLDS(sizeof(Text) == 16 && std::is_convertible_v<Unchanged, Text>);
HOLDS(std::is_convertible_v<String, Text>&& std::is_convertible_v<const char*, Text>);
HOLDS(std::is_convertible_v<Text, UnchangedOr<Any>>);
HAS_TYPE(The<const Text>().IsUnchanged(), bool);
HAS_TYPE(The<const Text>().UnchangedOrSameAs(The<const String>()), bool);
HAS_TYPE(Moved<Text>().ValueOrUnchanged(The<const String>()), String);
HAS_TYPE(Moved<Text>().ValueOrUnchanged(Moved<String>()), String);
HAS_TYPE(Moved<UnchangedOr<Any>>().ValueOrUnchanged(The<AnyView>()), Any);
HAS_TYPE(Moved<Text>().ValueUnchecked(), String);
HAS_TYPE(Moved<UnchangedOr<Any>>().as<String>(), std::optional<String>);
HAS_TYPE(Moved<UnchangedOr<Any>>().as_or_throw<String>(), String);
HOLDS(ffi::type_subsumes_v<UnchangedOr<Any>, Text>&& ffi::TypeTraits<Text>::storage_enabled);
HOLDS(std::is_class_v<ffi::detail::UnchangedOrUnsafe>);

HOLDS(StructuralMutatorObj::_type_mutable && !ffi::StructuralMutator::_type_is_nullable);
struct TableMutatorObj : StructuralMutatorObj {
  explicit TableMutatorObj(const StructuralMutatorVTable* table) : StructuralMutatorObj(table) {}
  void Use() {
    HAS_TYPE(vtable_, const StructuralMutatorVTable*);
    HAS_TYPE(def_region_mode_, TVMFFIDefRegionKind);
  }
};
SAME_TYPE(StructuralMutatorObj::MutatorObjType, StructuralMutatorObj);
HAS_TYPE(The<StructuralMutatorObj>().Mutate(The<AnyView>()), UnchangedOr<Any>);
HAS_TYPE(The<StructuralMutatorObj>().Mutate(The<AnyView>(), InplaceMode::kAllow), UnchangedOr<Any>);
HAS_TYPE(The<StructuralMutatorObj>().MutateExpected(The<AnyView>()), Expected<UnchangedOr<Any>>);
HAS_TYPE(The<StructuralMutatorObj>().DefaultMutateExpected(The<AnyView>()),
         Expected<UnchangedOr<Any>>);
HOLDS(noexcept(The<StructuralMutatorObj>().MutateExpected(The<AnyView>())));
HOLDS(noexcept(The<StructuralMutatorObj>().DefaultMutateExpected(The<AnyView>())));
HAS_TYPE(The<StructuralMutatorObj>().VarRemapGetExpected(The<AnyView>()), Expected<Any>);
HAS_TYPE(The<StructuralMutatorObj>().VarRemapSetExpected(The<AnyView>(), The<AnyView>()),
         Expected<void>);
HAS_TYPE(The<const StructuralMutatorObj>().def_region_kind(), TVMFFIDefRegionKind);
void Region(StructuralMutatorObj& mutator) {
  mutator.WithDefRegionKind(kTVMFFIDefRegionKindPattern,
                            [] { return Expected<UnchangedOr<Any>>(Unchanged()); });
}
using Hook = ffi::reflection::NativeFunctionView<UnchangedOr<Any>(StructuralMutatorObj*, AnyView)>;
SAME_TYPE(ffi::FStructuralMutate, Hook);
SAME_TYPE(ffi::FStructuralMutateABI, TVMFFIAny (*)(StructuralMutatorObj*, AnyView) noexcept);
SAME_TYPE(ffi::FStructuralVarRemapGet, TVMFFIAny (*)(StructuralMutatorObj*, AnyView) noexcept);
SAME_TYPE(ffi::FStructuralVarRemapSet,
          TVMFFIAny (*)(StructuralMutatorObj*, AnyView, AnyView) noexcept);
HAS_TYPE(The<StructuralMutatorVTable>().mutate, ffi::FStructuralMutateABI);
HAS_TYPE(The<StructuralMutatorVTable>().maybe_inplace_mutate, ffi::FStructuralMutateABI);
HAS_TYPE(The<StructuralMutatorVTable>().var_remap_get, ffi::FStructuralVarRemapGet);
HAS_TYPE(The<StructuralMutatorVTable>().var_remap_set, ffi::FStructuralVarRemapSet);
using Key = ffi::reflection::AttrKey<ffi::FStructuralMutate>;
HAS_TYPE(ffi::type_attr::kStructuralMutate, const Key);
HAS_TYPE(ffi::type_attr::kStructuralMaybeInplaceMutate, const Key);
HOLDS(std::string_view(ffi::type_attr::kStructuralMutate.name) == "__s_mutate__");
HOLDS(std::string_view(ffi::type_attr::kStructuralMaybeInplaceMutate.name) ==
      "__s_maybe_inplace_mutate__");

auto map = [](const String& text) { return text; };
auto map_kind = [](int64_t, TVMFFIDefRegionKind) -> UnchangedOr<int64_t> { return Unchanged(); };
auto mutate = [](const String& text, StructuralMutatorObj* mutator) -> UnchangedOr<Any> {
  return mutator->Mutate(text);
};
auto mutate_mode = [](int64_t, StructuralMutatorObj*, InplaceMode) -> Expected<UnchangedOr<Any>> {
  return Unchanged();
};
HAS_TYPE(ffi::StructuralMap<WalkOrder::kPreOrder>(The<Any>(), map, map_kind), Any);
HAS_TYPE(ffi::StructuralMapExpected<WalkOrder::kPostOrder>(The<Any>(), map), Expected<Any>);
HAS_TYPE(ffi::StructuralMutate(The<Any>(), mutate, mutate_mode), Any);
HAS_TYPE(ffi::StructuralMutateExpected(The<Any>(), mutate), Expected<Any>);
using Base = ffi::StructuralMapEngineBase;
struct MapperObj : Base {
  explicit MapperObj(const StructuralMutatorVTable* table) : Base(table) {}
  static constexpr ffi::FStructuralVarRemapGet kGet = &Base::DispatchVarRemapGet;
  static constexpr ffi::FStructuralVarRemapSet kSet = &Base::DispatchVarRemapSet;
  void Use() {
    HAS_TYPE(VarRemapGetImpl(The<AnyView>()), Expected<Any>);
    HAS_TYPE(VarRemapSetImpl(The<AnyView>(), The<AnyView>()), Expected<void>);
    HOLDS(noexcept(VarRemapGetImpl(The<AnyView>())) &&
          noexcept(VarRemapSetImpl(The<AnyView>(), The<AnyView>())));
    HAS_TYPE(var_remap_, std::unordered_map<const ffi::Object*, Any>);
    HAS_TYPE(StateTuple(), StateTupleType);
  }
};
using Mapper = ffi::StructuralMapEngine<Base, WalkOrder::kPreOrder, decltype(map)>;
using Engine = ffi::StructuralMutateEngine<Base, decltype(mutate)>;
HOLDS(std::is_base_of_v<StructuralMutatorObj, Base>&& std::is_base_of_v<Base, Mapper>);
HOLDS(std::is_base_of_v<Base, Engine>);
using Dynamic = ffi::StructuralMapDynEngine<Base, WalkOrder::kPreOrder>;
HOLDS(std::is_base_of_v<StructuralMutatorObj, Dynamic>);
Expected<UnchangedOr<Any>> Early(StructuralMutatorObj* mutator, AnyView value) {
  auto result = mutator->MutateExpected(value);
  TVM_FFI_S_MUTATE_MAYBE_EARLY_RETURN(result);
  TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN(UnchangedOr<String>, text, mutator->MutateExpected(value));
  TVM_FFI_UNSAFE_S_MUTATE_ASSIGN_OR_RETURN(UnchangedOr<Any>, any, mutator->MutateExpected(value));
  HAS_TYPE(text.IsUnchanged(), bool);
  return any;
}
