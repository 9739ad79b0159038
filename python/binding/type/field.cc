// SPDX-License-Identifier: Apache-2.0
// core.FFIProperty: a reflected field as a C descriptor.
#include "../call.h"
#include "../named.h"
#include "../raise.h"
#include "types.h"

namespace binding {
namespace {

struct FieldObject {
  PyObject_HEAD int32_t type_index;  // of the type that has the field
  int32_t type_depth;
  int64_t offset;
  TVMFFIFieldGetter getter;
  void* setter;
  bool setter_is_function;
  bool frozen;
  PyObject* name;
  PyObject* doc;
};

FieldObject* as_field(PyObject* x) { return reinterpret_cast<FieldObject*>(x); }

// The native table decides; a Python class proves nothing about the handle in its instance.
bool is_instance_of(const TVMFFIObject* obj, const FieldObject* field) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(obj->type_index);
  return info != nullptr && info->type_depth > field->type_depth &&
         info->type_ancestors[field->type_depth]->type_index == field->type_index;
}

BINDING_COLD void raise_wrong_receiver(const FieldObject* field, PyObject* instance) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(field->type_index);
  PyErr_Format(PyExc_TypeError, "field `%U` belongs to `%s`, not to a %s object", field->name,
               info == nullptr ? "?" : info->type_key.data, Py_TYPE(instance)->tp_name);
}

// Address of the field in `instance`; NULL with an exception set.
BINDING_INLINE char* field_address(const FieldObject* field, PyObject* instance) {
  if (BINDING_UNLIKELY(!is_wrapper(instance))) {
    raise_wrong_receiver(field, instance);
    return nullptr;
  }
  TVMFFIObject* obj = as_wrapper(instance)->handle;
  if (BINDING_UNLIKELY(obj == nullptr)) {
    wrapper_handle_or_raise(instance);
    return nullptr;
  }
  if (BINDING_UNLIKELY(obj->type_index != field->type_index) && !is_instance_of(obj, field)) {
    raise_wrong_receiver(field, instance);
    return nullptr;
  }
  return reinterpret_cast<char*>(obj) + field->offset;
}

PyObject* field_read(FieldObject* field, PyObject* instance) {
  char* address = field_address(field, instance);
  if (BINDING_UNLIKELY(address == nullptr)) return nullptr;
  TVMFFIAny value = value_none();
  int status = field->getter(address, &value);
  if (BINDING_UNLIKELY(status != 0)) {
    raise_from_slot(status);
    return nullptr;
  }
  return value_to_py_steal(value);
}

// Hands a native value to the setter, in the second of two cells; the first is for the setters that
// are functions. 0 or -1.
BINDING_INLINE int field_store(FieldObject* field, char* address, TVMFFIAny cells[2]) {
  if (BINDING_LIKELY(!field->setter_is_function)) {
    int status = reinterpret_cast<TVMFFIFieldSetter>(field->setter)(address, &cells[1]);
    return BINDING_LIKELY(status == 0) ? 0 : raise_from_slot(status);
  }
  cells[0] = value_none();
  cells[0].type_index = kTVMFFIOpaquePtr;
  cells[0].v_ptr = address;
  TVMFFIAny result;
  if (call_values(static_cast<TVMFFIObject*>(field->setter), cells, 2, &result) < 0) return -1;
  value_release(&result);
  return 0;
}

// The general road: the conversion may run Python code, and so may have moved the handle.
__attribute__((noinline)) int field_write_converted(FieldObject* field, PyObject* instance,
                                                    PyObject* value, char* address) {
  TVMFFIObject* place;
  CallContext context;
  Arguments args{Temporaries(&place), &context};
  TVMFFIAny cells[2];
  if (BINDING_UNLIKELY(value_from_py(value, &cells[1], &args) < 0)) return -1;
  if (BINDING_UNLIKELY(field_address(field, instance) != address)) {
    if (!PyErr_Occurred()) {
      PyErr_Format(PyExc_ValueError, "the object changed while field `%U` was set", field->name);
    }
    return -1;
  }
  return field_store(field, address, cells);
}

BINDING_INLINE int field_write(FieldObject* field, PyObject* instance, PyObject* value) {
  char* address = field_address(field, instance);
  if (BINDING_UNLIKELY(address == nullptr)) return -1;
  TVMFFIAny cells[2];
  if (BINDING_LIKELY(plain_from_py(value, &cells[1]))) return field_store(field, address, cells);
  return field_write_converted(field, instance, value, address);
}

