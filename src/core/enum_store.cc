// SPDX-License-Identifier: Apache-2.0
// Stores the records of enums, and changes their states.
#include "core/enum_store.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/detail/member_name.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>

#include <iterator>
#include <utility>

#include "core/enum_record.h"
#include "core/sentinel.h"
#include "core/type_attr.h"
#include "core/type_entry.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief The enums of the process. The table is never destroyed. */
struct EnumTable {
  std::recursive_mutex mutex;
  EnumRecords records;
};

TVM_FFI_INLINE EnumTable& enum_table() {
  static EnumTable& table = *new EnumTable();
  return table;
}

[[noreturn]] void throw_duplicate_entry(int32_t type_index, const String& name,
                                        const std::string& reason) {
  TVM_FFI_THROW(ValueError) << "Duplicate enum index for type `" << TypeIndexToTypeKey(type_index)
                            << "`: cannot register `" << name << "`, " << reason;
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the number for a new entry. \throws Error ValueError if the object has another
 * name. */
int64_t number_entry(int32_t type_index, const String& name, std::optional<int64_t> number,
                     int64_t num_entries, const ObjectRef& entry) {
  auto* named = const_cast<EnumObj*>(entry.as<EnumObj>());
  if (named == nullptr) return number.value_or(num_entries);
  // A language binding that has given the object a name has also given it a number.
  bool is_named = !named->_str_index.empty();
  if (is_named && named->_str_index != name) {
    TVM_FFI_THROW(ValueError) << "The entry `" << named->_str_index << "` of enum `"
                              << TypeIndexToTypeKey(type_index) << "` cannot be registered as `"
                              << name << "`";
  }
  if (!number.has_value() && is_named && entry.as<IntEnumObj>() != nullptr) {
    return named->_int_index;
  }
  return number.value_or(num_entries);
}

/*! \brief Add an entry to a state. If the function throws, the state is unchanged. */
void insert_into_state(EnumStateObj* state, const String& name, int64_t number,
                       const ObjectRef& entry) {
  state->entries.push_back(entry);
  try {
    state->indexes.Set(number, entry);
    state->indexes.Set(name, entry);
  } catch (...) {
    state->indexes.erase(number);
    state->entries.pop_back();
    throw;
  }
}

/*! \brief Set those values of a new entry that were stored for its name before it existed. */
void attach_waiting_values(EnumSession* session, EnumRecord* record, const String& name,
                           const ObjectRef& entry) {
  auto& waiting = record->waiting_values;
  for (auto column = waiting.begin(); column != waiting.end();) {
    if (std::optional<Any> value = column->second.Get(name)) {
      set_in_enum_state(session, record->state->get(), String(column->first), entry, &*value);
      column->second.erase(name);
      session->drop(*std::move(value));
    }
    column = column->second.empty() ? waiting.erase(column) : std::next(column);
  }
}

/*! \brief Update the record after a client has changed the state. */
void read_state(EnumSession* session, int32_t type_index, EnumRecord* record) {
  const EnumStateObj* state = record->state->get();
  record->num_indexes = state->indexes.size();
  record->names.clear();
  for (const auto& [index, entry] : state->indexes) {
    if (std::optional<String> name = index.as<String>()) record->names.emplace(entry.get(), *name);
  }
  if (!record->waiting_values.empty()) {
    for (const auto& [entry, name] : std::unordered_map<const Object*, String>(record->names)) {
      attach_waiting_values(session, record, name, GetRef<ObjectRef>(entry));
    }
  }
  update_enum_views(session, type_index);
}

/*! \brief Make `state` the state of a type; nothing if the type is no longer an enum. */
void adopt_state(EnumSession* session, int32_t type_index, std::optional<EnumState> state) {
  if (!state.has_value() && session->records().count(type_index) == 0) return;
  EnumRecord& record = session->records()[type_index];
  set_type_is_enum(type_index, state.has_value());
  if (record.state.has_value()) session->drop(Any(*std::move(record.state)));
  record.state = std::move(state);
  record.num_indexes = 0;
  record.names.clear();
  if (!record.state.has_value()) record.dicts.reset();
  update_enum_views(session, type_index);
}

/*! \brief Return whether a lookup of the entry in a map calls hooks. */
bool has_key_hook(const ObjectRef& entry) {
  return detail::HasHashHook(entry.type_index()) || detail::HasEqualHook(entry.type_index());
}

/*! \brief Return the value of an entry in a column; missing_object() if the entry has no value. */
Any value_of(EnumSession* session, const EnumStateObj& state, const String& column,
             const ObjectRef& entry) {
  const Any* values = find_value(state.attrs, column);
  if (values == nullptr) return missing_object();
  if (has_key_hook(entry)) session->drop(*values);  // a hook may replace the column
  const auto* dict = detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<DictObj>(*values);
  const Any* value = find_value(dict, detail::LookupKey<ObjectRef>(entry));
  return value == nullptr ? Any(missing_object()) : *value;
}

void set_attr_of_entry(EnumSession* session, int32_t type_index, EnumRecord* record,
                       const String& column, const ObjectRef& entry, const Any& value) {
  set_in_enum_state(session, record->state->get(), column, entry, &value);
  sync_enum_record(session, type_index, record);
  update_enum_views(session, type_index);
}

}  // namespace

