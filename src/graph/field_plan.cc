// SPDX-License-Identifier: Apache-2.0
// Determines once per type how its fields are stored.
#include "graph/field_plan.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>

#include <memory>
#include <mutex>

#include "core/field_getter.h"

namespace tvm::ffi {
namespace runtime {
namespace {

std::mutex& plans_mutex() {
  static auto* mutex = new std::mutex();  // never destroyed: traversals may run at exit
  return *mutex;
}

// Counts the fields of the type and its ancestors that are registered now.
int64_t count_fields(const TVMFFITypeInfo* type) {
  int64_t count = 0;
  reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo*) { ++count; });
  return count;
}

std::unique_ptr<FieldPlan> make_plan(const TVMFFITypeInfo* type) {
  auto plan = std::make_unique<FieldPlan>();
  plan->type = type;
  reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* info) {
    plan->fields.push_back({info->offset, info->flags, storage_of(*info), info});
  });
  return plan;
}

}  // namespace

FieldStorage storage_of(const TVMFFIFieldInfo& field) {
  // The fields of a type without a C++ class (such as a Python class) have getters from
  // core/field_getter.h. Each of these getters reads one kind of storage.
  if (field.getter == get_value_field) return FieldStorage::kValue;
  if (field.getter == get_object_field) return FieldStorage::kObject;
  if (field.getter == get_plain_field<int64_t, kTVMFFIInt>) return FieldStorage::kInt64;
  if (field.getter == get_plain_field<double, kTVMFFIFloat>) return FieldStorage::kFloat64;
  if (field.getter == get_plain_field<bool, kTVMFFIBool>) return FieldStorage::kBool;
  return detail::StorageOfField(field);
}

const FieldPlan& renew_field_plan(int32_t type_index) {
  const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
  TypeEntry* entry = registered_type(type_index);
  std::lock_guard<std::mutex> lock(plans_mutex());
  // Read the version before the fields, so that a field registered later makes the plan outdated.
  uint64_t version = type_fields_version.load(std::memory_order_acquire);
  FieldPlan* plan = entry->field_plan.load(std::memory_order_relaxed);
  if (plan == nullptr || count_fields(type) != static_cast<int64_t>(plan->fields.size())) {
    // Keep the former plan, because a traversal may be reading it. A new plan is made only if a
    // field was added, so there are few plans.
    plan = make_plan(type).release();
    plan->version.store(version, std::memory_order_relaxed);
    entry->field_plan.store(plan, std::memory_order_release);
  } else {
    plan->version.store(version, std::memory_order_relaxed);
  }
  return *plan;
}

}  // namespace runtime

namespace detail {

const FieldPlan& GetFieldPlan(int32_t type_index) { return runtime::field_plan(type_index); }

}  // namespace detail
}  // namespace tvm::ffi
