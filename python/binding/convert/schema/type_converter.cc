// SPDX-License-Identifier: Apache-2.0
// core._TypeConverter, which owns a compiled schema, and core._SchemaBase, the base class of
// TypeSchema with the methods that convert.
#include "../../named.h"
#include "converters.h"

namespace binding {
namespace schema {
namespace {

struct TypeConverterObject {
  PyObject_HEAD Converter* tree;  // owned
};

PyTypeObject TypeConverterType = static_type();

PyObject* type_converter_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"schema", nullptr};
  PyObject* schema;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:_TypeConverter", const_cast<char**>(keywords),
                                   &schema)) {
    return nullptr;
  }
  Node tree = compile(schema);
  if (tree == nullptr) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (self != nullptr) reinterpret_cast<TypeConverterObject*>(self)->tree = tree.release();
  return self;
}

void type_converter_dealloc(PyObject* self) {
  delete reinterpret_cast<TypeConverterObject*>(self)->tree;
  Py_TYPE(self)->tp_free(self);
}

struct SchemaObject {
  PyObject_HEAD
      // core._TypeConverter; NULL until the first use. The converter does not refer to the schema.
      PyObject* converter;
};

PyTypeObject SchemaType = static_type();

// Returns the converter of a schema, borrowed; NULL with an exception set.
PyObject* schema_converter(PyObject* self) {
  auto* schema = reinterpret_cast<SchemaObject*>(self);
  if (BINDING_UNLIKELY(schema->converter == nullptr)) {
    PyObject* made = make_converter(self);  // runs Python, which may set the converter
    if (made != nullptr) publish_steal(&schema->converter, made);
  }
  return schema->converter;
}

// Converts for both convert and check_value; the message contains `what`. Returns 0, or -1 with an
// exception set.
int schema_convert_for(PyObject* self, PyObject* x, const char* what, TVMFFIAny* out) {
  Ref converter = Ref::borrow(schema_converter(self));
  if (!converter) return -1;
  const Converter& c = *reinterpret_cast<TypeConverterObject*>(converter.get())->tree;
  if (BINDING_LIKELY(convert_exact(&c, x, out))) return 0;
  Refusal why;
  Outcome outcome = convert_value(c, x, out, &why);  // may run Python
  if (BINDING_LIKELY(outcome == kConverted)) return 0;
  if (outcome == kRaised) return -1;
  Ref message(PyUnicode_FromFormat("type %s failed for %R: %U", what, self, why.message.get()));
  if (!message) return -1;
  why.message = std::move(message);
  raise_refusal(why);
  return -1;
}

PyObject* schema_convert(PyObject* self, PyObject* x) {
  TVMFFIAny value;
  return schema_convert_for(self, x, "conversion", &value) < 0 ? nullptr : any_new_steal(value);
}

PyObject* schema_check_value(PyObject* self, PyObject* x) {
  TVMFFIAny value;
  if (schema_convert_for(self, x, "check", &value) < 0) return nullptr;
  value_release(&value);  // may run Python
  Py_RETURN_NONE;
}

PyObject* schema_get_converter(PyObject* self, void*) {
  PyObject* converter = schema_converter(self);
  return converter == nullptr ? nullptr : compat_new_ref(converter);
}

void schema_dealloc(PyObject* self) {
  Py_CLEAR(reinterpret_cast<SchemaObject*>(self)->converter);
  Py_TYPE(self)->tp_free(self);
}

PyGetSetDef schema_getset[] = {
    {"_converter", schema_get_converter, nullptr, "The compiled schema.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr Parameters kConvert = {"convert", 1, {"value"}};
constexpr Parameters kCheckValue = {"check_value", 1, {"value"}};

PyMethodDef schema_methods[] = {
    named_method(kConvert, named_one<schema_convert, kConvert>,
                 "convert($self, value)\n--\n\nReturn a value converted to the type, as a CAny.\n\n"
                 "Raises TypeError where the value does not fit, ValueError for another value of "
                 "the type of a\n"
                 "Literal; the message says where. An exception of user code that led to it is its "
                 "cause. Also\nwhere nothing is known of an origin."),
    named_method(kCheckValue, named_one<schema_check_value, kCheckValue>,
                 "check_value($self, value)\n--\n\nRaise the error that convert would."),
    {nullptr, nullptr, 0, nullptr}};

int add_type_converter(PyObject* module) {
  PyTypeObject* t = type_begin(&TypeConverterType, "tvm_ffi.core._TypeConverter",
                               sizeof(TypeConverterObject), 0, "A type schema, compiled.");
  t->tp_new = type_converter_new;
  t->tp_dealloc = type_converter_dealloc;
  return type_add(module, t);
}

int add_schema_base(PyObject* module) {
  PyTypeObject* t =
      type_begin(&SchemaType, "tvm_ffi.core._SchemaBase", sizeof(SchemaObject), Py_TPFLAGS_BASETYPE,
                 "Base of TypeSchema: compiles the schema when it is first used to convert.");
  t->tp_new = PyType_GenericNew;
  t->tp_dealloc = schema_dealloc;
  t->tp_methods = schema_methods;
  t->tp_getset = schema_getset;
  return type_add(module, t);
}

}  // namespace
}  // namespace schema

PyObject* make_converter(PyObject* schema) {
  return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&schema::TypeConverterType),
                                      schema, nullptr);
}

const Converter* converter_of(PyObject* type_converter) {
  if (PyObject_TypeCheck(type_converter, &schema::TypeConverterType)) {
    return reinterpret_cast<schema::TypeConverterObject*>(type_converter)->tree;
  }
  PyErr_Format(PyExc_TypeError, "expected a _TypeConverter, got %s",
               Py_TYPE(type_converter)->tp_name);
  return nullptr;
}

int converter_type_init(PyObject* module) {
  return schema::add_type_converter(module) < 0 ? -1 : schema::add_schema_base(module);
}

}  // namespace binding
