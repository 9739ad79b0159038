// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_visit.h
 * \brief Traversals of object graphs: walks by callbacks, and visits whose callbacks decide how to
 * go on.
 *
 * Everything that structural equality looks at is visited, each occurrence anew: the elements of
 * sequences, the values (not the keys) of mappings, the reflected fields without SEqHashIgnore in
 * order, and plain values; None is not. A type replaces the treatment of its fields by the
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
#include <tvm/ffi/detail/visit_steps.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/native_function.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

/*! \brief Says that a traversal was stopped, and carries what the one who stopped it had to say. */
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
  /*! \brief An interrupt that carries None. */
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
   * By the attribute `__s_visit__` of its type where that has one, else field by field, opening
   * definition regions as the fields say.
   */
  Expected<Optional<VisitInterrupt>> DefaultVisitExpected(AnyView value) noexcept {
    return detail::ExpectedUnsafe::MoveFromTVMFFIAny<Optional<VisitInterrupt>>(
        detail::VisitParts(this, value));
  }

  /*! \brief The definition region in which the traversal is. */
  TVMFFIDefRegionKind def_region_kind() const { return def_region_mode_; }

  /*!
   * \brief Call `callback()` in another definition region; inside a Pattern region in that one.
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

  /*! \brief What engines pass to callbacks after the value; a class may have its own. */
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
enum class WalkOrder : int32_t { kPreOrder = 0, kPostOrder = 1 };

/*! \brief What a callback of a walk says: go on, do not go deeper, or stop. */
class WalkResult : public Variant<VisitInterrupt, int32_t> {
 public:
  static constexpr int32_t kAdvanceTag = 0;
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

#include <tvm/ffi/detail/visit_engine.h>
#include <tvm/ffi/detail/visit_walk.h>

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
