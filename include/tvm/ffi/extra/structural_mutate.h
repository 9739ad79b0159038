// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_mutate.h
 * \brief Mutation of object graphs; the result is a changed copy. StructuralMap replaces each value
 * by the result of a callback. In StructuralMutate, a callback itself mutates the parts of its
 * value.
 *
 * Everything that structural equality compares is mutated, at each occurrence: the elements of
 * sequences, the values (not the keys) of mappings, the reflected fields without SEqHashIgnore in
 * order, values that are not objects, and None. These values are the parts of the value that
 * contains them. An object is copied when the first of its parts changes; unchanged
 * parts are shared with the result. A container is changed in place instead where that is allowed
 * and there is no other reference to the container. A type replaces the mutation of its fields with
 * the attributes `__s_mutate__` and `__s_maybe_inplace_mutate__`.
 *
 * A variable (FreeVar) whose parts change is replaced at its definition, and a node with identity
 * (DAGNode) at its first occurrence. The mutator uses the same replacement for later occurrences.
 * But if a callback replaces the variable itself, it is called at each occurrence. Text, bytes, big
 * integers, constants of enums and the objects of the library without parts (Shape, Tensor,
 * Function, Module, Error, ...) do not change.
 *
 * Deep values are processed on an explicit stack, with a ValueError beyond 2^20 levels or for an
 * object inside itself. Callbacks and hooks that recurse through the mutator use the C stack, with
 * a ValueError before the stack is exhausted. A mutation belongs to one thread.
 */
#ifndef TVM_FFI_EXTRA_STRUCTURAL_MUTATE_H_
#define TVM_FFI_EXTRA_STRUCTURAL_MUTATE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/detail/def_region.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/extra/unchanged_or.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/native_function.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tvm::ffi {

class StructuralMutatorObj;

/*! \brief Whether a mutation may change the value itself instead of a copy. */
enum class InplaceMode : int32_t {
  /*! \brief The value is not changed. */
  kDisallow = 0,
  /*! \brief The value may be changed: the caller guarantees that no other code uses it. */
  kAllow = 1
};

/*! \brief Pointer to a function that mutates a value. It returns an owned new value, the marker
 * Unchanged, or an Error. */
using FStructuralMutateABI = TVMFFIAny (*)(StructuralMutatorObj*, AnyView) noexcept;
/*! \brief Pointer to a function that looks up the replacement of a variable. It returns the
 * replacement, None if there is none, or an Error. */
using FStructuralVarRemapGet = TVMFFIAny (*)(StructuralMutatorObj*, AnyView) noexcept;
/*! \brief Pointer to a function that records the replacement of a variable. It returns None or an
 * Error. */
using FStructuralVarRemapSet = TVMFFIAny (*)(StructuralMutatorObj*, AnyView, AnyView) noexcept;

namespace detail {

/*!
 * \brief The functions that a mutation calls before and after it mutates the parts of a value.
 *
 * The value may be None. A function that is NULL is not called.
 */
struct StructuralMutateSteps {
  /*!
   * \brief Called before the parts of the value are mutated.
   * \param mode kAllow only for an object with one reference.
   * \param is_final set when the parts of the result must not be mutated; false before the call.
   * \return an owned new value, the marker Unchanged, or an Error to stop.
   */
  TVMFFIAny (*enter)(StructuralMutatorObj* mutator, AnyView value, InplaceMode mode,
                     bool* is_final) noexcept;
  /*! \brief Called after the parts were mutated, with the resulting value. */
  FStructuralMutateABI leave;
};

/*! \brief Mutate the parts of a value, with the hook of its type or one by one; return an owned new
 * value, the marker Unchanged, or an Error. */
inline TVMFFIAny MutateParts(StructuralMutatorObj* mutator, AnyView value,
                             InplaceMode mode) noexcept;

struct StructuralMutatorUnsafe;
}  // namespace detail

/*! \brief The functions of a mutator; none may be NULL. */
struct StructuralMutatorVTable {
  /*! \brief Mutates a value, never in place. */
  FStructuralMutateABI mutate;
  /*! \brief Mutates a value, which may be changed in place. */
  FStructuralMutateABI maybe_inplace_mutate;
  /*! \brief Returns the replacement of a variable. */
  FStructuralVarRemapGet var_remap_get;
  /*! \brief Stores the replacement of a variable. */
  FStructuralVarRemapSet var_remap_set;
};

