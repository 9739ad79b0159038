// SPDX-License-Identifier: Apache-2.0
// Structural equality: two values are walked side by side, and variables and shared nodes are
// matched on the way.
#include "graph/structural_equal.h"

#include <tvm/ffi/extra/structural_equal.h>

#include <algorithm>

#include "graph/structural_equal_walk.h"
#include "graph/structural_tensor.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

// Whether two references are equal by their own content.
TVM_FFI_INLINE bool are_equal_references(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
  if (lhs == nullptr || rhs == nullptr) return lhs == rhs;
  if (lhs->type_index != rhs->type_index) return false;
  if (detail::IsSequence(lhs->type_index)) return is_empty_sequence(lhs) && is_empty_sequence(rhs);
  return compare_objects(const_cast<TVMFFIObject*>(lhs), const_cast<TVMFFIObject*>(rhs)) ==
         Verdict::kEqual;
}

// Whether two values are no objects and have the same bits.
TVM_FFI_INLINE bool are_same_plain(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return lhs.type_index == rhs.type_index && !is_object(lhs) && lhs.v_uint64 == rhs.v_uint64 &&
         lhs.small_str_len == rhs.small_str_len;
}

// Whether a field is equal on both sides by its own content: in place, where its storage is known.
TVM_FFI_INLINE bool is_equal_field(const PlannedField& field, const TVMFFIObject* lhs,
                                   const TVMFFIObject* rhs) {
  switch (field.storage) {
    case FieldStorage::kInt64:
      return content<int64_t>(lhs, field) == content<int64_t>(rhs, field);
    case FieldStorage::kBool:
      return (content<uint8_t>(lhs, field) != 0) == (content<uint8_t>(rhs, field) != 0);
    case FieldStorage::kFloat64:
      return compare_floats(content<double>(lhs, field), content<double>(rhs, field)) ==
             Verdict::kEqual;
    case FieldStorage::kObject:
      return are_equal_references(content<const TVMFFIObject*>(lhs, field),
                                  content<const TVMFFIObject*>(rhs, field));
    case FieldStorage::kValue: {
      const TVMFFIAny& value = content<TVMFFIAny>(lhs, field);
      const TVMFFIAny& other = content<TVMFFIAny>(rhs, field);
      return are_same_plain(value, other) || compare_values(value, other) == Verdict::kEqual;
    }
    default:
      // What a getter makes is kept: once is enough, in the walk.
      return false;
  }
}

// The first field that is not equal on both sides by its own content; NULL when there is none.
TVM_FFI_INLINE const PlannedField* first_field_to_open(const FieldPlan& plan,
                                                       const TVMFFIObject* lhs,
                                                       const TVMFFIObject* rhs) {
  const PlannedField* end = plan.fields.data() + plan.fields.size();
  for (const PlannedField* field = plan.fields.data(); field != end; ++field) {
    if ((field->flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    if (!is_equal_field(*field, lhs, rhs)) return field;
  }
  return nullptr;
}

constexpr size_t kStep = 4;

// Whether kStep values are no objects and have the same bits.
TVM_FFI_INLINE bool are_same_plain_step(const Any* lhs, const Any* rhs) {
  static_assert((kTVMFFIStaticObjectBegin & (kTVMFFIStaticObjectBegin - 1)) == 0,
                "the indices of plain values have no bit from this one on");
#if defined(__SSE2__)
  __m128i differences = _mm_setzero_si128(), kinds = _mm_setzero_si128();
  for (size_t k = 0; k < kStep; ++k) {
    __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&raw(lhs[k])));
    __m128i right = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&raw(rhs[k])));
    differences = _mm_or_si128(differences, _mm_xor_si128(left, right));
    kinds = _mm_or_si128(kinds, left);
  }
  int same = _mm_movemask_epi8(_mm_cmpeq_epi8(differences, _mm_setzero_si128()));
  return same == 0xffff && static_cast<uint32_t>(_mm_cvtsi128_si32(kinds)) <
                               static_cast<uint32_t>(kTVMFFIStaticObjectBegin);
#else
  for (size_t k = 0; k < kStep; ++k) {
    if (!are_same_plain(raw(lhs[k]), raw(rhs[k]))) return false;
  }
  return true;
#endif
}

// How many values in front of two runs are no objects and have the same bits.
inline size_t count_same_plain(const Any* lhs, const Any* rhs, size_t size) {
  size_t i = 0;
  if (size == 0 || !are_same_plain(raw(lhs[0]), raw(rhs[0]))) return 0;
  while (i + kStep <= size && are_same_plain_step(lhs + i, rhs + i)) i += kStep;
  while (i < size && are_same_plain(raw(lhs[i]), raw(rhs[i]))) ++i;
  return i;
}

}  // namespace

EqualWalk::EqualWalk(StructuralMatch* match)
    : match_(match),
      types_(equal_hooks()),
      stack_(kOperation, &match->held),
      mark_(match->mark()) {}

EqualWalk::~EqualWalk() {
  // The rest of a comparison that failed inside a hook.
  for (size_t i = 0; i < stack_.size(); ++i) {
    const EqualFrame& frame = stack_[i];
    match_->leave(frame.opening, frame.children.object(), frame.right, PairState::kUnknown);
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

TVM_FFI_INLINE bool EqualWalk::open_object(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
  const StructuralType& type = types_.of(lhs->type_index);
  if (!type.is_plain_tree()) return open_special(lhs, rhs, type, region);
  // Most objects of a tree are leaves of it, which need no frame and cannot contain themselves.
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

bool EqualWalk::open_container(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
  size_t size = container_size(lhs), right_size = container_size(rhs);
  // The first difference may lie in front of the missing elements.
  if (size != right_size && !match_->options.wants_path) return false;
  if (size == 0 && right_size == 0) return true;
  Opening opening;
  if (is_shared(lhs, rhs) && is_known(lhs, rhs, false, &opening)) return true;
  EqualFrame& frame = stack_.emplace(lhs, rhs, region, opening, match_->num_fickle_keys());
  if (frame.children.kind() != Children::kSequence) return true;
  // Most sequences are of objects alone or of none.
  size_t num_same = count_same_plain(detail::AsSequence(lhs)->begin(),
                                     detail::AsSequence(rhs)->begin(), std::min(size, right_size));
  frame.children.go_to_element(static_cast<int64_t>(num_same));
  return true;
}

// Of types whose objects are more than their fields.
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
      opening.how == Opening::kUnmarked && !match_->options.wants_path) {
    // Nothing is left to do for the two after this one, so they need no frame.
    auto* left = content<TVMFFIObject*>(lhs, *first);
    auto* right = content<TVMFFIObject*>(rhs, *first);
    if (left != nullptr && right != nullptr && left->type_index == right->type_index &&
        detail::IsContainer(left->type_index)) {
      return open_container(left, right,
                            region_of_field(region_of_fields(type.kind, region), first->flags));
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

// A pair that was equal stays equal, since bindings are only added; but not where a key was
// looked up that may be bound later.
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

// A field of which is_equal_field() knows no more.
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
  // Asked anew at each step: a hook may have changed the lengths.
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

// Whether two objects of one type are leaves and equal: needs no walk to be told.
bool are_equal_leaves(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
  if (lhs->type_index < kTVMFFIDynObjectBegin) return false;
  StructuralType type = structural_type(structural::equal_hooks(), lhs->type_index);
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

}  // namespace ffi
}  // namespace tvm
