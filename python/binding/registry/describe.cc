// SPDX-License-Identifier: Apache-2.0
// core._describe_type: returns an entry of the type table as plain tuples, from which Python code
// builds a TypeInfo on request.
#include "../convert/convert.h"
#include "../raise.h"
#include "../type/types.h"
#include "../utf8.h"
#include "registry.h"

namespace binding {
namespace {

PyObject* describe_text(const TVMFFIByteArray& bytes) { return utf8_to_py(bytes, "replace"); }

PyObject* describe_text_or_none(const TVMFFIByteArray& bytes) {
  return bytes.size == 0 ? compat_new_ref(Py_None) : describe_text(bytes);
}

PyObject* describe_ancestors(const TVMFFITypeInfo* native) {
  Ref list(PyList_New(native->type_depth));
  if (!list) return nullptr;
  for (int32_t i = 0; i < native->type_depth; ++i) {
    PyObject* index = PyLong_FromLong(native->type_ancestors[i]->type_index);
    if (index == nullptr) return nullptr;
    PyList_SET_ITEM(list.get(), i, index);
  }
  return list.release();
}

// Returns the default of a field, or the function that makes the default; MISSING if the field has
// neither.
PyObject* describe_default(const TVMFFIFieldInfo& field) {
  if ((field.flags & kTVMFFIFieldFlagBitMaskHasDefault) == 0)
    return compat_new_ref(state().missing);
  return value_to_py_borrowed(field.default_value_or_factory);
}

// Returns (name, doc, size, alignment, offset, static type index, flags, metadata text, default,
// descriptor).
PyObject* describe_field(const TVMFFIFieldInfo& field, int32_t type_index) {
  Ref name(describe_text(field.name)), doc(describe_text_or_none(field.doc)),
      metadata(describe_text(field.metadata));
  Ref initial(describe_default(field)), descriptor(field_new(&field, type_index, nullptr));
  if (!name || !doc || !metadata || !initial || !descriptor) return nullptr;
  return Py_BuildValue("(OOLLLiLOOO)", name.get(), doc.get(), static_cast<long long>(field.size),
                       static_cast<long long>(field.alignment),
                       static_cast<long long>(field.offset), field.field_static_type_index,
                       static_cast<long long>(field.flags), metadata.get(), initial.get(),
                       descriptor.get());
}

PyObject* describe_function(const TVMFFIMethodInfo& method) {
  if (method.method.type_index != kTVMFFIFunction) return value_to_py_borrowed(method.method);
  object_inc_ref(method.method.v_obj);
  return function_wrapper_new_steal(method.method.v_obj,
                                    (method.flags & kTVMFFIMethodFlagBitMaskShortCall) != 0);
}

// Returns (name, doc, metadata text, Function, is_static).
PyObject* describe_method(const TVMFFIMethodInfo& method) {
  Ref name(describe_text(method.name)), doc(describe_text_or_none(method.doc)),
      metadata(describe_text(method.metadata));
  Ref function(describe_function(method));
  if (!name || !doc || !metadata || !function) return nullptr;
  bool is_static = (method.flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) != 0;
  return Py_BuildValue("(OOOOO)", name.get(), doc.get(), metadata.get(), function.get(),
                       is_static ? Py_True : Py_False);
}

PyObject* describe_fields(const TVMFFITypeInfo* native) {
  Ref list(PyList_New(0));
  // Read the count again in each step: the conversion of a default may run Python code, such as the
  // import of a class, and this code may register more fields.
  for (int32_t i = 0; list && i < native->num_fields; ++i) {
    TVMFFIFieldInfo field = native->fields[i];
    Ref entry(describe_field(field, native->type_index));
    if (!entry || PyList_Append(list.get(), entry.get()) < 0) return nullptr;
  }
  return list.release();
}

PyObject* describe_methods(const TVMFFITypeInfo* native) {
  Ref list(PyList_New(0));
  for (int32_t i = 0; list && i < native->num_methods; ++i) {
    TVMFFIMethodInfo method = native->methods[i];
    Ref entry(describe_method(method));
    if (!entry || PyList_Append(list.get(), entry.get()) < 0) return nullptr;
  }
  return list.release();
}

}  // namespace

PyObject* type_describe(PyObject*, PyObject* arg) {
  int overflow = 0;
  long index = PyLong_AsLongAndOverflow(arg, &overflow);
  if (index == -1 && PyErr_Occurred()) return nullptr;
  if (overflow != 0 || index < 0 || index > INT32_MAX) Py_RETURN_NONE;
  const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(static_cast<int32_t>(index));
  if (native == nullptr) {
    raise_from_slot(-1);  // takes the error of the failed lookup out of the error slot
    clear_error();
    Py_RETURN_NONE;
  }
  Ref key(describe_text(native->type_key)), ancestors(describe_ancestors(native));
  if (!key || !ancestors) return nullptr;
  Ref fields(describe_fields(native));
  Ref methods(fields ? describe_methods(native) : nullptr);
  if (!methods) return nullptr;
  const TVMFFITypeMetadata* metadata = native->metadata;
  Ref doc(metadata == nullptr ? compat_new_ref(Py_None) : describe_text_or_none(metadata->doc));
  if (!doc) return nullptr;
  return Py_BuildValue("(OOiOOO)", key.get(), ancestors.get(),
                       metadata == nullptr ? 0 : metadata->total_size, fields.get(), methods.get(),
                       doc.get());
}

}  // namespace binding
