// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/mutate_engine.h
 * \brief The mutators that call callbacks; included by extra/structural_mutate.h at its end.
 */
#ifndef TVM_FFI_DETAIL_MUTATE_ENGINE_H_
#define TVM_FFI_DETAIL_MUTATE_ENGINE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/detail/callback_match.h>
#include <tvm/ffi/detail/mutate_walk.h>
#include <tvm/ffi/detail/visit_engine.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {

/*!
 * \brief A mutator that remembers what variables became, by identity; base of all engines.
 *
 * A class that derives from it is made with the table of functions that its engine brings.
 */
class StructuralMapEngineBase : public StructuralMutatorObj {
 public:
  /*! \brief What StateTuple() of the class gives. */
  using StateTupleType = std::tuple<>;

  explicit StructuralMapEngineBase(const StructuralMutatorVTable* vtable)
      : StructuralMutatorObj(vtable) {}

 protected:
  /*! \brief What engines pass to callbacks after the value; a class may have its own. */
  StateTupleType StateTuple() const noexcept { return {}; }

  /*! \brief Functions for the table. */
  static TVMFFIAny VarRemapGet(StructuralMutatorObj* mutator, AnyView var) noexcept {
    return detail::CallToOwned([&] {
      const void* key = KeyOf(var);
      auto& remap = static_cast<StructuralMapEngineBase*>(mutator)->remap_;
      auto found = remap.find(key);
      Any mapped = found == remap.end() ? Any() : found->second.mapped;
      return detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(mapped));
    });
  }
  static TVMFFIAny VarRemapSet(StructuralMutatorObj* mutator, AnyView var,
                               AnyView mapped) noexcept {
    return detail::CallToOwned([&] {
      const void* key = KeyOf(var);
      auto& remap = static_cast<StructuralMapEngineBase*>(mutator)->remap_;
      // What is replaced goes last: its destructor may come back here.
      Entry entry{Any(var), Any(mapped)};
      std::swap(remap[key], entry);
      return detail::NoneResult();
    });
  }

 private:
  struct Entry {
    /*! \brief Keeps the variable alive, and with it the address. */
    Any var;
    Any mapped;
  };

  static const void* KeyOf(AnyView var) {
    if (TVM_FFI_PREDICT_FALSE(var.type_index() < TypeIndex::kTVMFFIStaticObjectBegin)) {
      TVM_FFI_THROW(TypeError) << "Variable-remap key must be an object-backed value";
    }
    return var.CopyToTVMFFIAny().v_obj;
  }

  std::unordered_map<const void*, Entry> remap_;
};

namespace detail {

template <typename Callback>
constexpr void CheckMutateCallback() {
  static_assert(!std::is_void_v<typename VisitCallbackInfo<Callback>::RetType>,
                "callbacks of a mutation return what the value becomes");
}

/*!
 * \brief Whether a class leaves DefaultMutateExpected as it is, so that the library may go on by
 * itself below a value.
 */
template <typename Parent, typename = void>
inline constexpr bool has_plain_default_mutate_v = false;
template <typename Parent>
inline constexpr bool
    has_plain_default_mutate_v<Parent, std::void_t<decltype(&Parent::DefaultMutateExpected)>> =
        std::is_same_v<decltype(&Parent::DefaultMutateExpected),
                       decltype(&StructuralMutatorObj::DefaultMutateExpected)>;

/*!
 * \brief What the engines share: mutating a value by the callbacks of Engine, and its parts.
 *
 * Engine has `static constexpr WalkOrder kOrder`, which tells whether its step is taken before or
 * after the parts, and the step, `TVMFFIAny CallBack(AnyView, InplaceMode, bool* is_final)`, which
 * does not throw; see StructuralMutateSteps.
 */
template <typename Parent, typename Engine>
class MutateEngineBase : public Parent {
  static_assert(std::is_base_of_v<StructuralMapEngineBase, Parent>,
                "the parent of an engine derives from StructuralMapEngineBase");

 protected:
  MutateEngineBase() : Parent(&kVTable) {}

 private:
  template <InplaceMode mode>
  static TVMFFIAny MutateValue(StructuralMutatorObj* mutator, AnyView value) noexcept {
    auto* self = static_cast<MutateEngineBase*>(mutator);
    ++self->num_nested_;
    TVMFFIAny result = self->MutateNested(value, mode);
    --self->num_nested_;
    return TVM_FFI_PREDICT_TRUE(!IsErrorResult(result)) ? result : RecordedVisit(result, value);
  }

