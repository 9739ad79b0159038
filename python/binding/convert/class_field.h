// SPDX-License-Identifier: Apache-2.0
// A field of a class that is defined in Python: its location, its converter and its initial value.
#pragma once

#include "storage.h"

namespace binding {

// The source of a field's value when no argument is given.
enum class Initial : uint8_t {
  kNone,     // the field has no default: an argument is required
  kValue,    // convert the member `initial` for each object
  kReady,    // use the member `ready`, which is converted already and may be shared
  kFactory,  // call the member `initial` for each object
};

// One field. Lives as long as the process, because setters in the type table point to it.
struct ClassField {
  PyObject* name = nullptr;  // interned, owned
  const Converter* converter = nullptr;
  PyObject* converter_owner = nullptr;  // owned
  int32_t offset = 0;
  Storage storage = Storage::kForeign;
  Initial initial_kind = Initial::kNone;
  bool is_parameter = true;
  bool keyword_only = false;
  bool frozen = false;          // if true, only assignment in Python is refused
  PyObject* initial = nullptr;  // owned
  TVMFFIAny ready{};            // lives as long as the field
  // With Storage::kForeign: a copy of the entry in the type table, owned.
  const TVMFFIFieldInfo* native = nullptr;
};

}  // namespace binding
