// SPDX-License-Identifier: Apache-2.0
// Fields, methods and metadata of registered types.
#include <memory>
#include <string>
#include <utility>

#include "core/class_record.h"
#include "core/error_slot.h"
#include "core/kept_text.h"
#include "core/type_change.h"
#include "core/type_entry.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {

std::atomic<uint64_t> type_fields_version{1};
std::atomic<uint64_t> type_definitions_version{1};

namespace {

/*! \brief Copies of the three texts of a member. The destructor frees them unless they were
 * published. */
class MemberTexts {
 public:
  template <typename Info>
  explicit MemberTexts(const Info& info) {
    name_ = keep_text(view_of(info.name));
    try {
      doc_ = keep_text(view_of(info.doc));
      metadata_ = keep_text(view_of(info.metadata));
    } catch (const std::bad_alloc&) {
      drop();
      throw;
    }
  }
  ~MemberTexts() {
    if (!published_) drop();
  }
  MemberTexts(const MemberTexts&) = delete;
  MemberTexts& operator=(const MemberTexts&) = delete;

  template <typename Info>
  void put_into(Info* info) const {
    info->name = name_;
    info->doc = doc_;
    info->metadata = metadata_;
  }
  void set_published() { published_ = true; }

 private:
  void drop() {
    drop_text(name_);
    drop_text(doc_);
    drop_text(metadata_);
  }

  TVMFFIByteArray name_{nullptr, 0};
  TVMFFIByteArray doc_{nullptr, 0};
  TVMFFIByteArray metadata_{nullptr, 0};
  bool published_ = false;
};

/*! \brief Return the entry of a type that is about to get a member. */
TypeEntry* entry_or_raise(int32_t type_index) {
  LoadScope::run_deferred_blocks();
  if (find_type_or_raise(type_index) == nullptr) return nullptr;
  TypeEntry* entry = find_type_entry(type_index);
  // A type is withdrawn when the library load that added it fails. But this library has stayed in
  // memory and uses the type index, so make the type known again.
  if (entry->is_withdrawn.load(std::memory_order_relaxed)) readmit_type(entry);
  return entry;
}

template <typename Infos>
bool has_field(const Infos& fields, std::string_view name) {
  for (const TVMFFIFieldInfo& field : fields) {
    if (view_of(field.name) == name) return true;
  }
  return false;
}

bool has_field(const TypeEntry& entry, std::string_view name) {
  for (int32_t i = 0; i < entry.info.num_fields; ++i) {
    if (view_of(entry.info.fields[i].name) == name) return true;
  }
  return false;
}

/*! \brief Remove the methods called `name` that an earlier load of the same origin has added. Call
 * with the lock held. */
void remove_former_methods(TypeEntry* entry, std::string_view name, const Owner& owner) {
  if (owner.origin == nullptr) return;
  TypeContent content = content_of(*entry);
  size_t kept = 0;
  for (size_t i = 0; i < content.methods.size(); ++i) {
    const Owner& former = content.method_owners[i];
    bool is_former = view_of(content.methods[i].name) == name && former.origin == owner.origin &&
                     former.load != owner.load;
    if (is_former) continue;
    content.methods[kept] = content.methods[i];
    content.method_owners[kept++] = former;
  }
  if (kept == content.methods.size()) return;
  content.methods.resize(kept);
  content.method_owners.resize(kept);
  publish_content(entry, std::move(content));
}

/*! \brief Return the reason why metadata cannot be registered, or an empty text. Call with the lock
 * held. */
std::string refuse_definition(const TypeEntry& entry, const TypeChange* change) {
  std::string key(view_of(entry.info.type_key));
  // A type with an object layout is a class that a language binding (such as the Python extension)
  // defines. The binding registers the metadata of its class once, after the layout. A second
  // registration, or a registration by a load that did not add the type, comes from a library.
  bool is_by_library = entry.metadata != nullptr || (change != nullptr && !change->is_new());
  if (is_by_library && entry.object_layout.load(std::memory_order_relaxed) != nullptr) {
    return "Type `" + key + "` is already defined by " + definer_of(entry) + "; " +
           current_library() +
           " defines it as well. Load the library first and leave the class out, or give one of "
           "them another key";
  }
  if (entry.metadata == nullptr) return {};
  bool is_again = change != nullptr && !change->is_collecting() && entry.owner.origin != nullptr &&
                  entry.owner.load != 0 && entry.owner.load != change->load();
  if (is_again) return {};
  std::string refusal = "Overriding " + key +
                        ", possible causes:\n- The type was registered twice, "
                        "for example two ObjectDef blocks name it\n- Two libraries that hold the "
                        "same registration are loaded";
  if (entry.owner.origin != nullptr) refusal += "\nIt was defined by " + *entry.owner.origin;
  return refusal;
}

/*! \brief If the type is an enum and its metadata do not specify structural equality, set
 * comparison by identity. Call with the lock held. */
void adapt_equality_of_enum(const TypeEntry& entry, TVMFFITypeMetadata* metadata) {
  if (!entry.has_enum_state.load(std::memory_order_relaxed)) return;
  if (metadata->structural_eq_hash_kind != kTVMFFISEqHashKindUnsupported) return;
  TVMFFISEqHashKind kind = kTVMFFISEqHashKindUniqueInstance;
  // Atomic, because clients may be reading the metadata.
  __atomic_store(&metadata->structural_eq_hash_kind, &kind, __ATOMIC_RELAXED);
}

}  // namespace

std::string current_library() {
  LoadScope* scope = LoadScope::current();
  return scope == nullptr ? "C++ code" : scope->library();
}

