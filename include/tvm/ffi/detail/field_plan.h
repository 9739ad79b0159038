// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/field_plan.h
 * \brief The fields of a type as one flat array, so that a traversal does not have to search the
 * type table. Fields whose storage is known are read without a call of their getters.
 *
 * Used by extra/structural_visit.h and extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_FIELD_PLAN_H_
#define TVM_FFI_DETAIL_FIELD_PLAN_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace tvm::ffi::detail {

/*! \brief The representation of a field in memory. */
enum class FieldStorage : uint8_t {
  /*! \brief Unknown; only the getter can read the field. */
  kGetter,
  /*! \brief An owned TVMFFIAny: Any, String, Bytes, Variant, or an Optional of these. */
  kValue,
  /*! \brief A pointer to an object or NULL: a class derived from ObjectRef, an ObjectPtr, or an
   * Optional of one of these. */
  kObject,
  /*! \brief A signed or unsigned 64-bit integer. The plan does not record which of the two, so the
   * getter has to read a value whose sign bit is set. */
  kInt64,
  kFloat64,
  kBool,
};

/*! \brief Return the outermost type name in the schema of a field; empty when the metadata does not
 * begin with a schema that has a name. */
inline std::string_view SchemaName(const TVMFFIFieldInfo& field) {
  constexpr std::string_view kBeginning = R"({"type_schema":"{\"type\":\")";
  std::string_view text = ToStringView(field.metadata);
  if (text.substr(0, kBeginning.size()) != kBeginning) return std::string_view();
  text.remove_prefix(kBeginning.size());
  return text.substr(0, text.find('\\'));
}

/*! \brief Return the storage of a field whose declared type index is kTVMFFIAny. Such a field can
 * be a TVMFFIAny, or the pointer of an optional reference. */
inline FieldStorage StorageOfUntyped(int64_t size, std::string_view schema) {
  if (size == static_cast<int64_t>(sizeof(TVMFFIAny))) {
    for (const char* name : {"Any", "ffi.String", "ffi.Bytes", "Optional", "Variant"}) {
      if (schema == name) return FieldStorage::kValue;
    }
  }
  if (size == static_cast<int64_t>(sizeof(void*)) && schema == "Optional") {
    return FieldStorage::kObject;
  }
  return FieldStorage::kGetter;
}

/*!
 * \brief Return the storage of a field by its declared type index, size and type schema together.
 *
 * The index alone is not sufficient: std::optional<int64_t> and Optional<int64_t> have the same
 * index and size.
 */
inline FieldStorage StorageOfField(const TVMFFIFieldInfo& field) {
  int32_t declared = field.field_static_type_index;
  std::string_view schema = SchemaName(field);
  // A type of the standard library has another layout than the type index of the field suggests.
  if (schema.substr(0, 5) == "std::") return FieldStorage::kGetter;
  if (declared == kTVMFFIAny) return StorageOfUntyped(field.size, schema);
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

/*! \brief A field with the data that traversals need. */
struct PlannedField {
  /*! \brief The distance from the object header in bytes. */
  int64_t offset;
  /*! \brief The flags of `info`. */
  int64_t flags;
  FieldStorage storage;
  /*! \brief The registered field; its address does not change when more fields are registered. */
  const TVMFFIFieldInfo* info;
};

/*! \brief All fields of a type. The fields of its ancestors come first, from depth 1 on; the fields
 * of each type are in the order of registration. */
struct FieldPlan {
  const TVMFFITypeInfo* type;
  std::vector<PlannedField> fields;
  /*! \brief The value of the runtime's counter type_fields_version when the plan was last known to
   * be complete. Only the runtime uses this member. */
  mutable std::atomic<uint64_t> version;

  TVMFFISEqHashKind kind() const {
    return type->metadata == nullptr ? kTVMFFISEqHashKindUnsupported
                                     : type->metadata->structural_eq_hash_kind;
  }
};

/*! \brief Call the getter of a field, and return an owned value. \throws Error the error that the
 * getter raises. */
TVM_FFI_NO_INLINE inline TVMFFIAny CallFieldGetter(const PlannedField& field,
                                                   const TVMFFIObject* object) {
  auto* holder = ObjectUnsafe::RawObjectPtrFromUnowned<Object>(const_cast<TVMFFIObject*>(object));
  return AnyUnsafe::MoveAnyToTVMFFIAny(reflection::FieldGetter(field.info)(holder));
}

#ifdef TVM_FFI_EXPORTS

/*! \brief Return the plan of a type. The runtime has its own definition of this function, because
 * it stores the plans in its type table. */
const FieldPlan& GetFieldPlan(int32_t type_index);

#else

/*! \brief The FieldPlan of each type, by type index. */
struct FieldPlanTable {
  explicit FieldPlanTable(size_t size) : plans(size) {}

  std::vector<std::atomic<const FieldPlan*> > plans;
};

/*! \brief The plans of this library. They are never destroyed, because traversals may run at
 * exit. */
struct FieldPlans {
  std::atomic<FieldPlanTable*> table{nullptr};
  std::mutex mutex;
  /*! \brief Replaced tables and plans, which are kept because a traversal may be reading them. */
  std::vector<FieldPlanTable*> former_tables;
  std::vector<const FieldPlan*> former_plans;
};

#if defined(__GNUC__) && !defined(_WIN32)
__attribute__((visibility("hidden")))
#endif
inline FieldPlans* MyFieldPlans() {
  static auto* plans = new FieldPlans();
  return plans;
}

/*! \brief Return how many fields are registered so far for the type and its ancestors. */
TVM_FFI_INLINE size_t CountFields(const TVMFFITypeInfo* type) {
  auto count = static_cast<size_t>(type->num_fields);
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    count += static_cast<size_t>(type->type_ancestors[depth]->num_fields);
  }
  return count;
}

/*! \brief Make or replace the plan of a type; the slow path of GetFieldPlan(). */
TVM_FFI_NO_INLINE inline const FieldPlan& RenewFieldPlan(int32_t type_index) {
  const TVMFFITypeInfo* type = GetTypeInfoOrThrow(type_index);
  FieldPlans* plans = MyFieldPlans();
  std::lock_guard<std::mutex> lock(plans->mutex);
  FieldPlanTable* table = plans->table.load(std::memory_order_relaxed);
  auto position = static_cast<size_t>(type_index);
  if (table == nullptr || position >= table->plans.size()) {
    auto larger = std::make_unique<FieldPlanTable>(position * 2);
    for (size_t i = 0; table != nullptr && i < table->plans.size(); ++i) {
      larger->plans[i].store(table->plans[i].load(std::memory_order_relaxed),
                             std::memory_order_relaxed);
    }
    plans->former_tables.push_back(table);
    table = larger.release();
    plans->table.store(table, std::memory_order_release);
  }
  auto plan = std::make_unique<FieldPlan>();
  plan->type = type;
  reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* info) {
    plan->fields.push_back({info->offset, info->flags, StorageOfField(*info), info});
  });
  const FieldPlan* former = table->plans[position].load(std::memory_order_relaxed);
  plans->former_plans.push_back(former);
  table->plans[position].store(plan.get(), std::memory_order_release);
  return *plan.release();
}

