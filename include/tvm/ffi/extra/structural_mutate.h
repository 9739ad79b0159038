// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_mutate.h
 * \brief Changed copies of object graphs: maps by callbacks, and mutations whose callbacks decide
 * how to go on.
 *
 * Everything that structural equality looks at is mutated, each occurrence anew: the elements of
 * sequences, the values (not the keys) of mappings, the reflected fields without SEqHashIgnore in
 * order, plain values and None. Objects are copied when the first of their parts changes; what does
 * not change is shared with the result. A container is changed in place instead where that is
 * allowed and nobody else refers to it. A type replaces the treatment of its fields by the
 * attributes `__s_mutate__` and `__s_maybe_inplace_mutate__`.
 *
 * Variables (FreeVar) are replaced where they are defined, and nodes with identity (DAGNode) where
 * they are first met; the mutator remembers the replacement for the places where they occur again.
 * Text, bytes, big integers, constants of enums and the objects of the library that have no parts
 * (Shape, Tensor, Function, Module, Error, ...) stay as they are.
 *
 * Deep values are gone through on a stack of their own: ValueError beyond 2^20 levels or for an
 * object inside itself. Where callbacks or hooks recurse by way of the mutator, the C stack is
 * used, and ValueError comes before it ends. A mutation belongs to one thread.
 */
#ifndef TVM_FFI_EXTRA_STRUCTURAL_MUTATE_H_
#define TVM_FFI_EXTRA_STRUCTURAL_MUTATE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/def_region.h>
#include <tvm/ffi/detail/mutate_steps.h>
#include <tvm/ffi/detail/unchanged_or.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/native_function.h>

#include <tuple>
#include <utility>

namespace tvm {
namespace ffi {

namespace detail {
struct StructuralMutatorUnsafe;
}  // namespace detail

/*! \brief The functions of a mutator; none may be NULL. */
struct StructuralMutatorVTable {
  /*! \brief Mutates a value, which stays as it is. */
  FStructuralMutateABI mutate;
  /*! \brief Mutates a value that may be changed itself. */
  FStructuralMutateABI maybe_inplace_mutate;
  FStructuralVarRemapGet var_remap_get;
  FStructuralVarRemapSet var_remap_set;
};

/*!
 * \brief A mutation: what hooks and callbacks recurse through.
 *
 * Classes that derive from it bring a table of functions instead of virtual members, so that both
 * sides of a library border agree on it. Made by make_object only, not copyable.
 */
class StructuralMutatorObj : public Object {
 public:
  /*! \brief Class of the mutator that callbacks of StructuralMutateEngine get. */
  using MutatorObjType = StructuralMutatorObj;

  StructuralMutatorObj(const StructuralMutatorObj&) = delete;
  StructuralMutatorObj& operator=(const StructuralMutatorObj&) = delete;

  /*!
   * \brief Mutate a value.
   * \param value None and plain values as well.
   * \param mode kAllow lets an object that has one reference only be changed itself.
   * \return the new value; Unchanged also when the object itself was changed.
   * \throws Error what callbacks, hooks, copies and setters throw.
   */
  UnchangedOr<Any> Mutate(AnyView value, InplaceMode mode = InplaceMode::kDisallow) {
    return MutateExpected(value, mode).value();
  }

  /*! \brief Mutate without throwing. */
  inline Expected<UnchangedOr<Any>> MutateExpected(
      AnyView value, InplaceMode mode = InplaceMode::kDisallow) noexcept;

  /*!
   * \brief Mutate the parts of a value, each by MutateExpected.
   *
   * By the attribute `__s_mutate__` of its type where that has one, else field by field, opening
   * definition regions as the fields say.
   * \param mode with kAllow the value may be changed itself, also when others refer to it: the
   *        caller vouches, as for a value that a callback got with kAllow.
   */
  inline Expected<UnchangedOr<Any>> DefaultMutateExpected(
      AnyView value, InplaceMode mode = InplaceMode::kDisallow) noexcept;

  /*! \brief What was recorded for an object; None when nothing was. TypeError for no object. */
  inline Expected<Any> VarRemapGetExpected(AnyView var) noexcept;

  /*!
   * \brief Record what replaces an object from now on.
   * \param var an object, by identity; kept alive. TypeError for anything else.
   * \param mapped the replacement; the marker of Unchanged says that it stays as it is.
   */
  inline Expected<void> VarRemapSetExpected(AnyView var, AnyView mapped) noexcept;

  /*! \brief The definition region in which the mutation is. */
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
  TVM_FFI_DECLARE_OBJECT_INFO("ffi.StructuralMutator", StructuralMutatorObj, Object);

 protected:
  /*! \param vtable must outlive the mutator. */
  explicit StructuralMutatorObj(const StructuralMutatorVTable* vtable) : vtable_(vtable) {}

  const StructuralMutatorVTable* vtable_;
  TVMFFIDefRegionKind def_region_mode_ = kTVMFFIDefRegionKindNone;

