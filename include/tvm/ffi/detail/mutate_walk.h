// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/mutate_walk.h
 * \brief Mutation of deeply nested values on an explicit stack. Each object is entered, its parts
 * are mutated one by one and replaced if they changed, and then the resulting object is left.
 *
 * Used by extra/structural_mutate.h, which includes this file at its end.
 */
#ifndef TVM_FFI_DETAIL_MUTATE_WALK_H_
#define TVM_FFI_DETAIL_MUTATE_WALK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/mutate_parts.h>

#include <cstddef>
#include <unordered_set>
#include <utility>

namespace tvm::ffi::detail {

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
  /*! \brief The definition region that contains the object. */
  TVMFFIDefRegionKind outside;
  /*! \brief The definition region of the fields, before the flags of each field are applied. */
  TVMFFIDefRegionKind inside;
  /*! \brief The object, if a callback returned it as a replacement; otherwise None. */
  Any replacement;
};

/*! \brief Mutates nested values with an explicit stack; calls the functions `enter` and `leave` of
 * a StructuralMutateSteps for each value. */
class MutateWalk {
 public:
  /*! \param num_outer the number of levels above the value at which this traversal begins. */
  MutateWalk(StructuralMutatorObj* mutator, const StructuralMutateSteps& steps, size_t num_outer)
      : mutator_(mutator),
        num_outer_(num_outer),
        steps_(steps),
        region_(StructuralMutatorUnsafe::DefRegionMode(mutator)),
        first_region_(*region_),
        stack_(kMutateOperation, nullptr) {}

  /*! \brief Mutate the parts of a value that was already entered; return an owned result. */
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

  // enter(), enter_parts(), step(), close(), leave() and finish() return true if they have set
  // `*result`: to a new value, to an error, or to the marker for "unchanged". They return false if
  // they have pushed a frame for the parts of an object instead.

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
    // Check again, because the callback may have kept a reference to the value.
    return enter_parts(value, nullptr, is_inplace && IsUniqueObject(value), result);
  }

  /*! \brief Enter the parts of the replacement, or of `value` if there is no replacement. */
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

  /*! \brief Replace the current part by `result`, or put the part back if it is unchanged. */
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
    // The caller that entered the first value of the traversal also leaves that value.
    if (stack_.empty()) return true;
    current_ = stack_.back().children.child();
    return leave(current_, replacement == nullptr ? nullptr : &replacement, result);
  }

  /*! \brief Leave a value. `*result` is the result of the value, or of its replacement if there is
   * one. */
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

  /*! \brief Look for a cycle. Called each time the depth has doubled, so that cycles are found
   * early and cheaply. */
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

  /*! \brief Record the values that were entered in the error, and put all parts back. */
  void unwind(const Any& error) noexcept {
    note_way(error);
    for (size_t i = stack_.size(); i-- > 0;) stack_[i].children.put_back();
    *region_ = first_region_;
  }

  /*!
   * \brief Add the values that were entered and not yet left to the context of an error, innermost
   * first.
   *
   * The caller that entered the first value of the traversal adds that value itself.
   */
  void note_way(const Any& error) noexcept {
    try {
      UpdateVisitErrorContext(RawValue(error), current_);
      for (size_t i = stack_.size(); i-- > 1;) {
        UpdateVisitErrorContext(RawValue(error), stack_[i - 1].children.child());
      }
    } catch (...) {  // no memory for the context: the error itself matters more
    }
  }

  StructuralMutatorObj* mutator_;
  const size_t num_outer_;
  const StructuralMutateSteps& steps_;
  TVMFFIDefRegionKind* region_;
  TVMFFIDefRegionKind first_region_;
  Any kept_root_;
  /*! \brief The value that is being entered or left, which has no frame; otherwise None. */
  AnyView current_;
  size_t next_cycle_check_ = 1024;
  WalkStack<MutateFrame> stack_;
};

/*! \brief Mutate the parts of a deeply nested object, for a mutator with callbacks. */
TVM_FFI_NO_INLINE inline TVMFFIAny MutatePartsWhenDeep(
    StructuralMutatorObj* mutator, AnyView value, InplaceMode mode,
    const StructuralMutateSteps& steps) noexcept {
  return MutateWalk(mutator, steps, kMaxNestedMutations)
      .run_below(value, mode == InplaceMode::kAllow);
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_MUTATE_WALK_H_
