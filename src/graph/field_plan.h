// SPDX-License-Identifier: Apache-2.0
// The fields of a type as one flat array, so that a walk reads them without asking the type table
// and, where their storage is known, without calling their getters.
#ifndef TVM_FFI_SRC_GRAPH_FIELD_PLAN_H_
#define TVM_FFI_SRC_GRAPH_FIELD_PLAN_H_

#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/type_entry.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief How the content of a field lies in memory. */
enum class FieldStorage : uint8_t {
  /*! \brief Not known: the getter tells. */
  kGetter,
  /*! \brief An owned TVMFFIAny: Any, String, Bytes, Variant, Optional of such. */
  kValue,
  /*! \brief A pointer to an object or NULL: references, owning pointers, Optional of such. */
  kObject,
  /*! \brief A 64-bit integer, signed when its sign bit is clear; otherwise only the getter knows.
   */
  kInt64,
  kFloat64,
  kBool,
};

/*!
 * \brief Storage of a field, by its getter where that is the runtime's own, else by its declared
 * type index, size and type schema together.
 *
 * The index alone is a hint: std::optional<int64_t> and Optional<int64_t> agree in it and in size.
 */
FieldStorage storage_of(const TVMFFIFieldInfo& field);

/*! \brief A field with what walks need of it. */
struct PlannedField {
  /*! \brief Bytes from the object header. */
  int64_t offset;
  /*! \brief As in `info`. */
  int64_t flags;
  FieldStorage storage;
  /*! \brief A copy that stays where it is when further fields are registered. */
  const TVMFFIFieldInfo* info;
};

/*! \brief All fields of a type: ancestors from depth 1 down, then its own, each as registered. */
struct FieldPlan {
  const TVMFFITypeInfo* type;
  std::vector<PlannedField> fields;
  /*! \brief The value of type_fields_version for which this plan is known to be complete. */
  mutable std::atomic<uint64_t> version;
};

/*!
 * \brief Make or renew the plan of a type; part of field_plan().
 * \throws Error InternalError when there is no such type.
 */
const FieldPlan& renew_field_plan(int32_t type_index);

/*!
 * \brief The plan of a type.
 *
 * Takes no lock once it is there. Plans stay valid for ever; one that was fetched before a field
 * was registered does not show that field.
 */
inline const FieldPlan& field_plan(int32_t type_index) {
  const TypeEntry* entry = registered_type(type_index);
  if (entry != nullptr) {
    const FieldPlan* plan = entry->field_plan.load(std::memory_order_acquire);
    if (plan != nullptr && plan->version.load(std::memory_order_relaxed) ==
                               type_fields_version.load(std::memory_order_acquire)) {
      return *plan;
    }
  }
  return renew_field_plan(type_index);
}

/*! \brief Call the getter of a field; the part of read_field() for unknown storage. */
TVMFFIAny call_getter(const PlannedField& field, const TVMFFIObject* object);

/*!
 * \brief Read a field.
 * \param value what was read.
 * \return whether the caller owns `*value`; otherwise it lives as long as the field is not written.
 * \throws Error what the getter raises.
 */
inline bool read_field(const PlannedField& field, const TVMFFIObject* object, TVMFFIAny* value) {
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
      if (__builtin_expect(value->v_int64 < 0, 0)) break;
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
  *value = call_getter(field, object);
  return value->type_index >= kTVMFFIStaticObjectBegin;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_FIELD_PLAN_H_
