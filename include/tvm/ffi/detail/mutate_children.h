// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/mutate_children.h
 * \brief Iterator over the parts of an object that is being mutated. Parts are replaced in the
 * object itself, or in a copy that is made at the first change.
 *
 * Used by extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_MUTATE_CHILDREN_H_
#define TVM_FFI_DETAIL_MUTATE_CHILDREN_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/detail/graph_walk.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/unchanged_or.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tvm::ffi::detail {

/*!
 * \brief Return the hook that makes shallow copies of objects of a type.
 * \return NULL when the type has no such Function.
 */
inline const TVMFFIAny* FindShallowCopy(int32_t type_index) {
  static const TVMFFITypeAttrColumn* const column =
      GetTypeAttrColumnOrNull("__ffi_shallow_copy__", 20);
  const TVMFFIAny* hook = FindTypeAttr(column, type_index);
  return hook != nullptr && hook->type_index == TypeIndex::kTVMFFIFunction ? hook : nullptr;
}

/*! \brief Call the shallow-copy hook of an object's type, and return the copy. */
inline Any CallShallowCopy(TVMFFIObject* object) {
  const TVMFFIAny* hook = FindShallowCopy(object->type_index);
  if (hook == nullptr) TVM_FFI_THROW(TypeError) << "__ffi_shallow_copy__ must be an ffi.Function";
  Any self = AnyView::CopyFromTVMFFIAny(ObjectValue(object));
  Any copy = CallFunctionHook(hook->v_obj, &self, 1);  // runs foreign code
  if (copy.type_index() != object->type_index || RawValue(copy).v_obj == object) {
    TVM_FFI_THROW(TypeError)
        << "Shallow copy callback must return a distinct object with the same type as its input";
  }
  return copy;
}

/*! \brief Return a new container or object with the same parts. */
inline Any MakeShallowCopy(TVMFFIObject* object) {
  switch (object->type_index) {
    case TypeIndex::kTVMFFIArray: {
      auto* from = ObjectUnsafe::RawObjectPtrFromUnowned<ArrayObj>(object);
      return ObjectRef(ArrayObj::CopyFrom(static_cast<int64_t>(from->size()), from));
    }
    case TypeIndex::kTVMFFIList: {
      const SeqBaseObj* from = AsSequence(object);
      return List<Any>(from->begin(), from->end());
    }
    case TypeIndex::kTVMFFIMap:
      return ObjectRef(MapObj::ShallowCopy(ObjectUnsafe::RawObjectPtrFromUnowned<MapObj>(object)));
    case TypeIndex::kTVMFFIDict:
      return ObjectRef(
          DictObj::ShallowCopy(ObjectUnsafe::RawObjectPtrFromUnowned<DictObj>(object)));
    default:
      return CallShallowCopy(object);
  }
}

/*!
 * \brief Set a field in `*copy`, the copy of an object. If `*copy` is None, make the copy first.
 * \throws Error TypeError when the object cannot be copied or the field cannot be set; the
 *         exceptions of setters and of copying.
 */
inline void SetFieldInCopy(TVMFFIObject* object, Any* copy, const PlannedField& field,
                           const Any& value) {
  if (field.info->setter == nullptr) {
    TVM_FFI_THROW(TypeError) << "Cannot structurally mutate field `"
                             << ToStringView(field.info->name) << "` of type `"
                             << TypeIndexToTypeKey(object->type_index)
                             << "` because it does not define a setter";
  }
  if (*copy == nullptr) *copy = CallShallowCopy(object);
  auto* target = ObjectUnsafe::RawObjectPtrFromUnowned<Object>(RawValue(*copy).v_obj);
  reflection::FieldSetter(field.info)(target, value);  // runs foreign code: the setter
}

/*!
 * \brief The parts of one object and their replacements.
 *
 * The object is borrowed. If it is an array or a map that is not changed in place, the caller holds
 * a second reference, so that other code copies the object before a change. Foreign code may run
 * while a part is taken out. If that code changes the object, its new parts are not visited, but no
 * access is out of bounds.
 */
class MutableChildren {
 public:
  /*!
   * \param object a container, or an object whose type has the hook `__ffi_shallow_copy__`.
   * \param plan the FieldPlan of an object; NULL for containers.
   * \param is_inplace whether to change a container in place. If it is false, the changes go to a
   *         copy. A mapping with other references is never changed in place.
   */
  MutableChildren(TVMFFIObject* object, const FieldPlan* plan, bool is_inplace) : object_(object) {
    if (plan != nullptr) {
      kind_ = kFields;
      is_inplace_ = false;
      fields_ = plan->fields.data();
      num_fields_ = static_cast<int64_t>(plan->fields.size());
    } else if (IsSequence(object->type_index)) {
      kind_ = kSequence;
      is_inplace_ = is_inplace;
      is_borrowing_ = !is_inplace && object->type_index == TypeIndex::kTVMFFIArray;
    } else {
      kind_ = kMapping;
      is_inplace_ = is_inplace && IsUniqueRef(object);
      is_borrowing_ = !is_inplace_;
      // Copy a dict before anything is read, since foreign code may change the dict.
      if (object->type_index == TypeIndex::kTVMFFIDict && !is_inplace_) {
        copy_ = MakeShallowCopy(object);
      }
      entry_ = AsMapping(target())->begin();
      num_entries_ = AsMapping(target())->size();
    }
  }

