// SPDX-License-Identifier: Apache-2.0
// Types that bring their own structural equality, the attribute `__s_equal__`.
#include <tvm/ffi/function.h>

#include <memory>
#include <optional>
#include <utility>

#include "graph/structural_equal_walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace structural {

void EqualWalk::prepare_for_foreign_code() {
  match_->hold();
  stack_.hold();
  for (; num_right_held_ < stack_.size(); ++num_right_held_) {
    const EqualFrame& frame = stack_[num_right_held_];
    match_->held.keep(frame.right);
    if (frame.children.kind() == Children::kMapping) match_->held.keep(owned(frame.key));
  }
}

// A hook that runs, as its callback sees it. The callback may be kept for later.
struct EqualWalk::HookCall {
  // NULL when the hook has returned.
  StructuralMatch* match;
  const StructuralOptions options;
  const DefRegion region;
  // The way to the first difference that was found, from the object of the hook.
  std::optional<StepPairs> difference;
};

bool EqualWalk::compare_for_hook(HookCall* call, const Any& lhs, const Any& rhs, int64_t kind,
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
struct EqualWalk::OpenPair {
  StructuralMatch* match;
  TVMFFIObject* lhs;
  TVMFFIObject* rhs;
  Opening opening;

  ~OpenPair() { match->leave(opening, lhs, rhs, PairState::kUnknown); }
};

bool EqualWalk::compare_by_hook(TVMFFIObject* lhs, TVMFFIObject* rhs, SEqHashKind kind,
                                DefRegion region, const Opening& opening) {
  size_t num_fickle_keys = match_->num_fickle_keys();
  OpenPair pair{match_, lhs, rhs, opening};
  if (!call_hook(lhs, rhs, region_of_fields(kind, region))) return false;
  if (!settle(lhs, rhs, kind, region, opening)) return false;
  pair.opening.how = Opening::kUnmarked;
  leave(lhs, rhs, opening, num_fickle_keys);
  return true;
}

bool EqualWalk::call_hook(TVMFFIObject* lhs, TVMFFIObject* rhs, DefRegion region) {
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
  Function hook = structural_hook(equal_hooks(), lhs->type_index);
  bool is_equal = hook(left, right, callback).cast<bool>();  // runs foreign code
  if (!is_equal && call->difference.has_value()) last_steps_ = *std::move(call->difference);
  return is_equal;
}

}  // namespace structural
}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
