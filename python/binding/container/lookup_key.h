// SPDX-License-Identifier: Apache-2.0
// A Python key as a native one, for the time of one lookup.
#pragma once

#include "native.h"

namespace binding {

// Text that is too long for an inline value is lent from the Python string: no native string is
// made. Any other key is converted as an argument is.
class LookupKey {
 public:
  LookupKey() : args_{Temporaries(&place_), &context_} {}
  LookupKey(const LookupKey&) = delete;
  LookupKey& operator=(const LookupKey&) = delete;
  // The value is only lent to `any_`.
  ~LookupKey() { ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(any_)); }

  // 0, or -1 with an exception set. May run Python. `key` must outlive this.
  BINDING_INLINE int convert(PyObject* key) {
    TVMFFIAny value;
    if (PyUnicode_CheckExact(key) && PyUnicode_IS_COMPACT_ASCII(key) &&
        PyUnicode_GET_LENGTH(key) > 7) {
      lend_text(key, &value);
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
  void lend_text(PyObject* key, TVMFFIAny* value) {
    lent_.header.combined_ref_count = kStrongOne + kWeakOne;
    lent_.header.type_index = kTVMFFIStr;
    lent_.header.__padding = 0;
    lent_.header.deleter = nullptr;
    lent_.text = TVMFFIByteArray{static_cast<const char*>(PyUnicode_DATA(key)),
                                 static_cast<size_t>(PyUnicode_GET_LENGTH(key))};
    value_set_object(value, &lent_.header);
  }

  // A native string whose text lies elsewhere; the layout is that of every string object.
  struct LentText {
    TVMFFIObject header;
    TVMFFIByteArray text;
  };

  LentText lent_;
  TVMFFIObject* place_;
  CallContext context_;
  Arguments args_;
  ffi::Any any_;
};

}  // namespace binding
