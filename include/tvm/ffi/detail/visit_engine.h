// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/visit_engine.h
 * \brief The visitors that call callbacks; included by extra/structural_visit.h at its end.
 */
#ifndef TVM_FFI_DETAIL_VISIT_ENGINE_H_
#define TVM_FFI_DETAIL_VISIT_ENGINE_H_

#include <tvm/ffi/extra/structural_visit.h>

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief What is known of a callback: its parameters and whether it takes a value. */
template <typename Callback>
struct VisitCallbackInfo : public FunctionInfo<Callback> {
  using Info = FunctionInfo<Callback>;
  static_assert(Info::num_args >= 1, "a callback of a traversal takes the value first");
  template <size_t i>
  using Arg = std::tuple_element_t<i, typename Info::ArgType>;
  /*! \brief What `as` is asked for. */
  using Value = PlainType<Arg<0>>;

  /*! \brief The value as the callback takes it; nullopt when it is none of the callback's. */
  TVM_FFI_INLINE static std::optional<Value> Match(AnyView value) {
    if constexpr (is_any_or_view_v<Value>) {
      return Value(value);
    } else {
      return value.as<Value>();
    }
  }
};

/*! \brief Run `call`, which returns `R` or `Expected<R>`, as a function that does not throw. */
template <typename R, typename F>
TVM_FFI_INLINE Expected<R> CallToExpected(F&& call) noexcept {
  try {
    return std::forward<F>(call)();
  } catch (...) {
    return CurrentExceptionAsError();
  }
}

/*!
 * \brief Whether a class leaves DefaultVisitExpected as it is, so that the library may go on by
 * itself below a value.
 */
template <typename Parent, typename = void>
inline constexpr bool has_plain_default_visit_v = false;
template <typename Parent>
inline constexpr bool
    has_plain_default_visit_v<Parent, std::void_t<decltype(&Parent::DefaultVisitExpected)>> =
        std::is_same_v<decltype(&Parent::DefaultVisitExpected),
                       decltype(&StructuralVisitorObj::DefaultVisitExpected)>;

/*!
 * \brief What both engines share: visiting a value by the steps of Engine.
 *
 * Engine has `static const StructuralVisitSteps kSteps`.
 */
template <typename Parent, typename Engine>
class VisitEngineBase : public Parent {
  static_assert(std::is_base_of_v<StructuralVisitorObj, Parent>,
                "the parent of an engine derives from StructuralVisitorObj");

 protected:
  VisitEngineBase() : Parent(&kVTable) {}

 private:
  static TVMFFIAny VisitValue(StructuralVisitorObj* visitor, AnyView value) noexcept {
    if constexpr (has_plain_default_visit_v<Parent>) {
      return CallToOwned(
          [&] { return GetStructuralVisitRuntime().walk(visitor, value, &Engine::kSteps); });
    } else {
      if (value == nullptr) return NoneResult();
      TVMFFIAny result = VisitByParent(static_cast<Engine*>(visitor), value);
      if (result.type_index == TypeIndex::kTVMFFIError) UpdateVisitErrorContext(result, value);
      return result;
    }
  }

  /*! \brief The steps around what the parent class does by default. */
  static TVMFFIAny VisitByParent(Engine* engine, AnyView value) noexcept {
    const StructuralVisitSteps& steps = Engine::kSteps;
    if (steps.enter != nullptr) {
      TVMFFIAny result = steps.enter(engine, value);
      if (StopsVisit(result)) return result;
      if (result.type_index == TypeIndex::kTVMFFIInt && result.v_int64 != WalkResult::kAdvanceTag) {
        return NoneResult();
      }
    }
    TVMFFIAny result = ExpectedUnsafe::MoveToTVMFFIAny(
        Expected<Optional<VisitInterrupt>>(engine->Parent::DefaultVisitExpected(value)));
    if (StopsVisit(result) || steps.leave == nullptr) return result;
    result = steps.leave(engine, value);
    return StopsVisit(result) ? result : NoneResult();
  }

  static constexpr StructuralVisitorVTable kVTable = {&VisitValue};
};

/*! \brief Visit a value by a new engine. */
template <typename Engine, typename... Callbacks>
Expected<Optional<VisitInterrupt>> VisitByEngine(AnyView root, Callbacks&&... callbacks) noexcept {
  return CallToExpected<Optional<VisitInterrupt>>([&] {
    ObjectPtr<Engine> engine = make_object<Engine>(std::forward<Callbacks>(callbacks)...);
    return engine->VisitExpected(root);
  });
}

}  // namespace detail

/*!
 * \brief A visitor that walks as StructuralWalkExpected does, for programs that extend it.
 *
 * Callbacks also get what `Parent::StateTuple()` gives, between the value and the region kind.
 * \tparam Parent derives from StructuralVisitorObj and is constructed from the table of functions.
 * \tparam order when callbacks run.
 * \tparam Callbacks classes or function pointers, one at least.
 */