 private:
  friend struct detail::StructuralMutatorUnsafe;
};

/*! \brief Reference to StructuralMutatorObj, never null. */
class StructuralMutator : public ObjectRef {
 public:
  explicit StructuralMutator(ObjectPtr<StructuralMutatorObj> mutator)
      : ObjectRef(std::move(mutator)) {}

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(StructuralMutator, ObjectRef, StructuralMutatorObj);
};

/*! \brief A hook that mutates the parts of a value by the mutator. */
using FStructuralMutate =
    reflection::NativeFunctionView<UnchangedOr<Any>(StructuralMutatorObj*, AnyView)>;

namespace type_attr {

/*! \brief Makes a changed copy of an object of the type, instead of its fields one by one. */
inline constexpr reflection::AttrKey<FStructuralMutate> kStructuralMutate{"__s_mutate__"};
/*! \brief The same for an object that may be changed itself. */
inline constexpr reflection::AttrKey<FStructuralMutate> kStructuralMaybeInplaceMutate{
    "__s_maybe_inplace_mutate__"};

}  // namespace type_attr

namespace detail {

/*! \brief What a mutator hides, for the library; results are owned. */
struct StructuralMutatorUnsafe {
  static TVMFFIDefRegionKind* DefRegionMode(StructuralMutatorObj* mutator) {
    return &mutator->def_region_mode_;
  }
  /*! \brief Mutate by the table; in place when `is_inplace`, which is not checked again. */
  static TVMFFIAny Mutate(StructuralMutatorObj* mutator, AnyView value, bool is_inplace) noexcept {
    const StructuralMutatorVTable* vtable = mutator->vtable_;
    return (is_inplace ? vtable->maybe_inplace_mutate : vtable->mutate)(mutator, value);
  }
  static TVMFFIAny VarRemapGet(StructuralMutatorObj* mutator, AnyView var) noexcept {
    return mutator->vtable_->var_remap_get(mutator, var);
  }
  static TVMFFIAny VarRemapSet(StructuralMutatorObj* mutator, AnyView var,
                               AnyView mapped) noexcept {
    return mutator->vtable_->var_remap_set(mutator, var, mapped);
  }
};

/*! \brief Whether a value is an object that nobody else refers to. */
TVM_FFI_INLINE bool IsUniqueObject(AnyView value) noexcept {
  return value.type_index() >= TypeIndex::kTVMFFIStaticObjectBegin &&
         IsUniqueRef(value.CopyToTVMFFIAny().v_obj);
}

/*! \brief Error of an assigning macro. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error MutateResultMismatch() {
  return Error("TypeError", "structural mutate result does not match the declared type",
               TVMFFIBacktrace(nullptr, 0, nullptr, 0));
}

/*! \brief The content of a result that is no error: what the macros look into. */
template <typename T>
TVM_FFI_INLINE Any MoveMutateResult(Expected<T>&& result) {
  return ExpectedUnsafe::GetData(result);
}

}  // namespace detail

inline Expected<UnchangedOr<Any>> StructuralMutatorObj::MutateExpected(AnyView value,
                                                                       InplaceMode mode) noexcept {
  bool is_inplace = mode == InplaceMode::kAllow && detail::IsUniqueObject(value);
  return detail::ExpectedUnsafe::MoveFromTVMFFIAny<UnchangedOr<Any>>(
      detail::StructuralMutatorUnsafe::Mutate(this, value, is_inplace));
}

inline Expected<UnchangedOr<Any>> StructuralMutatorObj::DefaultMutateExpected(
    AnyView value, InplaceMode mode) noexcept {
  return detail::ExpectedUnsafe::MoveFromTVMFFIAny<UnchangedOr<Any>>(
      detail::MutateParts(this, value, mode));
}

inline Expected<Any> StructuralMutatorObj::VarRemapGetExpected(AnyView var) noexcept {
  return detail::ExpectedUnsafe::MoveFromTVMFFIAny<Any>(
      detail::StructuralMutatorUnsafe::VarRemapGet(this, var));
}

inline Expected<void> StructuralMutatorObj::VarRemapSetExpected(AnyView var,
                                                                AnyView mapped) noexcept {
  return detail::ExpectedUnsafe::MoveFromTVMFFIAny<void>(
      detail::StructuralMutatorUnsafe::VarRemapSet(this, var, mapped));
}

/*! \brief In a function that returns an Expected: return `result`, an Expected, if an error. */
#define TVM_FFI_S_MUTATE_MAYBE_EARLY_RETURN(result)                                      \
  do {                                                                                   \
    if (auto&& tvm_ffi_mutate_result = (result); tvm_ffi_mutate_result.is_err()) {       \
      return ::tvm::ffi::Unexpected<::tvm::ffi::Error>(                                  \
          std::forward<decltype(tvm_ffi_mutate_result)>(tvm_ffi_mutate_result).error()); \
    }                                                                                    \
  } while (false)

#define TVM_FFI_MUTATE_CONCAT_IMPL_(a, b) a##b
#define TVM_FFI_MUTATE_CONCAT_(a, b) TVM_FFI_MUTATE_CONCAT_IMPL_(a, b)
#define TVM_FFI_MUTATE_ASSIGN_(Type, name, expr, result, is_type)                                 \
  auto result = (expr);                                                                           \
  TVM_FFI_S_MUTATE_MAYBE_EARLY_RETURN(std::move(result));                                         \
  ::tvm::ffi::Any TVM_FFI_MUTATE_CONCAT_(result, data) =                                          \
      ::tvm::ffi::detail::MoveMutateResult(std::move(result));                                    \
  if (!(is_type(TVM_FFI_MUTATE_CONCAT_(result, data)))) {                                         \
    return ::tvm::ffi::Unexpected<::tvm::ffi::Error>(::tvm::ffi::detail::MutateResultMismatch()); \
  }                                                                                               \
  /* NOLINTNEXTLINE(bugprone-macro-parentheses) */                                                \
  Type name = ::tvm::ffi::detail::AnyUnsafe::MoveFromAnyAfterCheck<Type>(                         \
      std::move(TVM_FFI_MUTATE_CONCAT_(result, data)))

/*!
 * \brief In a function that returns an Expected: declare `Type name` with what `expr`, an Expected,
 * holds; return its error, or TypeError when it holds no `Type`. `Type` may be an UnchangedOr.
 */
#define TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN(Type, name, expr)                        \
  TVM_FFI_MUTATE_ASSIGN_(Type, name, expr,                                         \
                         TVM_FFI_MUTATE_CONCAT_(tvm_ffi_mutate_assign_, __LINE__), \
                         ::tvm::ffi::detail::AnyUnsafe::CheckAnyStrict<Type>)

/*! \brief The same where `expr` is known to hold a `Type`. */
#define TVM_FFI_UNSAFE_S_MUTATE_ASSIGN_OR_RETURN(Type, name, expr)                 \
  TVM_FFI_MUTATE_ASSIGN_(Type, name, expr,                                         \
                         TVM_FFI_MUTATE_CONCAT_(tvm_ffi_mutate_assign_, __LINE__), \
                         ::tvm::ffi::detail::AcceptMutateResult)

namespace detail {
inline constexpr bool AcceptMutateResult(const Any&) { return true; }
}  // namespace detail

}  // namespace ffi
}  // namespace tvm

