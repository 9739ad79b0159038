// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/optional.h
 * \brief Optional<T>: a value that may be absent, stored so that it crosses the ABI as None or T.
 *
 * An empty optional and one that holds null (a null reference, an empty inner optional) are the
 * same thing, except where T cannot be stored at all.
 */
#ifndef TVM_FFI_OPTIONAL_H_
#define TVM_FFI_OPTIONAL_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/optional_pointer.h>
#include <tvm/ffi/detail/optional_value.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/type_traits.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

/*! \brief None or what T accepts. */
template <typename T>
struct TypeTraits<Optional<T>, std::enable_if_t<TypeTraits<T>::convert_enabled>>
    : public TypeTraitsBase {
  static constexpr bool storage_enabled = TypeTraits<T>::storage_enabled;

  TVM_FFI_INLINE static void CopyToAnyView(const Optional<T>& source, TVMFFIAny* result) {
    if constexpr (use_object_ref_optional_v<T>) {
      TypeTraits<ObjectPtr<Object>>::CopyToAnyView(source.data_, result);
    } else if constexpr (use_object_ptr_optional_v<T>) {
      using Ptr = ObjectPtr<typename Optional<T>::ContainerType>;
      TypeTraits<Ptr>::CopyToAnyView(source, result);
    } else if constexpr (storage_enabled) {
      *result = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(source.data_);
    } else if (source.has_value()) {
      TypeTraits<T>::CopyToAnyView(*source, result);
    } else {
      detail::SetAnyNone(result);
    }
  }
  TVM_FFI_INLINE static void MoveToAny(Optional<T> source, TVMFFIAny* result) {
    if constexpr (use_object_ref_optional_v<T>) {
      TypeTraits<ObjectPtr<Object>>::MoveToAny(std::move(source.data_), result);
    } else if constexpr (use_object_ptr_optional_v<T>) {
      using Ptr = ObjectPtr<typename Optional<T>::ContainerType>;
      TypeTraits<Ptr>::MoveToAny(static_cast<Ptr&&>(source), result);
    } else if constexpr (storage_enabled) {
      *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(source.data_));
    } else if (source.has_value()) {
      TypeTraits<T>::MoveToAny(*std::move(source), result);
    } else {
      detail::SetAnyNone(result);
    }
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone || TypeTraits<T>::CheckAnyStrict(source);
  }
  TVM_FFI_INLINE static Optional<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return Optional<T>();
    return Optional<T>(TypeTraits<T>::CopyFromAnyViewAfterCheck(source));
  }
  TVM_FFI_INLINE static Optional<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return Optional<T>();
    return Optional<T>(TypeTraits<T>::MoveFromAnyAfterCheck(source));
  }
  TVM_FFI_INLINE static std::optional<Optional<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    std::optional<Optional<T>> result;
    if (source->type_index == TypeIndex::kTVMFFINone) {
      result.emplace();
    } else if (std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(source)) {
      result.emplace(*std::move(value));
    }
    return result;
  }
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    return TypeTraits<T>::GetMismatchTypeInfo(source);
  }
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    return detail::OverflowInfo<T>(source);
  }
  static std::string TypeStr() { return "Optional<" + detail::Type2Str<T>::v() + ">"; }
  static std::string TypeSchema() {
    return R"({"type":"Optional","args":[)" + detail::TypeSchema<T>::v() + "]}";
  }
};

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_OPTIONAL_H_
