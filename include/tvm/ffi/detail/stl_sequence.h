// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/stl_sequence.h
 * \brief std::vector, std::array and std::tuple as values; included by extra/stl.h.
 */
#ifndef TVM_FFI_DETAIL_STL_SEQUENCE_H_
#define TVM_FFI_DETAIL_STL_SEQUENCE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/detail/stl_base.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {

template <typename T>
inline constexpr bool view_needs_owner_v<std::vector<T>> = true;
template <typename T, size_t N>
inline constexpr bool view_needs_owner_v<std::array<T, N>> = true;
template <typename... T>
inline constexpr bool view_needs_owner_v<std::tuple<T...>> = true;

namespace detail {

/*! \brief The elements behind an Array or List, kept alive: converting one may run user code. */
class StlElements {
 public:
  explicit StlElements(const TVMFFIAny* source)
      : owner_(AnyView::CopyFromTVMFFIAny(*source)),
        // Array and List share the layout; which of the two it is does not matter for reading.
        sequence_(static_cast<const SeqBaseObj*>(
            ObjectUnsafe::RawObjectPtrFromUnowned<Object>(source->v_obj))) {}

  size_t size() const { return sequence_->size(); }
  /*! \brief Element `i` converted, if it is still there and does convert. */
  template <typename T>
  std::optional<T> TryCast(size_t i) const {
    if (i >= size()) return std::nullopt;
    Any element = (*sequence_)[static_cast<int64_t>(i)];
    return element.try_cast<T>();
  }
  /*!
   * \brief Whether element `i` does not convert; `text` tells if that is because an integer is out
   * of range, else it is empty.
   */
  template <typename T>
  bool IsRefused(size_t i, std::string* text) const {
    if (i >= size() || TryCast<T>(i).has_value()) return false;
    *text = AnyUnsafe::OverflowInfo<T>((*sequence_)[static_cast<int64_t>(i)]);
    if (!text->empty()) *text = "index " + std::to_string(i) + ": " + *text;
    return true;
  }
  /*! \brief GetOverflowInfo of a type whose elements are all T. */
  template <typename T>
  std::string OverflowInfo() const {
    std::string text;
    for (size_t i = 0; i < size() && !IsRefused<T>(i, &text);) ++i;
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

/*! \brief An Array of exactly `size` elements. */
inline bool IsArrayOfSize(const TVMFFIAny* source, size_t size) {
  return source->type_index == TypeIndex::kTVMFFIArray && StlElements(source).size() == size;
}

}  // namespace detail

/*! \brief Becomes an Array; made of the elements of an Array or List that all convert. */
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
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIArray &&
        source->type_index != TypeIndex::kTVMFFIList) {
      return std::string();
    }
    return detail::StlElements(source).OverflowInfo<T>();
  }
  static std::string TypeStr() { return detail::ContainerTypeStr<T>("std::vector"); }
  static std::string TypeSchema() {
    return detail::StlSchema("vector", detail::JoinedSchemas<T>(","));
  }
};

/*! \brief Becomes an Array; made of an Array of as many elements that all convert. */
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
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    if (!detail::IsArrayOfSize(source, N)) return std::string();
    return detail::StlElements(source).OverflowInfo<T>();
  }
  static std::string TypeStr() {
    return "std::array<" + detail::Type2Str<T>::v() + ", " + std::to_string(N) + ">";
  }
  static std::string TypeSchema() {
    return detail::StlSchema("array", detail::TypeSchema<T>::v() + "," + std::to_string(N));
  }

 private:
  // T need not have a default constructor.
  template <size_t... I>
  static std::optional<std::array<T, N>> Convert(
      [[maybe_unused]] const detail::StlElements& elements, std::index_sequence<I...>) {
    [[maybe_unused]] std::array<std::optional<T>, N> parts;
    if (!((parts[I] = elements.TryCast<T>(I)).has_value() && ...)) return std::nullopt;
    return std::array<T, N>{*std::move(parts[I])...};
  }
};

/*! \brief Becomes an Array; made of an Array of as many elements that each convert. */
template <typename... T>
struct TypeTraits<std::tuple<T...>> : public detail::StlCopiedTraits<std::tuple<T...>> {
  static_assert(sizeof...(T) != 0, "an empty std::tuple has no use as a value");
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIArray;

  static void MoveToAny(std::tuple<T...> source, TVMFFIAny* result) {
    Array<Any> array;
    array.reserve(sizeof...(T));
    std::apply([&](T&... part) { (array.push_back(Any(std::move(part))), ...); }, source);
    detail::MoveIntoAny(std::move(array), result);
  }
  static std::optional<std::tuple<T...>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!detail::IsArrayOfSize(source, sizeof...(T))) return std::nullopt;
    return Convert(detail::StlElements(source), std::index_sequence_for<T...>());
  }
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    std::string text;
    if (detail::IsArrayOfSize(source, sizeof...(T))) {
      Describe(detail::StlElements(source), &text, std::index_sequence_for<T...>());
    }
    return text;
  }
  static std::string TypeStr() { return detail::ContainerTypeStr<T...>("std::tuple"); }
  static std::string TypeSchema() {
    return detail::StlSchema("tuple", detail::JoinedSchemas<T...>(", "));
  }

 private:
  template <size_t... I>
  static void Describe(const detail::StlElements& elements, std::string* text,
                       std::index_sequence<I...>) {
    (void)(elements.IsRefused<T>(I, text) || ...);
  }
  template <size_t... I>
  static std::optional<std::tuple<T...>> Convert(const detail::StlElements& elements,
                                                 std::index_sequence<I...>) {
    std::tuple<std::optional<T>...> parts;
    if (!((std::get<I>(parts) = elements.TryCast<T>(I)).has_value() && ...)) return std::nullopt;
    return std::tuple<T...>(*std::move(std::get<I>(parts))...);
  }
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_STL_SEQUENCE_H_