  TVM_FFI_INLINE TVMFFIAny MutateNested(AnyView value, InplaceMode mode) noexcept {
    if constexpr (Engine::kOrder == WalkOrder::kPostOrder && has_plain_default_mutate_v<Parent>) {
      // Without parts only the step is left.
      if (value.type_index() < TypeIndex::kTVMFFIStaticObjectBegin) {
        bool is_final;
        return static_cast<Engine*>(this)->CallBack(value, mode, &is_final);
      }
    }
    if (num_nested_ > kMaxUncheckedMutations && !CStackHasRoom()) return NoCStackForMutation();
    if constexpr (Engine::kOrder == WalkOrder::kPreOrder) {
      bool is_final = false;
      TVMFFIAny entered = static_cast<Engine*>(this)->CallBack(value, mode, &is_final);
      if (is_final || IsErrorResult(entered)) return entered;
      if (!IsUnchangedResult(entered)) {
        Any replacement = AdoptResult(entered);
        if (!AnyView(replacement).same_as(value)) return MutateReplacement(std::move(replacement));
      }
      // The callback may have kept what it was shown.
      return MutatePartsOf(value, ModeAfterCallback(value, mode));
    } else {
      TVMFFIAny result = MutatePartsOf(value, mode);
      if (IsErrorResult(result)) return result;
      bool is_final;
      Any became = AdoptResult(result);
      AnyView current = IsUnchangedResult(result) ? value : AnyView(became);
      TVMFFIAny left = static_cast<Engine*>(this)->CallBack(current, mode, &is_final);
      return IsUnchangedResult(left) ? AnyUnsafe::MoveAnyToTVMFFIAny(std::move(became)) : left;
    }
  }

  TVMFFIAny MutateReplacement(Any replacement) noexcept {
    TVMFFIAny result =
        MutatePartsOf(replacement, ModeAfterCallback(replacement, InplaceMode::kAllow));
    if (!IsUnchangedResult(result)) return result;
    return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(replacement));
  }

  TVM_FFI_INLINE TVMFFIAny MutatePartsOf(AnyView value, InplaceMode mode) noexcept {
    if constexpr (has_plain_default_mutate_v<Parent>) {
      if (value.type_index() < TypeIndex::kTVMFFIStaticObjectBegin) return UnchangedResult();
      if (TVM_FFI_PREDICT_TRUE(num_nested_ <= kMaxNestedMutations)) {
        return MutateParts(this, value, mode);
      }
      return MutatePartsWhenDeep(this, value, mode, Steps());
    } else {
      return ExpectedUnsafe::MoveToTVMFFIAny(
          Expected<UnchangedOr<Any>>(Parent::DefaultMutateExpected(value, mode)));
    }
  }

  static TVMFFIAny EnterStep(StructuralMutatorObj* mutator, AnyView value, InplaceMode mode,
                             bool* is_final) noexcept {
    return static_cast<Engine*>(mutator)->CallBack(value, mode, is_final);
  }
  static TVMFFIAny LeaveStep(StructuralMutatorObj* mutator, AnyView value) noexcept {
    bool is_final;
    return static_cast<Engine*>(mutator)->CallBack(value, InplaceMode::kDisallow, &is_final);
  }
  static const StructuralMutateSteps& Steps() {
    static constexpr StructuralMutateSteps kSteps =
        Engine::kOrder == WalkOrder::kPreOrder ? StructuralMutateSteps{&EnterStep, nullptr}
                                               : StructuralMutateSteps{nullptr, &LeaveStep};
    return kSteps;
  }

  static constexpr StructuralMutatorVTable kVTable = {
      &MutateValue<InplaceMode::kDisallow>, &MutateValue<InplaceMode::kAllow>,
      &MutateEngineBase::VarRemapGet, &MutateEngineBase::VarRemapSet};

  int num_nested_ = 0;
};

/*! \brief Mutate a value by a new engine. */
template <typename Engine, typename... Callbacks>
Expected<Any> MutateByEngine(Any root, Callbacks&&... callbacks) noexcept {
  return CallToExpected<Any>([&]() -> Expected<Any> {
    CheckCStack(kMutateOperation);
    ObjectPtr<Engine> engine = make_object<Engine>(std::forward<Callbacks>(callbacks)...);
    TraversalScope<Engine> scope(engine.get());
    Expected<UnchangedOr<Any>> result = engine->MutateExpected(root, InplaceMode::kAllow);
    if (result.is_err()) return std::move(result).error();
    return std::move(result).value().ValueOrUnchanged(std::move(root));
  });
}

}  // namespace detail

/*!
 * \brief A mutator that maps as StructuralMapExpected does, for programs that extend it.
 *
 * Callbacks also get what `Parent::StateTuple()` gives, between the value and the region kind.
 * \tparam Parent derives from StructuralMapEngineBase and is constructed from the table of
 *         functions.
 * \tparam order when callbacks run.
 * \tparam Callbacks classes or function pointers, one at least.
 */
template <typename Parent, WalkOrder order, typename... Callbacks>
class StructuralMapEngine
    : public detail::MutateEngineBase<Parent, StructuralMapEngine<Parent, order, Callbacks...>> {
 public:
  explicit StructuralMapEngine(Callbacks... callbacks) : callbacks_(std::move(callbacks)...) {}

 private:
  template <typename, typename>
  friend class detail::MutateEngineBase;

  static constexpr WalkOrder kOrder = order;

  TVMFFIAny CallBack(AnyView value, InplaceMode, bool*) noexcept {
    TVMFFIAny result = detail::UnchangedResult();
    detail::CallFirstMatching(callbacks_, value, &result, [&](auto& callback, auto&& taken) {
      detail::CheckMutateCallback<std::decay_t<decltype(callback)>>();
      return detail::ResultToOwned(
          detail::CallWithStates(callback, std::forward<decltype(taken)>(taken), this->StateTuple(),
                                 this->def_region_mode_));
    });
    return result;
  }

  std::tuple<Callbacks...> callbacks_;
};

