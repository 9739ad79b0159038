// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/type_traits.h
 * \brief Conversion of C++ types to values and back: the protocol TypeTraits<T>, and its
 * specialisations for numbers, pointers and enumerations.
 *
 * Other types have their specialisations where they are defined; user code adds specialisations in
 * the same way.
 */
#ifndef TVM_FFI_TYPE_TRAITS_H_
#define TVM_FFI_TYPE_TRAITS_H_

#include <tvm/ffi/base.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*! \brief The indices of the types that the library defines. */
using TypeIndex = TVMFFITypeIndex;
/*! \brief The entry of a type in the type table. */
using TypeInfo = TVMFFITypeInfo;

/*! \brief Type keys of the types with a fixed index. */
struct StaticTypeKey {
  static constexpr const char* kTVMFFIAny = "Any";
  static constexpr const char* kTVMFFINone = "None";
  static constexpr const char* kTVMFFIBool = "bool";
  static constexpr const char* kTVMFFIInt = "int";
  static constexpr const char* kTVMFFIFloat = "float";
  static constexpr const char* kTVMFFIOpaquePtr = "void*";
  static constexpr const char* kTVMFFIDataType = "DataType";
  static constexpr const char* kTVMFFIDevice = "Device";
  static constexpr const char* kTVMFFIDLTensorPtr = "DLTensor*";
  static constexpr const char* kTVMFFIRawStr = "const char*";
  static constexpr const char* kTVMFFIByteArrayPtr = "TVMFFIByteArray*";
  static constexpr const char* kTVMFFIObjectRValueRef = "ObjectRValueRef";
  static constexpr const char* kTVMFFISmallStr = "ffi.SmallStr";
  static constexpr const char* kTVMFFISmallBytes = "ffi.SmallBytes";
  static constexpr const char* kTVMFFIUnchanged = "ffi.Unchanged";
  static constexpr const char* kTVMFFIObject = "ffi.Object";
  static constexpr const char* kTVMFFIStr = "ffi.String";
  static constexpr const char* kTVMFFIBytes = "ffi.Bytes";
  static constexpr const char* kTVMFFIError = "ffi.Error";
  static constexpr const char* kTVMFFIFunction = "ffi.Function";
  static constexpr const char* kTVMFFIShape = "ffi.Shape";
  static constexpr const char* kTVMFFITensor = "ffi.Tensor";
  static constexpr const char* kTVMFFIArray = "ffi.Array";
  static constexpr const char* kTVMFFIMap = "ffi.Map";
  static constexpr const char* kTVMFFIModule = "ffi.Module";
  static constexpr const char* kTVMFFIOpaquePyObject = "ffi.OpaquePyObject";
  static constexpr const char* kTVMFFIList = "ffi.List";
  static constexpr const char* kTVMFFIDict = "ffi.Dict";
  static constexpr const char* kTVMFFIVisitInterrupt = "ffi.VisitInterrupt";
  static constexpr const char* kTVMFFIBigInt = "ffi.BigInt";
};

namespace detail {
template <typename T>
struct TypeSchemaImpl;

/*! \brief JSON schema of a type: `TypeSchema<T>::v()`; const and references are ignored. */
template <typename T>
using TypeSchema = TypeSchemaImpl<std::remove_const_t<std::remove_reference_t<T>>>;

// The next functions throw. They are declared here as templates and defined in exception.h and
// detail/raise.h, because the class Error depends on the headers that call these functions. Only
// the declarations have attributes, because nvcc warns if a definition repeats the attributes.

/*! \brief Take the error out of the error slot of this thread and throw it. */
template <typename Dummy = void>
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE void ThrowRaised();
/*! \brief Throw OverflowError: an unsigned number does not fit into int64_t. */
template <typename Dummy = void>
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE void ThrowIntTooLarge(uint64_t value);
/*! \brief Throw InternalError: a pointer is NULL although it must not be. */
template <typename Dummy = void>
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE void ThrowNullSource();
/*! \brief Throw RuntimeError: a DLTensor* cannot be stored. */
template <typename Dummy = void>
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE void ThrowDLTensorStored();
/*! \brief Throw OverflowError: a stored number is out of range of the type that it is read as. */
template <typename Dummy = void>
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE void ThrowOutOfRange(
    std::string (*text)(const TVMFFIAny*), const TVMFFIAny* value);

/*! \brief Throw TypeError: a reference that is never null cannot be made from a null pointer. */
template <typename Dummy = void>
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE void ThrowNullReference(const char* type_key);

/*! \brief Return the entry of a type in the type table; throw when the index is unknown. */
TVM_FFI_INLINE const TVMFFITypeInfo* GetTypeInfoOrThrow(int32_t type_index) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  if (TVM_FFI_PREDICT_FALSE(info == nullptr)) ThrowRaised<>();
  return info;
}
}  // namespace detail

