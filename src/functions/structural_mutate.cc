// SPDX-License-Identifier: Apache-2.0
// Structural mutation for frontends: maps and mutations by callbacks that are Functions, chosen by
// type index, and the methods of the mutator. Also the hooks of the containers, for libraries that
// go through the parts of values by themselves.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstring>
#include <utility>

#include "functions/callbacks.h"
#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// ---------------------------------------------------------------- maps and mutations

using MapCallbacks = Array<Tuple<int32_t, Function>>;
using MutateCallbacks = Array<Tuple<int32_t, Function, bool>>;

// Maps by callbacks chosen by type index.
template <WalkOrder order>
class MapEngine : public detail::MutateEngineBase<StructuralMapEngineBase, MapEngine<order>> {
 public:
  MapEngine(Callbacks plain, Callbacks with_region)
      : plain_(std::move(plain)), with_region_(std::move(with_region)) {}

 private:
  template <typename, typename>
  friend class detail::MutateEngineBase;

  static constexpr WalkOrder kOrder = order;

  TVMFFIAny CallBack(AnyView value, InplaceMode, bool*) noexcept {
    if (const Callback* plain = plain_.find(value)) return plain->call(value);
    if (const Callback* with_region = with_region_.find(value)) {
      return with_region->call(value, static_cast<int32_t>(this->def_region_mode_));
    }
    return detail::UnchangedResult();
  }

  Callbacks plain_;
  Callbacks with_region_;
};

template <WalkOrder order>
Any map_in_order(Any root, Callbacks plain, Callbacks with_region) {
  return detail::MutateByEngine<MapEngine<order>>(std::move(root), std::move(plain),
                                                  std::move(with_region))
      .value();
}

Any structural_map(Any root, const MapCallbacks& callbacks,
                   const MapCallbacks& callbacks_with_region, int32_t order) {
  Callbacks plain("ffi.StructuralMap", callbacks);
  Callbacks with_region("ffi.StructuralMap", callbacks_with_region);
  switch (order) {
    case static_cast<int32_t>(WalkOrder::kPreOrder):
      return map_in_order<WalkOrder::kPreOrder>(std::move(root), std::move(plain),
                                                std::move(with_region));
    case static_cast<int32_t>(WalkOrder::kPostOrder):
      return map_in_order<WalkOrder::kPostOrder>(std::move(root), std::move(plain),
                                                 std::move(with_region));
    default:
      TVM_FFI_THROW(ValueError) << "Unknown structural map order: " << order;
      TVM_FFI_UNREACHABLE();
  }
}

