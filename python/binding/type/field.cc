// SPDX-License-Identifier: Apache-2.0
// core.FFIProperty: the descriptor of a reflected field, a subclass of `property`.
#include <utility>

#include "../named.h"
#include "../recursion.h"
#include "../utf8.h"
#include "field_value.h"
#include "types.h"

namespace binding {
namespace {

PyObject* field_get(PyObject* self, PyObject* instance, PyObject* owner) {
  if (BINDING_UNLIKELY(instance == nullptr)) return compat_new_ref(self);
  if (BINDING_UNLIKELY(as_field(self)->is_plain_property)) {
    return PyProperty_Type.tp_descr_get(self, instance, owner);
  }
  Section section(instance);
  return field_read(as_field(self), instance);
}

BINDING_COLD int raise_not_settable(FieldObject* field, PyObject* instance, PyObject* value) {
  PyErr_Format(PyExc_AttributeError, "property '%U' of '%s' object has no %s: %s", field->name,
               Py_TYPE(instance)->tp_name, value == nullptr ? "deleter" : "setter",
               value == nullptr ? "fields of objects cannot be deleted" : "the field is read-only");
  return -1;
}

int field_set(PyObject* self, PyObject* instance, PyObject* value) {
  FieldObject* field = as_field(self);
  if (BINDING_UNLIKELY(field->is_plain_property)) {
    return PyProperty_Type.tp_descr_set(self, instance, value);
  }
  if (BINDING_UNLIKELY(value == nullptr || field->frozen)) {
    return raise_not_settable(field, instance, value);
  }
  Section section(instance);
  return field_write(field, instance, value);
}

PyObject* field_read_of(PyObject* self, PyObject* instance) {
  return field_get(self, instance, nullptr);
}

PyObject* field_force_set(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if (n != 2) {
    PyErr_Format(PyExc_TypeError, "set() takes an object and a value, got %zd arguments", n);
    return nullptr;
  }
  if (field_force(self, args[0], args[1]) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* field_freeze(PyObject* self, PyObject*) {
  as_field(self)->frozen = true;
  Py_RETURN_NONE;
}

// Runs FFIProperty(fget, fset, frozen, fdel=None, doc=None): makes a property from Python
// functions; the property may be frozen.
int field_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"fget", "fset", "frozen", "fdel", "doc", nullptr};
  PyObject *fget, *fset, *fdel = Py_None, *doc = Py_None;
  int frozen;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOp|OO:FFIProperty", const_cast<char**>(keywords),
                                   &fget, &fset, &frozen, &fdel, &doc)) {
    return -1;
  }
  FieldObject* field = as_field(self);
  if (field->getter != nullptr) {
    PyErr_SetString(PyExc_TypeError, "this property belongs to a native field");
    return -1;
  }
  Ref base_args(PyTuple_Pack(4, fget, frozen ? Py_None : fset, fdel, doc));
  if (!base_args || PyProperty_Type.tp_init(self, base_args.get(), nullptr) < 0) return -1;
  field->frozen = frozen != 0;
  Ref old_doc(std::exchange(field->doc, compat_new_ref(doc)));
  Ref old_writer(std::exchange(field->writer, compat_new_ref(fset)));
  return 0;
}

PyObject* field_alloc(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = type->tp_alloc(type, 0);
  if (self == nullptr) return nullptr;
  as_field(self)->is_plain_property = true;
  as_field(self)->storage = Storage::kForeign;
  return self;
}

void field_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_CLEAR(as_field(self)->name);
  Py_CLEAR(as_field(self)->doc);
  Py_CLEAR(as_field(self)->reader);
  Py_CLEAR(as_field(self)->writer);
  Py_CLEAR(as_field(self)->owner);
  PyObject_GC_Track(self);  // the tp_dealloc of `property` untracks the object, so track it again
  PyProperty_Type.tp_dealloc(self);
}

int field_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_field(self)->doc);
  Py_VISIT(as_field(self)->reader);
  Py_VISIT(as_field(self)->writer);
  Py_VISIT(as_field(self)->owner);
  return PyProperty_Type.tp_traverse(self, visit, arg);
}

int field_clear(PyObject* self) {
  Py_CLEAR(as_field(self)->doc);
  Py_CLEAR(as_field(self)->reader);
  Py_CLEAR(as_field(self)->writer);
  Py_CLEAR(as_field(self)->owner);
  return PyProperty_Type.tp_clear == nullptr ? 0 : PyProperty_Type.tp_clear(self);
}

// Returns the attribute `name` (`fget` or `fset`) that the base class `property` stores. Used for a
// property that was made from Python functions.
PyObject* property_member(PyObject* self, const char* name) {
  // Do not read tp_dict: newer interpreters leave it empty for built-in types.
  Ref descriptor(PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyProperty_Type), name));
  if (!descriptor) return nullptr;
  return Py_TYPE(descriptor.get())
      ->tp_descr_get(descriptor.get(), self, reinterpret_cast<PyObject*>(Py_TYPE(self)));
}

// Returns the accessor in `*place`; the Python part of the package makes it on first use.
PyObject* accessor(PyObject* self, PyObject** place, const char* class_name) {
  if (*place == nullptr) {
    Ref make(state_import("tvm_ffi._types.field", class_name));
    if (!make) return nullptr;
    Ref made(PyObject_CallOneArg(make.get(), self));
    if (!made) return nullptr;
    if (*place == nullptr) *place = made.release();
  }
  return compat_new_ref(*place);
}

