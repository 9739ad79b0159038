// SPDX-License-Identifier: Apache-2.0
// The two places where the values of a type attribute are stored: the map, which owns them, and the
// dense column, which contains copies without ownership.
#include "core/type_attr.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/attr_cells.h"
#include "core/enum_store.h"
#include "core/error_slot.h"
#include "core/kept_text.h"
#include "core/load_scope.h"
#include "core/mutex.h"
#include "core/name_table.h"
#include "core/start_up.h"
#include "core/type_attr_rules.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {

TVM_FFI_CONSTINIT NameTable type_attr_names;

namespace {

using Tier = TypeAttrTier;

/*! \brief One attribute. Entries are never freed, and the lock of the table guards the members of
 * this class. */
struct AttrEntry : TypeAttrNode {
  AttrCells cells;
  TypeAttrMap values;
  /*! \brief Type index -> who registered the value. Only for values registered during a load. */
  std::unordered_map<int32_t, Owner> owners;
  /*! \brief Replaced objects. They are kept, because readers may use them without a reference. */
  std::unordered_map<const TVMFFIObject*, Any> replaced;
  /*! \brief Whether clients use the map, or values without owning a reference to them. */
  bool is_borrowed = false;
  /*! \brief Whether the ABI gives the name a meaning. Each type can register such a name only
   * once. */
  bool is_well_known = false;
  /*! \brief Types for which the runtime itself has registered the attribute. A library that was
   * compiled for an older release may also register it: the call succeeds, but the value of the
   * runtime is kept. */
  std::unordered_set<int32_t> own_types;
};

/*! \brief The part of the table that only writers use. It is constant-initialized and never
 * destroyed. */
struct AttrTable {
  Mutex mutex;
  /*! \brief All entries, guarded by the lock. */
  std::vector<AttrEntry*>* entries = nullptr;
};
TVM_FFI_CONSTINIT AttrTable attr_table;

std::string_view canonical_name(std::string_view name) {
  return name == "__structural_equal__" ? std::string_view("__s_equal__") : name;
}

AttrEntry* find_attr(std::string_view name) {
  return static_cast<AttrEntry*>(type_attr_names.find(name.data(), name.size()));
}

/*! \brief Find the entry of a name, or make a new one. Call with the lock held. */
AttrEntry* find_or_add_attr(std::string_view name) {
  AttrEntry* known = find_attr(name);
  if (known != nullptr) return known;
  type_attr_names.reserve_one();
  auto entry = std::make_unique<AttrEntry>();
  TVMFFIByteArray kept = keep_text(name);
  entry->name = kept.data;
  entry->name_size = kept.size;
  if (attr_table.entries == nullptr) attr_table.entries = new std::vector<AttrEntry*>();
  attr_table.entries->reserve(attr_table.entries->size() + 1);
  type_attr_names.insert(entry.get());
  attr_table.entries->push_back(entry.get());
  return entry.release();
}

void raise_tier(AttrEntry* entry, Tier tier) {
  if (entry->tier.load(std::memory_order_relaxed) < tier) {
    entry->tier.store(tier, std::memory_order_release);
  }
}

bool is_dense(const AttrEntry* entry) {
  return entry->tier.load(std::memory_order_relaxed) == Tier::kDense;
}

/*! \brief Whether code reads values that it does not own, without taking the lock. */
bool has_borrowers(const AttrEntry* entry) { return is_dense(entry) || entry->is_borrowed; }

const TVMFFIAny& raw(const Any& value) { return *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value); }

bool has_same_words(const Any& lhs, const Any& rhs) {
  return std::memcmp(&raw(lhs), &raw(rhs), sizeof(TVMFFIAny)) == 0;
}

/*! \brief If a value is an object, keep it alive; call before replacing the value. */
void keep_replaced(AttrEntry* entry, const Any& value) {
  if (value.type_index() < kTVMFFIStaticObjectBegin) return;
  entry->replaced.emplace(raw(value).v_obj, value);
}