/*!
 * \brief Return the plan of a type.
 *
 * The function does not take a lock if the plan exists. Plans stay valid for ever. A plan that was
 * fetched before a field was registered does not contain that field.
 * \throws Error InternalError when there is no such type.
 */
inline const FieldPlan& GetFieldPlan(int32_t type_index) {
  const FieldPlanTable* table = MyFieldPlans()->table.load(std::memory_order_acquire);
  auto position = static_cast<size_t>(type_index);
  if (TVM_FFI_PREDICT_TRUE(table != nullptr && position < table->plans.size())) {
    const FieldPlan* plan = table->plans[position].load(std::memory_order_acquire);
    if (TVM_FFI_PREDICT_TRUE(plan != nullptr && plan->fields.size() == CountFields(plan->type))) {
      return *plan;
    }
  }
  return RenewFieldPlan(type_index);
}

#endif  // TVM_FFI_EXPORTS

/*!
 * \brief Read a field.
 * \param value receives the value; its padding is zero.
 * \return whether the caller owns `*value`. A borrowed value is valid until the field is written.
 * \throws Error the error that the getter raises.
 */
TVM_FFI_INLINE bool ReadField(const PlannedField& field, const TVMFFIObject* object,
                              TVMFFIAny* value) {
  const char* address = reinterpret_cast<const char*>(object) + field.offset;
  value->zero_padding = 0;
  switch (field.storage) {
    case FieldStorage::kValue:
      *value = *reinterpret_cast<const TVMFFIAny*>(address);
      return false;
    case FieldStorage::kObject: {
      TVMFFIObject* content = *reinterpret_cast<TVMFFIObject* const*>(address);
      value->type_index =
          content == nullptr ? static_cast<int32_t>(kTVMFFINone) : content->type_index;
      value->v_int64 = 0;
      value->v_obj = content;
      return false;
    }
    case FieldStorage::kInt64:
      value->type_index = kTVMFFIInt;
      value->v_int64 = *reinterpret_cast<const int64_t*>(address);
      if (TVM_FFI_PREDICT_FALSE(value->v_int64 < 0)) break;
      return false;
    case FieldStorage::kFloat64:
      value->type_index = kTVMFFIFloat;
      value->v_float64 = *reinterpret_cast<const double*>(address);
      return false;
    case FieldStorage::kBool:
      value->type_index = kTVMFFIBool;
      value->v_int64 = *reinterpret_cast<const uint8_t*>(address) != 0 ? 1 : 0;
      return false;
    case FieldStorage::kGetter:
      break;
  }
  *value = CallFieldGetter(field, object);
  return value->type_index >= kTVMFFIStaticObjectBegin;
}

/*! \brief Read a field as an owned value. \throws Error the error that the getter raises. */
TVM_FFI_INLINE Any ReadOwnedField(const PlannedField& field, const TVMFFIObject* object) {
  TVMFFIAny value;
  if (ReadField(field, object, &value)) return AnyUnsafe::MoveTVMFFIAnyRawToAny(value);
  return Any(AnyView::CopyFromTVMFFIAny(value));
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_FIELD_PLAN_H_
