// SPDX-License-Identifier: Apache-2.0
// The Dicts in which libraries compiled for apache-tvm-ffi 0.1.11 and 0.1.12 keep an enum, and the
// synchronization of these Dicts with the state. In this file, "the state" is the EnumStateObj of
// the enum, the runtime's own record of its entries and values; "the library" is the library that
// registered the Dicts.
//
// Such a library registers an empty Dict as `__ffi_enum_entries__` and another empty Dict as
// `__ffi_enum_attrs__`. Then it adds entries to the first Dict, and values of entries to the second
// Dict, without calling the runtime. So each lookup compares the Dicts with the state. Entries are
// compared only if the number of entries in the Dict or in the state has changed. Each value in the
// Dict and in the state is compared with the value at the last comparison. The side whose value has
// changed since then has the newer value; if both have changed, the value of the Dict is used.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/error.h>

#include <atomic>
#include <utility>
#include <vector>

#include "core/enum_record.h"
#include "core/enum_store.h"
#include "core/load_scope.h"
#include "core/type_attr.h"

namespace tvm::ffi::runtime {
namespace {

std::atomic<bool> has_dicts{false};

/*! \brief Whether the enum is an IntEnum: the number of an entry is then its payload, not its
 * position. */
bool has_own_numbers(int32_t type_index) {
  return detail::IsObjectInstance<IntEnumObj>(type_index);
}

/*! \brief Return the Dict in the type attribute `name`, or std::nullopt if there is no Dict. */
std::optional<Dict<Any, Any>> dict_in_slot(int32_t type_index, std::string_view name) {
  return load_type_attr(type_index, name).as<Dict<Any, Any>>();
}

std::vector<std::pair<Any, Any>> items_of(const Dict<Any, Any>& dict) {
  std::vector<std::pair<Any, Any>> items;
  for (const auto& [key, value] : dict) items.emplace_back(key, value);
  return items;
}

// ---- entries

String name_in_dict(int32_t type_index, const Any& key) {
  std::optional<String> name = key.as<String>();
  if (name.has_value()) return *std::move(name);
  TVM_FFI_THROW(TypeError) << "Expected names as keys of `" << kEnumEntryDictName << "` of enum `"
                           << TypeIndexToTypeKey(type_index) << "`, but got `"
                           << detail::TypeNameInText(key.type_index()) << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return a number that no entry of the state has. */
int64_t unused_number(const EnumStateObj& state) {
  auto number = static_cast<int64_t>(state.entries.size());
  while (state.indexes.count(number) != 0) ++number;
  return number;
}

/*! \brief Add to the state the entries that only the Dict has. */
void import_entries(EnumSession* session, int32_t type_index, EnumRecord* record) {
  Dict<Any, Any> dict = *record->dicts->entries;
  EnumStateObj* state = record->state->get();
  for (const auto& [key, value] : items_of(dict)) {
    String name = name_in_dict(type_index, key);
    if (std::optional<ObjectRef> known = state->indexes.Get(name)) {
      if (known->same_as(value.as<ObjectRef>().value_or(ObjectRef()))) continue;
      // This name was registered in the Dict and in the state since the last comparison. Keep the
      // entry of the state in both.
      dict.Set(name, *known);
      session->drop(value);
      continue;
    }
    ObjectRef entry = enum_entry_from_client(type_index, name, value);
    std::optional<int64_t> number;
    // number_by_position() gives the entry its position.
    if (!has_own_numbers(type_index)) number = unused_number(*state);
    add_entry_to_record(session, type_index, record, name, number, entry);
  }
}

/*! \brief Add to the Dict the entries that only the state has. */
void export_entries(EnumRecord* record) {
  Dict<Any, Any> dict = *record->dicts->entries;
  for (const ObjectRef& entry : (*record->state)->entries) {
    auto name = record->names.find(entry.get());
    if (name != record->names.end() && dict.count(name->second) == 0) {
      dict.Set(name->second, Any(entry));
    }
  }
}

/*! \brief Give the entries of the state the numbers and the order that they have in the Dict. */
void number_by_position(EnumRecord* record) {
  EnumStateObj* state = record->state->get();
  std::vector<std::pair<Any, Any>> items = items_of(*record->dicts->entries);
  auto size = static_cast<int64_t>(items.size());
  // Keep entries without a name: a client first adds an entry to the state, and gives it a name
  // afterwards.
  std::vector<ObjectRef> unnamed;
  for (const ObjectRef& entry : state->entries) {
    if (record->names.count(entry.get()) == 0) unnamed.push_back(entry);
  }
  state->entries.clear();
  for (int64_t i = 0; i < size; ++i) {
    auto entry = items[i].second.cast<ObjectRef>();
    state->entries.push_back(entry);
    state->indexes.Set(i, entry);
    name_enum_entry(items[i].first.cast<String>(), i, entry);
  }
  for (const ObjectRef& entry : unnamed) state->entries.push_back(entry);
  std::vector<Any> stale;
  for (const auto& [index, entry] : state->indexes) {
    std::optional<int64_t> number = index.as<int64_t>();
    if (number.has_value() && (*number < 0 || *number >= size)) stale.push_back(index);
  }
  for (const Any& index : stale) state->indexes.erase(index);
}

/*! \brief Record the order and the number of the entries, for the next comparison. */
void note_order(EnumRecord* record) {
  EnumDicts& dicts = *record->dicts;
  dicts.order.clear();
  if (dicts.entries.has_value()) {
    for (const auto& [name, entry] : items_of(*dicts.entries)) {
      dicts.order.push_back(entry.cast<ObjectRef>());
    }
    dicts.num_entries = dicts.entries->size();
  } else {
    for (const ObjectRef& entry : (*record->state)->entries) dicts.order.push_back(entry);
  }
  dicts.num_indexes = (*record->state)->indexes.size();
  record->num_indexes = dicts.num_indexes;
}

void sync_entries(EnumSession* session, int32_t type_index, EnumRecord* record) {
  const EnumDicts& dicts = *record->dicts;
  size_t num_entries = dicts.entries.has_value() ? dicts.entries->size() : 0;
  size_t num_indexes = (*record->state)->indexes.size();
  if (num_entries == dicts.num_entries && num_indexes == dicts.num_indexes) return;
  if (dicts.entries.has_value()) {
    import_entries(session, type_index, record);
    export_entries(record);
    if (!has_own_numbers(type_index)) number_by_position(record);
  }
  note_order(record);
}

// ---- values

/*! \brief Return the List of a column in the Dict of the library; add it if it does not exist. */
List<Any> list_of_column(EnumSession* session, int32_t type_index, EnumDicts* dicts,
                         const String& column) {
  if (!dicts->attrs.has_value()) {
    dicts->attrs.emplace();
    session->drop(exchange_type_attr(type_index, kEnumAttrDictName, Any(*dicts->attrs)));
  }
  if (std::optional<Any> value = dicts->attrs->Get(column)) {
    if (std::optional<List<Any>> list = value->as<List<Any>>()) return *std::move(list);
    session->drop(*std::move(value));
  }
  List<Any> list;
  dicts->attrs->Set(column, Any(list));
  return list;
}

/*!
 * \brief Synchronize one column: copy each value that has changed in the List or in the state since
 * the last comparison to the other side. None in the List means that the entry has no value.
 * \return whether the state has changed.
 */
bool sync_column(EnumSession* session, int32_t type_index, EnumRecord* record,
                 const String& column) {
  EnumDicts* dicts = &*record->dicts;
  EnumStateObj* state = record->state->get();
  std::optional<Any> found = dicts->attrs.has_value() ? dicts->attrs->Get(column) : std::nullopt;
  std::optional<List<Any>> list = found.value_or(Any()).as<List<Any>>();
  std::vector<Any>& cells = dicts->cells[std::string(column)];
  std::vector<ObjectRef> order = dicts->order;
  if (cells.size() < order.size()) cells.resize(order.size());
  bool is_changed = false;
  for (size_t i = 0; i < order.size(); ++i) {
    auto position = static_cast<int64_t>(i);
    Any cell = list.has_value() && i < list->size() ? (*list)[position] : Any();
    std::optional<Dict<ObjectRef, Any>> values = state->attrs.Get(column);
    std::optional<Any> value = values.has_value() ? values->Get(order[i]) : std::nullopt;
    bool is_cell_changed = !cell.same_as(cells[i]);
    if (!is_cell_changed) cell = value.value_or(Any());
    if (is_cell_changed || (value.has_value() && cell == nullptr)) {
      set_in_enum_state(session, state, column, order[i], cell == nullptr ? nullptr : &cell);
      is_changed = true;
    }
    if (cell.same_as(cells[i])) continue;
    if (!is_cell_changed) {
      if (!list.has_value()) list = list_of_column(session, type_index, dicts, column);
      while (list->size() <= i) list->push_back(Any());
      list->Set(position, cell);
    }
    session->drop(std::exchange(cells[i], std::move(cell)));
  }
  return is_changed;
}

/*! \brief Return the names of the columns in the state and in the Dict of the library. */
std::vector<String> columns_of(const EnumRecord& record) {
  std::vector<String> columns;
  if (record.dicts->attrs.has_value()) {
    for (const auto& [column, list] : items_of(*record.dicts->attrs)) {
      if (std::optional<String> name = column.as<String>()) columns.push_back(*std::move(name));
    }
  }
  for (const auto& [column, values] : (*record.state)->attrs) {
    bool is_known = record.dicts->attrs.has_value() && record.dicts->attrs->count(column) != 0;
    if (!is_known) columns.push_back(column);
  }
  return columns;
}

void check_attrs(int32_t type_index, const Dict<Any, Any>& attrs) {
  for (const auto& [column, list] : items_of(attrs)) {
    if (column.as<String>().has_value() && list.as<List<Any>>().has_value()) continue;
    TVM_FFI_THROW(TypeError) << "Expected names of columns and `ffi.List` in `" << kEnumAttrDictName
                             << "` of enum `" << TypeIndexToTypeKey(type_index) << "`, but got `"
                             << detail::TypeNameInText(column.type_index()) << "` and `"
                             << detail::TypeNameInText(list.type_index()) << "`";
  }
}

}  // namespace

void sync_enum_record(EnumSession* session, int32_t type_index, EnumRecord* record) {
  if (!record->dicts.has_value()) return;
  sync_entries(session, type_index, record);
  bool is_changed = false;
  for (const String& column : columns_of(*record)) {
    is_changed |= sync_column(session, type_index, record, column);
  }
  if (is_changed) update_enum_views(session, type_index);
}

void rewrite_enum_dicts(EnumSession* session, int32_t type_index, EnumRecord* record) {
  if (!record->dicts.has_value()) return;
  EnumDicts& dicts = *record->dicts;
  if (dicts.entries.has_value()) {
    for (const auto& [name, entry] : items_of(*dicts.entries)) session->drop(entry);
    dicts.entries->clear();
    export_entries(record);
    if (!has_own_numbers(type_index)) number_by_position(record);
  }
  note_order(record);
  if (dicts.attrs.has_value()) {
    for (const auto& [column, value] : items_of(*dicts.attrs)) {
      std::optional<List<Any>> list = value.as<List<Any>>();
      if (!list.has_value()) continue;
      for (const Any& cell : *list) session->drop(cell);
      list->clear();
    }
  }
  for (auto& [column, cells] : dicts.cells) {
    for (Any& cell : cells) session->drop(std::move(cell));
  }
  dicts.cells.clear();
  sync_enum_record(session, type_index, record);
}

void adopt_enum_dicts(EnumSession* session, int32_t type_index) {
  std::optional<Dict<Any, Any>> entries = dict_in_slot(type_index, kEnumEntryDictName);
  std::optional<Dict<Any, Any>> attrs = dict_in_slot(type_index, kEnumAttrDictName);
  if (!entries.has_value() && !attrs.has_value()) return;
  if (attrs.has_value()) check_attrs(type_index, *attrs);
  EnumRecord* record = mark_enum_record(session, type_index);
  auto num_entries = static_cast<size_t>((*record->state)->entries.size());
  has_dicts.store(true, std::memory_order_relaxed);
  EnumDicts dicts;
  dicts.entries = std::move(entries);
  dicts.attrs = std::move(attrs);
  // A state cannot have this number of indexes, so the next call of sync_entries compares the
  // entries.
  dicts.num_indexes = static_cast<size_t>(-1);
  if (record->dicts.has_value()) dicts.cells = std::move(record->dicts->cells);
  record->dicts = std::move(dicts);
  try {
    sync_enum_record(session, type_index, record);
  } catch (...) {
    record->dicts.reset();
    remove_later_entries(session, type_index, record, num_entries);
    throw;
  }
}

void enum_dict_changed(int32_t type_index, std::string_view name) {
  EnumSession session;
  auto known = session.records().find(type_index);
  EnumRecord* record = known == session.records().end() ? nullptr : &known->second;
  bool is_empty = load_type_attr(type_index, kEnumEntryDictName) == nullptr &&
                  load_type_attr(type_index, kEnumAttrDictName) == nullptr;
  if (is_empty) {
    if (record != nullptr) record->dicts.reset();
    return;
  }
  bool was_enum = record != nullptr && record->state.has_value();
  note_enum_change(&session, type_index);
  try {
    adopt_enum_dicts(&session, type_index);
  } catch (...) {
    session.drop(exchange_type_attr(type_index, name, Any()));
    if (!was_enum) unmark_enum(&session, type_index);
    throw;
  }
}

bool has_enum_dicts() { return has_dicts.load(std::memory_order_relaxed); }

void sync_all_enum_dicts() {
  if (!has_enum_dicts()) return;
  EnumSession session;
  std::vector<int32_t> concerned;
  for (const auto& [type_index, record] : session.records()) {
    if (record.dicts.has_value()) concerned.push_back(type_index);
  }
  for (int32_t type_index : concerned) {
    try {
      note_enum_change(&session, type_index, /*is_certain=*/false);
      find_enum_record(&session, type_index);
    } catch (const Error&) {
      continue;  // A lookup in the enum reports the error.
    }
  }
}

}  // namespace tvm::ffi::runtime
