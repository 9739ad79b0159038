// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/stl.h
 * \brief Types of the standard library as arguments and results of functions.
 *
 * | type | converts to | converts from |
 * |---|---|---|
 * | `std::vector<T>` | Array | Array, List |
 * | `std::array<T, N>`, `std::tuple<...>`, `std::pair<A, B>` | Array | Array of that size |
 * | `std::map<K, V>`, `std::unordered_map<K, V>` | Map | Map |
 * | `std::optional<T>` | None or the value | None or a value that converts to T |
 * | `std::variant<...>` | the alternative | the first alternative that converts |
 * | `std::function<R(Args...)>` | Function, None when empty | Function, None |
 *
 * Values are always copied, element by element. If one element does not convert, the whole value
 * does not convert. The message then names the first element that does not convert, or the wrong
 * length. std::optional and std::variant of storable types can also be elements of containers. This
 * header does not affect other types.
 */
#ifndef TVM_FFI_EXTRA_STL_H_
#define TVM_FFI_EXTRA_STL_H_

#include <tvm/ffi/function.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// This header does not use these files, but programs for earlier releases get them from here.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/type_traits.h>

namespace tvm::ffi {

namespace detail {

/*! \brief Traits of types whose conversion to a value makes a new container or function object. */
template <typename T>
struct StlCopiedTraits : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;

  /*!
   * \brief Always throw: a view cannot own the new object. A call therefore converts such an
   * argument to an Any (view_needs_owner_v).
   * \throws RuntimeError in every case.
   */
  [[noreturn]] static void CopyToAnyView(const T&, TVMFFIAny*) {
    TVM_FFI_THROW(RuntimeError) << "An AnyView cannot own the value made of `"
                                << TypeTraits<T>::TypeStr() << "`; make an Any of it";
    TVM_FFI_UNREACHABLE();
  }
};

/*! \brief Store an owned value in `*result`. */
inline void MoveIntoAny(Any value, TVMFFIAny* result) {
  *result = AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
}

/*! \brief Return the schema `std::<name>` with the parts `args` between `[` and `]`. */
inline std::string StlSchema(const char* name, const std::string& args) {
  return std::string("{\"type\":\"std::") + name + "\",\"args\":[" + args + "]}";
}

/*! \brief Return the schemas of several types, separated by `separator`. */
template <typename... T>
std::string JoinedSchemas([[maybe_unused]] const char* separator) {
  std::string text;
  [[maybe_unused]] const char* before = "";
  ((text += before, text += TypeSchema<T>::v(), before = separator), ...);
  return text;
}

}  // namespace detail

template <typename T>
inline constexpr bool view_needs_owner_v<std::vector<T>> = true;
template <typename T, size_t N>
inline constexpr bool view_needs_owner_v<std::array<T, N>> = true;
template <typename... T>
inline constexpr bool view_needs_owner_v<std::tuple<T...>> = true;
template <typename A, typename B>
inline constexpr bool view_needs_owner_v<std::pair<A, B>> = true;

namespace detail {

/*! \brief Access to the elements of an Array or List. Holds a reference to the sequence, because a
 * conversion of an element may run user code, which may release the sequence. */
class StlElements {
 public:
  explicit StlElements(const TVMFFIAny* source)
      : owner_(AnyView::CopyFromTVMFFIAny(*source)),
        // Array and List have the same layout, so the same code reads both.
        sequence_(static_cast<const SeqBaseObj*>(
            ObjectUnsafe::RawObjectPtrFromUnowned<Object>(source->v_obj))) {}

  size_t size() const { return sequence_->size(); }
  /*! \brief Return element `i` as a T; nullopt if the element no longer exists or does not
   * convert. */
  template <typename T>
  std::optional<T> TryCast(size_t i) const {
    if (i >= size()) return std::nullopt;
    Any element = (*sequence_)[static_cast<int64_t>(i)];
    return element.try_cast<T>();
  }
  /*! \brief Return whether element `i` does not convert. `*refusal` receives the reason; it is
   * empty if the type of the element is the reason. */
  template <typename T>
  bool IsRefused(size_t i, Refusal* refusal) const {
    if (i >= size() || TryCast<T>(i).has_value()) return false;
    *refusal = AnyUnsafe::RefusalOf<T>((*sequence_)[static_cast<int64_t>(i)])
                   .At("index " + std::to_string(i));
    return true;
  }
  /*! \brief Return GetRefusal for a container type whose elements are all T. */
  template <typename T>
  Refusal RefusalOf() const {
    Refusal refusal;
    for (size_t i = 0; i < size() && !IsRefused<T>(i, &refusal);) ++i;
    return refusal;
  }

