// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_visit.h
 * \brief Traversal of object graphs. StructuralWalk calls a callback for each value. In
 * StructuralVisit, a callback itself visits the parts of its value.
 *
 * Everything that structural equality compares is visited, at each occurrence: the elements of
 * sequences, the values (not the keys) of mappings, the reflected fields without SEqHashIgnore in
 * order, and values that are not objects, but not None. These values are the parts of the value
 * that contains them. A type replaces the visit of its fields with the attribute
 * `__s_visit__`.
 *
 * Deep values are visited on an explicit stack, with a ValueError beyond 2^20 levels or for an
 * object inside itself. Callbacks and hooks that recurse through the visitor use the C stack, with
 * a ValueError before the stack is exhausted. A traversal belongs to one thread.
 */
#ifndef TVM_FFI_EXTRA_STRUCTURAL_VISIT_H_
#define TVM_FFI_EXTRA_STRUCTURAL_VISIT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/detail/def_region.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/native_function.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

class StructuralVisitorObj;

namespace detail {
struct StructuralVisitorUnsafe;
}  // namespace detail

/*! \brief Pointer to a function that visits a value. It returns an owned None, VisitInterrupt or
 * Error. */
using FStructuralVisitABI = TVMFFIAny (*)(StructuralVisitorObj*, AnyView) noexcept;

namespace detail {

/*! \brief The functions that a traversal calls before and after it visits the parts of a value. The
 * value is never None. A function that is NULL is not called. */
struct StructuralVisitSteps {
  /*! \brief Called before the parts of the value. Returns an owned None or Int 0 to visit the
   * parts, another Int to skip the parts, a VisitInterrupt or an Error to stop. */
  FStructuralVisitABI enter;
  /*! \brief Called after the parts. Returns an owned VisitInterrupt or Error to stop, any other
   * value to continue. */
  FStructuralVisitABI leave;
};

/*! \brief Visit the parts of a value: with the hook of its type if there is one, otherwise one by
 * one in order. */
inline TVMFFIAny VisitParts(StructuralVisitorObj* visitor, AnyView value) noexcept;
/*! \brief Visit the reflected fields of an object and ignore hooks. */
inline TVMFFIAny VisitReflectedFields(StructuralVisitorObj* visitor, const Object* object) noexcept;

/*! \brief Call `function`, which returns an owned value; an exception becomes an Error value. */
template <typename F>
TVM_FFI_INLINE TVMFFIAny CallToOwned(F&& function) noexcept {
  try {
    return std::forward<F>(function)();
  } catch (...) {
    return AnyUnsafe::MoveAnyToTVMFFIAny(Any(CurrentExceptionAsError()));
  }
}

/*! \brief Return whether `result`, from `enter` of StructuralVisitSteps, means that the parts are
 * skipped. */
TVM_FFI_INLINE bool SkipsParts(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIInt && result.v_int64 != 0;
}

/*! \brief Return whether an owned result of a visit ends the traversal. */
TVM_FFI_INLINE bool StopsVisit(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIVisitInterrupt ||
         result.type_index == TypeIndex::kTVMFFIError;
}

}  // namespace detail

/*! \brief The result of a traversal that was stopped; holds a value from the code that stopped
 * it. */
class VisitInterruptObj : public Object {
 public:
  Any value;

  VisitInterruptObj() = default;
  explicit VisitInterruptObj(Any value) : value(std::move(value)) {}

  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIVisitInterrupt;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIVisitInterrupt, VisitInterruptObj,
                                     Object);
};

/*! \brief Reference to VisitInterruptObj, never null. */
class VisitInterrupt : public ObjectRef {
 public:
  /*! \brief Make an interrupt that holds None. */
  VisitInterrupt() : VisitInterrupt(Any()) {}
  explicit VisitInterrupt(Any value)
      : ObjectRef(make_object<VisitInterruptObj>(std::move(value))) {}

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(VisitInterrupt, ObjectRef, VisitInterruptObj);
};

/*! \brief The functions of a visitor. */
struct StructuralVisitorVTable {
  /*! \brief Visits a value, which may be None. */
  FStructuralVisitABI visit;
};

/*!
 * \brief A visitor, through which hooks and callbacks visit parts.
 *
 * A derived class has a function table (StructuralVisitorVTable) instead of virtual members, so
 * that libraries of different compilers can use the visitor. A visitor is made by make_object only,
 * and cannot be copied.
 */
class StructuralVisitorObj : public Object {
 public:
  /*! \brief Class of the visitor that callbacks of StructuralVisitEngine get. */
  using VisitorObjType = StructuralVisitorObj;
  /*! \brief The type of the result of StateTuple(). */
  using StateTupleType = std::tuple<>;

