// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/children.h
 * \brief The children of an object, and the values that a traversal keeps alive.
 *
 * Used by detail/graph_walk.h.
 */
#ifndef TVM_FFI_DETAIL_CHILDREN_H_
#define TVM_FFI_DETAIL_CHILDREN_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>
#include <tvm/ffi/detail/field_plan.h>
#include <tvm/ffi/detail/identity_table.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <new>
#include <utility>
#include <vector>

namespace tvm::ffi::detail {

TVM_FFI_INLINE bool IsObjectValue(const TVMFFIAny& value) {
  return value.type_index >= kTVMFFIStaticObjectBegin;
}

TVM_FFI_INLINE const TVMFFIAny& RawValue(const Any& value) {
  return *AnyUnsafe::TVMFFIAnyPtrFromAny(value);
}

/*! \brief Return a value that borrows an object. */
TVM_FFI_INLINE TVMFFIAny ObjectValue(TVMFFIObject* object) {
  TVMFFIAny value{};
  value.type_index = object->type_index;
  value.v_obj = object;
  return value;
}

TVM_FFI_INLINE bool IsSequence(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList;
}
TVM_FFI_INLINE bool IsMapping(int32_t type_index) {
  return type_index == kTVMFFIMap || type_index == kTVMFFIDict;
}
TVM_FFI_INLINE bool IsContainer(int32_t type_index) {
  return IsSequence(type_index) || IsMapping(type_index);
}

TVM_FFI_INLINE SeqBaseObj* AsSequence(TVMFFIObject* object) {
  return ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(object);
}
TVM_FFI_INLINE MapBaseObj* AsMapping(TVMFFIObject* object) {
  return ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(object);
}

/*! \brief Return the number of elements or entries of a sequence or mapping. */
TVM_FFI_INLINE size_t ContainerSize(TVMFFIObject* container) {
  return IsSequence(container->type_index) ? AsSequence(container)->size()
                                           : AsMapping(container)->size();
}

/*!
 * \brief Return whether a traversal that passes the parts of an object to foreign code needs a
 * reference to the object, beside the reference of its caller.
 *
 * The second reference makes other code copy an array or a map before a change. Other objects need
 * it if the only reference is in a field or container, which foreign code may change.
 */
TVM_FFI_INLINE bool NeedsSecondRef(const TVMFFIObject* object) {
  return object->type_index == kTVMFFIArray || object->type_index == kTVMFFIMap ||
         StrongRefCount(object) == 1;
}

/*! \brief The values that a traversal keeps alive until its end. */
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  /*! \brief Keep a value alive; the result borrows it. */
  TVMFFIAny keep(Any value) {
    values_.push_back(std::move(value));
    return RawValue(values_.back());
  }
  void keep(TVMFFIObject* object) { keep(Any(AnyView::CopyFromTVMFFIAny(ObjectValue(object)))); }

  /*! \brief Make a vector for the remaining entries of a mapping. The address of the vector never
   * changes. */
  std::vector<Any>* new_copy() { return &copies_.emplace_back(); }

  /*! \brief Record that foreign code has run or is about to run. From now on each object that is
   * added to an identity table must be kept alive. Otherwise its address could be reused for
   * another object. */
  void set_shared_with_foreign_code() { is_shared_ = true; }
  bool is_shared_with_foreign_code() const { return is_shared_; }

  /*! \brief Keep an object that is added to an identity table, if foreign code may release it. */
  void keep_key(TVMFFIObject* object) {
    if (is_shared_) keep(object);
  }
  /*! \brief Keep the objects that are in an identity table so far; called before
   * set_shared_with_foreign_code(). */
  template <typename Table>
  void keep_keys(const Table& table) {
    if (is_shared_) return;
    table.for_each([this](const typename Table::Entry& entry) { keep_key_of(entry); });
  }

