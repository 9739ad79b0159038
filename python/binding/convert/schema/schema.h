// SPDX-License-Identifier: Apache-2.0
// Conversion of Python values under a type schema. A schema is compiled once into a tree of
// `Converter`s; conversions read neither the schema nor its Python attributes.
#pragma once

#include <tvm/ffi/c_api.h>

#include <memory>
#include <vector>

#include "../convert.h"
#include "../str.h"

namespace binding {

// The kinds of schemas. "Arguments" are the arguments of the schema, such as `int` in `list[int]`.
enum class SchemaKind : uint8_t {
  kAny,
  kNone,
  kBool,
  kInt,
  kFloat,
  kStr,
  kBytes,
  kDevice,
  kDataType,
  kOpaquePtr,
  kTensor,
  kCallable,
  kArray,     // one argument
  kList,      // one argument
  kTuple,     // one argument per element
  kAnyTuple,  // any number of elements of any type
  kMap,       // two arguments
  kDict,      // two arguments
  kOptional,  // one argument
  kUnion,     // at least two arguments
  kLiteral,   // one argument, and the literals
  kObject,    // an object of `type_index` or of a derived type
  kIntEnum,   // kObject that also accepts int
  kStrEnum,   // kObject that also accepts str
};

// A node of a compiled schema. Immutable after construction and shared between threads; lives as
// long as the core._TypeConverter that owns the tree.
struct Converter {
  SchemaKind kind = SchemaKind::kAny;
  // For kObject and the enums: the type, and its depth in the type hierarchy. For a container whose
  // elements may be anything: the type of the container.
  int32_t type_index = -1;
  int32_t type_depth = 0;
  // The name of the schema for messages; str.
  Ref expected;
  std::vector<std::unique_ptr<Converter>> args;
  // For kLiteral: the values, owned.
  std::vector<TVMFFIAny> values;

  Converter() = default;
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  ~Converter() {
    for (TVMFFIAny& value : values) value_release(&value);
  }
};

// Compiles a tvm_ffi.core.TypeSchema. New reference to a core._TypeConverter, or NULL with an
// exception set: TypeError for an unknown origin.
PyObject* make_converter(PyObject* schema);
// Returns the tree that a core._TypeConverter owns, borrowed; NULL with TypeError for other
// objects.
const Converter* converter_of(PyObject* type_converter);

// Adds core._TypeConverter and core._SchemaBase. Returns 0, or -1 with an exception set.
int converter_type_init(PyObject* module);

int convert_by_schema_slow(const Converter* c, PyObject* x, TVMFFIAny* out);

bool convert_exact_value(const Converter* c, PyObject* x, TVMFFIAny* out);

// Converts the values whose conversion neither allocates nor runs Python: exact numbers, and
// objects of exactly the schema's type. For other values, returns false and leaves `out`
// unspecified. The compiler keeps a local `*out` in registers if no other function gets its
// address.
BINDING_INLINE bool convert_exact(const Converter* c, PyObject* x, TVMFFIAny* out) {
  PyTypeObject* type = Py_TYPE(x);
  out->zero_padding = 0;
  switch (c->kind) {
    case SchemaKind::kInt:
      return type == &PyLong_Type && int_exact_from_py(x, out);
    case SchemaKind::kFloat:
      if (type != &PyFloat_Type) return false;
      float_exact_from_py(x, out);
      return true;
    case SchemaKind::kBool:
      if (type != &PyBool_Type) return false;
      bool_exact_from_py(x, out);
      return true;
    case SchemaKind::kArray:
    case SchemaKind::kList:
    case SchemaKind::kMap:
    case SchemaKind::kDict:
      // Most values are built-in containers, for which is_wrapper() would be slower.
      if (type->tp_dealloc != wrapper_dealloc_heap) return false;
      [[fallthrough]];
    case SchemaKind::kObject:
    case SchemaKind::kIntEnum:
    case SchemaKind::kStrEnum: {
      if (!is_wrapper(x)) return false;
      TVMFFIObject* obj = as_wrapper(x)->handle;
      if (obj == nullptr || obj->type_index != c->type_index) return false;
      object_inc_ref(obj);
      value_set_object(out, obj);
      return true;
    }
    case SchemaKind::kAny:
      return plain_from_py(x, out) || short_str_from_py(x, out);
    case SchemaKind::kStr:
      return short_str_from_py(x, out);
    case SchemaKind::kOptional: {
      TVMFFIAny inner = value_none();  // not `out`, whose address must not escape
      if (x != Py_None && !convert_exact_value(c->args[0].get(), x, &inner)) return false;
      *out = inner;
      return true;
    }
    default:
      return false;
  }
}

// Converts a value to a schema. Returns 0 if `*out` owns the converted value. Returns -1 with an
// exception set if `*out` owns nothing. A value that does not fit raises TypeError with the bare
// message ("expected int, got str", "element [1]: expected int, got str"); another value of the
// type of a Literal raises ValueError. An exception of the user's code that led to the refusal
// becomes the cause of the error. An exception with another reason (KeyboardInterrupt, MemoryError,
// RecursionError) is propagated. Runs Python unless the value has exactly the schema's type.
BINDING_INLINE int convert_by_schema(const Converter* c, PyObject* x, TVMFFIAny* out) {
  if (BINDING_LIKELY(convert_exact(c, x, out))) return 0;
  return convert_by_schema_slow(c, x, out);
}

}  // namespace binding