std::atomic<bool> has_waiting_fields{false};

EnumSession::EnumSession(bool may_wait) : lock_(enum_table().mutex, std::defer_lock) {
  if (!lock_.try_lock() && may_wait) lock_.lock();
}

EnumRecords& EnumSession::records() { return enum_table().records; }

EnumRecord* find_enum_record(EnumSession* session, int32_t type_index) {
  auto known = session->records().find(type_index);
  if (known == session->records().end() || !known->second.state.has_value()) return nullptr;
  EnumRecord* record = &known->second;
  if (record->num_indexes != (*record->state)->indexes.size()) {
    read_state(session, type_index, record);
  }
  sync_enum_record(session, type_index, record);
  return record;
}

void check_enum_member_name(int32_t type_index, const char* kind, std::string_view name) {
  const char* reason = reflection::detail::ReasonAgainstName(name, true);
  if (reason == nullptr) return;
  TVM_FFI_THROW(TypeError) << "`" << TypeIndexToTypeKey(type_index) << "." << name << "`: `" << name
                           << "` is " << reason << "; give the " << kind << " another name";
}

EnumRecord* mark_enum_record(EnumSession* session, int32_t type_index) {
  if (EnumRecord* record = find_enum_record(session, type_index)) return record;
  const TVMFFITypeInfo* type = find_type_or_raise(type_index);
  if (type == nullptr) throw detail::MoveFromSafeCallRaised();
  if (type_index < kTVMFFIStaticObjectBegin) {
    TVM_FFI_THROW(TypeError) << "Type `" << ToStringView(type->type_key)
                             << "` has no objects and cannot be an enum";
  }
  for (int32_t i = 0; i < type->num_fields; ++i) {
    check_enum_member_name(type_index, "field", ToStringView(type->fields[i].name));
  }
  EnumState state;
  session->drop(exchange_type_attr(type_index, kEnumStateName, Any(state)));
  adopt_state(session, type_index, std::move(state));
  return find_enum_record(session, type_index);
}

void name_enum_entry(const String& name, int64_t number, const ObjectRef& entry) {
  auto* named = const_cast<EnumObj*>(entry.as<EnumObj>());
  if (named == nullptr) return;
  if (named->_int_index != number) named->_int_index = number;
  if (named->_str_index != name) named->_str_index = name;
}

