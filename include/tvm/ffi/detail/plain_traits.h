// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/plain_traits.h
 * \brief TypeTraits of None, numbers, enumerations and pointers that own nothing; included by
 * type_traits.h at its end.
 */
#ifndef TVM_FFI_DETAIL_PLAIN_TRAITS_H_
#define TVM_FFI_DETAIL_PLAIN_TRAITS_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace tvm {
namespace ffi {
namespace detail {

/*!
 * \brief Members common to types whose values own nothing.
 *
 * Derived gives CopyToAnyView, CheckAnyStrict, CopyFromAnyViewAfterCheck and kTypeName.
 */
template <typename T, typename Derived>
struct PODTypeTraits : public TypeTraitsBase {
  TVM_FFI_INLINE static void MoveToAny(T source, TVMFFIAny* result) {
    Derived::CopyToAnyView(source, result);
  }
  TVM_FFI_INLINE static T MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return Derived::CopyFromAnyViewAfterCheck(source);
  }
  TVM_FFI_INLINE static std::optional<T> TryCastFromAnyView(const TVMFFIAny* source) {
    if (Derived::CheckAnyStrict(source)) return Derived::CopyFromAnyViewAfterCheck(source);
    return std::nullopt;
  }
  static std::string TypeStr() { return Derived::kTypeName; }
  static std::string TypeSchema() { return PlainTypeSchema(Derived::kTypeName); }
};
}  // namespace detail

/* ------------------------------------------------------------------ None and numbers */

/*! \brief None. */
template <>
struct TypeTraits<std::nullptr_t>
    : public detail::PODTypeTraits<std::nullptr_t, TypeTraits<std::nullptr_t>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFINone;
  static constexpr const char* kTypeName = StaticTypeKey::kTVMFFINone;

  TVM_FFI_INLINE static void CopyToAnyView(const std::nullptr_t&, TVMFFIAny* result) {
    detail::SetAnyNone(result);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone;
  }
  TVM_FFI_INLINE static std::nullptr_t CopyFromAnyViewAfterCheck(const TVMFFIAny*) {
    return nullptr;
  }
};

/*! \brief A bool that nothing else converts to; implicit both ways. */
class StrictBool {
 public:
  StrictBool(bool value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  operator bool() const { return value_; }   // NOLINT(google-explicit-constructor)

 private:
  bool value_;
};

/*! \brief Accepts bool alone. */
template <>
struct TypeTraits<StrictBool> : public detail::PODTypeTraits<StrictBool, TypeTraits<StrictBool>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIBool;
  static constexpr const char* kTypeName = StaticTypeKey::kTVMFFIBool;

  TVM_FFI_INLINE static void CopyToAnyView(const StrictBool& source, TVMFFIAny* result) {
    detail::SetAnyInt64(result, TypeIndex::kTVMFFIBool, static_cast<bool>(source));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIBool;
  }
  TVM_FFI_INLINE static StrictBool CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return source->v_int64 != 0;
  }
};

/*! \brief Converts from int: non-zero is true. */
template <>
struct TypeTraits<bool> : public detail::PODTypeTraits<bool, TypeTraits<bool>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIBool;
  static constexpr const char* kTypeName = StaticTypeKey::kTVMFFIBool;

  TVM_FFI_INLINE static void CopyToAnyView(const bool& source, TVMFFIAny* result) {
    detail::SetAnyInt64(result, TypeIndex::kTVMFFIBool, source);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIBool;
  }
  TVM_FFI_INLINE static bool CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return source->v_int64 != 0;
  }
  TVM_FFI_INLINE static std::optional<bool> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIBool ||
        source->type_index == TypeIndex::kTVMFFIInt) {
      return source->v_int64 != 0;
    }
    return std::nullopt;
  }
};

/*! \brief Whether T is an enumeration over an integer. (The spelling is published.) */
template <typename T, typename = void>
inline constexpr bool is_integeral_enum_v = false;
template <typename T>
inline constexpr bool is_integeral_enum_v<T, std::enable_if_t<std::is_enum_v<T>>> =
    std::is_integral_v<std::underlying_type_t<T>>;

