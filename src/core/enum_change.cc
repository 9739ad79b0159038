// SPDX-License-Identifier: Apache-2.0
// The changes that a library load makes to an enum: it adds entries and values, or registers
// entries again.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_set>
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

/*!
 * \brief Copy of the content of an EnumStateObj, from which a failed load is undone. A reference to
 * the object is not sufficient, because clients change the object in place.
 */
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

/*! \brief The change that one library load makes to one enum. */
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
      // take_new_entries() must always run: it also records this load as the owner of the entries
      // that the load has put into a Dict.
      bool is_changed = take_new_entries() || !former_.dicts.has_value();
      if (content_ != nullptr && is_changed) note_changed_type(type_index_);
    } catch (const std::exception&) {
      return;  // A language binding then continues to show the former entries.
    }
  }

  void undo() noexcept override {
    try {
      EnumSession session;
      restore(&session);
    } catch (const std::exception&) {
      return;  // Memory has run out, so the state keeps the changes of the load.
    }
  }

 private:
  /*!
   * \brief Take over the entries that a library compiled for apache-tvm-ffi 0.1.11 or 0.1.12 has
   * put into the Dict of the enum. \return whether the load has added or removed entries.
   */
  bool take_new_entries() {
    EnumSession session;
    EnumRecord* record = find_enum_record(&session, type_index_);
    if (record == nullptr || content_ == nullptr) return true;
    const List<ObjectRef>& entries = (*record->state)->entries;
    return !std::equal(entries.begin(), entries.end(), content_->entries.begin(),
                       content_->entries.end(),
                       [](const ObjectRef& lhs, const ObjectRef& rhs) { return lhs.same_as(rhs); });
  }

  void restore(EnumSession* session) {
    EnumRecord* record = &session->records()[type_index_];
    num_waiting_fields.fetch_sub(record->waiting_fields.size(), std::memory_order_relaxed);
    num_waiting_fields.fetch_add(former_.waiting_fields.size(), std::memory_order_relaxed);
    if (content_ == nullptr) {
      unmark_enum(session, type_index_);
    } else {
      content_->put_into(record->state->get());
    }
    *record = std::move(former_);
    rewrite_enum_dicts(session, type_index_, record);
    update_enum_views(session, type_index_);
  }

  int32_t type_index_;
  /*! \brief NULL if the type was not an enum before the load. */
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

/*!
 * \brief Record the change of an enum in the library load that runs on this thread. \return false
 * if no load runs, or if the load has already recorded the enum.
 */
bool record_enum_change(EnumSession* session, const TypeEntry* type) {
  LoadScope* scope = LoadScope::current();
  const void* key = &type->has_enum_state;
  if (scope == nullptr || scope->find(key) != nullptr) return false;
  scope->add(key, std::make_unique<EnumChange>(session, type->info.type_index));
  return true;
}

/*!
 * \brief Return the change of a type in the library load that runs on this thread; NULL if the
 * load does not define the type.
 */
TypeChange* change_of(const TypeEntry* type) {
  return static_cast<TypeChange*>(LoadScope::current()->find(type));
}

}  // namespace

void note_enum_change(EnumSession* session, int32_t type_index) {
  TypeEntry* type = find_type_entry(type_index);
  if (type == nullptr || !record_enum_change(session, type)) return;
  remove_former_entries(session, type_index, change_of(type));
}

void note_possible_enum_change(EnumSession* session, int32_t type_index) {
  TypeEntry* type = find_type_entry(type_index);
  if (type == nullptr || !record_enum_change(session, type)) return;
  TypeChange* change = change_of(type);
  if (change != nullptr) remove_former_entries(session, type_index, change);
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
  rewrite_enum_dicts(session, type_index, record);
  update_enum_views(session, type_index);
}

void remove_later_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                          size_t num_entries) {
  std::unordered_set<const Object*> kept;
  for (const ObjectRef& entry : (*record->state)->entries) {
    if (kept.size() < num_entries) kept.insert(entry.get());
  }
  remove_entries(session, type_index, record,
                 [&](const ObjectRef& entry) { return kept.count(entry.get()) == 0; });
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
