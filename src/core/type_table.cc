// SPDX-License-Identifier: Apache-2.0
// Allocation of type indices and lookup by index and by key.
#include "core/type_table.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/error_slot.h"
#include "core/kept_text.h"
#include "core/start_up.h"
#include "core/type_attr.h"
#include "core/type_change.h"
#include "core/type_entry.h"

namespace tvm::ffi::runtime {

namespace {

constexpr int32_t kFirstIndexes = 512;
/*! \brief Maximum number of indices. The table is an array with a slot for each index, so larger
 * indices would need too much memory. */
constexpr int64_t kMostIndices = int64_t{1} << 24;

/*! \brief The first array of the table, which is not allocated. It has the same layout as the
 * larger arrays that replace it: a TypeIndexArray, then the entries. */
struct FirstArray {
  TypeIndexArray head;
  std::atomic<TypeEntry*> at[kFirstIndexes];
};
static_assert(sizeof(TypeIndexArray) % alignof(std::atomic<TypeEntry*>) == 0,
              "entries follow their header");
FirstArray first_array = {{kFirstIndexes, nullptr}, {}};

}  // namespace

// Debuggers find the table in the memory of a process or a core file by the name of its section,
// which remains in stripped files. `type_info` in python/tvm_ffi/debug/values.py relies on the
// offsets.
TVM_FFI_CONSTINIT
#if defined(__APPLE__)
__attribute__((section("__DATA,tvm_ffi_types")))
#elif defined(__ELF__)
__attribute__((section("tvm_ffi_types")))
#endif
TypeIndexes type_indexes = {{&first_array.head}, {}};
static_assert(sizeof(TypeIndexArray) == 16 && sizeof(NameNode) == 24, "info follows the node");

namespace {

/*! \brief The part of the table that only writers use. It is constant-initialized and never
 * destroyed; `mutex` guards all members. */
struct TypeTable {
  Mutex mutex;
  /*! \brief The next type index outside of the ranges that parents have reserved. */
  int32_t next_dynamic = kTVMFFIDynObjectBegin;
  TypeEntry* newest = nullptr;
};
TVM_FFI_CONSTINIT TypeTable type_table;

/*! \brief Enlarge the table so that it has a slot for an index. Call with the lock held. */
void reserve_index(int32_t type_index) {
  TypeIndexArray* old = type_indexes.by_index.load(std::memory_order_relaxed);
  if (type_index < old->capacity) return;
  int32_t capacity = old->capacity;
  while (capacity <= type_index) capacity *= 2;
  void* memory = ::operator new(sizeof(TypeIndexArray) +
                                sizeof(std::atomic<TypeEntry*>) * static_cast<size_t>(capacity));
  auto* grown = new (memory) TypeIndexArray{capacity, old};
  for (int32_t i = 0; i < capacity; ++i) {
    TypeEntry* entry = i < old->capacity ? old->at()[i].load(std::memory_order_relaxed) : nullptr;
    new (grown->at() + i) std::atomic<TypeEntry*>(entry);
  }
  type_indexes.by_index.store(grown, std::memory_order_release);
}

/*! \brief The reason why a type cannot be added; empty if the type can be added. The error is
 * raised after the lock is released, because raising releases the previous error, which may run
 * foreign code. */
using Refusal = std::string;

/*! \brief Check the arguments that do not depend on the content of the table. \return 0, or -1 with
 * an error. */
int check_request(const TypeRequest& request) {
  if (request.child_slots < 0) {
    return raise("ValueError",
                 {"`num_child_slots` of type `", request.key, "` must not be negative"});
  }
  if (request.static_index >= kTVMFFIDynObjectBegin) {
    return raise("ValueError",
                 {"Static type index ", std::to_string(request.static_index), " of type `",
                  request.key, "` must be below ", std::to_string(kTVMFFIDynObjectBegin)});
  }
  return 0;
}

/*! \brief Refuse a child of a type whose C++ class is final. C++ code takes only objects with
 * exactly that type index for objects of the class, so it would not recognize those of the child.
 * Call without the lock. \return 0, or -1 with an error. */
int check_parent(std::string_view key, int32_t parent) {
  if (!load_type_attr(parent, "__ffi_type_final__").as<bool>().value_or(false)) return 0;
  std::string_view name = view_of(find_type(parent)->type_key);
  // Clients may have children of the runtime's own types, which were always accepted.
  if (name.substr(0, 4) == "ffi.") return 0;
  return raise("TypeError", {"Type `", key, "` cannot derive from `", name,
                             "`: the class of that type is declared final"});
}

/*! \brief The index chosen for a new type. */
struct Placement {
  int32_t index = -1;
  /*! \brief Whether the index is from the parent's reserved range and not from `next_dynamic`. */
  bool in_parent = false;
};

/*! \brief Choose an index: the requested index, or else the next index that the parent has
 * reserved, or else the next dynamic index. Call with the lock held; does not change the table. */
Refusal choose_index(const TypeRequest& request, const TypeEntry* parent, Placement* out) {
  int64_t need = int64_t{request.child_slots} + 1;
  if (request.static_index >= 0) {
    const TypeEntry* holder = registered_type(request.static_index);
    if (holder != nullptr) {
      return "Conflicting static index " + std::to_string(request.static_index) + " between `" +
             std::string(view_of(holder->info.type_key)) + "` and `" + std::string(request.key) +
             "`";
    }
    out->index = request.static_index;
    return "";
  }
  if (parent == nullptr) {
    return "Type `" + std::string(request.key) + "` needs a parent or a static index";
  }
  if (parent->slots_taken + need <= parent->slots_total) {
    out->index = static_cast<int32_t>(parent->info.type_index + parent->slots_taken);
    out->in_parent = true;
    return "";
  }
  if (!parent->overflows) {
    return "Reach maximum number of sub-classes for " +
           std::string(view_of(parent->info.type_key)) + ", cannot add `" +
           std::string(request.key) + "`";
  }
  if (type_table.next_dynamic + need > kMostIndices) {
    return "The type table is full, cannot add `" + std::string(request.key) + "`";
  }
  out->index = type_table.next_dynamic;
  return "";
}

/*! \brief Make the entry without publishing it. Call with the lock held. */
std::unique_ptr<TypeEntry> make_entry(const TypeRequest& request, TypeEntry* parent,
                                      int32_t index) {
  auto entry = std::make_unique<TypeEntry>();
  TVMFFITypeInfo& info = entry->info;
  info.type_index = index;
  info.type_depth = request.depth;
  info.type_key_hash = std::hash<std::string_view>()(request.key);
  entry->slots_total = int64_t{request.child_slots} + 1;
  entry->overflows = request.overflows && (parent == nullptr || parent->overflows);
  if (parent != nullptr) {
    auto** ancestors = new const TVMFFITypeInfo*[static_cast<size_t>(request.depth)];
    entry->ancestors.reset(ancestors);
    for (int32_t d = 0; d < parent->info.type_depth; ++d) {
      ancestors[d] = parent->info.type_ancestors[d];
    }
    ancestors[request.depth - 1] = &parent->info;
    info.type_ancestors = ancestors;
    entry->has_enum_layout = parent->has_enum_layout || request.key == "ffi.Enum";
  }
  info.type_key = keep_text(request.key);
  entry->name = info.type_key.data;
  entry->name_size = info.type_key.size;
  return entry;
}

/*! \brief Find the parent of a requested type, and check the requested depth. Call with the lock
 * held. */
Refusal find_parent(const TypeRequest& request, TypeEntry** out) {
  if (request.parent >= 0) {
    *out = registered_type(request.parent);
    if (*out == nullptr) {
      return "Cannot find type info for type_index=" + std::to_string(request.parent) +
             ", the parent of type `" + std::string(request.key) + "`";
    }
  }
  int32_t depth = *out == nullptr ? 0 : (*out)->info.type_depth + 1;
  if (request.depth == depth) return "";
  return "Type `" + std::string(request.key) + "` has depth " + std::to_string(depth) + ", not " +
         std::to_string(request.depth);
}

/*! \brief Whether the entry of a withdrawn type can be used again, because its parent, depth and
 * index range are equal to those of the request. Call with the lock held. */
bool suits_request(const TypeEntry& entry, const TypeRequest& request, const TypeEntry* parent) {
  if (!entry.is_withdrawn.load(std::memory_order_relaxed)) return false;
  if (registered_type(entry.info.type_index) != &entry) return false;
  bool is_child = parent == nullptr
                      ? entry.info.type_depth == 0
                      : entry.info.type_depth == request.depth && request.depth > 0 &&
                            entry.info.type_ancestors[request.depth - 1] == &parent->info;
  bool overflows = request.overflows && (parent == nullptr || parent->overflows);
  bool is_static = request.static_index < 0 || request.static_index == entry.info.type_index;
  return is_child && is_static && entry.slots_total == int64_t{request.child_slots} + 1 &&
         entry.overflows == overflows;
}

/*! \brief If a withdrawn type has returned its indices to the parent, reserve them again. \return
 * false when another type has used them in the meantime. Call with the lock held. */
bool take_slots_again(TypeEntry* entry) {
  if (!entry->has_returned_slots) return true;
  auto* parent =
      registered_type(entry->info.type_ancestors[entry->info.type_depth - 1]->type_index);
  if (parent->info.type_index + parent->slots_taken != entry->info.type_index) return false;
  parent->slots_taken += entry->slots_total;
  entry->has_returned_slots = false;
  return true;
}

bool readmit(TypeEntry* entry) {
  if (!take_slots_again(entry)) return false;
  entry->is_withdrawn.store(false, std::memory_order_relaxed);
  entry->is_forgotten.store(false, std::memory_order_release);
  return true;
}

/*! \brief Make the key of a type refer to this type. Call with the lock held, after reserving a
 * slot for the key. */
void name_type(TypeEntry* entry) {
  entry->is_forgotten.store(false, std::memory_order_release);
  TypeEntry* former = registered_type(std::string_view(entry->name, entry->name_size));
  if (former == entry) return;
  if (former == nullptr) return type_indexes.by_key.insert(entry);
  type_indexes.by_key.replace(former, entry);
  former->is_forgotten.store(true, std::memory_order_release);
}

/*!
 * \brief Add a type. Call with the lock held.
 * \param takes_key whether the key refers to the new type immediately. If so, the key must not
 * refer to another type yet. A type that was withdrawn does not count.
 */
Refusal add_type(const TypeRequest& request, bool takes_key, int32_t* out_index) {
  TypeEntry* parent = nullptr;
  Refusal refusal = find_parent(request, &parent);
  if (!refusal.empty()) return refusal;
  TypeEntry* withdrawn = registered_type(request.key);
  if (takes_key && withdrawn != nullptr && suits_request(*withdrawn, request, parent) &&
      readmit(withdrawn)) {
    *out_index = withdrawn->info.type_index;
    return "";
  }
  Placement place;
  refusal = choose_index(request, parent, &place);
  if (!refusal.empty()) return refusal;
  reserve_index(place.index);
  type_indexes.by_key.reserve_one();
  TypeEntry* entry = make_entry(request, parent, place.index).release();
  entry->is_forgotten.store(!takes_key, std::memory_order_relaxed);
  // The remaining statements cannot fail.
  int64_t need = int64_t{request.child_slots} + 1;
  if (place.in_parent) {
    parent->slots_taken += need;
  } else if (request.static_index < 0) {
    type_table.next_dynamic = static_cast<int32_t>(type_table.next_dynamic + need);
  }
  entry->older = type_table.newest;
  type_table.newest = entry;
  TypeIndexArray* array = type_indexes.by_index.load(std::memory_order_relaxed);
  array->at()[place.index].store(entry, std::memory_order_release);
  if (takes_key) name_type(entry);
  *out_index = place.index;
  return "";
}

/*! \brief Return the type index that a key refers to now, or -1. */
int32_t known_key(std::string_view key) {
  for (;;) {
    const TypeEntry* entry = registered_type(key);
    if (entry == nullptr) return -1;
    if (!entry->is_forgotten.load(std::memory_order_acquire)) return entry->info.type_index;
    // If the key still refers to this entry, no type has the key. Otherwise another type has taken
    // the key in the meantime: look again.
    if (registered_type(key) == entry && entry->is_forgotten.load(std::memory_order_acquire)) {
      return -1;
    }
  }
}

/*! \brief Record that the library load in progress on this thread, if any, has added a type. */
void journal_new_type(TypeEntry* entry) {
  try {
    TypeChange::of(entry, /*is_new=*/true);
  } catch (const std::bad_alloc&) {
    withdraw_type(entry);
    throw;
  }
}

/*! \brief Record that native code has a class for an existing type. If the type was defined in
 * Python, the end of the library load checks that the library has registered the members of the
 * class; if not, the load fails. */
void declare_type(TypeEntry* entry) {
  bool is_laid_out = entry->object_layout.load(std::memory_order_acquire) != nullptr;
  if (!is_laid_out && entry->is_declared.load(std::memory_order_relaxed)) return;
  if (TypeChange* change = TypeChange::of(entry)) change->note_declaration();
  entry->is_declared.store(true, std::memory_order_release);
}

/*! \brief Record the difference between the type that a library load requests and the existing
 * type. The record is used only if the load later defines the type again. */
void note_request(TypeEntry* entry, const TypeRequest& request) {
  if (entry->metadata == nullptr || entry->info.type_depth == 0) return;
  const TVMFFITypeInfo* parent = entry->info.type_ancestors[entry->info.type_depth - 1];
  std::string difference;
  if (request.parent >= 0 && request.parent != parent->type_index) {
    const TVMFFITypeInfo* other = find_type(request.parent);
    difference = "parent: `" + std::string(view_of(parent->type_key)) + "` -> `" +
                 (other == nullptr ? std::string("?") : std::string(view_of(other->type_key))) +
                 "`";
  } else if (request.child_slots != entry->slots_total - 1) {
    difference = "child slots: " + std::to_string(entry->slots_total - 1) + " -> " +
                 std::to_string(request.child_slots);
  }
  if (!difference.empty()) TypeChange::of(entry)->add_difference(std::move(difference));
}

}  // namespace

TypeEntry* find_type_entry(int32_t type_index) {
  TypeEntry* entry = registered_type(type_index);
  if (entry != nullptr) return entry;
  start_up();
  return registered_type(type_index);
}

Mutex& type_table_mutex() { return type_table.mutex; }

const TVMFFITypeInfo* find_type(int32_t type_index) {
  const TypeEntry* entry = find_type_entry(type_index);
  return entry == nullptr ? nullptr : &entry->info;
}

const TVMFFITypeInfo* find_type_or_raise(int32_t type_index) {
  const TVMFFITypeInfo* info = find_type(type_index);
  if (info == nullptr) {
    raise("InternalError", {"Cannot find type info for type_index=", std::to_string(type_index)});
  }
  return info;
}

int32_t find_type_key(std::string_view key) {
  int32_t index = known_key(key);
  if (index >= 0) return index;
  start_up();
  return known_key(key);
}

int32_t get_or_alloc_type(const TypeRequest& request) {
  int32_t known = find_type_key(request.key);
  if (known >= 0) {
    if (request.parent == -2) return known;
    TypeEntry* entry = registered_type(known);
    if (LoadScope::current() != nullptr) note_request(entry, request);
    if (request.is_declaration) declare_type(entry);
    return known;
  }
  if (request.parent == -2) return -2;
  if (check_request(request) != 0 || check_parent(request.key, request.parent) != 0) return -1;
  int32_t index = -1;
  bool is_new = false;
  Refusal refusal;
  {
    std::lock_guard<Mutex> lock(type_table.mutex);
    index = known_key(request.key);
    is_new = index < 0;
    if (is_new) refusal = add_type(request, true, &index);
  }
  if (!refusal.empty()) return raise("InternalError", {refusal});
  TypeEntry* entry = registered_type(index);
  if (is_new) journal_new_type(entry);
  if (is_new || request.is_declaration) entry->is_declared.store(request.is_declaration);
  return index;
}

bool has_unknown_members(const TVMFFITypeInfo* info) {
  const TypeEntry* entry = find_type_entry(info->type_index);
  return entry->is_declared.load(std::memory_order_acquire) && info->type_depth > 0 &&
         info->metadata == nullptr && info->num_fields == 0 &&
         entry->object_layout.load(std::memory_order_acquire) == nullptr;
}

void withdraw_type(TypeEntry* entry) noexcept {
  std::lock_guard<Mutex> lock(type_table.mutex);
  entry->is_withdrawn.store(true, std::memory_order_relaxed);
  entry->is_forgotten.store(true, std::memory_order_release);
  if (entry->info.type_depth == 0) return;
  auto* parent =
      registered_type(entry->info.type_ancestors[entry->info.type_depth - 1]->type_index);
  // If the indices are the last ones in use in the reserved range of the parent, return them to the
  // parent, which can then give them to another type. A parent that allows subtypes outside of its
  // range (`overflows`) does not get indices back.
  bool is_last =
      entry->info.type_index + entry->slots_total == parent->info.type_index + parent->slots_taken;
  if (parent->overflows || !is_last || entry->info.type_index <= parent->info.type_index) return;
  parent->slots_taken -= entry->slots_total;
  entry->has_returned_slots = true;
}

void readmit_type(TypeEntry* entry) {
  bool is_readmitted;
  {
    std::lock_guard<Mutex> lock(type_table.mutex);
    is_readmitted = entry->is_withdrawn.load(std::memory_order_relaxed) &&
                    registered_type(view_of(entry->info.type_key)) == entry && readmit(entry);
  }
  if (is_readmitted) journal_new_type(entry);
}

void set_type_origin(int32_t type_index, std::string_view origin) {
  TypeEntry* entry = find_type_entry(type_index);
  if (entry == nullptr) return;
  const std::string* kept = intern_origin(origin);
  std::lock_guard<Mutex> lock(type_table.mutex);
  entry->owner.origin = kept;
}

std::string_view type_origin(int32_t type_index) {
  const TypeEntry* entry = find_type_entry(type_index);
  if (entry == nullptr) return {};
  std::lock_guard<Mutex> lock(type_table.mutex);
  return entry->owner.origin == nullptr ? std::string_view() : *entry->owner.origin;
}

int32_t add_type_again(int32_t former, int32_t parent) {
  const TypeEntry* entry = find_type_entry(former);
  const TypeEntry* base = find_type_entry(parent);
  TypeRequest request;
  if (entry != nullptr) request.key = view_of(entry->info.type_key);
  request.depth = base == nullptr ? 0 : base->info.type_depth + 1;
  request.overflows = true;
  request.parent = parent;
  if (check_parent(request.key, parent) != 0) return -1;
  int32_t index = -1;
  Refusal refusal = "There is no type " + std::to_string(entry == nullptr ? former : parent);
  if (entry != nullptr && base != nullptr) {
    std::lock_guard<Mutex> lock(type_table.mutex);
    refusal = add_type(request, false, &index);
  }
  return refusal.empty() ? index : raise("InternalError", {refusal});
}

void take_type_key(int32_t type_index) {
  TypeEntry* entry = find_type_entry(type_index);
  if (entry == nullptr) return;
  std::lock_guard<Mutex> lock(type_table.mutex);
  type_indexes.by_key.reserve_one();
  name_type(entry);
}

std::string type_title(int32_t type_index) {
  const TypeEntry* entry = find_type_entry(type_index);
  if (entry == nullptr) return "type " + std::to_string(type_index);
  std::string key(view_of(entry->info.type_key));
  if (!entry->is_forgotten.load(std::memory_order_acquire) || known_key(key) < 0) return key;
  return "an earlier definition of `" + key + "`";
}

void forget_type_key(int32_t type_index) {
  TypeEntry* entry = find_type_entry(type_index);
  if (entry != nullptr) entry->is_forgotten.store(true, std::memory_order_release);
}

std::vector<std::string_view> registered_type_keys() {
  start_up();
  std::vector<std::string_view> keys;
  {
    std::lock_guard<Mutex> lock(type_table.mutex);
    for (const TypeEntry* entry = type_table.newest; entry != nullptr; entry = entry->older) {
      if (entry->is_forgotten.load(std::memory_order_relaxed)) continue;
      keys.push_back(view_of(entry->info.type_key));
    }
  }
  return {keys.rbegin(), keys.rend()};
}

}  // namespace tvm::ffi::runtime
