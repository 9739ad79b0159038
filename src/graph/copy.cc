// SPDX-License-Identifier: Apache-2.0
// Deep copies: every object is copied when it is met, then its children are replaced by their
// copies one by one, so that a reference back to it already finds the copy.
#include "graph/copy.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <utility>

#include "graph/hook_call.h"
#include "graph/leaf.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

constexpr const char* kOperation = "DeepCopy";

// An object whose children are being copied.
struct Frame {
  Children children;
  Any copy;
  // The child that is being copied, and in a mapping the copy of the key before it.
  TVMFFIAny child;
  Any key;
};

// Values that never change are shared with the copy.
bool is_shared_with_copy(const TVMFFIAny& value) {
  switch (value.type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIShape:
    case kTVMFFIBigInt:
      return true;
    default:
      return !is_object(value) || is_enum_type(value.type_index);
  }
}

// A mapping with no entries yet. A Map is made as a Dict is, whose object stays the same one while
// it grows; both have one layout.
Any empty_mapping(int32_t type_index) {
  Dict<Any, Any> mapping;
  detail::ObjectUnsafe::GetHeader(mapping.get())->type_index = type_index;
  return Any(ObjectRef(std::move(mapping)));
}

void set_entry(TVMFFIObject* mapping, Any key, Any value) {
  auto dict = detail::ObjectUnsafe::ObjectRefFromObjectPtr<Dict<Any, Any>>(
      detail::ObjectUnsafe::ObjectPtrFromUnowned<Object>(mapping));
  dict.Set(std::move(key), std::move(value));  // may run foreign code: hooks of the key
}

void set_field(const PlannedField& field, TVMFFIObject* object, const TVMFFIAny& value) {
  Object* holder = detail::ObjectUnsafe::RawObjectPtrFromUnowned<Object>(object);
  // runs foreign code: the setter
  reflection::FieldSetter(field.info)(holder, AnyView::CopyFromTVMFFIAny(value));
}

class Copier {
 public:
  Copier() : stack_(kOperation, &held_) {}

  Any copy(const TVMFFIAny& root) {
    try {
      add(root);
      while (!stack_.empty()) step();
    } catch (...) {
      take_copies_apart();
      throw;
    }
    return std::move(result_);
  }

 private:
  void add(const TVMFFIAny& value) {
    if (is_shared_with_copy(value)) {
      take(owned(value));
    } else {
      open(value.v_obj);
    }
  }

  void open(TVMFFIObject* object) {
    // Other objects cannot be met again, see walk.h.
    bool may_be_met_again = !has_one_reference(object);
    if (may_be_met_again) {
      if (const Any* copy = copies_.find({object})) return take(*copy);
    }
    Any copy = shallow_copy(object);
    if (raw(copy).v_obj == object) return take(std::move(copy));
    // The fast path of a root without children that are copied: no table and no stack.
    if (stack_.empty() && shares_all_fields(object)) return take(std::move(copy));
    if (may_be_met_again) {
      bool is_new;
      copies_.insert({object}, &is_new) = copy;
      held_.keep_key(object);
    }
    stack_.push(Frame{Children(object), std::move(copy), TVMFFIAny{}, Any()});
  }

  // Whether the fields of an object are values that the shallow copy may keep.
  bool shares_all_fields(TVMFFIObject* object) {
    Children children(object);
    if (children.kind() != Children::kFields) return false;
    for (TVMFFIAny child; children.next(&child, &held_);) {
      if (!is_shared_with_copy(child)) return false;
    }
    return true;
  }

  // A shallow copy, which shares its children with the object. The copy of a mapping is empty.
  Any shallow_copy(TVMFFIObject* object) {
    switch (object->type_index) {
      case kTVMFFIArray: {
        const auto* from = detail::ObjectUnsafe::RawObjectPtrFromUnowned<ArrayObj>(object);
        return Array<Any>(from->begin(), from->end());
      }
      case kTVMFFIList: {
        const auto* from = detail::ObjectUnsafe::RawObjectPtrFromUnowned<ListObj>(object);
        return List<Any>(from->begin(), from->end());
      }
      case kTVMFFIMap:
      case kTVMFFIDict:
        return empty_mapping(object->type_index);
      default:
        return call_shallow_copy(object);
    }
  }

