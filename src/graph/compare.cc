// SPDX-License-Identifier: Apache-2.0
// Equality and order of values by content: a comparison traverses two objects in parallel.
#include "graph/compare.h"

#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>

#include "graph/hook_call.h"
#include "graph/leaf.h"
#include "graph/leaf_order.h"
#include "graph/reused_table.h"
#include "graph/walk.h"

namespace tvm::ffi {
namespace runtime {
namespace {

constexpr const char* kCompareOperation = "RecursiveCompare";

// Two objects of one type that are being compared: the children of the left object, and the right
// object, which contains their counterparts.
struct CompareFrame {
  Children children;
  TVMFFIObject* right;

  int64_t right_size() const { return static_cast<int64_t>(Children(right).container_size()); }

  void hold(Held* held) {
    children.hold(held);
    held->keep(right);
  }
};

enum class PairState : uint8_t { kOpen, kEqual };
using Pairs = detail::IdentityPairMap<PairState>;

// State shared by a comparison and the comparisons that its hooks start.
struct CompareState {
  explicit CompareState(bool ordering) : is_ordering(ordering) {}

  const bool is_ordering;
  Held held;
};

class Comparer {
 public:
  Comparer(CompareState* shared, Comparer* outer)
      : shared_(shared), outer_(outer), stack_(kCompareOperation, &shared->held) {}

  // Returns 0 if the values are equal. If only equality is asked for, any other result means
  // unequal.
  int compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
    int order = compare_values(lhs, rhs);
    while (order == 0 && !stack_.empty()) {
      order = step_by_kind(this, &stack_.back(), &Comparer::step_in_sequence,
                           &Comparer::step_in_mapping, &Comparer::step_in_fields);
    }
    if (order == 0) return 0;
    if (shared_->is_ordering) refuse_order_of_mappings();
    return order;
  }

  // Called if this comparison found equality: marks its pairs as equal in the outer comparison,
  // too. The equality of these pairs may depend on a pair that the outer comparison still compares
  // and assumes to be equal. If that pair differs, the outer comparison finds the difference.
  void hand_pairs_to(Comparer* outer) {
    pairs_->for_each([&](const Pairs::Entry& entry) {
      bool is_new;
      PairState& state = outer->pairs_->insert(entry, &is_new);
      if (is_new) state = PairState::kEqual;
    });
  }

 private:
  // Returns the relation of two values if their children are not needed. Otherwise pushes a frame
  // and returns 0.
  int compare_values(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
    LeafOrder order = shared_->is_ordering ? leaf_order(lhs, rhs) : leaf_equality(lhs, rhs);
    return order == LeafOrder::kLookInside ? open(lhs.v_obj, rhs.v_obj) : static_cast<int>(order);
  }

  int open(TVMFFIObject* lhs, TVMFFIObject* rhs) {
    const TVMFFIAny* hook = find_compare_hook(lhs->type_index);
    // If both objects have only one reference, the pair is reached only once (see walk.h), so it
    // need not be in the table.
    if (hook != nullptr || !has_one_reference(lhs) || !has_one_reference(rhs)) {
      if (is_known(lhs, rhs)) return 0;
    }
    if (hook != nullptr) return call_hook(*hook, lhs, rhs);
    // leaf_equality() has already compared the addresses, so these are two objects. Two objects of
    // an enum type are different entries.
    if (!shared_->is_ordering && is_enum_type(lhs->type_index)) return 1;
    Children children(lhs, kTVMFFIFieldFlagBitMaskCompareOff);
    if (children.kind() != Children::kFields && !shared_->is_ordering &&
        children.container_size() != Children(rhs).container_size()) {
      return 1;
    }
    stack_.push(CompareFrame{children, rhs});
    return 0;
  }

