// SPDX-License-Identifier: Apache-2.0
// core._ObjectSlotsMeta: an ABCMeta whose classes have no instance dictionary unless they request
// one. It stores a pointer to the ClassInfo in each class.
#include <atomic>
#include <cstring>

#include "../call.h"
#include "../callback.h"
#include "../type/types.h"
#include "register.h"
#include "rejected_types.h"
#include "trait.h"

namespace binding {
namespace {

// The members that this metaclass adds to a class object, after the members of `type`.
struct ClassTail {
  ClassInfo* info;
  // True if `tp_new` has made an instance.
  std::atomic<bool> has_instance;
  RejectedTypes rejected;
};
Py_ssize_t g_tail_offset = 0;
PyObject* g_abc_new = nullptr;  // ABCMeta.__new__, owned
// `_abc._abc_instancecheck` and `_abc._abc_subclasscheck`, owned.
PyObject* g_abc_instance_check = nullptr;
PyObject* g_abc_subclass_check = nullptr;
PyObject* g_abc_token = nullptr;  // `_abc.get_cache_token`, owned

BINDING_INLINE bool has_our_meta(PyTypeObject* cls) {
  return Py_TYPE(cls) == state().object_meta || PyType_IsSubtype(Py_TYPE(cls), state().object_meta);
}

ClassTail* tail_of(PyTypeObject* cls) {
  return reinterpret_cast<ClassTail*>(reinterpret_cast<char*>(cls) + g_tail_offset);
}

// Returns whether a class body needs `__slots__ = ()`: it defines neither `__slots__` nor
// `__setattr__`. In classes that were written for releases up to 0.1.9, a `__setattr__` without
// `__slots__` stores attributes. So instances of such a class get a dictionary and weak references.
// The result is 1, 0, or -1 with an exception set.
int needs_empty_slots(PyObject* body) {
  int has_slots = PyDict_Contains(body, state().names.dunder_slots);
  if (has_slots != 0) return has_slots < 0 ? -1 : 0;
  int stores = PyDict_Contains(body, state().names.dunder_setattr);
  return stores < 0 ? -1 : 1 - stores;
}

// The `__new__` of the metaclass: calls ABCMeta.__new__, with `__slots__ = ()` added to a body that
// needs it. This is a static method and not a tp_new, because `type.__new__`, which ABCMeta calls,
// refuses metaclasses with their own tp_new.
PyObject* meta_new(PyObject*, PyObject* args, PyObject* kwargs) {
  PyObject *meta, *name, *bases, *body;
  if (!PyArg_ParseTuple(args, "OOOO!:_ObjectSlotsMeta", &meta, &name, &bases, &PyDict_Type,
                        &body)) {
    return nullptr;
  }
  Ref own_body(PyDict_Copy(body));
  if (!own_body) return nullptr;
  int is_empty = needs_empty_slots(own_body.get());
  if (is_empty < 0) return nullptr;
  if (is_empty != 0) {
    Ref no_slots(PyTuple_New(0));
    if (!no_slots ||
        PyDict_SetItem(own_body.get(), state().names.dunder_slots, no_slots.get()) < 0) {
      return nullptr;
    }
  }
  Ref positional(PyTuple_Pack(4, meta, name, bases, own_body.get()));
  return positional ? PyObject_Call(g_abc_new, positional.get(), kwargs) : nullptr;
}

// Returns whether inheritance alone makes a class a subclass of `cls`. This is false if `cls` has
// its own `__subclasshook__`, or if its metaclass may override the check.
bool trusts_inheritance(PyObject* cls) {
  if (Py_TYPE(cls) != state().object_meta) return false;
  PyObject* hook =
      _PyType_Lookup(reinterpret_cast<PyTypeObject*>(cls), state().names.dunder_subclasshook);
  return hook == _PyType_Lookup(&PyBaseObject_Type, state().names.dunder_subclasshook);
}

// Stores the number that changes whenever a class is registered with an abstract base class.
// Returns 0, or -1 with an exception set.
int read_abc_token(uint64_t* token) {
  Ref number(PyObject_CallNoArgs(g_abc_token));
  if (!number) return -1;
  *token = PyLong_AsUnsignedLongLong(number.get());
  return *token == static_cast<uint64_t>(-1) && PyErr_Occurred() ? -1 : 0;
}

// Returns whether `x.__class__` is `type` for each instance `x` of the type.
bool instances_have_class(PyTypeObject* type) {
  PyObject* name = state().names.dunder_class;
  return type->tp_getattro == PyObject_GenericGetAttr &&
         _PyType_Lookup(type, name) == _PyType_Lookup(&PyBaseObject_Type, name);
}

PyObject* abc_instancecheck(PyObject* cls, PyObject* x) {
  PyObject* args[2] = {cls, x};
  return PyObject_Vectorcall(g_abc_instance_check, args, 2, nullptr);  // may run Python
}

// Calls the check of ABCMeta, unless it has rejected the type of `x` before.
PyObject* cached_instancecheck(PyObject* cls, PyObject* x) {
  RejectedTypes& rejected = tail_of(reinterpret_cast<PyTypeObject*>(cls))->rejected;
  uint64_t token;
  if (read_abc_token(&token) < 0) return nullptr;
  PyTypeObject* type = Py_TYPE(x);
  if (rejected.contains(type, token)) Py_RETURN_FALSE;
  PyObject* result = abc_instancecheck(cls, x);
  if (result == Py_False && instances_have_class(type)) rejected.add(type, token);
  return result;
}

// `isinstance(x, cls)` and `issubclass(x, cls)`: the results are those of ABCMeta. If inheritance
// alone gives the answer, the function of ABCMeta is not called.
PyObject* meta_instancecheck(PyObject* cls, PyObject* x) {
  if (PyType_IsSubtype(Py_TYPE(x), reinterpret_cast<PyTypeObject*>(cls)) &&
      trusts_inheritance(cls)) {
    Py_RETURN_TRUE;
  }
  // A derived metaclass may have its own `__subclasscheck__`, whose result may change at any time.
  return Py_TYPE(cls) == state().object_meta ? cached_instancecheck(cls, x)
                                             : abc_instancecheck(cls, x);
}

PyObject* meta_subclasscheck(PyObject* cls, PyObject* x) {
  if (PyType_Check(x) &&
      PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(x), reinterpret_cast<PyTypeObject*>(cls)) &&
      trusts_inheritance(cls)) {
    Py_RETURN_TRUE;
  }
  PyObject* args[2] = {cls, x};
  return PyObject_Vectorcall(g_abc_subclass_check, args, 2, nullptr);  // may run Python
}

PyMethodDef meta_methods[] = {
    {"__instancecheck__", meta_instancecheck, METH_O, "Override for isinstance(instance, cls)."},
    {"__subclasscheck__", meta_subclasscheck, METH_O, "Override for issubclass(subclass, cls)."},
    {"__new__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(meta_new)),
     METH_VARARGS | METH_KEYWORDS | METH_STATIC, nullptr},
    {nullptr, nullptr, 0, nullptr}};

// The name of the attribute that holds the definition of a class in a pickle: see
// tvm_ffi/_pickle/definition.py.
constexpr const char* kDefinition = "__tvm_ffi_definition__";

// Registers a class, if it is not registered yet, and stores its definition. Returns 0, or -1 with
// an exception set. Runs Python.
BINDING_COLD int define_from_pickle(PyObject* cls, PyObject* name, PyObject* definition) {
  Ref apply(state_import("tvm_ffi._pickle.definition", "apply"));
  Ref done(apply ? PyObject_CallFunctionObjArgs(apply.get(), cls, definition, nullptr) : nullptr);
  return done ? PyType_Type.tp_setattro(cls, name, definition) : -1;
}

// Sets an attribute of a class. If the attribute affects construction, the class loses the fast
// path (call_class). If the attribute is also a type attribute (see trait.h), changes the type
// table too.
int meta_setattro(PyObject* cls, PyObject* name, PyObject* value) {
  const Names& n = state().names;
  // In a pickle that contains a class, MISSING stands for each member that the registration makes.
  // Ignore it here: the registration makes the member again.
  if (value == state().missing && value != nullptr) return 0;
  if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, kDefinition) == 0 &&
      value != nullptr) {
    return define_from_pickle(cls, name, value);
  }
  if (PyUnicode_Check(name) &&
      (PyUnicode_Compare(name, n.dunder_init) == 0 || PyUnicode_Compare(name, n.dunder_new) == 0)) {
    reinterpret_cast<PyTypeObject*>(cls)->tp_vectorcall = nullptr;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (PyUnicode_Check(name) && value != nullptr &&
      PyUnicode_CompareWithASCIIString(name, "__bases__") == 0) {
    return class_set_bases(type, name, value);
  }
  const ClassInfo* info = tail_of(type)->info;
  if (info != nullptr && PyUnicode_Check(name) &&
      trait_wants_assignment(type, info->type_index, name, value)) {
    return trait_assign(cls, name, value);
  }
  return PyType_Type.tp_setattro(cls, name, value);
}

