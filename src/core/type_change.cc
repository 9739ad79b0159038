// SPDX-License-Identifier: Apache-2.0
// Changes of types by library loads.
#include "core/type_change.h"

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/class_record.h"
#include "core/kept_text.h"
#include "core/thread_value.h"
#include "core/type_attr.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief Release the values of a field or method that was never published. */
void drop_values(const TVMFFIFieldInfo& field) {
  Any value = detail::AnyUnsafe::MoveTVMFFIAnyToAny(
      const_cast<TVMFFIAny*>(&field.default_value_or_factory));
  if ((field.flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) != 0 && field.setter != nullptr) {
    detail::ObjectUnsafe::DecRefObjectHandle(field.setter);
  }
}
void drop_values(const TVMFFIMethodInfo& method) {
  Any value = detail::AnyUnsafe::MoveTVMFFIAnyToAny(const_cast<TVMFFIAny*>(&method.method));
}

/*! \brief Release members that were collected but not published. Runs foreign code. */
template <typename Info>
void drop_members(std::vector<Info>* members) {
  for (const Info& member : *members) {
    drop_values(member);
    drop_text(member.name);
    drop_text(member.doc);
    drop_text(member.metadata);
  }
  members->clear();
}

/*! \brief Append to `members` those members of the former definition that were added by other
 * libraries than `definer`. */
template <typename Info>
void keep_members_of_others(const std::vector<Info>& former, const std::vector<Owner>& owners,
                            const Owner& definer, std::vector<Info>* members,
                            std::vector<Owner>* member_owners) {
  for (size_t i = 0; i < former.size(); ++i) {
    if (owners[i].origin == definer.origin) continue;
    members->push_back(former[i]);
    member_owners->push_back(owners[i]);
  }
}

/*! \brief Types whose members were changed by library loads of this thread. A language binding
 * (such as the Python extension) fetches them with take_changed_type(). */
struct ChangedTypes {
  std::vector<int32_t> indices;
};

}  // namespace

void note_changed_type(int32_t type_index) {
  auto* changed = thread_value<ChangedTypes>();
  if (changed == nullptr) return;
  std::vector<int32_t>& types = changed->indices;
  bool is_noted = std::find(types.begin(), types.end(), type_index) != types.end();
  if (!is_noted) types.push_back(type_index);
}

int32_t take_changed_type() {
  auto* changed = thread_value<ChangedTypes>();
  if (changed == nullptr || changed->indices.empty()) return -1;
  int32_t type_index = changed->indices.back();
  changed->indices.pop_back();
  return type_index;
}

TypeContent content_of(const TypeEntry& entry) {
  TypeContent content;
  const TVMFFITypeInfo& info = entry.info;
  content.fields.assign(info.fields, info.fields + info.num_fields);
  content.methods.assign(info.methods, info.methods + info.num_methods);
  content.metadata = entry.metadata;
  content.owner = entry.owner;
  content.field_owners = entry.field_owners;
  content.method_owners = entry.method_owners;
  content.expectation = entry.expectation;
  return content;
}

void publish_content(TypeEntry* entry, TypeContent content) {
  TVMFFITypeInfo* info = &entry->info;
  entry->fields.assign(content.fields, &info->fields, &info->num_fields);
  entry->methods.assign(content.methods, &info->methods, &info->num_methods);
  entry->field_owners = std::move(content.field_owners);
  entry->method_owners = std::move(content.method_owners);
  entry->expectation = std::move(content.expectation);
  entry->metadata = content.metadata;
  entry->owner = content.owner;
  __atomic_store_n(&info->metadata, static_cast<const TVMFFITypeMetadata*>(content.metadata),
                   __ATOMIC_RELEASE);
  type_definitions_version.fetch_add(1, std::memory_order_release);
  type_fields_version.fetch_add(1, std::memory_order_release);
}

TypeChange::TypeChange(TypeEntry* entry, LoadScope* scope, bool is_new)
    : entry_(entry),
      library_(scope->library()),
      owner_(scope->owner()),
      is_new_(is_new),
      was_declared_(entry->is_declared.load(std::memory_order_relaxed)) {
  std::lock_guard<Mutex> lock(type_table_mutex());
  former_ = content_of(*entry);
}

TypeChange::~TypeChange() { drop_collected(); }

TypeChange* TypeChange::of(TypeEntry* entry, bool is_new) {
  LoadScope* scope = LoadScope::current();
  if (scope == nullptr) return nullptr;
  if (LoadChange* known = scope->find(entry)) return static_cast<TypeChange*>(known);
  auto change = std::make_unique<TypeChange>(entry, scope, is_new);
  TypeChange* added = change.get();
  scope->add(entry, std::move(change));
  return added;
}

