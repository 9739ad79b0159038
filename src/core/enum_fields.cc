// SPDX-License-Identifier: Apache-2.0
// Sets fields of enum entries that existed before their type registered the fields.
#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>

#include <exception>
#include <utility>

#include "core/enum_record.h"
#include "core/enum_store.h"
#include "core/type_table.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

const TVMFFIFieldInfo* find_field(const TVMFFITypeInfo* type, const String& name) {
  const TVMFFIFieldInfo* found = nullptr;
  reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* info) {
    if (reflection::detail::NameEquals(info->name, detail::TextView(name))) found = info;
  });
  return found;
}

/*! \brief Whether more fields may follow, because a type of the hierarchy has no metadata yet. */
bool awaits_definition(const TVMFFITypeInfo* type) {
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    if (type->type_ancestors[depth]->metadata == nullptr) return true;
  }
  return type->metadata == nullptr;
}

bool is_or_derives_from(const TVMFFITypeInfo* type, int32_t ancestor) {
  if (type->type_index == ancestor) return true;
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    if (type->type_ancestors[depth]->type_index == ancestor) return true;
  }
  return false;
}

void throw_no_field(const TVMFFITypeInfo* type, const String& name) {
  TVM_FFI_THROW(RuntimeError) << "Cannot find field  `" << name << "` in "
                              << ToStringView(type->type_key);
}

/*! \brief Remove the fields that wait for their enum from the record of the type; return them. */
std::vector<WaitingField> take_waiting(int32_t type_index) {
  EnumSession session;
  auto record = session.records().find(type_index);
  if (record == session.records().end()) return {};
  num_waiting_fields.fetch_sub(record->second.waiting_fields.size(), std::memory_order_relaxed);
  return std::exchange(record->second.waiting_fields, {});
}

void put_back(int32_t type_index, std::vector<WaitingField> fields) {
  EnumSession session;
  std::vector<WaitingField>& waiting = session.records()[type_index].waiting_fields;
  num_waiting_fields.fetch_add(fields.size(), std::memory_order_relaxed);
  for (WaitingField& field : fields) waiting.push_back(std::move(field));
}

/*!
 * \brief Set all waiting fields that can be set. Holds no lock while it calls setters, which are
 * foreign code.
 * \param is_last whether a missing field is an error even if the type may still register it.
 * \throws the first error. Fields that could not be set stay in the record.
 */
void set_waiting(int32_t type_index, bool is_last) {
  const TVMFFITypeInfo* type = find_type(type_index);
  std::vector<WaitingField> rest;
  std::exception_ptr error;
  for (WaitingField& field : take_waiting(type_index)) {
    try {
      const TVMFFIFieldInfo* info = find_field(type, field.name);
      if (info != nullptr) {
        reflection::FieldSetter setter(info);
        setter(field.entry, field.value);
        continue;
      }
      if (is_last || !awaits_definition(type)) throw_no_field(type, field.name);
    } catch (const std::exception&) {
      if (error == nullptr) error = std::current_exception();
    }
    rest.push_back(std::move(field));
  }
  if (!rest.empty()) put_back(type_index, std::move(rest));
  if (error != nullptr) std::rethrow_exception(error);
}

bool has_waiting() { return num_waiting_fields.load(std::memory_order_relaxed) != 0; }

}  // namespace

void enum_type_was_defined(int32_t type_index) {
  if (!has_waiting()) return;
  std::vector<int32_t> concerned;
  {
    EnumSession session;
    for (const auto& [enum_index, record] : session.records()) {
      if (record.waiting_fields.empty()) continue;
      if (is_or_derives_from(find_type(enum_index), type_index)) concerned.push_back(enum_index);
    }
  }
  for (int32_t enum_index : concerned) set_waiting(enum_index, /*is_last=*/false);
}

std::optional<EnumState> find_enum_state(int32_t type_index) {
  if (has_waiting()) set_waiting(type_index, /*is_last=*/true);
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr) return std::nullopt;
  sync_enum_attrs(&session, type_index, record);
  return record->state;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
