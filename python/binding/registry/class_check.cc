// SPDX-License-Identifier: Apache-2.0
// Checks whether a Python class may become the class of a native type.
#include <string_view>

#include "../type/types.h"
#include "register.h"

namespace binding {
namespace {

// Returns the first base that is made in C; instances of `cls` begin with the layout of that base.
// Borrowed.
PyTypeObject* native_base(PyTypeObject* cls) {
  while (cls->tp_base != nullptr && (cls->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0) cls = cls->tp_base;
  return cls;
}

// Returns the base that a class for a built-in type must have, because the binding reads and writes
// members of that base; NULL for types whose objects need only the members of Wrapper.
PyTypeObject* required_base(const TVMFFITypeInfo* type) {
  std::string_view key(type->type_key.data, type->type_key.size);
  if (key == "ffi.StructuralKey") return &StructuralKeyType;
  static const struct {
    int32_t type_index;
    PyTypeObject* base;
  } kBases[] = {{kTVMFFIFunction, &FunctionType},   {kTVMFFITensor, &TensorType},
                {kTVMFFIError, &ErrorType},         {kTVMFFIOpaquePyObject, &OpaquePyObjectType},
                {kTVMFFIArray, &ArrayBaseType},     {kTVMFFIList, &ListBaseType},
                {kTVMFFIMap, &MapBaseType},         {kTVMFFIDict, &DictBaseType},
                {kTVMFFIStr, &PyNativeObjectType},  {kTVMFFIBytes, &PyNativeObjectType},
                {kTVMFFIShape, &PyNativeObjectType}};
  for (const auto& one : kBases) {
    if (one.type_index == type->type_index) return one.base;
  }
  return nullptr;
}

bool is_self_or_ancestor(const TVMFFITypeInfo* type, int32_t type_index) {
  if (type->type_index == type_index) return true;
  for (int32_t i = 0; i < type->type_depth; ++i) {
    if (type->type_ancestors[i]->type_index == type_index) return true;
  }
  return false;
}

int raise_wrong_base(const TVMFFITypeInfo* native, PyTypeObject* cls, const char* base,
                     const char* why) {
  PyErr_Format(PyExc_TypeError,
               "cannot register class `%s` for type `%s`: it must be a subclass of `%s`, %s",
               cls->tp_name, native->type_key.data, base, why);
  return -1;
}

// Checks that instances of the class begin with a Wrapper, and that no base made in C adds other
// members. Returns 0, or -1 with an exception set.
int check_plain(const TVMFFITypeInfo* native, PyTypeObject* cls) {
  if (native->type_index < kTVMFFIStaticObjectBegin) {
    PyErr_Format(PyExc_TypeError,
                 "cannot register class `%s` for type `%s`: values of that type are not objects",
                 cls->tp_name, native->type_key.data);
    return -1;
  }
  if (!PyType_IsSubtype(cls, state().object_type)) {
    return raise_wrong_base(native, cls, "tvm_ffi.Object",
                            "because instances have to hold a handle");
  }
  if (native_base(cls) == native_base(state().object_type)) return 0;
  PyErr_Format(PyExc_TypeError,
               "cannot register class `%s` for type `%s`: its base `%s` has a layout that objects "
               "of the type do not have",
               cls->tp_name, native->type_key.data, native_base(cls)->tp_name);
  return -1;
}

// Returns whether a type belongs to the enum family. The classes of this family may also be bases
// for enums whose type does not derive from `ffi.Enum`, because these classes read variants from
// the enum state and not from fields.
bool is_enum_family(const TVMFFITypeInfo* type) {
  std::string_view key(type->type_key.data, type->type_key.size);
  return key == "ffi.Enum" || key == "ffi.IntEnum" || key == "ffi.StrEnum";
}

// Returns whether a type has fields that `native` does not inherit. Descriptors of such fields
// would access objects of `native` at wrong offsets.
bool has_other_fields(const TVMFFITypeInfo* type, const TVMFFITypeInfo* native) {
  if (type->num_fields != 0) return true;
  for (int32_t i = 0; i < type->type_depth; ++i) {
    const TVMFFITypeInfo* ancestor = type->type_ancestors[i];
    if (ancestor->num_fields != 0 && !is_self_or_ancestor(native, ancestor->type_index)) {
      return true;
    }
  }
  return false;
}

// Refuses a base class, among `bases` from index `begin` on, whose type has fields and is not an
// ancestor of `native`. A base whose type has no fields is accepted. An example is `ir.Attrs` of
// TVM: classes that were written for older releases derive from the class of `ir.Attrs`, although
// their native types do not derive from this type. Returns 0, or -1 with an exception set.
int check_bases(const TVMFFITypeInfo* native, PyTypeObject* cls, PyObject* bases,
                Py_ssize_t begin) {
  for (Py_ssize_t i = begin; i < PyTuple_GET_SIZE(bases); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(bases, i));
    ClassInfo* info = class_info_of(base);
    if (info == nullptr || is_self_or_ancestor(native, info->type_index)) continue;
    if (is_enum_family(info->native) || !has_other_fields(info->native, native)) continue;
    PyErr_Format(PyExc_TypeError,
                 "cannot register class `%s` for type `%s`: its base `%s` is the class of `%s`, "
                 "which is not an ancestor of the type",
                 cls->tp_name, native->type_key.data, base->tp_name, info->native->type_key.data);
    return -1;
  }
  return 0;
}

// Refuses a registered class whose type is not `native` or an ancestor of `native`. A class that is
// defined in Python may not have such a base even if the type has no fields: Python would take an
// instance for an object of the type, and native code would not.
int check_single_parent(const TVMFFITypeInfo* native, PyTypeObject* cls, PyObject* bases,
                        Py_ssize_t begin) {
  for (Py_ssize_t i = begin; i < PyTuple_GET_SIZE(bases); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(bases, i));
    ClassInfo* info = class_is_registered(base) ? class_info_of(base) : nullptr;
    if (info == nullptr || is_self_or_ancestor(native, info->type_index)) continue;
    PyErr_Format(
        PyExc_TypeError,
        "`%s` cannot derive from the classes of both `%s` and `%s`: an object type has one "
        "parent. Derive from one of them, and make the other one a field or a class that "
        "is not registered",
        cls->tp_name, native->type_key.data, info->native->type_key.data);
    return -1;
  }
  return 0;
}

// Checks whether the registered classes among `cls` and its subclasses may derive from `bases`.
// Returns 0, or -1 with an exception set.
int check_bases_below(PyTypeObject* cls, PyObject* bases) {
  const ClassInfo* info = class_is_registered(cls) ? class_info_of(cls) : nullptr;
  for (Py_ssize_t i = 0; info != nullptr && i < PyTuple_GET_SIZE(bases); ++i) {
    PyObject* base = PyTuple_GET_ITEM(bases, i);
    if (!PyType_Check(base)) continue;  // CPython refuses it
    PyObject* all = reinterpret_cast<PyTypeObject*>(base)->tp_mro;
    if (all == nullptr) continue;  // a class that is being made
    bool is_ours = info->plan != nullptr;
    if ((is_ours ? check_single_parent : check_bases)(info->native, cls, all, 0) < 0) return -1;
  }
  Ref subclasses(PyObject_CallMethod(reinterpret_cast<PyObject*>(cls), "__subclasses__", nullptr));
  if (!subclasses) return -1;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(subclasses.get()); ++i) {
    PyObject* subclass = PyList_GET_ITEM(subclasses.get(), i);
    if (check_bases_below(reinterpret_cast<PyTypeObject*>(subclass), bases) < 0) return -1;
  }
  return 0;
}

}  // namespace

int class_check_parent(const TVMFFITypeInfo* parent, PyTypeObject* cls) {
  return check_single_parent(parent, cls, cls->tp_mro, 1);
}

int class_set_bases(PyTypeObject* cls, PyObject* name, PyObject* bases) {
  // Checked before the assignment: CPython may refuse to assign the former bases again.
  if (PyTuple_Check(bases) && check_bases_below(cls, bases) < 0) return -1;
  return PyType_Type.tp_setattro(reinterpret_cast<PyObject*>(cls), name, bases);
}

int class_check(const TVMFFITypeInfo* native, PyTypeObject* cls) {
  PyTypeObject* required = required_base(native);
  for (int32_t i = native->type_depth - 1; required == nullptr && i >= 0; --i) {
    required = required_base(native->type_ancestors[i]);
  }
  if (required == nullptr) {
    if (check_plain(native, cls) < 0) return -1;
  } else if (!PyType_IsSubtype(cls, required)) {
    return raise_wrong_base(native, cls, required->tp_name, "whose layout its values have");
  }
  return check_bases(native, cls, cls->tp_mro, 1);
}

}  // namespace binding