PyObject* field_get_fget(PyObject* self, void*) {
  FieldObject* field = as_field(self);
  if (field->is_plain_property) return property_member(self, "fget");
  return accessor(self, &field->reader, "FieldGetter");
}

PyObject* field_get_fset(PyObject* self, void*) {
  FieldObject* field = as_field(self);
  if (field->is_plain_property) return property_member(self, "fset");
  if (field->frozen) Py_RETURN_NONE;
  return accessor(self, &field->writer, "FieldSetter");
}

PyObject* field_get_setter(PyObject* self, void*) {
  return accessor(self, &as_field(self)->writer, "FieldSetter");
}

PyMemberDef field_members[] = {
    {"__name__", T_OBJECT, offsetof(FieldObject, name), READONLY, nullptr},
    {"__doc__", T_OBJECT, offsetof(FieldObject, doc), 0, nullptr},
    {"__objclass__", T_OBJECT, offsetof(FieldObject, owner), 0, "The class that has the field."},
    {"frozen", T_BOOL, offsetof(FieldObject, frozen), READONLY, "Whether assignment is refused."},
    {nullptr, 0, 0, 0, nullptr}};

constexpr Parameters kSetParameters = {"set", 2, {"obj", "value"}};
constexpr Parameters kGetParameters = {"get", 1, {"obj"}};

PyGetSetDef field_getset[] = {
    {"fget", field_get_fget, nullptr, "Reads the field of an object.", nullptr},
    {"fset", field_get_fset, nullptr, "Writes it; None where the field is frozen.", nullptr},
    {"_fset", field_get_setter, nullptr, "Writes it, frozen or not.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef field_methods[] = {
    named_method(kGetParameters, named_one<field_read_of, kGetParameters>,
                 "get($self, obj)\n--\n\n"
                 "Read the field of an object."),
    named_method(kSetParameters, named_some<field_force_set, kSetParameters>,
                 "set($self, obj, value)\n--\n\n"
                 "Write the field of an object, also a frozen one."),
    {"_freeze", field_freeze, METH_NOARGS, "Refuse assignment from now on."},
    {nullptr, nullptr, 0, nullptr}};

PyObject* text_or_none(const TVMFFIByteArray& text) {
  if (text.size == 0) return compat_new_ref(Py_None);
  return utf8_to_py(text, "replace");
}

// The setter of a read-only native field that does not define a setter.
int no_setter(void*, const TVMFFIAny*) {
  TVMFFIErrorSetRaisedFromCStr("TypeError", "the native field does not define a setter");
  return -1;
}

}  // namespace

PyTypeObject FieldType = static_type();

PyObject* field_new(const TVMFFIFieldInfo* field, int32_t type_index, const ClassField* own) {
  PyObject* self = FieldType.tp_alloc(&FieldType, 0);
  if (self == nullptr) return nullptr;
  FieldObject* f = as_field(self);
  f->type_index = type_index;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  f->type_depth = info == nullptr ? 0 : info->type_depth;
  f->offset = field->offset;
  f->getter = field->getter;
  f->setter = field->setter != nullptr ? field->setter : reinterpret_cast<void*>(no_setter);
  f->setter_is_function = (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) != 0;
  f->storage = own == nullptr ? Storage::kForeign : own->storage;
  f->converter = own == nullptr ? nullptr : own->converter;
  f->frozen = own == nullptr ? (field->flags & kTVMFFIFieldFlagBitMaskWritable) == 0 : own->frozen;
  f->name = utf8_to_py(field->name, "replace");
  f->doc = text_or_none(field->doc);
  if (f->name == nullptr || f->doc == nullptr) {
    Py_DECREF(self);
    return nullptr;
  }
  ease_sharing(self);
  return self;
}

int field_force(PyObject* property, PyObject* instance, PyObject* value) {
  FieldObject* field = as_field(property);
  if (BINDING_LIKELY(!field->is_plain_property)) {
    Section section(instance);
    return field_write(field, instance, value);
  }
  RecursionLevel level(" while setting a property");
  if (!level) return -1;
  Ref writer = Ref::borrow(field->writer == nullptr ? Py_None : field->writer);
  Ref done(PyObject_CallFunctionObjArgs(writer.get(), instance, value, nullptr));  // runs Python
  return done ? 0 : -1;
}

int field_type_init(PyObject* module) {
  PyTypeObject* t = &FieldType;
  if (PyProperty_Type.tp_basicsize > static_cast<Py_ssize_t>(kPropertySize)) {
    PyErr_SetString(PyExc_SystemError, "the interpreter's property is larger than expected");
    return -1;
  }
  type_begin(t, "tvm_ffi.core.FFIProperty", sizeof(FieldObject), Py_TPFLAGS_HAVE_GC, nullptr);
  t->tp_base = &PyProperty_Type;
  t->tp_new = field_alloc;
  t->tp_init = field_init;
  t->tp_dealloc = field_dealloc;
  t->tp_traverse = field_traverse;
  t->tp_clear = field_clear;
  t->tp_descr_get = field_get;
  t->tp_descr_set = field_set;
  t->tp_getattro = PyObject_GenericGetAttr;
  t->tp_members = field_members;
  t->tp_getset = field_getset;
  t->tp_methods = field_methods;
  return type_add(module, t);
}

}  // namespace binding