PyObject* field_get(PyObject* self, PyObject* instance, PyObject*) {
  if (BINDING_UNLIKELY(instance == nullptr)) return compat_new_ref(self);
  return field_read(as_field(self), instance);
}

BINDING_COLD int raise_not_settable(FieldObject* field, PyObject* value) {
  PyErr_Format(PyExc_AttributeError,
               value == nullptr ? "field '%U' cannot be deleted" : "field '%U' is read-only",
               field->name);
  return -1;
}

int field_set(PyObject* self, PyObject* instance, PyObject* value) {
  FieldObject* field = as_field(self);
  if (BINDING_UNLIKELY(value == nullptr || field->frozen)) return raise_not_settable(field, value);
  return field_write(field, instance, value);
}

PyObject* field_read_of(PyObject* self, PyObject* instance) {
  return field_read(as_field(self), instance);
}

PyObject* field_force_set(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n != 2) {
    PyErr_Format(PyExc_TypeError, "set() takes an object and a value, got %zd arguments", n);
    return nullptr;
  }
  if (field_write(as_field(self), args[0], args[1]) < 0) return nullptr;
  Py_RETURN_NONE;
}

void field_dealloc(PyObject* self) {
  Py_CLEAR(as_field(self)->name);
  Py_CLEAR(as_field(self)->doc);
  Py_TYPE(self)->tp_free(self);
}

PyMemberDef field_members[] = {
    {"__name__", T_OBJECT, offsetof(FieldObject, name), READONLY, nullptr},
    {"__doc__", T_OBJECT, offsetof(FieldObject, doc), READONLY, nullptr},
    {"frozen", T_BOOL, offsetof(FieldObject, frozen), READONLY, "Whether assignment is refused."},
    {nullptr, 0, 0, 0, nullptr}};

constexpr Parameters kSetParameters = {"set", 2, {"obj", "value"}};
constexpr Parameters kGetParameters = {"get", 1, {"obj"}};

PyMethodDef field_methods[] = {
    named_method(kGetParameters, named_one<field_read_of, kGetParameters>,
                 "get($self, obj)\n--\n\n"
                 "Read the field of an object."),
    named_method(kSetParameters, named_some<field_force_set, kSetParameters>,
                 "set($self, obj, value)\n--\n\n"
                 "Write the field of an object, also a read-only one."),
    {nullptr, nullptr, 0, nullptr}};

PyObject* text_or_none(const TVMFFIByteArray& text) {
  if (text.size == 0) return compat_new_ref(Py_None);
  return PyUnicode_DecodeUTF8(text.data, static_cast<Py_ssize_t>(text.size), "replace");
}

}  // namespace

PyTypeObject FieldType = static_type();

PyObject* field_new(const TVMFFIFieldInfo* field, int32_t type_index) {
  PyObject* self = FieldType.tp_alloc(&FieldType, 0);
  if (self == nullptr) return nullptr;
  FieldObject* f = as_field(self);
  f->type_index = type_index;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  f->type_depth = info == nullptr ? 0 : info->type_depth;
  f->offset = field->offset;
  f->getter = field->getter;
  f->setter = field->setter;
  f->setter_is_function = (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) != 0;
  f->frozen = (field->flags & kTVMFFIFieldFlagBitMaskWritable) == 0;
  f->name = PyUnicode_DecodeUTF8(field->name.data, field->name.size, "replace");
  f->doc = text_or_none(field->doc);
  if (f->name == nullptr || f->doc == nullptr) {
    Py_DECREF(self);
    return nullptr;
  }
  return self;
}

int field_type_init(PyObject* module) {
  PyTypeObject* t = &FieldType;
  t->tp_name = "tvm_ffi.core.FFIProperty";
  t->tp_doc = nullptr;
  t->tp_basicsize = sizeof(FieldObject);
  t->tp_flags = Py_TPFLAGS_DEFAULT;
  t->tp_dealloc = field_dealloc;
  t->tp_descr_get = field_get;
  t->tp_descr_set = field_set;
  t->tp_getattro = PyObject_GenericGetAttr;
  t->tp_members = field_members;
  t->tp_methods = field_methods;
  return type_add(module, t);
}

}  // namespace binding
