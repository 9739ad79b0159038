// SPDX-License-Identifier: Apache-2.0
// Structural mutation: every object is entered, then its parts are mutated one by one and replaced
// where they changed, then it is left as what it has become.
#include "graph/mutate.h"

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/structural_hook.h>
#include <tvm/ffi/error.h>

#include <unordered_set>
#include <utility>

#include "core/c_stack.h"
#include "graph/leaf.h"
#include "graph/mutate_children.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

using detail::StructuralMutateSteps;
using Access = detail::StructuralMutatorUnsafe;

constexpr const char* kOperation = "StructuralMutate";

bool is_unchanged(const Any& result) { return result.type_index() == kTVMFFIUnchanged; }
bool is_error(const Any& result) { return result.type_index() == kTVMFFIError; }

Any adopt(TVMFFIAny result) { return detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(result); }

// Store an owned value without a temporary: most values are plain, and most stay as they are.
void store(Any* result, TVMFFIAny value) {
  if (is_object(raw(*result))) {
    *result = adopt(value);
  } else {
    const_cast<TVMFFIAny&>(raw(*result)) = value;
  }
}

void set_unchanged(Any* result) { store(result, Unchanged().CopyToTVMFFIAny()); }

// Leaves for which the library has registered hooks.
bool is_leaf_with_hook(int32_t type_index) {
  return type_index == kTVMFFIStr || type_index == kTVMFFIBytes || type_index == kTVMFFIBigInt;
}

TVMFFISEqHashKind structural_kind(int32_t type_index) {
  const TVMFFITypeMetadata* metadata = registered_type(type_index)->info.metadata;
  return metadata == nullptr ? kTVMFFISEqHashKindUnsupported : metadata->structural_eq_hash_kind;
}

// Enums are unique instances, if they say anything at all.
bool may_be_enum(TVMFFISEqHashKind kind) {
  return kind == kTVMFFISEqHashKindUniqueInstance || kind == kTVMFFISEqHashKindUnsupported;
}

// An object whose parts are being mutated.
struct Frame {
  Frame(TVMFFIObject* object, bool is_inplace, TVMFFISEqHashKind kind, TVMFFIDefRegionKind outside)
      : children(object, is_inplace),
        kind(kind),
        outside(outside),
        inside(detail::DefRegionInside(outside, kind)) {}

  MutableChildren children;
  TVMFFISEqHashKind kind;
  // The regions of the object and, before their own flags, of its fields.
  TVMFFIDefRegionKind outside;
  TVMFFIDefRegionKind inside;
  // Owns the object when a callback made it; otherwise None.
  Any replacement;
  // The part that is out.
  Any child;
};

class Mutation {
 public:
  // `steps` may be NULL: parts are then mutated by the mutator's own functions.
  Mutation(StructuralMutatorObj* mutator, const StructuralMutateSteps* steps)
      : mutator_(mutator),
        steps_(steps),
        region_(Access::DefRegionMode(mutator)),
        first_region_(*region_),
        stack_(kOperation, nullptr) {}

