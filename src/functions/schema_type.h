// SPDX-License-Identifier: Apache-2.0
// Types of fields as schema images hold them: what lies in memory, and what converts to it.
#ifndef TVM_FFI_SRC_FUNCTIONS_SCHEMA_TYPE_H_
#define TVM_FFI_SRC_FUNCTIONS_SCHEMA_TYPE_H_

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

/*! \brief Rows of the type table, numbered as in images; the numbers never change. */
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
  kString,
  kBytes,
  kDataType,
  kDevice,
  kAny,
  kHandle,
  kTensor,
  kShape,
  kModule,
  kFunction,
  kArray,
  kList,
  kMap,
  kDict,
  kTuple,
  kOptional,
  kUnion,
  kObject,
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

#endif  // TVM_FFI_SRC_FUNCTIONS_SCHEMA_TYPE_H_
