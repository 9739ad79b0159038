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

namespace tvm {
namespace ffi {
namespace runtime {
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

/*! \brief Check that no registered entry has the name, the number or the object of a new entry. */
void check_is_new(int32_t type_index, const EnumRecord& record, const String& name, int64_t number,
                  const ObjectRef& entry) {
  const EnumStateObj* state = record.state->get();
  if (state->indexes.count(name) != 0) {
    throw_duplicate_entry(type_index, name, "the name is taken");
  }
  if (std::optional<ObjectRef> owner = state->indexes.Get(number)) {
    auto known = record.names.find(owner->get());
    std::string owner_name = known == record.names.end() ? "?" : std::string(known->second);
    throw_duplicate_entry(type_index, name,
                          "index " + std::to_string(number) + " belongs to `" + owner_name + "`");
  }
  auto known = record.names.find(entry.get());
  if (known != record.names.end()) {
    throw_duplicate_entry(type_index, name,
                          "its object is registered as `" + std::string(known->second) + "`");
  }
}

/*!
 * \brief Return the number for a new entry. \throws Error ValueError if the object has another
 * name.
 */
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
      set_in_enum_state(session, record->state->get(), String(column->first), entry, *value);
      column->second.erase(name);
      session->drop(*std::move(value));
    }
    column = column->second.empty() ? waiting.erase(column) : std::next(column);
  }
}

/*! \brief Update the record after a client has replaced or changed the state. */
void adopt_state(EnumSession* session, int32_t type_index, EnumRecord* record, EnumState state) {
  bool is_current = record->state.has_value() && record->state->same_as(state) &&
                    record->num_indexes == state->indexes.size();
  if (is_current) return;
  record->names.clear();
  for (const auto& [index, entry] : state->indexes) {
    if (std::optional<String> name = index.as<String>()) record->names.emplace(entry.get(), *name);
  }
  if (record->state.has_value()) session->drop(Any(*std::move(record->state)));
  record->state = std::move(state);
  record->num_indexes = (*record->state)->indexes.size();
  if (!record->waiting_values.empty()) {
    for (const auto& [entry, name] : std::unordered_map<const Object*, String>(record->names)) {
      attach_waiting_values(session, record, name, GetRef<ObjectRef>(entry));
    }
  }
  publish_enum_entries(session, type_index, *record);
  set_type_is_enum(type_index, true);
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

/*! \brief Return the same as find_enum_record, but faster if nothing has changed. */
EnumRecord* current_record(EnumSession* session, int32_t type_index) {
  EnumRecords& records = enum_table().records;
  auto known = records.find(type_index);
  if (known != records.end() && known->second.state.has_value() &&
      !known->second.dicts.has_value() &&
      known->second.num_indexes == (*known->second.state)->indexes.size()) {
    return &known->second;
  }
  return find_enum_record(session, type_index);
}

}  // namespace

std::atomic<size_t> num_waiting_fields{0};

EnumSession::EnumSession(bool may_wait) : lock_(enum_table().mutex, std::defer_lock) {
  if (!lock_.try_lock() && may_wait) lock_.lock();
}

EnumRecords& EnumSession::records() { return enum_table().records; }

EnumRecord* find_enum_record(EnumSession* session, int32_t type_index) {
  std::optional<EnumState> state =
      detail::EnumStateFromSlot(AnyView(load_type_attr(type_index, kEnumStateName)));
  if (!state.has_value()) return nullptr;
  EnumRecord* record = &session->records()[type_index];
  adopt_state(session, type_index, record, *std::move(state));
  sync_enum_entries(session, type_index, record);
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
  session->drop(exchange_type_attr(type_index, kEnumStateName, Any(EnumState())));
  return find_enum_record(session, type_index);
}

void name_enum_entry(const String& name, int64_t number, const ObjectRef& entry) {
  auto* named = const_cast<EnumObj*>(entry.as<EnumObj>());
  if (named == nullptr) return;
  if (named->_int_index != number) named->_int_index = number;
  if (named->_str_index != name) named->_str_index = name;
}

void set_in_enum_state(EnumSession* session, EnumStateObj* state, const String& column,
                       const ObjectRef& entry, const Any& value) {
  std::optional<Dict<ObjectRef, Any>> values = state->attrs.Get(column);
  if (!values.has_value()) state->attrs.Set(column, values.emplace());
  set_and_drop(session, &*values, entry, value);
}

void add_entry_to_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                         const String& name, std::optional<int64_t> number,
                         const ObjectRef& entry) {
  check_enum_instance(type_index, entry);
  EnumStateObj* state = record->state->get();
  auto num_entries = static_cast<int64_t>(state->entries.size());
  int64_t index = number_entry(type_index, name, number, num_entries, entry);
  check_is_new(type_index, *record, name, index, entry);
  insert_into_state(state, name, index, entry);
  // If one of the next statements fails, the next lookup of the enum finds the entry in the state,
  // and updates the record and the view.
  name_enum_entry(name, index, entry);
  record->names.emplace(entry.get(), name);
  if (LoadScope::current() != nullptr)
    record->owners[std::string(name)] = LoadScope::current_owner();
  attach_waiting_values(session, record, name, entry);
  TypeAttrNode* view = find_or_add_type_attr(kEnumEntriesName);
  set_in_enum_view(session, type_index, view, name, Any(entry));
  record->num_indexes = state->indexes.size();
}

