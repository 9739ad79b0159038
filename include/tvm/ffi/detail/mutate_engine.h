// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/mutate_engine.h
 * \brief The mutators that call callbacks; included by extra/structural_mutate.h at its end.
 */
#ifndef TVM_FFI_DETAIL_MUTATE_ENGINE_H_
#define TVM_FFI_DETAIL_MUTATE_ENGINE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

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

/*! \brief What a callback or a step gave, as an owned value. */
template <typename R>
TVM_FFI_INLINE TVMFFIAny MutateResultToOwned(R&& result) {
  using Result = std::decay_t<R>;
  if constexpr (is_expected_v<Result>) {
    return ExpectedUnsafe::MoveToTVMFFIAny(std::forward<R>(result));
  } else {
    return AnyUnsafe::MoveAnyToTVMFFIAny(Any(std::forward<R>(result)));
  }
}

/*!
 * \brief Call `call(callback, value)` for the first callback that takes the value.
 * \param result owned; the marker when no callback takes it.
 * \return whether one did.
 */
template <typename Tuple, typename Call>
bool CallFirstMatching(Tuple& callbacks, AnyView value, TVMFFIAny* result, Call call) noexcept {
  *result = Unchanged().CopyToTVMFFIAny();
  bool is_taken = false;
  auto try_one = [&](auto& callback) {
    using Info = VisitCallbackInfo<std::decay_t<decltype(callback)>>;
    static_assert(!std::is_void_v<typename Info::RetType>,
                  "callbacks of a mutation return what the value becomes");
    *result = CallToOwned([&]() -> TVMFFIAny {
      std::optional<typename Info::Value> taken = Info::Match(value);
      if (!taken.has_value()) return *result;
      is_taken = true;
      using Arg = typename Info::template Arg<0>;
      return MutateResultToOwned(call(callback, static_cast<Arg&&>(*taken)));
    });
    return is_taken || result->type_index == TypeIndex::kTVMFFIError;
  };
  return std::apply([&](auto&... callback) { return (try_one(callback) || ...); }, callbacks);
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
 * \brief What the engines share: mutating a value by the steps of Engine.
 *
 * Engine has `static const StructuralMutateSteps kSteps`.
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
    if constexpr (has_plain_default_mutate_v<Parent>) {
      return CallToOwned([&] {
        return GetStructuralMutateRuntime().mutate(mutator, value, mode, &Engine::kSteps);
      });
    } else {
      TVMFFIAny result = MutateByParent(static_cast<Engine*>(mutator), value, mode);
      if (result.type_index == TypeIndex::kTVMFFIError) UpdateVisitErrorContext(result, value);
      return result;
    }
  }

  /*! \brief The steps around what the parent class does by default. */
  static TVMFFIAny MutateByParent(Engine* engine, AnyView value, InplaceMode mode) noexcept {
    const StructuralMutateSteps& steps = Engine::kSteps;
    Any current = value;
    if (steps.enter != nullptr) {
      bool is_final = false;
      Any entered = AnyUnsafe::MoveTVMFFIAnyRawToAny(steps.enter(engine, value, mode, &is_final));
      if (is_final || entered.type_index() == TypeIndex::kTVMFFIError) {
        return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(entered));
      }
      if (entered.type_index() != TypeIndex::kTVMFFIUnchanged) current = std::move(entered);
    }
    Any inner = AnyUnsafe::MoveTVMFFIAnyRawToAny(ExpectedUnsafe::MoveToTVMFFIAny(
        Expected<UnchangedOr<Any>>(engine->Parent::DefaultMutateExpected(current, mode))));
    if (inner.type_index() != TypeIndex::kTVMFFIUnchanged) current = std::move(inner);
    if (steps.leave != nullptr && current.type_index() != TypeIndex::kTVMFFIError) {
      Any left = AnyUnsafe::MoveTVMFFIAnyRawToAny(steps.leave(engine, current));
      if (left.type_index() != TypeIndex::kTVMFFIUnchanged) current = std::move(left);
    }
    if (AnyView(current).same_as(value)) current = Unchanged();
    return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(current));
  }

  static constexpr StructuralMutatorVTable kVTable = {
      &MutateValue<InplaceMode::kDisallow>, &MutateValue<InplaceMode::kAllow>,
      &MutateEngineBase::VarRemapGet, &MutateEngineBase::VarRemapSet};
};

