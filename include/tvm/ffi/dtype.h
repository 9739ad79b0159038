// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/dtype.h
 * \brief DLDataType as a value: text forms, classification, comparison.
 */
#ifndef TVM_FFI_DTYPE_H_
#define TVM_FFI_DTYPE_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace tvm::ffi {

/*! \brief Type codes beyond those of DLPack. */
enum DLExtDataTypeCode {
  /*! \brief First code of a type that a program registers itself. */
  kDLExtCustomBegin = 129
};

namespace detail {

/*! \brief The names of the type codes of DLPack. */
inline constexpr const char* kDLDataTypeCodes[] = {"int",
                                                   "uint",
                                                   "float",
                                                   "handle",
                                                   "bfloat",
                                                   "complex",
                                                   "bool",
                                                   "float8_e3m4",
                                                   "float8_e4m3",
                                                   "float8_e4m3b11fnuz",
                                                   "float8_e4m3fn",
                                                   "float8_e4m3fnuz",
                                                   "float8_e5m2",
                                                   "float8_e5m2fnuz",
                                                   "float8_e8m0fnu",
                                                   "float6_e2m3fn",
                                                   "float6_e3m2fn",
                                                   "float4_e2m1fn"};

/*!
 * \brief Return the name of a type code, such as "float"; "custom" from kDLExtCustomBegin on.
 * \throws ValueError for a code without a name.
 */
inline const char* DLDataTypeCodeAsCStr(DLDataTypeCode type_code) {
  if (static_cast<size_t>(type_code) < std::size(kDLDataTypeCodes)) {
    return kDLDataTypeCodes[type_code];
  }
  if (static_cast<int>(type_code) >= kDLExtCustomBegin) return "custom";
  TVM_FFI_THROW(ValueError) << "DLDataType contains unknown type_code="
                            << static_cast<int>(type_code);
  TVM_FFI_UNREACHABLE();
}

/*! \brief Like StringToDLDataType, for a text that need not end with NUL. */
inline DLDataType ParseDLDataType(std::string_view text) {
  TVMFFIByteArray bytes{text.data(), text.size()};
  DLDataType result;
  if (TVMFFIDataTypeFromString(&bytes, &result) != 0) throw MoveFromSafeCallRaised();
  return result;
}

/*! \brief Return the letters at the beginning of the result of DTypeAbbrev. `code` must not be a
 * handle or custom. */
inline std::string DTypeAbbrevPrefix(DLDataTypeCode code) {
  switch (code) {
    case kDLInt:
      return "i";
    case kDLUInt:
      return "u";
    case kDLBfloat:
      return "bf";
    case kDLBool:
      return "bool";
    case kDLComplex:
      return "complex";
    default:
      // The remaining codes are floats: "float", "float8_e4m3", ...
      return "f" + std::string(DLDataTypeCodeAsCStr(code)).substr(sizeof("float") - 1);
  }
}

}  // namespace detail

/*!
 * \brief Parse a data type such as "float32x4".
 * \throws ValueError when the text is not a data type.
 */
inline DLDataType StringToDLDataType(const String& text) {
  return detail::ParseDLDataType(detail::TextView(text));
}

/*!
 * \brief Return the canonical text of a data type; empty for the void type.
 * \throws ValueError for a type code without a name.
 */
inline String DLDataTypeToString(DLDataType dtype) {
  TVMFFIAny result;
  detail::SetAnyNone(&result);
  if (TVMFFIDataTypeToString(&dtype, &result) != 0) throw detail::MoveFromSafeCallRaised();
  return TypeTraits<String>::MoveFromAnyAfterCheck(&result);
}

/*! \brief Return whether the elements are floats of any width, including narrow floats and
 * bfloat. */
inline bool DTypeIsFloat(DLDataType dtype) {
  return dtype.code == kDLFloat || dtype.code == kDLBfloat ||
         (dtype.code >= kDLFloat8_e3m4 && dtype.code <= kDLFloat4_e2m1fn);
}

/*! \brief Return whether the elements are signed or unsigned integers. */
inline bool DTypeIsInt(DLDataType dtype) { return dtype.code == kDLInt || dtype.code == kDLUInt; }

/*! \brief Return whether the elements are bool, of any width. */
inline bool DTypeIsBool(DLDataType dtype) { return dtype.code == kDLBool; }

/*!
 * \brief Return the short text of a data type: "f32x4", "i8", "bf16", "bool", "f8_e4m3fn", "void",
 * "handle".
 * \throws ValueError for a type code without a name.
 */
inline std::string DTypeAbbrev(DLDataType dtype) {
  auto code = static_cast<DLDataTypeCode>(dtype.code);
  if (code == kDLOpaqueHandle) return dtype.bits == 0 && dtype.lanes == 0 ? "void" : "handle";
  if (dtype.code >= kDLExtCustomBegin) return DLDataTypeToString(dtype);
  std::string result = detail::DTypeAbbrevPrefix(code);
  bool names_bits = code == kDLInt || code == kDLUInt || code == kDLFloat || code == kDLBfloat ||
                    code == kDLComplex || (code == kDLBool && dtype.bits != 8);
  if (names_bits) result += std::to_string(dtype.bits);
  // A negative number of lanes is a multiple of the vector length of the machine.
  int lanes = static_cast<int16_t>(dtype.lanes);
  if (lanes > 1) {
    result += "x" + std::to_string(lanes);
  } else if (lanes < -1) {
    result += "xvscalex" + std::to_string(-lanes);
  }
  return result;
}

/*! \brief Accepts a data type, text or bytes. Text that cannot be parsed raises ValueError, and is
 * not a type mismatch. */
template <>
struct TypeTraits<DLDataType> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIDataType;

  TVM_FFI_INLINE static void CopyToAnyView(const DLDataType& source, TVMFFIAny* result) {
    detail::SetAnyInt64(result, TypeIndex::kTVMFFIDataType, 0);
    result->v_dtype = source;
  }
  TVM_FFI_INLINE static void MoveToAny(DLDataType source, TVMFFIAny* result) {
    CopyToAnyView(source, result);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIDataType;
  }
  TVM_FFI_INLINE static DLDataType CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return source->v_dtype;
  }
  TVM_FFI_INLINE static DLDataType MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return source->v_dtype;
  }
  TVM_FFI_INLINE static std::optional<DLDataType> TryCastFromAnyView(const TVMFFIAny* source) {
    if (CheckAnyStrict(source)) return source->v_dtype;
    std::optional<std::string_view> text = detail::TryTextView(source);
    if (!text.has_value()) return std::nullopt;
    return detail::ParseDLDataType(*text);
  }
  static std::string TypeStr() { return StaticTypeKey::kTVMFFIDataType; }
  static std::string TypeSchema() {
    return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIDataType);
  }
};

}  // namespace tvm::ffi

// DLDataType is in the global namespace, so compilers look for its operators there.

/*! \brief Write the canonical text. */
inline std::ostream& operator<<(std::ostream& os, DLDataType dtype) {
  return os << ::tvm::ffi::DLDataTypeToString(dtype);
}

constexpr bool operator==(const DLDataType& lhs, const DLDataType& rhs) {
  return lhs.code == rhs.code && lhs.bits == rhs.bits && lhs.lanes == rhs.lanes;
}

inline bool operator!=(const DLDataType& lhs, const DLDataType& rhs) { return !(lhs == rhs); }

#endif  // TVM_FFI_DTYPE_H_