  // Whether the pair is equal or assumed to be equal. A new pair is assumed to be equal from now
  // on.
  bool is_known(TVMFFIObject* lhs, TVMFFIObject* rhs) {
    for (Comparer* comparer = outer_; comparer != nullptr; comparer = comparer->outer_) {
      if (const PairState* state = comparer->pairs_->find({lhs, rhs})) return accept(*state);
    }
    bool is_new;
    PairState& state = pairs_->insert({lhs, rhs}, &is_new);
    if (!is_new) return accept(state);
    state = PairState::kOpen;
    shared_->held.keep_key(lhs);
    shared_->held.keep_key(rhs);
    return false;
  }

  bool accept(PairState state) const {
    if (state == PairState::kOpen && shared_->is_ordering) {
      TVM_FFI_THROW(ValueError) << "RecursiveCompare: cyclic reference detected in ordering";
    }
    return true;
  }

  void close(const CompareFrame& frame) {
    if (!shared_->is_ordering) return;
    if (PairState* state = pairs_->find({frame.children.object(), frame.right})) {
      *state = PairState::kEqual;
    }
  }

  int end(const CompareFrame& frame) {
    close(frame);
    stack_.pop();
    return 0;
  }

  // The steps compare the next two children of the pair on top of the stack.
  int step_in_sequence(CompareFrame* frame) {
    TVMFFIAny left;
    const SeqBaseObj* right =
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(frame->right);
    bool has_left = frame->children.next(&left, &shared_->held);
    int64_t index = has_left ? frame->children.index() : frame->children.num_visited();
    bool has_right = index < static_cast<int64_t>(right->size());
    if (has_left != has_right) return has_left ? 1 : -1;
    if (!has_left) return end(*frame);
    return compare_values(left, raw(right->begin()[index]));
  }

  int step_in_mapping(CompareFrame* frame) {
    TVMFFIAny key, left;
    if (!frame->children.next(&key, &shared_->held)) {
      if (frame->children.num_visited() / 2 != frame->right_size()) return 1;
      return end(*frame);
    }
    if (has_key_hook(key)) prepare_for_foreign_code();
    const MapBaseObj* right =
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(frame->right);
    MapBaseObj::iterator found = right->find(as_any(key));  // may run foreign code
    if (found == right->end()) return 1;
    frame->children.next(&left, &shared_->held);
    return compare_values(left, raw(found->second));
  }

  int step_in_fields(CompareFrame* frame) {
    // Compare successive leaf fields in one loop, without returning to compare().
    Children& children = frame->children;
    const PlannedField* field = children.next_of_fields();
    for (; field != children.end_of_fields(); ++field) {
      if (children.is_skipped(*field)) continue;
      TVMFFIAny left = read_kept_field(*field, children.object(), &shared_->held);
      TVMFFIAny right = read_kept_field(*field, frame->right, &shared_->held);
      LeafOrder order = shared_->is_ordering ? leaf_order(left, right) : leaf_equality(left, right);
      if (order == LeafOrder::kEqual) continue;
      if (order != LeafOrder::kLookInside) return static_cast<int>(order);
      children.set_field(field);
      return open(left.v_obj, right.v_obj);
    }
    return end(*frame);
  }

  // Throws an error if the difference is inside a mapping, because mappings have no order.
  void refuse_order_of_mappings() {
    for (size_t i = 0; i < stack_.size(); ++i) {
      if (stack_[i].children.kind() != Children::kMapping) continue;
      TVM_FFI_THROW(TypeError) << "Cannot order Map/Dict values";
    }
  }

  // ------------------------------------------------------------------ hooks

  const TVMFFIAny* find_compare_hook(int32_t type_index) {
    static const TVMFFITypeAttrColumn* const equal = hook_column("__ffi_eq__");
    static const TVMFFITypeAttrColumn* const compare = hook_column("__ffi_compare__");
    if (!shared_->is_ordering) {
      if (const TVMFFIAny* hook = find_hook(equal, type_index)) {
        is_equality_hook_ = true;
        return hook;
      }
    }
    is_equality_hook_ = false;
    return find_hook(compare, type_index);
  }

