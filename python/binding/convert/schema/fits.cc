// SPDX-License-Identifier: Apache-2.0
// Tests whether a value already has the type of a schema: for native values, to keep a value that
// needs no change; for Python values, to choose among the alternatives of a union.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>

#include <algorithm>

#include "../native_value.h"
#include "converters.h"

namespace binding::schema {
namespace {

using tvm::ffi::Any;

const TVMFFIAny& raw_of(const Any& value) { return reinterpret_cast<const TVMFFIAny&>(value); }

bool array_fits(const Converter& c, TVMFFIObject* sequence) {
  TVMFFISeqCell* cell = sequence_cell_of(sequence);
  auto* first = static_cast<const TVMFFIAny*>(cell->data);
  if (c.kind == SchemaKind::kAnyTuple) return true;
  if (c.kind != SchemaKind::kTuple) {
    return std::all_of(first, first + cell->size,
                       [&](const TVMFFIAny& element) { return fits(*c.args[0], element); });
  }
  if (cell->size != static_cast<int64_t>(c.args.size())) return false;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (!fits(*c.args[static_cast<size_t>(i)], first[i])) return false;
  }
  return true;
}

bool map_fits(const Converter& c, TVMFFIObject* mapping) {
  const Converter& key = *c.args[0];
  const Converter& value = *c.args[1];
  if (key.kind == SchemaKind::kAny && value.kind == SchemaKind::kAny) return true;
  for (const auto& entry : *reinterpret_cast<tvm::ffi::MapBaseObj*>(mapping)) {
    if (!fits(key, raw_of(entry.first)) || !fits(value, raw_of(entry.second))) return false;
  }
  return true;
}

// Returns whether a value is one of the literals. Text is compared by content, whether it is stored
// inside the value or in an object. The comparison runs no user code.
bool is_literal(const Converter& c, const TVMFFIAny& value) {
  auto& x = reinterpret_cast<const Any&>(value);
  return std::any_of(c.values.begin(), c.values.end(), [&](const TVMFFIAny& literal) {
    return tvm::ffi::AnyEqual()(x, reinterpret_cast<const Any&>(literal));
  });
}

bool derives_from(const TVMFFITypeInfo* info, const TVMFFITypeInfo* base) {
  return info == base ||
         (info->type_depth > base->type_depth && info->type_ancestors[base->type_depth] == base);
}

// Returns whether a type is, or derives from, a later definition of the schema's type.
BINDING_COLD bool is_of_later_type(const Converter& c, const TVMFFITypeInfo* info) {
  const ClassInfo* later = class_info_known(c.type_index);
  while (later != nullptr && (later = later->successor) != nullptr) {
    if (derives_from(info, later->native)) return true;
  }
  return false;
}

}  // namespace

bool is_of_type(const Converter& c, int32_t type_index) {
  if (type_index == c.type_index) return true;
  if (!is_object_index(type_index)) return false;
  if (c.type_index == kTVMFFIObject) return true;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  if (info == nullptr) return false;
  if (info->type_depth > c.type_depth &&
      info->type_ancestors[c.type_depth]->type_index == c.type_index) {
    return true;
  }
  return is_of_later_type(c, info);
}

const ClassInfo* earlier_definition(const Converter& c, const TVMFFITypeInfo* info) {
  for (int32_t depth = info->type_depth; depth > 0; --depth) {
    const TVMFFITypeInfo* type = depth == info->type_depth ? info : info->type_ancestors[depth];
    const ClassInfo* first = class_info_known(type->type_index);
    for (const ClassInfo* at = first; at != nullptr; at = at->successor) {
      if (at != first && at->type_index == c.type_index) return first;
    }
  }
  return nullptr;
}

bool fits(const Converter& c, const TVMFFIAny& value) {
  int32_t index = value.type_index;
  switch (c.kind) {
    case SchemaKind::kAny:
      return true;
    case SchemaKind::kStr:
      return index == kTVMFFISmallStr || index == kTVMFFIStr;
    case SchemaKind::kBytes:
      return index == kTVMFFISmallBytes || index == kTVMFFIBytes;
    case SchemaKind::kObject:
    case SchemaKind::kIntEnum:
    case SchemaKind::kStrEnum:
      return is_of_type(c, index);
    case SchemaKind::kOptional:
      return index == kTVMFFINone || fits(*c.args[0], value);
    case SchemaKind::kUnion:
      return std::any_of(c.args.begin(), c.args.end(),
                         [&](const auto& alternative) { return fits(*alternative, value); });
    case SchemaKind::kLiteral:
      return is_literal(c, value);
    default:
      break;
  }
  if (index != traits_of(c.kind).type_index) return false;
  if (index == kTVMFFIArray || index == kTVMFFIList) return array_fits(c, value.v_obj);
  if (index == kTVMFFIMap || index == kTVMFFIDict) return map_fits(c, value.v_obj);
  return true;
}

namespace {

// Returns whether an object has exactly the type of the schema. The elements of containers are not
// checked.
bool is_exactly_object(const Converter& c, const TVMFFIObject* obj) {
  bool of_object = c.kind == SchemaKind::kObject || c.kind == SchemaKind::kIntEnum ||
                   c.kind == SchemaKind::kStrEnum;
  return obj->type_index == (of_object ? c.type_index : traits_of(c.kind).type_index);
}

}  // namespace

bool is_exactly(const Converter& c, PyObject* x) {
  TVMFFIObject* obj = handle_of(x);
  DLDataType dtype;
  switch (c.kind) {
    case SchemaKind::kOptional:
      return x == Py_None || is_exactly(*c.args[0], x);
    case SchemaKind::kUnion:
      return std::any_of(c.args.begin(), c.args.end(),
                         [&](const auto& alternative) { return is_exactly(*alternative, x); });
    case SchemaKind::kLiteral:
      return is_exactly(*c.args[0], x);
    case SchemaKind::kNone:
      return x == Py_None;
    case SchemaKind::kBool:
      return PyBool_Check(x);
    case SchemaKind::kInt:
      return PyLong_CheckExact(x);
    case SchemaKind::kFloat:
      return PyFloat_CheckExact(x);
    case SchemaKind::kStr:
      return PyUnicode_Check(x) && !dtype_get(x, &dtype);
    case SchemaKind::kBytes:
      return PyBytes_Check(x);
    case SchemaKind::kDevice:
      return PyObject_TypeCheck(x, &DeviceType);
    case SchemaKind::kDataType:
      return dtype_get(x, &dtype);
    case SchemaKind::kList:
      if (PyList_Check(x)) return true;
      break;
    case SchemaKind::kArray:
    case SchemaKind::kTuple:
    case SchemaKind::kAnyTuple:
      if (PyTuple_Check(x)) return true;
      break;
    case SchemaKind::kDict:
      if (PyDict_Check(x)) return true;
      break;
    default:
      break;
  }
  return obj != nullptr && is_exactly_object(c, obj);
}

}  // namespace binding::schema
