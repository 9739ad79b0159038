// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/mutate_parts.h
 * \brief Mutation of the parts of one value, with the hook of its type or one by one.
 *
 * Used by extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_MUTATE_PARTS_H_
#define TVM_FFI_DETAIL_MUTATE_PARTS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/c_stack.h>
#include <tvm/ffi/detail/graph_walk.h>
#include <tvm/ffi/detail/mutate_children.h>
#include <tvm/ffi/detail/structural_hook.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/structural_mutate.h>

#include <cstdint>
#include <utility>

namespace tvm::ffi::detail {

inline constexpr const char* kMutateOperation = "StructuralMutate";

/*! \brief The number of nested mutations after which a mutator with callbacks continues on an
 * explicit stack. */
inline constexpr int kMaxNestedMutations = 100;
/*! \brief The number of nested mutations from which each mutation checks how much C stack is
 * left. */
inline constexpr int kMaxUncheckedMutations = 32;

TVM_FFI_INLINE Any AdoptResult(TVMFFIAny result) {
  return AnyUnsafe::MoveTVMFFIAnyRawToAny(result);
}
TVM_FFI_INLINE bool IsUnchangedResult(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIUnchanged;
}
TVM_FFI_INLINE bool IsErrorResult(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIError;
}
TVM_FFI_INLINE TVMFFIAny UnchangedResult() { return Unchanged().CopyToTVMFFIAny(); }

/*! \brief Return whether the value does not change: `result` is the marker for "unchanged", or the
 * same value as before. */
TVM_FFI_INLINE bool StaysAsItIs(const TVMFFIAny& result, AnyView before) {
  return IsUnchangedResult(result) || AnyView::CopyFromTVMFFIAny(result).same_as(before);
}

/*! \brief Store an owned value in `*result`, and release the former content of `*result` if it is
 * an object. */
TVM_FFI_INLINE void StoreResult(Any* result, TVMFFIAny value) {
  if (IsObjectValue(RawValue(*result))) {
    *result = AdoptResult(value);
  } else {
    const_cast<TVMFFIAny&>(RawValue(*result)) = value;
  }
}

/*! \brief Return kAllow if a value can still be changed in place after a callback: `mode` allows it
 * and the callback has not kept a reference to the value. */
// Not inlined, because GCC 12 warns about the inlined code.
TVM_FFI_NO_INLINE inline InplaceMode ModeAfterCallback(AnyView value, InplaceMode mode) noexcept {
  bool is_inplace = mode == InplaceMode::kAllow && IsUniqueObject(value);
  return is_inplace ? InplaceMode::kAllow : InplaceMode::kDisallow;
}

// ------------------------------------------------------ values that a mutation does not enter

/*! \brief Return whether the objects of a type are variants of an enum. */
inline bool IsEnumType(int32_t type_index) {
  if (type_index < TypeIndex::kTVMFFIDynObjectBegin) return false;
  if (IsObjectInstance<EnumObj>(type_index)) return true;
  return FindTypeAttr(GetTypeAttrColumnOrNull("__ffi_enum__", 12), type_index) != nullptr;
}

/*! \brief Call the mutation hook of the type of `node`, and store the result of the hook in
 * `*result`. Return false if the type does not have a hook. */
inline bool CallMutateHook(StructuralMutatorObj* mutator, AnyView node, bool is_inplace,
                           TVMFFIAny* result) {
  static const TVMFFITypeAttrColumn* const mutate = GetTypeAttrColumnOrNull("__s_mutate__", 12);
  static const TVMFFITypeAttrColumn* const inplace =
      GetTypeAttrColumnOrNull("__s_maybe_inplace_mutate__", 26);
  const char* message = "__s_maybe_inplace_mutate__ must be a direct hook pointer or ffi.Function";
  const TVMFFIAny* hook = is_inplace ? FindTypeAttr(inplace, node.type_index()) : nullptr;
  if (hook == nullptr) {
    message = "__s_mutate__ must be a direct hook pointer or ffi.Function";
    hook = FindTypeAttr(mutate, node.type_index());
  }
  if (hook == nullptr) return false;
  CheckCStack(kMutateOperation);
  using Hook = StructuralHook<UnchangedOr<Any>(StructuralMutatorObj*, AnyView)>;
  TVMFFIDefRegionKind* region = StructuralMutatorUnsafe::DefRegionMode(mutator);
  DefRegionScope scope(region, *region);
  TVMFFIAny kept = *hook;  // The value of an attribute never changes, but the column may move.
  // runs foreign code
  *result = ExpectedUnsafe::MoveToTVMFFIAny(Hook::CallExpected(kept, message, mutator, node));
  return true;
}

/*!
 * \brief Return whether the mutation does not enter `node`: the result for `node` is known, and its
 * parts must not be mutated one by one.
 * \param plan receives the FieldPlan of `node` if its fields must be mutated; NULL for a container.
 * \param result receives the owned result for `node` if the function returns true.
 */
inline bool EndsMutationAt(StructuralMutatorObj* mutator, AnyView node, bool is_inplace,
                           const FieldPlan** plan, TVMFFIAny* result) {
  int32_t type_index = node.type_index();
  *plan = nullptr;
  if (IsContainer(type_index)) return false;
  *result = UnchangedResult();
  // Do not call the hooks of these types: the runtime library defines them, and they never change
  // an object.
  if (type_index == TypeIndex::kTVMFFIStr || type_index == TypeIndex::kTVMFFIBytes ||
      type_index == TypeIndex::kTVMFFIBigInt) {
    return true;
  }
  if (CallMutateHook(mutator, node, is_inplace, result)) return true;
  if (FindShallowCopy(type_index) == nullptr) {
    if (type_index < TypeIndex::kTVMFFIDynObjectBegin || IsEnumType(type_index)) return true;
    TVM_FFI_THROW(TypeError) << "__ffi_shallow_copy__ must be an ffi.Function";
  }
  *plan = &GetFieldPlan(type_index);
  switch ((*plan)->kind()) {
    case kTVMFFISEqHashKindFreeVar:
    case kTVMFFISEqHashKindDAGNode:
      break;
    case kTVMFFISEqHashKindUniqueInstance:
    case kTVMFFISEqHashKindUnsupported:
      // Variants of enums, which have one of these two kinds, are not mutated. Other objects are.
      return IsEnumType(type_index);
    default:
      return false;
  }
  TVMFFIAny mapped = StructuralMutatorUnsafe::VarRemapGet(mutator, node);
  if (mapped.type_index != TypeIndex::kTVMFFINone) {
    *result = mapped;
    return true;
  }
  return (*plan)->kind() == kTVMFFISEqHashKindFreeVar &&
         *StructuralMutatorUnsafe::DefRegionMode(mutator) == kTVMFFIDefRegionKindNone;
}

/*! \brief Return the structural kind of the type that `plan` describes. For a container, `plan` is
 * NULL, and callers do not use the result. */
TVM_FFI_INLINE TVMFFISEqHashKind KindOfPlanned(const FieldPlan* plan) {
  return plan == nullptr ? kTVMFFISEqHashKindUnsupported : plan->kind();
}

/*!
 * \brief Record the result for an object whose parts were mutated, if the mutator reuses results of
 * this kind of object.
 * \param outside the definition region that contains the object.
 * \return owned None or an Error.
 */
TVM_FFI_INLINE TVMFFIAny RecordMutated(StructuralMutatorObj* mutator, TVMFFIObject* object,
                                       TVMFFISEqHashKind kind, TVMFFIDefRegionKind outside,
                                       const Any& result) {
  bool is_recorded =
      kind == kTVMFFISEqHashKindDAGNode ||
      (kind == kTVMFFISEqHashKindFreeVar &&
       (!IsUnchangedResult(RawValue(result)) || outside == kTVMFFIDefRegionKindPattern));
  if (!is_recorded) return NoneResult();
  AnyView node = AnyView::CopyFromTVMFFIAny(ObjectValue(object));
  return StructuralMutatorUnsafe::VarRemapSet(mutator, node, result);
}

// ---------------------------------------------------------------- part by part

// Each function returns a new owned object, the marker for "unchanged", or an Error. The caller
// keeps the object alive.

/*! \brief Mutate the elements of an array; the results are stored in a copy of the array. */
inline TVMFFIAny MutateElementsOfArray(StructuralMutatorObj* mutator, TVMFFIObject* array) {
  const SeqBaseObj* elements = AsSequence(array);
  Array<Any> copy{UnsafeInit()};
  for (size_t i = 0; i < elements->size(); ++i) {
    const Any& element = elements->begin()[i];
    // runs foreign code
    TVMFFIAny became = StructuralMutatorUnsafe::Mutate(mutator, element, false);
    if (IsErrorResult(became)) return became;
    Any replacement = AdoptResult(became);
    bool is_changed = !StaysAsItIs(became, element);
    if (!copy.defined()) {
      if (!is_changed) continue;
      copy = Array<Any>(ObjectPtr<Object>(ArrayObj::Empty(static_cast<int64_t>(elements->size()))));
      for (size_t k = 0; k < i; ++k) copy.push_back(elements->begin()[k]);
    }
    if (is_changed) {
      copy.emplace_back(std::move(replacement));
    } else {
      copy.push_back(element);
    }
  }
  if (!copy.defined()) return UnchangedResult();
  return AnyUnsafe::MoveAnyToTVMFFIAny(Any(std::move(copy)));
}

/*! \brief Mutate the fields of an object, and return the result. The object itself is not modified:
 * if a field changes, the result is a copy of the object. */
inline TVMFFIAny MutateFields(StructuralMutatorObj* mutator, TVMFFIObject* object,
                              const FieldPlan& plan) {
  TVMFFIDefRegionKind* region = StructuralMutatorUnsafe::DefRegionMode(mutator);
  DefRegionScope scope(region, *region);
  const TVMFFIDefRegionKind outside = *region;
  const TVMFFIDefRegionKind inside = DefRegionInside(outside, plan.kind());
  Any result = Unchanged();
  Any copy;
  for (const PlannedField& field : plan.fields) {
    if ((field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    Any part = ReadOwnedField(field, object);
    *region = DefRegionOfField(inside, field.flags);
    TVMFFIAny became = StructuralMutatorUnsafe::Mutate(mutator, part, false);  // runs foreign code
    if (IsUnchangedResult(became)) continue;
    if (IsErrorResult(became)) return became;
    Any replacement = AdoptResult(became);
    if (!AnyView(replacement).same_as(part)) SetFieldInCopy(object, &copy, field, replacement);
  }
  *region = outside;
  if (copy != nullptr) result = std::move(copy);
  TVMFFIAny status = RecordMutated(mutator, object, plan.kind(), outside, result);
  if (IsErrorResult(status)) return status;
  return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(result));
}

/*! \brief Mutate the parts of any container, in place if that is allowed. */
inline TVMFFIAny MutateContainer(StructuralMutatorObj* mutator, TVMFFIObject* container,
                                 bool is_inplace) {
  MutableChildren children(container, nullptr, is_inplace);
  while (children.next()) {
    AnyView child = children.child();
    bool is_child_inplace = children.is_inplace() && IsUniqueObject(child);
    // runs foreign code
    TVMFFIAny result = StructuralMutatorUnsafe::Mutate(mutator, child, is_child_inplace);
    if (TVM_FFI_PREDICT_TRUE(IsUnchangedResult(result))) {
      children.put_back();
      continue;
    }
    Any replacement = AdoptResult(result);
    if (IsErrorResult(result)) {
      children.put_back();
      return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(replacement));
    }
    if (AnyView(replacement).same_as(child)) {
      children.put_back();
    } else {
      children.replace(std::move(replacement));
    }
  }
  return AnyUnsafe::MoveAnyToTVMFFIAny(children.finish());
}

/*! \brief Mutate the parts of an object one by one with the mutator. */
inline TVMFFIAny MutateEachPart(StructuralMutatorObj* mutator, TVMFFIObject* object,
                                const FieldPlan* plan, bool is_inplace) {
  Any second_ref;
  if (!is_inplace && NeedsSecondRef(object)) {
    second_ref = AnyView::CopyFromTVMFFIAny(ObjectValue(object));
  }
  if (plan != nullptr) return MutateFields(mutator, object, *plan);
  if (!is_inplace && object->type_index == TypeIndex::kTVMFFIArray) {
    return MutateElementsOfArray(mutator, object);
  }
  return MutateContainer(mutator, object, is_inplace);
}

TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline TVMFFIAny NoMutator() noexcept {
  return AnyUnsafe::MoveAnyToTVMFFIAny(
      Any(Error("ValueError", "The structural mutator is null", "")));
}

TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline TVMFFIAny NoCStackForMutation() noexcept {
  return CallToOwned([]() -> TVMFFIAny { ThrowNoCStack(kMutateOperation); });
}

/*! \brief Do the same as MutateParts(), for a caller that has checked the C stack. */
inline TVMFFIAny MutatePartsUnchecked(StructuralMutatorObj* mutator, AnyView value,
                                      InplaceMode mode) noexcept {
  return CallToOwned([&]() -> TVMFFIAny {
    TVMFFIAny bits = value.CopyToTVMFFIAny();
    if (!IsObjectValue(bits)) return UnchangedResult();
    if (IsContainer(bits.type_index) && ContainerSize(bits.v_obj) == 0) return UnchangedResult();
    const FieldPlan* plan;
    TVMFFIAny result;
    bool is_inplace = mode == InplaceMode::kAllow;
    if (EndsMutationAt(mutator, value, is_inplace, &plan, &result)) return result;
    return MutateEachPart(mutator, bits.v_obj, plan, is_inplace);
  });
}

inline TVMFFIAny MutateParts(StructuralMutatorObj* mutator, AnyView value,
                             InplaceMode mode) noexcept {
  if (TVM_FFI_PREDICT_FALSE(mutator == nullptr)) return NoMutator();
  if (TVM_FFI_PREDICT_FALSE(!CStackHasSpace())) return NoCStackForMutation();
  return MutatePartsUnchecked(mutator, value, mode);
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_MUTATE_PARTS_H_