/*! \brief Mutate a value by a new engine. */
template <typename Engine, typename... Callbacks>
Expected<Any> MutateByEngine(Any root, Callbacks&&... callbacks) noexcept {
  return CallToExpected<Any>([&]() -> Expected<Any> {
    ObjectPtr<Engine> engine = make_object<Engine>(std::forward<Callbacks>(callbacks)...);
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

  static TVMFFIAny CallBack(StructuralMutatorObj* mutator, AnyView value) noexcept {
    auto* self = static_cast<StructuralMapEngine*>(mutator);
    TVMFFIAny result;
    detail::CallFirstMatching(self->callbacks_, value, &result, [&](auto& callback, auto&& taken) {
      return self->CallWith(callback, std::forward<decltype(taken)>(taken));
    });
    return result;
  }
  static TVMFFIAny Enter(StructuralMutatorObj* mutator, AnyView value, InplaceMode,
                         bool*) noexcept {
    return CallBack(mutator, value);
  }

  template <typename Callback, typename Value>
  auto CallWith(Callback& callback, Value&& value) {
    constexpr size_t kNumArgs = detail::VisitCallbackInfo<Callback>::num_args;
    constexpr size_t kNumStates = std::tuple_size_v<typename Parent::StateTupleType>;
    static_assert(kNumArgs == 1 + kNumStates || kNumArgs == 2 + kNumStates,
                  "StructuralMap callback takes (value, state...) with an optional trailing "
                  "definition-region kind");
    typename Parent::StateTupleType states = this->StateTuple();
    return std::apply(
        [&](auto&... state) {
          if constexpr (kNumArgs == 1 + kNumStates) {
            return callback(std::forward<Value>(value), state...);
          } else {
            return callback(std::forward<Value>(value), state..., this->def_region_mode_);
          }
        },
        states);
  }

  static constexpr detail::StructuralMutateSteps kSteps =
      order == WalkOrder::kPreOrder ? detail::StructuralMutateSteps{&Enter, nullptr}
                                    : detail::StructuralMutateSteps{nullptr, &CallBack};

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

  static TVMFFIAny Enter(StructuralMutatorObj* mutator, AnyView value, InplaceMode mode,
                         bool* is_final) noexcept {
    auto* self = static_cast<StructuralMutateEngine*>(mutator);
    TVMFFIAny result;
    *is_final = detail::CallFirstMatching(
        self->callbacks_, value, &result, [&](auto& callback, auto&& taken) {
          return self->CallWith(callback, std::forward<decltype(taken)>(taken), mode);
        });
    return result;
  }

  template <typename Callback, typename Value>
  auto CallWith(Callback& callback, Value&& value, InplaceMode mode) {
    using Mutator = typename Parent::MutatorObjType;
    using Info = detail::VisitCallbackInfo<Callback>;
    constexpr size_t kNumArgs = Info::num_args;
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

  static constexpr detail::StructuralMutateSteps kSteps = {&Enter, nullptr};

  std::tuple<Callbacks...> callbacks_;
};

/*!
 * \brief A mutator that maps by callbacks chosen by type index: what frontends use.
 * \tparam Parent as for StructuralMapEngine; its states are not passed.
 * \tparam order when callbacks run.
 */
template <typename Parent, WalkOrder order>
class StructuralMapDynEngine
    : public detail::MutateEngineBase<Parent, StructuralMapDynEngine<Parent, order>> {
 public:
  /*! \brief Type index (-1: all values) and what to call. */
  using Callbacks = Array<Tuple<int32_t, Function>>;

  /*!
   * \param callbacks called with the value; the first that takes it.
   * \param callbacks_with_kind called with the value and the definition region, where none of the
   *        former takes it.
   */
  StructuralMapDynEngine(Callbacks callbacks, Callbacks callbacks_with_kind)
      : callbacks_(std::move(callbacks)), callbacks_with_kind_(std::move(callbacks_with_kind)) {}

 private:
  template <typename, typename>
  friend class detail::MutateEngineBase;

  static TVMFFIAny CallBack(StructuralMutatorObj* mutator, AnyView value) noexcept {
    auto* self = static_cast<StructuralMapDynEngine*>(mutator);
    return detail::CallToOwned([&]() -> TVMFFIAny {
      for (const Tuple<int32_t, Function>& one : self->callbacks_) {
        if (!detail::RuntimeTypeIndexMatch(value.type_index(), one.template get<0>())) continue;
        return detail::MutateResultToOwned(one.template get<1>()(value));
      }
      for (const Tuple<int32_t, Function>& one : self->callbacks_with_kind_) {
        if (!detail::RuntimeTypeIndexMatch(value.type_index(), one.template get<0>())) continue;
        return detail::MutateResultToOwned(
            one.template get<1>()(value, static_cast<int32_t>(self->def_region_mode_)));
      }
      return Unchanged().CopyToTVMFFIAny();
    });
  }
  static TVMFFIAny Enter(StructuralMutatorObj* mutator, AnyView value, InplaceMode,
                         bool*) noexcept {
    return CallBack(mutator, value);
  }

  static constexpr detail::StructuralMutateSteps kSteps =
      order == WalkOrder::kPreOrder ? detail::StructuralMutateSteps{&Enter, nullptr}
                                    : detail::StructuralMutateSteps{nullptr, &CallBack};

  Callbacks callbacks_;
  Callbacks callbacks_with_kind_;
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_MUTATE_ENGINE_H_
