// SPDX-License-Identifier: Apache-2.0
// Structural equality: two values are walked side by side, and variables and shared nodes are
// matched on the way.
#include "graph/structural_equal.h"

#include <tvm/ffi/extra/structural_equal.h>

#include "graph/structural_equal_walk.h"
#include "graph/structural_tensor.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace structural {
namespace {

// A field in memory; of the type that its storage says.
template <typename T>
inline const T& content(const TVMFFIObject* object, const PlannedField& field) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(object) + field.offset);
}

// Only a pair of which one has another referrer can be met again, see walk.h.
inline bool is_shared(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
  return !has_one_reference(lhs) || !has_one_reference(rhs);
}

// Of two objects of one type.
inline bool are_empty_sequences(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
  return is_empty_sequence(lhs) && is_empty_sequence(rhs);
}

}  // namespace

// Reads the field in place where its storage is known. When it has to be looked into, *left and
// *right are what it refers to.
TVM_FFI_INLINE Verdict EqualWalk::compare_field(const PlannedField& field, const TVMFFIObject* lhs,
                                                const TVMFFIObject* rhs, TVMFFIObject** left,
                                                TVMFFIObject** right) {
  switch (field.storage) {
    case FieldStorage::kInt64:
      return verdict(content<int64_t>(lhs, field) == content<int64_t>(rhs, field));
    case FieldStorage::kBool:
      return verdict((content<uint8_t>(lhs, field) != 0) == (content<uint8_t>(rhs, field) != 0));
    case FieldStorage::kFloat64:
      return compare_floats(content<double>(lhs, field), content<double>(rhs, field));
    case FieldStorage::kObject:
      *left = content<TVMFFIObject*>(lhs, field);
      *right = content<TVMFFIObject*>(rhs, field);
      return compare_references(*left, *right);
    case FieldStorage::kValue: {
      const TVMFFIAny& value = content<TVMFFIAny>(lhs, field);
      const TVMFFIAny& other = content<TVMFFIAny>(rhs, field);
      *left = value.v_obj;
      *right = other.v_obj;
      return compare_values(value, other);
    }
    default: {
      TVMFFIAny value = read_kept_field(field, lhs, &match_->held);
      TVMFFIAny other = read_kept_field(field, rhs, &match_->held);
      *left = value.v_obj;
      *right = other.v_obj;
      return compare_values(value, other);
    }
  }
}

EqualWalk::EqualWalk(StructuralMatch* match)
    : match_(match),
      types_(equal_hooks()),
      stack_(kOperation, &match->held),
      mark_(match->mark()) {}

EqualWalk::~EqualWalk() {
  // The rest of a comparison that failed inside a hook.
  for (size_t i = 0; i < stack_.size(); ++i) {
    const EqualFrame& frame = stack_[i];
    if (!frame.is_entered) continue;
    match_->leave_pair(frame.children.object(), frame.right, PairState::kUnknown);
  }
  if (!is_equal_) match_->take_back(mark_);
}

bool EqualWalk::equal(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region) {
  is_equal_ = compare(lhs, rhs, region);
  while (is_equal_ && !stack_.empty()) is_equal_ = step();
  return is_equal_;
}

bool EqualWalk::compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region) {
  Verdict result = compare_values(lhs, rhs);
  if (result != Verdict::kLookInside) return result == Verdict::kEqual;
  return open(lhs.v_obj, rhs.v_obj, region);
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
      return open_fields(lhs, rhs, region);
  }
}

bool EqualWalk::open_container(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
  size_t size = container_size(lhs), right_size = container_size(rhs);
  // The first difference may lie in front of the missing elements.
  if (size != right_size && !match_->options.wants_path) return false;
  if (size == 0 && right_size == 0) return true;
  bool is_entered = is_shared(lhs, rhs);
  if (is_entered && is_known(lhs, rhs)) return true;
  stack_.emplace(lhs, rhs, region, is_entered, match_->num_fickle_keys());
  return true;
}

bool EqualWalk::open_fields(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
  const StructuralType& type = types_.of(lhs->type_index);
  switch (type.kind) {
    case kTVMFFISEqHashKindUniqueInstance:
      return lhs == rhs;
    case kTVMFFISEqHashKindConstTreeNode:
      if (lhs == rhs) return true;
      break;
    case kTVMFFISEqHashKindFreeVar:
    case kTVMFFISEqHashKindDAGNode:
      if (TVMFFIObject* bound = match_->right_of(lhs)) return bound == rhs;
      if (match_->left_of(rhs) != nullptr) return false;
      break;
    default:
      break;
  }
  bool is_entered = is_shared(lhs, rhs);
  if (is_entered && is_known(lhs, rhs)) return true;
  if (type.has_hook) return compare_by_hook(lhs, rhs, type.kind, region, is_entered);
  const PlannedField* field = first_field_to_open(*type.plan, lhs, rhs);
  size_t num_fickle_keys = match_->num_fickle_keys();
  // Most objects of a tree are leaves of it, which need no frame.
  if (field == nullptr && !type.has_identity()) {
    leave(lhs, rhs, is_entered, num_fickle_keys);
    return true;
  }
  EqualFrame& frame = stack_.emplace(lhs, rhs, type, region, is_entered, num_fickle_keys);
  frame.children.go_to(field == nullptr ? frame.children.end_of_fields() : field);
  return true;
}

