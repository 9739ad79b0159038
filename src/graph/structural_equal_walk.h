// SPDX-License-Identifier: Apache-2.0
// The walk of structural equality. Its steps are in structural_equal.cc, the place of the first
// difference in structural_equal_path.cc, hooks in structural_equal_hook.cc.
#ifndef TVM_FFI_SRC_GRAPH_STRUCTURAL_EQUAL_WALK_H_
#define TVM_FFI_SRC_GRAPH_STRUCTURAL_EQUAL_WALK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <cstddef>
#include <cstdint>

#include "graph/structural_equal_leaf.h"
#include "graph/structural_match.h"
#include "graph/structural_steps.h"
#include "graph/structural_type.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace structural {

/*! \brief Two objects of one type that are being compared. */
struct EqualFrame {
  using Opening = StructuralMatch::Opening;

  EqualFrame(TVMFFIObject* left, TVMFFIObject* right, const StructuralType& type, DefRegion region,
             const Opening& opening, size_t num_fickle_keys)
      : EqualFrame(Children(left, *type.plan, kTVMFFIFieldFlagBitMaskSEqHashIgnore), right,
                   type.kind, region, opening, num_fickle_keys) {}

  /*! \brief For two containers. */
  EqualFrame(TVMFFIObject* left, TVMFFIObject* right, DefRegion region, const Opening& opening,
             size_t num_fickle_keys)
      : EqualFrame(Children(left), right, kTVMFFISEqHashKindTreeNode, region, opening,
                   num_fickle_keys) {
    if (children.kind() == Children::kMapping) key = TVMFFIAny{};
  }

  Children children;
  TVMFFIObject* right;
  /*! \brief Keys as in StructuralMatch before this frame. */
  size_t num_fickle_keys;
  SEqHashKind kind;
  /*! \brief Where the two stand, and where their parts do. */
  DefRegion region;
  DefRegion inner_region;
  /*! \brief How the pair is marked. */
  Opening opening;
  /*! \brief Of a mapping alone: the key whose values are being compared. */
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
 * \brief Compares two values; one walk for the comparison, and one for each that its hooks start.
 *
 * Members that return bool tell whether no difference was found yet.
 */
class EqualWalk {
 public:
  using AccessStep = reflection::AccessStep;
  using PairState = StructuralMatch::PairState;
  using Opening = StructuralMatch::Opening;
  static constexpr const char* kOperation = "StructuralEqual";

  explicit EqualWalk(StructuralMatch* match);
  /*! \brief Takes back what was found out, unless the values were equal. */
  ~EqualWalk();
  EqualWalk(const EqualWalk&) = delete;
  EqualWalk& operator=(const EqualWalk&) = delete;

  /*! \brief To be called once. */
  bool equal(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region);

  /*! \brief Where the difference lies, after equal() has found one. */
  StepPairs steps_to_difference();

 private:
  struct HookState;
  struct OpenPair;

  bool compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region);
  // Settles two objects of one type, or opens a frame for them.
  bool open(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region);
  bool open_container(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region);
  bool open_object(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region);
  bool open_special(TVMFFIObject* lhs, TVMFFIObject* rhs, const StructuralType& type,
                    DefRegion region);
  // `first` is the first field that is not equal by its own content.
  bool open_fields(TVMFFIObject* lhs, TVMFFIObject* rhs, const StructuralType& type,
                   DefRegion region, const PlannedField* first, Opening opening);
  // Whether a pair that may be met again is known to be equal; if not, it is open from now on.
  bool is_known(TVMFFIObject* lhs, TVMFFIObject* rhs, bool has_identity, Opening* opening);
  // Two objects whose parts are equal: whether they are, too.
  bool settle(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region,
              const Opening& opening);
  void leave(TVMFFIObject* lhs, TVMFFIObject* rhs, const Opening& opening, size_t num_fickle_keys);
  bool close(const EqualFrame& frame);

  // Compares parts of the innermost pair up to the first that has parts itself.
  bool step();
  bool step_in_fields(EqualFrame* frame);
  bool compare_field(const PlannedField& field, DefRegion region, const TVMFFIObject* lhs,
                     const TVMFFIObject* rhs);
  bool step_in_sequence(EqualFrame* frame);
  bool step_in_mapping(EqualFrame* frame);

  // These note a difference that is not in parts of the innermost pair; all return false.
  bool differ_as_a_whole();
  bool differ_in_length(int64_t index, bool left_is_longer);
  // `present` is a key of one side, `absent` what was looked for on the other.
  bool differ_in_key(const TVMFFIAny& present, const TVMFFIAny& absent, bool left_is_present);
  // The right mapping has more entries.
  bool differ_in_right_key(EqualFrame* frame);
  void push_last(bool left_is_present, AccessStep present, AccessStep absent);
  // The step from a pair to those of its parts that were compared last.
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
  // Whether the difference is not in a part of the innermost pair but in the pair.
  bool differs_as_a_whole_ = false;
  StepPairs last_steps_;
};

/*! \brief Column of `__s_equal__`. */
inline const TVMFFITypeAttrColumn* equal_hooks() {
  static const TVMFFITypeAttrColumn* const column = hook_column("__s_equal__");
  return column;
}

}  // namespace structural
}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_STRUCTURAL_EQUAL_WALK_H_