/*!
 * \brief Return the type key of a type index.
 * \throws InternalError when the index is not registered.
 */
inline std::string TypeIndexToTypeKey(int32_t type_index) {
  if (type_index == TypeIndex::kTVMFFIAny) return StaticTypeKey::kTVMFFIAny;
  const TVMFFIByteArray& key = detail::GetTypeInfoOrThrow(type_index)->type_key;
  return std::string(key.data, key.size);
}

/*!
 * \brief Whether every stored Source is also a valid Target, without a check of the value.
 *
 * By default Target must be the same class or a base class; containers and pointers follow their
 * elements. User code may specialise this variable.
 */
template <typename Target, typename Source, typename = void>
inline constexpr bool type_subsumes_v =
    std::is_same_v<Target, Source> || std::is_base_of_v<Target, Source>;

template <typename T, typename = void>
class Optional;

/*!
 * \brief Conversion between T and TVMFFIAny.
 *
 * A specialisation derives from TypeTraitsBase and provides these static members:
 * - `CopyToAnyView(const T&, TVMFFIAny*)`: write a borrowed view, all 16 bytes;
 * - `MoveToAny(T, TVMFFIAny*)`: write an owned value;
 * - `CheckAnyStrict(const TVMFFIAny*)`: return whether the value has the stored form of T;
 * - `CopyFromAnyViewAfterCheck(const TVMFFIAny*)`, `MoveFromAnyAfterCheck(TVMFFIAny*)`: read a
 *   value that passed the strict check; a move that takes a reference leaves None;
 * - `TryCastFromAnyView(const TVMFFIAny*)`: return a std::optional<T>, with implicit conversions;
 * - `TypeStr()`: return the name for messages.
 *
 * Optional members are `TypeSchema()`, the JSON schema for metadata, which is `Any` by default, and
 * `GetMismatchTypeInfo` and `GetRefusal`, which describe a refused value for the text of the error
 * and have defaults in TypeTraitsBase.
 */
template <typename T, typename Enable = void>
struct TypeTraits {
  /*! \brief Whether T can be an argument or a result. */
  static constexpr bool convert_enabled = false;
  /*! \brief Whether T can be an element of a container. */
  static constexpr bool storage_enabled = false;
};

/*! \brief The TypeTraits of T without const and reference. */
template <typename T>
using TypeTraitsNoCR = TypeTraits<std::remove_const_t<std::remove_reference_t<T>>>;

/*! \brief False for a reference class with its own full TypeTraits specialisation. */
template <typename T>
inline constexpr bool use_default_type_traits_v = true;

/*!
 * \brief True for a type whose values a view cannot borrow, because they contain neither an object
 * nor memory to which the view could point.
 *
 * A call stores such an argument in an Any that lives until the call returns.
 */
template <typename T>
inline constexpr bool view_needs_owner_v = false;
template <typename T>
inline constexpr bool view_needs_owner_v<Optional<T>> = view_needs_owner_v<T>;

/*!
 * \brief Whether a function with a parameter of type T can write to the tensor in the argument.
 *
 * If true, the parameter refuses a read-only tensor.
 */
template <typename T, typename = void>
inline constexpr bool may_write_tensor_v = false;
template <>
inline constexpr bool may_write_tensor_v<DLTensor*> = true;
template <typename T>
inline constexpr bool may_write_tensor_v<Optional<T>> = may_write_tensor_v<T>;

/*! \brief Why a value was refused although its type is right, for example `integer 300 out of int8
 * range [-128, 127]`. */
struct Refusal {
  /*! \brief The kind of the error, such as `OverflowError`; NULL for an empty Refusal. */
  const char* kind = nullptr;
  /*! \brief The reason. */
  std::string text;

  bool empty() const { return kind == nullptr; }
  /*! \brief Return the refusal of a container: the reason, after the place of the value. */
  Refusal At(const std::string& place) const {
    return empty() ? Refusal() : Refusal{kind, place + ": " + text};
  }
};

/*! \brief Defaults of the optional members of TypeTraits. */
struct TypeTraitsBase {
  static constexpr bool convert_enabled = true;
  static constexpr bool storage_enabled = true;
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIAny;

  /*! \brief Return the text that describes a refused value: its type key. */
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    return TypeIndexToTypeKey(source->type_index);
  }

  /*!
   * \brief Return why a value was refused, if its type is not the reason; otherwise an empty
   * Refusal, and the error is a TypeError about the type.
   *
   * The function is called only for values that TryCastFromAnyView refuses.
   */
  static Refusal GetRefusal(const TVMFFIAny*) { return {}; }
};