// Returns whether a name may be the name of a type attribute. Special names that Python looks up
// routinely are excluded, so that such a lookup never finds a type attribute by accident.
bool may_be_type_attribute(const char* text) {
  if (std::strncmp(text, "__", 2) != 0) return true;
  for (const char* family : {"__ffi_", "__s_", "__any_", "__enum_", "__data_"}) {
    if (std::strncmp(text, family, std::strlen(family)) == 0) return true;
  }
  return false;
}

// Returns the type attribute `name` of the type that `cls` represents; NULL without an exception if
// the type does not have it.
PyObject* type_attribute_of_class(PyObject* cls, PyObject* name) {
  const ClassInfo* info = tail_of(reinterpret_cast<PyTypeObject*>(cls))->info;
  if (info == nullptr) return nullptr;  // `cls` itself is not registered
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) {
    clear_error();  // A lone surrogate, which names of type attributes cannot contain.
    return nullptr;
  }
  if (!may_be_type_attribute(text)) return nullptr;
  TVMFFIAny result;
  if (type_attr_copy(info->type_index, name, &result) < 0) return nullptr;
  return result.type_index == kTVMFFINone ? nullptr : stored_to_py_steal(result);
}

// Returns an attribute, found in `cls` or its bases and not hidden by the metaclass. Returns NULL
// without an exception if there is no such attribute.
BINDING_INLINE Ref own_attribute(PyObject* cls, PyObject* name) {
  if (BINDING_UNLIKELY(!PyUnicode_Check(name))) return Ref();
  if (_PyType_Lookup(Py_TYPE(cls), name) != nullptr) return Ref();
  return type_find(reinterpret_cast<PyTypeObject*>(cls), name);
}

