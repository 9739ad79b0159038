// SPDX-License-Identifier: Apache-2.0
// A cache of what a conversion has found out about a Python class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../compat.h"

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
    const Entry& entry = entries()[index(type)];
    bool valid =
        entry.type == type && entry.version != 0 && entry.version == compat_type_version(type);
    return BINDING_LIKELY(valid) ? &entry.result : nullptr;
  }

  void store(PyTypeObject* type, Result result) {
    entries()[index(type)] = Entry{type, compat_type_version(type), result};
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
    Owner() : entries(new Entry[kSize]()) {}
    ~Owner() {
      t_entries = nullptr;
      delete[] entries;
    }
    Entry* entries;
  };
  static inline BINDING_THREAD_LOCAL Entry* t_entries = nullptr;
  BINDING_COLD static Entry* make() {
    static thread_local Owner owner;
    return t_entries = owner.entries;
  }
  static Entry* entries() { return BINDING_LIKELY(t_entries != nullptr) ? t_entries : make(); }
#else
  Entry* entries() { return entries_.data(); }
  const Entry* entries() const { return entries_.data(); }

  std::array<Entry, kSize> entries_{};
#endif
};

}  // namespace binding
