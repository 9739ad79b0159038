// SPDX-License-Identifier: Apache-2.0
// Structural equality: traverses two values in parallel, and matches variables and shared nodes.
#include "graph/structural_equal.h"

#include <tvm/ffi/extra/structural_equal.h>

#include <algorithm>

#include "graph/structural_equal_field.h"
#include "graph/structural_equal_walk.h"
#include "graph/structural_tensor.h"

namespace tvm::ffi {
namespace runtime {
namespace structural {
namespace {

// Whether a pair may be reached again. This is impossible if both objects have only one reference,
// see walk.h.
inline bool is_shared(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
  return !has_one_reference(lhs) || !has_one_reference(rhs);
}

}  // namespace

EqualWalk::EqualWalk(StructuralMatch* match)
    : match_(match),
      types_(type_for_equality),
      stack_(kOperation, &match->held),
      mark_(match->mark()) {}

EqualWalk::~EqualWalk() {
  // If a hook has thrown an error, frames remain on the stack: remove the marks of their pairs.
  for (size_t i = 0; i < stack_.size(); ++i) {
    const EqualFrame& frame = stack_[i];
    match_->leave(frame.opening, frame.children.object(), frame.right, PairState::kUnknown);
  }
  if (!is_equal_) match_->take_back(mark_);
}

bool EqualWalk::equal(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region) {
  is_equal_ = compare(lhs, rhs, region);
  while (is_equal_ && !stack_.empty()) {
    is_equal_ = step_by_kind(this, &stack_.back(), &EqualWalk::step_in_sequence,
                             &EqualWalk::step_in_mapping, &EqualWalk::step_in_fields);
  }
  return is_equal_;
}

bool EqualWalk::compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region) {
  Verdict result = compare_values(lhs, rhs);
  if (result != Verdict::kLookInside) return result == Verdict::kEqual;
  return open(lhs.v_obj, rhs.v_obj, region);
}

TVM_FFI_INLINE bool EqualWalk::open_object(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
  const StructuralType& type = types_.of(lhs->type_index);
  if (!type.is_plain_tree()) return open_special(lhs, rhs, type, region);
  // Most objects of a tree have only leaf fields, so they need no frame and cannot contain
  // themselves.
  const PlannedField* field = first_field_to_open(*type.plan, lhs, rhs);
  return field == nullptr || open_fields(lhs, rhs, type, region, field, Opening());
}

bool EqualWalk::open(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
  switch (lhs->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
      return open_container(lhs, rhs, region);
    case kTVMFFITensor:
      return equal_tensors(lhs, rhs, match_->options.skip_tensor_content);
    default:
      return open_object(lhs, rhs, region);
  }
}

bool EqualWalk::open_container(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region,
                               const PlannedField* through) {
  size_t size = container_size(lhs), right_size = container_size(rhs);
  // Containers of different sizes are not equal. If the path is requested, compare the elements
  // nevertheless, because an earlier element may differ.
  if (size != right_size && !match_->options.wants_path) return false;
  if (size == 0 && right_size == 0) return true;
  Opening opening;
  if (is_shared(lhs, rhs) && is_known(lhs, rhs, false, &opening)) return true;
  EqualFrame& frame = stack_.emplace(lhs, rhs, region, opening, match_->num_fickle_keys(), through);
  if (frame.children.kind() != Children::kSequence) return true;
  // Skip equal plain values at the begin, because most sequences contain only objects or only plain
  // values.
  size_t num_same = count_same_plain(detail::AsSequence(lhs)->begin(),
                                     detail::AsSequence(rhs)->begin(), std::min(size, right_size));
  frame.children.go_to_element(static_cast<int64_t>(num_same));
  return true;
}

// Compares objects of a type with a hook or with a structural kind other than tree.
bool EqualWalk::open_special(TVMFFIObject* lhs, TVMFFIObject* rhs, const StructuralType& type,
                             DefRegion region) {
  Opening opening;
  if (type.has_identity()) {
    StructuralMatch::Binding binding = match_->binding_of(lhs, rhs, &opening.place);
    if (binding != StructuralMatch::Binding::kNone) {
      return binding == StructuralMatch::Binding::kThese;
    }
  } else if (type.kind == kTVMFFISEqHashKindUniqueInstance) {
    return lhs == rhs;
  } else if (type.kind == kTVMFFISEqHashKindConstTreeNode && lhs == rhs) {
    return true;
  }
  if (type.has_hook) {
    if (is_shared(lhs, rhs) && is_known(lhs, rhs, type.has_identity(), &opening)) return true;
    return compare_by_hook(lhs, rhs, type.kind, region, opening);
  }
  const PlannedField* field = first_field_to_open(*type.plan, lhs, rhs);
  if (field == nullptr) return settle(lhs, rhs, type.kind, region, opening);
  return open_fields(lhs, rhs, type, region, field, opening);
}

bool EqualWalk::open_fields(TVMFFIObject* lhs, TVMFFIObject* rhs, const StructuralType& type,
                            DefRegion region, const PlannedField* first, Opening opening) {
  bool has_identity = type.has_identity();
  if (is_shared(lhs, rhs) && is_known(lhs, rhs, has_identity, &opening)) return true;
  bool is_last = first + 1 == type.plan->fields.data() + type.plan->fields.size();
  if (is_last && first->storage == FieldStorage::kObject && !has_identity &&
      opening.how == Opening::kUnmarked) {
    // `first` is the last field, so nothing remains to be done for these two objects after it. They
    // do not need a frame. With a frame, comparing the trees of bench/ffi_bench.py takes 37 % more
    // instructions (callgrind).
    auto* left = content<TVMFFIObject*>(lhs, *first);
    auto* right = content<TVMFFIObject*>(rhs, *first);
    if (left != nullptr && right != nullptr && left->type_index == right->type_index &&
        detail::IsContainer(left->type_index)) {
      return open_container(
          left, right, region_of_field(region_of_fields(type.kind, region), first->flags), first);
    }
  }
  EqualFrame& frame = stack_.emplace(lhs, rhs, type, region, opening, match_->num_fickle_keys());
  frame.children.go_to(first);
  return true;
}

bool EqualWalk::is_known(TVMFFIObject* lhs, TVMFFIObject* rhs, bool has_identity,
                         Opening* opening) {
  PairState state =
      has_identity ? match_->enter_place(lhs, rhs, opening) : match_->enter_pair(lhs, rhs, opening);
  if (state == PairState::kOpen) throw_structural_cycle(kOperation, lhs->type_index);
  return state == PairState::kEqual;
}

bool EqualWalk::settle(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region,
                       const Opening& opening) {
  if (kind == kTVMFFISEqHashKindFreeVar && lhs != rhs && region == kTVMFFIDefRegionKindNone) {
    return false;
  }
  if (kind == kTVMFFISEqHashKindFreeVar || kind == kTVMFFISEqHashKindDAGNode) {
    match_->bind(opening.place, lhs, rhs);
  }
  return true;
}

// Records the pair as equal, unless num_fickle_keys() has increased. In that case, the comparison
// looked up a key that a later binding may match with another key, so its result could change.
void EqualWalk::leave(TVMFFIObject* lhs, TVMFFIObject* rhs, const Opening& opening,
                      size_t num_fickle_keys) {
  bool is_final = match_->num_fickle_keys() == num_fickle_keys;
  match_->leave(opening, lhs, rhs, is_final ? PairState::kEqual : PairState::kUnknown);
}

bool EqualWalk::close(const EqualFrame& frame) {
  if (frame.kind != kTVMFFISEqHashKindTreeNode || frame.opening.how != Opening::kUnmarked) {
    TVMFFIObject* lhs = frame.children.object();
    if (!settle(lhs, frame.right, frame.kind, frame.region, frame.opening)) {
      return differ_as_a_whole();
    }
    leave(lhs, frame.right, frame.opening, frame.num_fickle_keys);
  }
  stack_.pop();
  return true;
}

// Compares a field that is_equal_field() cannot decide.
bool EqualWalk::compare_field(const PlannedField& field, DefRegion region, const TVMFFIObject* lhs,
                              const TVMFFIObject* rhs) {
  TVMFFIAny left = read_kept_field(field, lhs, &match_->held);
  TVMFFIAny right = read_kept_field(field, rhs, &match_->held);
  return compare(left, right, region);
}

bool EqualWalk::step_in_fields(EqualFrame* frame) {
  const TVMFFIObject* lhs = frame->children.object();
  const TVMFFIObject* rhs = frame->right;
  const PlannedField* end = frame->children.end_of_fields();
  size_t depth = stack_.size();
  for (const PlannedField* field = frame->children.next_of_fields(); field != end; ++field) {
    if (frame->children.is_skipped(*field) || is_equal_field(*field, lhs, rhs)) continue;
    frame->children.set_field(field);
    DefRegion region = region_of_field(frame->inner_region, field->flags);
    if (!compare_field(*field, region, lhs, rhs)) return false;
    if (stack_.size() != depth) return true;
  }
  return close(*frame);
}

bool EqualWalk::step_in_sequence(EqualFrame* frame) {
  const SeqBaseObj* lefts = frame->children.sequence();
  const SeqBaseObj* rights = detail::AsSequence(frame->right);
  size_t depth = stack_.size();
  // Read the lengths at each step: a hook may have changed them.
  for (int64_t i = frame->children.num_visited(); i < static_cast<int64_t>(lefts->size()); ++i) {
    frame->children.go_to_element(i + 1);
    if (i >= static_cast<int64_t>(rights->size())) return differ_in_length(i, true);
    const TVMFFIAny &left = raw(lefts->begin()[i]), &right = raw(rights->begin()[i]);
    if (left.type_index >= kTVMFFIDynObjectBegin && left.type_index == right.type_index) {
      if (!open_object(left.v_obj, right.v_obj, frame->inner_region)) return false;
    } else if (!compare(left, right, frame->inner_region)) {
      return false;
    }
    if (stack_.size() != depth) return true;
  }
  int64_t size = frame->children.num_visited();
  if (size < static_cast<int64_t>(rights->size())) return differ_in_length(size, false);
  return close(*frame);
}

bool EqualWalk::step_in_mapping(EqualFrame* frame) {
  const MapBaseObj* right = detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(frame->right);
  while (frame->children.next(&frame->key, &match_->held)) {
    TVMFFIAny key = match_->right_key(frame->key);
    if (has_key_hook(key)) prepare_for_foreign_code();
    MapBaseObj::iterator found = right->find(as_any(key));  // may run foreign code
    if (found == right->end()) return differ_in_key(frame->key, key, true);
    TVMFFIAny left;
    frame->children.next(&left, &match_->held);
    const TVMFFIAny& other = raw(found->second);
    Verdict result = compare_values(left, other);
    if (result == Verdict::kEqual) continue;
    if (result == Verdict::kDifferent) return false;
    return open(left.v_obj, other.v_obj, frame->inner_region);
  }
  if (frame->children.num_visited() / 2 < static_cast<int64_t>(right->size())) {
    return differ_in_right_key(frame);
  }
  return close(*frame);
}

}  // namespace structural

namespace {

using structural::EqualWalk;
using structural::Verdict;

// Whether two objects of one type are equal and have only leaf fields, so that they need no walk.
bool are_equal_leaves(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
  if (lhs->type_index < kTVMFFIDynObjectBegin) return false;
  StructuralType type = structural::type_for_equality(lhs->type_index);
  return type.is_plain_tree() && structural::first_field_to_open(*type.plan, lhs, rhs) == nullptr;
}

DefRegion region_of_root(bool map_free_vars) {
  return map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone;
}

}  // namespace

bool structural_equal(const Any& lhs, const Any& rhs, bool map_free_vars,
                      bool skip_tensor_content) {
  Verdict result = structural::compare_values(raw(lhs), raw(rhs));
  if (result != Verdict::kLookInside) return result == Verdict::kEqual;
  if (are_equal_leaves(raw(lhs).v_obj, raw(rhs).v_obj)) return true;
  StructuralMatch match({skip_tensor_content, false});
  return EqualWalk(&match).equal(raw(lhs), raw(rhs), region_of_root(map_free_vars));
}

Optional<reflection::AccessPathPair> first_structural_mismatch(const Any& lhs, const Any& rhs,
                                                               bool map_free_vars,
                                                               bool skip_tensor_content) {
  StructuralMatch match({skip_tensor_content, true});
  EqualWalk walk(&match);
  if (walk.equal(raw(lhs), raw(rhs), region_of_root(map_free_vars))) return std::nullopt;
  return walk.steps_to_difference().paths();
}

}  // namespace runtime

bool StructuralEqual::Equal(const Any& lhs, const Any& rhs, bool map_free_vars,
                            bool skip_tensor_content) {
  return runtime::structural_equal(lhs, rhs, map_free_vars, skip_tensor_content);
}

Optional<reflection::AccessPathPair> StructuralEqual::GetFirstMismatch(const Any& lhs,
                                                                       const Any& rhs,
                                                                       bool map_free_vars,
                                                                       bool skip_tensor_content) {
  return runtime::first_structural_mismatch(lhs, rhs, map_free_vars, skip_tensor_content);
}

}  // namespace tvm::ffi
