// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_visit.h
 * \brief Traversals of object graphs: walks by callbacks, and visits whose callbacks decide how to
 * go on.
 *
 * Everything that structural equality looks at is visited, at each occurrence: the elements of
 * sequences, the values (not the keys) of mappings, the reflected fields without SEqHashIgnore in
 * order, and plain values, but not None. A type replaces the treatment of its fields by the
 * attribute `__s_visit__`.
 *
 * Deep values are gone through on a stack of their own: ValueError beyond 2^20 levels or for an
 * object inside itself. Where callbacks or hooks recurse by way of the visitor, the C stack is
 * used, and ValueError comes before it ends. A traversal belongs to one thread.
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

namespace tvm {
namespace ffi {

class StructuralVisitorObj;

namespace detail {
struct StructuralVisitorUnsafe;
}  // namespace detail

/*! \brief A plain function that visits a value: an owned None, VisitInterrupt or Error. */
using FStructuralVisitABI = TVMFFIAny (*)(StructuralVisitorObj*, AnyView) noexcept;

namespace detail {

/*! \brief What a traversal does at a value, which is never None. Both may be NULL. */
struct StructuralVisitSteps {
  /*! \brief Before the parts of the value: an owned None or Int 0 to go on to them, another Int to
   * pass over them, a VisitInterrupt or an Error to stop. */
  FStructuralVisitABI enter;
  /*! \brief After them: an owned VisitInterrupt or Error to stop, anything else to go on. */
  FStructuralVisitABI leave;
};

/*! \brief Visit the parts of a value: with the hook of its type if there is one, else in order. */
inline TVMFFIAny VisitParts(StructuralVisitorObj* visitor, AnyView value) noexcept;
/*! \brief Visit the reflected fields of an object and ignore hooks. */
inline TVMFFIAny VisitReflectedFields(StructuralVisitorObj* visitor, const Object* object) noexcept;

/*! \brief Call `function`, which returns an owned value; what it throws becomes an Error value. */
template <typename F>
TVM_FFI_INLINE TVMFFIAny CallToOwned(F&& function) noexcept {
  try {
    return std::forward<F>(function)();
  } catch (...) {
    return AnyUnsafe::MoveAnyToTVMFFIAny(Any(CurrentExceptionAsError()));
  }
}

/*! \brief Whether the result of a step says that the parts are passed over. */
TVM_FFI_INLINE bool SkipsParts(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIInt && result.v_int64 != 0;
}

/*! \brief Whether an owned result of a visit ends the traversal. */
TVM_FFI_INLINE bool StopsVisit(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIVisitInterrupt ||
         result.type_index == TypeIndex::kTVMFFIError;
}

}  // namespace detail

/*! \brief Says that a traversal was stopped, and holds a value from the code that stopped it. */
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
  /*! \brief An interrupt that holds None. */
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
 * \brief A traversal: what hooks and callbacks recurse through.
 *
 * Classes that derive from it bring a table of functions instead of virtual members, so that both
 * sides of a library border agree on it. Made by make_object only, not copyable.
 */
class StructuralVisitorObj : public Object {
 public:
  /*! \brief Class of the visitor that callbacks of StructuralVisitEngine get. */
  using VisitorObjType = StructuralVisitorObj;
  /*! \brief What StateTuple() of the class gives. */
  using StateTupleType = std::tuple<>;

  StructuralVisitorObj(const StructuralVisitorObj&) = delete;
  StructuralVisitorObj& operator=(const StructuralVisitorObj&) = delete;

  /*! \brief Visit a value. \return why the traversal was stopped, if it was. \throws Error. */
  Optional<VisitInterrupt> Visit(AnyView value) { return VisitExpected(value).value(); }

  /*! \brief Visit a value without throwing. */
  Expected<Optional<VisitInterrupt>> VisitExpected(AnyView value) noexcept {
    return detail::ExpectedUnsafe::MoveFromTVMFFIAny<Optional<VisitInterrupt>>(
        vtable_->visit(this, value));
  }

  /*!
   * \brief Visit the parts of a value, each by VisitExpected.
   *
   * Calls the attribute `__s_visit__` of its type if there is one. Else visits field by field, and
   * opens definition regions as the fields say.
   */
  Expected<Optional<VisitInterrupt>> DefaultVisitExpected(AnyView value) noexcept {
    return detail::ExpectedUnsafe::MoveFromTVMFFIAny<Optional<VisitInterrupt>>(
        detail::VisitParts(this, value));
  }

  /*! \brief The definition region in which the traversal is. */
  TVMFFIDefRegionKind def_region_kind() const { return def_region_mode_; }

  /*!
   * \brief Call `callback()` in another definition region; a Pattern region stays in effect.
   * \return what the callback returns.
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

  /*! \brief Further arguments for callbacks, after the value. A class may define its own. */
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

/*! \brief A hook that visits the parts of a value by the visitor. */
using FStructuralVisit =
    reflection::NativeFunctionView<Optional<VisitInterrupt>(StructuralVisitorObj*, AnyView)>;

namespace type_attr {

/*! \brief Visits the parts of an object of the type, instead of its fields. */
inline constexpr reflection::AttrKey<FStructuralVisit> kStructuralVisit{"__s_visit__"};

}  // namespace type_attr

/*! \brief Whether a walk calls back before or after the parts of a value. */
enum class WalkOrder : int32_t {
  /*! \brief Before its contents. */
  kPreOrder = 0,
  /*! \brief After its contents. */
  kPostOrder = 1
};

/*! \brief What a callback of a walk says: go on, do not go deeper, or stop. */
class WalkResult : public Variant<VisitInterrupt, int32_t> {
 public:
  /*! \brief The number of Advance(). */
  static constexpr int32_t kAdvanceTag = 0;
  /*! \brief The number of Skip(). */
  static constexpr int32_t kSkipTag = 1;

