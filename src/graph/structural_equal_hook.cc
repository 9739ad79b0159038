// SPDX-License-Identifier: Apache-2.0
// Structural equality of types that define it by a hook, the attribute `__s_equal__`.
#include <tvm/ffi/function.h>

#include <optional>
#include <utility>

#include "graph/hook_call.h"
#include "graph/structural_equal_walk.h"

namespace tvm::ffi::runtime::structural {

void EqualWalk::prepare_for_foreign_code() {
  match_->hold();
  stack_.hold();
}

// State for the callback of a hook.
struct EqualWalk::HookState {
  StructuralMatch* match;
  // The path from the object of the hook to the first difference that was found.
  std::optional<StepPairs> difference;
};

bool EqualWalk::compare_for_hook(HookState* state, const Any& lhs, const Any& rhs, DefRegion region,
                                 const Any& field_name) {
  bool wants_path = state->match->options.wants_path && !state->difference.has_value();
  // Convert the name first, so that a wrong name is always reported.
  StepPairs steps;
  if (wants_path) steps.push(AccessStep::Attr(field_name.cast<String>()));
  EqualWalk walk(state->match);
  if (walk.equal(raw(lhs), raw(rhs), region)) return true;
  if (wants_path) {
    steps.append(walk.steps_to_difference());
    state->difference = std::move(steps);
  }
  return false;
}

// A pair that is marked as open (being compared) while its hook runs.
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
  StructuralMatch::Hook running(match_);
  HookState state{match_, std::nullopt};
  HookCall<HookState> call(kOperation, &state);
  bool skip_tensor_content = match_->options.skip_tensor_content;
  Function callback = Function::FromTyped(
      [found = call.link(), region, skip_tensor_content](
          const Any& left, const Any& right, int64_t kind, const Any& field_name) -> bool {
        DefRegion inner = region_for_hook(region, kind);
        if (*found != nullptr) return compare_for_hook(*found, left, right, inner, field_name);
        StructuralMatch match({skip_tensor_content, false});
        return EqualWalk(&match).equal(raw(left), raw(right), inner);
      });
  Function hook = hook_function(find_hook(equal_hooks(), lhs->type_index));
  Any result = hook(view_of(lhs), view_of(rhs), callback);  // runs foreign code
  bool is_equal = hook_result<bool>(result, "__s_equal__", lhs->type_index, "bool");
  if (!is_equal && state.difference.has_value()) last_steps_ = *std::move(state.difference);
  return is_equal;
}

}  // namespace tvm::ffi::runtime::structural
