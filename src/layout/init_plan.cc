// SPDX-License-Identifier: Apache-2.0
// Makes init plans from the type table.
#include "layout/init_plan.h"

#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>

namespace tvm::ffi::runtime {

int32_t InitPlan::find_parameter(std::string_view name, int32_t hint) const {
  int32_t count = static_cast<int32_t>(fields.size());
  for (int32_t step = 0; step < count; ++step) {
    int32_t i = hint + step < count ? hint + step : hint + step - count;
    if (ToStringView(fields[i]->name) == name && is_parameter(fields[i])) return i;
  }
  return -1;
}

namespace {

DefaultStep default_step(const TVMFFIFieldInfo* field) {
  constexpr int64_t kNeedsMore =
      kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  bool is_direct = (field->flags & kNeedsMore) == 0;
  return {field, is_direct ? reinterpret_cast<TVMFFIFieldSetter>(field->setter) : nullptr};
}

void plan_defaults(InitPlan* plan) {
  bool needs_arguments = false;
  for (const TVMFFIFieldInfo* field : plan->fields) {
    if (InitPlan::has_default(field)) {
      plan->defaults.push_back(default_step(field));
    } else if (InitPlan::is_parameter(field)) {
      needs_arguments = true;
    }
  }
  if (!needs_arguments && reflection::detail::HasNativeCreator(plan->type)) {
    plan->create_default = plan->type->metadata->creator;
  }
}

}  // namespace

std::unique_ptr<InitPlan> make_init_plan(const TVMFFITypeInfo* type) {
  auto plan = std::make_unique<InitPlan>();
  plan->type = type;
  reflection::ForEachFieldInfo(
      type, [&](const TVMFFIFieldInfo* field) { plan->fields.push_back(field); });
  for (bool defaulted : {false, true}) {
    for (size_t i = 0; i < plan->fields.size(); ++i) {
      const TVMFFIFieldInfo* field = plan->fields[i];
      if (!InitPlan::is_parameter(field) || InitPlan::is_keyword_only(field)) continue;
      if (InitPlan::has_default(field) != defaulted) continue;
      plan->positional.push_back(static_cast<int32_t>(i));
    }
  }
  plan_defaults(plan.get());
  return plan;
}

int64_t count_fields(const TVMFFITypeInfo* type) {
  int64_t count = type->num_fields;
  // The root, at depth 0, has no fields.
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    count += type->type_ancestors[depth]->num_fields;
  }
  return count;
}

}  // namespace tvm::ffi::runtime
