// SPDX-License-Identifier: Apache-2.0
// The table of global functions. Names are found without a lock; functions are read and replaced
// under the lock of the table.
#include "core/function_table.h"

#include <tvm/ffi/object.h>

#include <memory>
#include <mutex>
#include <utility>

#include "core/kept_text.h"
#include "core/load_scope.h"
#include "core/name_table.h"
#include "core/nearest_name.h"
#include "core/start_up.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief Texts, flags and owner of a function. */
struct FunctionNote : GlobalFunctionDescription {
  Owner owner;
};

/*! \brief A name that has or had a function. Entries are never freed. */
struct FunctionEntry : NameNode {
  // The lock of the table guards all members.
  /*! \brief A reference that the entry owns; NULL after removal. */
  TVMFFIObject* function = nullptr;
  FunctionNote note;
  /*! \brief Whether the entry is in the list of all names, where it stays after removal. */
  bool is_listed = false;
  FunctionEntry* older = nullptr;
  /*! \brief The next entry whose name has the same size. */
  FunctionEntry* same_size = nullptr;
};

/*! \brief The table, which is constant-initialized and never destroyed. `mutex` guards everything
 * except the lookup of a name. */
struct FunctionTable {
  Mutex mutex;
  NameTable by_name;
  FunctionEntry* newest = nullptr;
  /*! \brief One list of entries for each size of name. The search for a similar name reads only the
   * lists of similar sizes. */
  FunctionEntry* by_size[NearestName::kMaxSize + 1] = {};
};
TVM_FFI_CONSTINIT FunctionTable table;

FunctionEntry* find_entry(std::string_view name) {
  return static_cast<FunctionEntry*>(table.by_name.find(name.data(), name.size()));
}

/*! \brief Return a new reference to a function, or NULL. Does not run start-up (start_up.h). */
TVMFFIObject* get_registered(std::string_view name) {
  const FunctionEntry* entry = find_entry(name);
  if (entry == nullptr) return nullptr;
  std::lock_guard<Mutex> lock(table.mutex);
  if (entry->function != nullptr) detail::ObjectUnsafe::IncRefObjectHandle(entry->function);
  return entry->function;
}

/*! \brief Release a function that was in the table; may be NULL. Call without the lock. */
void release_replaced(TVMFFIObject* function) {
  if (function != nullptr) detail::ObjectUnsafe::DecRefObjectHandle(function);  // runs foreign code
}

/*! \brief Find the entry of a name, or make a new one. Call with the lock held; may throw
 * std::bad_alloc. */
FunctionEntry* find_or_add_entry(std::string_view name) {
  FunctionEntry* known = find_entry(name);
  if (known != nullptr) return known;
  table.by_name.reserve_one();
  auto entry = std::make_unique<FunctionEntry>();
  TVMFFIByteArray kept = keep_text(name);
  entry->name = kept.data;
  entry->name_size = kept.size;
  table.by_name.insert(entry.get());
  return entry.release();
}

/*! \brief Make an entry the newest of the list. Call with the lock held. */
void append_to_list(FunctionEntry* entry) {
  if (entry->is_listed) {
    FunctionEntry** link = &table.newest;
    while (*link != entry) link = &(*link)->older;
    *link = entry->older;
  } else if (entry->name_size <= NearestName::kMaxSize) {
    entry->same_size = table.by_size[entry->name_size];
    table.by_size[entry->name_size] = entry;
  }
  entry->is_listed = true;
  entry->older = table.newest;
  table.newest = entry;
}

/*! \brief The registration, replacement or removal of a function during a library load. */
class FunctionChange final : public LoadChange {
 public:
  /*! \brief Record the change. \param before the former function, which this object then owns. */
  void note_replaced(FunctionEntry* entry, TVMFFIObject* function, TVMFFIObject* before,
                     FunctionNote note) {
    entry_ = entry;
    function_ = function;
    before_ = before;
    note_ = std::move(note);
  }

  void keep() noexcept override { release_replaced(std::exchange(before_, nullptr)); }

  void undo() noexcept override {
    if (entry_ == nullptr) return;
    {
      std::lock_guard<Mutex> lock(table.mutex);
      // Do nothing if another thread has meanwhile replaced the function that the load registered.
      if (entry_->function == function_) {
        std::swap(entry_->function, before_);
        std::swap(entry_->note, note_);
      }
    }
    release_replaced(std::exchange(before_, nullptr));
  }

