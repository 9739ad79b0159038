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

  // Converts the value. Returns 0, or -1 with an exception set. May run Python. `value` must
  // outlive this object.
  int convert(PyObject* value);
  // Compares an element. Returns 1 if it matches, 0 if not, or -1 with an exception set. May run
  // Python, which may make `place` invalid.
  int matches(const DLPackExchangeAPI* api, const TVMFFIAny& place) const;

  // Returns the value if it is None, an int or a bool, otherwise NULL. The only atoms that match
  // such a value are those with the same type and bits.
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
  // True if the value is a wrapper whose class defines `==`.
  bool has_equality_ = false;
};

// Returns the index of the first match in [start, stop); -1 if there is none, -2 with an exception
// set.
int64_t sequence_find(PyObject* self, const Wanted& wanted, int64_t start, int64_t stop);

int sequence_contains(PyObject* self, PyObject* value);
PyObject* sequence_count(PyObject* self, PyObject* value);
// `args`: value, start and stop; the last two are NULL if they were not given.
PyObject* sequence_index(PyObject* self, PyObject* const* args);

}  // namespace binding
