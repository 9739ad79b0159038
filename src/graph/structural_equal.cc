// SPDX-License-Identifier: Apache-2.0
// Structural equality: two values are walked side by side, and variables and shared nodes are
// matched on the way.
#include "graph/structural_equal.h"

#include <tvm/ffi/extra/structural_equal.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "graph/structural_match.h"
#include "graph/structural_steps.h"
#include "graph/structural_tensor.h"
#include "graph/structural_type.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

using reflection::AccessStep;
using PairState = StructuralMatch::PairState;

constexpr const char* kOperation = "StructuralEqual";

const TVMFFITypeAttrColumn* hooks() {
  static const TVMFFITypeAttrColumn* const column = hook_column("__s_equal__");
  return column;
}

// ---------------------------------------------------------------- values that contain nothing

enum class Verdict { kDifferent, kEqual, kLookInside };

Verdict verdict(bool is_equal) { return is_equal ? Verdict::kEqual : Verdict::kDifferent; }

bool are_nans(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return lhs.type_index == kTVMFFIFloat && std::isnan(lhs.v_float64) && std::isnan(rhs.v_float64);
}

bool equal_bytes(const TVMFFIByteArray& lhs, const TVMFFIByteArray& rhs) {
  return ToStringView(lhs) == ToStringView(rhs);
}

Verdict compare_integers(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return verdict(
      equal_bytes(TVMFFIBigIntGetContentByteArray(&lhs), TVMFFIBigIntGetContentByteArray(&rhs)));
}

// Two values of different types, equal only as the two forms of text or of bytes.
Verdict compare_forms(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  int32_t kind = text_kind(lhs.type_index);
  return verdict(kind >= 0 && kind == text_kind(rhs.type_index) && text_of(lhs) == text_of(rhs));
}

bool equal_shapes(const TVMFFIShapeCell& lhs, const TVMFFIShapeCell& rhs) {
  if (lhs.size != rhs.size) return false;
  return lhs.size == 0 || std::memcmp(lhs.data, rhs.data, lhs.size * sizeof(int64_t)) == 0;
}

// Two objects of one type.
inline Verdict compare_objects(TVMFFIObject* lhs, TVMFFIObject* rhs) {
  switch (lhs->type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return verdict(
          equal_bytes(*TVMFFIBytesGetByteArrayPtr(lhs), *TVMFFIBytesGetByteArrayPtr(rhs)));
    case kTVMFFIShape:
      return verdict(equal_shapes(*TVMFFIShapeGetCellPtr(lhs), *TVMFFIShapeGetCellPtr(rhs)));
    case kTVMFFIBigInt:
      return compare_integers(value_of(lhs), value_of(rhs));
    default:
      return Verdict::kLookInside;
  }
}

inline Verdict compare_values(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  if (__builtin_expect(lhs.type_index != rhs.type_index, 0)) return compare_forms(lhs, rhs);
  if (is_object(lhs)) return compare_objects(lhs.v_obj, rhs.v_obj);
  bool same_bits = lhs.v_uint64 == rhs.v_uint64 && lhs.small_str_len == rhs.small_str_len;
  return verdict(same_bits || are_nans(lhs, rhs));
}

// Two references, each of which may be null.
inline Verdict compare_references(TVMFFIObject* lhs, TVMFFIObject* rhs) {
  if (lhs == nullptr || rhs == nullptr) return verdict(lhs == rhs);
  // Here text is on the heap on both sides.
  return lhs->type_index == rhs->type_index ? compare_objects(lhs, rhs) : Verdict::kDifferent;
}

// A field in memory; of the type that its storage says.
template <typename T>
inline const T& content(const TVMFFIObject* object, const PlannedField& field) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(object) + field.offset);
}

// ---------------------------------------------------------------- the walk

// Two objects of one type that are being compared.
struct Frame {
  Frame(const Children& children, TVMFFIObject* right, SEqHashKind kind, DefRegion region,
        bool is_entered, size_t num_fickle_keys)
      : children(children),
        right(right),
        num_fickle_keys(num_fickle_keys),
        kind(kind),
        region(region),
        inner_region(region_of_fields(kind, region)),
        is_entered(is_entered) {
    if (children.kind() == Children::kMapping) key = TVMFFIAny{};
  }

  Children children;
  TVMFFIObject* right;
  // Keys as in StructuralMatch before this frame.
  size_t num_fickle_keys;
  SEqHashKind kind;
  // Where the two stand, and where their parts do.
  DefRegion region;
  DefRegion inner_region;
  // Whether the pair was entered.
  bool is_entered;
  // Of a mapping alone: the key whose values are being compared.
  TVMFFIAny key;
};

