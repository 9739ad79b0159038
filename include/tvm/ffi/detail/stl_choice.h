// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/stl_choice.h
 * \brief std::optional and std::variant as values; included by extra/stl.h.
 */
#ifndef TVM_FFI_DETAIL_STL_CHOICE_H_
#define TVM_FFI_DETAIL_STL_CHOICE_H_

#include <tvm/ffi/detail/stl_base.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tvm {
namespace ffi {

template <typename T>
inline constexpr bool view_needs_owner_v<std::optional<T>> = view_needs_owner_v<T>;
template <typename... T>
inline constexpr bool view_needs_owner_v<std::variant<T...>> = (view_needs_owner_v<T> || ...);

/*! \brief None, or the value. */
template <typename T>
struct TypeTraits<std::optional<T>> : public TypeTraitsBase {
  static constexpr bool storage_enabled = TypeTraits<T>::storage_enabled;

  static void CopyToAnyView(const std::optional<T>& source, TVMFFIAny* result) {
    if (!source.has_value()) return detail::SetAnyNone(result);
    TypeTraits<T>::CopyToAnyView(*source, result);
  }
  static void MoveToAny(std::optional<T> source, TVMFFIAny* result) {
    if (!source.has_value()) return detail::SetAnyNone(result);
    TypeTraits<T>::MoveToAny(*std::move(source), result);
  }
  static bool CheckAnyStrict(const TVMFFIAny* source) {
    return IsNone(source) || TypeTraits<T>::CheckAnyStrict(source);
  }
  static std::optional<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (IsNone(source)) return std::nullopt;
    return TypeTraits<T>::CopyFromAnyViewAfterCheck(source);
  }
  static std::optional<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    if (IsNone(source)) return std::nullopt;
    return TypeTraits<T>::MoveFromAnyAfterCheck(source);
  }
  static std::optional<std::optional<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (IsNone(source)) return std::make_optional(std::optional<T>());
    std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(source);
    if (!value.has_value()) return std::nullopt;
    return std::make_optional(std::move(value));
  }
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    return detail::OverflowInfo<T>(source);
  }
  static std::string TypeStr() { return detail::ContainerTypeStr<T>("std::optional"); }
  static std::string TypeSchema() {
    return detail::StlSchema("optional", detail::JoinedSchemas<T>(","));
  }

 private:
  static bool IsNone(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone;
  }
};

/*! \brief The alternative; made as the first one that the value converts to. */
template <typename... T>
struct TypeTraits<std::variant<T...>> : public TypeTraitsBase {
  static constexpr bool storage_enabled = (TypeTraits<T>::storage_enabled && ...);
  using Variant = std::variant<T...>;

  static void CopyToAnyView(const Variant& source, TVMFFIAny* result) {
    std::visit([&](const auto& value) { *result = AnyView(value).CopyToTVMFFIAny(); }, source);
  }
  static void MoveToAny(Variant source, TVMFFIAny* result) {
    std::visit([&](auto&& value) { detail::MoveIntoAny(Any(std::move(value)), result); },
               std::move(source));
  }
  static bool CheckAnyStrict(const TVMFFIAny* source) {
    return (TypeTraits<T>::CheckAnyStrict(source) || ...);
  }
  static Variant CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    std::optional<Variant> result;
    (void)(CopyStrict<T>(source, &result) || ...);
    return *std::move(result);
  }
  static Variant MoveFromAnyAfterCheck(TVMFFIAny* source) {
    Variant result = CopyFromAnyViewAfterCheck(source);
    detail::AnyUnsafe::MoveTVMFFIAnyToAny(source).reset();
    return result;
  }
  static std::optional<Variant> TryCastFromAnyView(const TVMFFIAny* source) {
    std::optional<Variant> result;
    (void)(TryOne<T>(source, &result) || ...);
    return result;
  }
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    return detail::FirstOverflowInfo<T...>(source);
  }
  static std::string TypeStr() { return detail::ContainerTypeStr<T...>("std::variant"); }
  static std::string TypeSchema() {
    return detail::StlSchema("variant", detail::JoinedSchemas<T...>(", "));
  }

 private:
  template <typename One>
  static bool CopyStrict(const TVMFFIAny* source, std::optional<Variant>* result) {
    if (!TypeTraits<One>::CheckAnyStrict(source)) return false;
    result->emplace(std::in_place_type<One>, TypeTraits<One>::CopyFromAnyViewAfterCheck(source));
    return true;
  }
  template <typename One>
  static bool TryOne(const TVMFFIAny* source, std::optional<Variant>* result) {
    std::optional<One> value = TypeTraits<One>::TryCastFromAnyView(source);
    if (!value.has_value()) return false;
    result->emplace(std::in_place_type<One>, *std::move(value));
    return true;
  }
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_STL_CHOICE_H_
