// SPDX-License-Identifier: Apache-2.0
// core._EnumBase: the base of all enum classes, with the methods that look up variants.
#include "../named.h"
#include "enum.h"

namespace binding {

PyTypeObject EnumBaseType = static_type();

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
  if (BINDING_LIKELY(variant != nullptr) || PyErr_Occurred()) return variant;
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (PyUnicode_Check(index) && PyType_IsSubtype(type, &IntPayloadType)) {
    variant = enum_variant_bound_to(type, index);
    if (variant != nullptr || PyErr_Occurred()) return variant;
  }
  PyErr_SetObject(PyExc_KeyError, index);
  return nullptr;
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

PyMethodDef enum_get_definition = named_method(
    kEnumGet, named_placed<enum_get, kEnumGet>,
    "get($type, index)\n--\n\n"
    "Return the variant of a name or a number, also one that was registered a moment ago.\n\n"
    "Raises KeyError where there is none, TypeError for an index of another type and\n"
    "OverflowError for a number beyond 64 bits.",
    METH_CLASS);

// The type of the descriptor of `get`: a class method that each enum class binds only once.
PyTypeObject EnumGetType = static_type();

PyObject* enum_get_bind(PyObject* self, PyObject* obj, PyObject* cls) {
  bool is_enum = cls != nullptr && is_enum_class(cls);
  EnumCache* cache = is_enum ? *enum_cache_place(reinterpret_cast<PyTypeObject*>(cls)) : nullptr;
  if (cache == nullptr) return PyClassMethodDescr_Type.tp_descr_get(self, obj, cls);
  if (BINDING_UNLIKELY(cache->bound_get == nullptr)) {
    cache->bound_get = PyClassMethodDescr_Type.tp_descr_get(self, obj, cls);
  }
  return cache->bound_get == nullptr ? nullptr : compat_new_ref(cache->bound_get);
}

// Adds `get` to core._EnumBase.
int add_get() {
  type_begin(&EnumGetType, "tvm_ffi.core._EnumGet", sizeof(PyMethodDescrObject), Py_TPFLAGS_HAVE_GC,
             "The class method `get` of enums.");
  EnumGetType.tp_base = &PyClassMethodDescr_Type;
  EnumGetType.tp_traverse = PyClassMethodDescr_Type.tp_traverse;
  EnumGetType.tp_descr_get = enum_get_bind;
  if (PyType_Ready(&EnumGetType) < 0) return -1;
  Ref get(PyDescr_NewClassMethod(&EnumBaseType, &enum_get_definition));
  if (!get) return -1;
  Py_SET_TYPE(get.get(), &EnumGetType);
  if (PyDict_SetItemString(EnumBaseType.tp_dict, "get", get.get()) < 0) return -1;
  PyType_Modified(&EnumBaseType);
  return 0;
}

PyGetSetDef enum_base_getset[] = {{"__entry_name__", enum_get_entry_name, nullptr,
                                   "The name under which it is registered.", nullptr},
                                  {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

int enum_base_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(&EnumBaseType, "tvm_ffi.core._EnumBase", sizeof(Wrapper),
                               Py_TPFLAGS_BASETYPE, "What enum classes inherit of looking up.");
  t->tp_base = &CObjectType;
  t->tp_getset = enum_base_getset;
  return type_add(module, t) < 0 ? -1 : add_get();
}

}  // namespace binding