class EqualWalk {
 public:
  explicit EqualWalk(StructuralMatch* match)
      : match_(match), types_(hooks()), stack_(kOperation, &match->held), mark_(match->mark()) {}

  ~EqualWalk() {
    // The rest of a comparison that failed inside a hook.
    for (size_t i = 0; i < stack_.size(); ++i) {
      const Frame& frame = stack_[i];
      if (!frame.is_entered) continue;
      match_->leave_pair(frame.children.object(), frame.right, PairState::kUnknown);
    }
    if (!is_equal_) match_->take_back(mark_);
  }
  EqualWalk(const EqualWalk&) = delete;
  EqualWalk& operator=(const EqualWalk&) = delete;

  bool equal(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region) {
    is_equal_ = compare(lhs, rhs, region);
    while (is_equal_ && !stack_.empty()) is_equal_ = step();
    return is_equal_;
  }

  // Where the difference lies, after equal() has found one.
  StepPairs steps_to_difference() {
    StepPairs steps;
    size_t size = stack_.size() - (differs_as_a_whole_ ? 1 : 0);
    for (size_t i = 0; i < size; ++i) push_step(stack_[i], &steps);
    steps.append(last_steps_);
    return steps;
  }

 private:
  bool compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, DefRegion region) {
    Verdict result = compare_values(lhs, rhs);
    if (result != Verdict::kLookInside) return result == Verdict::kEqual;
    return open(lhs.v_obj, rhs.v_obj, region);
  }

  // Settles two objects of one type, or opens a frame for them.
  bool open(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
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

  bool open_container(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
    size_t size = container_size(lhs), right_size = container_size(rhs);
    // The first difference may lie in front of the missing elements.
    if (size != right_size && !match_->options.wants_path) return false;
    if (size == 0 && right_size == 0) return true;
    bool is_entered = is_shared(lhs, rhs);
    if (is_entered && is_known(lhs, rhs)) return true;
    push(Children(lhs), rhs, kTVMFFISEqHashKindTreeNode, region, is_entered);
    return true;
  }

  bool open_fields(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
    const StructuralType& type = types_.of(lhs->type_index);
    if (type.kind == kTVMFFISEqHashKindUniqueInstance) return lhs == rhs;
    if (type.kind == kTVMFFISEqHashKindConstTreeNode && lhs == rhs) return true;
    if (type.has_identity()) {
      if (TVMFFIObject* bound = match_->right_of(lhs)) return bound == rhs;
      if (match_->left_of(rhs) != nullptr) return false;
    }
    bool is_entered = is_shared(lhs, rhs);
    if (is_entered && is_known(lhs, rhs)) return true;
    if (type.has_hook) return compare_by_hook(lhs, rhs, type.kind, region, is_entered);
    push(Children(lhs, *type.plan, kTVMFFIFieldFlagBitMaskSEqHashIgnore), rhs, type.kind, region,
         is_entered);
    return true;
  }

  // Only a pair of which one has another referrer can be met again, see walk.h.
  static bool is_shared(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
    return !has_one_reference(lhs) || !has_one_reference(rhs);
  }

  bool is_known(TVMFFIObject* lhs, TVMFFIObject* rhs) {
    PairState state = match_->enter_pair(lhs, rhs);
    if (state == PairState::kOpen) throw_structural_cycle(kOperation, lhs->type_index);
    return state == PairState::kEqual;
  }

  void push(const Children& children, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region,
            bool is_entered) {
    stack_.emplace(children, rhs, kind, region, is_entered, match_->num_fickle_keys());
  }

  // Two objects whose parts are equal: whether they are, too.
  bool settle(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region) {
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
  void leave(TVMFFIObject* lhs, TVMFFIObject* rhs, bool is_entered, size_t num_fickle_keys) {
    if (!is_entered) return;
    bool is_final = match_->num_fickle_keys() == num_fickle_keys;
    match_->leave_pair(lhs, rhs, is_final ? PairState::kEqual : PairState::kUnknown);
  }

  bool close(const Frame& frame) {
    TVMFFIObject* lhs = frame.children.object();
    if (!settle(lhs, frame.right, frame.kind, frame.region)) return differ_as_a_whole();
    leave(lhs, frame.right, frame.is_entered, frame.num_fickle_keys);
    stack_.pop();
    if (num_right_held_ > stack_.size()) num_right_held_ = stack_.size();
    return true;
  }

  // Compares parts of the innermost pair up to the first that has parts itself.
  bool step() {
    Frame& frame = stack_.back();
    switch (frame.children.kind()) {
      case Children::kSequence:
        return step_in_sequence(&frame);
      case Children::kMapping:
        return step_in_mapping(&frame);
      default:
        return step_in_fields(&frame);
    }
  }

  bool step_in_fields(Frame* frame) {
    TVMFFIObject* lhs = frame->children.object();
    TVMFFIObject* rhs = frame->right;
    while (const PlannedField* field = frame->children.next_unread_field()) {
      TVMFFIObject *left = nullptr, *right = nullptr;
      Verdict result = compare_field(*field, lhs, rhs, &left, &right);
      if (result == Verdict::kEqual) continue;
      if (result == Verdict::kDifferent) return false;
      return open(left, right, region_of_field(frame->inner_region, field->flags));
    }
    return close(*frame);
  }

  // Reads the field in place where its storage is known. When it has to be looked into, *left and
  // *right are what it refers to.
  Verdict compare_field(const PlannedField& field, const TVMFFIObject* lhs, const TVMFFIObject* rhs,
                        TVMFFIObject** left, TVMFFIObject** right) {
    switch (field.storage) {
      case FieldStorage::kInt64:
        return verdict(content<int64_t>(lhs, field) == content<int64_t>(rhs, field));
      case FieldStorage::kBool:
        return verdict((content<uint8_t>(lhs, field) != 0) == (content<uint8_t>(rhs, field) != 0));
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

  bool step_in_sequence(Frame* frame) {
    const SeqBaseObj* right =
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(frame->right);
    TVMFFIAny left;
    while (frame->children.next_element(&left)) {
      int64_t index = frame->children.index();
      if (index >= static_cast<int64_t>(right->size())) return differ_in_length(index, true);
      const TVMFFIAny& other = raw(right->begin()[index]);
      Verdict result = compare_values(left, other);
      if (result == Verdict::kEqual) continue;
      if (result == Verdict::kDifferent) return false;
      return open(left.v_obj, other.v_obj, frame->inner_region);
    }
    int64_t size = frame->children.num_visited();
    if (size < static_cast<int64_t>(right->size())) return differ_in_length(size, false);
    return close(*frame);
  }

  bool step_in_mapping(Frame* frame) {
    const MapBaseObj* right =
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(frame->right);
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

  // ------------------------------------------------------------------ the place of a difference

  bool differ_as_a_whole() {
    differs_as_a_whole_ = true;
    return false;
  }

  bool differ_in_length(int64_t index, bool left_is_longer) {
    if (match_->options.wants_path) {
      AccessStep item = AccessStep::ArrayItem(index);
      AccessStep missing = AccessStep::ArrayItemMissing(index);
      push_last(left_is_longer, std::move(item), std::move(missing));
    }
    return differ_as_a_whole();
  }

  // `present` is a key of one side, `absent` what was looked for on the other.
  bool differ_in_key(const TVMFFIAny& present, const TVMFFIAny& absent, bool left_is_present) {
    if (match_->options.wants_path) {
      push_last(left_is_present, AccessStep::MapItem(owned(present)),
                AccessStep::MapItemMissing(owned(absent)));
    }
    return differ_as_a_whole();
  }

  // The right mapping has more entries.
  bool differ_in_right_key(Frame* frame) {
    if (!match_->options.wants_path) return false;
    prepare_for_foreign_code();
    const MapBaseObj* left = frame->children.mapping();
    for (const Any& present : keys_of(frame->right)) {
      TVMFFIAny key = match_->left_key(raw(present));
      if (left->find(as_any(key)) != left->end()) continue;  // may run foreign code
      return differ_in_key(raw(present), key, false);
    }
    return differ_as_a_whole();
  }

  static std::vector<Any> keys_of(TVMFFIObject* mapping) {
    std::vector<Any> keys;
    const MapBaseObj* entries = detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(mapping);
    for (MapBaseObj::iterator it = entries->begin(); it != entries->end(); ++it) {
      keys.push_back(it->first);
    }
    return keys;
  }

  void push_last(bool left_is_present, AccessStep present, AccessStep absent) {
    if (left_is_present) {
      last_steps_.push(std::move(present), std::move(absent));
    } else {
      last_steps_.push(std::move(absent), std::move(present));
    }
  }

  // The step from a pair to those of its parts that were compared last.
  void push_step(const Frame& frame, StepPairs* steps) {
    switch (frame.children.kind()) {
      case Children::kSequence:
        steps->push(AccessStep::ArrayItem(frame.children.index()));
        break;
      case Children::kMapping:
        steps->push(AccessStep::MapItem(owned(frame.key)),
                    AccessStep::MapItem(owned(match_->right_key(frame.key))));
        break;
      default: {
        const TVMFFIByteArray& name = frame.children.field().info->name;
        steps->push(AccessStep::Attr(String(name.data, name.size)));
      }
    }
  }

  // ------------------------------------------------------------------ hooks

  // A hook that runs, as its callback sees it. The callback may be kept for later.
  struct HookCall {
    // NULL when the hook has returned.
    StructuralMatch* match;
    const StructuralOptions options;
    const DefRegion region;
    // The way to the first difference that was found, from the object of the hook.
    std::optional<StepPairs> difference;
  };

  static bool compare_for_hook(HookCall* call, const Any& lhs, const Any& rhs, int64_t kind,
                               const Any& field_name) {
    DefRegion region = region_for_hook(call->region, kind);
    if (call->match == nullptr) {
      StructuralMatch match({call->options.skip_tensor_content, false});
      return EqualWalk(&match).equal(raw(lhs), raw(rhs), region);
    }
    bool wants_path = call->options.wants_path && !call->difference.has_value();
    // Asked for first, so that a wrong name is told whether or not there is a difference.
    StepPairs steps;
    if (wants_path) steps.push(AccessStep::Attr(field_name.cast<String>()));
    EqualWalk walk(call->match);
    if (walk.equal(raw(lhs), raw(rhs), region)) return true;
    if (wants_path) {
      steps.append(walk.steps_to_difference());
      call->difference = std::move(steps);
    }
    return false;
  }

  // A pair that is open while its hook runs.
  struct OpenPair {
    StructuralMatch* match;
    TVMFFIObject* lhs;
    TVMFFIObject* rhs;
    bool is_open;

    ~OpenPair() {
      if (is_open) match->leave_pair(lhs, rhs, PairState::kUnknown);
    }
  };

  bool compare_by_hook(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind, DefRegion region,
                       bool is_entered) {
    size_t num_fickle_keys = match_->num_fickle_keys();
    OpenPair pair{match_, lhs, rhs, is_entered};
    if (!call_hook(lhs, rhs, region_of_fields(kind, region))) return false;
    if (!settle(lhs, rhs, kind, region)) return false;
    pair.is_open = false;
    leave(lhs, rhs, is_entered, num_fickle_keys);
    return true;
  }

  bool call_hook(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
    prepare_for_foreign_code();
    match_->held.keep(lhs);
    match_->held.keep(rhs);
    HookScope scope(kOperation);
    StructuralMatch::Hook running(match_);
    auto call = std::make_shared<HookCall>(HookCall{match_, match_->options, region, std::nullopt});
    struct End {
      HookCall* call;
      ~End() { call->match = nullptr; }
    } end{call.get()};
    Function callback = Function::FromTyped(
        [call](const Any& left, const Any& right, int64_t kind, const Any& field_name) -> bool {
          return compare_for_hook(call.get(), left, right, kind, field_name);
        });
    AnyView left = AnyView::CopyFromTVMFFIAny(value_of(lhs));
    AnyView right = AnyView::CopyFromTVMFFIAny(value_of(rhs));
    Function hook = structural_hook(hooks(), lhs->type_index);
    bool is_equal = hook(left, right, callback).cast<bool>();  // runs foreign code
    if (!is_equal && call->difference.has_value()) last_steps_ = *std::move(call->difference);
    return is_equal;
  }

  void prepare_for_foreign_code() {
    match_->hold();
    stack_.hold();
    for (; num_right_held_ < stack_.size(); ++num_right_held_) {
      const Frame& frame = stack_[num_right_held_];
      match_->held.keep(frame.right);
      if (frame.children.kind() == Children::kMapping) match_->held.keep(owned(frame.key));
    }
  }

  StructuralMatch* match_;
  StructuralTypes types_;
  WalkStack<Frame> stack_;
  const size_t mark_;
  size_t num_right_held_ = 0;
  bool is_equal_ = false;
  // Whether the difference is not in a part of the innermost pair but in the pair.
  bool differs_as_a_whole_ = false;
  StepPairs last_steps_;
};

DefRegion region_of_root(bool map_free_vars) {
  return map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone;
}

}  // namespace

bool structural_equal(const Any& lhs, const Any& rhs, bool map_free_vars,
                      bool skip_tensor_content) {
  Verdict result = compare_values(raw(lhs), raw(rhs));
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