  /*! \brief The number of values that were kept so far; release_since() releases later values. */
  struct Mark {
    size_t num_values;
    size_t num_copies;
  };
  Mark mark() const { return {values_.size(), copies_.size()}; }
  /*! \brief Release the values kept after `mark`, for traversals that need each value only
   * temporarily. */
  void release_since(Mark mark) {
    values_.resize(mark.num_values);
    if (copies_.size() != mark.num_copies) copies_.resize(mark.num_copies);
  }

 private:
  void keep_address(const void* object) {
    keep(static_cast<TVMFFIObject*>(const_cast<void*>(object)));
  }
  void keep_key_of(const IdentityKey& key) { keep_address(key.first); }
  void keep_key_of(const IdentityPairKey& key) {
    keep_address(key.first);
    keep_address(key.second);
  }

  std::vector<Any> values_;
  std::list<std::vector<Any>> copies_;  // a list: stable addresses, no allocation if empty
  bool is_shared_ = false;
};

/*! \brief Read a field; `held` keeps a value that the getter makes. */
TVM_FFI_INLINE TVMFFIAny ReadKeptField(const PlannedField& field, const TVMFFIObject* object,
                                       Held* held) {
  TVMFFIAny value;
  if (!ReadField(field, object, &value)) return value;
  return held->keep(AnyUnsafe::MoveTVMFFIAnyRawToAny(value));
}

/*! \brief Iterator over the children of one object, which are borrowed. */
class Children {
 public:
  enum Kind : uint8_t { kSequence, kMapping, kFields };

  /*!
   * \param object borrowed.
   * \param skipped flags; a field with one of these flags is passed over.
   * \throws InternalError when the type of the object is unknown.
   */
  explicit Children(TVMFFIObject* object, int64_t skipped = 0) : object_(object) {
    if (object->type_index == kTVMFFIArray || object->type_index == kTVMFFIList) {
      kind_ = kSequence;
      copy_ = nullptr;
      skipped_ = 0;
    } else {
      begin_other(skipped);
    }
  }

  /*! \brief Make an iterator over the fields of an object; `plan` is the FieldPlan of its type. */
  Children(TVMFFIObject* object, const FieldPlan& plan, int64_t skipped)
      : object_(object), kind_(kFields), num_fields_(static_cast<int32_t>(plan.fields.size())) {
    fields_ = plan.fields.data();
    skipped_ = skipped;
  }

  TVMFFIObject* object() const { return object_; }
  Kind kind() const { return kind_; }
  /*! \brief Return whether this is an object without fields: a leaf. */
  bool has_no_fields() const { return kind_ == kFields && num_fields_ == 0; }

  /*!
   * \brief Go to the next child: an element of a sequence, a field of an object, or a key or value
   * of a mapping. A key is followed by its value.
   * \param value receives the child, which is valid until foreign code runs.
   * \param held keeps the values that getters make.
   * \return false at the end.
   */
  bool next(TVMFFIAny* value, Held* held) {
    switch (kind_) {
      case kSequence:
        return next_element(value);
      case kMapping:
        return next_of_mapping(value);
      default:
        return next_field(value, held);
    }
  }

  /*! \brief next() for the kind kSequence. */
  bool next_element(TVMFFIAny* value) {
    const SeqBaseObj* elements = sequence();
    // Read the length at each step: a hook may have changed it.
    if (position_ >= static_cast<int64_t>(elements->size())) return false;
    *value = RawValue(elements->begin()[position_++]);
    return true;
  }

  /*! \brief Make `index` the position of the next element, for the kind kSequence. */
  void go_to_element(int64_t index) { position_ = index; }

  // The next functions are for loops that read the fields themselves, for the kind kFields. Such a
  // loop must call is_skipped() for each field, and does not update num_visited().

