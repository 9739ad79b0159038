// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/visit_engine.h
 * \brief The visitors that call callbacks; included by extra/structural_visit.h at its end.
 */
#ifndef TVM_FFI_DETAIL_VISIT_ENGINE_H_
#define TVM_FFI_DETAIL_VISIT_ENGINE_H_

#include <tvm/ffi/detail/callback_match.h>
#include <tvm/ffi/detail/visit_walk.h>
#include <tvm/ffi/extra/structural_visit.h>

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

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
 * \brief What the engines share: visiting a value by the callbacks of Engine, and its parts.
 *
 * Engine has `static constexpr WalkOrder kOrder`, which tells whether its step is taken before or
 * after the parts, and the step, `TVMFFIAny CallBack(AnyView) noexcept`; see StructuralVisitSteps.
 */
template <typename Parent, typename Engine>
class VisitEngineBase : public Parent {
  static_assert(std::is_base_of_v<StructuralVisitorObj, Parent>,
                "the parent of an engine derives from StructuralVisitorObj");

 protected:
  VisitEngineBase() : Parent(&kVTable) {}

 private:
  static TVMFFIAny VisitValue(StructuralVisitorObj* visitor, AnyView value) noexcept {
    if (value.type_index() == TypeIndex::kTVMFFINone) return NoneResult();
    auto* self = static_cast<VisitEngineBase*>(visitor);
    ++self->num_nested_;
    TVMFFIAny result = self->VisitNested(value);
    --self->num_nested_;
    return TVM_FFI_PREDICT_TRUE(!StopsVisit(result)) ? result : RecordedVisit(result, value);
  }

  TVM_FFI_INLINE TVMFFIAny VisitNested(AnyView value) noexcept {
    if (num_nested_ > kMaxUncheckedVisits && !CStackHasRoom()) return NoCStackForVisit();
    if constexpr (Engine::kOrder == WalkOrder::kPreOrder) {
      TVMFFIAny result = static_cast<Engine*>(this)->CallBack(value);
      if (StopsVisit(result)) return result;
      if (SkipsParts(result)) return NoneResult();
    }
    if (!has_plain_default_visit_v<Parent> ||
        value.type_index() >= TypeIndex::kTVMFFIStaticObjectBegin) {
      TVMFFIAny result = VisitPartsOf(value);
      if (StopsVisit(result)) return result;
    }
    if constexpr (Engine::kOrder == WalkOrder::kPostOrder) {
      TVMFFIAny result = static_cast<Engine*>(this)->CallBack(value);
      if (StopsVisit(result)) return result;
    }
    return NoneResult();
  }

  TVM_FFI_INLINE TVMFFIAny VisitPartsOf(AnyView value) noexcept {
    if constexpr (has_plain_default_visit_v<Parent>) {
      if (TVM_FFI_PREDICT_TRUE(num_nested_ <= kMaxNestedVisits)) return VisitParts(this, value);
      return VisitPartsWhenDeep(this, value, Steps());
    } else {
      return ExpectedUnsafe::MoveToTVMFFIAny(
          Expected<Optional<VisitInterrupt>>(Parent::DefaultVisitExpected(value)));
    }
  }

  static TVMFFIAny Step(StructuralVisitorObj* visitor, AnyView value) noexcept {
    return static_cast<Engine*>(visitor)->CallBack(value);
  }
  static const StructuralVisitSteps& Steps() {
    static constexpr StructuralVisitSteps kSteps = Engine::kOrder == WalkOrder::kPreOrder
                                                       ? StructuralVisitSteps{&Step, nullptr}
                                                       : StructuralVisitSteps{nullptr, &Step};
    return kSteps;
  }

  static constexpr StructuralVisitorVTable kVTable = {&VisitValue};

  int num_nested_ = 0;
};

/*! \brief Tells an engine that has a member `EndTraversal()` when its traversal is over. */
template <typename Engine, typename = void>
struct TraversalScope {
  explicit TraversalScope(Engine*) {}
};
template <typename Engine>
struct TraversalScope<Engine, std::void_t<decltype(std::declval<Engine&>().EndTraversal())>> {
  explicit TraversalScope(Engine* engine) : engine_(engine) {}
  ~TraversalScope() { engine_->EndTraversal(); }
  TraversalScope(const TraversalScope&) = delete;
  TraversalScope& operator=(const TraversalScope&) = delete;

 private:
  Engine* engine_;
};

/*! \brief Visit a value by a new engine. */
template <typename Engine, typename... Callbacks>
Expected<Optional<VisitInterrupt>> VisitByEngine(AnyView root, Callbacks&&... callbacks) noexcept {
  return CallToExpected<Optional<VisitInterrupt>>([&] {
    CheckCStack(kVisitOperation);
    ObjectPtr<Engine> engine = make_object<Engine>(std::forward<Callbacks>(callbacks)...);
    TraversalScope<Engine> scope(engine.get());
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

  static constexpr WalkOrder kOrder = order;

  TVMFFIAny CallBack(AnyView value) noexcept {
    TVMFFIAny result = detail::NoneResult();
    detail::CallFirstMatching(callbacks_, value, &result, [&](auto& callback, auto&& taken) {
      using Info = detail::VisitCallbackInfo<std::decay_t<decltype(callback)>>;
      using R = std::decay_t<typename Info::RetType>;
      static_assert(std::is_same_v<R, WalkResult> || std::is_same_v<R, Expected<WalkResult>>,
                    "StructuralWalk callbacks return WalkResult or Expected<WalkResult>");
      return detail::ResultToOwned<R>(
          detail::CallWithStates(callback, std::forward<decltype(taken)>(taken), this->StateTuple(),
                                 this->def_region_mode_));
    });
    return result;
  }

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

  static constexpr WalkOrder kOrder = WalkOrder::kPreOrder;

  TVMFFIAny CallBack(AnyView value) noexcept {
    TVMFFIAny result = detail::NoneResult();
    bool is_taken =
        detail::CallFirstMatching(callbacks_, value, &result, [&](auto& callback, auto&& taken) {
          using Info = detail::VisitCallbackInfo<std::decay_t<decltype(callback)>>;
          using R = std::decay_t<typename Info::RetType>;
          static_assert(std::is_same_v<R, Optional<VisitInterrupt>> ||
                            std::is_same_v<R, Expected<Optional<VisitInterrupt>>>,
                        "StructuralVisit callbacks return Optional<VisitInterrupt> or Expected of "
                        "it");
          static_assert(Info::num_args == 2,
                        "StructuralVisit callbacks take the value and the visitor");
          return detail::ResultToOwned<R>(
              callback(std::forward<decltype(taken)>(taken),
                       static_cast<typename Parent::VisitorObjType*>(this)));
        });
    // What was taken is done with, parts and all.
    if (is_taken && result.type_index == TypeIndex::kTVMFFINone) {
      return AnyView(WalkResult::kSkipTag).CopyToTVMFFIAny();
    }
    return result;
  }

  std::tuple<Callbacks...> callbacks_;
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_VISIT_ENGINE_H_