// Mutates by callbacks chosen by type index. What they return is final.
class MutateDynEngine : public detail::MutateEngineBase<StructuralMapEngineBase, MutateDynEngine> {
 public:
  explicit MutateDynEngine(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

  // A frontend whose callback keeps the mutator would otherwise keep both for ever, since the
  // callback is kept here.
  void EndTraversal() { Callbacks gone = std::move(callbacks_); }

 private:
  template <typename, typename>
  friend class detail::MutateEngineBase;

  static constexpr WalkOrder kOrder = WalkOrder::kPreOrder;

  TVMFFIAny CallBack(AnyView value, InplaceMode mode, bool* is_final) noexcept {
    const Callback* found = callbacks_.find(value);
    if (found == nullptr) return detail::UnchangedResult();
    *is_final = true;
    Callback callback = *found;  // outlives the end, which may come first where threads share it
    auto* mutator = static_cast<StructuralMutatorObj*>(this);
    return callback.takes_mode ? callback.call(value, mutator, static_cast<int32_t>(mode))
                               : callback.call(value, mutator);
  }

  Callbacks callbacks_;
};

Any structural_mutate(Any root, const MutateCallbacks& callbacks) {
  return detail::MutateByEngine<MutateDynEngine>(std::move(root),
                                                 Callbacks("ffi.StructuralMutate", callbacks))
      .value();
}

// ---------------------------------------------------------------- methods of the mutator

StructuralMutatorObj* writable(const StructuralMutator& mutator) {
  return const_cast<StructuralMutatorObj*>(mutator.get());
}

// Frontends see the value itself where nothing changed.

Any mutator_mutate(const StructuralMutator& mutator, Any value) {
  return writable(mutator)->Mutate(value).ValueOrUnchanged(std::move(value));
}

Any mutator_default_mutate(const StructuralMutator& mutator, Any value) {
  return writable(mutator)->DefaultMutateExpected(value).value().ValueOrUnchanged(std::move(value));
}

Any mutator_with_def_region_kind(const StructuralMutator& mutator, int32_t kind,
                                 const Function& callback) {
  if (kind < kTVMFFIDefRegionKindNone || kind > kTVMFFIDefRegionKindSimple) {
    TVM_FFI_THROW(ValueError) << kind << " is not a definition region kind";
  }
  return writable(mutator)->WithDefRegionKind(static_cast<TVMFFIDefRegionKind>(kind),
                                              [&]() -> Any { return callback(); });
}

// ---------------------------------------------------------------- hooks

TVMFFIAny mutate_hook(StructuralMutatorObj* mutator, AnyView value) noexcept {
  return detail::MutateParts(mutator, value, InplaceMode::kDisallow);
}

TVMFFIAny inplace_mutate_hook(StructuralMutatorObj* mutator, AnyView value) noexcept {
  return detail::MutateParts(mutator, value, InplaceMode::kAllow);
}

void set_hook(int32_t type_index, const char* name, FStructuralMutateABI hook) {
  TVMFFIByteArray key{name, std::strlen(name)};
  TVMFFIAny value = AnyView(reinterpret_cast<void*>(hook)).CopyToTVMFFIAny();
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(type_index, &key, &value));
}

void register_hooks() {
  for (int32_t type_index : {kTVMFFIArray, kTVMFFIList, kTVMFFIMap, kTVMFFIDict, kTVMFFIStr,
                             kTVMFFIBytes, kTVMFFIBigInt}) {
    set_hook(type_index, "__s_mutate__", &mutate_hook);
    set_hook(type_index, "__s_maybe_inplace_mutate__", &inplace_mutate_hook);
  }
}

}  // namespace

void register_structural_mutate_functions() {
  namespace refl = reflection;
  // The mutator of which a class is may have members that are not known here.
  refl::ObjectDef<StructuralMutatorObj>().def_type_attr(
      type_attr::kShallowCopy.name, [](const StructuralMutatorObj*) -> ObjectRef {
        TVM_FFI_THROW(TypeError) << "A `ffi.StructuralMutator` cannot be copied";
        TVM_FFI_UNREACHABLE();
      });
  register_hooks();
  refl::GlobalDef()
      .def("ffi.StructuralMap", structural_map, refl::short_call())
      .def("ffi.StructuralMutate", structural_mutate, refl::short_call())
      .def("ffi.StructuralMutatorMutate", mutator_mutate, refl::short_call())
      .def("ffi.StructuralMutatorDefaultMutate", mutator_default_mutate, refl::short_call())
      .def(
          "ffi.StructuralMutatorVarRemapGet",
          [](const StructuralMutator& mutator, const Any& var) -> Any {
            return writable(mutator)->VarRemapGetExpected(var).value();
          },
          refl::short_call())
      .def(
          "ffi.StructuralMutatorVarRemapSet",
          [](const StructuralMutator& mutator, const Any& var, const Any& mapped) {
            writable(mutator)->VarRemapSetExpected(var, mapped).value();
          },
          refl::short_call())
      .def(
          "ffi.StructuralMutatorDefRegionKind",
          [](const StructuralMutator& mutator) {
            return static_cast<int32_t>(mutator->def_region_kind());
          },
          refl::short_call())
      .def("ffi.StructuralMutatorWithDefRegionKind", mutator_with_def_region_kind,
           refl::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