/*!
 * \brief A mutator, through which hooks and callbacks mutate parts.
 *
 * A derived class has a function table (StructuralMutatorVTable) instead of virtual members, so
 * that libraries of different compilers can use the mutator. A mutator is made by make_object only,
 * and cannot be copied.
 */
class StructuralMutatorObj : public Object {
 public:
  /*! \brief Class of the mutator that callbacks of StructuralMutateEngine get. */
  using MutatorObjType = StructuralMutatorObj;

  StructuralMutatorObj(const StructuralMutatorObj&) = delete;
  StructuralMutatorObj& operator=(const StructuralMutatorObj&) = delete;

  /*!
   * \brief Mutate a value.
   * \param value any value, also None and values that are not objects.
   * \param mode kAllow allows a change in place of an object that has only one reference.
   * \return the new value, or Unchanged. The result is Unchanged, too, if the object was changed in
   *         place.
   * \throws Error the exceptions of callbacks, hooks, copies and setters.
   */
  UnchangedOr<Any> Mutate(AnyView value, InplaceMode mode = InplaceMode::kDisallow) {
    return MutateExpected(value, mode).value();
  }

  /*! \brief Mutate without throwing. */
  inline Expected<UnchangedOr<Any>> MutateExpected(
      AnyView value, InplaceMode mode = InplaceMode::kDisallow) noexcept;

  /*!
   * \brief Mutate the parts of a value, each with MutateExpected.
   *
   * Call the hook `__s_mutate__` of the type of the value if there is one. With kAllow, the hook
   * `__s_maybe_inplace_mutate__` takes precedence. Without a hook, mutate field by field, and enter
   * definition regions according to the flags of the fields.
   * \param mode with kAllow the value may be changed in place, even if there are other references:
   *         the caller guarantees that this is safe, as for a value that a callback got with
   *         kAllow.
   */
  inline Expected<UnchangedOr<Any>> DefaultMutateExpected(
      AnyView value, InplaceMode mode = InplaceMode::kDisallow) noexcept;

  /*! \brief Return the recorded replacement of an object, or None; TypeError if `var` is not an
   * object. */
  inline Expected<Any> VarRemapGetExpected(AnyView var) noexcept;

  /*!
   * \brief Record the replacement of an object.
   * \param var the object, found by identity later, and kept alive. TypeError for any other value.
   * \param mapped the replacement; the marker of Unchanged means that the object is not replaced.
   */
  inline Expected<void> VarRemapSetExpected(AnyView var, AnyView mapped) noexcept;