  /*! \brief Go on. */
  static WalkResult Advance() { return WalkResult(kAdvanceTag); }
  /*! \brief Go on, but not into the parts of this value; in post-order that is too late. */
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

/*! \brief As the variant, but None is Advance. */
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

/*! \brief Access to what a visitor hides, for the library. */
struct StructuralVisitorUnsafe {
  static TVMFFIDefRegionKind* DefRegionMode(StructuralVisitorObj* visitor) {
    return &visitor->def_region_mode_;
  }
  static TVMFFIAny Visit(StructuralVisitorObj* visitor, AnyView value) noexcept {
    return visitor->vtable_->visit(visitor, value);
  }
};

/*! \brief Whether a result stops the traversal: an error or an interrupt. */
template <typename T>
TVM_FFI_INLINE bool StructuralVisitNeedEarlyReturn(const Expected<T>& result) {
  return result.is_err() || result.type_index() == TypeIndex::kTVMFFIVisitInterrupt;
}
TVM_FFI_INLINE bool StructuralVisitNeedEarlyReturn(const Optional<VisitInterrupt>& result) {
  return result.has_value();
}

/*! \brief DefaultVisitExpected for an object by its fields alone: what hooks replace. */
inline Expected<Optional<VisitInterrupt>> VisitReflectedFieldsExpected(
    StructuralVisitorObj* visitor, const Object* object) noexcept {
  return ExpectedUnsafe::MoveFromTVMFFIAny<Optional<VisitInterrupt>>(
      VisitReflectedFields(visitor, object));
}

}  // namespace detail

/*! \brief Evaluate `expr`, the result of a visit, and return it when it stops the traversal. */
#define TVM_FFI_S_VISIT_MAYBE_EARLY_RETURN(expr)                                    \
  do {                                                                              \
    auto tvm_ffi_visit_result = (expr);                                             \
    if (::tvm::ffi::detail::StructuralVisitNeedEarlyReturn(tvm_ffi_visit_result)) { \
      return tvm_ffi_visit_result;                                                  \
    }                                                                               \
  } while (false)

}  // namespace ffi
}  // namespace tvm

#include <tvm/ffi/detail/callback_match.h>
#include <tvm/ffi/detail/visit_parts.h>
#include <tvm/ffi/detail/visit_walk.h>

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
 * \brief Whether a class does not override DefaultVisitExpected, so that the library may process
 * the parts of a value without calling it.
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
    // The value that the callback took is done, including its parts.
    if (is_taken && result.type_index == TypeIndex::kTVMFFINone) {
      return AnyView(WalkResult::kSkipTag).CopyToTVMFFIAny();
    }
    return result;
  }

  std::tuple<Callbacks...> callbacks_;
};

}  // namespace ffi
}  // namespace tvm

namespace tvm {
namespace ffi {

/*!
 * \brief Walk through a value and everything below.
 * \tparam order when callbacks run.
 * \param root where to begin.
 * \param callbacks each `(T)` or `(T, TVMFFIDefRegionKind)`, returning WalkResult or
 *        Expected<WalkResult>; copied. The first one whose T a value is of, as `as<T>` sees it, is
 *        called; Any and AnyView take all values.
 * \return the interrupt that ended the walk, if one did, or the error. An error carries a
 *         VisitErrorContext of the objects that the walk was in.
 */
template <WalkOrder order, typename... Callbacks>
Expected<Optional<VisitInterrupt>> StructuralWalkExpected(AnyView root,
                                                          Callbacks&&... callbacks) noexcept {
  using Engine = StructuralWalkEngine<StructuralVisitorObj, order, std::decay_t<Callbacks>...>;
  return detail::VisitByEngine<Engine>(root, std::forward<Callbacks>(callbacks)...);
}

/*! \brief StructuralWalkExpected that throws the error. */
template <WalkOrder order, typename... Callbacks>
Optional<VisitInterrupt> StructuralWalk(AnyView root, Callbacks&&... callbacks) {
  return StructuralWalkExpected<order>(root, std::forward<Callbacks>(callbacks)...).value();
}

/*!
 * \brief Visit a value; callbacks decide what is visited below the values that they take.
 * \param root where to begin.
 * \param callbacks each `(T, StructuralVisitorObj*)`, returning Optional<VisitInterrupt> or
 *        Expected of it; copied. Chosen as in StructuralWalkExpected. It visits parts by the
 *        visitor, or none. The parts of values that no callback takes are visited.
 * \return as StructuralWalkExpected.
 */
template <typename... Callbacks>
Expected<Optional<VisitInterrupt>> StructuralVisitExpected(AnyView root,
                                                           Callbacks&&... callbacks) noexcept {
  using Engine = StructuralVisitEngine<StructuralVisitorObj, std::decay_t<Callbacks>...>;
  return detail::VisitByEngine<Engine>(root, std::forward<Callbacks>(callbacks)...);
}

/*! \brief StructuralVisitExpected that throws the error. */
template <typename... Callbacks>
Optional<VisitInterrupt> StructuralVisit(AnyView root, Callbacks&&... callbacks) {
  return StructuralVisitExpected(root, std::forward<Callbacks>(callbacks)...).value();
}

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_EXTRA_STRUCTURAL_VISIT_H_
