// SPDX-License-Identifier: Apache-2.0
// Fields, methods and metadata of registered types.
#include <string>

#include "core/error_slot.h"
#include "core/kept_text.h"
#include "core/type_entry.h"
#include "core/type_table.h"

namespace tvm {
namespace ffi {
namespace runtime {

std::atomic<uint64_t> type_fields_version{1};

namespace {

/*! \brief Copies of a member's three texts; given back unless they were published. */
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

TypeEntry* entry_or_raise(int32_t type_index) {
  return find_type_or_raise(type_index) == nullptr ? nullptr : find_type_entry(type_index);
}

bool has_field(const TypeEntry& entry, std::string_view name) {
  for (int32_t i = 0; i < entry.info.num_fields; ++i) {
    if (view_of(entry.info.fields[i].name) == name) return true;
  }
  return false;
}

/*! \brief Give enums the equality that suits them when their class states none. Under the lock. */
void adapt_equality_of_enum(TypeEntry* entry) {
  if (!entry->has_enum_state.load(std::memory_order_relaxed)) return;
  if (entry->metadata.structural_eq_hash_kind != kTVMFFISEqHashKindUnsupported) return;
  TVMFFISEqHashKind kind = kTVMFFISEqHashKindUniqueInstance;
  // Clients may be reading it already.
  __atomic_store(&entry->metadata.structural_eq_hash_kind, &kind, __ATOMIC_RELAXED);
}

}  // namespace

int add_type_field(int32_t type_index, const TVMFFIFieldInfo& info) {
  TypeEntry* entry = entry_or_raise(type_index);
  if (entry == nullptr) return -1;
  MemberTexts texts(info);
  TVMFFIFieldInfo copy = info;
  texts.put_into(&copy);
  bool is_known;
  {
    std::lock_guard<std::mutex> lock(type_table_mutex());
    is_known = has_field(*entry, view_of(info.name));
    if (!is_known) {
      entry->fields.append(copy, &entry->info.fields, &entry->info.num_fields);
      type_fields_version.fetch_add(1, std::memory_order_release);
      texts.set_published();
    }
  }
  if (!is_known) return 0;
  return raise("InternalError", {"Duplicate field name \"", view_of(info.name), "\" in type \"",
                                 view_of(entry->info.type_key), "\""});
}

int add_type_method(int32_t type_index, const TVMFFIMethodInfo& info) {
  TypeEntry* entry = entry_or_raise(type_index);
  if (entry == nullptr) return -1;
  MemberTexts texts(info);
  TVMFFIMethodInfo copy = info;
  texts.put_into(&copy);
  std::lock_guard<std::mutex> lock(type_table_mutex());
  entry->methods.append(copy, &entry->info.methods, &entry->info.num_methods);
  texts.set_published();
  return 0;
}

int set_type_metadata(int32_t type_index, const TVMFFITypeMetadata& metadata) {
  TypeEntry* entry = entry_or_raise(type_index);
  if (entry == nullptr) return -1;
  TVMFFIByteArray doc = keep_text(view_of(metadata.doc));
  {
    std::lock_guard<std::mutex> lock(type_table_mutex());
    if (entry->info.metadata == nullptr) {
      entry->metadata = metadata;
      entry->metadata.doc = doc;
      adapt_equality_of_enum(entry);
      __atomic_store_n(&entry->info.metadata, &entry->metadata, __ATOMIC_RELEASE);
      return 0;
    }
  }
  drop_text(doc);
  return raise("RuntimeError",
               {"Overriding ", view_of(entry->info.type_key),
                ", possible causes:\n- The type was registered twice, for example two ObjectDef "
                "blocks name it\n- Two libraries that hold the same registration are loaded"});
}

void set_type_is_enum(int32_t type_index, bool is_enum) {
  TypeEntry* entry = find_type_entry(type_index);
  if (entry == nullptr) return;
  std::lock_guard<std::mutex> lock(type_table_mutex());
  entry->has_enum_state.store(is_enum, std::memory_order_relaxed);
  if (entry->info.metadata != nullptr) adapt_equality_of_enum(entry);
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