void set_in_enum_state(EnumSession* session, EnumStateObj* state, const String& column,
                       const ObjectRef& entry, const Any* value) {
  std::optional<Dict<ObjectRef, Any>> values = state->attrs.Get(column);
  if (!values.has_value()) {
    if (value == nullptr) return;
    state->attrs.Set(column, values.emplace());
  }
  if (Any* former = find_value(*values, entry)) session->drop(*former);
  if (value != nullptr) {
    values->Set(entry, *value);
  } else {
    values->erase(entry);
  }
}

ObjectRef enum_entry_from_client(int32_t type_index, const String& name, const Any& value) {
  std::optional<ObjectRef> entry = value.as<ObjectRef>();
  if (!entry.has_value()) {
    TVM_FFI_THROW(TypeError) << "Expected an object as entry `" << name << "` of enum `"
                             << TypeIndexToTypeKey(type_index) << "`, but got `"
                             << detail::TypeNameInText(value.type_index()) << "`";
  }
  return *std::move(entry);
}

int64_t check_enum_entry(int32_t type_index, const EnumRecord& record, const String& name,
                         std::optional<int64_t> number, const ObjectRef& entry) {
  check_enum_instance(type_index, entry);
  const EnumStateObj* state = record.state->get();
  auto num_entries = static_cast<int64_t>(state->entries.size());
  int64_t index = number_entry(type_index, name, number, num_entries, entry);
  if (state->indexes.count(name) != 0) {
    throw_duplicate_entry(type_index, name, "the name is taken");
  }
  if (std::optional<ObjectRef> owner = state->indexes.Get(index)) {
    auto known = record.names.find(owner->get());
    std::string owner_name = known == record.names.end() ? "?" : std::string(known->second);
    throw_duplicate_entry(type_index, name,
                          "index " + std::to_string(index) + " belongs to `" + owner_name + "`");
  }
  auto known = record.names.find(entry.get());
  if (known != record.names.end()) {
    throw_duplicate_entry(type_index, name,
                          "its object is registered as `" + std::string(known->second) + "`");
  }
  return index;
}

void add_entry_to_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                         const String& name, std::optional<int64_t> number,
                         const ObjectRef& entry) {
  int64_t index = check_enum_entry(type_index, *record, name, number, entry);
  EnumStateObj* state = record->state->get();
  insert_into_state(state, name, index, entry);
  // If one of the next statements fails, the next lookup of the enum finds the entry in the state,
  // and updates the record.
  name_enum_entry(name, index, entry);
  record->names.emplace(entry.get(), name);
  if (LoadScope::current() != nullptr)
    record->owners[std::string(name)] = LoadScope::current_owner();
  attach_waiting_values(session, record, name, entry);
  record->num_indexes = state->indexes.size();
  update_enum_views(session, type_index);
}

void set_attr_in_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                        const String& column, const String& name, const Any& value) {
  if (std::optional<ObjectRef> entry = (*record->state)->indexes.Get(name)) {
    set_attr_of_entry(session, type_index, record, column, *entry, value);
    return;
  }
  record->waiting_values[std::string(column)].Set(name, value);
  update_enum_views(session, type_index);
}

void check_enum_instance(int32_t type_index, const ObjectRef& entry) {
  if (entry.defined() && detail::RuntimeTypeIndexMatch(entry.type_index(), type_index)) return;
  TVM_FFI_THROW(TypeError) << "Expected an instance of `" << TypeIndexToTypeKey(type_index)
                           << "` as its enum entry, but got `"
                           << detail::TypeNameInText(entry.type_index()) << "`";
}

EnumState mark_enum(int32_t type_index) {
  LoadScope::run_deferred_blocks();
  EnumSession session;
  note_enum_change(&session, type_index);
  return *mark_enum_record(&session, type_index)->state;
}

