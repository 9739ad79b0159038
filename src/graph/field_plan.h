// SPDX-License-Identifier: Apache-2.0
// Stores in the type table, for each type, how its fields are read: a FieldPlan, which
// detail/field_plan.h defines.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/field_plan.h>

#include <atomic>
#include <cstdint>

#include "core/type_entry.h"

namespace tvm::ffi::runtime {

using detail::FieldPlan;
using detail::FieldStorage;
using detail::PlannedField;

/*! \brief Return how a field is stored: from its getter if the getter is in core/field_getter.h,
 * otherwise from the declaration of the field. */
FieldStorage storage_of(const TVMFFIFieldInfo& field);

/*!
 * \brief Make or renew the plan of a type. field_plan() calls this function.
 * \throws Error InternalError when there is no such type.
 */
const FieldPlan& renew_field_plan(int32_t type_index);

/*!
 * \brief Return the plan of a type.
 *
 * Takes no lock once the plan exists. Plans are never freed. A plan that was fetched before a field
 * was registered does not contain that field.
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

/*! \brief Read a field as detail::ReadField does. */
TVM_FFI_INLINE bool read_field(const PlannedField& field, const TVMFFIObject* object,
                               TVMFFIAny* value) {
  return detail::ReadField(field, object, value);
}

}  // namespace tvm::ffi::runtime
