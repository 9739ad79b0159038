// SPDX-License-Identifier: Apache-2.0
// Structural visits. A walk goes through fields and containers on its own stack and takes the steps
// of an engine at each value; where a type has a hook, or a visitor brings a visit of its own, the
// parts of one value are visited by recursion, as long as the C stack has room.
#include "graph/visit.h"

#include <tvm/ffi/detail/def_region.h>
#include <tvm/ffi/detail/structural_hook.h>

#include <cstdint>
#include <utility>

#include "core/c_stack.h"
#include "graph/leaf.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

using detail::CallToOwned;
using detail::StopsVisit;
using detail::StructuralVisitorUnsafe;
using detail::StructuralVisitSteps;

constexpr const char* kOperation = "StructuralVisit";

AnyView view_of(const TVMFFIAny& value) { return AnyView::CopyFromTVMFFIAny(value); }

bool is_container(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList || type_index == kTVMFFIMap ||
         type_index == kTVMFFIDict;
}

[[noreturn]] TVM_FFI_COLD_CODE TVMFFIAny no_c_stack() {
  TVM_FFI_THROW(ValueError)
      << kOperation << ": callbacks or hooks are nested too deeply, the C stack is nearly used up";
  TVM_FFI_UNREACHABLE();
}

void check_c_stack() {
  if (__builtin_expect(!c_stack_has_room(), 0)) no_c_stack();
}

TVMFFISEqHashKind kind_of(int32_t type_index) {
  const TVMFFITypeMetadata* metadata = field_plan(type_index).type->metadata;
  return metadata == nullptr ? kTVMFFISEqHashKindUnsupported : metadata->structural_eq_hash_kind;
}

// The region of the parts of an object, where `region` is that of the object.
TVMFFIDefRegionKind region_inside(const Children& parts, TVMFFIDefRegionKind region) {
  if (parts.kind() != Children::kFields || region != kTVMFFIDefRegionKindSimple) return region;
  return detail::DefRegionInside(region, kind_of(parts.object()->type_index));
}

TVMFFIDefRegionKind region_of_part(const Children& parts, TVMFFIDefRegionKind inside) {
  if (parts.kind() != Children::kFields) return inside;
  return detail::DefRegionOfField(inside, parts.field().flags);
}

Children parts_of(TVMFFIObject* object) {
  return Children(object, kTVMFFIFieldFlagBitMaskSEqHashIgnore);
}

// Whether an object that is kept may all the same let go of a part while foreign code runs. Arrays
// and maps with a further reference do not change, and of dicts a copy is visited.
bool are_parts_loose(int32_t type_index) {
  return !is_container(type_index) || type_index == kTVMFFIList;
}

// The next part that is visited: keys are not.
inline bool next_part(Children* parts, TVMFFIAny* part, Held* held) {
  do {
    if (!parts->next(part, held)) return false;
  } while (parts->is_at_key());
  return true;
}

// The hook by which objects of a type visit their parts; NULL for most. Containers have one for
// visitors of other libraries, which does what is done here.
const TVMFFIAny* find_visit_hook(int32_t type_index) {
  static const TVMFFITypeAttrColumn* const column = hook_column("__s_visit__");
  return is_container(type_index) ? nullptr : find_hook(column, type_index);
}

TVMFFIAny call_visit_hook(const TVMFFIAny& hook, StructuralVisitorObj* visitor, AnyView value) {
  check_c_stack();
  using Hook = detail::StructuralHook<Optional<VisitInterrupt>(StructuralVisitorObj*, AnyView)>;
  // runs foreign code
  return detail::ExpectedUnsafe::MoveToTVMFFIAny(Hook::CallExpected(
      hook, "__s_visit__ must be an opaque function pointer or ffi.Function", visitor, value));
}

// Whether a step says that the parts are passed over.
bool is_skip(const TVMFFIAny& result) {
  return result.type_index == kTVMFFIInt && result.v_int64 != WalkResult::kAdvanceTag;
}

// The result of a step at `value`, of which errors are told.
TVMFFIAny recorded(const TVMFFIAny& result, const TVMFFIAny& value) {
  if (result.type_index == kTVMFFIError) {
    detail::UpdateVisitErrorContext(result, view_of(value));
  }
  return result;
}

// ---------------------------------------------------------------- one value, by recursion

