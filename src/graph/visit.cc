// SPDX-License-Identifier: Apache-2.0
// Structural visits. A walk goes through fields and containers on its own stack and takes the steps
// of an engine at each value; where a type has a hook, or a visitor brings a visit of its own, the
// parts of one value are visited by recursion, as long as the C stack has room.
#include "graph/visit.h"

#include <tvm/ffi/detail/def_region.h>
#include <tvm/ffi/detail/structural_hook.h>

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

void check_c_stack() {
  if (__builtin_expect(!c_stack_has_room(), 0)) {
    TVM_FFI_THROW(ValueError)
        << kOperation
        << ": callbacks or hooks are nested too deeply, the C stack is nearly used up";
  }
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

// The next part that is visited: keys are not.
bool next_part(Children* parts, TVMFFIAny* part, Held* held) {
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
  for (TVMFFIAny part; next_part(&parts, &part, &held);) {
    Any kept = owned(part);
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
  Children children;
  // What was kept before the object was.
  Held::Mark mark;
  // The region of the object, and that of its parts.
  TVMFFIDefRegionKind region;
  TVMFFIDefRegionKind inside;
  // Whether the object is in the table of those on the way down.
  bool is_on_way;
};

class Walk {
 public:
  Walk(StructuralVisitorObj* visitor, const StructuralVisitSteps& steps)
      : visitor_(visitor),
        mode_(StructuralVisitorUnsafe::DefRegionMode(visitor)),
        steps_(steps),
        stack_(kOperation, &held_) {}

  TVMFFIAny walk(const TVMFFIAny& root) {
    detail::DefRegionScope scope(mode_, *mode_);
    TVMFFIAny result = CallToOwned([&]() -> TVMFFIAny {
      check_c_stack();
      TVMFFIAny stop = visit(root);
      while (!StopsVisit(stop) && !stack_.empty()) stop = go_on();
      return StopsVisit(stop) ? stop : detail::NoneResult();
    });
    if (result.type_index == kTVMFFIError) record_way(result);
    return result;
  }

 private:
  // Each of these returns an owned interrupt or error to stop with, or a plain value to go on.

  // Visits a value: to the end, or up to a frame for its parts.
  TVMFFIAny visit(const TVMFFIAny& value) {
    if (value.type_index == kTVMFFINone) return value;
    Held::Mark mark = held_.mark();
    // Steps may drop what refers to it.
    if (is_object(value)) held_.keep(value.v_obj);
    if (steps_.enter != nullptr) {
      TVMFFIAny result = steps_.enter(visitor_, view_of(value));  // runs foreign code
      if (StopsVisit(result)) return recorded(result, value);
      if (result.type_index == kTVMFFIInt && result.v_int64 != WalkResult::kAdvanceTag) {
        held_.release_since(mark);
        return detail::NoneResult();
      }
    }
    if (is_object(value)) {
      if (const TVMFFIAny* hook = find_visit_hook(value.type_index)) {
        TVMFFIAny result = call_visit_hook(*hook, visitor_, view_of(value));
        if (StopsVisit(result)) return recorded(result, value);
      } else if (open(value.v_obj, mark)) {
        return detail::NoneResult();
      }
    }
    return leave(value, mark);
  }

  // Opens a frame for the parts of an object; false when it has none.
  bool open(TVMFFIObject* object, Held::Mark mark) {
    Children parts = parts_of(object);
    if (parts.has_no_fields()) return false;
    if (object->type_index == kTVMFFIDict) parts.hold(&held_);
    TVMFFIDefRegionKind region = *mode_;
    stack_.push({parts, mark, region, region_inside(parts, region), false});
    // One reference is the walk's own, one that by which it came here.
    if (detail::StrongRefCount(object) > 2) stack_.back().is_on_way = put_on_way(object);
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
    TVMFFIAny part;
    if (next_part(&frame.children, &part, &held_)) {
      *mode_ = region_of_part(frame.children, frame.inside);
      return visit(part);
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

  // The result of a step at `value`, which errors are told.
  static TVMFFIAny recorded(const TVMFFIAny& result, const TVMFFIAny& value) {
    if (result.type_index == kTVMFFIError) {
      detail::UpdateVisitErrorContext(result, view_of(value));
    }
    return result;
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

TVMFFIAny walk(StructuralVisitorObj* visitor, AnyView root,
               const StructuralVisitSteps* steps) noexcept {
  return Walk(visitor, *steps).walk(root.CopyToTVMFFIAny());
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