/*!
 * \brief A mutator that mutates as StructuralMutateExpected does, for programs that extend it.
 * \tparam Parent derives from StructuralMapEngineBase and is constructed from the table of
 *         functions; callbacks get the mutator as `Parent::MutatorObjType*`.
 * \tparam Callbacks classes or function pointers, one at least.
 */
template <typename Parent, typename... Callbacks>
class StructuralMutateEngine
    : public detail::MutateEngineBase<Parent, StructuralMutateEngine<Parent, Callbacks...>> {
 public:
  explicit StructuralMutateEngine(Callbacks... callbacks) : callbacks_(std::move(callbacks)...) {}

 private:
  template <typename, typename>
  friend class detail::MutateEngineBase;

  static constexpr WalkOrder kOrder = WalkOrder::kPreOrder;

  TVMFFIAny CallBack(AnyView value, InplaceMode mode, bool* is_final) noexcept {
    TVMFFIAny result = detail::UnchangedResult();
    *is_final =
        detail::CallFirstMatching(callbacks_, value, &result, [&](auto& callback, auto&& taken) {
          return detail::ResultToOwned(
              CallWithMutator(callback, std::forward<decltype(taken)>(taken), mode));
        });
    return result;
  }

  template <typename Callback, typename Value>
  auto CallWithMutator(Callback& callback, Value&& value, InplaceMode mode) {
    using Mutator = typename Parent::MutatorObjType;
    using Info = detail::VisitCallbackInfo<Callback>;
    constexpr size_t kNumArgs = Info::num_args;
    detail::CheckMutateCallback<Callback>();
    static_assert(kNumArgs == 2 || kNumArgs == 3,
                  "StructuralMutate callback must take (value, mutator) or (value, mutator, "
                  "inplace_mode)");
    static_assert(std::is_same_v<typename Info::template Arg<1>, Mutator*>,
                  "second StructuralMutate callback argument must be exactly "
                  "Parent::MutatorObjType*");
    auto* mutator = static_cast<Mutator*>(this);
    if constexpr (kNumArgs == 2) {
      return callback(std::forward<Value>(value), mutator);
    } else {
      return callback(std::forward<Value>(value), mutator, mode);
    }
  }

  std::tuple<Callbacks...> callbacks_;
};

namespace detail {

/*! \brief A mutator that maps by two tables of callbacks, see RegionTables. */
template <typename Parent, WalkOrder order, typename Table>
class MapTableEngine : public MutateEngineBase<Parent, MapTableEngine<Parent, order, Table>> {
 public:
  MapTableEngine(Table plain, Table with_region)
      : tables_(std::move(plain), std::move(with_region)) {}

 private:
  template <typename, typename>
  friend class MutateEngineBase;

  static constexpr WalkOrder kOrder = order;

  TVMFFIAny CallBack(AnyView value, InplaceMode, bool*) noexcept {
    return tables_.Call(value, this->def_region_mode_, [] { return UnchangedResult(); });
  }

  RegionTables<Table> tables_;
};

/*! \brief Callbacks in the order in which they are tried. */
class CallbackList {
 public:
  struct Callback {
    int32_t type_index;
    Function function;

    template <typename... Args>
    TVMFFIAny call(const Args&... args) const noexcept {
      return CallToOwned([&] { return ResultToOwned(function(args...)); });
    }
  };

  explicit CallbackList(const Array<Tuple<int32_t, Function>>& callbacks) {
    list_.reserve(callbacks.size());
    for (const Tuple<int32_t, Function>& one : callbacks) {
      list_.push_back({one.get<0>(), one.get<1>()});
    }
  }

  const Callback* find(AnyView value) const {
    for (const Callback& one : list_) {
      if (RuntimeTypeIndexMatch(value.type_index(), one.type_index)) return &one;
    }
    return nullptr;
  }

 private:
  std::vector<Callback> list_;
};

}  // namespace detail

/*!
 * \brief A mutator that maps by callbacks chosen by type index.
 * \tparam Parent as for StructuralMapEngine; its states are not passed.
 * \tparam order when callbacks run.
 */
template <typename Parent, WalkOrder order>
class StructuralMapDynEngine : public detail::MapTableEngine<Parent, order, detail::CallbackList> {
 public:
  /*! \brief Type index (-1: all values) and what to call. */
  using Callbacks = Array<Tuple<int32_t, Function>>;

  /*!
   * \param callbacks called with the value; the first that takes it.
   * \param callbacks_with_kind called with the value and the definition region, where none of the
   *        former takes it.
   */
  StructuralMapDynEngine(const Callbacks& callbacks, const Callbacks& callbacks_with_kind)
      : detail::MapTableEngine<Parent, order, detail::CallbackList>(
            detail::CallbackList(callbacks), detail::CallbackList(callbacks_with_kind)) {}
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_MUTATE_ENGINE_H_
