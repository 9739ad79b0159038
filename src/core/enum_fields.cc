// SPDX-License-Identifier: Apache-2.0
// Sets fields of enum entries, immediately or when their type has registered the fields.
#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/enum_def.h>

#include <exception>
#include <utility>

#include "core/enum_record.h"
#include "core/enum_store.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief Whether more fields may follow, because a type of the hierarchy has no metadata yet. */
bool awaits_definition(const TVMFFITypeInfo* type) {
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    if (type->type_ancestors[depth]->metadata == nullptr) return true;
  }
  return type->metadata == nullptr;
}

/*!
 * \brief Set a field of an entry.
 * \param is_last whether a missing field is an error even if the type may still register it.
 * \return whether the field exists.
 */
bool set_field(const TVMFFITypeInfo* type, const WaitingField& field, bool is_last) {
  const TVMFFIFieldInfo* info =
      reflection::detail::FindFieldInfo(type, detail::TextView(field.name));
  if (info == nullptr) {
    if (!is_last && awaits_definition(type)) return false;
    TVM_FFI_THROW(RuntimeError) << "Cannot find field  `" << field.name << "` in "
                                << ToStringView(type->type_key);
  }
  reflection::FieldSetter setter(info);
  setter(field.entry, field.value);
  return true;
}

/*! \brief Remove the fields that wait for their enum from the record of the type; return them. */
std::vector<WaitingField> take_waiting(int32_t type_index) {
  EnumSession session;
  auto record = session.records().find(type_index);
  if (record == session.records().end()) return {};
  return std::exchange(record->second.waiting_fields, {});
}

void put_back(int32_t type_index, std::vector<WaitingField> fields) {
  EnumSession session;
  std::vector<WaitingField>& waiting = session.records()[type_index].waiting_fields;
  for (WaitingField& field : fields) waiting.push_back(std::move(field));
}

/*!
 * \brief Set all waiting fields that can be set.
 * \param is_last as for set_field.
 * \throws the first error. Fields that could not be set stay in the record.
 */
void set_waiting(int32_t type_index, bool is_last) {
  const TVMFFITypeInfo* type = find_type(type_index);
  std::vector<WaitingField> rest;
  std::exception_ptr error;
  for (WaitingField& field : take_waiting(type_index)) {
    try {
      if (set_field(type, field, is_last)) continue;
    } catch (const std::exception&) {
      if (error == nullptr) error = std::current_exception();
    }
    rest.push_back(std::move(field));
  }
  if (!rest.empty()) put_back(type_index, std::move(rest));
  if (error != nullptr) std::rethrow_exception(error);
}

bool has_waiting() { return has_waiting_fields.load(std::memory_order_relaxed); }

}  // namespace

std::vector<WaitingField> set_enum_fields(int32_t type_index, const ObjectRef& entry,
                                          const Map<String, Any>& fields) {
  std::vector<WaitingField> rest;
  if (fields.empty()) return rest;
  const TVMFFITypeInfo* type = find_type_or_raise(type_index);
  if (type == nullptr) throw detail::MoveFromSafeCallRaised();
  check_enum_instance(type_index, entry);
  for (const auto& [name, value] : fields) {
    WaitingField field{entry, name, value};
    if (!set_field(type, field, /*is_last=*/false)) rest.push_back(std::move(field));
  }
  return rest;
}

void set_waiting_enum_fields(int32_t type_index) {
  if (has_waiting()) set_waiting(type_index, /*is_last=*/true);
}

void enum_type_was_defined(int32_t type_index) {
  if (!has_waiting()) return;
  std::vector<int32_t> concerned;
  {
    EnumSession session;
    for (const auto& [enum_index, record] : session.records()) {
      if (record.waiting_fields.empty()) continue;
      if (detail::RuntimeTypeIndexMatch(enum_index, type_index)) concerned.push_back(enum_index);
    }
  }
  for (int32_t enum_index : concerned) set_waiting(enum_index, /*is_last=*/false);
}

}  // namespace tvm::ffi::runtime
