// SPDX-License-Identifier: Apache-2.0
// Storage of the fields of classes that are defined in Python: the representation in memory for
// each kind of schema, and the conversion between this representation and Python.
#pragma once

#include "schema/schema.h"

namespace binding {

// The representation of a field in memory.
enum class Storage : uint8_t {
  kInt,       // int64_t
  kFloat,     // double
  kBool,      // one byte
  kPointer,   // void*
  kDataType,  // DLDataType
  kDevice,    // DLDevice
  kValue,     // owned TVMFFIAny
  kObject,    // owned object pointer; NULL means None
  kForeign,   // field of a native type: accessed only by its getter and setter
};

struct StorageShape {
  int32_t size;
  int32_t alignment;
  int32_t static_type_index;
};

// Returns the storage of the values of a schema; never kForeign.
Storage storage_of(const Converter& c);
// Returns size, alignment and type index of a storage other than kForeign.
const StorageShape& shape_of(Storage storage);
// Returns whether a value of the schema may refer to Python objects, and so be part of a cycle.
bool schema_may_hold_python(const Converter& c);

// Reads a field as a new reference, or NULL with an exception set. `storage` is not kForeign.
BINDING_INLINE PyObject* storage_read(Storage storage, const char* at) {
  switch (storage) {
    case Storage::kInt:
      return int_to_py(*reinterpret_cast<const int64_t*>(at));
    case Storage::kFloat:
      return float_to_py(*reinterpret_cast<const double*>(at));
    case Storage::kBool:
      return bool_to_py(*at != 0);
    case Storage::kValue:
      return value_to_py_borrowed(*reinterpret_cast<const TVMFFIAny*>(at));
    case Storage::kObject: {
      TVMFFIObject* obj = *reinterpret_cast<TVMFFIObject* const*>(at);
      if (obj == nullptr) Py_RETURN_NONE;
      PyObject* live = g_wrappers.get(obj);
      if (BINDING_LIKELY(live != nullptr)) return live;
      object_inc_ref(obj);
      return object_to_py_steal(obj);
    }
    case Storage::kPointer:
      return opaque_ptr_to_py(*reinterpret_cast<void* const*>(at));
    case Storage::kDataType:
      return dtype_to_py(*reinterpret_cast<const DLDataType*>(at));
    case Storage::kDevice:
      return device_to_py(*reinterpret_cast<const DLDevice*>(at));
    case Storage::kForeign:
      break;
  }
  Py_RETURN_NONE;
}

// Stores a value that the field's converter made. Steals the value. Releases the old value last,
// because the release may run Python, which may read the field.
BINDING_INLINE void storage_write_steal(Storage storage, char* at, const TVMFFIAny& value) {
  switch (storage) {
    case Storage::kInt:
    case Storage::kFloat:
    case Storage::kPointer:
    case Storage::kDevice:
      std::memcpy(at, &value.v_int64, sizeof(value.v_int64));
      return;
    case Storage::kBool:
      *at = value.v_int64 != 0;
      return;
    case Storage::kDataType:
      std::memcpy(at, &value.v_dtype, sizeof(value.v_dtype));
      return;
    case Storage::kValue: {
      TVMFFIAny old = *reinterpret_cast<TVMFFIAny*>(at);
      *reinterpret_cast<TVMFFIAny*>(at) = value;
      value_release(&old);
      return;
    }
    case Storage::kObject: {
      TVMFFIObject* old = *reinterpret_cast<TVMFFIObject**>(at);
      *reinterpret_cast<TVMFFIObject**>(at) =
          is_object_index(value.type_index) ? value.v_obj : nullptr;
      if (old != nullptr) object_dec_ref(old);
      return;
    }
    case Storage::kForeign:
      return;
  }
}

}  // namespace binding
