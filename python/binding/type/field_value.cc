// SPDX-License-Identifier: Apache-2.0
// Reading and writing fields: the errors and other slow paths.
#include "field_value.h"

#include <cstring>
#include <string>
#include <string_view>

#include "../compat.h"
#include "../convert/schema/converters.h"
#include "../error_message.h"
#include "../utf8.h"

namespace binding {

void raise_wrong_receiver(const FieldObject* field, PyObject* instance) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(field->type_index);
  PyErr_Format(PyExc_TypeError, "field `%U` belongs to `%s`, not to a %s object", field->name,
               info == nullptr ? "?" : info->type_key.data, Py_TYPE(instance)->tp_name);
}

void raise_empty_receiver(const FieldObject* field, PyObject* instance) {
  PyErr_Format(PyExc_AttributeError,
               "field '%U' of '%s' has no value: the object is empty, it was moved from or made "
               "without its constructor",
               field->name, Py_TYPE(instance)->tp_name);
}

void raise_object_changed(const FieldObject* field) {
  if (PyErr_Occurred()) return;
  PyErr_Format(PyExc_ValueError, "the object changed while field `%U` was set", field->name);
}

static const char* type_key_of(const FieldObject* field) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(field->type_index);
  return info == nullptr ? "?" : info->type_key.data;
}

int raise_refused_value(const FieldObject* field) {
  schema::name_field_in_raised(field->name, type_key_of(field));
  return -1;
}

// Returns whether an error of a setter says that the field cannot hold the value, but does not name
// the field. The messages of setters written in Python already name the field.
static bool is_refusal(TVMFFIObjectHandle error) {
  const TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error);
  std::string_view kind(cell->kind.data, cell->kind.size);
  std::string_view message(cell->message.data, cell->message.size);
  if (kind == "OverflowError") return message.rfind("Cannot convert to `", 0) == 0;
  return kind == "TypeError" && message.rfind("Cannot convert from type `", 0) == 0 &&
         message.find(" for field `") == message.npos;
}

// Returns the message of an error for which is_refusal is true, with the name of the field added.
static std::string named_refusal(const FieldObject* field, const TVMFFIErrorCell& cell,
                                 const TVMFFIByteArray& name) {
  std::string message(cell.message.data, cell.message.size);
  std::string place = "field `" + std::string(name.data, name.size) + "`";
  if (strcmp(cell.kind.data, "OverflowError") == 0) return place + ": " + message;
  return message + " for " + place + " of `" + type_key_of(field) + "`";
}

// Raises an error of a setter. If the error says that the field cannot hold the value (is_refusal),
// adds the name of the field to the message.
static void raise_setter_error(const FieldObject* field, TVMFFIObjectHandle error) {
  const TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error);
  TVMFFIByteArray name;
  if (!is_refusal(error) || utf8_borrowed(field->name, &name) < 0) {
    clear_error();
    return TVMFFIErrorSetRaised(error);
  }
  std::string text = named_refusal(field, *cell, name);
  TVMFFIByteArray message{text.data(), text.size()};
  TVMFFIObjectHandle named = nullptr;
  if (TVMFFIErrorCreate(&cell->kind, &message, &cell->backtrace, &named) != 0) {
    return TVMFFIErrorSetRaised(error);
  }
  ObjectOwner owner(named);
  if (is_library_error(*cell)) {
    TVMFFIErrorGetCellPtr(named)->update_backtrace = cell->update_backtrace;
  }
  TVMFFIErrorSetRaised(named);
}

int field_store_payload(const FieldObject* field, char* address, const TVMFFIAny& value,
                        PyObject* x) {
  static RuntimeFunction store("ffi.EnumSetPayload");
  TVMFFIObjectHandle refused = nullptr;
  TVMFFIErrorMoveFromRaised(&refused);
  if (refused == nullptr) return raise_from_slot(-1);
  ObjectOwner error(refused);
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(field->type_index);
  for (int32_t i = 0; i < type->num_fields; ++i) {
    if (type->fields[i].offset != field->offset) continue;
    TVMFFIAny args[3] = {value_none(), value_none(), value};
    args[0].type_index = args[1].type_index = kTVMFFIOpaquePtr;
    args[0].v_ptr = const_cast<TVMFFIFieldInfo*>(&type->fields[i]);
    args[1].v_ptr = address;
    TVMFFIAny done;
    if (store.call(args, 3, &done) < 0) return -1;
    if (done.v_int64 != 0) return 0;
  }
  raise_setter_error(field, error.get());
  Given given{nullptr, nullptr, &x, &value, 1};
  return raise_from_slot(-1, &given);
}

int field_raise_setter_error(const FieldObject* field) {
  if (!PyErr_ExceptionMatches(PyExc_OverflowError) && !PyErr_ExceptionMatches(PyExc_TypeError)) {
    return -1;
  }
  PyObject* raised = compat_take_raised();
  ObjectOwner error(error_from_exception(raised, false));
  if (error.get() == nullptr || !is_refusal(error.get())) {
    clear_error();
    compat_set_raised_steal(raised);
    return -1;
  }
  Py_DECREF(raised);
  raise_setter_error(field, error.get());
  return raise_from_slot(-1);
}

int field_call_setter(void* setter, char* address, TVMFFIAny cells[2]) {
  cells[0] = value_none();
  cells[0].type_index = kTVMFFIOpaquePtr;
  cells[0].v_ptr = address;
  TVMFFIAny result;
  if (call_values(static_cast<TVMFFIObject*>(setter), cells, 2, &result) < 0) return -1;
  value_release(&result);
  return 0;
}

int field_write_converted(FieldObject* field, PyObject* instance, PyObject* value, char* address) {
  TVMFFIObject* place;
  CallContext context;
  Arguments args{Temporaries(&place), &context};
  TVMFFIAny cells[2];
  if (BINDING_UNLIKELY(value_from_py(value, &cells[1], &args) < 0)) return -1;
  if (BINDING_UNLIKELY(cells[1].type_index == kTVMFFIDLTensorPtr)) return refuse_to_keep_view();
  if (BINDING_UNLIKELY(field_address(field, instance) != address)) {
    raise_object_changed(field);
    return -1;
  }
  return field_store(field, address, cells, value);
}

int field_store_native(const TVMFFIFieldInfo* field, char* address, const TVMFFIAny& value) {
  if ((field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) == 0) {
    int status = reinterpret_cast<TVMFFIFieldSetter>(field->setter)(address, &value);
    return status == 0 ? 0 : raise_from_slot(status);
  }
  TVMFFIAny cells[2] = {value_none(), value};
  return field_call_setter(field->setter, address, cells);
}

}  // namespace binding
