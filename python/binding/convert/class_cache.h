// SPDX-License-Identifier: Apache-2.0
// A cache of what a conversion has found out about a Python class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../compat.h"
#ifdef Py_GIL_DISABLED
#include "core/thread_value.h"
#endif

namespace binding {

// Maps a class to a result that depends on the class alone. The cache is direct-mapped: two classes
// with the same index replace each other. An entry is valid while the class keeps its version tag,
// so the cache does not own the class. The GIL protects the entries; without the GIL, each thread
// has its own.
template <typename Result, size_t kSize>
class ClassCache {
 public:
  // Returns the result of the class, or NULL if none is stored. The pointer is valid until the next
  // store().
  BINDING_INLINE const Result* find(PyTypeObject* type) const {
    const Entry* all = entries();
    if (all == nullptr) return nullptr;
    const Entry& entry = all[index(type)];
    bool valid =
        entry.type == type && entry.version != 0 && entry.version == compat_type_version(type);
    return BINDING_LIKELY(valid) ? &entry.result : nullptr;
  }

  void store(PyTypeObject* type, Result result) {
    Entry* all = entries();
    if (all != nullptr) all[index(type)] = Entry{type, compat_type_version(type), result};
  }

 private:
  struct Entry {
    PyTypeObject* type;  // never dereferenced
    unsigned int version;
    Result result;
  };

  static size_t index(PyTypeObject* type) {
    auto bits = reinterpret_cast<uintptr_t>(type);
    return ((bits >> 4) ^ (bits >> 12)) % kSize;
  }

#ifdef Py_GIL_DISABLED
  struct Owner {
    ~Owner() { t_entries = nullptr; }
    Entry entries[kSize] = {};
  };
  static inline BINDING_THREAD_LOCAL Entry* t_entries = nullptr;
  BINDING_COLD static Entry* make() {
    auto* owner = tvm::ffi::runtime::thread_value<Owner>();
    return owner == nullptr ? nullptr : t_entries = owner->entries;
  }
  // Returns NULL if there is no memory.
  static Entry* entries() { return BINDING_LIKELY(t_entries != nullptr) ? t_entries : make(); }
#else
  Entry* entries() { return entries_.data(); }
  const Entry* entries() const { return entries_.data(); }

  std::array<Entry, kSize> entries_{};
#endif
};

}  // namespace binding
