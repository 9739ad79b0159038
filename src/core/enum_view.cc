// SPDX-License-Identifier: Apache-2.0
// The views of enums, which are computed from the state of the enum (core/enum_store.h) when they
// are read. When a client writes a view, its items are merged into the state.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/enum_record.h"
#include "core/enum_store.h"
#include "core/type_attr.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief The views that were published, and whether clients read the column of the view. Guarded
 * by the lock of the store, never destroyed. */
std::map<std::string, bool>& published_views() {
  static auto& views = *new std::map<std::string, bool>();
  return views;
}

/*! \brief Check that a value registered as a view is a map with String keys; return the map. */
Map<String, Any> view_from_client(std::string_view name, const Any& value) {
  std::optional<Map<String, Any>> items = value.try_cast<Map<String, Any>>();
  if (!items.has_value()) {
    TVM_FFI_THROW(TypeError) << "Expected a Map or Dict with String keys as `" << name
                             << "`, but got `" << detail::TypeNameInText(value.type_index()) << "`";
  }
  return *std::move(items);
}

/*! \brief Check that all entries of a map can be registered. \throws Error TypeError or
 * ValueError. */
void check_entries(int32_t type_index, const EnumRecord& record, const Map<String, Any>& items) {
  for (const auto& [name, value] : items) {
    ObjectRef entry = enum_entry_from_client(type_index, name, value);
    std::optional<ObjectRef> known = (*record.state)->indexes.Get(name);
    if (known.has_value() && known->same_as(entry)) continue;
    check_enum_entry(type_index, record, name, std::nullopt, entry);
  }
}

void merge_entries(EnumSession* session, int32_t type_index, const Map<String, Any>& items) {
  note_enum_change(session, type_index);
  EnumRecord* record = mark_enum_record(session, type_index);
  check_entries(type_index, *record, items);
  size_t num_entries = (*record->state)->entries.size();
  try {
    for (const auto& [name, value] : items) {
      if ((*record->state)->indexes.count(name) != 0) continue;
      add_entry_to_record(session, type_index, record, name, std::nullopt, value.cast<ObjectRef>());
    }
    sync_enum_record(session, type_index, record);
  } catch (...) {
    remove_later_entries(session, type_index, record, num_entries);
    throw;
  }
}

/*! \brief Return the content of a view. */
Map<String, Any> content_of(const EnumRecord& record, std::string_view name) {
  Map<String, Any> content;
  std::string_view text = column_of_enum_view(name);
  if (text.empty()) {
    for (const auto& [index, entry] : (*record.state)->indexes) {
      if (std::optional<String> key = index.as<String>()) content.Set(*key, entry);
    }
    return content;
  }
  String column(text.data(), text.size());
  if (std::optional<Dict<ObjectRef, Any>> values = (*record.state)->attrs.Get(column)) {
    for (const ObjectRef& entry : (*record.state)->entries) {
      auto key = record.names.find(entry.get());
      if (key == record.names.end()) continue;
      if (std::optional<Any> value = values->Get(entry)) content.Set(key->second, *value);
    }
  }
  auto waiting = record.waiting_values.find(std::string(column));
  if (waiting != record.waiting_values.end()) {
    for (const auto& [key, value] : waiting->second) content.Set(key, value);
  }
  return content;
}

bool is_same(const Map<String, Any>& content, const Map<String, Any>& other) {
  if (content.size() != other.size()) return false;
  return std::all_of(content.begin(), content.end(), [&](const auto& item) {
    std::optional<Any> value = other.Get(item.first);
    return value.has_value() && value->same_as(item.second);
  });
}

/*! \brief Set the view of a type to the present content; to None for a column without values. */
void publish(EnumSession* session, int32_t type_index, std::string_view name) {
  auto record = session->records().find(type_index);
  std::optional<Map<String, Any>> content;
  if (record != session->records().end() && record->second.state.has_value()) {
    content = content_of(record->second, name);
    if (content->empty() && name != kEnumEntriesName) content.reset();
  }
  std::optional<Map<String, Any>> current = load_type_attr(type_index, name).as<Map<String, Any>>();
  if (content.has_value() == current.has_value() && (!content || is_same(*content, *current))) {
    return;
  }
  published_views().emplace(name, false);
  session->drop(exchange_type_attr(type_index, name, content ? Any(*content) : Any()));
}

}  // namespace

void update_enum_views(EnumSession* session, int32_t type_index) {
  for (const auto& [name, is_column] : published_views()) {
    if (is_column) {
      publish(session, type_index, name);
    } else {
      session->drop(exchange_type_attr(type_index, name, Any()));
    }
  }
}

bool merge_enum_view(int32_t type_index, std::string_view name, const Any& value) {
  if (!is_enum_view(name)) return false;
  if (value == nullptr) return true;
  Map<String, Any> items = view_from_client(name, value);
  EnumSession session;
  if (name == kEnumEntriesName) {
    merge_entries(&session, type_index, items);
    return true;
  }
  note_enum_change(&session, type_index);
  EnumRecord* record = mark_enum_record(&session, type_index);
  std::string_view column = column_of_enum_view(name);
  for (const auto& [key, item] : items) {
    set_attr_in_record(&session, type_index, record, String(column.data(), column.size()), key,
                       item);
  }
  return true;
}

void update_enum_attr(int32_t type_index, std::string_view name) {
  bool is_view = is_enum_view(name);
  if (!is_view && !(is_enum_storage(name) && has_enum_dicts())) return;
  EnumSession session;
  find_enum_record(&session, type_index);
  if (is_view) publish(&session, type_index, name);
}

bool update_enum_attr_of_all(std::string_view name) {
  if (is_enum_storage(name)) {
    sync_all_enum_dicts();
    return true;
  }
  if (!is_enum_view(name)) return false;
  EnumSession session;
  published_views()[std::string(name)] = true;
  for (const auto& [type_index, known] : session.records()) {
    find_enum_record(&session, type_index);
    publish(&session, type_index, name);
  }
  return true;
}

void enum_attr_changed(int32_t type_index, std::string_view name) {
  if (name == kEnumStateName) enum_state_changed(type_index);
  if (is_enum_dict(name)) enum_dict_changed(type_index, name);
}

}  // namespace tvm::ffi::runtime