// Runs `type.__getattribute__(cls, name)`. An attribute that the metaclass does not have is looked
// up only once, also if it is a descriptor.
BINDING_INLINE PyObject* python_attribute(PyObject* cls, PyObject* name) {
  Ref own = own_attribute(cls, name);
  if (BINDING_UNLIKELY(!own)) return PyType_Type.tp_getattro(cls, name);
  descrgetfunc get = Py_TYPE(own.get())->tp_descr_get;
  return get == nullptr ? own.release() : get(own.get(), nullptr, cls);  // may run Python
}

// Runs `getattr(cls, name)`: finds a Python attribute, or else an attribute of the type in the type
// table.
PyObject* meta_getattro(PyObject* cls, PyObject* name) {
  PyObject* found = python_attribute(cls, name);
  if (BINDING_LIKELY(found != nullptr) || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
    return found;
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  found = type_attribute_of_class(cls, name);
  if (found == nullptr && !PyErr_Occurred()) {
    PyErr_Restore(type, value, traceback);
    return nullptr;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return found;
}

}  // namespace

ClassInfo* class_info_of(PyTypeObject* cls) {
  for (; cls != nullptr && has_our_meta(cls); cls = cls->tp_base) {
    ClassInfo* info = tail_of(cls)->info;
    if (info != nullptr) return info;
  }
  return nullptr;
}

bool class_is_registered(PyTypeObject* cls) {
  return has_our_meta(cls) && tail_of(cls)->info != nullptr;
}

void class_info_set(PyTypeObject* cls, ClassInfo* info) {
  if (has_our_meta(cls)) tail_of(cls)->info = info;
}

void class_note_instance(PyTypeObject* cls) {
  if (!has_our_meta(cls)) return;
  std::atomic<bool>& noted = tail_of(cls)->has_instance;
  if (!noted.load(std::memory_order_relaxed)) noted.store(true, std::memory_order_relaxed);
}

void class_drop_gc_header(PyTypeObject* cls) {
  // A class whose metaclass derives from core._ObjectSlotsMeta, such as an enum class, may own its
  // instances. These instances keep their GC header, because the garbage collector has to see that
  // they refer to the class.
  if (Py_TYPE(cls) != state().object_meta || tail_of(cls)->has_instance) return;
  if (!PyType_IS_GC(cls) || !wrapper_is_plain(cls)) return;
  if (cls->tp_basicsize != sizeof(Wrapper)) return;  // a container, which may hold Python objects
  cls->tp_flags &= ~Py_TPFLAGS_HAVE_GC;
  cls->tp_traverse = nullptr;
  cls->tp_clear = nullptr;
  cls->tp_free = PyObject_Free;
  PyType_Modified(cls);
}

int meta_type_init(PyObject* module) {
  Ref abc_meta(state_import("abc", "ABCMeta"));
  if (!abc_meta) return -1;
  g_abc_new = PyObject_GetAttr(abc_meta.get(), state().names.dunder_new);
  g_abc_instance_check = state_import("_abc", "_abc_instancecheck");
  g_abc_subclass_check = state_import("_abc", "_abc_subclasscheck");
  g_abc_token = state_import("_abc", "get_cache_token");
  if (g_abc_new == nullptr || g_abc_instance_check == nullptr || g_abc_subclass_check == nullptr ||
      g_abc_token == nullptr) {
    return -1;
  }
  auto* base = reinterpret_cast<PyTypeObject*>(abc_meta.get());
  constexpr Py_ssize_t kAlign = alignof(ClassTail);
  g_tail_offset = (base->tp_basicsize + kAlign - 1) / kAlign * kAlign;
  PyType_Slot slots[] = {
      {Py_tp_doc,
       const_cast<char*>(
           "ABCMeta whose classes get __slots__ = (), unless the body defines __slots__ or "
           "__setattr__.")},
      {Py_tp_methods, meta_methods},
      {Py_tp_getattro, reinterpret_cast<void*>(meta_getattro)},
      {Py_tp_setattro, reinterpret_cast<void*>(meta_setattro)},
      {0, nullptr}};
  PyType_Spec spec = {"tvm_ffi.core._ObjectSlotsMeta",
                      static_cast<int>(g_tail_offset + sizeof(ClassTail)), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  Ref bases(PyTuple_Pack(1, abc_meta.get()));
  if (!bases) return -1;
  Ref meta(PyType_FromSpecWithBases(&spec, bases.get()));
  if (!meta) return -1;
  auto* type = reinterpret_cast<PyTypeObject*>(meta.get());
  // Heap types do not inherit this flag; without the flag, `cls(...)` never uses tp_vectorcall.
  type->tp_vectorcall_offset = offsetof(PyTypeObject, tp_vectorcall);
  type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
  PyType_Modified(type);
  state().object_meta = type;
  Py_INCREF(type);
  return PyModule_AddObject(module, "_ObjectSlotsMeta", meta.release());
}

}  // namespace binding