  /*! \brief Return the next field; end_of_fields() after the last. */
  const PlannedField* next_of_fields() const { return fields_ + position_; }
  const PlannedField* end_of_fields() const { return fields_ + num_fields_; }
  bool is_skipped(const PlannedField& field) const { return (field.flags & skipped_) != 0; }
  /*! \brief Make `field` the next field. */
  void go_to(const PlannedField* field) { position_ = field - fields_; }
  /*! \brief Make `field` the current field, as if next() had returned it. */
  void set_field(const PlannedField* field) { position_ = field - fields_ + 1; }

  /*! \brief Return whether the child from next() is a key. */
  bool is_at_key() const { return kind_ == kMapping && is_at_key_; }
  /*! \brief Return the position of the element from next(). */
  int64_t index() const { return position_ - 1; }
  /*! \brief Return the field from next(). */
  const PlannedField& field() const { return fields_[position_ - 1]; }
  /*! \brief Return the number of children so far, without skipped fields. */
  int64_t num_visited() const { return kind_ == kSequence ? position_ : num_visited_; }
  /*! \brief Return the current number of elements or entries. */
  size_t container_size() const { return ContainerSize(object_); }

  const SeqBaseObj* sequence() const { return AsSequence(object_); }
  const MapBaseObj* mapping() const { return AsMapping(object_); }

  /*! \brief Prepare for foreign code: keep the object, and copy the remaining entries of a mutable
   * mapping. */
  void hold(Held* held);

 private:
  void begin_other(int64_t skipped);

  bool next_of_mapping(TVMFFIAny* value) {
    ++num_visited_;
    is_at_key_ = !is_at_key_;
    if (copy_ != nullptr) {
      if (position_ == static_cast<int64_t>(copy_->size())) return false;
      *value = RawValue((*copy_)[position_++]);
      return true;
    }
    if (!is_at_key_) {
      *value = RawValue(entry_->second);
      ++entry_;
      return true;
    }
    if (entry_ == mapping()->end()) return false;
    *value = RawValue(entry_->first);
    return true;
  }

  bool next_field(TVMFFIAny* value, Held* held) {
    while (position_ < num_fields_) {
      const PlannedField& field = fields_[position_++];
      if (is_skipped(field)) continue;
      ++num_visited_;
      *value = ReadKeptField(field, object_, held);
      return true;
    }
    return false;
  }

  TVMFFIObject* object_;
  Kind kind_;
  bool is_at_key_ = false;
  int32_t num_fields_ = 0;
  int64_t position_ = 0;
  int64_t num_visited_ = 0;
  union {
    const PlannedField* fields_;
    const std::vector<Any>* copy_;
  };
  union {
    int64_t skipped_;
    MapBaseObj::iterator entry_;
  };
};

inline void Children::begin_other(int64_t skipped) {
  if (object_->type_index == kTVMFFIMap || object_->type_index == kTVMFFIDict) {
    kind_ = kMapping;
    copy_ = nullptr;
    new (&entry_) MapBaseObj::iterator(mapping()->begin());
    return;
  }
  const FieldPlan& plan = GetFieldPlan(object_->type_index);
  kind_ = kFields;
  fields_ = plan.fields.data();
  num_fields_ = static_cast<int32_t>(plan.fields.size());
  skipped_ = skipped;
}

inline void Children::hold(Held* held) {
  held->keep(object_);
  // `held` now has a reference to the object, so a write to an array or a map copies it first. A
  // list may change, but next() reads its length at each step. Only a dict must be copied here.
  if (object_->type_index != kTVMFFIDict || copy_ != nullptr) return;
  std::vector<Any>* copy = held->new_copy();
  const MapBaseObj::iterator end = mapping()->end();
  for (MapBaseObj::iterator it = entry_; it != end; ++it) {
    // If the key of the first entry was already visited, copy only the value of that entry.
    if (!copy->empty() || !is_at_key_) copy->push_back(it->first);
    copy->push_back(it->second);
  }
  copy_ = copy;
  position_ = 0;
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_CHILDREN_H_
