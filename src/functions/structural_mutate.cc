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

#include "core/type_entry.h"
#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// ---------------------------------------------------------------- maps and mutations

using MapCallbacks = Array<Tuple<int32_t, Function>>;
using MutateCallbacks = Array<Tuple<int32_t, Function, bool>>;

// The callbacks that can ever be called: an index that no type has matches nothing.
template <typename Callback>
Array<Callback> check_callbacks(const char* operation, const Array<Callback>& callbacks) {
  Array<Callback> checked;
  checked.reserve(static_cast<int64_t>(callbacks.size()));
  for (const Callback& one : callbacks) {
    int32_t type_index = one.template get<0>();
    if (type_index < kTVMFFIAny) {
      TVM_FFI_THROW(TypeError) << operation
                               << " callback type_index is negative, the only acceptable negative "
                                  "type_index is -1 for Any";
    }
    if (one.template get<1>() == nullptr) {
      TVM_FFI_THROW(TypeError) << operation << " callback is None";
    }
    if (type_index == kTVMFFIAny || find_type_entry(type_index) != nullptr) checked.push_back(one);
  }
  return checked;
}

template <WalkOrder order>
Any map_in_order(Any root, MapCallbacks callbacks, MapCallbacks callbacks_with_kind) {
  using Engine = StructuralMapDynEngine<StructuralMapEngineBase, order>;
  return detail::MutateByEngine<Engine>(std::move(root), std::move(callbacks),
                                        std::move(callbacks_with_kind))
      .value();
}

Any structural_map(Any root, MapCallbacks callbacks, MapCallbacks callbacks_with_kind,
                   int32_t order) {
  callbacks = check_callbacks("ffi.StructuralMap", callbacks);
  callbacks_with_kind = check_callbacks("ffi.StructuralMap", callbacks_with_kind);
  switch (order) {
    case static_cast<int32_t>(WalkOrder::kPreOrder):
      return map_in_order<WalkOrder::kPreOrder>(std::move(root), std::move(callbacks),
                                                std::move(callbacks_with_kind));
    case static_cast<int32_t>(WalkOrder::kPostOrder):
      return map_in_order<WalkOrder::kPostOrder>(std::move(root), std::move(callbacks),
                                                 std::move(callbacks_with_kind));
    default:
      TVM_FFI_THROW(ValueError) << "Unknown structural map order: " << order;
      TVM_FFI_UNREACHABLE();
  }
}

// Mutates by callbacks chosen by type index. What they return is final.
class MutateDynEngine : public detail::MutateEngineBase<StructuralMapEngineBase, MutateDynEngine> {
 public:
  explicit MutateDynEngine(MutateCallbacks callbacks) : callbacks_(std::move(callbacks)) {}

  // The mutation is over. A frontend whose callback keeps the mutator would otherwise keep both
  // for ever, since the callback is kept here.
  void end() { MutateCallbacks gone = std::move(callbacks_); }

 private:
  template <typename, typename>
  friend class detail::MutateEngineBase;

  static constexpr WalkOrder kOrder = WalkOrder::kPreOrder;

  TVMFFIAny CallBack(AnyView value, InplaceMode mode, bool* is_final) noexcept {
    return detail::CallToOwned([&]() -> TVMFFIAny {
      for (const Tuple<int32_t, Function, bool>& one : MutateCallbacks(callbacks_)) {
        if (!detail::RuntimeTypeIndexMatch(value.type_index(), one.get<0>())) continue;
        *is_final = true;
        Function callback = one.get<1>();
        auto* mutator = static_cast<StructuralMutatorObj*>(this);
        return detail::ResultToOwned(one.get<2>()
                                         ? callback(value, mutator, static_cast<int32_t>(mode))
                                         : callback(value, mutator));
      }
      return detail::UnchangedResult();
    });
  }

  MutateCallbacks callbacks_;
};

Any structural_mutate(Any root, const MutateCallbacks& callbacks) {
  detail::CheckCStack(detail::kMutateOperation);
  auto engine = make_object<MutateDynEngine>(check_callbacks("ffi.StructuralMutate", callbacks));
  struct AtEnd {
    MutateDynEngine* engine;
    ~AtEnd() { engine->end(); }
  } at_end{engine.get()};
  return engine->MutateExpected(root, InplaceMode::kAllow)
      .value()
      .ValueOrUnchanged(std::move(root));
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