  /*! \brief Return the current definition region of the mutation. */
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

/*! \brief A hook that mutates the parts of a value with the mutator. */
using FStructuralMutate =
    reflection::NativeFunctionView<UnchangedOr<Any>(StructuralMutatorObj*, AnyView)>;

namespace type_attr {

/*! \brief The hook that returns a changed copy of an object. It replaces the mutation of the
 * fields. */
inline constexpr reflection::AttrKey<FStructuralMutate> kStructuralMutate{"__s_mutate__"};
/*! \brief The hook that takes precedence over kStructuralMutate if the object may be changed in
 * place. */
inline constexpr reflection::AttrKey<FStructuralMutate> kStructuralMaybeInplaceMutate{
    "__s_maybe_inplace_mutate__"};

}  // namespace type_attr

namespace detail {

/*! \brief Access to the private members of a mutator, for the library; results are owned. */
struct StructuralMutatorUnsafe {
  static TVMFFIDefRegionKind* DefRegionMode(StructuralMutatorObj* mutator) {
    return &mutator->def_region_mode_;
  }
  /*! \brief Call a function of the vtable: maybe_inplace_mutate if `is_inplace`, otherwise mutate.
   * The caller has checked that a change in place is safe. */
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

/*! \brief Return whether a value is an object without other references. */
TVM_FFI_INLINE bool IsUniqueObject(AnyView value) noexcept {
  return value.type_index() >= TypeIndex::kTVMFFIStaticObjectBegin &&
         IsUniqueRef(value.CopyToTVMFFIAny().v_obj);
}

/*! \brief Return the TypeError of TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN for a value that is not of the
 * declared type. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Error MutateResultMismatch() {
  return Error("TypeError", "structural mutate result does not match the declared type",
               TVMFFIBacktrace(nullptr, 0, nullptr, 0));
}

/*! \brief Return the content of a result that is not an error, for the macros below. */
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

/*! \brief If `result`, an Expected, is an error, return from the calling function with this error.
 * The calling function must return an Expected. */
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
 * \brief Declare `Type name` with the value of `expr`, an Expected; `Type` may be an UnchangedOr.
 *
 * If `expr` is an error, return from the calling function with this error; if its value is not a
 * `Type`, return with a TypeError. The calling function must return an Expected.
 */
#define TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN(Type, name, expr)                        \
  TVM_FFI_MUTATE_ASSIGN_(Type, name, expr,                                         \
                         TVM_FFI_MUTATE_CONCAT_(tvm_ffi_mutate_assign_, __LINE__), \
                         ::tvm::ffi::detail::AnyUnsafe::CheckAnyStrict<Type>)

/*! \brief Like TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN, for an `expr` whose value is known to be a
 * `Type`. */
#define TVM_FFI_UNSAFE_S_MUTATE_ASSIGN_OR_RETURN(Type, name, expr)                 \
  TVM_FFI_MUTATE_ASSIGN_(Type, name, expr,                                         \
                         TVM_FFI_MUTATE_CONCAT_(tvm_ffi_mutate_assign_, __LINE__), \
                         ::tvm::ffi::detail::AcceptMutateResult)

namespace detail {
inline constexpr bool AcceptMutateResult(const Any&) { return true; }
}  // namespace detail

}  // namespace tvm::ffi

#include <tvm/ffi/detail/callback_match.h>
#include <tvm/ffi/detail/mutate_parts.h>
#include <tvm/ffi/detail/mutate_walk.h>

namespace tvm::ffi {

/*!
 * \brief Base of all engines. An engine is a mutator with callbacks. It records the replacements of
 * variables by the identity of the variables.
 *
 * The constructor of a derived class takes the function table (StructuralMutatorVTable) of its
 * engine.
 */
class StructuralMapEngineBase : public StructuralMutatorObj {
 public:
  /*! \brief The type of the result of StateTuple(). */
  using StateTupleType = std::tuple<>;

  explicit StructuralMapEngineBase(const StructuralMutatorVTable* vtable)
      : StructuralMutatorObj(vtable) {}

 protected:
  /*! \brief Return the arguments that callbacks get after the value. A derived class can replace
   * this function. */
  StateTupleType StateTuple() const noexcept { return {}; }

  /*! \brief Return the recorded replacement of an object, or None; TypeError if `var` is not an
   * object. */
  Expected<Any> VarRemapGetImpl(AnyView var) noexcept {
    return detail::CallToExpected<Any>([&] {
      auto found = var_remap_.find(KeyOf(var));
      return found == var_remap_.end() ? Any() : found->second;
    });
  }
  /*! \brief Record the replacement of an object, and keep the object alive; TypeError if `var` is
   * not an object. */
  Expected<void> VarRemapSetImpl(AnyView var, AnyView mapped) noexcept {
    return detail::CallToExpected<void>([&] {
      const Object* key = KeyOf(var);
      // Release the old value last: its destructor may call this function.
      Any replacement(mapped);
      auto found = var_remap_.find(key);
      if (found == var_remap_.end()) {
        keys_.emplace_back(var);
        found = var_remap_.emplace(key, nullptr).first;
      }
      std::swap(found->second, replacement);
      return Expected<void>();
    });
  }

  /*! \brief Implements StructuralMutatorVTable::var_remap_get. */
  static TVMFFIAny DispatchVarRemapGet(StructuralMutatorObj* mutator, AnyView var) noexcept {
    return detail::ExpectedUnsafe::MoveToTVMFFIAny(
        static_cast<StructuralMapEngineBase*>(mutator)->VarRemapGetImpl(var));
  }
  /*! \brief Implements StructuralMutatorVTable::var_remap_set. */
  static TVMFFIAny DispatchVarRemapSet(StructuralMutatorObj* mutator, AnyView var,
                                       AnyView mapped) noexcept {
    return detail::ExpectedUnsafe::MoveToTVMFFIAny(
        static_cast<StructuralMapEngineBase*>(mutator)->VarRemapSetImpl(var, mapped));
  }