/*! \brief The declared type index of a field of type T; kTVMFFIAny when there is no single
 * index. */
template <typename T, typename = void>
struct TypeToFieldStaticTypeIndex {
  static constexpr int32_t value = TypeIndex::kTVMFFIAny;
};

template <typename T>
struct TypeToFieldStaticTypeIndex<T, std::enable_if_t<TypeTraits<T>::convert_enabled>> {
  static constexpr int32_t value = TypeTraits<T>::field_static_type_index;
};

/*! \brief The type index of values of type T, if it is known: `::v()`. */
template <typename T, typename = void>
struct TypeToRuntimeTypeIndex {
  /*! \brief Return the type index. */
  static int32_t v() { return TypeToFieldStaticTypeIndex<T>::value; }
};

namespace detail {

template <typename T, typename = void>
inline constexpr bool has_refusal_v = false;
template <typename T>
inline constexpr bool has_refusal_v<T, std::void_t<decltype(TypeTraits<T>::GetRefusal(nullptr))>> =
    true;

/*! \brief Return GetRefusal of a type; empty for types whose traits do not have it. */
template <typename T>
Refusal RefusalOf(const TVMFFIAny* value) {
  if constexpr (has_refusal_v<T>) return TypeTraits<T>::GetRefusal(value);
  return {};
}

/*! \brief Return the first RefusalOf that is not empty, for a value that all types refuse. */
template <typename... T>
Refusal FirstRefusalOf(const TVMFFIAny* value) {
  Refusal refusal;
  (void)((refusal = RefusalOf<T>(value), !refusal.empty()) || ...);
  return refusal;
}

/*! \brief Convert a value to One and then to T; return whether that is possible. */
template <typename T, typename One>
bool TryFallback(const TVMFFIAny* source, std::optional<T>* result) {
  std::optional<One> value = TypeTraits<One>::TryCastFromAnyView(source);
  if (!value.has_value()) return false;
  result->emplace(TypeTraits<T>::ConvertFallbackValue(*std::move(value)));
  return true;
}

/*! \brief Return the refusal of a number that is out of range; `text` is empty for other values. */
inline Refusal OverflowRefusal(std::string text) {
  return text.empty() ? Refusal{} : Refusal{"OverflowError", std::move(text)};
}

template <typename T, typename = void>
inline constexpr bool has_type_schema_v = false;
template <typename T>
inline constexpr bool has_type_schema_v<T, std::void_t<decltype(TypeTraits<T>::TypeSchema())>> =
    true;

template <typename T>
struct TypeSchemaImpl {
  static std::string v() {
    if constexpr (has_type_schema_v<T>) {
      return TypeTraits<T>::TypeSchema();
    } else {
      // Every export has a schema, but traits that were written for old releases have no
      // TypeSchema().
      return R"({"type":"Any"})";
    }
  }
};

template <>
struct TypeSchemaImpl<void> {
  static std::string v() { return R"({"type":"None"})"; }
};

/*! \brief Return `{"type":"<name>"}`. */
inline std::string PlainTypeSchema(const char* name) {
  return std::string("{\"type\":\"") + name + "\"}";
}

/*! \brief Write the type index and the padding of a value; the caller writes the payload. */
TVM_FFI_INLINE void SetAnyHead(TVMFFIAny* value, int32_t type_index) noexcept {
  value->type_index = type_index;
  value->zero_padding = 0;
}

TVM_FFI_INLINE void SetAnyNone(TVMFFIAny* value) noexcept {
  SetAnyHead(value, TypeIndex::kTVMFFINone);
  value->v_int64 = 0;
}

TVM_FFI_INLINE void SetAnyInt64(TVMFFIAny* value, int32_t type_index, int64_t payload) noexcept {
  SetAnyHead(value, type_index);
  value->v_int64 = payload;
}

TVM_FFI_INLINE void SetAnyPtr(TVMFFIAny* value, int32_t type_index, const void* ptr) noexcept {
  SetAnyHead(value, type_index);
  TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(value);
  value->v_ptr = const_cast<void*>(ptr);
}
}  // namespace detail

/*!
 * \brief Base of the traits of a type that a TVMFFIAny cannot hold: each argument of type T is
 * converted from one of the Fallback types.
 *
 * Each Fallback is tried in order; the first one that converts is passed to
 * `TypeTraits<T>::ConvertFallbackValue(Fallback)`.
 */