// Visits the parts of an object by the visitor.
TVMFFIAny visit_each_part(StructuralVisitorObj* visitor, TVMFFIObject* object) {
  check_c_stack();
  Any keeper = owned(value_of(object));
  Held held;
  Children parts = parts_of(object);
  if (object->type_index == kTVMFFIDict) parts.hold(&held);
  TVMFFIDefRegionKind* mode = StructuralVisitorUnsafe::DefRegionMode(visitor);
  detail::DefRegionScope scope(mode, *mode);
  const TVMFFIDefRegionKind inside = region_inside(parts, *mode);
  const bool can_lose_parts = are_parts_loose(object->type_index);
  for (TVMFFIAny part; next_part(&parts, &part, &held);) {
    Any kept;
    if (can_lose_parts && is_object(part)) kept = owned(part);
    *mode = region_of_part(parts, inside);
    TVMFFIAny result = StructuralVisitorUnsafe::Visit(visitor, view_of(part));  // foreign code
    if (StopsVisit(result)) return result;
  }
  return detail::NoneResult();
}

TVMFFIAny visit_parts(StructuralVisitorObj* visitor, AnyView value) noexcept {
  return CallToOwned([&]() -> TVMFFIAny {
    TVMFFIAny bits = value.CopyToTVMFFIAny();
    if (!is_object(bits)) return detail::NoneResult();
    if (const TVMFFIAny* hook = find_visit_hook(bits.type_index)) {
      return call_visit_hook(*hook, visitor, value);
    }
    return visit_each_part(visitor, bits.v_obj);
  });
}

TVMFFIAny visit_fields(StructuralVisitorObj* visitor, const Object* object) noexcept {
  return CallToOwned([&]() -> TVMFFIAny {
    TVMFFIObject* header = detail::ObjectUnsafe::GetHeader(object);
    if (header == nullptr || is_container(header->type_index)) return detail::NoneResult();
    return visit_each_part(visitor, header);
  });
}

// ---------------------------------------------------------------- the walk

// An object whose parts are being visited.
struct Frame {
  Frame(TVMFFIObject* object, Held::Mark mark, TVMFFIDefRegionKind region)
      : children(parts_of(object)),
        mark(mark),
        region(region),
        inside(region_inside(children, region)),
        can_lose_parts(are_parts_loose(object->type_index)),
        num_refs_to_part(can_lose_parts || object->type_index == kTVMFFIDict ? 1 : 0) {}

  Children children;
  // What was kept before the object was.
  Held::Mark mark;
  // The region of the object, and that of its parts.
  TVMFFIDefRegionKind region;
  TVMFFIDefRegionKind inside;
  // Whether parts have to be kept, and how many references of the walk's own they have then.
  bool can_lose_parts;
  uint8_t num_refs_to_part;
  // Whether the object is in the table of those on the way down.
  bool is_on_way = false;
};

class Walk {
 public:
  Walk(StructuralVisitorObj* visitor, const StructuralVisitSteps& steps)
      : visitor_(visitor),
        mode_(StructuralVisitorUnsafe::DefRegionMode(visitor)),
        steps_(steps),
        stack_(kOperation, &held_) {}

  // Walks through what is below a value that was entered already, and leaves the value.
  TVMFFIAny walk_below(const TVMFFIAny& root) {
    detail::DefRegionScope scope(mode_, *mode_);
    TVMFFIAny result = CallToOwned([&]() -> TVMFFIAny {
      if (is_object(root)) held_.keep(root.v_obj);
      TVMFFIAny stop = go_below(root, held_.mark(), 1);
      while (!StopsVisit(stop) && !stack_.empty()) stop = go_on();
      return StopsVisit(stop) ? stop : detail::NoneResult();
    });
    if (result.type_index == kTVMFFIError) record_way(result);
    return result;
  }

 private:
  // Each of these returns an owned interrupt or error to stop with, or a plain value to go on.

  // Visits a value, which is not None: to the end, or up to a frame for its parts.
  TVMFFIAny visit(const TVMFFIAny& value, bool can_be_lost, int num_refs) {
    Held::Mark mark = held_.mark();
    if (can_be_lost && is_object(value)) held_.keep(value.v_obj);
    if (steps_.enter != nullptr) {
      TVMFFIAny result = steps_.enter(visitor_, view_of(value));  // runs foreign code
      if (StopsVisit(result)) return recorded(result, value);
      if (is_skip(result)) {
        held_.release_since(mark);
        return detail::NoneResult();
      }
    }
    return go_below(value, mark, num_refs);
  }

  // `num_refs` references to an object are the walk's own.
  TVMFFIAny go_below(const TVMFFIAny& value, Held::Mark mark, int num_refs) {
    if (is_object(value)) {
      if (const TVMFFIAny* hook = find_visit_hook(value.type_index)) {
        TVMFFIAny result = call_visit_hook(*hook, visitor_, view_of(value));
        if (StopsVisit(result)) return recorded(result, value);
      } else if (open(value.v_obj, mark, num_refs)) {
        return detail::NoneResult();
      }
    }
    return leave(value, mark);
  }