std::string definer_of(const TypeEntry& entry) {
  if (entry.owner.origin != nullptr) return *entry.owner.origin;
  bool is_laid_out = entry.object_layout.load(std::memory_order_relaxed) != nullptr;
  return is_laid_out ? "a Python class or a schema image" : "another part of the program";
}

int add_type_field(int32_t type_index, const TVMFFIFieldInfo& info) {
  TypeEntry* entry = entry_or_raise(type_index);
  if (entry == nullptr) return -1;
  TypeChange* change = TypeChange::of(entry);
  MemberTexts texts(info);
  TVMFFIFieldInfo copy = info;
  texts.put_into(&copy);
  bool is_known = false;
  ClassRefusal other_version;
  {
    std::lock_guard<Mutex> lock(type_table_mutex());
    if (change != nullptr && change->is_collecting()) {
      is_known = has_field(change->collected_fields(), view_of(info.name));
      if (!is_known) change->collect(copy);
    } else {
      is_known = has_field(*entry, view_of(info.name));
      if (!is_known) other_version = refuse_field(*entry, info);
      if (!is_known && !other_version) {
        entry->field_owners.reserve(entry->field_owners.size() + 1);
        entry->fields.append(copy, &entry->info.fields, &entry->info.num_fields);
        entry->field_owners.push_back(LoadScope::current_owner());
        type_fields_version.fetch_add(1, std::memory_order_release);
      }
    }
    if (!is_known && !other_version) texts.set_published();
  }
  if (other_version) {
    return raise("RuntimeError", {other_version.text(entry->info, current_library())});
  }
  if (!is_known) return 0;
  return raise("InternalError", {"Duplicate field name \"", view_of(info.name), "\" in type \"",
                                 view_of(entry->info.type_key), "\""});
}

int add_type_method(int32_t type_index, const TVMFFIMethodInfo& info) {
  TypeEntry* entry = entry_or_raise(type_index);
  if (entry == nullptr) return -1;
  TypeChange* change = TypeChange::of(entry);
  MemberTexts texts(info);
  TVMFFIMethodInfo copy = info;
  texts.put_into(&copy);
  std::lock_guard<Mutex> lock(type_table_mutex());
  if (change != nullptr && change->is_collecting()) {
    change->collect(copy);
  } else {
    Owner owner = LoadScope::current_owner();
    if (change != nullptr) remove_former_methods(entry, view_of(info.name), owner);
    entry->method_owners.reserve(entry->method_owners.size() + 1);
    entry->methods.append(copy, &entry->info.methods, &entry->info.num_methods);
    entry->method_owners.push_back(owner);
  }
  texts.set_published();
  return 0;
}

int set_type_metadata(int32_t type_index, const TVMFFITypeMetadata& metadata) {
  TypeEntry* entry = entry_or_raise(type_index);
  if (entry == nullptr) return -1;
  TypeChange* change = TypeChange::of(entry);
  TVMFFIByteArray doc = keep_text(view_of(metadata.doc));
  auto copy = std::make_unique<TVMFFITypeMetadata>(metadata);
  copy->doc = doc;
  std::string refusal;
  ClassRefusal other_version;
  {
    std::lock_guard<Mutex> lock(type_table_mutex());
    refusal = refuse_definition(*entry, change);
    if (entry->metadata == nullptr) other_version = refuse_size(*entry, metadata.total_size);
    if (refusal.empty() && !other_version) {
      adapt_equality_of_enum(*entry, copy.get());
      if (entry->metadata != nullptr) {
        change->begin(std::move(copy));
      } else {
        entry->all_metadata.push_back(std::move(copy));
        entry->metadata = entry->all_metadata.back().get();
        // If no library load is in progress, keep the origin that a language binding has set.
        if (LoadScope::current() != nullptr) entry->owner = LoadScope::current_owner();
        __atomic_store_n(&entry->info.metadata,
                         static_cast<const TVMFFITypeMetadata*>(entry->metadata), __ATOMIC_RELEASE);
      }
      return 0;
    }
  }
  drop_text(doc);
  if (refusal.empty()) refusal = other_version.text(entry->info, current_library());
  return raise("RuntimeError", {refusal});
}

void publish_type_definition(int32_t type_index) {
  LoadScope* scope = LoadScope::current();
  if (scope == nullptr) return;
  LoadChange* change = scope->find(find_type_entry(type_index));
  if (change != nullptr) static_cast<TypeChange*>(change)->publish();
}

bool accepts_attributes(int32_t type_index) {
  LoadScope* scope = LoadScope::current();
  if (scope == nullptr) return true;
  LoadChange* change = scope->find(find_type_entry(type_index));
  return change == nullptr || !static_cast<TypeChange*>(change)->has_other_layout();
}

bool is_redefined_by_load(int32_t type_index) {
  LoadScope* scope = LoadScope::current();
  if (scope == nullptr) return false;
  LoadChange* change = scope->find(find_type_entry(type_index));
  return change != nullptr && static_cast<TypeChange*>(change)->is_redefinition();
}

void set_type_is_enum(int32_t type_index, bool is_enum) {
  TypeEntry* entry = find_type_entry(type_index);
  if (entry == nullptr) return;
  std::lock_guard<Mutex> lock(type_table_mutex());
  entry->has_enum_state.store(is_enum, std::memory_order_relaxed);
  if (entry->metadata != nullptr) adapt_equality_of_enum(*entry, entry->metadata);
}

}  // namespace tvm::ffi::runtime