  /*! \brief The replacements of objects, by identity. A derived class that adds an entry keeps the
   * object alive. */
  std::unordered_map<const Object*, Any> var_remap_;

 private:
  static const Object* KeyOf(AnyView var) {
    if (TVM_FFI_PREDICT_FALSE(var.type_index() < TypeIndex::kTVMFFIStaticObjectBegin)) {
      TVM_FFI_THROW(TypeError) << "Variable-remap key must be an object-backed value";
    }
    return detail::ObjectUnsafe::RawObjectPtrFromUnowned<Object>(var.CopyToTVMFFIAny().v_obj);
  }

  /*! \brief Keeps the objects of VarRemapSetImpl alive, so that their addresses are not reused. */
  std::vector<Any> keys_;
};

namespace detail {

template <typename Callback>
constexpr void CheckMutateCallback() {
  static_assert(!std::is_void_v<typename VisitCallbackInfo<Callback>::RetType>,
                "callbacks of a mutation return what the value becomes");
}

/*! \brief Whether a class does not override DefaultMutateExpected. If so, the library may process
 * the parts of a value without a call of that function. */
template <typename Parent, typename = void>
inline constexpr bool has_plain_default_mutate_v = false;
template <typename Parent>
inline constexpr bool
    has_plain_default_mutate_v<Parent, std::void_t<decltype(&Parent::DefaultMutateExpected)>> =
        std::is_same_v<decltype(&Parent::DefaultMutateExpected),
                       decltype(&StructuralMutatorObj::DefaultMutateExpected)>;

/*!
 * \brief Common base of the engines: mutates a value and its parts with the callbacks of Engine.
 *
 * Engine has the function `TVMFFIAny CallBack(AnyView, InplaceMode, bool* is_final)`, which does
 * not throw. The constant `WalkOrder kOrder` of Engine tells whether CallBack is called as `enter`
 * or as `leave` of StructuralMutateSteps.
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
      // The value does not have parts, so only CallBack has to run.
      if (value.type_index() < TypeIndex::kTVMFFIStaticObjectBegin) {
        bool is_final;
        return static_cast<Engine*>(this)->CallBack(value, mode, &is_final);
      }
    }
    if (num_nested_ > kMaxUncheckedMutations && !CStackHasSpace()) return NoCStackForMutation();
    if constexpr (Engine::kOrder == WalkOrder::kPreOrder) {
      bool is_final = false;
      TVMFFIAny entered = static_cast<Engine*>(this)->CallBack(value, mode, &is_final);
      if (is_final || IsErrorResult(entered)) return entered;
      if (!IsUnchangedResult(entered)) {
        Any replacement = AdoptResult(entered);
        if (!AnyView(replacement).same_as(value)) return MutateReplacement(std::move(replacement));
      }
      // Get the mode again, because the callback may have kept a reference to the value.
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
        return MutatePartsUnchecked(this, value, mode);
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
      &MutateEngineBase::DispatchVarRemapGet, &MutateEngineBase::DispatchVarRemapSet};

  int num_nested_ = 0;
};

/*! \brief Mutate a value with a new engine. */
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
 * \brief The mutator that StructuralMapExpected uses, for programs that derive the mutator from
 * their own class `Parent`.
 *
 * Callbacks also get the values of `Parent::StateTuple()`, between the value and the region kind.
 * \tparam Parent derives from StructuralMapEngineBase; its constructor takes the function table of
 *         the mutator (`const StructuralMutatorVTable*`).
 * \tparam order when callbacks run.
 * \tparam Callbacks classes or function pointers, at least one.
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
 * \brief The mutator that StructuralMutateExpected uses, for programs that derive the mutator from
 * their own class `Parent`.
 * \tparam Parent derives from StructuralMapEngineBase; its constructor takes the function table of
 *         the mutator (`const StructuralMutatorVTable*`). Callbacks get the mutator as
 *         `Parent::MutatorObjType*`.
 * \tparam Callbacks classes or function pointers, at least one.
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

/*! \brief A mutator that maps with two tables of callbacks, see RegionTables. */
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
 * \brief A mutator that maps with callbacks which are chosen by type index.
 * \tparam Parent as for StructuralMapEngine, but the values of StateTuple() are not passed to
 *         callbacks.
 * \tparam order when callbacks run.
 */
template <typename Parent, WalkOrder order>
class StructuralMapDynEngine : public detail::MapTableEngine<Parent, order, detail::CallbackList> {
 public:
  /*! \brief Pairs of a type index (-1: all values) and the function to call. */
  using Callbacks = Array<Tuple<int32_t, Function>>;

