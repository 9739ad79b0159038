// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/visit_walk.h
 * \brief Traversal of deeply nested values on an explicit stack.
 *
 * Used by extra/structural_visit.h, which includes this file at its end.
 */
#ifndef TVM_FFI_DETAIL_VISIT_WALK_H_
#define TVM_FFI_DETAIL_VISIT_WALK_H_

#include <tvm/ffi/detail/visit_parts.h>

#include <cstddef>
#include <cstdint>

namespace tvm::ffi::detail {

/*! \brief An object whose parts are being visited. */
struct VisitFrame {
  VisitFrame(TVMFFIObject* object, Held::Mark mark, TVMFFIDefRegionKind region)
      : children(object, kTVMFFIFieldFlagBitMaskSEqHashIgnore),
        mark(mark),
        region(region),
        inside(children.kind() == Children::kFields
                   ? DefRegionInside(region, GetFieldPlan(object->type_index).kind())
                   : region),
        can_lose_parts(!IsContainer(object->type_index) ||
                       object->type_index == TypeIndex::kTVMFFIList),
        num_refs_to_part(can_lose_parts || object->type_index == TypeIndex::kTVMFFIDict ? 1 : 0) {}

  /*! \brief Go to the next part that is visited; keys are not visited. */
  bool next(TVMFFIAny* part, Held* held) {
    do {
      if (!children.next(part, held)) return false;
    } while (children.is_at_key());
    return true;
  }

  TVMFFIDefRegionKind region_of_part() const {
    if (children.kind() != Children::kFields) return inside;
    return DefRegionOfField(inside, children.field().flags);
  }

  Children children;
  /*! \brief The number of values that were kept before the object. */
  Held::Mark mark;
  /*! \brief The definition region of the object. */
  TVMFFIDefRegionKind region;
  /*! \brief The definition region of the parts of the object. */
  TVMFFIDefRegionKind inside;
  /*! \brief Whether foreign code can remove a part from the object. If so, the traversal must keep
   * the part alive. */
  bool can_lose_parts;
  /*! \brief The number of references that the traversal holds to the part that it visits. */
  uint8_t num_refs_to_part;
  /*! \brief Whether on_way_ contains the object with the value true. */
  bool is_on_way = false;
};

/*! \brief Visits nested values with an explicit stack; calls the functions `enter` and `leave` of a
 * StructuralVisitSteps for each value. */
class VisitWalk {
 public:
  /*! \param num_outer the number of levels above the value at which this traversal begins. */
  VisitWalk(StructuralVisitorObj* visitor, const StructuralVisitSteps& steps, size_t num_outer)
      : visitor_(visitor),
        num_outer_(num_outer),
        mode_(StructuralVisitorUnsafe::DefRegionMode(visitor)),
        steps_(steps),
        stack_(kVisitOperation, &held_) {}

  /*! \brief Visit everything below an object that was already entered. */
  TVMFFIAny walk_below(TVMFFIObject* root) {
    DefRegionScope scope(mode_, *mode_);
    TVMFFIAny result = CallToOwned([&]() -> TVMFFIAny {
      CheckCStack(kVisitOperation);
      held_.keep(root);
      TVMFFIAny stop = NoneResult();
      if (open(root, held_.mark(), 1)) {
        while (!StopsVisit(stop) && !stack_.empty()) stop = go_on();
      }
      return StopsVisit(stop) ? stop : NoneResult();
    });
    if (result.type_index == TypeIndex::kTVMFFIError) record_way(result);
    return result;
  }

 private:
  // The functions that return TVMFFIAny return an owned VisitInterrupt or Error to stop the visit,
  // or any other value to continue.

  /*! \brief Visit a value that is not an object. Such a value does not need to be kept alive. */
  TVMFFIAny visit_plain(AnyView value) {
    if (steps_.enter != nullptr) {
      TVMFFIAny result = steps_.enter(visitor_, value);  // runs foreign code
      if (StopsVisit(result) || SkipsParts(result)) return result;
    }
    return steps_.leave != nullptr ? steps_.leave(visitor_, value) : NoneResult();
  }

