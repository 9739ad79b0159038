// SPDX-License-Identifier: Apache-2.0
// Reading and replacing the parts of an object that is being mutated.
#include "graph/mutate_children.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/detail/unchanged_or.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <utility>

#include "graph/leaf.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

template <typename T>
T* as_object(TVMFFIObject* object) {
  return detail::ObjectUnsafe::RawObjectPtrFromUnowned<T>(object);
}

// A copy of an object with fields, by the hook of its type.
Any call_shallow_copy(TVMFFIObject* object) {
  const TVMFFIAny* hook = find_shallow_copy(object->type_index);
  if (hook == nullptr) TVM_FFI_THROW(TypeError) << "__ffi_shallow_copy__ must be an ffi.Function";
  Function function = AnyView::CopyFromTVMFFIAny(*hook).cast<Function>();
  Any copy = function(AnyView::CopyFromTVMFFIAny(value_of(object)));  // runs foreign code
  if (copy.type_index() != object->type_index || raw(copy).v_obj == object) {
    TVM_FFI_THROW(TypeError)
        << "Shallow copy callback must return a distinct object with the same type as its input";
  }
  return copy;
}

Any shallow_copy(TVMFFIObject* object) {
  switch (object->type_index) {
    case kTVMFFIArray: {
      const auto* from = as_object<ArrayObj>(object);
      return Array<Any>(from->begin(), from->end());
    }
    case kTVMFFIList: {
      const auto* from = as_object<ListObj>(object);
      return List<Any>(from->begin(), from->end());
    }
    case kTVMFFIMap:
      return ObjectRef(MapObj::ShallowCopy(as_object<MapObj>(object)));
    case kTVMFFIDict:
      return ObjectRef(DictObj::ShallowCopy(as_object<DictObj>(object)));
    default:
      return call_shallow_copy(object);
  }
}

}  // namespace

const TVMFFIAny* find_shallow_copy(int32_t type_index) {
  static const TVMFFITypeAttrColumn* const column = hook_column("__ffi_shallow_copy__");
  const TVMFFIAny* hook = find_hook(column, type_index);
  return hook != nullptr && hook->type_index == kTVMFFIFunction ? hook : nullptr;
}

MutableChildren::MutableChildren(TVMFFIObject* object, bool is_inplace) : object_(object) {
  switch (object->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      kind_ = kSequence;
      is_inplace_ = is_inplace;
      break;
    case kTVMFFIMap:
    case kTVMFFIDict:
      kind_ = kMapping;
      is_inplace_ = is_inplace && detail::IsUniqueRef(object);
      if (object->type_index == kTVMFFIDict && !is_inplace_) copy_ = shallow_copy(object);
      entry_ = as_object<MapBaseObj>(target())->begin();
      num_entries_ = as_object<MapBaseObj>(target())->size();
      break;
    default: {
      const FieldPlan& plan = field_plan(object->type_index);
      kind_ = kFields;
      is_inplace_ = false;
      fields_ = plan.fields.data();
      num_fields_ = static_cast<int64_t>(plan.fields.size());
    }
  }
}

bool MutableChildren::next(Any* child) {
  switch (kind_) {
    case kSequence:
      return next_element(child);
    case kMapping:
      return next_value(child);
    default:
      return next_field(child);
  }
}

bool MutableChildren::next_element(Any* child) {
  ++position_;
  Any* element = slot();
  if (element == nullptr) return false;
  if (is_inplace_) {
    *child = std::move(*element);
  } else {
    *child = *element;
  }
  return true;
}

bool MutableChildren::next_value(Any* child) {
  const auto* mapping = as_object<MapBaseObj>(target());
  if (mapping->size() != num_entries_) return false;
  if (position_ > 0) ++entry_;
  if (entry_ == mapping->end()) return false;
  ++position_;
  if (is_inplace_) {
    *child = std::move(entry_->second);
  } else {
    *child = entry_->second;
  }
  return true;
}

bool MutableChildren::next_field(Any* child) {
  while (position_ < num_fields_) {
    const PlannedField& field = fields_[position_++];
    if ((field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    TVMFFIAny value;
    bool is_owned = read_field(field, object_, &value);  // may run foreign code: the getter
    *child = is_owned ? detail::AnyUnsafe::MoveTVMFFIAnyToAny(&value) : owned(value);
    return true;
  }
  return false;
}

Any* MutableChildren::slot() {
  if (kind_ == kMapping) {
    bool is_there = as_object<MapBaseObj>(target())->size() == num_entries_;
    return is_there ? &entry_->second : nullptr;
  }
  auto* elements = as_object<SeqBaseObj>(target());
  // Asked anew each time: foreign code may have changed the length.
  if (position_ > static_cast<int64_t>(elements->size())) return nullptr;
  return const_cast<Any*>(elements->begin()) + (position_ - 1);
}

void MutableChildren::put_back(Any child) noexcept {
  if (!is_inplace_) return;
  Any* place = slot();
  // What lies there if not None was put there by foreign code meanwhile.
  if (place != nullptr && *place == nullptr) place->swap(child);
}

void MutableChildren::replace(Any value) {
  if (kind_ == kFields) {
    set_field(fields_[position_ - 1], value);
  } else {
    if (!is_inplace_) make_copy();
    Any* place = slot();
    if (place != nullptr) place->swap(value);
  }
  is_changed_ = true;
}

void MutableChildren::make_copy() {
  if (copy_ != nullptr) return;
  copy_ = shallow_copy(object_);
  if (kind_ != kMapping) return;
  // The copy has the entries in the same order.
  entry_ = as_object<MapBaseObj>(target())->begin();
  for (int64_t i = 1; i < position_; ++i) ++entry_;
}

void MutableChildren::set_field(const PlannedField& field, const Any& value) {
  if (field.info->setter == nullptr) {
    TVM_FFI_THROW(TypeError) << "Cannot structurally mutate field `"
                             << ToStringView(field.info->name) << "` of type `"
                             << TypeIndexToTypeKey(object_->type_index)
                             << "` because it does not define a setter";
  }
  make_copy();
  // runs foreign code: the setter
  reflection::FieldSetter(field.info)(as_object<Object>(raw(copy_).v_obj), value);
}

Any MutableChildren::finish() {
  if (is_inplace_ || !is_changed_) return Unchanged();
  return std::move(copy_);
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
