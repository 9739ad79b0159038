// SPDX-License-Identifier: Apache-2.0
// The parts of an object that is being mutated: read one by one, and replaced in the object itself
// or in a copy that is made at the first change.
#ifndef TVM_FFI_SRC_GRAPH_MUTATE_CHILDREN_H_
#define TVM_FFI_SRC_GRAPH_MUTATE_CHILDREN_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>

#include <cstddef>
#include <cstdint>

#include "graph/field_plan.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Whether an object of a type is a sequence or a mapping. */
inline bool is_container(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList || type_index == kTVMFFIMap ||
         type_index == kTVMFFIDict;
}

/*!
 * \brief The hook that makes shallow copies of objects of a type.
 * \return NULL when the type has none that is a Function.
 */
const TVMFFIAny* find_shallow_copy(int32_t type_index);

/*!
 * \brief The parts of one object and their replacements.
 *
 * The object is borrowed. Foreign code may run while a part is out: it may change the object, which
 * then is no longer followed, but nothing is read or written that is not there.
 */
class MutableChildren {
 public:
  /*!
   * \param object a container, or an object with a shallow copy.
   * \param is_inplace whether a container may be changed itself; otherwise, and always for
   *        mappings that others refer to, a copy is.
   */
  MutableChildren(TVMFFIObject* object, bool is_inplace);

  TVMFFIObject* object() const { return object_; }
  bool is_inplace() const { return is_inplace_; }
  bool has_fields() const { return kind_ == kFields; }
  /*! \brief Whether a part was replaced. */
  bool is_changed() const { return is_changed_; }

  /*!
   * \brief Take the next part out: a value, a key is none.
   * \param child what was there; in place nothing else holds it, so it must be put back.
   * \return false at the end.
   * \throws Error what a getter throws.
   */
  bool next(Any* child);
  /*! \brief Flags of the field that next() gave; 0 in containers. */
  int64_t flags() const { return kind_ == kFields ? fields_[position_ - 1].flags : 0; }

  /*! \brief Put the part back that next() gave, where it is not in its place still. */
  void put_back(Any child) noexcept;
  /*!
   * \brief Replace the part that next() gave.
   * \throws Error TypeError when the object cannot be copied or the field not be set; what setters
   *         and copying throw. Then nothing has changed.
   */
  void replace(Any value);

  /*! \brief The copy with the replacements, moved out; the marker when the object itself is what
   * it is to be. */
  Any finish();

 private:
  enum Kind : uint8_t { kSequence, kMapping, kFields };

  bool next_element(Any* child);
  bool next_value(Any* child);
  bool next_field(Any* child);
  /*! \brief Where the part that next() gave is kept; NULL when it is no longer there. */
  Any* slot();
  void make_copy();
  void set_field(const PlannedField& field, const Any& value);

  TVMFFIObject* target() const {
    return raw(copy_).type_index == kTVMFFINone ? object_ : raw(copy_).v_obj;
  }

  TVMFFIObject* object_;
  Kind kind_;
  bool is_inplace_;
  bool is_changed_ = false;
  // Of the next element, entry or field.
  int64_t position_ = 0;
  const PlannedField* fields_ = nullptr;
  int64_t num_fields_ = 0;
  // At the entry whose value is out; not used any more when the number of entries changes.
  MapBaseObj::iterator entry_;
  size_t num_entries_ = 0;
  // None until it is made. Dicts are copied before anything is read: foreign code may change them.
  Any copy_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_MUTATE_CHILDREN_H_
