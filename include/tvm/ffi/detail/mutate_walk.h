// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/mutate_walk.h
 * \brief How mutations go through values: every object is entered, then its parts are mutated one
 * by one and replaced where they changed, then it is left as what it has become; by recursion as
 * long as that is not deep, then on a stack of their own.
 *
 * Serves extra/structural_mutate.h, which includes it at its end.
 */
#ifndef TVM_FFI_DETAIL_MUTATE_WALK_H_
#define TVM_FFI_DETAIL_MUTATE_WALK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/c_stack.h>
#include <tvm/ffi/detail/graph_walk.h>
#include <tvm/ffi/detail/mutate_children.h>
#include <tvm/ffi/detail/structural_hook.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/structural_mutate.h>

#include <cstdint>
#include <unordered_set>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

inline constexpr const char* kMutateOperation = "StructuralMutate";

/*! \brief Mutations of an engine that may be nested before it goes on with a stack of its own. */
inline constexpr int kMaxNestedMutations = 100;
/*! \brief Mutations that may be nested before each looks how much is left of the C stack. */
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

/*! \brief Whether a value has no new one: the marker, or the same as before. */
TVM_FFI_INLINE bool StaysAsItIs(const TVMFFIAny& result, AnyView before) {
  return IsUnchangedResult(result) || AnyView::CopyFromTVMFFIAny(result).same_as(before);
}

/*! \brief Store an owned value without a temporary: most values are plain, and most stay as they
 * are. */
TVM_FFI_INLINE void StoreResult(Any* result, TVMFFIAny value) {
  if (IsObjectValue(RawValue(*result))) {
    *result = AdoptResult(value);
  } else {
    const_cast<TVMFFIAny&>(RawValue(*result)) = value;
  }
}

/*! \brief The mode for what a callback has seen, and may have kept. (Inlined, GCC 12 warns.) */
TVM_FFI_NO_INLINE inline InplaceMode ModeAfterCallback(AnyView value, InplaceMode mode) noexcept {
  bool is_inplace = mode == InplaceMode::kAllow && IsUniqueObject(value);
  return is_inplace ? InplaceMode::kAllow : InplaceMode::kDisallow;
}

// ---------------------------------------------------------------- where a mutation ends

/*! \brief Whether the objects of a type are the constants of an enum. */
inline bool IsEnumType(int32_t type_index) {
  if (type_index < TypeIndex::kTVMFFIDynObjectBegin) return false;
  if (IsObjectInstance<EnumObj>(type_index)) return true;
  return FindTypeAttr(GetTypeAttrColumnOrNull("__ffi_enum__", 12), type_index) != nullptr;
}

/*! \brief Call the mutating hook of a type that has one; `*result` is what it gave. */
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
  TVMFFIAny kept = *hook;  // Attributes stay where and what they are, but the column may move.
  // runs foreign code
  *result = ExpectedUnsafe::MoveToTVMFFIAny(Hook::CallExpected(kept, message, mutator, node));
  return true;
}

/*!
 * \brief Whether the parts of an object are not looked into.
 * \param plan of the object where they are, NULL for containers.
 * \param result what the object becomes where they are not, owned; untouched otherwise.
 */
