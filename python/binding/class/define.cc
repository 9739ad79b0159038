// SPDX-License-Identifier: Apache-2.0
// Definition of a class in Python. The Python part of the package calls these functions to register
// a type, to add its fields, or to undo the definition.
#include <cstring>

#include "../call.h"
#include "../memory_guard.h"
#include "../raise.h"
#include "../registry/register.h"
#include "../type_attribute.h"
#include "../utf8.h"
#include "initializer.h"
#include "native_fields.h"

namespace binding {
namespace {

// Reads a type key as UTF-8. Returns false with an exception set if the type table would not accept
// the key.
bool key_of(PyObject* x, TVMFFIByteArray* out) {
  if (utf8_borrowed(x, out) < 0) return false;
  if (out->size != 0 && std::strlen(out->data) == out->size) return true;
  PyErr_Format(PyExc_ValueError, "%R is not a type key: it is empty or contains a null character",
               x);
  return false;
}

bool has_registrations(const TVMFFITypeInfo* native) {
  return native->type_index < kTVMFFIDynObjectBegin || native->num_fields != 0 ||
         native->num_methods != 0 || native->metadata != nullptr ||
         type_attribute(native->type_index, "__ffi_new__") != nullptr ||
         type_attribute(native->type_index, "__ffi_init__") != nullptr;
}

// Raises the error for a type key that is already registered. `holder` is the class registered for
// the key, or NULL.
BINDING_COLD void refuse_taken(PyObject* key, const ClassInfo* holder) {
  auto* cls = holder == nullptr ? nullptr : reinterpret_cast<PyObject*>(holder->cls);
  Ref module(cls == nullptr ? nullptr : PyObject_GetAttr(cls, state().names.dunder_module));
  Ref name(module ? PyObject_GetAttr(cls, state().names.dunder_qualname) : nullptr);
  if (is_stop_raised()) return;
  clear_error();
  if (name) {
    PyErr_Format(PyExc_ValueError,
                 "Type key '%U' is already registered: it belongs to class `%S.%S`. Give this "
                 "class another key (type_key=...), or restart Python",
                 key, module.get(), name.get());
  } else {
    PyErr_Format(PyExc_ValueError,
                 "Type key '%U' is already registered: it belongs to a type of a library. Use "
                 "@auto_class or @c_class to bind this class to that type, or give it another key "
                 "(type_key=...)",
                 key);
  }
}

// Allocates an index for a key that is not registered; -1 with an exception set.
int32_t allocate_index(PyObject* key, const TVMFFITypeInfo* parent) {
  static RuntimeFunction open("ffi._PyClassOpen");
  TVMFFIAny args[2], result;
  if (value_from_py_owned(key, &args[0]) < 0) return -1;
  value_set_int(&args[1], parent->type_index);
  int status = open.call(args, 2, &result);
  value_release(&args[0]);
  return status < 0 ? -1 : static_cast<int32_t>(result.v_int64);
}

// Registers the key as a child of `parent`; returns its type index, or -1 with an exception set.
int32_t type_index_for(PyObject* key, const TVMFFITypeInfo* parent) {
  TVMFFIByteArray text;
  if (!key_of(key, &text)) return -1;
  int32_t known = TVMFFITypeGetOrAllocIndex(&text, -1, 0, 0, 0, -2);
  if (known < 0) return allocate_index(key, parent);
  const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(known);
  ClassInfo* bound = class_info_known(known);
  if (native == nullptr || has_registrations(native) ||
      (bound != nullptr && bound->cls != nullptr && !bound->is_fallback)) {
    refuse_taken(key, bound == nullptr || bound->is_fallback ? nullptr : bound);
    return -1;
  }
  if (native->type_depth == 0 ||
      native->type_ancestors[native->type_depth - 1]->type_index != parent->type_index) {
    PyErr_Format(PyExc_ValueError,
                 "Type key '%U' is already registered: it was taken for a child of `%s`", key,
                 native->type_depth == 0
                     ? ""
                     : native->type_ancestors[native->type_depth - 1]->type_key.data);
    return -1;
  }
  return known;
}

// Returns the index of a new type that replaces the type `former`. The new type gets the key later,
// from _class_take_key. On failure, returns -1 with an exception set.
int32_t type_index_again(int32_t former, const TVMFFITypeInfo* parent) {
  static RuntimeFunction open("ffi._PyClassOpenAgain");
  TVMFFIAny args[2], result;
  value_set_int(&args[0], former);
  value_set_int(&args[1], parent->type_index);
  return open.call(args, 2, &result) < 0 ? -1 : static_cast<int32_t>(result.v_int64);
}

// _class_open(parent_type_index, type_key, cls, former=-1) -> type_index
//
// Registers a type. If the class is defined again, `former` is the type index of the former
// definition.
PyObject* class_open(PyObject*, PyObject* args) {
  int parent_index, former = -1;
  PyObject *key, *cls;
  if (!PyArg_ParseTuple(args, "iUO!|i:_class_open", &parent_index, &key, &PyType_Type, &cls,
                        &former)) {
    return nullptr;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (!PyType_IsSubtype(type, state().object_type)) {
    return PyErr_Format(PyExc_TypeError, "%s is not a subclass of tvm_ffi.Object", type->tp_name);
  }
  const TVMFFITypeInfo* parent = TVMFFIGetTypeInfo(parent_index);
  if (parent == nullptr) {
    raise_from_slot(-1);
    return nullptr;
  }
  // Call layout_begin only to refuse a parent to which fields cannot be added. class_fields
  // computes the field offsets.
  if (layout_begin(parent, cls) < 0 || class_check_parent(parent, type) < 0) return nullptr;
  int32_t index = former < 0 ? type_index_for(key, parent) : type_index_again(former, parent);
  if (index < 0 || class_bind(index, type) == nullptr) return nullptr;
  return PyLong_FromLong(index);
}

// _class_take_key(type_index, former): makes the type key of `type_index` name this type.
// `former` is the type that the key named before, or -1 if a redefinition is undone.
PyObject* class_take_key(PyObject*, PyObject* args) {
  static RuntimeFunction take("ffi._PyClassTakeKey");
  int index, former;
  if (!PyArg_ParseTuple(args, "ii:_class_take_key", &index, &former)) return nullptr;
  ClassInfo* info = class_info_known(index);
  ClassInfo* before = former < 0 ? nullptr : class_info_known(former);
  if (info == nullptr || (former >= 0 && before == nullptr)) {
    return PyErr_Format(PyExc_ValueError, "type %d has no class", info == nullptr ? index : former);
  }
  TVMFFIAny arg, result;
  value_set_int(&arg, index);
  if (take.call(&arg, 1, &result) < 0) return nullptr;
  if (before != nullptr) before->successor = info;
  info->successor = nullptr;
  Py_RETURN_NONE;
}

int forget_key(int32_t type_index) {
  static RuntimeFunction forget("ffi._PyClassForget");
  TVMFFIAny arg, result;
  value_set_int(&arg, type_index);
  return forget.call(&arg, 1, &result);
}

// _class_close(type_index, cls): undoes _class_open. The entries in the type table remain, but the
// type key does not name the type any more.
PyObject* class_close(PyObject*, PyObject* args) {
  int index;
  PyObject* cls;
  if (!PyArg_ParseTuple(args, "iO!:_class_close", &index, &PyType_Type, &cls)) return nullptr;
  const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(index);
  if (native == nullptr) {
    raise_from_slot(-1);
    return nullptr;
  }
  class_unbind(index, reinterpret_cast<PyTypeObject*>(cls));
  if (has_registrations(native) && forget_key(index) < 0) return nullptr;
  Py_RETURN_NONE;
}

int check_definition(int32_t type_index) {
  static RuntimeFunction check("ffi._PyClassCheckAncestors");
  TVMFFIAny arg, result;
  value_set_int(&arg, type_index);
  return check.call(&arg, 1, &result);
}

int register_columns(int32_t type_index, int32_t total_size) {
  static RuntimeFunction columns("ffi._PyClassRegisterTypeAttrColumns");
  TVMFFIAny args[2], result;
  value_set_int(&args[0], type_index);
  value_set_int(&args[1], total_size);
  return columns.call(args, 2, &result);
}

int register_metadata(int32_t type_index, int32_t total_size, int structure_kind) {
  if (structure_kind == kTVMFFISEqHashKindUnsupported) return 0;
  TVMFFITypeMetadata metadata{};
  metadata.doc = TVMFFIByteArray{"", 0};
  metadata.total_size = total_size;
  metadata.structural_eq_hash_kind = static_cast<TVMFFISEqHashKind>(structure_kind);
  int status = TVMFFITypeRegisterMetadata(type_index, &metadata);
  return status == 0 ? 0 : raise_from_slot(status);
}

// Returns a list with a tuple (size, alignment, offset, static type index, descriptor) for each
// field that the class itself declares.
PyObject* describe_own(const ClassPlan& plan) {
  Ref list(PyList_New(0));
  const TVMFFITypeInfo* native = plan.info->native;
  for (size_t i = 0; list && i < plan.own.size(); ++i) {
    const ClassField& field = *plan.own[i];
    const StorageShape& shape = shape_of(field.storage);
    Ref descriptor(field_new(&native->fields[i], native->type_index, &field));
    Ref entry(descriptor ? Py_BuildValue("(iiiiO)", shape.size, shape.alignment, field.offset,
                                         shape.static_type_index, descriptor.get())
                         : nullptr);
    if (!entry || PyList_Append(list.get(), entry.get()) < 0) return nullptr;
  }
  return list.release();
}

// _class_fields(type_index, cls, entries, structure_kind) -> the list that describe_own returns
PyObject* class_fields(PyObject*, PyObject* args) {
  int index, structure_kind;
  PyObject *cls, *entries;
  if (!PyArg_ParseTuple(args, "iO!O!i:_class_fields", &index, &PyType_Type, &cls, &PyTuple_Type,
                        &entries, &structure_kind)) {
    return nullptr;
  }
  ClassInfo* info = class_info_known(index);
  if (info == nullptr || info->plan != nullptr || info->native->num_fields != 0) {
    return PyErr_Format(PyExc_ValueError, "type %d cannot be given fields", index);
  }
  std::vector<std::unique_ptr<FieldSpec>> specs;
  if (!read_field_specs(entries, &specs)) return nullptr;
  const TVMFFITypeInfo* native = info->native;
  int32_t begin = layout_begin(native->type_ancestors[native->type_depth - 1], cls);
  if (begin < 0 || check_definition(index) < 0) return nullptr;
  std::vector<ClassField*> own;
  for (auto& spec : specs) own.push_back(spec->field.get());
  int32_t end = layout_place(own, begin);
  if (end < 0) return nullptr;
  int32_t total_size = (end + 7) / 8 * 8;
  // All checks are done. The code below registers the fields, and is not expected to fail.
  for (auto& spec : specs) {
    if (register_field(index, spec.get()) == nullptr) return nullptr;
  }
  if (register_columns(index, total_size) < 0 ||
      register_metadata(index, total_size, structure_kind) < 0) {
    return nullptr;
  }
  ClassPlan* plan = plan_make(info, std::move(own), end, total_size);
  if (plan == nullptr) return nullptr;
  info->plan = plan;
  if (!info->tracked) class_drop_gc_header(info->cls);
  return describe_own(*plan);
}

// _class_method(type_index, name, function, is_static, metadata text): registers a method.
PyObject* class_method(PyObject*, PyObject* args) {
  int index, is_static;
  PyObject *name, *function, *metadata;
  if (!PyArg_ParseTuple(args, "iUOpU:_class_method", &index, &name, &function, &is_static,
                        &metadata)) {
    return nullptr;
  }
  TVMFFIMethodInfo info{};
  info.doc = TVMFFIByteArray{"", 0};
  if (utf8_borrowed(name, &info.name) < 0 || utf8_borrowed(metadata, &info.metadata) < 0) {
    return nullptr;
  }
  info.flags = is_static ? kTVMFFIFieldFlagBitMaskIsStaticMethod : 0;
  TVMFFIAny value;
  if (value_from_py_owned(function, &value) < 0) return nullptr;
  if (value.type_index != kTVMFFIFunction) {
    value_release(&value);
    return PyErr_Format(PyExc_TypeError, "method %R must be callable, got %s", name,
                        Py_TYPE(function)->tp_name);
  }
  info.method = value;
  int status = TVMFFITypeRegisterMethod(index, &info);
  value_release(&value);
  if (status == 0) Py_RETURN_NONE;
  raise_from_slot(status);
  return nullptr;
}

// _class_rebind(type_index, cls): makes `cls` the class of values of the type; with None, the type
// has no class.
PyObject* class_rebind(PyObject*, PyObject* args) {
  int index;
  PyObject* cls;
  if (!PyArg_ParseTuple(args, "iO:_class_rebind", &index, &cls)) return nullptr;
  if (cls == Py_None) {
    ClassInfo* info = class_info_known(index);
    if (info != nullptr && info->cls != nullptr) class_unbind(index, info->cls);
    Py_RETURN_NONE;
  }
  if (!PyType_Check(cls)) {
    return PyErr_Format(PyExc_TypeError, "_class_rebind expects a class or None, got %s",
                        Py_TYPE(cls)->tp_name);
  }
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (index < kTVMFFIStaticObjectBegin || !PyType_IsSubtype(type, state().object_type)) {
    return PyErr_Format(PyExc_TypeError, "%s cannot be the class of type %d", type->tp_name, index);
  }
  if (class_bind(index, type) == nullptr) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef define_functions[] = {
    {"_class_rebind", memory_guarded<class_rebind>, METH_VARARGS, "Change the class of a type."},
    {"_class_open", memory_guarded<class_open>, METH_VARARGS,
     "Take a type index for a class defined in Python."},
    {"_class_take_key", memory_guarded<class_take_key>, METH_VARARGS,
     "Let a key name another type."},
    {"_class_close", memory_guarded<class_close>, METH_VARARGS, "Undo _class_open."},
    {"_class_fields", memory_guarded<class_fields>, METH_VARARGS,
     "Register the fields of such a class."},
    {"_class_method", memory_guarded<class_method>, METH_VARARGS,
     "Register a method of such a class."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int class_init(PyObject* module) {
  if (PyModule_AddFunctions(module, define_functions) < 0) return -1;
  if (initializer_init(module) < 0 || copying_init(module) < 0) return -1;
  return operators_init(module);
}

}  // namespace binding