  TVMFFIObject* object() const { return object_; }
  bool is_inplace() const { return is_inplace_; }

  /*!
   * \brief Take out the next part: an element, a field, or a value of a mapping (not a key).
   *
   * If the object is changed in place, the part is moved out of the object. The caller must then
   * put the part back or replace it.
   * \return false at the end.
   * \throws Error the exception of a getter.
   */
  TVM_FFI_INLINE bool next() {
    switch (kind_) {
      case kSequence:
        return next_element();
      case kMapping:
        return next_value();
      default:
        return next_field();
    }
  }
  /*! \brief Return the part from next(); valid until the next call of a member. */
  AnyView child() const { return child_; }
  /*! \brief Return the flags of the field from next(); 0 in containers. */
  int64_t flags() const { return kind_ == kFields ? fields_[position_ - 1].flags : 0; }

  /*! \brief Put the part from next() back if it was taken out. */
  TVM_FFI_INLINE void put_back() noexcept {
    if (is_inplace_) put_in_place();
    kept_ = Any();
  }

  /*!
   * \brief Replace the part from next().
   * \throws Error TypeError when the object cannot be copied or the field cannot be set; the
   *         exceptions of setters and of copying. After an exception, the part is not replaced.
   */
  void replace(Any value) {
    if (kind_ == kFields) {
      SetFieldInCopy(object_, &copy_, fields_[position_ - 1], value);
    } else {
      if (!is_inplace_) make_copy();
      Any* place = slot();
      if (place != nullptr) place->swap(value);
    }
    is_changed_ = true;
    // Release the old part only now, because the release may run foreign code.
    kept_ = Any();
  }

  /*! \brief Move out the copy with the replacements; return Unchanged if the object itself is the
   * result. */
  Any finish() {
    if (is_inplace_ || !is_changed_) return Unchanged();
    return std::move(copy_);
  }

 private:
  enum Kind : uint8_t { kSequence, kMapping, kFields };

  TVM_FFI_INLINE bool next_element() {
    ++position_;
    // Borrow the part from the object itself, which keeps its parts; only the copy gets new parts.
    Any* element = is_borrowing_ ? slot_of(object_) : slot();
    if (element == nullptr) return false;
    take_out(element);
    return true;
  }

  bool next_value() {
    const MapBaseObj* mapping = AsMapping(target());
    if (mapping->size() != num_entries_) return false;
    if (position_ > 0) ++entry_;
    if (entry_ == mapping->end()) return false;
    ++position_;
    take_out(&entry_->second);
    return true;
  }

  TVM_FFI_INLINE bool next_field() {
    while (position_ < num_fields_) {
      const PlannedField& field = fields_[position_++];
      if ((field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
      kept_ = ReadOwnedField(field, object_);  // may run foreign code: the getter
      child_ = kept_;
      return true;
    }
    return false;
  }

  TVM_FFI_INLINE void take_out(Any* place) {
    child_ = *place;
    if (is_borrowing_) return;
    if (is_inplace_) {
      kept_ = std::move(*place);
    } else {
      kept_ = *place;
    }
  }

  void put_in_place() noexcept {
    Any* place = slot();
    // If the slot is not None, foreign code has stored a value there in the meantime; keep it.
    if (place != nullptr && *place == nullptr) place->swap(kept_);
  }

  /*! \brief Return the slot of the part from next(), or NULL when foreign code has removed the slot
   * from the container. */
  TVM_FFI_INLINE Any* slot() {
    if (kind_ == kMapping) {
      bool is_there = AsMapping(target())->size() == num_entries_;
      return is_there ? &entry_->second : nullptr;
    }
    return slot_of(target());
  }

  TVM_FFI_INLINE Any* slot_of(TVMFFIObject* sequence) const {
    SeqBaseObj* elements = AsSequence(sequence);
    // Read the length each time, because foreign code may have changed the length.
    if (position_ > static_cast<int64_t>(elements->size())) return nullptr;
    return const_cast<Any*>(elements->begin()) + (position_ - 1);
  }

  void make_copy() {
    if (copy_ != nullptr) return;
    copy_ = MakeShallowCopy(object_);
    if (kind_ != kMapping) return;
    // The copy has the entries in the same order.
    entry_ = AsMapping(target())->begin();
    for (int64_t i = 1; i < position_; ++i) ++entry_;
  }

  TVM_FFI_INLINE TVMFFIObject* target() const {
    return RawValue(copy_).type_index == TypeIndex::kTVMFFINone ? object_ : RawValue(copy_).v_obj;
  }

  TVMFFIObject* object_;
  Kind kind_;
  bool is_inplace_;
  /*! \brief Whether child_ only borrows the part, because the container, or a copy without other
   * references, keeps the part alive. */
  bool is_borrowing_ = false;
  bool is_changed_ = false;
  /*! \brief The part that next() returned last. */
  AnyView child_;
  /*! \brief Owns the part child_, or is None if child_ is borrowed. */
  Any kept_;
  /*! \brief The position of the next element, entry or field. */
  int64_t position_ = 0;
  const PlannedField* fields_ = nullptr;
  int64_t num_fields_ = 0;
  /*! \brief The entry whose value was taken out; not used after the number of entries has
   * changed. */
  MapBaseObj::iterator entry_;
  size_t num_entries_ = 0;
  /*! \brief The copy; None until it is made. */
  Any copy_;
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_MUTATE_CHILDREN_H_