inline bool EndsMutationAt(StructuralMutatorObj* mutator, AnyView node, bool is_inplace,
                           const FieldPlan** plan, TVMFFIAny* result) {
  int32_t type_index = node.type_index();
  *plan = nullptr;
  if (IsContainer(type_index)) return false;
  *result = UnchangedResult();
  // The hooks of these are the library's, which leave them as they are.
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
      // Enums are unique instances, if they say anything at all.
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

/*! \brief The structural kind of what a plan is of; that of containers is of no interest. */
TVM_FFI_INLINE TVMFFISEqHashKind KindOfPlanned(const FieldPlan* plan) {
  return plan == nullptr ? kTVMFFISEqHashKindUnsupported : plan->kind();
}

/*!
 * \brief Record what an object whose parts were mutated has become, where that is remembered.
 * \param outside the region in which the object stands.
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

// ---------------------------------------------------------------- one value, by recursion

/*! \brief Mutate the parts of an object one by one by the mutator. */
inline TVMFFIAny MutateEachPart(StructuralMutatorObj* mutator, TVMFFIObject* object,
                                const FieldPlan* plan, bool is_inplace) {
  Any keeper;
  if (!is_inplace) keeper = AnyView::CopyFromTVMFFIAny(ObjectValue(object));
  MutableChildren children(object, plan, is_inplace);
  TVMFFIDefRegionKind* region = StructuralMutatorUnsafe::DefRegionMode(mutator);
  DefRegionScope scope(region, *region);
  const TVMFFIDefRegionKind outside = *region;
  const TVMFFIDefRegionKind inside = DefRegionInside(outside, KindOfPlanned(plan));
  while (children.next()) {
    *region = DefRegionOfField(inside, children.flags());
    AnyView child = children.child();
    bool is_child_inplace = children.is_inplace() && IsUniqueObject(child);
    // runs foreign code
    TVMFFIAny result = StructuralMutatorUnsafe::Mutate(mutator, child, is_child_inplace);
    if (TVM_FFI_PREDICT_TRUE(IsUnchangedResult(result))) {
      children.put_back();
      continue;
    }
    Any owned = AdoptResult(result);
    if (IsErrorResult(result)) {
      children.put_back();
      return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(owned));
    }
    if (AnyView(owned).same_as(child)) {
      children.put_back();
    } else {
      children.replace(std::move(owned));
    }
  }
  *region = outside;
  Any result = children.finish();
  TVMFFIAny status = RecordMutated(mutator, object, KindOfPlanned(plan), outside, result);
  if (IsErrorResult(status)) return status;
  return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(result));
}

TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline TVMFFIAny NoMutator() noexcept {
  return AnyUnsafe::MoveAnyToTVMFFIAny(
      Any(Error("ValueError", "The structural mutator is null", "")));
}

inline TVMFFIAny MutateParts(StructuralMutatorObj* mutator, AnyView value,
                             InplaceMode mode) noexcept {
  if (TVM_FFI_PREDICT_FALSE(mutator == nullptr)) return NoMutator();
  return CallToOwned([&]() -> TVMFFIAny {
    TVMFFIAny bits = value.CopyToTVMFFIAny();
    if (!IsObjectValue(bits)) return UnchangedResult();
    if (IsContainer(bits.type_index) && ContainerSize(bits.v_obj) == 0) return UnchangedResult();
    CheckCStack(kMutateOperation);
    const FieldPlan* plan;
    TVMFFIAny result;
    bool is_inplace = mode == InplaceMode::kAllow;
    if (EndsMutationAt(mutator, value, is_inplace, &plan, &result)) return result;
    return MutateEachPart(mutator, bits.v_obj, plan, is_inplace);
  });
}

// ---------------------------------------------------------------- the walk

/*! \brief An object whose parts are being mutated. */
struct MutateFrame {
  MutateFrame(TVMFFIObject* object, const FieldPlan* plan, bool is_inplace,
              TVMFFIDefRegionKind outside)
      : children(object, plan, is_inplace),
        kind(KindOfPlanned(plan)),
        outside(outside),
        inside(DefRegionInside(outside, kind)) {}

  MutableChildren children;
  TVMFFISEqHashKind kind;
  /*! \brief The regions of the object and, before their own flags, of its fields. */
  TVMFFIDefRegionKind outside;
  TVMFFIDefRegionKind inside;
  /*! \brief Owns the object when a callback made it; otherwise None. */
  Any replacement;
};

