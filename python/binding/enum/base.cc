// SPDX-License-Identifier: Apache-2.0
// core._EnumBase: the base of all enum classes, with the methods that look up variants.
#include "../named.h"
#include "enum.h"

namespace binding {
namespace {

PyObject* enum_get_index(PyObject* cls, PyObject* index) {
  if (BINDING_UNLIKELY(!is_enum_class(cls))) {
    PyErr_SetString(PyExc_TypeError, "get belongs to enum classes");
    return nullptr;
  }
  EnumCache* cache = enum_cache(reinterpret_cast<PyTypeObject*>(cls));
  if (BINDING_UNLIKELY(cache == nullptr)) return nullptr;
  if (BINDING_UNLIKELY(!PyUnicode_Check(index) && !PyLong_Check(index))) {
    PyErr_Format(PyExc_TypeError, "enum index must be int or str, got %s", Py_TYPE(index)->tp_name);
    return nullptr;
  }
  PyObject* variant = enum_find(cache, index);
  if (BINDING_UNLIKELY(variant == nullptr) && !PyErr_Occurred()) {
    PyErr_SetObject(PyExc_KeyError, index);
  }
  return variant;
}

constexpr Parameters kEnumGet = {"get", 0, {"index", "name"}, 1};

// `A.get(index)` or `A.get(name="x")`
PyObject* enum_get(PyObject* cls, PyObject* const* args) {
  if (BINDING_UNLIKELY((args[0] == nullptr) == (args[1] == nullptr))) {
    PyErr_SetString(PyExc_TypeError,
                    "get() takes one argument, the index or the name of a variant");
    return nullptr;
  }
  return enum_get_index(cls, args[0] != nullptr ? args[0] : args[1]);
}

PyObject* enum_get_entry_name(PyObject* self, void*) {
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (obj == nullptr) return nullptr;
  PyObject* name = enum_name_of_object(obj);
  if (name == nullptr && !PyErr_Occurred()) {
    PyErr_Format(PyExc_AttributeError,
                 "this '%s' object is not a registered variant: it has no '__entry_name__'",
                 Py_TYPE(self)->tp_name);
  }
  return name;
}

PyMethodDef enum_base_methods[] = {
    named_method(
        kEnumGet, named_placed<enum_get, kEnumGet>,
        "get($type, index)\n--\n\n"
        "Return the variant of a name or a number, also one that was registered a moment ago.\n\n"
        "Raises KeyError where there is none, TypeError for an index of another type and\n"
        "OverflowError for a number beyond 64 bits.",
        METH_CLASS),
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef enum_base_getset[] = {{"__entry_name__", enum_get_entry_name, nullptr,
                                   "The name under which it is registered.", nullptr},
                                  {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyTypeObject EnumBaseType = static_type();

int enum_base_type_init(PyObject* module) {
  PyTypeObject* t = &EnumBaseType;
  t->tp_name = "tvm_ffi.core._EnumBase";
  t->tp_doc = "What enum classes inherit of looking up.";
  t->tp_base = &CObjectType;
  t->tp_basicsize = sizeof(Wrapper);
  t->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  t->tp_methods = enum_base_methods;
  t->tp_getset = enum_base_getset;
  return type_add(module, t);
}

}  // namespace binding
