// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/variant.h
 * \brief Variant<V...>: one value of one of several types, in the space of an Any.
 */
#ifndef TVM_FFI_CONTAINER_VARIANT_H_
#define TVM_FFI_CONTAINER_VARIANT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/container_detail.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*!
 * \brief A value of one of the types V.
 * \tparam V alternatives, each of which can be stored in Any.
 *
 * A variant can only be made from a value of an alternative, so it always has a value. The value is
 * not converted.
 * A moved-from variant holds None.
 */
template <typename... V>
class Variant {
 public:
  static_assert(detail::all_storage_enabled_v<V...>,
                "All types used in Variant<...> must be compatible with Any");

  /*! \brief Whether at least one alternative accepts every value of type T. */
  template <typename T>
  static constexpr bool variant_contains_v = (type_subsumes_v<V, T> || ...);
  /*! \brief Enables a template for each T that variant_contains_v accepts. */
  template <typename T>
  using enable_if_variant_contains_t = std::enable_if_t<variant_contains_v<T>>;
  static constexpr bool _type_container_is_exact = false;

  Variant(const Variant& other) = default;
  Variant(Variant&& other) noexcept = default;
  Variant& operator=(const Variant& other) = default;
  Variant& operator=(Variant&& other) noexcept = default;

  template <typename T, typename = enable_if_variant_contains_t<T>>
  Variant(T other) : data_(std::move(other)) {}  // NOLINT(*)
  /*! \brief Replace the value. */
  template <typename T, typename = enable_if_variant_contains_t<T>>
  Variant& operator=(T other) {
    data_ = Any(std::move(other));
    return *this;
  }

  /*! \brief Return the value if its stored type is T, otherwise nullopt. */
  template <typename T, typename = enable_if_variant_contains_t<T>>
  std::optional<T> as() const {
    return data_.template as<T>();
  }
  /*! \brief Return the object as a borrowed T; nullptr if the value is not a T. */
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<Object, T>>>
  const T* as() const {
    return data_.template as<T>();
  }

  /*! \brief Convert the value to T. \throws TypeError when that is impossible. */
  template <typename T, typename = enable_if_variant_contains_t<T>>
  T get() const& {
    return data_.template cast<T>();
  }
  /*! \brief Move out the value if it is a T, otherwise convert it to T. \throws TypeError when that
   * is impossible. */
  template <typename T, typename = enable_if_variant_contains_t<T>>
  T get() && {
    return std::move(data_).template cast<T>();
  }

  /*! \brief Return the type key of the value. */
  std::string GetTypeKey() const { return data_.GetTypeKey(); }
  /*! \brief Return whether both variants hold equal plain values, or the same object. */
  bool same_as(const Variant& other) const { return data_.same_as(other.data_); }

 private:
  friend struct TypeTraits<Variant<V...>>;
  friend struct ObjectPtrHash;
  friend struct ObjectPtrEqual;

  struct FromAny {};
  Variant(FromAny, Any data) : data_(std::move(data)) {}

  const Object* GetObjectPtrForHashEqual() const {
    static_assert(detail::all_object_ref_v<V...>,
                  "Variant::GetObjectPtrForHashEqual needs every alternative to derive ObjectRef");
    if (data_ == nullptr) return nullptr;
    return detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck(data_);
  }

  Any data_;
};

template <typename... V>
inline size_t ObjectPtrHash::operator()(const Variant<V...>& variant) const {
  return std::hash<const Object*>()(variant.GetObjectPtrForHashEqual());
}

template <typename... V>
inline bool ObjectPtrEqual::operator()(const Variant<V...>& lhs, const Variant<V...>& rhs) const {
  return lhs.GetObjectPtrForHashEqual() == rhs.GetObjectPtrForHashEqual();
}

template <typename... V>
struct TypeTraits<Variant<V...>> : public TypeTraitsBase {
  TVM_FFI_INLINE static void CopyToAnyView(const Variant<V...>& src, TVMFFIAny* result) {
    *result = AnyView(src.data_).CopyToTVMFFIAny();
  }
  TVM_FFI_INLINE static void MoveToAny(Variant<V...> src, TVMFFIAny* result) {
    *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(src.data_));
  }
  /*! \brief Return whether the value has exactly the storage type of an alternative. */
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* src) {
    return (CheckOne<V>(src) || ...);
  }
  TVM_FFI_INLINE static Variant<V...> CopyFromAnyViewAfterCheck(const TVMFFIAny* src) {
    return Variant<V...>(FromAny{}, Any(AnyView::CopyFromTVMFFIAny(*src)));
  }
  TVM_FFI_INLINE static Variant<V...> MoveFromAnyAfterCheck(TVMFFIAny* src) {
    return Variant<V...>(FromAny{}, detail::AnyUnsafe::MoveTVMFFIAnyToAny(src));
  }
  /*! \brief Return the unchanged value if an alternative accepts it strictly; otherwise convert the
   * value to the first alternative that accepts it. */
  static std::optional<Variant<V...>> TryCastFromAnyView(const TVMFFIAny* src) {
    if (CheckAnyStrict(src)) return CopyFromAnyViewAfterCheck(src);
    std::optional<Variant<V...>> result;
    (void)(TryOne<V>(src, &result) || ...);
    return result;
  }

  static Refusal GetRefusal(const TVMFFIAny* src) { return detail::FirstRefusalOf<V...>(src); }
  static std::string TypeStr() { return detail::ContainerTypeStr<V...>("Variant"); }
  static std::string TypeSchema() {
    std::string text = R"({"type":"Variant","args":[)";
    const char* separator = "";
    ((text += separator, text += detail::TypeSchema<V>::v(), separator = ","), ...);
    return text + "]}";
  }

 private:
  using FromAny = typename Variant<V...>::FromAny;

  template <typename T>
  TVM_FFI_INLINE static bool CheckOne(const TVMFFIAny* src) {
    if constexpr (std::is_same_v<T, Any>) {
      return true;
    } else {
      return TypeTraits<T>::CheckAnyStrict(src);
    }
  }
  template <typename T>
  static bool TryOne(const TVMFFIAny* src, std::optional<Variant<V...>>* result) {
    if constexpr (!std::is_same_v<T, Any>) {
      std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(src);
      if (!value.has_value()) return false;
      result->emplace(Variant<V...>(FromAny{}, Any(*std::move(value))));
    }
    return true;
  }
};

template <typename... V, typename T>
inline constexpr bool type_subsumes_v<Variant<V...>, T> = (type_subsumes_v<V, T> || ...);

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_VARIANT_H_