#include <tvm/ffi/detail/mutate_engine.h>
#include <tvm/ffi/detail/mutate_walk.h>

namespace tvm {
namespace ffi {

/*!
 * \brief Replace values by what callbacks return for them.
 * \tparam order kPreOrder: a callback gets the value as it is, and what it returns is looked into;
 *         kPostOrder: it gets what the value has become by the changes in its parts.
 * \param root moved in as its only reference, containers may be changed in place.
 * \param callbacks each `(T)` or `(T, TVMFFIDefRegionKind)`, returning a replacement, Unchanged, an
 *        UnchangedOr or an Expected of these; copied. The first one whose T a value is of, as
 *        `as<T>` sees it, is called; Any and AnyView take all values, None too.
 * \return the new value, the same object where nothing changed; or the error, which carries a
 *         VisitErrorContext of the objects that the mutation was in.
 */
template <WalkOrder order, typename... Callbacks>
Expected<Any> StructuralMapExpected(Any root, Callbacks&&... callbacks) noexcept {
  static_assert(sizeof...(Callbacks) > 0, "StructuralMap requires at least one callback");
  using Engine = StructuralMapEngine<StructuralMapEngineBase, order, std::decay_t<Callbacks>...>;
  return detail::MutateByEngine<Engine>(std::move(root), std::forward<Callbacks>(callbacks)...);
}

/*! \brief StructuralMapExpected that throws the error. */
template <WalkOrder order, typename... Callbacks>
Any StructuralMap(Any root, Callbacks&&... callbacks) {
  return StructuralMapExpected<order>(std::move(root), std::forward<Callbacks>(callbacks)...)
      .value();
}

/*!
 * \brief Mutate a value; callbacks decide what becomes of the values that they take.
 * \param root as in StructuralMapExpected.
 * \param callbacks each `(T, StructuralMutatorObj*)` or `(T, StructuralMutatorObj*, InplaceMode)`,
 *        returning as those of StructuralMapExpected; copied. What they return is final; they
 *        mutate parts by the mutator. With kAllow, a callback may change the value itself. The
 *        parts of values that no callback takes are mutated.
 * \return as StructuralMapExpected.
 */
template <typename... Callbacks>
Expected<Any> StructuralMutateExpected(Any root, Callbacks&&... callbacks) noexcept {
  static_assert(sizeof...(Callbacks) > 0, "StructuralMutate requires at least one callback");
  using Engine = StructuralMutateEngine<StructuralMapEngineBase, std::decay_t<Callbacks>...>;
  return detail::MutateByEngine<Engine>(std::move(root), std::forward<Callbacks>(callbacks)...);
}

/*! \brief StructuralMutateExpected that throws the error. */
template <typename... Callbacks>
Any StructuralMutate(Any root, Callbacks&&... callbacks) {
  return StructuralMutateExpected(std::move(root), std::forward<Callbacks>(callbacks)...).value();
}

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_EXTRA_STRUCTURAL_MUTATE_H_