/*!
 * \brief Create the column from the map. Call with the lock held; nothing changes if this throws.
 * \param is_updated_when_read the value of the member.
 */
void make_dense(AttrEntry* entry, bool is_updated_when_read) {
  if (is_dense(entry)) return;
  entry->is_updated_when_read = is_updated_when_read;
  for (const auto& [type_index, value] : entry->values) {
    entry->cells.prepare(entry->column, type_index, raw(value));
    entry->cells.store(&entry->column, type_index, raw(value));
  }
  raise_tier(entry, Tier::kDense);
}

/*!
 * \brief Store a value in the map and, if the column exists, in the column. Call with the lock
 * held; nothing changes if this throws.
 * \return the former value, which the caller must release after it has released the lock.
 */
Any store_value(AttrEntry* entry, int32_t type_index, Any value) {
  auto found = entry->values.find(type_index);
  bool is_none = value.type_index() == kTVMFFINone;
  if (found == entry->values.end() ? is_none : has_same_words(found->second, value)) {
    raise_tier(entry, Tier::kSparse);
    return value;
  }
  if (is_dense(entry)) entry->cells.prepare(entry->column, type_index, raw(value));
  if (found == entry->values.end()) {
    found = entry->values.emplace(type_index, Any()).first;
  } else if (has_borrowers(entry)) {
    keep_replaced(entry, found->second);
  }
  std::swap(found->second, value);
  if (is_dense(entry)) entry->cells.store(&entry->column, type_index, raw(found->second));
  if (is_none) entry->values.erase(found);
  raise_tier(entry, Tier::kSparse);
  return value;
}

/*! \brief The record of an attribute that a library load has set. */
class AttrChange final : public LoadChange {
 public:
  /*! \brief Record the change. Call with the lock held. */
  void note_replaced(AttrEntry* entry, int32_t type_index, const Any& value, Any before,
                     Owner former) {
    entry_ = entry;
    type_index_ = type_index;
    value_ = value;
    before_ = std::move(before);
    former_ = former;
  }

  void keep() noexcept override {
    before_ = Any();
    value_ = Any();
  }

  void undo() noexcept override {
    if (entry_ == nullptr) return;
    {
      std::lock_guard<Mutex> lock(attr_table.mutex);
      auto found = entry_->values.find(type_index_);
      // Do nothing if another thread has meanwhile replaced the value that the load has set.
      bool is_ours =
          found == entry_->values.end() ? value_ == nullptr : found->second.same_as(value_);
      if (!is_ours) return;
      try {
        before_ = store_value(entry_, type_index_, std::move(before_));
      } catch (const std::bad_alloc&) {
        return;  // cannot happen, because the type already has a cell
      }
      entry_->owners[type_index_] = former_;
    }
    // Now `before_` is the value that the failed load had set.
    try {
      enum_attr_changed(type_index_, std::string_view(entry_->name, entry_->name_size));
    } catch (const std::exception&) {
      // The next lookup in the enum reports the error.
    }
    before_ = Any();
    value_ = Any();
  }

 private:
  AttrEntry* entry_ = nullptr;
  int32_t type_index_ = 0;
  Any value_;
  Any before_;
  Owner former_;
};

/*!
 * \brief Store a value and record its owner. Call with the lock held.
 * \param change records the former value, so that the library load can be undone; NULL if no load
 * is in progress.
 * \return the former value, which the caller must release after it has released the lock.
 */
Any set_value(AttrEntry* entry, int32_t type_index, Any value, AttrChange* change) {
  if (__builtin_expect(is_starting_up(), 0)) entry->own_types.insert(type_index);
  Owner owner = LoadScope::current_owner();
  auto found = entry->owners.find(type_index);
  Owner former = found == entry->owners.end() ? Owner{} : found->second;
  if (owner.load != 0 || former.load != 0) entry->owners[type_index] = owner;
  if (change == nullptr) return store_value(entry, type_index, std::move(value));
  Any kept = value;
  Any before = store_value(entry, type_index, std::move(value));
  change->note_replaced(entry, type_index, kept, before, former);
  return before;
}

