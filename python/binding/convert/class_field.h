// SPDX-License-Identifier: Apache-2.0
// A field of a class that is defined in Python: its place, its converter and its initial value.
#pragma once

#include "storage.h"

namespace binding {

// The source of the value of a field without an argument.
enum class Initial : uint8_t {
  kNone,     // none: an argument is required
  kValue,    // `initial`, converted each time
  kReady,    // `ready`, which is converted already and may be shared
  kFactory,  // `initial`, called each time
};

// One field; lives as long as the process, as setters in the type table point into it.
struct ClassField {
  PyObject* name = nullptr;  // interned, owned
  const Converter* converter = nullptr;
  PyObject* converter_owner = nullptr;  // owned
  int32_t offset = 0;
  Storage storage = Storage::kForeign;
  Initial initial_kind = Initial::kNone;
  bool is_parameter = true;
  bool keyword_only = false;
  bool frozen = false;          // only to assignment in Python
  PyObject* initial = nullptr;  // owned
  TVMFFIAny ready{};            // lives as long as the field
  // kForeign: a copy of its entry in the type table, owned.
  const TVMFFIFieldInfo* native = nullptr;
};

}  // namespace binding
