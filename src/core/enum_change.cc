// SPDX-License-Identifier: Apache-2.0
// What a library load does to an enum: adds entries and values, or registers its entries again.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/enum_record.h"
#include "core/enum_store.h"
#include "core/load_scope.h"
#include "core/type_attr.h"
#include "core/type_change.h"
#include "core/type_entry.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

/*! \brief Copy of the content of a state; the containers in a state are changed in place. */
struct StateContent {
  std::vector<ObjectRef> entries;
  std::vector<std::pair<Any, ObjectRef>> indexes;
  std::vector<std::pair<String, std::vector<std::pair<ObjectRef, Any>>>> attrs;

  explicit StateContent(const EnumStateObj& state) {
    for (const ObjectRef& entry : state.entries) entries.push_back(entry);
    for (const auto& [index, entry] : state.indexes) indexes.emplace_back(index, entry);
    for (const auto& [column, values] : state.attrs) {
      attrs.emplace_back(column, std::vector<std::pair<ObjectRef, Any>>());
      for (const auto& [entry, value] : values) attrs.back().second.emplace_back(entry, value);
    }
  }

  void put_into(EnumStateObj* state) const {
    state->entries.clear();
    for (const ObjectRef& entry : entries) state->entries.push_back(entry);
    state->indexes.clear();
    for (const auto& [index, entry] : indexes) state->indexes.Set(index, entry);
    state->attrs.clear();
    for (const auto& [column, values] : attrs) {
      Dict<ObjectRef, Any> copy;
      for (const auto& [entry, value] : values) copy.Set(entry, value);
      state->attrs.Set(column, copy);
    }
  }
};

/*! \brief The recorded change of one enum in one load. */
class EnumChange final : public LoadChange {
 public:
  EnumChange(EnumSession* session, int32_t type_index) : type_index_(type_index) {
    if (EnumRecord* record = find_enum_record(session, type_index)) {
      content_ = std::make_unique<StateContent>(*(*record->state).get());
    }
    former_ = session->records()[type_index];
  }

  void keep() noexcept override {
    try {
      if (content_ != nullptr) note_changed_type(type_index_);
    } catch (const std::bad_alloc&) {
      return;  // A frontend shows the former entries.
    }
  }

  void undo() noexcept override {
    try {
      EnumSession session;
      restore(&session);
    } catch (const std::exception&) {
      return;  // Out of memory: the state stays as it is.
    }
  }

 private:
  /*! \brief Clear the views of all columns, those of the failed load included. */
  void clear_views(EnumSession* session, const EnumRecord& record) {
    auto clear = [&](const String& column) {
      session->drop(exchange_type_attr(type_index_, name_of_enum_view(column), Any()));
    };
    if (record.state.has_value()) {
      for (const auto& [column, values] : (*record.state)->attrs) clear(column);
    }
    for (const auto& [column, values] : record.waiting_values) clear(String(column));
  }

  void restore(EnumSession* session) {
    EnumRecord* record = &session->records()[type_index_];
    clear_views(session, *record);
    num_waiting_fields.fetch_sub(record->waiting_fields.size(), std::memory_order_relaxed);
    num_waiting_fields.fetch_add(former_.waiting_fields.size(), std::memory_order_relaxed);
    if (content_ == nullptr) {
      session->drop(exchange_type_attr(type_index_, kEnumStateName, Any()));
      enum_state_changed(type_index_);
      *record = std::move(former_);
      return;
    }
    content_->put_into(record->state->get());
    *record = std::move(former_);
    publish_enum_entries(session, type_index_, *record);
    for (const auto& [column, values] : (*record->state)->attrs) {
      publish_enum_column(session, type_index_, *record, column);
    }
    for (const auto& [column, values] : record->waiting_values) {
      publish_enum_column(session, type_index_, *record, String(column));
    }
  }

  int32_t type_index_;
  /*! \brief NULL: the type was not an enum. */
  std::unique_ptr<StateContent> content_;
  EnumRecord former_;
};

/*! \brief Remove the entries that the load is expected to register again. */
void remove_former_entries(EnumSession* session, int32_t type_index, const TypeChange* change) {
  EnumRecord* record = find_enum_record(session, type_index);
  if (record == nullptr) return;
  Owner now = LoadScope::current_owner();
  auto is_former = [&](const Owner& owner) {
    if (owner.load == 0 || owner.load == now.load) return false;
    bool is_of_former_definition = change != nullptr && change->is_redefinition() &&
                                   change->former_owner().origin == owner.origin;
    return is_of_former_definition || is_defined_again(owner, now);
  };
  remove_entries(session, type_index, record, [&](const ObjectRef& entry) {
    auto name = record->names.find(entry.get());
    if (name == record->names.end()) return false;
    auto owner = record->owners.find(std::string(name->second));
    return owner != record->owners.end() && is_former(owner->second);
  });
}

}  // namespace

void note_enum_change(EnumSession* session, int32_t type_index) {
  LoadScope* scope = LoadScope::current();
  TypeEntry* type = find_type_entry(type_index);
  if (scope == nullptr || type == nullptr) return;
  const void* key = &type->has_enum_state;
  if (scope->find(key) != nullptr) return;
  scope->add(key, std::make_unique<EnumChange>(session, type_index));
  remove_former_entries(session, type_index, static_cast<TypeChange*>(scope->find(type)));
}

void remove_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                    const std::function<bool(const ObjectRef&)>& is_removed) {
  EnumStateObj* state = record->state->get();
  std::vector<ObjectRef> kept;
  std::vector<ObjectRef> removed;
  for (const ObjectRef& entry : state->entries) {
    (is_removed(entry) ? removed : kept).push_back(entry);
  }
  if (removed.empty()) return;
  std::vector<Any> indexes;
  for (const auto& [index, entry] : state->indexes) {
    if (is_removed(entry)) indexes.push_back(index);
  }
  for (const Any& index : indexes) state->indexes.erase(index);
  state->entries.clear();
  for (const ObjectRef& entry : kept) state->entries.push_back(entry);
  for (const ObjectRef& entry : removed) {
    for (const auto& [column, values] : state->attrs) {
      Dict<ObjectRef, Any> held = values;
      if (std::optional<Any> value = held.Get(entry)) session->drop(*std::move(value));
      held.erase(entry);
    }
    auto name = record->names.find(entry.get());
    if (name != record->names.end()) {
      record->owners.erase(std::string(name->second));
      record->names.erase(name);
    }
    session->drop(Any(entry));
  }
  record->num_indexes = state->indexes.size();
  publish_enum_entries(session, type_index, *record);
  for (const auto& [column, values] : state->attrs) {
    publish_enum_column(session, type_index, *record, column);
  }
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
