// SPDX-License-Identifier: Apache-2.0
// Search for a value in a sequence.
#pragma once

#include "native.h"

namespace binding {

// The value to find, converted once.
class Wanted {
 public:
  Wanted() : args_{Temporaries(&place_), &context_} {}
  Wanted(const Wanted&) = delete;
  Wanted& operator=(const Wanted&) = delete;

  // 0, or -1 with an exception set. May run Python. `value` must outlive this.
  int convert(PyObject* value);
  // Whether an element matches. 1, 0, or -1 with an exception set. May run Python, after which the
  // place may be gone.
  int matches(const DLPackExchangeAPI* api, const TVMFFIAny& place) const;

  // The value where it is None, an int or a bool, which among atoms match what has the same bits
  // and nothing else; NULL for others.
  const TVMFFIAny* plain() const { return plain_.type_index <= kTVMFFIBool ? &plain_ : nullptr; }

 private:
  bool asks_python(const TVMFFIAny& item) const;

  TVMFFIObject* place_;
  CallContext context_;
  Arguments args_;
  PyObject* value_ = nullptr;  // borrowed
  TVMFFIAny plain_;            // the value, borrowed
  ffi::Any key_;
  bool is_atom_ = false;
  bool is_tensor_ = false;
  // It is a wrapper whose class defines `==`.
  bool has_equality_ = false;
};

// Place of the first match in [start, stop); -1 where there is none, -2 with an exception set.
int64_t sequence_find(PyObject* self, const Wanted& wanted, int64_t start, int64_t stop);

int sequence_contains(PyObject* self, PyObject* value);
PyObject* sequence_count(PyObject* self, PyObject* value);
// `args`: value, start and stop, the last two NULL when they were not given.
PyObject* sequence_index(PyObject* self, PyObject* const* args);

}  // namespace binding
