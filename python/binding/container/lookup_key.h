// SPDX-License-Identifier: Apache-2.0
// The native form of a Python key during one lookup.
#pragma once

#include "../convert/str.h"
#include "native.h"

namespace binding {

// A str that is too long to be stored inside the value is borrowed: no native string is allocated.
// Any other key is converted like an argument of a call.
class LookupKey {
 public:
  LookupKey() : args_{Temporaries(&place_), &context_} {}
  LookupKey(const LookupKey&) = delete;
  LookupKey& operator=(const LookupKey&) = delete;
  // Does not release the value of `any_`, which is borrowed.
  ~LookupKey() { ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(any_)); }

  // Converts the key. Returns 0, or -1 with an exception set. May run Python. `key` must outlive
  // this object.
  BINDING_INLINE int convert(PyObject* key) {
    TVMFFIAny value;
    if (BorrowedStr::is_possible(key)) {
      borrowed_.set(key, &value);
    } else {
      if (BINDING_UNLIKELY(value_from_py(key, &value, &args_) < 0)) return -1;
      if (BINDING_UNLIKELY(value.type_index >= kTVMFFIRawStr &&
                           value.type_index < kTVMFFISmallStr)) {
        PyErr_SetString(PyExc_TypeError, "this value cannot be a key");
        return -1;
      }
    }
    any_ = ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(value);
    return 0;
  }
  const ffi::Any& get() const { return any_; }

 private:
  BorrowedStr borrowed_;
  TVMFFIObject* place_;
  CallContext context_;
  Arguments args_;
  ffi::Any any_;
};

}  // namespace binding