  /*! \brief Visit an object. If its parts are visited one by one, only open a frame for them. */
  TVMFFIAny visit(TVMFFIObject* object, bool can_be_lost, int num_refs) {
    AnyView value = AnyView::CopyFromTVMFFIAny(ObjectValue(object));
    Held::Mark mark = held_.mark();
    if (can_be_lost) held_.keep(object);
    if (steps_.enter != nullptr) {
      TVMFFIAny result = steps_.enter(visitor_, value);  // runs foreign code
      if (StopsVisit(result)) return RecordedVisit(result, value);
      if (SkipsParts(result)) {
        held_.release_since(mark);
        return NoneResult();
      }
    }
    if (const TVMFFIAny* hook = FindVisitHook(object->type_index)) {
      TVMFFIAny result = CallVisitHook(*hook, visitor_, value);
      if (StopsVisit(result)) return RecordedVisit(result, value);
    } else if (open(object, mark, num_refs)) {
      return NoneResult();
    }
    return leave(value, mark);
  }

  /*! \brief Open a frame for the parts of an object; return false when the object has no fields.
   * `num_refs` is the number of references that the traversal holds to the object. */
  bool open(TVMFFIObject* object, Held::Mark mark, int num_refs) {
    if (stack_.size() + num_outer_ >= kMaxWalkDepth) ThrowWalkTooDeep(kVisitOperation);
    VisitFrame& frame = stack_.emplace(object, mark, *mode_);
    if (frame.children.has_no_fields()) {
      stack_.pop();
      return false;
    }
    // The traversal has `num_refs` references and the parent has one. An object without further
    // references cannot contain itself, so it need not be in on_way_.
    if (StrongRefCount(object) > static_cast<uint64_t>(num_refs) + 1) {
      frame.is_on_way = put_on_way(object);
    }
    if (object->type_index == TypeIndex::kTVMFFIDict) frame.children.hold(&held_);
    return true;
  }

  bool put_on_way(TVMFFIObject* object) {
    bool is_new;
    bool& is_on_way = on_way_.insert({object}, &is_new);
    if (!is_new && is_on_way) {
      TVM_FFI_THROW(ValueError) << kVisitOperation << ": an object of type `"
                                << TypeIndexToTypeKey(object->type_index) << "` contains itself";
    }
    return is_on_way = true;
  }

  TVMFFIAny go_on() {
    VisitFrame& frame = stack_.back();
    for (TVMFFIAny part; frame.next(&part, &held_);) {
      if (part.type_index == TypeIndex::kTVMFFINone) continue;
      *mode_ = frame.region_of_part();
      if (IsObjectValue(part)) {
        return visit(part.v_obj, frame.can_lose_parts, frame.num_refs_to_part);
      }
      TVMFFIAny result = visit_plain(AnyView::CopyFromTVMFFIAny(part));
      if (StopsVisit(result)) return result;
    }
    TVMFFIObject* object = frame.children.object();
    if (frame.is_on_way) *on_way_.find({object}) = false;
    *mode_ = frame.region;
    Held::Mark mark = frame.mark;
    stack_.pop();
    // The caller that entered the first value of the traversal also leaves that value.
    if (stack_.empty()) return NoneResult();
    return leave(AnyView::CopyFromTVMFFIAny(ObjectValue(object)), mark);
  }

  TVMFFIAny leave(AnyView value, Held::Mark mark) {
    if (steps_.leave != nullptr) {
      TVMFFIAny result = steps_.leave(visitor_, value);  // runs foreign code
      if (StopsVisit(result)) return RecordedVisit(result, value);
    }
    held_.release_since(mark);
    return NoneResult();
  }

  /*!
   * \brief Add the objects that have a frame to the context of an error, innermost first.
   *
   * The caller that entered the first object of the traversal adds that object itself.
   */
  void record_way(const TVMFFIAny& error) {
    for (size_t i = stack_.size(); i-- > 1;) {
      UpdateVisitErrorContext(error,
                              AnyView::CopyFromTVMFFIAny(ObjectValue(stack_[i].children.object())));
    }
  }

  StructuralVisitorObj* visitor_;
  const size_t num_outer_;
  TVMFFIDefRegionKind* mode_;
  const StructuralVisitSteps& steps_;
  Held held_;
  WalkStack<VisitFrame> stack_;
  /*! \brief For each object with several references, whether the traversal is inside that object.
   * Entries of destroyed objects are harmless, because their value is false. */
  IdentityMap<bool> on_way_;
};

/*! \brief Visit the parts of a deeply nested object, for a visitor with callbacks. */
TVM_FFI_NO_INLINE inline TVMFFIAny VisitPartsWhenDeep(StructuralVisitorObj* visitor, AnyView value,
                                                      const StructuralVisitSteps& steps) noexcept {
  if (FindVisitHook(value.type_index()) != nullptr) return VisitParts(visitor, value);
  return VisitWalk(visitor, steps, kMaxNestedVisits).walk_below(value.CopyToTVMFFIAny().v_obj);
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_VISIT_WALK_H_