  Any call_shallow_copy(TVMFFIObject* object) {
    static const TVMFFITypeAttrColumn* const column = hook_column("__ffi_shallow_copy__");
    const TVMFFIAny* hook = find_hook(column, object->type_index);
    if (hook == nullptr) {
      TVM_FFI_THROW(InternalError)
          << "Cannot deep copy object of type \"" << TypeIndexToTypeKey(object->type_index)
          << "\" because it is not copy-constructible";
    }
    prepare_for_foreign_code();
    Any copy = hook_function(*hook)(view_of(object));  // runs foreign code
    if (copy.type_index() != object->type_index) {
      TVM_FFI_THROW(TypeError) << "`__ffi_shallow_copy__` of type `"
                               << TypeIndexToTypeKey(object->type_index) << "` returned `"
                               << copy.GetTypeKey() << "`";
    }
    return copy;
  }

  // Puts the copy of a child where it belongs.
  void take(Any copy) {
    if (stack_.empty()) {
      result_ = std::move(copy);
      return;
    }
    Frame& frame = stack_.back();
    TVMFFIObject* object = raw(frame.copy).v_obj;
    switch (frame.children.kind()) {
      case Children::kSequence: {
        auto* elements = detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(object);
        // A shallow copy that a hook has changed keeps what the hook did.
        if (frame.children.index() < static_cast<int64_t>(elements->size())) {
          elements->SetItemAfterCheck(frame.children.index(), std::move(copy));
        }
        return;
      }
      case Children::kMapping:
        if (frame.children.is_at_key()) {
          frame.key = std::move(copy);
          return;
        }
        if (has_key_hook(raw(frame.key))) prepare_for_foreign_code();
        set_entry(object, std::move(frame.key), std::move(copy));
        return;
      default:
        if (raw(copy).v_uint64 == frame.child.v_uint64) return;
        prepare_for_foreign_code();
        set_field(frame.children.field(), object, raw(copy));
    }
  }

  void step() {
    Frame& frame = stack_.back();
    bool has_children = frame.children.kind() != Children::kMapping;
    while (frame.children.next(&frame.child, &held_)) {
      // The shallow copy has it already.
      if (has_children && is_shared_with_copy(frame.child)) continue;
      return add(TVMFFIAny(frame.child));
    }
    Any copy = std::move(frame.copy);
    stack_.pop();
    take(std::move(copy));
  }

  void prepare_for_foreign_code() {
    held_.keep_keys(copies_);
    stack_.hold();
  }

  // After an error: copies that refer to each other in circles would never be released. Each circle
  // goes through an object that was remembered.
  void take_copies_apart() noexcept {
    copies_.for_each([](const Copies::Entry& entry) {
      try {
        take_copy_apart(object_at(entry.first), raw(entry.value).v_obj);
      } catch (...) {  // A setter that refuses the value which the object was copied with.
      }
    });
  }

  static void take_copy_apart(TVMFFIObject* object, TVMFFIObject* copy) {
    switch (object->type_index) {
      case kTVMFFIArray:
      case kTVMFFIList:
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(copy)->clear();
        return;
      case kTVMFFIMap:
      case kTVMFFIDict:
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(copy)->clear();
        return;
      default: {
        Held held;
        Children children(object);
        for (TVMFFIAny child; children.next(&child, &held);) {
          if (!is_shared_with_copy(child)) set_field(children.field(), copy, child);
        }
      }
    }
  }

  using Copies = IdentityMap<Any>;

  Held held_;
  Copies copies_;
  WalkStack<Frame> stack_;
  Any result_;
};

}  // namespace

Any deep_copy(const Any& value) {
  if (is_shared_with_copy(raw(value))) return value;
  return Copier().copy(raw(value));
}

}  // namespace runtime

Any DeepCopy(const Any& value) { return runtime::deep_copy(value); }

}  // namespace ffi
}  // namespace tvm