  // Opens a frame for the parts of an object; false when it has none.
  bool open(TVMFFIObject* object, Held::Mark mark, int num_refs) {
    Frame& frame = stack_.emplace(object, mark, *mode_);
    if (frame.children.has_no_fields()) {
      stack_.pop();
      return false;
    }
    // One more reference is that by which the walk came here, see has_one_reference().
    if (detail::StrongRefCount(object) > static_cast<uint64_t>(num_refs) + 1) {
      frame.is_on_way = put_on_way(object);
    }
    if (object->type_index == kTVMFFIDict) frame.children.hold(&held_);
    return true;
  }

  bool put_on_way(TVMFFIObject* object) {
    bool is_new;
    bool& is_on_way = on_way_.insert(object, nullptr, &is_new);
    if (!is_new && is_on_way) {
      TVM_FFI_THROW(ValueError) << kOperation << ": an object of type `"
                                << TypeIndexToTypeKey(object->type_index) << "` contains itself";
    }
    return is_on_way = true;
  }

  TVMFFIAny go_on() {
    Frame& frame = stack_.back();
    for (TVMFFIAny part; next_part(&frame.children, &part, &held_);) {
      if (part.type_index == kTVMFFINone) continue;
      *mode_ = region_of_part(frame.children, frame.inside);
      return visit(part, frame.can_lose_parts, frame.num_refs_to_part);
    }
    TVMFFIObject* object = frame.children.object();
    if (frame.is_on_way) *on_way_.find(object) = false;
    *mode_ = frame.region;
    Held::Mark mark = frame.mark;
    stack_.pop();
    return leave(value_of(object), mark);
  }

  TVMFFIAny leave(const TVMFFIAny& value, Held::Mark mark) {
    if (steps_.leave != nullptr) {
      TVMFFIAny result = steps_.leave(visitor_, view_of(value));  // runs foreign code
      if (StopsVisit(result)) return recorded(result, value);
    }
    held_.release_since(mark);
    return detail::NoneResult();
  }

  // Tells an error the objects that are open, innermost first.
  void record_way(const TVMFFIAny& error) {
    for (size_t i = stack_.size(); i-- > 0;) {
      detail::UpdateVisitErrorContext(error, view_of(value_of(stack_[i].children.object())));
    }
  }

  StructuralVisitorObj* visitor_;
  TVMFFIDefRegionKind* mode_;
  const StructuralVisitSteps& steps_;
  Held held_;
  WalkStack<Frame> stack_;
  // Objects to which several refer, and whether the walk is inside them. Entries of objects that
  // are gone do no harm: they say no.
  IdentityMap<bool> on_way_;
};

// Apart, because recursion through callbacks needs no room for a walk on the C stack.
TVM_FFI_NO_INLINE TVMFFIAny walk_below(StructuralVisitorObj* visitor, const TVMFFIAny& value,
                                       const StructuralVisitSteps& steps) {
  return Walk(visitor, steps).walk_below(value);
}

TVMFFIAny walk(StructuralVisitorObj* visitor, AnyView root,
               const StructuralVisitSteps* steps) noexcept {
  TVMFFIAny value = root.CopyToTVMFFIAny();
  if (value.type_index == kTVMFFINone) return value;
  if (__builtin_expect(!c_stack_has_room(), 0)) return CallToOwned([] { return no_c_stack(); });
  // Where callbacks take most values and recurse, this is all there is to do.
  if (steps->enter != nullptr) {
    TVMFFIAny result = steps->enter(visitor, root);  // runs foreign code
    if (StopsVisit(result)) return recorded(result, value);
    if (is_skip(result)) return detail::NoneResult();
    if (!is_object(value) && steps->leave == nullptr) return detail::NoneResult();
  }
  return walk_below(visitor, value, *steps);
}

}  // namespace

const detail::StructuralVisitRuntime structural_visit_runtime = {walk, visit_parts, visit_fields};

TVMFFIAny visit_container(StructuralVisitorObj* visitor, AnyView value) noexcept {
  return CallToOwned([&]() -> TVMFFIAny {
    if (!is_container(value.type_index())) {
      TVM_FFI_THROW(TypeError) << "Cannot visit `" << value.GetTypeKey() << "` as a container";
    }
    return visit_each_part(visitor, value.CopyToTVMFFIAny().v_obj);
  });
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