void add_enum_entry(int32_t type_index, const String& name, Optional<int64_t> number,
                    const ObjectRef& entry, const Map<String, Any>& fields) {
  LoadScope::run_deferred_blocks();
  // The name of an entry of a StrEnum is its payload, which can be any text. In Python, the class
  // attribute of the variant has another name.
  if (entry.as<StrEnumObj>() == nullptr) {
    check_enum_member_name(type_index, "variant", {name.data(), name.size()});
  }
  std::vector<WaitingField> waiting = set_enum_fields(type_index, entry, fields);
  EnumSession session;
  note_enum_change(&session, type_index);
  EnumRecord* record = mark_enum_record(&session, type_index);
  std::optional<int64_t> given;
  if (number.has_value()) given = *number;
  add_entry_to_record(&session, type_index, record, name, given, entry);
  sync_enum_record(&session, type_index, record);
  if (!waiting.empty()) has_waiting_fields.store(true, std::memory_order_relaxed);
  for (WaitingField& field : waiting) record->waiting_fields.push_back(std::move(field));
}

void set_enum_attr(int32_t type_index, const String& column, const String& name, Any value) {
  LoadScope::run_deferred_blocks();
  EnumSession session;
  note_enum_change(&session, type_index);
  EnumRecord* record = mark_enum_record(&session, type_index);
  set_attr_in_record(&session, type_index, record, column, name, value);
}

bool try_set_enum_attr(int32_t type_index, const String& column, const ObjectRef& entry,
                       const Any& value) {
  if (LoadScope::current() != nullptr) return false;
  EnumSession session(/*may_wait=*/false);
  if (!session.has_lock()) return false;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr || entry.type_index() != type_index) return false;
  if (record->names.count(entry.get()) == 0) return false;
  set_attr_of_entry(&session, type_index, record, column, entry, value);
  return true;
}

Any find_enum_attr(int32_t type_index, const String& column, const ObjectRef& entry,
                   bool may_wait) {
  EnumSession session(may_wait);
  if (!session.has_lock()) return kwargs_object();
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr) return missing_object();
  return value_of(&session, *record->state->get(), column, entry);
}

Optional<EnumState> find_enum_state(int32_t type_index) {
  set_waiting_enum_fields(type_index);
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr) return std::nullopt;
  return *record->state;
}

Optional<ObjectRef> find_enum_entry(int32_t type_index, const Any& index) {
  set_waiting_enum_fields(type_index);
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr) return std::nullopt;
  return (*record->state)->indexes.Get(index);
}

Array<Any> copy_enum_entries(int32_t type_index) {
  set_waiting_enum_fields(type_index);
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr) return {};
  Array<ObjectRef> entries;
  Map<Any, ObjectRef> indexes;
  for (const ObjectRef& entry : (*record->state)->entries) entries.push_back(entry);
  for (const auto& [index, entry] : (*record->state)->indexes) indexes.Set(index, entry);
  return {std::move(entries), std::move(indexes)};
}

std::optional<String> enum_name_of(const TVMFFIObject* object) {
  const Object* entry =
      detail::ObjectUnsafe::RawObjectPtrFromUnowned<Object>(const_cast<TVMFFIObject*>(object));
  if (entry->IsInstance<EnumObj>()) return static_cast<const EnumObj*>(entry)->_str_index;
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, object->type_index);
  if (record == nullptr) return std::nullopt;
  auto found = record->names.find(entry);
  if (found == record->names.end()) return std::nullopt;
  return found->second;
}

void unmark_enum(EnumSession* session, int32_t type_index) {
  session->drop(exchange_type_attr(type_index, kEnumStateName, Any()));
  adopt_state(session, type_index, std::nullopt);
}

void enum_state_changed(int32_t type_index) {
  EnumSession session;
  adopt_state(&session, type_index, load_type_attr(type_index, kEnumStateName).as<EnumState>());
  if (find_enum_record(&session, type_index) != nullptr) return;
  // A library compiled for apache-tvm-ffi 0.1.11 or 0.1.12 may have registered the enum as well.
  adopt_enum_dicts(&session, type_index);
}

}  // namespace tvm::ffi::runtime