  // An owned result; the root is borrowed.
  TVMFFIAny run(AnyView root, bool is_inplace, bool is_at_parts) noexcept {
    root_ = root;
    Any result;
    try {
      if (!c_stack_has_room()) throw_no_room();
      bool is_done = is_at_parts ? enter_parts(root, nullptr, is_inplace, &result)
                                 : enter(root, is_inplace, &result);
      while (true) {
        if (is_done) {
          if (is_error(result)) break;
          if (stack_.empty()) break;
          take(std::move(result));
        }
        is_done = step(&result);
      }
    } catch (...) {
      result = detail::CurrentExceptionAsError();
    }
    if (is_error(result)) unwind(result);
    return detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(result));
  }

 private:
  [[noreturn]] static void throw_no_room() {
    TVM_FFI_THROW(ValueError)
        << kOperation
        << ": callbacks or hooks are nested too deeply, the C stack is nearly used up";
    TVM_FFI_UNREACHABLE();
  }

  // Each of the next functions returns whether `*result` is there: a new value, the marker, or an
  // error; otherwise an object was opened.

  bool enter(AnyView value, bool is_inplace, Any* result) {
    current_ = value;
    if (steps_ == nullptr) {
      store(result, Access::Mutate(mutator_, value, is_inplace));
      return finish(result);
    }
    TVMFFIAny entered = Unchanged().CopyToTVMFFIAny();
    if (steps_->enter != nullptr) {
      bool is_final = false;
      InplaceMode mode = is_inplace ? InplaceMode::kAllow : InplaceMode::kDisallow;
      entered = steps_->enter(mutator_, value, mode, &is_final);
      if (is_final || entered.type_index == kTVMFFIError) {
        store(result, entered);
        return finish(result);
      }
    }
    if (entered.type_index != kTVMFFIUnchanged) {
      Any replacement = adopt(entered);
      if (!AnyView(replacement).same_as(value)) {
        return enter_parts(value, &replacement, is_inplace, result);
      }
    }
    if (!is_object(value.CopyToTVMFFIAny())) {
      set_unchanged(result);
      return leave(value, nullptr, result);
    }
    // The callback may have kept what it was shown.
    is_inplace = is_inplace && detail::IsUniqueObject(value);
    return enter_parts(value, nullptr, is_inplace, result);
  }

  // Go on with the replacement if there is one.
  bool enter_parts(AnyView value, Any* replacement, bool is_inplace, Any* result) {
    current_ = value;
    AnyView node = value;
    if (replacement != nullptr) {
      node = *replacement;
      is_inplace = detail::IsUniqueObject(node);
    }
    TVMFFISEqHashKind kind = kTVMFFISEqHashKindUnsupported;
    if (is_object(node.CopyToTVMFFIAny()) && !ends_at(node, is_inplace, &kind, result)) {
      push(node.CopyToTVMFFIAny().v_obj, kind, is_inplace, replacement);
      return false;
    }
    if (!is_object(node.CopyToTVMFFIAny())) set_unchanged(result);
    return leave(value, replacement, result);
  }

  // Whether the parts of an object are not looked into here; `*result` is what it becomes then.
  bool ends_at(AnyView node, bool is_inplace, TVMFFISEqHashKind* kind, Any* result) {
    set_unchanged(result);
    int32_t type_index = node.type_index();
    if (is_container(type_index)) return false;
    // Their hooks, which are the library's, come back here.
    if (is_leaf_with_hook(type_index)) return true;
    if (call_hook(node, is_inplace, result)) return true;
    if (find_shallow_copy(type_index) == nullptr) {
      if (type_index < kTVMFFIDynObjectBegin || is_enum_type(type_index)) return true;
      TVM_FFI_THROW(TypeError) << "__ffi_shallow_copy__ must be an ffi.Function";
    }
    *kind = structural_kind(type_index);
    if (may_be_enum(*kind) && is_enum_type(type_index)) return true;
    if (*kind != kTVMFFISEqHashKindFreeVar && *kind != kTVMFFISEqHashKindDAGNode) return false;
    Any mapped = adopt(Access::VarRemapGet(mutator_, node));
    if (mapped != nullptr) {
      *result = std::move(mapped);
      return true;
    }
    return *kind == kTVMFFISEqHashKindFreeVar && *region_ == kTVMFFIDefRegionKindNone;
  }

  bool call_hook(AnyView node, bool is_inplace, Any* result) {
    static const TVMFFITypeAttrColumn* const mutate = hook_column("__s_mutate__");
    static const TVMFFITypeAttrColumn* const inplace = hook_column("__s_maybe_inplace_mutate__");
    const char* message =
        "__s_maybe_inplace_mutate__ must be a direct hook pointer or ffi.Function";
    const TVMFFIAny* hook = is_inplace ? find_hook(inplace, node.type_index()) : nullptr;
    if (hook == nullptr) {
      message = "__s_mutate__ must be a direct hook pointer or ffi.Function";
      hook = find_hook(mutate, node.type_index());
    }
    if (hook == nullptr) return false;
    using Hook = detail::StructuralHook<UnchangedOr<Any>(StructuralMutatorObj*, AnyView)>;
    TVMFFIAny kept = *hook;  // Attributes stay where and what they are, but the column may move.
    *result = adopt(
        detail::ExpectedUnsafe::MoveToTVMFFIAny(Hook::CallExpected(kept, message, mutator_, node)));
    *region_ = region_of_current();
    return true;
  }

  // The region that belongs to the value at which the walk is.
  TVMFFIDefRegionKind region_of_current() {
    if (stack_.empty()) return first_region_;
    Frame& frame = stack_.back();
    return detail::DefRegionOfField(frame.inside, frame.children.flags());
  }

  void push(TVMFFIObject* object, TVMFFISEqHashKind kind, bool is_inplace, Any* replacement) {
    if (stack_.size() >= next_cycle_check_) check_for_cycle();
    // With a second reference, others copy a map before they change it. Parts have one by `child`.
    if (stack_.empty() && !is_inplace) kept_root_ = root_;
    Frame& frame = stack_.emplace(object, is_inplace, kind, *region_);
    if (replacement != nullptr) frame.replacement = std::move(*replacement);
    current_ = AnyView();
  }

  bool step(Any* result) {
    Frame& frame = stack_.back();
    if (!frame.children.next(&frame.child)) return close(result);
    *region_ = detail::DefRegionOfField(frame.inside, frame.children.flags());
    bool is_inplace = frame.children.is_inplace() && detail::IsUniqueObject(frame.child);
    return enter(frame.child, is_inplace, result);
  }

  // Put what the part has become in its place.
  void take(Any result) {
    Frame& frame = stack_.back();
    if (is_unchanged(result) || AnyView(result).same_as(frame.child)) {
      frame.children.put_back(std::move(frame.child));
    } else {
      // The old value goes when this returns, as it may run foreign code.
      frame.children.replace(std::move(result));
    }
    frame.child = Any();
  }

  bool close(Any* result) {
    Frame& frame = stack_.back();
    *region_ = frame.outside;
    *result = frame.children.finish();
    bool is_recorded = frame.kind == kTVMFFISEqHashKindDAGNode ||
                       (frame.kind == kTVMFFISEqHashKindFreeVar &&
                        (!is_unchanged(*result) || frame.outside == kTVMFFIDefRegionKindPattern));
    if (is_recorded) {
      AnyView node = AnyView::CopyFromTVMFFIAny(value_of(frame.children.object()));
      Any status = adopt(Access::VarRemapSet(mutator_, node, *result));
      if (is_error(status)) {
        *result = std::move(status);
        return true;
      }
    }
    Any replacement = std::move(frame.replacement);
    stack_.pop();
    current_ = stack_.empty() ? root_ : AnyView(stack_.back().child);
    return leave(current_, replacement == nullptr ? nullptr : &replacement, result);
  }

  // `*result` is what the value, or its replacement if there is one, became.
  bool leave(AnyView value, Any* replacement, Any* result) {
    if (is_error(*result)) return true;
    if (is_unchanged(*result) && replacement != nullptr) *result = std::move(*replacement);
    if (steps_ != nullptr && steps_->leave != nullptr) {
      AnyView became = is_unchanged(*result) ? value : AnyView(*result);
      TVMFFIAny left = steps_->leave(mutator_, became);
      if (left.type_index != kTVMFFIUnchanged) store(result, left);
    }
    return finish(result);
  }

  bool finish(Any* result) {
    *region_ = region_of_current();
    if (!is_error(*result)) current_ = AnyView();
    return true;
  }

  // Each time when the depth has doubled, so that cycles end early and all depths cost little.
  void check_for_cycle() {
    next_cycle_check_ *= 2;
    std::unordered_set<const TVMFFIObject*> objects;
    for (size_t i = 0; i < stack_.size(); ++i) {
      TVMFFIObject* object = stack_[i].children.object();
      if (objects.insert(object).second) continue;
      TVM_FFI_THROW(ValueError) << kOperation << ": an object of type `"
                                << TypeIndexToTypeKey(object->type_index) << "` contains itself";
    }
  }

  // After an error: tell where it arose, and leave nothing taken apart.
  void unwind(const Any& error) noexcept {
    if (steps_ != nullptr) note_way(error);
    for (size_t i = stack_.size(); i-- > 0;) {
      Frame& frame = stack_[i];
      frame.children.put_back(std::move(frame.child));
    }
    *region_ = first_region_;
  }

  // Where only the parts of a value are mutated, whoever mutates the value does this.
  void note_way(const Any& error) noexcept {
    try {
      detail::UpdateVisitErrorContext(raw(error), current_);
      for (size_t i = stack_.size(); i-- > 0;) {
        AnyView node = i == 0 ? root_ : AnyView(stack_[i - 1].child);
        detail::UpdateVisitErrorContext(raw(error), node);
      }
    } catch (...) {  // No memory for the context: the error matters more.
    }
  }

  StructuralMutatorObj* mutator_;
  const StructuralMutateSteps* steps_;
  TVMFFIDefRegionKind* region_;
  TVMFFIDefRegionKind first_region_;
  AnyView root_;
  Any kept_root_;
  // The value that is being entered or left, which has no frame; None between.
  AnyView current_;
  size_t next_cycle_check_ = 1024;
  WalkStack<Frame> stack_;
};

Any no_mutator() { return Error("ValueError", "The structural mutator is null", ""); }

TVMFFIAny mutate(StructuralMutatorObj* mutator, AnyView root, InplaceMode mode,
                 const StructuralMutateSteps* steps) noexcept {
  return Mutation(mutator, steps).run(root, mode == InplaceMode::kAllow, false);
}

TVMFFIAny mutate_parts(StructuralMutatorObj* mutator, AnyView value, InplaceMode mode) noexcept {
  if (mutator == nullptr) return detail::AnyUnsafe::MoveAnyToTVMFFIAny(no_mutator());
  return Mutation(mutator, nullptr).run(value, mode == InplaceMode::kAllow, true);
}

}  // namespace

const detail::StructuralMutateRuntime kMutateRuntime = {&mutate, &mutate_parts};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
