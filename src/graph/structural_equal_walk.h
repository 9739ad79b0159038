// SPDX-License-Identifier: Apache-2.0
// The walk of structural equality. Its steps are in structural_equal.cc, the path to the first
// difference in structural_equal_path.cc, and hooks in structural_equal_hook.cc.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <cstddef>
#include <cstdint>

#include "graph/structural_equal_leaf.h"
#include "graph/structural_match.h"
#include "graph/structural_steps.h"
#include "graph/structural_type.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime::structural {

/*! \brief Frame for two objects of one type that are being compared. */
struct EqualFrame {
  using Opening = StructuralMatch::Opening;

  EqualFrame(TVMFFIObject* left, TVMFFIObject* right, const StructuralType& type, DefRegion region,
             const Opening& opening, size_t num_fickle_keys)
      : EqualFrame(Children(left, *type.plan, kTVMFFIFieldFlagBitMaskSEqHashIgnore), right,
                   type.kind, region, opening, num_fickle_keys) {}

  /*! \brief Make a frame for two containers. */
  EqualFrame(TVMFFIObject* left, TVMFFIObject* right, DefRegion region, const Opening& opening,
             size_t num_fickle_keys, const PlannedField* through)
      : EqualFrame(Children(left), right, kTVMFFISEqHashKindTreeNode, region, opening,
                   num_fickle_keys) {
    this->through = through;
    if (children.kind() == Children::kMapping) key = TVMFFIAny{};
  }

  Children children;
  TVMFFIObject* right;
  /*! \brief StructuralMatch::num_fickle_keys() before this frame was made. */
  size_t num_fickle_keys;
  SEqHashKind kind;
  /*! \brief Definition region of the two objects, and definition region of their parts. */
  DefRegion region;
  DefRegion inner_region;
  /*! \brief How the pair is marked as being compared. */
  Opening opening;
  /*! \brief The field that contains the two containers, if the objects with this field have no
   * frame; otherwise NULL. */
  const PlannedField* through = nullptr;
  /*! \brief Only for a mapping: the key whose values are being compared. */
  TVMFFIAny key;

  void hold(Held* held) {
    children.hold(held);
    held->keep(right);
    if (children.kind() == Children::kMapping) held->keep(owned(key));
  }

 private:
  EqualFrame(const Children& children, TVMFFIObject* right, SEqHashKind kind, DefRegion region,
             const Opening& opening, size_t num_fickle_keys)
      : children(children),
        right(right),
        num_fickle_keys(num_fickle_keys),
        kind(kind),
        region(region),
        inner_region(region_of_fields(kind, region)),
        opening(opening) {}
};

/*!
 * \brief Compares two values. When a hook requests a comparison of parts, a new EqualWalk compares
 * the parts.
 *
 * Members that return bool return false when a difference was found.
 */
class EqualWalk {
 public:
  using AccessStep = reflection::AccessStep;
  using PairState = StructuralMatch::PairState;
  using Opening = StructuralMatch::Opening;
  static constexpr const char* kOperation = "StructuralEqual";

  explicit EqualWalk(StructuralMatch* match);
  /*! \brief Undo what this walk has recorded in the StructuralMatch, unless the values were
   * equal. */
  ~EqualWalk();
  EqualWalk(const EqualWalk&) = delete;
  EqualWalk& operator=(const EqualWalk&) = delete;

  /*! \brief Compare two values. Call this once per walk. */
  bool equal(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region);

  /*! \brief Return the path to the difference, after equal() has found one. */
  StepPairs steps_to_difference();

 private:
  struct HookState;
  struct OpenPair;

  bool compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region);
  // Decides the equality of two objects of one type, or pushes a frame for them.
  bool open(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region);
  bool open_container(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region,
                      const PlannedField* through = nullptr);
  bool open_object(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region);
  bool open_special(TVMFFIObject* lhs, TVMFFIObject* rhs, const StructuralType& type,
                    DefRegion region);
  // Compares the fields from `first` on, the first field for which is_equal_field() returns false.
  bool open_fields(TVMFFIObject* lhs, TVMFFIObject* rhs, const StructuralType& type,
                   DefRegion region, const PlannedField* first, Opening opening);
  // Whether a pair that can be reached again is known to be equal. An unknown pair is marked as
  // open (being compared).
  bool is_known(TVMFFIObject* lhs, TVMFFIObject* rhs, bool has_identity, Opening* opening);
  // Decides the equality of two objects whose parts are equal.
  bool settle(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region,
              const Opening& opening);
  void leave(TVMFFIObject* lhs, TVMFFIObject* rhs, const Opening& opening, size_t num_fickle_keys);
  bool close(const EqualFrame& frame);

  // The steps compare parts of the pair on top of the stack, up to the first that has children.
  bool step_in_fields(EqualFrame* frame);
  bool compare_field(const PlannedField& field, DefRegion region, const TVMFFIObject* lhs,
                     const TVMFFIObject* rhs);
  bool step_in_sequence(EqualFrame* frame);
  bool step_in_mapping(EqualFrame* frame);

  // The following functions record a difference in the pair itself, not in its parts. All return
  // false.
  bool differ_as_a_whole();
  bool differ_in_length(int64_t index, bool left_is_longer);
  // `present` is a key of one side, `absent` the corresponding key that the other side does not
  // have.
  bool differ_in_key(const TVMFFIAny& present, const TVMFFIAny& absent, bool left_is_present);
  // Called if the right mapping has more entries. Records one of its keys that the left mapping
  // does not have.
  bool differ_in_right_key(EqualFrame* frame);
  void push_last(bool left_is_present, AccessStep present, AccessStep absent);
  // Adds the step from a pair to the parts that were compared last.
  void push_step(const EqualFrame& frame, StepPairs* steps);

  void prepare_for_foreign_code();
  bool compare_by_hook(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region,
                       const Opening& opening);
  bool call_hook(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region);
  static bool compare_for_hook(HookState* state, const Any& lhs, const Any& rhs, DefRegion region,
                               const Any& field_name);

  StructuralMatch* match_;
  StructuralTypes types_;
  WalkStack<EqualFrame> stack_;
  const size_t mark_;
  bool is_equal_ = false;
  // Whether the difference is in the pair on top of the stack itself, not in one of its parts.
  bool differs_as_a_whole_ = false;
  StepPairs last_steps_;
};

/*! \brief Return the column of `__s_equal__`. */
inline const TVMFFITypeAttrColumn* equal_hooks() {
  static const TVMFFITypeAttrColumn* const column = hook_column("__s_equal__");
  return column;
}

/*! \brief Return how objects of a type are compared. \throws Error TypeError if they cannot. */
inline StructuralType type_for_equality(int32_t type_index) {
  return structural_type(equal_hooks(), type_index);
}

}  // namespace tvm::ffi::runtime::structural