  void prepare_for_foreign_code() {
    shared_->held.keep_keys(*pairs_.get());
    stack_.hold();
  }

  int call_hook(const TVMFFIAny& hook, TVMFFIObject* lhs, TVMFFIObject* rhs) {
    bool is_equality = is_equality_hook_;
    prepare_for_foreign_code();
    shared_->held.keep(lhs);
    shared_->held.keep(rhs);
    HookCall<Comparer> call(kCompareOperation, this);
    Function callback = callback_for_hook(call.link(), is_equality);
    Any result = hook_function(&hook)(view_of(lhs), view_of(rhs), callback);  // runs foreign code
    int order = is_equality ? order_of_equality(result, lhs) : order_of_comparison(result, lhs);
    if (PairState* state = pairs_->find({lhs, rhs})) *state = PairState::kEqual;
    return order;
  }

  static int order_of_equality(const Any& result, const TVMFFIObject* lhs) {
    return hook_result<bool>(result, "__ffi_eq__", lhs->type_index, "bool") ? 0 : 1;
  }
  static int order_of_comparison(const Any& result, const TVMFFIObject* lhs) {
    return sign_of(hook_result<int64_t>(result, "__ffi_compare__", lhs->type_index, "int"));
  }

  static int sign_of(int64_t value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

  Function callback_for_hook(const HookCall<Comparer>::Link& comparer, bool is_equality) const {
    if (is_equality) {
      return Function::FromTyped([comparer](const Any& lhs, const Any& rhs) -> bool {
        return compare_inside(*comparer, false, lhs, rhs) == 0;
      });
    }
    bool is_ordering = shared_->is_ordering;
    return Function::FromTyped([comparer, is_ordering](const Any& lhs, const Any& rhs) -> int64_t {
      return compare_inside(*comparer, is_ordering, lhs, rhs);
    });
  }

  // `outer` is NULL when the hook has kept its callback and calls it later.
  static int compare_inside(Comparer* outer, bool is_ordering, const Any& lhs, const Any& rhs) {
    if (outer == nullptr) {
      CompareState shared(is_ordering);
      return Comparer(&shared, nullptr).compare(raw(lhs), raw(rhs));
    }
    Comparer inner(outer->shared_, outer);
    int order = inner.compare(raw(lhs), raw(rhs));
    if (order == 0) inner.hand_pairs_to(outer);
    return order;
  }

  CompareState* shared_;
  Comparer* outer_;
  WalkStack<CompareFrame> stack_;
  ReusedTable<Pairs> pairs_;
  bool is_equality_hook_ = false;
};

}  // namespace

bool recursive_equal(const Any& lhs, const Any& rhs) {
  LeafOrder order = leaf_equality(raw(lhs), raw(rhs));
  if (order != LeafOrder::kLookInside) return order == LeafOrder::kEqual;
  CompareState shared(/*ordering=*/false);
  return Comparer(&shared, nullptr).compare(raw(lhs), raw(rhs)) == 0;
}

int recursive_compare(const Any& lhs, const Any& rhs) {
  CompareState shared(/*ordering=*/true);
  return Comparer(&shared, nullptr).compare(raw(lhs), raw(rhs));
}

}  // namespace runtime

bool RecursiveEq(const Any& lhs, const Any& rhs) { return runtime::recursive_equal(lhs, rhs); }
bool RecursiveLt(const Any& lhs, const Any& rhs) {
  return runtime::recursive_compare(lhs, rhs) < 0;
}
bool RecursiveLe(const Any& lhs, const Any& rhs) {
  return runtime::recursive_compare(lhs, rhs) <= 0;
}
bool RecursiveGt(const Any& lhs, const Any& rhs) {
  return runtime::recursive_compare(lhs, rhs) > 0;
}
bool RecursiveGe(const Any& lhs, const Any& rhs) {
  return runtime::recursive_compare(lhs, rhs) >= 0;
}

}  // namespace tvm::ffi