/*! \brief Takes the steps of an engine at each value, on a stack of its own. */
class MutateWalk {
 public:
  /*! \param num_outer levels of the value above that at which the walk begins. */
  MutateWalk(StructuralMutatorObj* mutator, const StructuralMutateSteps& steps, size_t num_outer)
      : mutator_(mutator),
        num_outer_(num_outer),
        steps_(steps),
        region_(StructuralMutatorUnsafe::DefRegionMode(mutator)),
        first_region_(*region_),
        stack_(kMutateOperation, nullptr) {}

  /*! \brief Mutate the parts of a value that was entered already; an owned result. */
  TVMFFIAny run_below(AnyView root, bool is_inplace) noexcept {
    Any result;
    try {
      CheckCStack(kMutateOperation);
      if (!is_inplace) kept_root_ = root;
      bool is_done = enter_parts(root, nullptr, is_inplace, &result);
      while (!is_done || (!is_error(result) && !stack_.empty())) {
        if (is_done) take(std::move(result));
        is_done = step(&result);
      }
    } catch (...) {
      result = CurrentExceptionAsError();
    }
    if (is_error(result)) unwind(result);
    return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(result));
  }

 private:
  static bool is_error(const Any& result) { return IsErrorResult(RawValue(result)); }
  static bool is_unchanged(const Any& result) { return IsUnchangedResult(RawValue(result)); }

  // Each of the next functions returns whether `*result` is there: a new value, the marker, or an
  // error; otherwise an object was opened.

  bool enter(AnyView value, bool is_inplace, Any* result) {
    current_ = value;
    TVMFFIAny entered = UnchangedResult();
    if (steps_.enter != nullptr) {
      bool is_final = false;
      InplaceMode mode = is_inplace ? InplaceMode::kAllow : InplaceMode::kDisallow;
      entered = steps_.enter(mutator_, value, mode, &is_final);  // runs foreign code
      if (is_final || IsErrorResult(entered)) {
        StoreResult(result, entered);
        return finish(result);
      }
    }
    if (!IsUnchangedResult(entered)) {
      Any replacement = AdoptResult(entered);
      if (!AnyView(replacement).same_as(value)) {
        return enter_parts(value, &replacement, is_inplace, result);
      }
    }
    // The callback may have kept what it was shown.
    return enter_parts(value, nullptr, is_inplace && IsUniqueObject(value), result);
  }

  /*! \brief Go on with the replacement if there is one. */
  bool enter_parts(AnyView value, Any* replacement, bool is_inplace, Any* result) {
    AnyView node = value;
    if (replacement != nullptr) {
      node = *replacement;
      is_inplace = IsUniqueObject(node);
    }
    StoreResult(result, UnchangedResult());
    if (node.type_index() >= TypeIndex::kTVMFFIStaticObjectBegin) {
      const FieldPlan* plan;
      TVMFFIAny end;
      if (!EndsMutationAt(mutator_, node, is_inplace, &plan, &end)) {
        push(node.CopyToTVMFFIAny().v_obj, plan, is_inplace, replacement);
        return false;
      }
      StoreResult(result, end);
    }
    return leave(value, replacement, result);
  }

  void push(TVMFFIObject* object, const FieldPlan* plan, bool is_inplace, Any* replacement) {
    if (stack_.size() >= next_cycle_check_) check_for_cycle();
    if (stack_.size() + num_outer_ >= kMaxWalkDepth) ThrowWalkTooDeep(kMutateOperation);
    MutateFrame& frame = stack_.emplace(object, plan, is_inplace, *region_);
    if (replacement != nullptr) frame.replacement = std::move(*replacement);
    current_ = AnyView();
  }

  bool step(Any* result) {
    MutateFrame& frame = stack_.back();
    if (!frame.children.next()) return close(result);
    *region_ = DefRegionOfField(frame.inside, frame.children.flags());
    AnyView child = frame.children.child();
    return enter(child, frame.children.is_inplace() && IsUniqueObject(child), result);
  }

  /*! \brief Put what the part has become in its place. */
  void take(Any result) {
    MutableChildren& children = stack_.back().children;
    if (StaysAsItIs(RawValue(result), children.child())) {
      children.put_back();
    } else {
      children.replace(std::move(result));
    }
  }

  bool close(Any* result) {
    MutateFrame& frame = stack_.back();
    *region_ = frame.outside;
    *result = frame.children.finish();
    TVMFFIAny status =
        RecordMutated(mutator_, frame.children.object(), frame.kind, frame.outside, *result);
    if (IsErrorResult(status)) {
      StoreResult(result, status);
      return true;
    }
    Any replacement = std::move(frame.replacement);
    stack_.pop();
    // The value at which the walk began is left by whoever entered it.
    if (stack_.empty()) return true;
    current_ = stack_.back().children.child();
    return leave(current_, replacement == nullptr ? nullptr : &replacement, result);
  }

  /*! \brief `*result` is what the value, or its replacement if there is one, became. */
  bool leave(AnyView value, Any* replacement, Any* result) {
    if (is_error(*result)) return true;
    if (stack_.empty()) return true;
    if (is_unchanged(*result) && replacement != nullptr) *result = std::move(*replacement);
    if (steps_.leave != nullptr) {
      AnyView became = is_unchanged(*result) ? value : AnyView(*result);
      TVMFFIAny left = steps_.leave(mutator_, became);  // runs foreign code
      if (!IsUnchangedResult(left)) StoreResult(result, left);
    }
    return finish(result);
  }

  bool finish(Any* result) {
    if (!is_error(*result)) current_ = AnyView();
    return true;
  }

  /*! \brief Each time when the depth has doubled, so that cycles end early and all depths cost
   * little. */
  void check_for_cycle() {
    next_cycle_check_ *= 2;
    std::unordered_set<const TVMFFIObject*> objects;
    for (size_t i = 0; i < stack_.size(); ++i) {
      TVMFFIObject* object = stack_[i].children.object();
      if (objects.insert(object).second) continue;
      TVM_FFI_THROW(ValueError) << kMutateOperation << ": an object of type `"
                                << TypeIndexToTypeKey(object->type_index) << "` contains itself";
    }
  }

  /*! \brief After an error: tell where it arose, and leave nothing taken apart. */
  void unwind(const Any& error) noexcept {
    note_way(error);
    for (size_t i = stack_.size(); i-- > 0;) stack_[i].children.put_back();
    *region_ = first_region_;
  }

  /*! \brief The value at which the walk began is told by whoever entered it. */
  void note_way(const Any& error) noexcept {
    try {
      UpdateVisitErrorContext(RawValue(error), current_);
      for (size_t i = stack_.size(); i-- > 1;) {
        UpdateVisitErrorContext(RawValue(error), stack_[i - 1].children.child());
      }
    } catch (...) {  // No memory for the context: the error matters more.
    }
  }

  StructuralMutatorObj* mutator_;
  const size_t num_outer_;
  const StructuralMutateSteps& steps_;
  TVMFFIDefRegionKind* region_;
  TVMFFIDefRegionKind first_region_;
  Any kept_root_;
  /*! \brief The value that is being entered or left, which has no frame; None between. */
  AnyView current_;
  size_t next_cycle_check_ = 1024;
  WalkStack<MutateFrame> stack_;
};

/*! \brief Mutate the parts of an object by an engine that is nested deep. */
TVM_FFI_NO_INLINE inline TVMFFIAny MutatePartsWhenDeep(
    StructuralMutatorObj* mutator, AnyView value, InplaceMode mode,
    const StructuralMutateSteps& steps) noexcept {
  return MutateWalk(mutator, steps, kMaxNestedMutations)
      .run_below(value, mode == InplaceMode::kAllow);
}

TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline TVMFFIAny NoCStackForMutation() noexcept {
  return CallToOwned([]() -> TVMFFIAny { ThrowNoCStack(kMutateOperation); });
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_MUTATE_WALK_H_