void set_attr_of_entry(EnumSession* session, int32_t type_index, EnumRecord* record,
                       const String& column, const String& name, const ObjectRef& entry,
                       const Any& value) {
  // First synchronize the value with the Dicts. Otherwise the next comparison could find that both
  // sides have changed, and could not tell which value is newer.
  sync_enum_attr(session, type_index, record, column, entry);
  set_in_enum_state(session, record->state->get(), column, entry, value);
  set_in_enum_view(session, type_index, find_column_view(record, column), name, value);
  sync_enum_attr(session, type_index, record, column, entry);
}

void set_attr_in_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                        const String& column, const String& name, const Any& value) {
  if (std::optional<ObjectRef> entry = (*record->state)->indexes.Get(name)) {
    set_attr_of_entry(session, type_index, record, column, name, *entry, value);
    return;
  }
  record->waiting_values[std::string(column)].Set(name, value);
  set_in_enum_view(session, type_index, find_column_view(record, column), name, value);
}

void check_enum_instance(int32_t type_index, const ObjectRef& entry) {
  int32_t actual = entry.type_index();
  if (actual == type_index) return;
  const TVMFFITypeInfo* type = find_type(type_index);
  if (entry.defined() && detail::IsDescendant(actual, type_index, type->type_depth)) return;
  TVM_FFI_THROW(TypeError) << "Expected an instance of `" << ToStringView(type->type_key)
                           << "` as its enum entry, but got `"
                           << detail::TypeNameInText(entry.type_index()) << "`";
}

void throw_duplicate_entry(int32_t type_index, const String& name, const std::string& reason) {
  TVM_FFI_THROW(ValueError) << "Duplicate enum index for type `" << TypeIndexToTypeKey(type_index)
                            << "`: cannot register `" << name << "`, " << reason;
  TVM_FFI_UNREACHABLE();
}

EnumState mark_enum(int32_t type_index) {
  LoadScope::run_deferred_blocks();
  EnumSession session;
  note_enum_change(&session, type_index);
  return *mark_enum_record(&session, type_index)->state;
}

void add_enum_entry(int32_t type_index, const String& name, std::optional<int64_t> number,
                    const ObjectRef& entry, const Map<String, Any>& fields) {
  LoadScope::run_deferred_blocks();
  // The name of an entry of a StrEnum is its payload, which can be any text. In Python, the class
  // attribute of the variant has another name.
  if (entry.as<StrEnumObj>() == nullptr) {
    check_enum_member_name(type_index, "variant", {name.data(), name.size()});
  }
  EnumSession session;
  note_enum_change(&session, type_index);
  EnumRecord* record = mark_enum_record(&session, type_index);
  add_entry_to_record(&session, type_index, record, name, number, entry);
  sync_enum_entries(&session, type_index, record);
  sync_enum_attrs(&session, type_index, record);
  for (const auto& [field, value] : fields) {
    record->waiting_fields.push_back({entry, field, value});
    num_waiting_fields.fetch_add(1, std::memory_order_relaxed);
  }
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
  EnumRecord* record = current_record(&session, type_index);
  if (record == nullptr || entry.type_index() != type_index) return false;
  auto name = record->names.find(entry.get());
  if (name == record->names.end()) return false;
  // The copy of the name stays valid while hooks of the entries run.
  set_attr_of_entry(&session, type_index, record, column, String(name->second), entry, value);
  return true;
}

Any find_enum_attr(int32_t type_index, const String& column, const ObjectRef& entry,
                   bool may_wait) {
  EnumSession session(may_wait);
  if (!session.has_lock()) return kwargs_object();
  EnumRecord* record = current_record(&session, type_index);
  if (record == nullptr) return missing_object();
  sync_enum_attr(&session, type_index, record, column, entry);
  return value_of(&session, *record->state->get(), column, entry);
}

std::optional<ObjectRef> find_enum_entry(int32_t type_index, const Any& index) {
  if (!find_enum_state(type_index).has_value()) return std::nullopt;
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr) return std::nullopt;
  return (*record->state)->indexes.Get(index);
}

std::optional<EnumSnapshot> copy_enum_entries(int32_t type_index) {
  if (!find_enum_state(type_index).has_value()) return std::nullopt;
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record == nullptr) return std::nullopt;
  EnumSnapshot copy;
  for (const ObjectRef& entry : (*record->state)->entries) copy.entries.push_back(entry);
  for (const auto& [index, entry] : (*record->state)->indexes) copy.indexes.Set(index, entry);
  return copy;
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

void forget_enum_state(EnumSession* session, int32_t type_index) {
  set_type_is_enum(type_index, false);
  auto known = session->records().find(type_index);
  if (known == session->records().end()) return;
  EnumRecord& record = known->second;
  if (!record.state.has_value()) return;
  for (const auto& [column, values] : (*record.state)->attrs) {
    session->drop(exchange_type_attr(type_index, name_of_enum_view(column), Any()));
  }
  session->drop(exchange_type_attr(type_index, kEnumEntriesName, Any()));
  session->drop(Any(*std::move(record.state)));
  record.state.reset();
  record.names.clear();
  record.dicts.reset();
}

void enum_state_changed(int32_t type_index) {
  EnumSession session;
  Any slot = load_type_attr(type_index, kEnumStateName);
  if (slot.as<EnumState>().has_value()) {
    find_enum_record(&session, type_index);
    return;
  }
  forget_enum_state(&session, type_index);
  // A library compiled for apache-tvm-ffi 0.1.11 or 0.1.12 may have registered the enum as well.
  adopt_enum_dicts(&session, type_index);
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