template <typename T, typename... Fallback>
struct FallbackOnlyTraitsBase : public TypeTraitsBase {
  static_assert(sizeof...(Fallback) != 0, "at least one fallback type is needed");
  static_assert(!(std::is_same_v<Fallback, bool> || ...),
                "bool as a fallback would take every int: use StrictBool");
  static constexpr bool storage_enabled = false;

  static std::optional<T> TryCastFromAnyView(const TVMFFIAny* source) {
    std::optional<T> result;
    (void)(detail::TryFallback<T, Fallback>(source, &result) || ...);
    return result;
  }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    return detail::FirstRefusalOf<Fallback...>(source);
  }
};

/*!
 * \brief Define the type members of an object class whose type is registered elsewhere.
 *
 * The macro does not register a type: the index is looked up by key on first use, and an unknown
 * key throws. A file that uses the macro must include <tvm/ffi/function.h>.
 * \param RegisteredKey string literal.
 * \param TypeDepth number of ancestors of that type.
 */
#define TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP(RegisteredKey, TypeDepth)                              \
  static constexpr const char* _type_key = RegisteredKey;                                         \
  static constexpr int32_t _type_depth = TypeDepth;                                               \
  static constexpr bool _type_mutable = true;                                                     \
  static constexpr bool _type_final = false;                                                      \
  static constexpr uint32_t _type_child_slots = 0;                                                \
  static constexpr bool _type_child_slots_can_overflow = true;                                    \
  struct _TypeSelf {};                                                                            \
  auto _WriteTypeSelf() -> std::enable_if_t<                                                      \
      sizeof(::tvm::ffi::detail::SelfWriter<_TypeSelf, std::remove_pointer_t<decltype(this)>>) != \
      0>;                                                                                         \
  TVM_FFI_OWN_COPY_BEGIN_                                                                         \
  TVM_FFI_OWN_COPY_ static int32_t RuntimeTypeIndex() {                                           \
    using Self =                                                                                  \
        std::remove_pointer_t<decltype(SelfOf(::tvm::ffi::detail::SelfReader<_TypeSelf>()))>;     \
    static constexpr auto record =                                                                \
        ::tvm::ffi::detail::MakeClassRecord<Self, void>(::tvm::ffi::detail::kClassIsLookup);      \
    static const int32_t tindex = ::tvm::ffi::detail::CheckedClass(                               \
        ::tvm::ffi::TypeKeyToIndex("" RegisteredKey), &record.head);                              \
    return tindex;                                                                                \
  }                                                                                               \
  TVM_FFI_OWN_COPY_END_

