// SPDX-License-Identifier: Apache-2.0
// Reading and writing the value of a reflected field in place.
#pragma once

#include "../call.h"
#include "../convert/class_field.h"
#include "../raise.h"
#include "types.h"

namespace binding {

// Size reserved for the interpreter's property object, which no header declares.
inline constexpr size_t kPropertySize = 96;

struct FieldObject {
  union {
    PyObject head;
    char property[kPropertySize];
  };
  int32_t type_index;  // the type that declares the field
  int32_t type_depth;
  int64_t offset;
  TVMFFIFieldGetter getter;
  void* setter;
  const Converter* converter;  // for a class defined in Python, else NULL
  Storage storage;
  bool setter_is_function;
  bool frozen;
  // True for a property that was made from Python functions and has no native field.
  bool is_plain_property;
  PyObject* name;
  PyObject* doc;
  // `fget` and `fset`, made on first use. A frozen plain property stores its setter in `writer`.
  PyObject* reader;
  PyObject* writer;
  PyObject* owner;  // the class with this attribute, or NULL if unknown
};

inline FieldObject* as_field(PyObject* x) { return reinterpret_cast<FieldObject*>(x); }

// Each function sets an exception about the object whose field is read or written.
BINDING_COLD void raise_wrong_receiver(const FieldObject* field, PyObject* instance);
BINDING_COLD void raise_empty_receiver(const FieldObject* field, PyObject* instance);
BINDING_COLD void raise_object_changed(const FieldObject* field);
// Adds the name of the field to the exception of convert_by_schema. Returns -1.
BINDING_COLD int raise_refused_value(const FieldObject* field);

// Returns whether the object has the field. Checks the native type, because the class of a wrapper
// does not determine the type of its handle.
inline bool is_instance_of(const TVMFFIObject* obj, const FieldObject* field) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(obj->type_index);
  return info != nullptr && info->type_depth > field->type_depth &&
         info->type_ancestors[field->type_depth]->type_index == field->type_index;
}

// Returns the address of the field in `instance`; NULL with an exception set.
BINDING_INLINE char* field_address(const FieldObject* field, PyObject* instance) {
  if (BINDING_UNLIKELY(!is_wrapper(instance))) {
    raise_wrong_receiver(field, instance);
    return nullptr;
  }
  TVMFFIObject* obj = as_wrapper(instance)->handle;
  if (BINDING_UNLIKELY(obj == nullptr)) {
    raise_empty_receiver(field, instance);
    return nullptr;
  }
  if (BINDING_UNLIKELY(obj->type_index != field->type_index) && !is_instance_of(obj, field)) {
    raise_wrong_receiver(field, instance);
    return nullptr;
  }
  return reinterpret_cast<char*>(obj) + field->offset;
}

// Called after the setter has refused `value`. If the field has an enum type and `value` is the
// number or the text of a variant, stores that variant. `x` is the value before its conversion.
// Takes the setter's error out of the error slot. Returns 0, or -1 with an exception set.
BINDING_COLD int field_store_payload(const FieldObject* field, char* address,
                                     const TVMFFIAny& value, PyObject* x);

// Calls a setter that is a function object: `cells[1]` holds the value, and this call stores
// `address` in `cells[0]`. Returns 0, or -1 with an exception set.
int field_call_setter(void* setter, char* address, TVMFFIAny cells[2]);

// If a setter that is a function has raised an exception because the field cannot hold the value,
// adds the name of the field to the message. For a setter that is a C function pointer,
// field_store_payload does this. Returns -1.
BINDING_COLD int field_raise_setter_error(const FieldObject* field);

// Passes the native value in `cells[1]` to the setter. For a setter that is a function, `cells[0]`
// is overwritten with the address of the field. `x` is the value before its conversion, for
// messages. Returns 0, or -1 with an exception set.
BINDING_INLINE int field_store(FieldObject* field, char* address, TVMFFIAny cells[2], PyObject* x) {
  if (BINDING_UNLIKELY(field->setter_is_function)) {
    int done = field_call_setter(field->setter, address, cells);
    return BINDING_LIKELY(done == 0) ? 0 : field_raise_setter_error(field);
  }
  int status = reinterpret_cast<TVMFFIFieldSetter>(field->setter)(address, &cells[1]);
  if (BINDING_LIKELY(status == 0)) return 0;
  return status == -1 ? field_store_payload(field, address, cells[1], x) : raise_from_slot(status);
}

// Writes a field on the general path, where the conversion may run Python code. That code may move
// the handle out of `instance`.
__attribute__((noinline)) int field_write_converted(FieldObject* field, PyObject* instance,
                                                    PyObject* value, char* address);

// Reads a field. New reference, or NULL with an exception set.
inline PyObject* field_read(FieldObject* field, PyObject* instance) {
  char* address = field_address(field, instance);
  if (BINDING_UNLIKELY(address == nullptr)) return nullptr;
  if (field->storage != Storage::kForeign) return storage_read(field->storage, address);
  TVMFFIAny value = value_none();
  int status = field->getter(address, &value);
  if (BINDING_UNLIKELY(status != 0)) {
    raise_from_slot(status);
    return nullptr;
  }
  return value_to_py_steal(value);
}

// Writes a field of a class defined in Python: stores the converted value directly.
BINDING_INLINE int field_write_own(FieldObject* field, PyObject* instance, PyObject* value,
                                   char* address) {
  TVMFFIAny converted;
  if (BINDING_UNLIKELY(convert_by_schema(field->converter, value, &converted) < 0)) {
    return raise_refused_value(field);
  }
  if (BINDING_UNLIKELY(field_address(field, instance) != address)) {
    value_release(&converted);
    raise_object_changed(field);
    return -1;
  }
  storage_write_steal(field->storage, address, converted);
  return 0;
}

// Converts and writes a value, also to a frozen field. Returns 0, or -1 with an exception set. May
// run Python.
BINDING_INLINE int field_write(FieldObject* field, PyObject* instance, PyObject* value) {
  char* address = field_address(field, instance);
  if (BINDING_UNLIKELY(address == nullptr)) return -1;
  if (field->storage != Storage::kForeign) {
    return field_write_own(field, instance, value, address);
  }
  TVMFFIAny cells[2];
  if (BINDING_LIKELY(plain_from_py(value, &cells[1])))
    return field_store(field, address, cells, value);
  return field_write_converted(field, instance, value, address);
}

}  // namespace binding
