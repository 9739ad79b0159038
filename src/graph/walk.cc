// SPDX-License-Identifier: Apache-2.0
// The rarely run parts of the walker.
#include "graph/walk.h"

#include <tvm/ffi/error.h>

#include <new>

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

thread_local int hook_depth = 0;

}  // namespace

void throw_walk_too_deep(const char* operation) {
  TVM_FFI_THROW(ValueError) << operation << ": maximum stack depth (" << kMaxWalkDepth
                            << ") exceeded";
  TVM_FFI_UNREACHABLE();
}

HookScope::HookScope(const char* operation) {
  if (hook_depth >= kMaxHookDepth) {
    TVM_FFI_THROW(ValueError) << operation << ": hooks are nested more than " << kMaxHookDepth
                              << " deep";
  }
  ++hook_depth;
}

HookScope::~HookScope() { --hook_depth; }

void Children::begin_other(int64_t skipped) {
  if (object_->type_index == kTVMFFIMap || object_->type_index == kTVMFFIDict) {
    kind_ = kMapping;
    copy_ = nullptr;
    new (&entry_) MapBaseObj::iterator(mapping()->begin());
    return;
  }
  const FieldPlan& plan = field_plan(object_->type_index);
  kind_ = kFields;
  fields_ = plan.fields.data();
  num_fields_ = static_cast<int32_t>(plan.fields.size());
  skipped_ = skipped;
}

void Children::hold(Held* held) {
  held->keep(object_);
  // Arrays and maps that are shared do not change, and now they are; lists are asked at each step.
  if (object_->type_index != kTVMFFIDict || copy_ != nullptr) return;
  std::vector<Any>* copy = held->new_copy();
  const MapBaseObj::iterator end = mapping()->end();
  for (MapBaseObj::iterator it = entry_; it != end; ++it) {
    // Between a key and its value only the value is left.
    if (!copy->empty() || !is_at_key_) copy->push_back(it->first);
    copy->push_back(it->second);
  }
  copy_ = copy;
  position_ = 0;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