  /*! \brief Return whether element `i` does not convert. If it does not, `*text` receives the text
   * of GetMismatchTypeInfo for the container. */
  template <typename T>
  bool IsMismatch(size_t i, std::string* text) const {
    if (i >= size()) return false;
    Any element = (*sequence_)[static_cast<int64_t>(i)];
    if (element.try_cast<T>().has_value()) return false;
    bool is_array = owner_.type_index() == TypeIndex::kTVMFFIArray;
    *text = std::string(is_array ? "Array" : "List") + "[index " + std::to_string(i) + ": " +
            AnyUnsafe::GetMismatchTypeInfo<T>(element) + "]";
    return true;
  }
  /*! \brief Return the text of GetMismatchTypeInfo for a container type whose elements are all T.
   */
  template <typename T>
  std::string MismatchInfo() const {
    std::string text = owner_.GetTypeKey();
    for (size_t i = 0; i < size() && !IsMismatch<T>(i, &text);) ++i;
    return text;
  }

 private:
  Any owner_;
  const SeqBaseObj* sequence_;
};

template <typename T, typename Range>
Array<Any> MoveIntoArray(Range&& range) {
  Array<Any> result;
  result.reserve(static_cast<int64_t>(range.size()));
  for (auto&& element : range) result.push_back(Any(static_cast<T>(std::move(element))));
  return result;
}

/*! \brief Return whether the value is an Array of exactly `size` elements. */
inline bool IsArrayOfSize(const TVMFFIAny* source, size_t size) {
  return source->type_index == TypeIndex::kTVMFFIArray && StlElements(source).size() == size;
}

/*! \brief Describe a refused value that is not an Array of the right size. */
inline std::string WrongSizeInfo(const TVMFFIAny* source) {
  if (source->type_index != TypeIndex::kTVMFFIArray) return TypeIndexToTypeKey(source->type_index);
  return "Array[size=" + std::to_string(StlElements(source).size()) + "]";
}

}  // namespace detail

/*! \brief Converts to an Array; converts from an Array or List if all elements convert. */
template <typename T>
struct TypeTraits<std::vector<T>> : public detail::StlCopiedTraits<std::vector<T>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIArray;

  static void MoveToAny(std::vector<T> source, TVMFFIAny* result) {
    detail::MoveIntoAny(detail::MoveIntoArray<T>(source), result);
  }
  static std::optional<std::vector<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIArray &&
        source->type_index != TypeIndex::kTVMFFIList) {
      return std::nullopt;
    }
    detail::StlElements elements(source);
    std::vector<T> result;
    result.reserve(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
      std::optional<T> element = elements.TryCast<T>(i);
      if (!element.has_value()) return std::nullopt;
      result.push_back(*std::move(element));
    }
    return result;
  }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIArray &&
        source->type_index != TypeIndex::kTVMFFIList) {
      return {};
    }
    return detail::StlElements(source).RefusalOf<T>();
  }
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIArray &&
        source->type_index != TypeIndex::kTVMFFIList) {
      return TypeIndexToTypeKey(source->type_index);
    }
    return detail::StlElements(source).MismatchInfo<T>();
  }
  static std::string TypeStr() { return detail::ContainerTypeStr<T>("std::vector"); }
  static std::string TypeSchema() {
    return detail::StlSchema("vector", detail::JoinedSchemas<T>(","));
  }
};

/*! \brief Converts to an Array; converts from an Array of N elements if all of them convert. */
template <typename T, size_t N>
struct TypeTraits<std::array<T, N>> : public detail::StlCopiedTraits<std::array<T, N>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIArray;

  static void MoveToAny(std::array<T, N> source, TVMFFIAny* result) {
    detail::MoveIntoAny(detail::MoveIntoArray<T>(source), result);
  }
  static std::optional<std::array<T, N>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!detail::IsArrayOfSize(source, N)) return std::nullopt;
    return Convert(detail::StlElements(source), std::make_index_sequence<N>());
  }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    if (!detail::IsArrayOfSize(source, N)) return {};
    return detail::StlElements(source).RefusalOf<T>();
  }
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    if (!detail::IsArrayOfSize(source, N)) return detail::WrongSizeInfo(source);
    return detail::StlElements(source).MismatchInfo<T>();
  }
  static std::string TypeStr() {
    return "std::array<" + detail::Type2Str<T>::v() + ", " + std::to_string(N) + ">";
  }
  static std::string TypeSchema() {
    return detail::StlSchema("array", detail::TypeSchema<T>::v() + "," + std::to_string(N));
  }

 private:
  // Construct all elements of the array from `parts`, because T need not have a default
  // constructor.
  template <size_t... I>
  static std::optional<std::array<T, N>> Convert(
      [[maybe_unused]] const detail::StlElements& elements, std::index_sequence<I...>) {
    [[maybe_unused]] std::array<std::optional<T>, N> parts;
    if (!((parts[I] = elements.TryCast<T>(I)).has_value() && ...)) return std::nullopt;
    return std::array<T, N>{*std::move(parts[I])...};
  }
};

