// SPDX-License-Identifier: Apache-2.0
// Python objects of short texts or bytes that were converted a moment ago.
#pragma once

#include <utility>

#include "../ref.h"

namespace binding {

// Keeps the last str or bytes objects that were made from values of at most 7 bytes. Names and keys
// are converted again and again, and a reference to a known object takes a tenth of the time of a
// new one. Guarded by the GIL; keeps nothing in a free-threaded interpreter. Use only static
// instances, which are zero-initialized and never destroyed.
class RecentValues {
 public:
  // Returns the object for a value; a new object is the result of `make(data, size)`. New
  // reference, or NULL with an exception set.
  template <typename Make>
  PyObject* find_or_make(const TVMFFIAny& value, Make&& make) {
    Entry* entry = &entries_[(value.v_uint64 * kOddFactor) >> (64 - kBits)];
    if (entry->is(value)) return compat_new_ref(entry->object);
    PyObject* made = make(value.v_bytes, static_cast<Py_ssize_t>(value.small_str_len));
    if (BINDING_HAS_GIL && made != nullptr) {
      Ref former(std::exchange(entry->object, compat_new_ref(made)));
      entry->bytes = value.v_uint64;
      entry->size = value.small_str_len;
    }
    return made;
  }

 private:
  struct Entry {
    uint64_t bytes;
    uint32_t size;
    PyObject* object;  // owned; NULL at the beginning

    bool is(const TVMFFIAny& value) const {
      return object != nullptr && bytes == value.v_uint64 && size == value.small_str_len;
    }
  };
  static constexpr int kBits = 8;
  static constexpr uint64_t kOddFactor = 0x9E3779B97F4A7C15;

  Entry entries_[1 << kBits];
};

}  // namespace binding
