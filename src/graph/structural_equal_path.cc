// SPDX-License-Identifier: Apache-2.0
// The path to the first difference of two values. The path is recorded only on request.
#include <tvm/ffi/reflection/access_path.h>

#include <utility>
#include <vector>

#include "graph/structural_equal_walk.h"

namespace tvm::ffi::runtime::structural {
namespace {

std::vector<Any> keys_of(TVMFFIObject* mapping) {
  std::vector<Any> keys;
  const MapBaseObj* entries = detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(mapping);
  for (MapBaseObj::iterator it = entries->begin(); it != entries->end(); ++it) {
    keys.push_back(it->first);
  }
  return keys;
}

reflection::AccessStep step_into(const PlannedField& field) {
  const TVMFFIByteArray& name = field.info->name;
  return reflection::AccessStep::Attr(String(name.data, name.size));
}

}  // namespace

StepPairs EqualWalk::steps_to_difference() {
  StepPairs steps;
  size_t size = stack_.size() - (differs_as_a_whole_ ? 1 : 0);
  for (size_t i = 0; i < stack_.size(); ++i) {
    if (stack_[i].through != nullptr) steps.push(step_into(*stack_[i].through));
    if (i < size) push_step(stack_[i], &steps);
  }
  steps.append(last_steps_);
  return steps;
}

bool EqualWalk::differ_as_a_whole() {
  differs_as_a_whole_ = true;
  return false;
}

bool EqualWalk::differ_in_length(int64_t index, bool left_is_longer) {
  if (match_->options.wants_path) {
    AccessStep item = AccessStep::ArrayItem(index);
    AccessStep missing = AccessStep::ArrayItemMissing(index);
    push_last(left_is_longer, std::move(item), std::move(missing));
  }
  return differ_as_a_whole();
}

bool EqualWalk::differ_in_key(const TVMFFIAny& present, const TVMFFIAny& absent,
                              bool left_is_present) {
  if (match_->options.wants_path) {
    push_last(left_is_present, AccessStep::MapItem(owned(present)),
              AccessStep::MapItemMissing(owned(absent)));
  }
  return differ_as_a_whole();
}

bool EqualWalk::differ_in_right_key(EqualFrame* frame) {
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

void EqualWalk::push_last(bool left_is_present, AccessStep present, AccessStep absent) {
  if (left_is_present) {
    last_steps_.push(std::move(present), std::move(absent));
  } else {
    last_steps_.push(std::move(absent), std::move(present));
  }
}

void EqualWalk::push_step(const EqualFrame& frame, StepPairs* steps) {
  switch (frame.children.kind()) {
    case Children::kSequence:
      steps->push(AccessStep::ArrayItem(frame.children.index()));
      break;
    case Children::kMapping:
      steps->push(AccessStep::MapItem(owned(frame.key)),
                  AccessStep::MapItem(owned(match_->right_key(frame.key))));
      break;
    default:
      steps->push(step_into(frame.children.field()));
  }
}

}  // namespace tvm::ffi::runtime::structural
