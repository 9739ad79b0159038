// SPDX-License-Identifier: Apache-2.0
// The published views of enums, which are made from the state of the enum (core/enum_store.h).
// When a client writes a view, its items are merged into the state.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/error.h>

#include <functional>
#include <utility>
#include <vector>

#include "core/enum_record.h"
#include "core/enum_store.h"
#include "core/type_attr.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

/*!
 * \brief Return the map that the type attribute of a view contains; an empty map if the attribute
 * is None. The attribute cannot have any other value.
 */
Map<Any, Any> view_in_slot(Any slot) {
  std::optional<Map<Any, Any>> view = std::move(slot).as<Map<Any, Any>>();
  return view.has_value() ? *std::move(view) : Map<Any, Any>();
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

/*!
 * \brief Check that all entries of a map can be registered. \throws Error TypeError or ValueError.
 */
void check_entries(int32_t type_index, const EnumRecord& record, const Map<String, Any>& items) {
  for (const auto& [name, value] : items) {
    std::optional<ObjectRef> entry = value.as<ObjectRef>();
    if (!entry.has_value()) {
      TVM_FFI_THROW(TypeError) << "Expected an object as entry `" << name << "` of enum `"
                               << TypeIndexToTypeKey(type_index) << "`, but got `"
                               << detail::TypeNameInText(value.type_index()) << "`";
    }
    std::optional<ObjectRef> known = (*record.state)->indexes.Get(name);
    if (known.has_value()) {
      if (!known->same_as(*entry)) {
        throw_duplicate_entry(type_index, name, "the name is taken");
      }
      continue;
    }
    auto registered = record.names.find(entry->get());
    if (registered != record.names.end()) {
      throw_duplicate_entry(
          type_index, name,
          "its object is registered as `" + std::string(registered->second) + "`");
    }
    check_enum_instance(type_index, *entry);
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
    sync_enum_entries(session, type_index, record);
  } catch (...) {
    remove_later_entries(session, type_index, record, num_entries);
    throw;
  }
}

bool is_same_value(const Any& lhs, const std::optional<Any>& rhs) {
  return rhs.has_value() && lhs.same_as(*rhs);
}

/*! \brief Return the content of the view of a column, in the order of the entries. */
Map<String, Any> content_of_column(const EnumRecord& record, const String& column) {
  Map<String, Any> content;
  if (std::optional<Dict<ObjectRef, Any>> values = (*record.state)->attrs.Get(column)) {
    for (const ObjectRef& entry : (*record.state)->entries) {
      auto name = record.names.find(entry.get());
      if (name == record.names.end()) continue;
      if (std::optional<Any> value = values->Get(entry)) content.Set(name->second, *value);
    }
  }
  auto waiting = record.waiting_values.find(std::string(column));
  if (waiting != record.waiting_values.end()) {
    for (const auto& [name, value] : waiting->second) content.Set(name, value);
  }
  return content;
}

void publish(EnumSession* session, int32_t type_index, std::string_view name, EnumRecord* record) {
  // Each lookup of the record updates the view of the entries, so only columns need an update here.
  std::string_view column = column_of_enum_view(name);
  if (column.empty()) return;
  sync_enum_attrs(session, type_index, record);
  publish_enum_column(session, type_index, *record, String(column.data(), column.size()));
}

}  // namespace

std::string name_of_enum_view(const String& column) {
  std::string name;
  name.reserve(kEnumAttrPrefix.size() + column.size() + kEnumAttrSuffix.size());
  name.append(kEnumAttrPrefix).append(column.data(), column.size()).append(kEnumAttrSuffix);
  return name;
}

TypeAttrNode* find_column_view(EnumRecord* record, const String& column) {
  EnumColumnView* view = &record->last_view;
  if (view->attr == nullptr || view->column != column) {
    *view = EnumColumnView{column, find_or_add_type_attr(name_of_enum_view(column))};
  }
  return view->attr;
}

void set_in_enum_view(EnumSession* session, int32_t type_index, TypeAttrNode* view,
                      const String& key, const Any& value) {
  Any name(key);  // converted once for several lookups
  auto change = [&](Any* slot) {
    Map<Any, Any> items = view_in_slot(std::move(*slot));
    struct PutBack {
      Map<Any, Any>* items;
      Any* slot;
      ~PutBack() { *slot = Any(std::move(*items)); }
    } put_back{&items, slot};
    set_and_drop(session, &items, name, value);
  };
  update_type_attr(type_index, view, std::ref(change));  // std::ref avoids an allocation
}

void publish_enum_entries(EnumSession* session, int32_t type_index, const EnumRecord& record) {
  Map<String, ObjectRef> view;
  for (const auto& [index, entry] : (*record.state)->indexes) {
    if (std::optional<String> name = index.as<String>()) view.Set(*name, entry);
  }
  session->drop(exchange_type_attr(type_index, kEnumEntriesName, Any(std::move(view))));
}

void publish_enum_column(EnumSession* session, int32_t type_index, const EnumRecord& record,
                         const String& column) {
  std::string name = name_of_enum_view(column);
  Any slot = load_type_attr(type_index, name);
  Map<String, Any> content = content_of_column(record, column);
  if (content.empty() && slot == nullptr) return;
  Map<Any, Any> current = view_in_slot(slot);
  bool is_same = content.size() == current.size();
  for (auto item = content.begin(); is_same && item != content.end(); ++item) {
    is_same = is_same_value((*item).second, current.Get((*item).first));
  }
  if (is_same) return;
  session->drop(exchange_type_attr(type_index, name, Any(std::move(content))));
}

void merge_enum_view(int32_t type_index, std::string_view name, const Any& value) {
  if (value == nullptr) return;
  Map<String, Any> items = view_from_client(name, value);
  EnumSession session;
  std::string_view column = column_of_enum_view(name);
  if (column.empty()) {
    merge_entries(&session, type_index, items);
    return;
  }
  note_enum_change(&session, type_index);
  EnumRecord* record = mark_enum_record(&session, type_index);
  String kept(column.data(), column.size());
  for (const auto& [key, item] : items) {
    set_attr_in_record(&session, type_index, record, kept, key, item);
  }
}

void publish_enum_view(int32_t type_index, std::string_view name) {
  EnumSession session;
  EnumRecord* record = find_enum_record(&session, type_index);
  if (record != nullptr) publish(&session, type_index, name, record);
}

void publish_enum_view_of_all(std::string_view name) {
  EnumSession session;
  for (const auto& [type_index, known] : session.records()) {
    if (!known.state.has_value()) continue;
    EnumRecord* record = find_enum_record(&session, type_index);
    if (record != nullptr) publish(&session, type_index, name, record);
  }
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