  StructuralVisitorObj(const StructuralVisitorObj&) = delete;
  StructuralVisitorObj& operator=(const StructuralVisitorObj&) = delete;

  /*!
   * \brief Visit a value.
   * \return the interrupt, if the traversal was stopped.
   * \throws Error the error of the traversal.
   */
  Optional<VisitInterrupt> Visit(AnyView value) { return VisitExpected(value).value(); }

  /*! \brief Visit a value without throwing. */
  Expected<Optional<VisitInterrupt>> VisitExpected(AnyView value) noexcept {
    return detail::ExpectedUnsafe::MoveFromTVMFFIAny<Optional<VisitInterrupt>>(
        vtable_->visit(this, value));
  }

  /*!
   * \brief Visit the parts of a value, each with VisitExpected.
   *
   * Call the hook `__s_visit__` of the type of the value if there is one. Otherwise visit field by
   * field, and enter definition regions according to the flags of the fields.
   */
  Expected<Optional<VisitInterrupt>> DefaultVisitExpected(AnyView value) noexcept {
    return detail::ExpectedUnsafe::MoveFromTVMFFIAny<Optional<VisitInterrupt>>(
        detail::VisitParts(this, value));
  }

  /*! \brief Return the current definition region of the traversal. */
  TVMFFIDefRegionKind def_region_kind() const { return def_region_mode_; }

  /*!
   * \brief Call `callback()` in another definition region. Inside a Pattern region, the region does
   * not change.
   * \return the result of the callback.
   */
  template <typename Callback>
  decltype(auto) WithDefRegionKind(TVMFFIDefRegionKind kind, Callback&& callback) {
    detail::DefRegionScope scope(&def_region_mode_, detail::EnterDefRegion(def_region_mode_, kind));
    return std::forward<Callback>(callback)();
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("ffi.StructuralVisitor", StructuralVisitorObj, Object);

 protected:
  /*! \param vtable must outlive the visitor. */
  explicit StructuralVisitorObj(const StructuralVisitorVTable* vtable) : vtable_(vtable) {}

  /*! \brief Return the arguments that callbacks get after the value. A derived class can replace
   * this function. */
  StateTupleType StateTuple() const noexcept { return {}; }

  const StructuralVisitorVTable* vtable_;
  TVMFFIDefRegionKind def_region_mode_ = kTVMFFIDefRegionKindNone;

 private:
  friend struct detail::StructuralVisitorUnsafe;
};

/*! \brief Reference to StructuralVisitorObj, never null. */
class StructuralVisitor : public ObjectRef {
 public:
  explicit StructuralVisitor(ObjectPtr<StructuralVisitorObj> visitor)
      : ObjectRef(std::move(visitor)) {}

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(StructuralVisitor, ObjectRef, StructuralVisitorObj);
};

/*! \brief A hook that visits the parts of a value with the visitor. */
using FStructuralVisit =
    reflection::NativeFunctionView<Optional<VisitInterrupt>(StructuralVisitorObj*, AnyView)>;

namespace type_attr {

/*! \brief The hook that visits the parts of an object, and replaces the visit of its fields. */
inline constexpr reflection::AttrKey<FStructuralVisit> kStructuralVisit{"__s_visit__"};

}  // namespace type_attr

/*! \brief Whether a walk calls callbacks before or after the parts of a value. */
enum class WalkOrder : int32_t {
  /*! \brief Before the parts. */
  kPreOrder = 0,
  /*! \brief After the parts. */
  kPostOrder = 1
};

/*! \brief The result of a callback of a walk: continue, skip the parts, or stop. */
class WalkResult : public Variant<VisitInterrupt, int32_t> {
 public:
  /*! \brief The number that stands for Advance(). */
  static constexpr int32_t kAdvanceTag = 0;
  /*! \brief The number that stands for Skip(). */
  static constexpr int32_t kSkipTag = 1;

  /*! \brief Continue. */
  static WalkResult Advance() { return WalkResult(kAdvanceTag); }
  /*! \brief Continue, but skip the parts of this value; has no effect in post-order. */
  static WalkResult Skip() { return WalkResult(kSkipTag); }
  /*! \brief Stop; the walk returns `interrupt`. */
  static WalkResult Interrupt(VisitInterrupt interrupt = {}) {
    return WalkResult(std::move(interrupt));
  }

 private:
  friend struct TypeTraits<WalkResult>;
  using Base = Variant<VisitInterrupt, int32_t>;

