// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/type_traits.h
 * \brief How a C++ type becomes a value and comes back: the protocol TypeTraits<T> and its
 * specialisations for numbers, pointers and enumerations.
 *
 * Other types have theirs where they are defined; user code adds its own in the same way.
 */
#ifndef TVM_FFI_TYPE_TRAITS_H_
#define TVM_FFI_TYPE_TRAITS_H_

#include <tvm/ffi/base.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

using TypeIndex = TVMFFITypeIndex;
using TypeInfo = TVMFFITypeInfo;

/*! \brief Registry keys of the types with a fixed index. */
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
// These throw. They are templates declared ahead of their definition in detail/raise.h, because
// the class Error stands on the headers that need them.

/*! \brief Take the error out of the thread's slot and throw it. */
template <typename Dummy = void>
[[noreturn]] void ThrowRaised();
/*! \brief OverflowError: an unsigned number does not fit. */
template <typename Dummy = void>
[[noreturn]] void ThrowIntTooLarge(uint64_t value);
/*! \brief InternalError: a pointer that must not be NULL is. */
template <typename Dummy = void>
[[noreturn]] void ThrowNullSource();
/*! \brief RuntimeError: a DLTensor* was to be stored. */
template <typename Dummy = void>
[[noreturn]] void ThrowDLTensorStored();
/*! \brief OverflowError: a stored integer is out of range of the type that it is read as. */
template <typename Dummy = void>
[[noreturn]] void ThrowIntOutOfRange(std::string (*text)(const TVMFFIAny*), int64_t value);

/*! \brief TypeError: a reference that is never null was to be made from a null pointer. */
template <typename Dummy = void>
[[noreturn]] void ThrowNullReference(const char* type_key);

/*! \brief Entry of a type; throws what the library raised when the index is unknown. */
TVM_FFI_INLINE const TVMFFITypeInfo* GetTypeInfoOrThrow(int32_t type_index) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  if (TVM_FFI_PREDICT_FALSE(info == nullptr)) ThrowRaised<>();
  return info;
}
}  // namespace detail

/*!
 * \brief Registry key of a type index.
 * \throws InternalError when the index is not registered.
 */
inline std::string TypeIndexToTypeKey(int32_t type_index) {
  if (type_index == TypeIndex::kTVMFFIAny) return StaticTypeKey::kTVMFFIAny;
  const TVMFFIByteArray& key = detail::GetTypeInfoOrThrow(type_index)->type_key;
  return std::string(key.data, key.size);
}

/*!
 * \brief Whether everything stored as Source is a valid Target without looking at it.
 *
 * The same or a base class by default; containers and pointers follow their elements. User code
 * may specialise it.
 */
template <typename Target, typename Source, typename = void>
inline constexpr bool type_subsumes_v =
    std::is_same_v<Target, Source> || std::is_base_of_v<Target, Source>;

template <typename T, typename = void>
class Optional;

/*!
 * \brief Conversion between T and TVMFFIAny.
 *
 * A specialisation derives TypeTraitsBase and provides, as static members,
 * - `CopyToAnyView(const T&, TVMFFIAny*)`: write a borrowed view, all 16 bytes;
 * - `MoveToAny(T, TVMFFIAny*)`: write an owned value;
 * - `CheckAnyStrict(const TVMFFIAny*)`: is this the stored form of T;
 * - `CopyFromAnyViewAfterCheck(const TVMFFIAny*)`, `MoveFromAnyAfterCheck(TVMFFIAny*)`: read a
 * value that passed the strict check; the move leaves None where it took a reference;
 * - `TryCastFromAnyView(const TVMFFIAny*)`: std::optional<T>, with implicit conversions;
 * - `TypeStr()`, `TypeSchema()`: names for messages and for metadata.
 *
 * Optional members, with defaults in TypeTraitsBase: `GetMismatchTypeInfo` and `GetOverflowInfo`,
 * which word the error about a value that was refused.
 */
template <typename T, typename Enable = void>
struct TypeTraits {
  /*! \brief Can be an argument or a result. */
  static constexpr bool convert_enabled = false;
  /*! \brief Can be an element of a container. */
  static constexpr bool storage_enabled = false;
};

/*! \brief TypeTraits without const and reference. */
template <typename T>
using TypeTraitsNoCR = TypeTraits<std::remove_const_t<std::remove_reference_t<T>>>;

/*! \brief False for a reference class with a full TypeTraits specialisation of its own. */
template <typename T>
inline constexpr bool use_default_type_traits_v = true;

/*!
 * \brief True for a type whose values no view can borrow, as there is nothing in them to point at.
 *
 * A call makes an Any of such an argument, which lives until it returns.
 */