template <typename Parent, WalkOrder order, typename... Callbacks>
class StructuralWalkEngine
    : public detail::VisitEngineBase<Parent, StructuralWalkEngine<Parent, order, Callbacks...>> {
  static_assert(sizeof...(Callbacks) > 0, "StructuralWalk needs at least one callback");

 public:
  explicit StructuralWalkEngine(Callbacks... callbacks) : callbacks_(std::move(callbacks)...) {}

 private:
  template <typename, typename>
  friend class detail::VisitEngineBase;

  static TVMFFIAny CallBack(StructuralVisitorObj* visitor, AnyView value) noexcept {
    auto* self = static_cast<StructuralWalkEngine*>(visitor);
    return std::apply(
        [&](auto&... callback) {
          TVMFFIAny result = detail::NoneResult();
          (void)(self->TryCall(callback, value, &result) || ...);
          return result;
        },
        self->callbacks_);
  }

  /*! \brief Call a callback if the value is one of its own; `*result` is owned then. */
  template <typename Callback>
  bool TryCall(Callback& callback, AnyView value, TVMFFIAny* result) noexcept {
    using Info = detail::VisitCallbackInfo<Callback>;
    using R = std::decay_t<typename Info::RetType>;
    static_assert(std::is_same_v<R, WalkResult> || std::is_same_v<R, Expected<WalkResult>>,
                  "StructuralWalk callbacks return WalkResult or Expected<WalkResult>");
    bool is_taken = false;
    Expected<WalkResult> outcome = detail::CallToExpected<WalkResult>([&]() -> R {
      std::optional<typename Info::Value> taken = Info::Match(value);
      if (!taken.has_value()) return WalkResult::Advance();
      is_taken = true;
      return CallWith(callback, *std::move(taken));
    });
    if (is_taken || outcome.is_err()) {
      *result = detail::ExpectedUnsafe::MoveToTVMFFIAny(std::move(outcome));
      return true;
    }
    return false;
  }

  template <typename Callback, typename Value>
  auto CallWith(Callback& callback, Value&& value) {
    constexpr size_t kNumArgs = detail::VisitCallbackInfo<Callback>::num_args;
    constexpr size_t kNumStates = std::tuple_size_v<typename Parent::StateTupleType>;
    static_assert(kNumArgs == 1 + kNumStates || kNumArgs == 2 + kNumStates,
                  "StructuralWalk callbacks take the value, the states of the visitor and, if they "
                  "wish, the definition region");
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

  static constexpr detail::StructuralVisitSteps kSteps =
      order == WalkOrder::kPreOrder ? detail::StructuralVisitSteps{&CallBack, nullptr}
                                    : detail::StructuralVisitSteps{nullptr, &CallBack};

  std::tuple<Callbacks...> callbacks_;
};

/*!
 * \brief A visitor that visits as StructuralVisitExpected does, for programs that extend it.
 * \tparam Parent derives from StructuralVisitorObj and is constructed from the table of functions;
 *         callbacks get the visitor as `Parent::VisitorObjType*`.
 * \tparam Callbacks classes or function pointers, one at least.
 */
template <typename Parent, typename... Callbacks>
class StructuralVisitEngine
    : public detail::VisitEngineBase<Parent, StructuralVisitEngine<Parent, Callbacks...>> {
  static_assert(sizeof...(Callbacks) > 0, "StructuralVisit needs at least one callback");

 public:
  explicit StructuralVisitEngine(Callbacks... callbacks) : callbacks_(std::move(callbacks)...) {}

 private:
  template <typename, typename>
  friend class detail::VisitEngineBase;

  static TVMFFIAny CallBack(StructuralVisitorObj* visitor, AnyView value) noexcept {
    auto* self = static_cast<StructuralVisitEngine*>(visitor);
    return std::apply(
        [&](auto&... callback) {
          TVMFFIAny result = detail::NoneResult();
          (void)(self->TryCall(callback, value, &result) || ...);
          return result;
        },
        self->callbacks_);
  }

  /*! \brief Call a callback if the value is one of its own, which is then visited. */
  template <typename Callback>
  bool TryCall(Callback& callback, AnyView value, TVMFFIAny* result) noexcept {
    using Info = detail::VisitCallbackInfo<Callback>;
    using R = std::decay_t<typename Info::RetType>;
    static_assert(std::is_same_v<R, Optional<VisitInterrupt>> ||
                      std::is_same_v<R, Expected<Optional<VisitInterrupt>>>,
                  "StructuralVisit callbacks return Optional<VisitInterrupt> or Expected of it");
    static_assert(Info::num_args == 2, "StructuralVisit callbacks take the value and the visitor");
    bool is_taken = false;
    auto outcome = detail::CallToExpected<Optional<VisitInterrupt>>([&]() -> R {
      std::optional<typename Info::Value> taken = Info::Match(value);
      if (!taken.has_value()) return R(std::nullopt);
      is_taken = true;
      return callback(*std::move(taken), static_cast<typename Parent::VisitorObjType*>(this));
    });
    if (!is_taken && outcome.is_ok()) return false;
    *result = detail::ExpectedUnsafe::MoveToTVMFFIAny(std::move(outcome));
    if (result->type_index == TypeIndex::kTVMFFINone) {
      // Done with, parts and all.
      *result = AnyView(WalkResult::kSkipTag).CopyToTVMFFIAny();
    }
    return true;
  }

  static constexpr detail::StructuralVisitSteps kSteps = {&CallBack, nullptr};

  std::tuple<Callbacks...> callbacks_;
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_VISIT_ENGINE_H_
