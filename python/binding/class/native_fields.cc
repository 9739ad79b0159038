// SPDX-License-Identifier: Apache-2.0
// Registration of the fields of a class in the type table, after all checks.
#include "native_fields.h"

#include <memory>

#include "../call.h"
#include "../collect/edges.h"
#include "../raise.h"
#include "../utf8.h"

namespace binding {
namespace {

// Reads a str as UTF-8 for the type table; the text is empty for None. On failure, returns false
// with an exception set.
bool optional_text(PyObject* x, const char* what, TVMFFIByteArray* out) {
  *out = TVMFFIByteArray{"", 0};
  if (x == Py_None) return true;
  if (!PyUnicode_Check(x)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, got %s", what, Py_TYPE(x)->tp_name);
    return false;
  }
  return utf8_borrowed(x, out) == 0;
}

// Converts the default once to the form that the type table and the converter accept. For example,
// a default list becomes one immutable array, from which each object makes its own list.
bool pack_default(FieldSpec* spec, PyObject* initial) {
  ClassField& field = *spec->field;
  if ((spec->flags & kTVMFFIFieldFlagBitMaskHasDefault) == 0) return true;
  if ((spec->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) != 0) {
    TVMFFIObject* function = function_from_callable(initial);
    if (function == nullptr) return false;
    value_set_object(&spec->packed, function);
    field.initial_kind = Initial::kFactory;
    field.initial = compat_new_ref(initial);
    return true;
  }
  if (value_from_py_owned(initial, &spec->packed) < 0) return false;
  field.initial_kind = Initial::kValue;
  field.initial = value_to_py_borrowed(spec->packed);
  return field.initial != nullptr;
}

// Reads a tuple (name, doc, metadata text, converter, default or factory, flags, frozen).
bool read_spec(PyObject* entry, FieldSpec* spec) {
  PyObject *name, *doc, *metadata, *converter, *initial;
  long long flags;
  int frozen;
  if (!PyArg_ParseTuple(entry, "UOUOOLp:field", &name, &doc, &metadata, &converter, &initial,
                        &flags, &frozen)) {
    return false;
  }
  spec->field = std::make_unique<ClassField>();
  ClassField& field = *spec->field;
  spec->flags = flags | kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj;
  field.name = compat_new_ref(name);
  PyUnicode_InternInPlace(&field.name);
  field.converter = converter_of(converter);
  if (field.converter == nullptr) return false;
  field.converter_owner = compat_new_ref(converter);
  field.storage = storage_of(*field.converter);
  field.is_parameter = (flags & kTVMFFIFieldFlagBitMaskInitOff) == 0;
  field.frozen = frozen != 0;
  field.keyword_only = (flags & kTVMFFIFieldFlagBitMaskKwOnly) != 0;
  return optional_text(field.name, "the name of a field", &spec->name) &&
         optional_text(doc, "the doc of a field", &spec->doc) &&
         optional_text(metadata, "the metadata of a field", &spec->metadata) &&
         pack_default(spec, initial);
}

}  // namespace

FieldSpec::~FieldSpec() {
  value_release(&packed);
  if (setter != nullptr) object_dec_ref(setter);
  if (field == nullptr) return;
  Py_XDECREF(field->name);
  Py_XDECREF(field->converter_owner);
  Py_XDECREF(field->initial);
}

bool read_field_specs(PyObject* entries, std::vector<std::unique_ptr<FieldSpec>>* specs) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(entries); ++i) {
    specs->push_back(std::make_unique<FieldSpec>());
    FieldSpec* spec = specs->back().get();
    if (!read_spec(PyTuple_GET_ITEM(entries, i), spec)) return false;
    spec->getter = field_getter(shape_of(spec->field->storage).static_type_index);
    spec->setter = setter_make(spec->field.get());
    if (spec->getter == nullptr || spec->setter == nullptr) return false;
  }
  return true;
}

ClassField* register_field(int32_t type_index, FieldSpec* spec) {
  const StorageShape& shape = shape_of(spec->field->storage);
  TVMFFIFieldInfo info{};
  info.name = spec->name;
  info.doc = spec->doc;
  info.metadata = spec->metadata;
  info.flags = spec->flags;
  info.size = shape.size;
  info.alignment = shape.alignment;
  info.offset = spec->field->offset;
  info.getter = spec->getter;
  info.setter = spec->setter;
  info.default_value_or_factory = spec->packed;
  info.field_static_type_index = shape.static_type_index;
  int status = TVMFFITypeRegisterField(type_index, &info);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  return spec->field.release();
}

}  // namespace binding