namespace detail {

/*! \brief The integer type behind an integer or enumeration. */
template <typename Int, bool = std::is_enum_v<Int>>
struct IntegerOf {
  using Type = Int;
};
template <typename Enum>
struct IntegerOf<Enum, true> {
  using Type = std::underlying_type_t<Enum>;
};

/*! \brief Name of an integer type by its size, e.g. `uint8_t`, or `bool`. */
template <typename Integer>
std::string IntegerName() {
  if constexpr (std::is_same_v<Integer, bool>) return "bool";
  return (std::is_signed_v<Integer> ? "int" : "uint") + std::to_string(sizeof(Integer) * 8) + "_t";
}

/*!
 * \brief Text for an integer that `Integer` cannot hold; empty for values that are not integers.
 *
 * Integers cross the interface as int64_t, so this is the range of uint64_t, too.
 */
template <typename Integer>
std::string IntegerOverflowText(const TVMFFIAny* value) {
  using Limits =
      std::numeric_limits<std::conditional_t<sizeof(Integer) < sizeof(int64_t), Integer, int64_t>>;
  std::string text;
  if (value->type_index == TypeIndex::kTVMFFIInt) {
    text = std::to_string(value->v_int64);
  } else if (value->type_index == TypeIndex::kTVMFFIBigInt) {
    text = "an integer of more than 64 bits";
  } else {
    return text;
  }
  return text + " is out of range for " + IntegerName<Integer>() + " (" +
         std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()) + ")";
}
}  // namespace detail

/*!
 * \brief An integer or enumeration, held as int64_t.
 *
 * Types of less than 64 bits refuse values out of their range. The types of 64 bits take the bit
 * pattern, so that a negative number is read as a large uint64_t.
 */
template <typename Int>
struct TypeTraitsIntBase : public detail::PODTypeTraits<Int, TypeTraits<Int>> {
  using Integer = typename detail::IntegerOf<Int>::Type;
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIInt;
  static constexpr const char* kTypeName = StaticTypeKey::kTVMFFIInt;

  /*! \throws OverflowError for an unsigned integer above INT64_MAX. */
  TVM_FFI_INLINE static void CopyToAnyView(const Int& source, TVMFFIAny* result) {
    if constexpr (std::is_unsigned_v<Int> && sizeof(Int) >= sizeof(int64_t)) {
      if (TVM_FFI_PREDICT_FALSE(source > static_cast<Int>(INT64_MAX))) {
        detail::ThrowIntTooLarge<>(source);
      }
    }
    detail::SetAnyInt64(result, TypeIndex::kTVMFFIInt, static_cast<int64_t>(source));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIInt && IsInRange(source->v_int64);
  }
  /*!
   * \brief The integer of a value that passed the strict check.
   * \throws OverflowError when it is out of range all the same: an element of a List or Dict that
   *         was replaced since then.
   */
  TVM_FFI_INLINE static Int CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (TVM_FFI_PREDICT_FALSE(!IsInRange(source->v_int64))) {
      detail::ThrowIntOutOfRange<>(&detail::IntegerOverflowText<Integer>, source->v_int64);
    }
    return static_cast<Int>(source->v_int64);
  }
  TVM_FFI_INLINE static std::optional<Int> TryCastFromAnyView(const TVMFFIAny* source) {
    if ((source->type_index == TypeIndex::kTVMFFIInt ||
         source->type_index == TypeIndex::kTVMFFIBool) &&
        IsInRange(source->v_int64)) {
      return static_cast<Int>(source->v_int64);
    }
    return std::nullopt;
  }
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    return detail::IntegerOverflowText<Integer>(source);
  }

 private:
  TVM_FFI_INLINE static bool IsInRange([[maybe_unused]] int64_t value) {
    if constexpr (sizeof(Integer) < sizeof(int64_t)) {
      return static_cast<int64_t>(static_cast<Integer>(value)) == value;
    } else {
      return true;
    }
  }
};

