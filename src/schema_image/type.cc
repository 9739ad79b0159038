// SPDX-License-Identifier: Apache-2.0
#include "schema_image/type.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/field_getter.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {
namespace {

// ---------------------------------------------------------------- shapes

// Getter for a number that has fewer bits than the result.
template <typename T>
int get_number_field(void* field, TVMFFIAny* result) {
  T number;
  std::memcpy(&number, field, sizeof(number));
  TVMFFIAny value{};
  if constexpr (std::is_floating_point_v<T>) {
    value.type_index = kTVMFFIFloat;
    value.v_float64 = number;
  } else {
    value.type_index = kTVMFFIInt;
    value.v_int64 = static_cast<int64_t>(number);
  }
  *result = value;
  return 0;
}

template <typename T>
constexpr SchemaShape number_shape(int32_t static_type_index) {
  return {sizeof(T), alignof(T), static_type_index, get_number_field<T>};
}

constexpr SchemaShape pointer_shape(int32_t static_type_index) {
  return {sizeof(void*), alignof(void*), static_type_index, get_object_field};
}

constexpr SchemaShape kValueShape = {sizeof(TVMFFIAny), alignof(TVMFFIAny), kTVMFFIAny,
                                     get_value_field};

template <typename T, int32_t kTypeIndex>
constexpr SchemaShape kPlainShape = {sizeof(T), alignof(T), kTypeIndex,
                                     get_plain_field<T, kTypeIndex>};

constexpr SchemaShape kShapes[kNumSchemaKinds] = {
    kPlainShape<bool, kTVMFFIBool>,
    number_shape<int8_t>(kTVMFFIInt),
    number_shape<int16_t>(kTVMFFIInt),
    number_shape<int32_t>(kTVMFFIInt),
    kPlainShape<int64_t, kTVMFFIInt>,
    number_shape<uint8_t>(kTVMFFIInt),
    number_shape<uint16_t>(kTVMFFIInt),
    number_shape<uint32_t>(kTVMFFIInt),
    kPlainShape<int64_t, kTVMFFIInt>,  // uint64: all stored values fit int64_t
    number_shape<float>(kTVMFFIFloat),
    kPlainShape<double, kTVMFFIFloat>,
    kValueShape,  // String
    kValueShape,  // Bytes
    kPlainShape<DLDataType, kTVMFFIDataType>,
    kPlainShape<DLDevice, kTVMFFIDevice>,
    kValueShape,  // Any
    kPlainShape<void*, kTVMFFIOpaquePtr>,
    pointer_shape(kTVMFFIObject),  // Tensor
    pointer_shape(kTVMFFIShape),
    pointer_shape(kTVMFFIObject),  // Module
    pointer_shape(kTVMFFIFunction),
    pointer_shape(kTVMFFIArray),
    pointer_shape(kTVMFFIList),
    pointer_shape(kTVMFFIMap),
    pointer_shape(kTVMFFIDict),
    pointer_shape(kTVMFFIArray),  // Tuple
    kValueShape,                  // Optional of a type that is not stored as a pointer
    kValueShape,                  // Union
    pointer_shape(kTVMFFIObject),
    pointer_shape(kTVMFFIObject),
};

bool is_pointer(SchemaKind kind) {
  return (kind >= SchemaKind::kTensor && kind <= SchemaKind::kTuple) ||
         kind == SchemaKind::kObject || kind == SchemaKind::kClass;
}

// ---------------------------------------------------------------- names in messages

const char* const kNames[kNumSchemaKinds] = {
    "bool",      "int8",       "int16",        "int32",   "int64",      "uint8",
    "uint16",    "uint32",     "uint64",       "float32", "float64",    "str",
    "bytes",     "DataType",   "Device",       "Any",     "void*",      "ffi.Tensor",
    "ffi.Shape", "ffi.Module", "ffi.Function", "Array",   "List",       "Map",
    "Dict",      "Tuple",      "Optional",     "Union",   "ffi.Object", "",
};

bool is_integer(SchemaKind kind) {
  return kind >= SchemaKind::kInt8 && kind <= SchemaKind::kUInt64;
}

// Returns the name of a type. In C++ messages, numbers of all sizes have one name.
std::string name_of(const SchemaType& type, bool is_cpp = false) {
  std::string name = type.kind == SchemaKind::kClass ? type.key : kNames[int(type.kind)];
  if (is_cpp && is_integer(type.kind)) name = "int";
  if (is_cpp && (type.kind == SchemaKind::kFloat32 || type.kind == SchemaKind::kFloat64)) {
    name = "float";
  }
  if (is_cpp && type.kind == SchemaKind::kUnion) name = "Variant";
  if (type.args.empty()) return name;
  const char* separator = "<";
  for (const auto& arg : type.args) {
    name += separator + name_of(*arg, is_cpp);  // recursion limited by the nesting of the type
    separator = ", ";
  }
  return name + ">";
}

// ---------------------------------------------------------------- conversion

// The converted value; nothing if the value does not convert.
using Converted = std::optional<Any>;

Converted convert(const SchemaType& type, AnyView value);

bool is_same(AnyView a, const Any& b) {
  TVMFFIAny left = a.CopyToTVMFFIAny();
  const TVMFFIAny* right = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(b);
  return left.type_index == right->type_index && left.v_int64 == right->v_int64;
}

// The range of an integer type, limited to the range of int64_t.
struct Range {
  int64_t least;
  int64_t greatest;
};

template <typename T>
constexpr Range range_of() {
  using Limits = std::numeric_limits<T>;
  return {static_cast<int64_t>(Limits::min()), sizeof(T) < sizeof(int64_t)
                                                   ? static_cast<int64_t>(Limits::max())
                                                   : std::numeric_limits<int64_t>::max()};
}

// Indexed by kind, from kInt8 to kUInt64.
constexpr Range kRanges[] = {
    range_of<int8_t>(),  range_of<int16_t>(),  range_of<int32_t>(),  range_of<int64_t>(),
    range_of<uint8_t>(), range_of<uint16_t>(), range_of<uint32_t>(), range_of<uint64_t>(),
};

const Range& range_of(SchemaKind kind) {
  return kRanges[static_cast<int>(kind) - static_cast<int>(SchemaKind::kInt8)];
}

Converted integer(SchemaKind kind, AnyView value) {
  std::optional<int64_t> number = value.try_cast<int64_t>();
  if (!number.has_value()) return std::nullopt;
  const Range& range = range_of(kind);
  bool fits = *number >= range.least && *number <= range.greatest;
  return fits ? Converted(Any(*number)) : std::nullopt;
}

template <typename T>
Converted cast_to(AnyView value) {
  std::optional<T> result = value.try_cast<T>();
  return result.has_value() ? Converted(Any(*std::move(result))) : std::nullopt;
}

bool is_instance(AnyView value, int32_t type_index) {
  return detail::RuntimeTypeIndexMatch(value.type_index(), type_index);
}

Converted instance(const SchemaType& type, AnyView value) {
  if (value == nullptr) return type.is_nullable ? Converted(Any(nullptr)) : std::nullopt;
  if (value.type_index() < kTVMFFIStaticObjectBegin) return std::nullopt;
  if (type.kind == SchemaKind::kObject) return Any(value);
  int32_t index = type.type_index.load(std::memory_order_relaxed);
  if (index < 0) {
    index = find_type_key(type.key);
    if (index < 0) return std::nullopt;  // an unregistered type has no objects
    type.type_index.store(index, std::memory_order_relaxed);
  }
  return is_instance(value, index) ? Converted(Any(value)) : std::nullopt;
}

// Converts the elements of an Array or List. Sets `changed` if an element differs from the
// original.
template <typename TypeOf>
bool convert_elements(const Array<Any>& from, TypeOf type_of, Array<Any>* to, bool* changed) {
  to->reserve(static_cast<int64_t>(from.size()));
  for (size_t i = 0; i < from.size(); ++i) {
    Any element = from[static_cast<int64_t>(i)];
    Converted one = convert(type_of(i), element);
    if (!one.has_value()) return false;
    *changed = *changed || !is_same(element, *one);
    to->push_back(*std::move(one));
  }
  return true;
}

// Returns a copy of a list, because other threads may change the list during the conversion.
std::optional<Array<Any>> elements_of(AnyView value) {
  if (auto array = value.as<Array<Any>>()) return array;
  auto list = value.as<List<Any>>();
  if (!list.has_value()) return std::nullopt;
  return Array<Any>(list->begin(), list->end());
}

Converted sequence(const SchemaType& type, AnyView value) {
  std::optional<Array<Any>> from = elements_of(value);
  if (!from.has_value()) return std::nullopt;
  bool is_tuple = type.kind == SchemaKind::kTuple;
  if (is_tuple && from->size() != type.args.size()) return std::nullopt;
  Array<Any> to;
  bool changed = false;
  auto type_of = [&](size_t i) -> const SchemaType& { return *type.args[is_tuple ? i : 0]; };
  if (!convert_elements(*from, type_of, &to, &changed)) return std::nullopt;
  bool is_list = value.type_index() == kTVMFFIList;
  if (!changed && is_list == (type.kind == SchemaKind::kList)) return Any(value);
  if (type.kind == SchemaKind::kList) return Any(List<Any>(to.begin(), to.end()));
  return Any(std::move(to));
}

template <typename Mapping, typename Source>
Converted convert_pairs(const SchemaType& type, const Source& from, AnyView value, bool is_kind) {
  Mapping to;
  bool changed = false;
  for (const auto& [key, item] : from) {
    Converted new_key = convert(*type.args[0], key);
    Converted new_item = convert(*type.args[1], item);
    if (!new_key.has_value() || !new_item.has_value()) return std::nullopt;
    changed = changed || !is_same(key, *new_key) || !is_same(item, *new_item);
    to.Set(*std::move(new_key), *std::move(new_item));  // may run hooks of the keys
  }
  return !changed && is_kind ? Any(value) : Any(std::move(to));
}

Converted mapping(const SchemaType& type, AnyView value) {
  bool wants_dict = type.kind == SchemaKind::kDict;
  if (auto map = value.as<Map<Any, Any>>()) {
    return wants_dict ? convert_pairs<Dict<Any, Any>>(type, *map, value, false)
                      : convert_pairs<Map<Any, Any>>(type, *map, value, true);
  }
  auto dict = value.as<Dict<Any, Any>>();
  if (!dict.has_value()) return std::nullopt;
  Map<Any, Any> from(dict->begin(), dict->end());  // a copy: other threads may change a dict
  return wants_dict ? convert_pairs<Dict<Any, Any>>(type, from, value, true)
                    : convert_pairs<Map<Any, Any>>(type, from, value, false);
}

// Converts a value to a member of a union: to the first member that does not change the value,
// otherwise to the first member to which the value converts.
Converted one_of(const SchemaType& type, AnyView value) {
  Converted first;
  for (const auto& arg : type.args) {
    Converted result = convert(*arg, value);
    if (!result.has_value()) continue;
    if (is_same(value, *result)) return result;
    if (!first.has_value()) first = std::move(result);
  }
  return first;
}

Converted convert(const SchemaType& type, AnyView value) {
  switch (type.kind) {
    case SchemaKind::kBool:
      return cast_to<bool>(value);
    case SchemaKind::kInt8:
    case SchemaKind::kInt16:
    case SchemaKind::kInt32:
    case SchemaKind::kInt64:
    case SchemaKind::kUInt8:
    case SchemaKind::kUInt16:
    case SchemaKind::kUInt32:
    case SchemaKind::kUInt64:
      return integer(type.kind, value);
    case SchemaKind::kFloat32:
    case SchemaKind::kFloat64:
      return cast_to<double>(value);
    case SchemaKind::kStr:
      return cast_to<String>(value);
    case SchemaKind::kBytes:
      return cast_to<Bytes>(value);
    case SchemaKind::kDataType:
      return cast_to<DLDataType>(value);
    case SchemaKind::kDevice:
      return cast_to<DLDevice>(value);
    case SchemaKind::kAny:
      return Any(value);
    case SchemaKind::kOpaquePtr:
      return cast_to<void*>(value);
    case SchemaKind::kTensor:
      return is_instance(value, kTVMFFITensor) ? Converted(Any(value)) : std::nullopt;
    case SchemaKind::kShape:
      return cast_to<Shape>(value);
    case SchemaKind::kModule:
      return is_instance(value, kTVMFFIModule) ? Converted(Any(value)) : std::nullopt;
    case SchemaKind::kCallable:
      return is_instance(value, kTVMFFIFunction) ? Converted(Any(value)) : std::nullopt;
    case SchemaKind::kArray:
    case SchemaKind::kList:
    case SchemaKind::kTuple:
      return sequence(type, value);
    case SchemaKind::kMap:
    case SchemaKind::kDict:
      return mapping(type, value);
    case SchemaKind::kOptional:
      return value == nullptr ? Converted(Any(nullptr)) : convert(*type.args[0], value);
    case SchemaKind::kUnion:
      return one_of(type, value);
    case SchemaKind::kObject:
    case SchemaKind::kClass:
      return instance(type, value);
  }
  TVM_FFI_UNREACHABLE();
}

// ---------------------------------------------------------------- integers out of range

std::string overflow_of(const SchemaType& type, AnyView value);

std::string overflow_of_integer(SchemaKind kind, AnyView value) {
  std::string text;
  if (value.type_index() == kTVMFFIBigInt) {
    text = "integer of more than 64 bits";
  } else if (value.type_index() == kTVMFFIInt) {
    text = "integer " + std::to_string(value.cast<int64_t>());
  } else {
    return text;
  }
  const Range& range = range_of(kind);
  return text + " out of " + kNames[static_cast<int>(kind)] + " range [" +
         std::to_string(range.least) + ", " + std::to_string(range.greatest) + "]";
}

std::string overflow_of_sequence(const SchemaType& type, AnyView value) {
  std::optional<Array<Any>> elements = elements_of(value);
  bool is_tuple = type.kind == SchemaKind::kTuple;
  if (!elements.has_value() || (is_tuple && elements->size() != type.args.size())) return "";
  for (size_t i = 0; i < elements->size(); ++i) {
    const SchemaType& arg = *type.args[is_tuple ? i : 0];
    Any element = (*elements)[static_cast<int64_t>(i)];
    if (convert(arg, element).has_value()) continue;
    std::string text = overflow_of(arg, element);
    return text.empty() ? text : "index " + std::to_string(i) + ": " + text;
  }
  return "";
}

std::string overflow_of_mapping(const SchemaType& type, AnyView value) {
  Map<Any, Any> from;
  if (auto map = value.as<Map<Any, Any>>()) {
    from = *map;
  } else if (auto dict = value.as<Dict<Any, Any>>()) {
    from = Map<Any, Any>(dict->begin(), dict->end());
  }
  for (const auto& [key, item] : from) {
    if (!convert(*type.args[0], key).has_value()) {
      std::string text = overflow_of(*type.args[0], key);
      return text.empty() ? text : "some key: " + text;
    }
    if (!convert(*type.args[1], item).has_value()) {
      std::string text = overflow_of(*type.args[1], item);
      return text.empty() ? text : "some value" + detail::AtKeyText(key) + ": " + text;
    }
  }
  return "";
}

// If a value does not convert because an integer is out of range, returns the end of the message in
// the words of TypeTraitsBase::GetRefusal, otherwise an empty text.
std::string overflow_of(const SchemaType& type, AnyView value) {
  if (is_integer(type.kind)) return overflow_of_integer(type.kind, value);
  switch (type.kind) {
    case SchemaKind::kArray:
    case SchemaKind::kList:
    case SchemaKind::kTuple:
      return overflow_of_sequence(type, value);
    case SchemaKind::kMap:
    case SchemaKind::kDict:
      return overflow_of_mapping(type, value);
    case SchemaKind::kOptional:
    case SchemaKind::kUnion:
      for (const auto& arg : type.args) {
        std::string text = overflow_of(*arg, value);
        if (!text.empty()) return text;
      }
      return "";
    default:
      return "";
  }
}

}  // namespace

SchemaShape shape_of_any() { return kValueShape; }

SchemaShape shape_of_type(const SchemaType& type) {
  SchemaShape shape = kShapes[static_cast<size_t>(type.kind)];
  if (type.kind == SchemaKind::kOptional && is_pointer(type.args[0]->kind)) {
    shape = pointer_shape(kTVMFFIAny);
  }
  return shape;
}

Any convert_to_type(const SchemaType& type, AnyView value) {
  Converted result = convert(type, value);
  if (!result.has_value()) {
    std::string overflow = overflow_of(type, value);
    if (!overflow.empty()) {
      TVM_FFI_THROW(OverflowError)
          << "Cannot convert to `" << name_of(type, true) << "`: " << overflow;
    }
    TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << value.GetTypeKey() << "` to `"
                             << name_of(type) << "`";
  }
  return *std::move(result);
}

}  // namespace tvm::ffi::runtime
