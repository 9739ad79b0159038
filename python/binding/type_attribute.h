// SPDX-License-Identifier: Apache-2.0
// Reads attributes of types from the type table.
#pragma once

#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstring>

#include "compat.h"

namespace binding {

// An attribute of types. Its column in the type table is looked up on first use; the type table
// keeps the column for the life of the process. Several threads may use the same object.
class TypeAttribute {
 public:
  constexpr explicit TypeAttribute(const char* name) : name_(name) {}

  // Returns the value for a type, borrowed from the type table; NULL if the type itself does not
  // have the attribute. Ancestors are not searched.
  const TVMFFIAny* of(int32_t type_index) {
    const TVMFFITypeAttrColumn* column = column_.load(std::memory_order_acquire);
    if (BINDING_UNLIKELY(column == nullptr)) column = find();
    if (column == nullptr) return nullptr;
    int32_t at = type_index - column->begin_index;
    if (at < 0 || at >= column->size || column->data[at].type_index == kTVMFFINone) return nullptr;
    return &column->data[at];
  }

 private:
  const TVMFFITypeAttrColumn* find() {
    TVMFFIByteArray name{name_, std::strlen(name_)};
    const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
    column_.store(column, std::memory_order_release);
    return column;
  }

  const char* name_;
  std::atomic<const TVMFFITypeAttrColumn*> column_{nullptr};
};

// Returns `TypeAttribute(name).of(type_index)`.
inline const TVMFFIAny* type_attribute(int32_t type_index, const char* name) {
  return TypeAttribute(name).of(type_index);
}

}  // namespace binding