template <typename T>
inline constexpr bool view_needs_owner_v = false;
template <typename T>
inline constexpr bool view_needs_owner_v<Optional<T>> = view_needs_owner_v<T>;

/*! \brief Defaults of the optional members of TypeTraits. */
struct TypeTraitsBase {
  static constexpr bool convert_enabled = true;
  static constexpr bool storage_enabled = true;
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIAny;

  /*! \brief Words for a value that was refused: its type key. */
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    return TypeIndexToTypeKey(source->type_index);
  }

  /*!
   * \brief Text for an integer that was refused because it is out of range, e.g.
   * `300 is out of range for int8_t (-128 to 127)`; empty when that is not the reason.
   *
   * Called only for values that TryCastFromAnyView refuses. A text makes the error an
   * OverflowError instead of a TypeError.
   */
  static std::string GetOverflowInfo(const TVMFFIAny*) { return std::string(); }
};

/*! \brief Declared type index of a field of type T; kTVMFFIAny when there is no single one. */
template <typename T, typename = void>
struct TypeToFieldStaticTypeIndex {
  static constexpr int32_t value = TypeIndex::kTVMFFIAny;
};

template <typename T>
struct TypeToFieldStaticTypeIndex<T, std::enable_if_t<TypeTraits<T>::convert_enabled>> {
  static constexpr int32_t value = TypeTraits<T>::field_static_type_index;
};

/*! \brief Index that values of type T carry, as far as it is known: `::v()`. */
template <typename T, typename = void>
struct TypeToRuntimeTypeIndex {
  static int32_t v() { return TypeToFieldStaticTypeIndex<T>::value; }
};

namespace detail {

template <typename T, typename = void>
inline constexpr bool has_overflow_info_v = false;
template <typename T>
inline constexpr bool has_overflow_info_v<
    T, std::void_t<decltype(TypeTraits<T>::GetOverflowInfo(std::declval<const TVMFFIAny*>()))>> =
    true;

/*! \brief GetOverflowInfo of a type; empty for types whose traits have none. */
template <typename T>
std::string OverflowInfo(const TVMFFIAny* value) {
  if constexpr (has_overflow_info_v<T>) {
    return TypeTraits<T>::GetOverflowInfo(value);
  } else {
    return std::string();
  }
}

/*! \brief The first text of several types about a value that all of them refuse. */
template <typename... T>
std::string FirstOverflowInfo(const TVMFFIAny* value) {
  std::string text;
  (void)((text = OverflowInfo<T>(value), !text.empty()) || ...);
  return text;
}

template <typename T>
struct TypeSchemaImpl {
  static std::string v() { return TypeTraits<T>::TypeSchema(); }
};

template <>
struct TypeSchemaImpl<void> {
  static std::string v() { return R"({"type":"None"})"; }
};

/*! \brief `{"type":"<name>"}`. */
inline std::string PlainTypeSchema(const char* name) {
  return std::string("{\"type\":\"") + name + "\"}";
}

/*! \brief Type index and padding of a value; its payload is the caller's affair. */
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
 * \brief Base of traits of an argument type that is made from other types.
 *
 * Tries each Fallback in order and hands the first that converts to
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
    (void)(TryFallback<Fallback>(source, &result) || ...);
    return result;
  }
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    return detail::FirstOverflowInfo<Fallback...>(source);
  }

 private:
  template <typename One>
  static bool TryFallback(const TVMFFIAny* source, std::optional<T>* result) {
    std::optional<One> value = TypeTraits<One>::TryCastFromAnyView(source);
    if (!value.has_value()) return false;
    result->emplace(TypeTraits<T>::ConvertFallbackValue(*std::move(value)));
    return true;
  }
};

/*!
 * \brief Body of an object class for a type that is registered elsewhere.
 *
 * Registers nothing: the index is looked up by key on first use, and an unknown key throws. Needs
 * <tvm/ffi/function.h> where it is used.
 * \param RegisteredKey string literal.
 * \param TypeDepth number of ancestors of that type.
 */
#define TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP(RegisteredKey, TypeDepth)            \
  static constexpr const char* _type_key = RegisteredKey;                       \
  static constexpr int32_t _type_depth = TypeDepth;                             \
  static constexpr bool _type_mutable = true;                                   \
  static constexpr bool _type_final = false;                                    \
  static constexpr uint32_t _type_child_slots = 0;                              \
  static constexpr bool _type_child_slots_can_overflow = true;                  \
  static int32_t RuntimeTypeIndex() {                                           \
    static const int32_t tindex = ::tvm::ffi::TypeKeyToIndex("" RegisteredKey); \
    return tindex;                                                              \
  }

}  // namespace ffi
}  // namespace tvm

#include <tvm/ffi/detail/plain_traits.h>

#endif  // TVM_FFI_TYPE_TRAITS_H_