/*! \brief Whether a library that is being loaded may replace the value that a well-known attribute
 * has. Call with the lock held. */
bool may_replace(const AttrEntry& entry, int32_t type_index, bool is_redefined) {
  auto found = entry.owners.find(type_index);
  if (found == entry.owners.end()) return false;
  Owner now = LoadScope::current_owner();
  if (found->second.load == 0 || found->second.load == now.load) return false;
  return is_redefined || is_defined_again(found->second, now);
}

/*! \brief Raise an error: the type already has a value that cannot be replaced. \return -1. */
int raise_taken(int32_t type_index, std::string_view name) {
  std::string_view advice = is_enum_dict(name)
                                ? "; change the registered Dict in place"
                                : "; register a List or Dict once and change it in place, or use "
                                  "`ffi.TypeAttrSet` to overwrite";
  return raise("RuntimeError", {"TypeAttr `", name, "` is already registered for type index ",
                                std::to_string(type_index), advice});
}

}  // namespace

Mutex& type_attr_mutex() { return attr_table.mutex; }

void register_attribute_columns() {
  std::lock_guard<Mutex> lock(attr_table.mutex);
  for (const WellKnownAttr& known : kWellKnownAttrs) {
    AttrEntry* entry = find_or_add_attr(known.name);
    entry->is_well_known = true;
    if (known.column == AttrColumn::kOnRequest) raise_tier(entry, Tier::kSparse);
    if (known.column == AttrColumn::kAtStartUp) raise_tier(entry, Tier::kDense);
  }
}

int register_type_attr(int32_t type_index, std::string_view name, Any value) {
  start_up();
  name = canonical_name(name);
  if (type_index == kTVMFFINone) {
    ensure_type_attr_column(name);
    return 0;
  }
  LoadScope::run_deferred_blocks();
  if (find_type_or_raise(type_index) == nullptr) return -1;
  if (merge_enum_view(type_index, name, value)) return 0;
  const bool is_legal = accepts_type_attr(name, value);
  if (!accepts_attributes(type_index)) {
    if (name == "__ffi_type_final__") publish_type_definition(type_index);  // throws
    return 0;
  }
  // A C++ ObjectDef registers this attribute last, so the definition of the type is complete.
  if (name == "__ffi_type_final__") publish_type_definition(type_index);
  bool is_redefined = is_redefined_by_load(type_index);
  AttrChange* change = LoadScope::add_empty<AttrChange>();
  bool is_ours;
  bool is_taken;
  {
    std::lock_guard<Mutex> lock(attr_table.mutex);
    AttrEntry* entry = find_or_add_attr(name);
    is_ours = !is_starting_up() && entry->own_types.count(type_index) != 0;
    is_taken = is_ours || (entry->is_well_known && entry->values.count(type_index) != 0 &&
                           !may_replace(*entry, type_index, is_redefined));
    if (!is_taken && is_legal) value = set_value(entry, type_index, std::move(value), change);
  }
  if (is_ours && is_legal) return 0;
  if ((is_ours || !is_taken) && !is_legal) return refuse_type_attr(type_index, name, value);
  if (!is_taken) {
    enum_attr_changed(type_index, name);
    // A C++ ObjectDef registers this attribute last, so the fields of the type are complete.
    if (name == "__ffi_type_final__") enum_type_was_defined(type_index);
    return 0;  // releases `value`, which now contains the former value: runs foreign code
  }
  return raise_taken(type_index, name);
}

