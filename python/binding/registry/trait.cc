// SPDX-License-Identifier: Apache-2.0
// core._Trait: the descriptor of a class attribute that is also a type attribute. The type table
// has the native value. As long as that value has not been replaced, the descriptor returns the
// Python object from which the native value was made.
#include "trait.h"

#include <cstring>

#include "../call.h"
#include "../callback.h"
#include "../convert/convert.h"
#include "../raise.h"
#include "../state.h"
#include "../type/types.h"
#include "../utf8.h"

namespace binding {
namespace {

struct TraitObject {
  PyObject_HEAD int32_t type_index;
  PyObject* name;    // str, owned
  PyObject* value;   // the Python form of `stored`, owned
  TVMFFIAny stored;  // owned
};

TraitObject* as_trait(PyObject* x) { return reinterpret_cast<TraitObject*>(x); }

bool same_words(const TVMFFIAny& a, const TVMFFIAny& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

// Reads the attribute of the types between `cls` and the class that has the trait, nearest first.
// Stores None in `*value` if none of them has the attribute. Returns 0, or -1 with an exception
// set.
int own_attr_of_derived(const TraitObject* trait, PyObject* cls, TVMFFIAny* value) {
  *value = value_none();
  if (cls == nullptr || !PyType_Check(cls)) return 0;
  const ClassInfo* info = class_info_of(reinterpret_cast<PyTypeObject*>(cls));
  if (BINDING_LIKELY(info == nullptr || info->type_index == trait->type_index)) return 0;
  const TVMFFITypeInfo* type = info->native;
  for (int32_t depth = type->type_depth; type->type_index != trait->type_index && depth > 0;) {
    if (type_attr_copy(type->type_index, trait->name, value) < 0) return -1;
    if (value->type_index != kTVMFFINone) return 0;
    type = info->native->type_ancestors[--depth];
  }
  return 0;
}

// Runs `getattr(cls, name)` and `getattr(obj, name)`.
PyObject* trait_get(PyObject* self, PyObject*, PyObject* cls) {
  TraitObject* trait = as_trait(self);
  TVMFFIAny current;
  if (own_attr_of_derived(trait, cls, &current) < 0) return nullptr;
  if (current.type_index != kTVMFFINone) return stored_to_py_steal(current);
  if (type_attr_copy(trait->type_index, trait->name, &current) < 0) return nullptr;
  if (BINDING_LIKELY(same_words(current, trait->stored))) {
    value_release(&current);  // not the last reference
    return compat_new_ref(trait->value);
  }
  if (current.type_index == kTVMFFINone) {
    PyErr_Format(
        PyExc_AttributeError, "type object '%s' has no attribute '%U'",
        cls != nullptr && PyType_Check(cls) ? reinterpret_cast<PyTypeObject*>(cls)->tp_name : "?",
        trait->name);
    return nullptr;
  }
  // Code in another language, or `set_type_attr`, has replaced the value in the type table.
  TVMFFIAny stored = current;
  if (is_object_index(stored.type_index)) object_inc_ref(stored.v_obj);
  Ref value(stored_to_py_steal(current));  // may run Python
  if (!value) {
    value_release(&stored);
    return nullptr;
  }
  Ref old_value(std::exchange(trait->value, compat_new_ref(value.get())));
  std::swap(trait->stored, stored);
  value_release(&stored);  // may run Python
  return value.release();
}

int trait_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_trait(self)->value);
  return 0;
}

int trait_clear(PyObject* self) {
  Ref value(std::exchange(as_trait(self)->value, compat_new_ref(Py_None)));
  return 0;
}

void trait_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  TraitObject* trait = as_trait(self);
  Ref name(trait->name), value(trait->value);
  TVMFFIAny stored = trait->stored;
  PyObject_GC_Del(self);
  value_release(&stored);  // may run Python
}

// _trait_new(type_index, name, value): makes the descriptor; `value` is the Python form of the
// value that the type table has now.
PyObject* trait_new(PyObject*, PyObject* args) {
  int type_index;
  PyObject *name, *value;
  if (!PyArg_ParseTuple(args, "iUO:_trait_new", &type_index, &name, &value)) return nullptr;
  TVMFFIAny stored;
  if (type_attr_copy(type_index, name, &stored) < 0) return nullptr;
  TraitObject* trait = PyObject_GC_New(TraitObject, &TraitType);
  if (trait == nullptr) {
    value_release(&stored);
    return nullptr;
  }
  trait->type_index = type_index;
  trait->name = compat_new_ref(name);
  trait->value = compat_new_ref(value);
  trait->stored = stored;
  PyObject_GC_Track(reinterpret_cast<PyObject*>(trait));
  return reinterpret_cast<PyObject*>(trait);
}

// _class_set(cls, name, value), _class_set(cls, name): set or delete a class attribute without a
// change of the type table.
PyObject* class_set(PyObject*, PyObject* args) {
  PyObject *cls, *name, *value = nullptr;
  if (!PyArg_ParseTuple(args, "O!U|O:_class_set", &PyType_Type, &cls, &name, &value))
    return nullptr;
  if (PyType_Type.tp_setattro(cls, name, value) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef trait_functions[] = {
    {"_class_set", class_set, METH_VARARGS, "Set or delete the attribute of a class alone."},
    {"_trait_new", trait_new, METH_VARARGS, "Make a class attribute of a type attribute."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject TraitType = static_type();

int type_attr_copy(int32_t type_index, PyObject* name, TVMFFIAny* value) {
  static RuntimeFunction get("ffi.TypeAttrCopy");
  TVMFFIByteArray bytes;
  if (utf8_borrowed(name, &bytes) < 0) return -1;
  TVMFFIAny args[2] = {value_none(), value_none()};
  args[0].type_index = kTVMFFIByteArrayPtr;
  args[0].v_ptr = &bytes;
  value_set_int(&args[1], type_index);
  return get.call(args, 2, value);
}

int trait_wants_assignment(PyTypeObject* cls, int32_t type_index, PyObject* name, PyObject* value) {
  if (PyUnicode_GET_LENGTH(name) == 0 || PyUnicode_READ_CHAR(name, 0) == '_') return 0;
  Ref found = type_find(cls, name);
  if (found) return Py_TYPE(found.get()) == &TraitType;
  if (value == nullptr || Py_TYPE(value)->tp_descr_get != nullptr) return 0;
  TVMFFIAny current;
  if (type_attr_copy(type_index, name, &current) < 0) {
    clear_error();  // A lone surrogate, which names of type attributes cannot contain.
    return 0;
  }
  bool is_set = current.type_index != kTVMFFINone;
  value_release(&current);
  return is_set;
}

int trait_assign(PyObject* cls, PyObject* name, PyObject* value) {
  static LazyImport function("tvm_ffi.dataclasses.traits", "assign");
  PyObject* assign = function.get();
  if (assign == nullptr) return -1;
  PyObject* args[3] = {cls, name, value};
  Ref done(PyObject_Vectorcall(assign, args, value == nullptr ? 2 : 3, nullptr));
  return done ? 0 : -1;
}

int trait_type_init(PyObject* module) {
  PyTypeObject* t =
      type_begin(&TraitType, "tvm_ffi.core._Trait", sizeof(TraitObject), Py_TPFLAGS_HAVE_GC,
                 "A class attribute that is also a type attribute.");
  t->tp_dealloc = trait_dealloc;
  t->tp_traverse = trait_traverse;
  t->tp_clear = trait_clear;
  t->tp_descr_get = trait_get;
  if (type_add(module, t) < 0) return -1;
  return PyModule_AddFunctions(module, trait_functions);
}

}  // namespace binding