  /*!
   * \param callbacks take the value; the first that accepts the value is called.
   * \param callbacks_with_kind take the value and the definition region; used if none of
   *         `callbacks` accepts the value.
   */
  StructuralMapDynEngine(const Callbacks& callbacks, const Callbacks& callbacks_with_kind)
      : detail::MapTableEngine<Parent, order, detail::CallbackList>(
            detail::CallbackList(callbacks), detail::CallbackList(callbacks_with_kind)) {}
};

/*!
 * \brief Replace values by the results of callbacks.
 * \tparam order kPreOrder: a callback gets the original value, then the parts of its result are
 *         mapped; kPostOrder: a callback gets the value after its parts were mapped.
 * \param root the value. If the caller moves the only reference to a container into `root`, the
 *         container may be changed in place.
 * \param callbacks functions with the parameters `(T)` or `(T, TVMFFIDefRegionKind)`. Each returns
 *         a replacement, Unchanged, an UnchangedOr or an Expected of these. For each value, the
 *         first callback whose `T` accepts the value (`as<T>`) is called. Any and AnyView accept
 *         all values, also None. The callbacks are copied.
 * \return the new value, which is the same object if nothing changed; or the error, with a
 *         VisitErrorContext of the objects around the value that failed.
 */
template <WalkOrder order, typename... Callbacks>
Expected<Any> StructuralMapExpected(Any root, Callbacks&&... callbacks) noexcept {
  static_assert(sizeof...(Callbacks) > 0, "StructuralMap requires at least one callback");
  using Engine = StructuralMapEngine<StructuralMapEngineBase, order, std::decay_t<Callbacks>...>;
  return detail::MutateByEngine<Engine>(std::move(root), std::forward<Callbacks>(callbacks)...);
}

/*! \brief Like StructuralMapExpected, but throw the error. */
template <WalkOrder order, typename... Callbacks>
Any StructuralMap(Any root, Callbacks&&... callbacks) {
  return StructuralMapExpected<order>(std::move(root), std::forward<Callbacks>(callbacks)...)
      .value();
}

/*!
 * \brief Mutate a value. A callback replaces the mutation of the values that it accepts.
 * \param root as in StructuralMapExpected.
 * \param callbacks functions with the parameters `(T, StructuralMutatorObj*)` or `(T,
 *         StructuralMutatorObj*, InplaceMode)`. They are chosen and copied, and return a result, as
 *         in StructuralMapExpected. The result of a callback is final: its parts are mutated only
 *         if the callback mutates them through the mutator. With kAllow, a callback may change the
 *         value in place. If no callback accepts a value, the parts of the value are mutated.
 * \return as in StructuralMapExpected.
 */
template <typename... Callbacks>
Expected<Any> StructuralMutateExpected(Any root, Callbacks&&... callbacks) noexcept {
  static_assert(sizeof...(Callbacks) > 0, "StructuralMutate requires at least one callback");
  using Engine = StructuralMutateEngine<StructuralMapEngineBase, std::decay_t<Callbacks>...>;
  return detail::MutateByEngine<Engine>(std::move(root), std::forward<Callbacks>(callbacks)...);
}

/*! \brief Like StructuralMutateExpected, but throw the error. */
template <typename... Callbacks>
Any StructuralMutate(Any root, Callbacks&&... callbacks) {
  return StructuralMutateExpected(std::move(root), std::forward<Callbacks>(callbacks)...).value();
}

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_STRUCTURAL_MUTATE_H_