namespace detail {

/*! \brief Converts to an Array; converts from an Array of the same length, element by element. */
template <typename StdTuple, typename... T>
struct StlTupleTraits : public StlCopiedTraits<StdTuple> {
  static_assert(sizeof...(T) != 0, "an empty std::tuple has no use as a value");
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIArray;

  static void MoveToAny(StdTuple source, TVMFFIAny* result) {
    Array<Any> array;
    array.reserve(sizeof...(T));
    std::apply([&](T&... part) { (array.push_back(Any(std::move(part))), ...); }, source);
    MoveIntoAny(std::move(array), result);
  }
  static std::optional<StdTuple> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!IsArrayOfSize(source, sizeof...(T))) return std::nullopt;
    return Convert(StlElements(source), std::index_sequence_for<T...>());
  }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    Refusal refusal;
    if (IsArrayOfSize(source, sizeof...(T))) {
      DescribeRefusal(StlElements(source), &refusal, std::index_sequence_for<T...>());
    }
    return refusal;
  }
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    if (!IsArrayOfSize(source, sizeof...(T))) return WrongSizeInfo(source);
    std::string text = TypeIndexToTypeKey(source->type_index);
    DescribeMismatch(StlElements(source), &text, std::index_sequence_for<T...>());
    return text;
  }
  static std::string TypeSchema() { return StlSchema("tuple", JoinedSchemas<T...>(", ")); }

 private:
  template <size_t... I>
  static void DescribeRefusal(const StlElements& elements, Refusal* refusal,
                              std::index_sequence<I...>) {
    (void)(elements.IsRefused<T>(I, refusal) || ...);
  }
  template <size_t... I>
  static void DescribeMismatch(const StlElements& elements, std::string* text,
                               std::index_sequence<I...>) {
    (void)(elements.IsMismatch<T>(I, text) || ...);
  }
  template <size_t... I>
  static std::optional<StdTuple> Convert(const StlElements& elements, std::index_sequence<I...>) {
    std::tuple<std::optional<T>...> parts;
    if (!((std::get<I>(parts) = elements.TryCast<T>(I)).has_value() && ...)) return std::nullopt;
    return StdTuple(*std::move(std::get<I>(parts))...);
  }
};

}  // namespace detail

template <typename... T>
struct TypeTraits<std::tuple<T...>> : public detail::StlTupleTraits<std::tuple<T...>, T...> {
  static std::string TypeStr() { return detail::ContainerTypeStr<T...>("std::tuple"); }
};

/*! \brief Like std::tuple<A, B>; the schema does not distinguish the two types. */
template <typename A, typename B>
struct TypeTraits<std::pair<A, B>> : public detail::StlTupleTraits<std::pair<A, B>, A, B> {
  static std::string TypeStr() { return detail::ContainerTypeStr<A, B>("std::pair"); }
};

template <typename T>
inline constexpr bool view_needs_owner_v<std::optional<T>> = view_needs_owner_v<T>;
template <typename T>
inline constexpr bool may_write_tensor_v<std::optional<T>> = may_write_tensor_v<T>;
template <typename... T>
inline constexpr bool view_needs_owner_v<std::variant<T...>> = (view_needs_owner_v<T> || ...);

/*! \brief Converts to None or to the contained value; converts from None or a value that converts
 * to T. */
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
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    return TypeTraits<T>::GetMismatchTypeInfo(source);
  }
  static Refusal GetRefusal(const TVMFFIAny* source) { return detail::RefusalOf<T>(source); }
  static std::string TypeStr() { return detail::ContainerTypeStr<T>("std::optional"); }
  static std::string TypeSchema() {
    return detail::StlSchema("optional", detail::JoinedSchemas<T>(","));
  }

 private:
  static bool IsNone(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone;
  }
};

