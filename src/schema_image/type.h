// SPDX-License-Identifier: Apache-2.0
// Types of fields in schema images: the storage of fields, and the conversion of values.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tvm::ffi::runtime {

/*!
 * \brief Kinds of field types, numbered as in images; the numbers never change.
 *
 * The runtime library has no other parsed form of a type schema. Elsewhere in the library a schema
 * is the JSON text in the metadata of a field, which the binding parses (layout/enum_payload.cc
 * only searches the text for one type key). The text cannot replace an image type, because it does
 * not state the width of a number and therefore not the layout of the field.
 *
 * The binding has an enum with the same name, and with the same names for kinds that have the same
 * meaning. The enums are separate because the binding includes only the C headers, and because its
 * converters take Python objects and accept Python annotations (None, literals, tuples of any
 * length).
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
  /*! \brief A registered type, specified by its key. The enum of the binding has only kObject, for
   * both kClass and kObject of this enum. */
  kClass,
};
constexpr uint8_t kNumSchemaKinds = static_cast<uint8_t>(SchemaKind::kClass) + 1;

/*! \brief A type with its arguments. */
struct SchemaType {
  SchemaKind kind = SchemaKind::kAny;
  /*! \brief For kObject and kClass: whether None converts to a null reference. */
  bool is_nullable = false;
  /*! \brief For kClass: the type key. The type may be registered later. */
  std::string key;
  std::vector<std::unique_ptr<SchemaType>> args;
  /*! \brief Index of the type `key`; -1 until the type was found. */
  mutable std::atomic<int32_t> type_index{-1};
};

/*! \brief How a field of some type is stored, and how the type table describes the field. */
struct SchemaShape {
  int32_t size;
  int32_t alignment;
  int32_t static_type_index;
  TVMFFIFieldGetter getter;
};
SchemaShape shape_of_type(const SchemaType& type);

/*! \brief Return the shape of a field that holds any value. */
SchemaShape shape_of_any();

/*!
 * \brief Convert a value to the form in which a field of the type stores it.
 * \throws TypeError when the value does not convert, OverflowError for an integer out of range.
 */
Any convert_to_type(const SchemaType& type, AnyView value);

}  // namespace tvm::ffi::runtime