namespace detail {

/*!
 * \brief Common base of the traits of types whose values do not own anything.
 *
 * Derived has CopyToAnyView, CheckAnyStrict, CopyFromAnyViewAfterCheck and kTypeName.
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

/*! \brief nullptr, which a value holds as None. */
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

/*! \brief A bool that accepts only bool arguments, not int. In C++ it converts implicitly from and
 * to bool. */
class StrictBool {
 public:
  StrictBool(bool value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  operator bool() const { return value_; }   // NOLINT(google-explicit-constructor)

 private:
  bool value_;
};

/*! \brief Accepts only bool. */
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

/*! \brief Accepts bool, and converts from int: non-zero is true. */
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

/*! \brief Whether T is an enumeration with an integer type. (The spelling is published.) */
template <typename T, typename = void>
inline constexpr bool is_integeral_enum_v = false;
template <typename T>
inline constexpr bool is_integeral_enum_v<T, std::enable_if_t<std::is_enum_v<T>>> =
    std::is_integral_v<std::underlying_type_t<T>>;

namespace detail {

/*! \brief The integer type of an integer or enumeration. */
template <typename Int, bool = std::is_enum_v<Int>>
struct IntegerOf {
  using Type = Int;
};
template <typename Enum>
struct IntegerOf<Enum, true> {
  using Type = std::underlying_type_t<Enum>;
};

/*! \brief Return the largest int64_t that `Integer` can hold, without the 1,000 lines of
 * <limits>. */
template <typename Integer>
constexpr int64_t MaxOfInteger() {
  if constexpr (std::is_same_v<Integer, bool>) {
    return 1;
  } else if constexpr (sizeof(Integer) < sizeof(int64_t)) {
    return (int64_t{1} << (sizeof(Integer) * 8 - std::is_signed_v<Integer>)) - 1;
  } else {
    return INT64_MAX;
  }
}

// The texts of OverflowErrors: detail/number_text.h, which any.h includes.
template <typename Integer>
std::string IntegerOverflowText(const TVMFFIAny* value);
template <typename Dummy = void>
std::string FloatOverflowText(const TVMFFIAny* value);
}  // namespace detail

/*!
 * \brief An integer or enumeration, which a value holds as int64_t.
 *
 * Types of less than 64 bits refuse values out of their range. Types of 64 bits take the bit
 * pattern, so that a negative number is read as a large uint64_t.
 */
template <typename Int>
struct TypeTraitsIntBase : public detail::PODTypeTraits<Int, TypeTraits<Int>> {
  /*! \brief The integer type that is converted; for an enumeration its underlying type. */
  using Integer = typename detail::IntegerOf<Int>::Type;
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIInt;
  /*! \brief The type key. */
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
   * \brief Return the integer of a value that passed the strict check.
   * \throws OverflowError when the integer is out of range: an element of a List or Dict may have
   *         been replaced after the check.
   */
  TVM_FFI_INLINE static Int CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (TVM_FFI_PREDICT_FALSE(!IsInRange(source->v_int64))) {
      detail::ThrowOutOfRange<>(&detail::IntegerOverflowText<Integer>, source);
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
  static Refusal GetRefusal(const TVMFFIAny* source) {
    return detail::OverflowRefusal(detail::IntegerOverflowText<Integer>(source));
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

namespace detail {
/*!
 * \brief Return whether a double is NaN or infinite, or rounds to a finite float.
 *
 * NaN and infinities are recognised by their bits, which also works in code that is compiled with
 * `-ffast-math`.
 */
TVM_FFI_INLINE bool FitsFloat32(double value) {
  // Halfway between FLT_MAX and the next power of two.
  constexpr double limit = 3.4028235677973366e+38;
  if (TVM_FFI_PREDICT_TRUE(value < limit && value > -limit)) return true;
  constexpr uint64_t exponent = 0x7ff0000000000000;
  uint64_t bits;
  // Copies the bytes like std::memcpy, but <cstring> would add 200 lines to this header.
  std::char_traits<char>::copy(reinterpret_cast<char*>(&bits),
                               reinterpret_cast<const char*>(&value), sizeof(bits));
  return (bits & exponent) == exponent;
}
}  // namespace detail

/*!
 * \brief A floating-point number, which a value holds as double; converts from int and bool.
 *
 * A double is rounded to the nearest float. Finite numbers beyond FLT_MAX are refused; infinities
 * and NaN do not change.
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
    return source->type_index == TypeIndex::kTVMFFIFloat && IsInRange(source->v_float64);
  }
  /*!
   * \brief Return the number of a value that passed the strict check.
   * \throws OverflowError when the number is out of range: an element of a List or Dict may have
   *         been replaced after the check.
   */
  TVM_FFI_INLINE static Float CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (TVM_FFI_PREDICT_FALSE(!IsInRange(source->v_float64))) {
      detail::ThrowOutOfRange<>(&detail::FloatOverflowText<>, source);
    }
    return static_cast<Float>(source->v_float64);
  }
  TVM_FFI_INLINE static std::optional<Float> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFIFloat && IsInRange(source->v_float64)) {
      return static_cast<Float>(source->v_float64);
    }
    if (source->type_index == TypeIndex::kTVMFFIInt ||
        source->type_index == TypeIndex::kTVMFFIBool) {
      return static_cast<Float>(source->v_int64);
    }
    return std::nullopt;
  }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    bool is_double = sizeof(Float) >= sizeof(double);
    if (is_double && source->type_index == TypeIndex::kTVMFFIFloat) return {};
    return detail::OverflowRefusal(detail::FloatOverflowText<>(source));
  }

 private:
  TVM_FFI_INLINE static bool IsInRange([[maybe_unused]] double value) {
    if constexpr (sizeof(Float) < sizeof(double)) {
      return detail::FitsFloat32(value);
    } else {
      return true;
    }
  }
};

/* ------------------------------------------------------------------ pointers */

/*! \brief A pointer that is passed without ownership; None converts to NULL. */
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

/*! \brief For arguments: a borrowed tensor; also accepts an ffi.Tensor. */
template <>
struct TypeTraits<DLTensor*> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIDLTensorPtr;
  static constexpr bool storage_enabled = false;

  /*! \throws InternalError for NULL. */
  TVM_FFI_INLINE static void CopyToAnyView(DLTensor* const& source, TVMFFIAny* result) {
    if (TVM_FFI_PREDICT_FALSE(source == nullptr)) detail::ThrowNullSource<>();
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIDLTensorPtr, source);
  }
  /*! \throws RuntimeError always: the pointer does not keep the tensor alive. */
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

}  // namespace tvm::ffi

#endif  // TVM_FFI_TYPE_TRAITS_H_