  explicit WalkResult(int32_t tag) : Base(tag) {}
  explicit WalkResult(VisitInterrupt interrupt) : Base(std::move(interrupt)) {}
  explicit WalkResult(Base base) : Base(std::move(base)) {}
};

/*! \brief Accepts a VisitInterrupt or an integer; None becomes Advance(). */
template <>
struct TypeTraits<WalkResult> : public TypeTraitsBase {
  using Base = TypeTraits<Variant<VisitInterrupt, int32_t>>;

  TVM_FFI_INLINE static void CopyToAnyView(const WalkResult& source, TVMFFIAny* result) {
    Base::CopyToAnyView(source, result);
  }
  TVM_FFI_INLINE static void MoveToAny(WalkResult source, TVMFFIAny* result) {
    Base::MoveToAny(std::move(source), result);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone || Base::CheckAnyStrict(source);
  }
  TVM_FFI_INLINE static WalkResult CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return WalkResult::Advance();
    return WalkResult(Base::CopyFromAnyViewAfterCheck(source));
  }
  TVM_FFI_INLINE static WalkResult MoveFromAnyAfterCheck(TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return WalkResult::Advance();
    return WalkResult(Base::MoveFromAnyAfterCheck(source));
  }
  static std::optional<WalkResult> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return WalkResult::Advance();
    auto base = Base::TryCastFromAnyView(source);
    if (!base.has_value()) return std::nullopt;
    return WalkResult(*std::move(base));
  }
  static std::string TypeStr() { return "WalkResult"; }
  static std::string TypeSchema() { return Base::TypeSchema(); }
};

namespace detail {

/*! \brief Access to the private members of a visitor, for the library. */
struct StructuralVisitorUnsafe {
  static TVMFFIDefRegionKind* DefRegionMode(StructuralVisitorObj* visitor) {
    return &visitor->def_region_mode_;
  }
  static TVMFFIAny Visit(StructuralVisitorObj* visitor, AnyView value) noexcept {
    return visitor->vtable_->visit(visitor, value);
  }
};

/*! \brief Return whether a result stops the traversal: an error or an interrupt. */
template <typename T>
TVM_FFI_INLINE bool StructuralVisitNeedEarlyReturn(const Expected<T>& result) {
  return result.is_err() || result.type_index() == TypeIndex::kTVMFFIVisitInterrupt;
}
TVM_FFI_INLINE bool StructuralVisitNeedEarlyReturn(const Optional<VisitInterrupt>& result) {
  return result.has_value();
}

/*! \brief Visit only the reflected fields of an object, even if its type has a hook. */
inline Expected<Optional<VisitInterrupt>> VisitReflectedFieldsExpected(
    StructuralVisitorObj* visitor, const Object* object) noexcept {
  return ExpectedUnsafe::MoveFromTVMFFIAny<Optional<VisitInterrupt>>(
      VisitReflectedFields(visitor, object));
}

}  // namespace detail

/*! \brief Evaluate `expr`, the result of a visit. If this result stops the traversal, return from
 * the calling function with it. */
#define TVM_FFI_S_VISIT_MAYBE_EARLY_RETURN(expr)                                    \
  do {                                                                              \
    auto tvm_ffi_visit_result = (expr);                                             \
    if (::tvm::ffi::detail::StructuralVisitNeedEarlyReturn(tvm_ffi_visit_result)) { \
      return tvm_ffi_visit_result;                                                  \
    }                                                                               \
  } while (false)

}  // namespace tvm::ffi

#include <tvm/ffi/detail/callback_match.h>
#include <tvm/ffi/detail/visit_parts.h>
#include <tvm/ffi/detail/visit_walk.h>