// The first field that is not equal on both sides by its own content; NULL when there is none.
TVM_FFI_INLINE const PlannedField* EqualWalk::first_field_to_open(const FieldPlan& plan,
                                                                  const TVMFFIObject* lhs,
                                                                  const TVMFFIObject* rhs) {
  for (const PlannedField& field : plan.fields) {
    if ((field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    // What a getter makes is kept: once is enough.
    if (field.storage == FieldStorage::kGetter) return &field;
    TVMFFIObject *left = nullptr, *right = nullptr;
    Verdict result = compare_field(field, lhs, rhs, &left, &right);
    if (result == Verdict::kEqual) continue;
    if (result == Verdict::kDifferent || !are_empty_sequences(left, right)) return &field;
  }
  return nullptr;
}

bool EqualWalk::is_known(TVMFFIObject* lhs, TVMFFIObject* rhs) {
  PairState state = match_->enter_pair(lhs, rhs);
  if (state == PairState::kOpen) throw_structural_cycle(kOperation, lhs->type_index);
  return state == PairState::kEqual;
}

bool EqualWalk::settle(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region) {
  if (kind == kTVMFFISEqHashKindFreeVar && lhs != rhs && region == kTVMFFIDefRegionKindNone) {
    return false;
  }
  if (kind == kTVMFFISEqHashKindFreeVar || kind == kTVMFFISEqHashKindDAGNode) {
    match_->bind(lhs, rhs);
  }
  return true;
}

// A pair that was equal stays equal, since bindings are only added; but not where a key was
// looked up that may be bound later.
void EqualWalk::leave(TVMFFIObject* lhs, TVMFFIObject* rhs, bool is_entered,
                      size_t num_fickle_keys) {
  if (!is_entered) return;
  bool is_final = match_->num_fickle_keys() == num_fickle_keys;
  match_->leave_pair(lhs, rhs, is_final ? PairState::kEqual : PairState::kUnknown);
}

bool EqualWalk::close(const EqualFrame& frame) {
  TVMFFIObject* lhs = frame.children.object();
  if (!settle(lhs, frame.right, frame.kind, frame.region)) return differ_as_a_whole();
  leave(lhs, frame.right, frame.is_entered, frame.num_fickle_keys);
  stack_.pop();
  if (num_right_held_ > stack_.size()) num_right_held_ = stack_.size();
  return true;
}

bool EqualWalk::step() {
  EqualFrame& frame = stack_.back();
  switch (frame.children.kind()) {
    case Children::kSequence:
      return step_in_sequence(&frame);
    case Children::kMapping:
      return step_in_mapping(&frame);
    default:
      return step_in_fields(&frame);
  }
}

bool EqualWalk::step_in_fields(EqualFrame* frame) {
  const TVMFFIObject* lhs = frame->children.object();
  const TVMFFIObject* rhs = frame->right;
  const PlannedField* end = frame->children.end_of_fields();
  size_t depth = stack_.size();
  for (const PlannedField* field = frame->children.next_of_fields(); field != end; ++field) {
    if (frame->children.is_skipped(*field)) continue;
    TVMFFIObject *left = nullptr, *right = nullptr;
    Verdict result = compare_field(*field, lhs, rhs, &left, &right);
    if (result == Verdict::kEqual) continue;
    frame->children.set_field(field);
    if (result == Verdict::kDifferent) return false;
    if (!open(left, right, region_of_field(frame->inner_region, field->flags))) return false;
    if (stack_.size() != depth) return true;
  }
  return close(*frame);
}

bool EqualWalk::step_in_sequence(EqualFrame* frame) {
  const SeqBaseObj* right = detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(frame->right);
  size_t depth = stack_.size();
  TVMFFIAny left;
  while (frame->children.next_element(&left)) {
    int64_t index = frame->children.index();
    if (index >= static_cast<int64_t>(right->size())) return differ_in_length(index, true);
    const TVMFFIAny& other = raw(right->begin()[index]);
    Verdict result = compare_values(left, other);
    if (result == Verdict::kEqual) continue;
    if (result == Verdict::kDifferent) return false;
    if (!open(left.v_obj, other.v_obj, frame->inner_region)) return false;
    if (stack_.size() != depth) return true;
  }
  int64_t size = frame->children.num_visited();
  if (size < static_cast<int64_t>(right->size())) return differ_in_length(size, false);
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

DefRegion region_of_root(bool map_free_vars) {
  return map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone;
}

}  // namespace

bool structural_equal(const Any& lhs, const Any& rhs, bool map_free_vars,
                      bool skip_tensor_content) {
  Verdict result = structural::compare_values(raw(lhs), raw(rhs));
  if (result != Verdict::kLookInside) return result == Verdict::kEqual;
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

}  // namespace ffi
}  // namespace tvm
