// SPDX-License-Identifier: Apache-2.0
// Types of fields in schema images: their storage, and the conversion of values to them.
#ifndef TVM_FFI_SRC_SCHEMA_IMAGE_TYPE_H_
#define TVM_FFI_SRC_SCHEMA_IMAGE_TYPE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Kinds of field types, numbered as in images; the numbers never change.
 *
 * This is the only type schema that the runtime library compiles. Elsewhere in the library a schema
 * is the JSON text in the metadata of a field, which frontends parse (layout/enum_payload.cc only
 * looks for one type key in it). The text cannot replace an image type, because it does not state
 * the width of a number and therefore not the layout of the field.
 *
 * The binding has an enum of the same name, with the same names where the meaning is the same. It
 * stays separate: the binding includes only the C headers, and its converters take Python objects
 * and accept what Python annotations allow (None, literals, tuples of any length).
 */
enum class SchemaKind : uint8_t {
  kBool = 0,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat32,
  kFloat64,
  kStr,
  kBytes,
  kDataType,
  kDevice,
  kAny,
  kOpaquePtr,
  kTensor,
  kShape,
  kModule,
  kCallable,
  kArray,
  kList,
  kMap,
  kDict,
  kTuple,
  kOptional,
  kUnion,
  kObject,
  /*! \brief A registered type, by its key. The binding's kObject covers kClass and kObject. */
  kClass,
};
constexpr uint8_t kNumSchemaKinds = static_cast<uint8_t>(SchemaKind::kClass) + 1;

/*! \brief A type with its arguments. */
struct SchemaType {
  SchemaKind kind = SchemaKind::kAny;
  /*! \brief kObject, kClass: None converts to the null reference. */
  bool is_nullable = false;
  /*! \brief kClass: type key; the type may be registered later. */
  std::string key;
  std::vector<std::unique_ptr<SchemaType>> args;
  /*! \brief Index of `key`, -1 until it was found. */
  mutable std::atomic<int32_t> type_index{-1};
};

/*! \brief What a field of a type occupies and how the type table describes it. */
struct SchemaShape {
  int32_t size;
  int32_t alignment;
  int32_t static_type_index;
  TVMFFIFieldGetter getter;
};
SchemaShape shape_of_type(const SchemaType& type);

/*! \brief The shape of a field that holds any value. */
SchemaShape shape_of_any();

/*!
 * \brief The value as the type stores it.
 * \throws TypeError when it does not convert, OverflowError for an integer out of range.
 */
Any convert_to_type(const SchemaType& type, AnyView value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_SCHEMA_IMAGE_TYPE_H_