 private:
  FunctionEntry* entry_ = nullptr;
  /*! \brief The function that the load registered: borrowed, and used only for comparison. */
  TVMFFIObject* function_ = nullptr;
  TVMFFIObject* before_ = nullptr;
  FunctionNote note_;
};

}  // namespace

Mutex& function_table_mutex() { return table.mutex; }

TVMFFIObject* get_global_function(std::string_view name) {
  TVMFFIObject* function = get_registered(name);
  if (function != nullptr) return function;
  start_up();
  LoadScope::run_deferred_blocks();
  return get_registered(name);
}

bool set_global_function(std::string_view name, TVMFFIObject* function,
                         const GlobalFunctionInfo& info, bool allow_override) {
  start_up();
  LoadScope::run_deferred_blocks();
  Owner owner = LoadScope::current_owner();
  FunctionNote note{{std::string(info.doc), std::string(info.metadata), info.flags}, owner};
  FunctionChange* change = LoadScope::add_empty<FunctionChange>();
  TVMFFIObject* before = nullptr;
  {
    std::lock_guard<Mutex> lock(table.mutex);
    FunctionEntry* entry = find_or_add_entry(name);
    bool is_taken = entry->function != nullptr;
    if (is_taken && !allow_override && !is_defined_again(entry->note.owner, owner)) return false;
    if (!is_taken) append_to_list(entry);
    std::swap(entry->note, note);
    before = std::exchange(entry->function, function);
    if (change != nullptr) change->note_replaced(entry, function, before, std::move(note));
  }
  if (change == nullptr) release_replaced(before);
  return true;
}

bool remove_global_function(std::string_view name) {
  start_up();
  LoadScope::run_deferred_blocks();
  FunctionChange* change = LoadScope::add_empty<FunctionChange>();
  TVMFFIObject* before = nullptr;
  {
    std::lock_guard<Mutex> lock(table.mutex);
    FunctionEntry* entry = find_entry(name);
    if (entry != nullptr) before = std::exchange(entry->function, nullptr);
    if (change != nullptr && before != nullptr) {
      change->note_replaced(entry, nullptr, before, entry->note);
    }
  }
  if (change == nullptr) release_replaced(before);
  return before != nullptr;
}

std::string_view global_function_origin(std::string_view name) {
  std::lock_guard<Mutex> lock(table.mutex);
  const FunctionEntry* entry = find_entry(name);
  if (entry == nullptr || entry->note.owner.origin == nullptr) return {};
  return *entry->note.owner.origin;
}

std::vector<std::string_view> global_function_names() {
  start_up();
  std::vector<std::string_view> names;
  std::lock_guard<Mutex> lock(table.mutex);
  for (const FunctionEntry* entry = table.newest; entry != nullptr; entry = entry->older) {
    if (entry->function == nullptr) continue;
    names.emplace_back(entry->name, entry->name_size);
  }
  return {names.rbegin(), names.rend()};
}

void offer_global_function_names(NearestName* nearest) {
  start_up();
  std::lock_guard<Mutex> lock(table.mutex);
  auto [least, greatest] = nearest->sizes();
  for (size_t size = least; size <= greatest; ++size) {
    const FunctionEntry* entry = table.by_size[size];
    for (; entry != nullptr; entry = entry->same_size) {
      if (entry->function != nullptr) nearest->offer({entry->name, entry->name_size});
    }
  }
}

std::string_view find_global_function_name(const TVMFFIObject* function, std::string_view hint,
                                           GlobalFunctionDescription* out) {
  std::lock_guard<Mutex> lock(table.mutex);
  const FunctionEntry* entry = find_entry(hint);
  if (entry == nullptr || entry->function != function) entry = table.newest;
  while (entry != nullptr && entry->function != function) entry = entry->older;
  if (entry == nullptr) return {};
  *out = entry->note;
  return {entry->name, entry->name_size};
}

bool describe_global_function(std::string_view name, GlobalFunctionDescription* out) {
  start_up();
  std::lock_guard<Mutex> lock(table.mutex);
  const FunctionEntry* entry = find_entry(name);
  if (entry == nullptr || entry->function == nullptr) return false;
  *out = entry->note;
  return true;
}

}  // namespace tvm::ffi::runtime
