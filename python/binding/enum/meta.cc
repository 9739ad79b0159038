// SPDX-License-Identifier: Apache-2.0
// core._EnumMeta: the metaclass of enums. An enum class behaves like a collection of its variants,
// and a call of the class looks up a variant. This file also has the functions with which the
// Python part of the package sets up a class.
#include <tvm/ffi/detail/member_name.h>

#include "../named.h"
#include "../raise.h"
#include "enum.h"

namespace binding {

PyTypeObject* g_enum_meta = nullptr;

namespace {

// Offset of the EnumCache* in a class object, after the members that core._ObjectSlotsMeta adds.
Py_ssize_t g_enum_cache_offset = 0;

PyTypeObject* as_type(PyObject* x) { return reinterpret_cast<PyTypeObject*>(x); }

// Returns the `__name__` of a class.
PyObject* name_of_class(PyObject* cls) { return PyObject_GetAttr(cls, state().names.dunder_name); }

BINDING_COLD PyObject* raise_no_variant(PyObject* cls, PyObject* index) {
  Ref name(name_of_class(cls));
  if (!name) return nullptr;
  int is_registered = PyDict_Contains(as_type(cls)->tp_dict, state().names.tvm_ffi_type_info);
  if (is_registered < 0) return nullptr;
  PyErr_Format(PyExc_ValueError,
               is_registered ? "%R is not a valid %U"
                             : "%R is not a valid %U: the class is not registered; write "
                               "`type_key=` in its class statement, or decorate it with @py_enum",
               index, name.get());
  return nullptr;
}

// Raises a TypeError: the call neither looks up nor creates a variant. Runs Python code of this
// package only.
BINDING_COLD PyObject* refuse_call(PyObject* cls, PyObject* args, PyObject* kwargs) {
  return PyObject_CallMethod(cls, "_refuse_call", "OO", args, kwargs != nullptr ? kwargs : Py_None);
}

// Returns 1 if `x` is a variant of its class, 0 if it is not, or -1 with an exception set.
int is_variant_of_class(PyObject* x) {
  if (!is_enum_class(reinterpret_cast<PyObject*>(Py_TYPE(x)))) return 0;
  EnumCache* cache = enum_cache(Py_TYPE(x));
  return cache == nullptr ? -1 : enum_is_variant(cache, x);
}

// Raises a TypeError and returns true if `self` is a variant; also returns true for other errors.
bool is_fixed_variant(PyObject* self) {
  int is_variant = is_variant_of_class(self);
  if (is_variant > 0) {
    PyErr_Format(PyExc_TypeError, "%R is an enum variant and cannot be initialized again", self);
  }
  return is_variant != 0;
}

// Runs `A(x)`: returns `x` if it is an instance, else the variant with this name or number. New
// reference. Returns NULL without an exception if the call has to construct an object.
BINDING_INLINE PyObject* call_with_one(PyObject* cls, EnumCache* cache, PyObject* x) {
  if (PyUnicode_Check(x) || PyLong_Check(x)) {
    PyObject* variant = enum_find(cache, x);
    if (BINDING_LIKELY(variant != nullptr) || PyErr_Occurred()) return variant;
    return raise_no_variant(cls, x);
  }
  return enum_is_instance(cache, x) ? compat_new_ref(x) : nullptr;
}

// Runs a call of an enum class: looks up a variant, or constructs an object.
PyObject* enum_meta_call(PyObject* cls, PyObject* args, PyObject* kwargs) {
  EnumCache* cache = enum_cache(as_type(cls));
  if (BINDING_UNLIKELY(cache == nullptr)) return nullptr;
  if (PyTuple_GET_SIZE(args) == 1 && (kwargs == nullptr || PyDict_GET_SIZE(kwargs) == 0)) {
    PyObject* found = call_with_one(cls, cache, PyTuple_GET_ITEM(args, 0));
    if (found != nullptr || PyErr_Occurred()) return found;
  }
  if (cache->is_closed &&
      (kwargs == nullptr || PyDict_GetItemString(kwargs, "_int_index") == nullptr)) {
    return refuse_call(cls, args, kwargs);
  }
  return PyType_Type.tp_call(cls, args, kwargs);
}

// The tp_vectorcall of enum classes: does the same as the tp_call of the metaclass, but makes no
// tuple for a lookup.
PyObject* enum_vectorcall(PyObject* cls, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  ternaryfunc call = Py_TYPE(cls)->tp_call;  // changes if `__call__` is assigned
  if (BINDING_LIKELY(n == 1 && kwnames == nullptr && call == enum_meta_call)) {
    EnumCache* cache = enum_cache(as_type(cls));
    PyObject* found = cache == nullptr ? nullptr : call_with_one(cls, cache, args[0]);
    if (found != nullptr || PyErr_Occurred()) return found;
  }
  PackedArguments packed(args, n, kwnames);
  return packed ? call(cls, packed.tuple(), packed.dict()) : nullptr;
}

// Raises a TypeError if a class without variants declares some, and was not registered. Returns 0,
// or -1 with an exception set. Runs Python code of this package only.
BINDING_COLD int refuse_unregistered(PyObject* cls) {
  if (class_is_registered(as_type(cls))) return 0;
  Ref done(PyObject_CallMethod(cls, "_refuse_unregistered", nullptr));
  return done ? 0 : -1;
}

PyObject* enum_meta_iter(PyObject* cls) {
  PyObject* members = enum_members(as_type(cls));
  if (members == nullptr) return nullptr;
  Ref keep = Ref::borrow(members);
  if (PyTuple_GET_SIZE(members) == 0 && refuse_unregistered(cls) < 0) return nullptr;
  return PyObject_GetIter(members);
}

Py_ssize_t enum_meta_length(PyObject* cls) {
  PyObject* members = enum_members(as_type(cls));
  if (members == nullptr) return -1;
  Py_ssize_t length = PyTuple_GET_SIZE(members);
  return length == 0 && refuse_unregistered(cls) < 0 ? -1 : length;
}

int enum_meta_contains(PyObject* cls, PyObject* x) {
  PyObject* members = enum_members(as_type(cls));
  if (members == nullptr) return -1;
  Ref keep = Ref::borrow(members);
  return PySequence_Contains(members, x);  // runs Python
}

// Runs `A[index]`: like `get`. But also finds a variant of a StrEnum, whose `get` takes payloads
// only, by the name of its attribute.
PyObject* enum_meta_subscript(PyObject* cls, PyObject* index) {
  PyObject* found = PyObject_CallMethod(cls, "get", "O", index);
  bool may_be_name = found == nullptr && PyUnicode_Check(index) &&
                     PyType_IsSubtype(as_type(cls), &StrPayloadType) &&
                     PyErr_ExceptionMatches(PyExc_KeyError);
  if (!may_be_name) return found;
  Ref raised(compat_take_raised());
  found = enum_variant_bound_to(as_type(cls), index);
  if (found == nullptr && !PyErr_Occurred()) raise_again_steal(raised.release());
  return found;
}

int enum_meta_bool(PyObject*) { return 1; }

// The next two functions call the slots of `type`: the base of this metaclass has the generic slots
// of heap types, which would call these functions again.
int enum_meta_traverse(PyObject* cls, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(cls));
  Py_VISIT(reinterpret_cast<PyObject*>(*enum_cache_place(as_type(cls))));
  return PyType_Type.tp_traverse(cls, visit, arg);
}

// A class refers to itself, so the collector clears each class before it is freed.
int enum_meta_clear(PyObject* cls) {
  Ref cache(reinterpret_cast<PyObject*>(std::exchange(*enum_cache_place(as_type(cls)), nullptr)));
  return PyType_Type.tp_clear(cls);
}

// Sets an attribute of an enum class. Refuses to rebind or delete the name of a variant.
int enum_meta_setattro(PyObject* cls, PyObject* name, PyObject* value) {
  Ref variant(PyUnicode_Check(name) ? enum_variant_bound_to(as_type(cls), name) : nullptr);
  if (variant) {
    // When a pickle contains the class, unpickling assigns these values; ignore them (see
    // registry/meta.cc).
    if (value != nullptr && (value == state().missing || value == variant.get())) return 0;
    Ref class_name(name_of_class(cls));
    if (class_name) {
      PyErr_Format(PyExc_AttributeError, "cannot %s enum variant %U.%U",
                   value == nullptr ? "delete" : "rebind", class_name.get(), name);
    }
    return -1;
  }
  if (PyErr_Occurred()) return -1;
  return state().object_meta->tp_setattro(cls, name, value);
}

// ---- functions for the Python part of the package

// Checks that the argument is an enum class and returns it; NULL with an exception set.
PyObject* enum_class_argument(PyObject* x) {
  if (is_enum_class(x)) return x;
  PyErr_Format(PyExc_TypeError, "expected an enum class, got %s", Py_TYPE(x)->tp_name);
  return nullptr;
}

PyObject* enum_reset(PyObject*, PyObject* cls) {
  if (enum_class_argument(cls) == nullptr) return nullptr;
  EnumCache* former = std::exchange(*enum_cache_place(as_type(cls)), nullptr);
  bool was_closed = former != nullptr && former->is_closed;
  Ref owner(reinterpret_cast<PyObject*>(former));
  EnumCache* cache = enum_cache(as_type(cls));
  if (cache == nullptr) return nullptr;
  cache->is_closed = cache->is_closed || was_closed;
  Py_RETURN_NONE;
}

PyObject* enum_close(PyObject*, PyObject* args) {
  PyObject* cls;
  int is_closed;
  if (!PyArg_ParseTuple(args, "Op:_enum_close", &cls, &is_closed)) return nullptr;
  EnumCache* cache = enum_class_argument(cls) == nullptr ? nullptr : enum_cache(as_type(cls));
  if (cache == nullptr) return nullptr;
  cache->is_closed = is_closed != 0;
  Py_RETURN_NONE;
}

PyObject* enum_is_closed(PyObject*, PyObject* cls) {
  EnumCache* cache = enum_class_argument(cls) == nullptr ? nullptr : enum_cache(as_type(cls));
  return cache == nullptr ? nullptr : PyBool_FromLong(cache->is_closed);
}

PyObject* is_variant(PyObject*, PyObject* x) {
  int found = is_variant_of_class(x);
  return found < 0 ? nullptr : PyBool_FromLong(found);
}

PyObject* enum_bind(PyObject*, PyObject* args) {
  PyObject *cls, *name, *variant;
  if (!PyArg_ParseTuple(args, "OUO:_enum_bind", &cls, &name, &variant)) return nullptr;
  if (enum_class_argument(cls) == nullptr) return nullptr;
  if (state().object_meta->tp_setattro(cls, name, variant) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* enum_look_up(PyObject*, PyObject* args) {
  PyObject *cls, *index;
  if (!PyArg_ParseTuple(args, "OO:_enum_find", &cls, &index)) return nullptr;
  EnumCache* cache = enum_class_argument(cls) == nullptr ? nullptr : enum_cache(as_type(cls));
  if (cache == nullptr) return nullptr;
  PyObject* variant = enum_find(cache, index);
  if (variant != nullptr || PyErr_Occurred()) return variant;
  Py_RETURN_NONE;
}

PyObject* reason_against_name(PyObject*, PyObject* args) {
  PyObject* name;
  int is_enum;
  if (!PyArg_ParseTuple(args, "Op:_reason_against_name", &name, &is_enum)) return nullptr;
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) return nullptr;
  const char* reason = tvm::ffi::reflection::detail::ReasonAgainstName(text, is_enum != 0);
  return reason == nullptr ? compat_new_ref(Py_None) : PyUnicode_FromString(reason);
}

PyMethodDef enum_functions[] = {
    {"_enum_reset", enum_reset, METH_O,
     "_enum_reset($module, cls, /)\n--\n\n"
     "Forget what a class knew, once it is registered."},
    {"_enum_close", enum_close, METH_VARARGS, "Set whether calls of a class only look up."},
    {"_enum_is_closed", enum_is_closed, METH_O,
     "_enum_is_closed($module, cls, /)\n--\n\n"
     "Whether calls of a class only look up."},
    {"_enum_is_variant", is_variant, METH_O,
     "_enum_is_variant($module, x, /)\n--\n\n"
     "Whether an object is a registered variant."},
    {"_enum_bind", enum_bind, METH_VARARGS, "Bind a name of a class, also that of a variant."},
    {"_enum_find", enum_look_up, METH_VARARGS, "The variant of a name or number, or None."},
    {"_reason_against_name", reason_against_name, METH_VARARGS,
     "Why a field or a variant cannot have a name, or None."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* enum_variant_bound_to(PyTypeObject* cls, PyObject* name) {
  PyObject* value = PyDict_GetItemWithError(cls->tp_dict, name);
  EnumCache* cache = *enum_cache_place(cls);
  if (value == nullptr || cache == nullptr || !is_wrapper(value)) return nullptr;
  Ref keep = Ref::borrow(value);
  return enum_is_variant(cache, value) > 0 ? keep.release() : nullptr;  // may run Python
}

void enum_set_vectorcall(PyTypeObject* cls) {
  PyTypeObject* meta = Py_TYPE(cls);
  if (meta->tp_call != enum_meta_call) return;
  // Before Python 3.12, a metaclass does not inherit this flag; without the flag, `cls(...)` does
  // not use tp_vectorcall.
  if ((meta->tp_flags & Py_TPFLAGS_HAVE_VECTORCALL) == 0) {
    meta->tp_vectorcall_offset = offsetof(PyTypeObject, tp_vectorcall);
    meta->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
    PyType_Modified(meta);
  }
  cls->tp_vectorcall = enum_vectorcall;
}

EnumCache** enum_cache_place(PyTypeObject* cls) {
  return reinterpret_cast<EnumCache**>(reinterpret_cast<char*>(cls) + g_enum_cache_offset);
}

int enum_meta_type_init(PyObject* module) {
  PyTypeObject* base = state().object_meta;
  g_enum_cache_offset = base->tp_basicsize;
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>("Metaclass of enums: a class is the collection of its "
                                    "variants, and a call looks one up.")},
      {Py_tp_call, reinterpret_cast<void*>(enum_meta_call)},
      {Py_tp_iter, reinterpret_cast<void*>(enum_meta_iter)},
      {Py_tp_setattro, reinterpret_cast<void*>(enum_meta_setattro)},
      {Py_mp_length, reinterpret_cast<void*>(enum_meta_length)},
      {Py_mp_subscript, reinterpret_cast<void*>(enum_meta_subscript)},
      {Py_sq_contains, reinterpret_cast<void*>(enum_meta_contains)},
      {Py_nb_bool, reinterpret_cast<void*>(enum_meta_bool)},
      {Py_tp_traverse, reinterpret_cast<void*>(enum_meta_traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(enum_meta_clear)},
      {0, nullptr}};
  PyType_Spec spec = {"tvm_ffi.core._EnumMeta",
                      static_cast<int>(g_enum_cache_offset + sizeof(EnumCache*)), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  Ref bases(PyTuple_Pack(1, base));
  Ref meta(bases ? PyType_FromSpecWithBases(&spec, bases.get()) : nullptr);
  if (!meta) return -1;
  g_enum_meta = as_type(meta.get());
  g_is_fixed_variant = is_fixed_variant;
  Py_INCREF(meta.get());
  if (PyModule_AddFunctions(module, enum_functions) < 0) return -1;
  return PyModule_AddObject(module, "_EnumMeta", meta.release());
}

}  // namespace binding
