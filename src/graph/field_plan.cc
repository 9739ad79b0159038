// SPDX-License-Identifier: Apache-2.0
// Finding out how the fields of a type lie in memory, once per type.
#include "graph/field_plan.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>

#include <initializer_list>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/field_getter.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// The outermost type name of a field's schema; empty when the metadata does not begin with one.
std::string_view schema_name(const TVMFFIFieldInfo& field) {
  constexpr std::string_view kBeginning = R"({"type_schema":"{\"type\":\")";
  std::string_view text = ToStringView(field.metadata);
  if (text.substr(0, kBeginning.size()) != kBeginning) return std::string_view();
  text.remove_prefix(kBeginning.size());
  return text.substr(0, text.find('\\'));
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (std::string_view other : names) {
    if (name == other) return true;
  }
  return false;
}

// A field without one declared type: a value, or an optional reference, which is one pointer.
FieldStorage storage_of_untyped(int64_t size, std::string_view schema) {
  if (size == static_cast<int64_t>(sizeof(TVMFFIAny)) &&
      is_one_of(schema, {"Any", "ffi.String", "ffi.Bytes", "Optional", "Variant"})) {
    return FieldStorage::kValue;
  }
  if (size == static_cast<int64_t>(sizeof(void*)) && schema == "Optional") {
    return FieldStorage::kObject;
  }
  return FieldStorage::kGetter;
}

std::mutex& plans_mutex() {
  static auto* mutex = new std::mutex();  // never destroyed: walks may run at exit
  return *mutex;
}

// Fields of the type and its ancestors that are registered by now.
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
  // Fields that a frontend laid out have getters of ours.
  if (field.getter == get_value_field) return FieldStorage::kValue;
  if (field.getter == get_object_field) return FieldStorage::kObject;
  if (field.getter == get_plain_field<int64_t, kTVMFFIInt>) return FieldStorage::kInt64;
  if (field.getter == get_plain_field<double, kTVMFFIFloat>) return FieldStorage::kFloat64;
  if (field.getter == get_plain_field<bool, kTVMFFIBool>) return FieldStorage::kBool;
  int32_t declared = field.field_static_type_index;
  std::string_view schema = schema_name(field);
  // Such fields have layouts of the standard library, whatever their index says.
  if (schema.substr(0, 5) == "std::") return FieldStorage::kGetter;
  if (declared == kTVMFFIAny) return storage_of_untyped(field.size, schema);
  if (declared >= kTVMFFIStaticObjectBegin) {
    return field.size == sizeof(void*) ? FieldStorage::kObject : FieldStorage::kGetter;
  }
  if (declared == kTVMFFIInt && field.size == 8 && schema == "int") return FieldStorage::kInt64;
  if (declared == kTVMFFIFloat && field.size == 8 && schema == "float") {
    return FieldStorage::kFloat64;
  }
  if (declared == kTVMFFIBool && field.size == 1 && schema == "bool") return FieldStorage::kBool;
  return FieldStorage::kGetter;
}

const FieldPlan& renew_field_plan(int32_t type_index) {
  const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
  TypeEntry* entry = registered_type(type_index);
  std::lock_guard<std::mutex> lock(plans_mutex());
  // Read before the fields: a field that comes later makes the plan stale again.
  uint64_t version = type_fields_version.load(std::memory_order_acquire);
  FieldPlan* plan = entry->field_plan.load(std::memory_order_relaxed);
  if (plan == nullptr || count_fields(type) != static_cast<int64_t>(plan->fields.size())) {
    // The old one is kept: a walk may be reading it. There are at most as many as fields.
    plan = make_plan(type).release();
    plan->version.store(version, std::memory_order_relaxed);
    entry->field_plan.store(plan, std::memory_order_release);
  } else {
    plan->version.store(version, std::memory_order_relaxed);
  }
  return *plan;
}

TVMFFIAny call_getter(const PlannedField& field, const TVMFFIObject* object) {
  Object* holder =
      detail::ObjectUnsafe::RawObjectPtrFromUnowned<Object>(const_cast<TVMFFIObject*>(object));
  return detail::AnyUnsafe::MoveAnyToTVMFFIAny(reflection::FieldGetter(field.info)(holder));
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