namespace tvm::ffi {

namespace detail {

/*! \brief Run `call`, which returns `R` or `Expected<R>`; an exception becomes an error state. */
template <typename R, typename F>
TVM_FFI_INLINE Expected<R> CallToExpected(F&& call) noexcept {
  try {
    return std::forward<F>(call)();
  } catch (...) {
    return CurrentExceptionAsError();
  }
}

/*! \brief Whether a class does not override DefaultVisitExpected. If so, the library may process
 * the parts of a value without a call of that function. */
template <typename Parent, typename = void>
inline constexpr bool has_plain_default_visit_v = false;
template <typename Parent>
inline constexpr bool
    has_plain_default_visit_v<Parent, std::void_t<decltype(&Parent::DefaultVisitExpected)>> =
        std::is_same_v<decltype(&Parent::DefaultVisitExpected),
                       decltype(&StructuralVisitorObj::DefaultVisitExpected)>;

/*!
 * \brief Common base of the engines: visits a value and its parts with the callbacks of Engine.
 *
 * Engine has the function `TVMFFIAny CallBack(AnyView) noexcept`. The constant `WalkOrder kOrder`
 * of Engine tells whether CallBack is called as `enter` or as `leave` of StructuralVisitSteps.
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
    if (num_nested_ > kMaxUncheckedVisits && !CStackHasSpace()) return NoCStackForVisit();
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
      if (TVM_FFI_PREDICT_TRUE(num_nested_ <= kMaxNestedVisits)) {
        return VisitPartsUnchecked(this, value);
      }
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

/*! \brief Calls the member `EndTraversal()` of an engine, if it has one, at the end of the
 * traversal. */
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

/*! \brief Visit a value with a new engine. */
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
 * \brief The visitor that StructuralWalkExpected uses, for programs that derive the visitor from
 * their own class `Parent`.
 *
 * Callbacks also get the values of `Parent::StateTuple()`, between the value and the region kind.
 * \tparam Parent derives from StructuralVisitorObj; its constructor takes the function table of the
 *         visitor (`const StructuralVisitorVTable*`).
 * \tparam order when callbacks run.
 * \tparam Callbacks classes or function pointers, at least one.
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
 * \brief The visitor that StructuralVisitExpected uses, for programs that derive the visitor from
 * their own class `Parent`.
 * \tparam Parent derives from StructuralVisitorObj; its constructor takes the function table of the
 *         visitor (`const StructuralVisitorVTable*`). Callbacks get the visitor as
 *         `Parent::VisitorObjType*`.
 * \tparam Callbacks classes or function pointers, at least one.
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
    // The callback has visited or skipped the parts, so do not visit them again.
    if (is_taken && result.type_index == TypeIndex::kTVMFFINone) {
      return AnyView(WalkResult::kSkipTag).CopyToTVMFFIAny();
    }
    return result;
  }

  std::tuple<Callbacks...> callbacks_;
};

/*!
 * \brief Call callbacks for a value and everything below it.
 * \tparam order when callbacks run.
 * \param root the first value.
 * \param callbacks functions with the parameters `(T)` or `(T, TVMFFIDefRegionKind)`, which return
 *         WalkResult or Expected<WalkResult>. For each value, the first callback whose `T` accepts
 *         the value (`as<T>`) is called. Any and AnyView accept all values. The callbacks are
 *         copied.
 * \return the interrupt that ended the walk, if there was one; or the error, with a
 *         VisitErrorContext of the objects around the value that failed.
 */
template <WalkOrder order, typename... Callbacks>
Expected<Optional<VisitInterrupt>> StructuralWalkExpected(AnyView root,
                                                          Callbacks&&... callbacks) noexcept {
  using Engine = StructuralWalkEngine<StructuralVisitorObj, order, std::decay_t<Callbacks>...>;
  return detail::VisitByEngine<Engine>(root, std::forward<Callbacks>(callbacks)...);
}

/*! \brief Like StructuralWalkExpected, but throw the error. */
template <WalkOrder order, typename... Callbacks>
Optional<VisitInterrupt> StructuralWalk(AnyView root, Callbacks&&... callbacks) {
  return StructuralWalkExpected<order>(root, std::forward<Callbacks>(callbacks)...).value();
}

/*!
 * \brief Visit a value. A callback replaces the visit of the values that it accepts.
 * \param root the first value.
 * \param callbacks functions with the parameters `(T, StructuralVisitorObj*)`, which return
 *         Optional<VisitInterrupt> or Expected<Optional<VisitInterrupt>>. They are chosen and
 *         copied as in StructuralWalkExpected. A callback visits the parts of its value through
 *         the visitor, or skips them. If no callback accepts a value, its parts are visited.
 * \return as in StructuralWalkExpected.
 */
template <typename... Callbacks>
Expected<Optional<VisitInterrupt>> StructuralVisitExpected(AnyView root,
                                                           Callbacks&&... callbacks) noexcept {
  using Engine = StructuralVisitEngine<StructuralVisitorObj, std::decay_t<Callbacks>...>;
  return detail::VisitByEngine<Engine>(root, std::forward<Callbacks>(callbacks)...);
}

/*! \brief Like StructuralVisitExpected, but throw the error. */
template <typename... Callbacks>
Optional<VisitInterrupt> StructuralVisit(AnyView root, Callbacks&&... callbacks) {
  return StructuralVisitExpected(root, std::forward<Callbacks>(callbacks)...).value();
}

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_STRUCTURAL_VISIT_H_
