// SPDX-License-Identifier: Apache-2.0
// Deep copies. An object is copied when it is reached, before its children are replaced by copies.
// So the copy exists already when a child refers back to the object.
#include "graph/copy.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <optional>
#include <utility>

#include "graph/hook_call.h"
#include "graph/leaf.h"
#include "graph/repr_limits.h"
#include "graph/walk.h"

namespace tvm::ffi {
namespace runtime {
namespace {

constexpr const char* kCopyOperation = "DeepCopy";

// An object whose children are being copied.
struct CopyFrame {
  Children children;
  Any copy;
  // The child that is being copied; in a mapping also the copy of the child's key.
  TVMFFIAny child;
  Any key;
};

// Whether a value never changes, so that the copy shares it.
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

// Returns a mapping without entries. A Map is made as a Dict, which has the same layout, because a
// Dict keeps its object when it grows.
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
  Copier() : stack_(kCopyOperation, &held_) {}

  Any copy(const TVMFFIAny& root) {
    try {
      add(root);
      while (!stack_.empty()) step();
    } catch (...) {
      if (std::optional<Error> stop = take_copies_apart()) throw *std::move(stop);
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
    // An object with one reference is reached only once, see walk.h. The shallow copy of its parent
    // may have a second reference.
    bool may_be_met_again = detail::StrongRefCount(object) > (is_in_parent_copy(object) ? 2u : 1u);
    if (may_be_met_again) {
      if (const Any* copy = copies_.find({object})) return take(*copy);
    }
    Any copy = shallow_copy(object);
    if (raw(copy).v_obj == object) return take(std::move(copy));
    // Fast path for a root whose children are not copied: it needs no table and no stack.
    if (stack_.empty() && shares_all_fields(object)) return take(std::move(copy));
    if (may_be_met_again) {
      bool is_new;
      copies_.insert({object}, &is_new) = copy;
      held_.keep_key(object);
    }
    stack_.push(CopyFrame{Children(object), std::move(copy), TVMFFIAny{}, Any()});
  }

  // Whether the copy of the parent of `object` has a reference to `object` in the same place as the
  // parent.
  bool is_in_parent_copy(const TVMFFIObject* object) {
    if (stack_.empty()) return false;
    const CopyFrame& frame = stack_.back();
    TVMFFIObject* copy = raw(frame.copy).v_obj;
    switch (frame.children.kind()) {
      case Children::kSequence: {
        const SeqBaseObj* elements = detail::AsSequence(copy);
        auto index = static_cast<size_t>(frame.children.index());
        return index < elements->size() && raw(elements->begin()[index]).v_obj == object;
      }
      case Children::kFields: {
        const PlannedField& field = frame.children.field();
        if (field.storage != FieldStorage::kValue && field.storage != FieldStorage::kObject) {
          return false;
        }
        TVMFFIAny value;
        read_field(field, copy, &value);
        return value.v_obj == object;
      }
      default:
        return false;
    }
  }

  // Whether the shallow copy of an object may keep the values of all its fields.
  bool shares_all_fields(TVMFFIObject* object) {
    Children children(object);
    if (children.kind() != Children::kFields) return false;
    for (TVMFFIAny child; children.next(&child, &held_);) {
      if (!is_shared_with_copy(child)) return false;
    }
    return true;
  }

  // Makes a shallow copy, which has the children of the object. The copy of a mapping is empty.
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
    Any copy = hook_function(hook)(view_of(object));  // runs foreign code
    if (copy.type_index() != object->type_index) {
      TVM_FFI_THROW(TypeError) << "`__ffi_shallow_copy__` of type `"
                               << TypeIndexToTypeKey(object->type_index) << "` returned `"
                               << detail::TypeNameInText(copy.type_index()) << "`";
    }
    return copy;
  }

  // Stores the copy of a child in the copy of its parent.
  void take(Any copy) {
    if (stack_.empty()) {
      result_ = std::move(copy);
      return;
    }
    CopyFrame& frame = stack_.back();
    TVMFFIObject* object = raw(frame.copy).v_obj;
    switch (frame.children.kind()) {
      case Children::kSequence: {
        auto* elements = detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(object);
        // A hook may have made the shallow copy shorter than the original; it stays shorter.
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
    CopyFrame& frame = stack_.back();
    bool has_children = frame.children.kind() != Children::kMapping;
    while (frame.children.next(&frame.child, &held_)) {
      // A shallow copy already has the children that it shares with the object, unless it is a
      // mapping, whose shallow copy is empty.
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

  // Called after an error: removes the references between copies, because copies in a reference
  // cycle would never be released. Each cycle contains an object of `copies_`. Returns the request
  // to stop, such as KeyboardInterrupt, that a setter has thrown.
  std::optional<Error> take_copies_apart() {
    std::optional<Error> stop;
    copies_.for_each([&stop](const Copies::Entry& entry) {
      try {
        take_copy_apart(object_at(entry.first), raw(entry.value).v_obj);
      } catch (const Error& error) {
        if (is_interrupt(error)) stop = error;
      } catch (...) {  // A setter refused a child of the original; continue with the next copy.
      }
    });
    return stop;
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
  WalkStack<CopyFrame> stack_;
  Any result_;
};

}  // namespace

Any deep_copy(const Any& value) {
  if (is_shared_with_copy(raw(value))) return value;
  return Copier().copy(raw(value));
}

}  // namespace runtime

Any DeepCopy(const Any& value) { return runtime::deep_copy(value); }

}  // namespace tvm::ffi