int set_type_attr(int32_t type_index, std::string_view name, Any value) {
  if (find_type_or_raise(type_index) == nullptr) return -1;
  start_up();
  name = canonical_name(name);
  if (!accepts_type_attr(name, value)) return refuse_type_attr(type_index, name, value);
  if (merge_enum_view(type_index, name, value)) return 0;
  // Do not overwrite a Dict, because libraries continue to use the Dict that was registered first.
  if (is_enum_dict(name)) return register_type_attr(type_index, name, std::move(value));
  if (!accepts_attributes(type_index)) return 0;
  AttrChange* change = LoadScope::add_empty<AttrChange>();
  {
    std::lock_guard<Mutex> lock(attr_table.mutex);
    value = set_value(find_or_add_attr(name), type_index, std::move(value), change);
  }
  enum_attr_changed(type_index, name);
  return 0;
}

void remove_former_type_attrs(int32_t type_index, const Owner& former, uint64_t load) {
  std::vector<Any> removed;  // declared before `lock`, so the values are released after unlocking
  std::lock_guard<Mutex> lock(attr_table.mutex);
  for (AttrEntry* entry : *attr_table.entries) {
    auto owner = entry->owners.find(type_index);
    if (owner == entry->owners.end() || owner->second.load == 0) continue;
    if (owner->second.origin != former.origin || owner->second.load == load) continue;
    if (is_enum_storage(std::string_view(entry->name, entry->name_size))) continue;
    removed.push_back(store_value(entry, type_index, Any()));
    entry->owners.erase(owner);
  }
}

Any get_type_attr(std::string_view name, int32_t type_index) {
  start_up();
  name = canonical_name(name);
  update_enum_attr(type_index, name);
  return load_type_attr(type_index, name);
}

Any get_type_attr_to_borrow(std::string_view name, int32_t type_index) {
  start_up();
  name = canonical_name(name);
  update_enum_attr(type_index, name);
  std::lock_guard<Mutex> lock(attr_table.mutex);
  AttrEntry* entry = find_attr(name);
  if (entry == nullptr) return Any();
  auto found = entry->values.find(type_index);
  if (found == entry->values.end()) return Any();
  if (found->second.type_index() >= kTVMFFIStaticObjectBegin) entry->is_borrowed = true;
  return found->second;
}

Any load_type_attr(int32_t type_index, std::string_view name) {
  std::lock_guard<Mutex> lock(attr_table.mutex);
  const AttrEntry* entry = find_attr(name);
  if (entry == nullptr) return Any();
  auto found = entry->values.find(type_index);
  return found == entry->values.end() ? Any() : found->second;
}

Any exchange_type_attr(int32_t type_index, std::string_view name, Any value) {
  std::lock_guard<Mutex> lock(attr_table.mutex);
  return store_value(find_or_add_attr(name), type_index, std::move(value));
}

void ensure_type_attr_column(std::string_view name) {
  start_up();
  name = canonical_name(name);
  bool is_of_enums = update_enum_attr_of_all(name);
  std::lock_guard<Mutex> lock(attr_table.mutex);
  make_dense(find_or_add_attr(name), is_of_enums);
}

const TVMFFITypeAttrColumn* find_type_attr_column(std::string_view name) {
  name = canonical_name(name);
  bool is_of_enums = update_enum_attr_of_all(name);
  AttrEntry* entry = find_attr(name);
  if (entry == nullptr) {
    start_up();
    entry = find_attr(name);
    if (entry == nullptr) return nullptr;
  }
  Tier tier = entry->tier.load(std::memory_order_acquire);
  if (tier == Tier::kDense) return &entry->column;
  if (tier == Tier::kMapOnly) return nullptr;
  std::lock_guard<Mutex> lock(attr_table.mutex);
  make_dense(entry, is_of_enums);
  return &entry->column;
}

const TypeAttrMap& type_attr_map(std::string_view name) {
  start_up();
  update_enum_attr_of_all(name);
  std::lock_guard<Mutex> lock(attr_table.mutex);
  AttrEntry* entry = find_or_add_attr(canonical_name(name));
  entry->is_borrowed = true;
  return entry->values;
}

}  // namespace tvm::ffi::runtime