template <typename Int>
struct TypeTraits<Int, std::enable_if_t<std::is_integral_v<Int> && !std::is_const_v<Int>>>
    : public TypeTraitsIntBase<Int> {};

template <typename Enum>
struct TypeTraits<Enum, std::enable_if_t<is_integeral_enum_v<Enum> && !std::is_const_v<Enum>>>
    : public TypeTraitsIntBase<Enum> {};

/*!
 * \brief Held as double; converts from int and bool.
 *
 * A double becomes a float as C converts it: rounded to the nearest, to infinity beyond FLT_MAX.
 */
template <typename Float>
struct TypeTraits<Float,
                  std::enable_if_t<std::is_floating_point_v<Float> && !std::is_const_v<Float>>>
    : public detail::PODTypeTraits<Float, TypeTraits<Float>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIFloat;
  static constexpr const char* kTypeName = StaticTypeKey::kTVMFFIFloat;

  TVM_FFI_INLINE static void CopyToAnyView(const Float& source, TVMFFIAny* result) {
    detail::SetAnyHead(result, TypeIndex::kTVMFFIFloat);
    result->v_float64 = static_cast<double>(source);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIFloat;
  }
  TVM_FFI_INLINE static Float CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return static_cast<Float>(source->v_float64);
  }
  TVM_FFI_INLINE static std::optional<Float> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIFloat) {
      return static_cast<Float>(source->v_float64);
    }
    if (source->type_index == TypeIndex::kTVMFFIInt ||
        source->type_index == TypeIndex::kTVMFFIBool) {
      return static_cast<Float>(source->v_int64);
    }
    return std::nullopt;
  }
};

/* ------------------------------------------------------------------ pointers */

/*! \brief A pointer that is only carried, never owned; None converts to NULL. */
template <>
struct TypeTraits<void*> : public detail::PODTypeTraits<void*, TypeTraits<void*>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIOpaquePtr;
  static constexpr const char* kTypeName = StaticTypeKey::kTVMFFIOpaquePtr;

  TVM_FFI_INLINE static void CopyToAnyView(void* const& source, TVMFFIAny* result) {
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIOpaquePtr, source);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIOpaquePtr;
  }
  TVM_FFI_INLINE static void* CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return source->v_ptr;
  }
  TVM_FFI_INLINE static std::optional<void*> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIOpaquePtr) return source->v_ptr;
    if (source->type_index == TypeIndex::kTVMFFINone) return nullptr;
    return std::nullopt;
  }
};

/*! \brief A borrowed tensor, for arguments; also taken out of an ffi.Tensor. */
template <>
struct TypeTraits<DLTensor*> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIDLTensorPtr;
  static constexpr bool storage_enabled = false;

  /*! \throws InternalError for NULL. */
  TVM_FFI_INLINE static void CopyToAnyView(DLTensor* const& source, TVMFFIAny* result) {
    if (TVM_FFI_PREDICT_FALSE(source == nullptr)) detail::ThrowNullSource<>();
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIDLTensorPtr, source);
  }
  /*! \throws RuntimeError always: the pointer keeps nothing alive. */
  [[noreturn]] static void MoveToAny(DLTensor*, TVMFFIAny*) { detail::ThrowDLTensorStored<>(); }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIDLTensorPtr;
  }
  TVM_FFI_INLINE static DLTensor* CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return static_cast<DLTensor*>(source->v_ptr);
  }
  TVM_FFI_INLINE static std::optional<DLTensor*> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIDLTensorPtr) {
      return static_cast<DLTensor*>(source->v_ptr);
    }
    if (source->type_index == TypeIndex::kTVMFFITensor) {
      return TVMFFITensorGetDLTensorPtr(source->v_obj);
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return StaticTypeKey::kTVMFFIDLTensorPtr; }
  static std::string TypeSchema() {
    return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIDLTensorPtr);
  }
};

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_PLAIN_TRAITS_H_