/*! \brief Converts to the contained alternative; converts from a value to the first alternative
 * that accepts it. */
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
  static Refusal GetRefusal(const TVMFFIAny* source) {
    return detail::FirstRefusalOf<T...>(source);
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

template <typename K, typename V>
inline constexpr bool view_needs_owner_v<std::map<K, V>> = true;
template <typename K, typename V>
inline constexpr bool view_needs_owner_v<std::unordered_map<K, V>> = true;

namespace detail {

/*! \brief Converts to a Map; converts from a Map if all keys and values convert. */
template <typename StdMap, typename K, typename V>
struct StlMapTraits : public StlCopiedTraits<StdMap> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIMap;

  static void MoveToAny(StdMap source, TVMFFIAny* result) {
    Map<Any, Any> map;
    for (auto& entry : source) map.Set(Any(K(entry.first)), Any(V(std::move(entry.second))));
    MoveIntoAny(std::move(map), result);
  }
  /*! \brief Convert a Map. If several keys are equal after the conversion, use the first entry. */
  static std::optional<StdMap> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIMap) return std::nullopt;
    // Take a reference to the map, because a conversion may run user code.
    auto map = AnyView::CopyFromTVMFFIAny(*source).cast<Map<Any, Any>>();
    StdMap result;
    for (const auto& entry : map) {
      std::optional<K> key = entry.first.template try_cast<K>();
      if (!key.has_value()) return std::nullopt;
      std::optional<V> value = entry.second.template try_cast<V>();
      if (!value.has_value()) return std::nullopt;
      result.emplace(*std::move(key), *std::move(value));
    }
    return result;
  }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIMap) return {};
    auto map = AnyView::CopyFromTVMFFIAny(*source).cast<Map<Any, Any>>();
    for (const auto& entry : map) {
      bool key_fits = entry.first.template try_cast<K>().has_value();
      if (key_fits && entry.second.template try_cast<V>().has_value()) continue;
      if (key_fits) return AnyUnsafe::RefusalOf<V>(entry.second).At("some value");
      return AnyUnsafe::RefusalOf<K>(entry.first).At("some key");
    }
    return {};
  }
  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    std::string text = TypeIndexToTypeKey(source->type_index);
    if (source->type_index != TypeIndex::kTVMFFIMap) return text;
    auto map = AnyView::CopyFromTVMFFIAny(*source).cast<Map<Any, Any>>();
    for (const auto& [key, value] : map) {
      if (!key.template try_cast<K>().has_value()) {
        return "Map[some key is " + AnyUnsafe::GetMismatchTypeInfo<K>(key) + ", V]";
      }
      if (!value.template try_cast<V>().has_value()) {
        return "Map[K, some value is " + AnyUnsafe::GetMismatchTypeInfo<V>(value) + AtKeyText(key) +
               "]";
      }
    }
    return text;
  }
};

}  // namespace detail

template <typename K, typename V>
struct TypeTraits<std::map<K, V>> : public detail::StlMapTraits<std::map<K, V>, K, V> {
  static std::string TypeStr() { return detail::ContainerTypeStr<K, V>("std::map"); }
  static std::string TypeSchema() {
    return detail::StlSchema("map", detail::JoinedSchemas<K, V>(","));
  }
};

template <typename K, typename V>
struct TypeTraits<std::unordered_map<K, V>>
    : public detail::StlMapTraits<std::unordered_map<K, V>, K, V> {
  static std::string TypeStr() { return detail::ContainerTypeStr<K, V>("std::unordered_map"); }
  static std::string TypeSchema() {
    return detail::StlSchema("unordered_map", detail::JoinedSchemas<K, V>(","));
  }
};

template <typename R, typename... Args>
inline constexpr bool view_needs_owner_v<std::function<R(Args...)>> = true;

/*! \brief Converts to a Function, and from a Function. A std::function that is made from a Function
 * calls that Function, and passes all exceptions through. */
template <typename R, typename... Args>
struct TypeTraits<std::function<R(Args...)>>
    : public detail::StlCopiedTraits<std::function<R(Args...)>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIFunction;

  static void MoveToAny(std::function<R(Args...)> source, TVMFFIAny* result) {
    if (source == nullptr) return detail::SetAnyNone(result);
    TypeTraits<Function>::MoveToAny(TypedFunction<R(Args...)>(std::move(source)).packed(), result);
  }
  static std::optional<std::function<R(Args...)>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return std::function<R(Args...)>();
    if (source->type_index != TypeIndex::kTVMFFIFunction) return std::nullopt;
    return std::function<R(Args...)>(
        TypedFunction<R(Args...)>(TypeTraits<Function>::CopyFromAnyViewAfterCheck(source)));
  }
  static std::string TypeStr() {
    std::string text = "std::function<" + detail::Type2Str<R>::v() + "(";
    [[maybe_unused]] const char* separator = "";
    ((text += separator, text += detail::Type2Str<Args>::v(), separator = ", "), ...);
    return text + ")>";
  }
  static std::string TypeSchema() {
    return R"({"type":"std::function","named_args":{"return":[)" + detail::TypeSchema<R>::v() +
           R"(],"params":[)" + detail::JoinedSchemas<Args...>(", ") + "]}}";
  }
};

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_STL_H_