void TypeChange::begin(std::unique_ptr<TVMFFITypeMetadata> metadata) {
  is_collecting_ = true;
  is_redefinition_ = true;
  collected_metadata_ = std::move(metadata);
  collected_.metadata = collected_metadata_.get();
  collected_.owner = owner_;
  collected_.expectation = former_.expectation;
}

bool TypeChange::has_other_layout() const {
  if (!is_collecting_) return false;
  return !differences_.empty() || former_.metadata->total_size != collected_.metadata->total_size;
}

void TypeChange::collect(const TVMFFIFieldInfo& field) {
  collected_.fields.reserve(collected_.fields.size() + 1);
  collected_.field_owners.push_back(owner_);
  collected_.fields.push_back(field);
}

void TypeChange::collect(const TVMFFIMethodInfo& method) {
  collected_.methods.reserve(collected_.methods.size() + 1);
  collected_.method_owners.push_back(owner_);
  collected_.methods.push_back(method);
}

void TypeChange::publish() {
  if (!is_collecting_) return;
  is_collecting_ = false;
  std::vector<std::string> differences = layout_differences(former_, collected_);
  differences.insert(differences.begin(), differences_.begin(), differences_.end());
  if (!differences.empty()) refuse(differences);
  std::lock_guard<Mutex> lock(type_table_mutex());
  keep_members_of_others(former_.fields, former_.field_owners, former_.owner, &collected_.fields,
                         &collected_.field_owners);
  keep_members_of_others(former_.methods, former_.method_owners, former_.owner, &collected_.methods,
                         &collected_.method_owners);
  entry_->all_metadata.push_back(std::move(collected_metadata_));
  TypeContent content = std::move(collected_);
  collected_ = TypeContent();
  publish_content(entry_, std::move(content));
}

bool TypeChange::defer_refusal(TypeEntry* entry, const std::string& reason) {
  LoadScope* scope = LoadScope::current();
  if (scope == nullptr || entry->metadata == nullptr) return false;
  bool is_laid_out = entry->object_layout.load(std::memory_order_acquire) != nullptr;
  if (!is_laid_out && !is_defined_again(entry->owner, scope->owner())) return false;
  TypeChange::of(entry)->refusal_ = reason;
  return true;
}

void TypeChange::check() {
  check_declaration();
  publish();
  if (!refusal_.empty()) throw Error("RuntimeError", refusal_, "");
}

void TypeChange::check_declaration() const {
  if (!is_declaration_ || is_new_ || is_redefinition_) return;
  if (entry_->object_layout.load(std::memory_order_acquire) == nullptr) return;
  std::string definer;
  {
    std::lock_guard<Mutex> lock(type_table_mutex());
    definer = definer_of(*entry_);
  }
  throw Error("ValueError",
              "Type `" + std::string(view_of(entry_->info.type_key)) + "` is defined by " +
                  definer + "; " + library_ +
                  " declares a class for it but did not register its fields (ObjectDef is "
                  "missing), so the layouts cannot be compared. If the library defines the type, "
                  "add ObjectDef to it and load it first. If its class describes the objects of "
                  "the existing type, declare it with TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP",
              "");
}

void TypeChange::refuse(const std::vector<std::string>& differences) const {
  std::string text = "Type `" + std::string(view_of(entry_->info.type_key)) +
                     "` is defined again with another layout by " + library_;
  if (former_.owner.origin != owner_.origin) {
    text += "; it was defined by " + (former_.owner.origin == nullptr
                                          ? std::string("another part of the program")
                                          : *former_.owner.origin);
  }
  for (const std::string& difference : differences) text += "\n  " + difference;
  text +=
      "\nObjects of the former layout may exist: give the type another key, or restart the "
      "process";
  throw Error("RuntimeError", std::move(text), "");
}

void TypeChange::drop_collected() noexcept {
  drop_members(&collected_.fields);
  drop_members(&collected_.methods);
  if (collected_metadata_ != nullptr) drop_text(collected_metadata_->doc);
  collected_metadata_.reset();
}

void TypeChange::keep() noexcept {
  if (is_new_) return;
  try {
    if (is_redefinition_) {
      remove_former_type_attrs(entry_->info.type_index, former_.owner, owner_.load);
    }
    note_changed_type(entry_->info.type_index);
  } catch (const std::bad_alloc&) {
    return;  // Memory has run out, so former attributes may remain.
  }
}

void TypeChange::undo() noexcept {
  drop_collected();
  if (is_new_) {
    withdraw_type(entry_);
  } else {
    entry_->is_declared.store(was_declared_, std::memory_order_relaxed);
  }
  std::lock_guard<Mutex> lock(type_table_mutex());
  publish_content(entry_, std::move(former_));
}

}  // namespace tvm::ffi::runtime
