// SPDX-License-Identifier: Apache-2.0
// Structural mutation for language bindings (such as the Python extension): StructuralMap and
// mutations whose callbacks are Functions, selected by type index, and the methods of the mutator.
// Also registers the hook `__s_mutate__` of the containers, for mutators of other libraries that
// call it.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/structural_mutate.h>

#include <cstring>
#include <utility>

#include "functions/callbacks.h"
#include "functions/functions.h"
#include "functions/traversal.h"

namespace tvm::ffi::runtime {
namespace {

// ---------------------------------------------------------------- maps and mutations

using MapCallbacks = Array<Tuple<int32_t, Function>>;
using MutateCallbacks = Array<Tuple<int32_t, Function, bool>>;

template <WalkOrder order>
Any map_in_order(Any root, Callbacks plain, Callbacks with_region) {
  using Engine = detail::MapTableEngine<StructuralMapEngineBase, order, Callbacks>;
  return detail::MutateByEngine<Engine>(std::move(root), std::move(plain), std::move(with_region))
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

// Mutates values by callbacks. The type index of a value selects its callback. The value that a
// callback returns is not mutated again.
class MutateDynEngine : public detail::MutateEngineBase<StructuralMapEngineBase, MutateDynEngine> {
 public:
  explicit MutateDynEngine(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

  void EndTraversal() { callbacks_.release(); }

 private:
  template <typename, typename>
  friend class detail::MutateEngineBase;

  static constexpr WalkOrder kOrder = WalkOrder::kPreOrder;

  TVMFFIAny CallBack(AnyView value, InplaceMode mode, bool* is_final) noexcept {
    const Callback* found = callbacks_.find(value);
    if (found == nullptr) return detail::UnchangedResult();
    *is_final = true;
    Callback callback = *found;  // a copy: another thread may call EndTraversal() meanwhile
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

// These methods return the given value itself if nothing changed.

Any mutator_mutate(const StructuralMutator& mutator, Any value) {
  return writable(mutator)->Mutate(value).ValueOrUnchanged(std::move(value));
}

Any mutator_default_mutate(const StructuralMutator& mutator, Any value) {
  return writable(mutator)->DefaultMutateExpected(value).value().ValueOrUnchanged(std::move(value));
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
  refuse_copies<StructuralMutatorObj>();
  register_hooks();
  ShortDef()
      .def("ffi.StructuralMap", structural_map)
      .def("ffi.StructuralMutate", structural_mutate)
      .def("ffi.StructuralMutatorMutate", mutator_mutate)
      .def("ffi.StructuralMutatorDefaultMutate", mutator_default_mutate)
      .def("ffi.StructuralMutatorVarRemapGet",
           [](const StructuralMutator& mutator, const Any& var) -> Any {
             return writable(mutator)->VarRemapGetExpected(var).value();
           })
      .def("ffi.StructuralMutatorVarRemapSet",
           [](const StructuralMutator& mutator, const Any& var, const Any& mapped) {
             writable(mutator)->VarRemapSetExpected(var, mapped).value();
           })
      .def("ffi.StructuralMutatorDefRegionKind",
           [](const StructuralMutator& mutator) {
             return static_cast<int32_t>(mutator->def_region_kind());
           })
      .def("ffi.StructuralMutatorWithDefRegionKind", with_def_region_kind<StructuralMutator>);
}

}  // namespace tvm::ffi::runtime
