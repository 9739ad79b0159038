// SPDX-License-Identifier: Apache-2.0
// The changes that a library load makes to an enum: it adds entries and values, or registers
// entries again.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/enum_record.h"
#include "core/enum_store.h"
#include "core/load_scope.h"
#include "core/type_attr.h"
#include "core/type_change.h"
#include "core/type_entry.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief Give `to` the content of `from`. The containers of `to` stay the same objects, because
 * clients change them in place. */
void copy_content(const EnumStateObj& from, EnumStateObj* to) {
  to->entries.clear();
  for (const ObjectRef& entry : from.entries) to->entries.push_back(entry);
  to->indexes.clear();
  for (const auto& [index, entry] : from.indexes) to->indexes.Set(index, entry);
  to->attrs.clear();
  for (const auto& [column, values] : from.attrs) {
    Dict<ObjectRef, Any> copy;
    for (const auto& [entry, value] : values) copy.Set(entry, value);
    to->attrs.Set(column, copy);
  }
}

/*! \brief The change that one library load makes to one enum. */
class EnumChange final : public LoadChange {
 public:
  EnumChange(EnumSession* session, int32_t type_index) : type_index_(type_index) {
    if (EnumRecord* record = find_enum_record(session, type_index)) {
      copy_content(*record->state->get(), content_.emplace().get());
    }
    former_ = session->records()[type_index];
  }

  void keep() noexcept override {
    try {
      // take_new_entries() must always run: it also records this load as the owner of the entries
      // that the load has put into a Dict.
      bool is_changed = take_new_entries() || !former_.dicts.has_value();
      if (content_.has_value() && is_changed) note_changed_type(type_index_);
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
  /*! \brief Take over the entries that a library compiled for apache-tvm-ffi 0.1.11 or 0.1.12 has
   * put into the Dict of the enum. \return whether the load has added or removed entries. */
  bool take_new_entries() {
    EnumSession session;
    EnumRecord* record = find_enum_record(&session, type_index_);
    if (record == nullptr || !content_.has_value()) return true;
    const List<ObjectRef>& entries = (*record->state)->entries;
    return !std::equal(entries.begin(), entries.end(), (*content_)->entries.begin(),
                       (*content_)->entries.end(),
                       [](const ObjectRef& lhs, const ObjectRef& rhs) { return lhs.same_as(rhs); });
  }

  void restore(EnumSession* session) {
    EnumRecord* record = &session->records()[type_index_];
    if (content_.has_value()) {
      copy_content(*content_->get(), record->state->get());
    } else {
      unmark_enum(session, type_index_);
    }
    *record = std::move(former_);
    rewrite_enum_dicts(session, type_index_, record);
    update_enum_views(session, type_index_);
  }

  int32_t type_index_;
  /*! \brief A copy of the former state; nothing if the type was not an enum before the load. */
  std::optional<EnumState> content_;
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
  std::unordered_set<const Object*> removed;
  for (const auto& [entry, name] : record->names) {
    auto owner = record->owners.find(std::string(name));
    if (owner != record->owners.end() && is_former(owner->second)) removed.insert(entry);
  }
  remove_entries(session, type_index, record, removed);
}

/*! \brief Record the change of an enum in the library load that runs on this thread. \return false
 * if no load runs, or if the load has already recorded the enum. */
bool record_enum_change(EnumSession* session, const TypeEntry* type) {
  LoadScope* scope = LoadScope::current();
  const void* key = &type->has_enum_state;
  if (scope == nullptr || scope->find(key) != nullptr) return false;
  scope->add(key, std::make_unique<EnumChange>(session, type->info.type_index));
  return true;
}

}  // namespace

void note_enum_change(EnumSession* session, int32_t type_index, bool is_certain) {
  TypeEntry* type = find_type_entry(type_index);
  if (type == nullptr || !record_enum_change(session, type)) return;
  auto* change = static_cast<TypeChange*>(LoadScope::current()->find(type));
  if (is_certain || change != nullptr) remove_former_entries(session, type_index, change);
}

void remove_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                    const std::unordered_set<const Object*>& removed) {
  if (removed.empty()) return;
  EnumStateObj* state = record->state->get();
  EnumState former;
  copy_content(*state, former.get());
  session->drop(Any(former));  // keeps the entries and values until the lock is released
  auto is_removed = [&](const ObjectRef& entry) { return removed.count(entry.get()) != 0; };
  state->entries.clear();
  for (const ObjectRef& entry : former->entries) {
    if (!is_removed(entry)) state->entries.push_back(entry);
  }
  for (const auto& [index, entry] : former->indexes) {
    if (is_removed(entry)) state->indexes.erase(index);
  }
  for (const auto& [column, values] : former->attrs) {
    Dict<ObjectRef, Any> kept = state->attrs.at(column);
    for (const auto& [entry, value] : values) {
      if (is_removed(entry)) kept.erase(entry);
    }
  }
  for (const Object* entry : removed) {
    auto name = record->names.find(entry);
    if (name == record->names.end()) continue;
    record->owners.erase(std::string(name->second));
    record->names.erase(name);
  }
  record->num_indexes = state->indexes.size();
  rewrite_enum_dicts(session, type_index, record);
  update_enum_views(session, type_index);
}

void remove_later_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                          size_t num_entries) {
  std::unordered_set<const Object*> removed;
  size_t i = 0;
  for (const ObjectRef& entry : (*record->state)->entries) {
    if (i++ >= num_entries) removed.insert(entry.get());
  }
  remove_entries(session, type_index, record, removed);
}

}  // namespace tvm::ffi::runtime
