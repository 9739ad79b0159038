// SPDX-License-Identifier: Apache-2.0
// Compilation of a TypeSchema into a tree of converters. Only this file knows which names the
// `origin` of a TypeSchema may have.
#include <algorithm>
#include <new>
#include <string_view>

#include "../../raise.h"
#include "../../recursion.h"
#include "converters.h"

namespace binding::schema {
namespace {

struct Origin {
  std::string_view name;
  SchemaKind kind;
};

constexpr Origin kOrigins[] = {
    {"Any", SchemaKind::kAny},        {"None", SchemaKind::kNone},
    {"bool", SchemaKind::kBool},      {"int", SchemaKind::kInt},
    {"float", SchemaKind::kFloat},    {"str", SchemaKind::kStr},
    {"bytes", SchemaKind::kBytes},    {"Device", SchemaKind::kDevice},
    {"dtype", SchemaKind::kDataType}, {"ctypes.c_void_p", SchemaKind::kOpaquePtr},
    {"Tensor", SchemaKind::kTensor},  {"Callable", SchemaKind::kCallable},
    {"Array", SchemaKind::kArray},    {"List", SchemaKind::kList},
    {"list", SchemaKind::kList},      {"tuple", SchemaKind::kTuple},
    {"Map", SchemaKind::kMap},        {"Dict", SchemaKind::kDict},
    {"dict", SchemaKind::kDict},      {"Optional", SchemaKind::kOptional},
    {"Union", SchemaKind::kUnion}};

// Returns the number of schema arguments that a kind of schema has; -1 if the number is variable.
int arity(SchemaKind kind) {
  switch (kind) {
    case SchemaKind::kArray:
    case SchemaKind::kList:
    case SchemaKind::kOptional:
      return 1;
    case SchemaKind::kMap:
    case SchemaKind::kDict:
      return 2;
    case SchemaKind::kTuple:
    case SchemaKind::kUnion:
      return -1;
    default:
      return 0;
  }
}

bool is_ancestor(const TVMFFITypeInfo* info, std::string_view key) {
  for (int32_t i = 0; i < info->type_depth; ++i) {
    const TVMFFIByteArray& name = info->type_ancestors[i]->type_key;
    if (std::string_view(name.data, name.size) == key) return true;
  }
  return false;
}

// Returns the type whose index the schema contains, if the key of this type is `key`; else NULL.
// The lookup by index matters after a class was defined again: an annotation names one class, but
// the key names only the current definition.
const TVMFFITypeInfo* type_by_index(PyObject* schema, std::string_view key) {
  Ref number(PyObject_GetAttrString(schema, "origin_type_index"));
  long index = number && PyLong_Check(number.get()) ? PyLong_AsLong(number.get()) : -1;
  if (PyErr_Occurred()) clear_error();
  if (index < kTVMFFIDynObjectBegin || index > INT32_MAX) return nullptr;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(static_cast<int32_t>(index));
  if (info == nullptr) {
    raise_from_slot(-1);
    clear_error();
    return nullptr;
  }
  bool is_same = key == std::string_view(info->type_key.data, info->type_key.size);
  return is_same ? info : nullptr;
}

const TVMFFITypeInfo* type_by_key(std::string_view key) {
  TVMFFIByteArray text{key.data(), key.size()};
  int32_t index = -1;
  if (int status = TVMFFITypeKeyToIndex(&text, &index); status != 0) {
    raise_from_slot(status);
    clear_error();
    return nullptr;
  }
  return is_object_index(index) ? TVMFFIGetTypeInfo(index) : nullptr;
}

// Looks up `key`, an origin that is not in the table of this file, as the key of an object type.
// Returns false if there is no such type.
bool find_object_type(Converter* c, PyObject* schema, std::string_view key) {
  if (key == "Object") key = "ffi.Object";
  const TVMFFITypeInfo* info = type_by_index(schema, key);
  if (info == nullptr) info = type_by_key(key);
  if (info == nullptr) return false;
  c->kind = SchemaKind::kObject;
  if (is_ancestor(info, "ffi.IntEnum")) c->kind = SchemaKind::kIntEnum;
  if (is_ancestor(info, "ffi.StrEnum")) c->kind = SchemaKind::kStrEnum;
  c->type_index = info->type_index;
  c->type_depth = info->type_depth;
  return true;
}

int compile_args(Converter* c, PyObject* schema) {
  Ref args(PyObject_GetAttrString(schema, "args"));
  if (!args) return -1;
  if (args.get() == Py_None && c->kind == SchemaKind::kTuple) {
    c->kind = SchemaKind::kAnyTuple;
    return 0;
  }
  // Copy the arguments, because reading each schema may run Python.
  Ref members(args.get() == Py_None ? PyTuple_New(0) : PySequence_Tuple(args.get()));
  if (!members) return -1;
  Py_ssize_t n = PyTuple_GET_SIZE(members.get());
  int wanted = arity(c->kind);
  if (wanted == 0) return 0;
  if (wanted > 0 && n != wanted) {
    PyErr_Format(PyExc_TypeError, "%U must have %d type argument%s, got %zd", c->expected.get(),
                 wanted, wanted == 1 ? "" : "s", n);
    return -1;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    Node member = compile(PyTuple_GET_ITEM(members.get(), i));
    if (member == nullptr) return -1;
    c->args.push_back(std::move(member));
  }
  return 0;
}

// Wraps `c` into a check of the literals, if the schema has any. On failure, returns NULL with an
// exception set.
Node with_literals(Node c, PyObject* schema) {
  Ref literals(PyObject_GetAttrString(schema, "literals"));
  if (!literals) return nullptr;
  if (literals.get() == Py_None) return c;
  Ref values(PySequence_Tuple(literals.get()));
  Ref list(values ? PySequence_List(values.get()) : nullptr);
  if (!list) return nullptr;
  Node check = std::make_unique<Converter>();
  check->kind = SchemaKind::kLiteral;
  check->expected = Ref(PyUnicode_FromFormat("Literal%R", list.get()));
  if (!check->expected) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(values.get()); ++i) {
    PyObject* literal = PyTuple_GET_ITEM(values.get(), i);
    if (!is_builtin_value(literal)) {
      PyErr_Format(PyExc_TypeError, "a literal must be an int, a str, a bool or None, not %s",
                   Py_TYPE(literal)->tp_name);
      return nullptr;
    }
    TVMFFIAny value;
    if (value_from_py_owned(literal, &value) < 0) return nullptr;
    check->values.push_back(value);
  }
  check->args.push_back(std::move(c));
  return check;
}

BINDING_COLD Node raise_unknown(PyObject* origin) {
  PyErr_Format(PyExc_TypeError, "unknown TypeSchema origin: %R", origin);
  return nullptr;
}

Node compile_node(PyObject* schema) {
  Ref origin(PyObject_GetAttrString(schema, "origin"));
  if (!origin) return nullptr;
  TVMFFIByteArray name;
  if (!PyUnicode_Check(origin.get()) || utf8_borrowed(origin.get(), &name) < 0) {
    clear_error();
    return raise_unknown(origin.get());
  }
  Node c = std::make_unique<Converter>();
  c->expected = Ref::borrow(origin.get());
  std::string_view key(name.data, name.size);
  auto known = std::find_if(std::begin(kOrigins), std::end(kOrigins),
                            [&](const Origin& entry) { return entry.name == key; });
  if (known != std::end(kOrigins)) {
    c->kind = known->kind;
  } else if (!find_object_type(c.get(), schema, key)) {
    return raise_unknown(origin.get());
  }
  if (compile_args(c.get(), schema) < 0) return nullptr;
  // A container of elements that may be anything fits, whatever it contains.
  if (c->kind != SchemaKind::kTuple && !c->args.empty() &&
      std::all_of(c->args.begin(), c->args.end(),
                  [](const Node& arg) { return arg->kind == SchemaKind::kAny; })) {
    c->type_index = traits_of(c->kind).type_index;
  }
  if (c->kind == SchemaKind::kUnion) c->expected = Ref(PyObject_Repr(schema));
  // In messages, the schemas `list` and `dict` have the names of the types to which they convert.
  if (c->kind == SchemaKind::kList) c->expected = Ref(PyUnicode_InternFromString("List"));
  if (c->kind == SchemaKind::kDict) c->expected = Ref(PyUnicode_InternFromString("Dict"));
  // None always fits, so only the argument can be refused.
  if (c->kind == SchemaKind::kOptional) c->expected = Ref::borrow(c->args[0]->expected.get());
  return c->expected ? with_literals(std::move(c), schema) : nullptr;
}

}  // namespace

// Compiles a schema. The user made the schema, so it may be arbitrarily deep, or even cyclic.
Node compile(PyObject* schema) {
  RecursionLevel level(" while compiling a type schema");
  if (!level) return nullptr;
  try {
    return compile_node(schema);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return nullptr;
  }
}

}  // namespace binding::schema
