// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/stl_mapping.h
 * \brief std::map and std::unordered_map as values; included by extra/stl.h.
 */
#ifndef TVM_FFI_DETAIL_STL_MAPPING_H_
#define TVM_FFI_DETAIL_STL_MAPPING_H_

#include <tvm/ffi/container/map.h>
#include <tvm/ffi/detail/stl_base.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace tvm {
namespace ffi {

template <typename K, typename V>
inline constexpr bool view_needs_owner_v<std::map<K, V>> = true;
template <typename K, typename V>
inline constexpr bool view_needs_owner_v<std::unordered_map<K, V>> = true;

namespace detail {

/*! \brief Becomes a Map; made of a Map whose keys and values all convert. */
template <typename StdMap, typename K, typename V>
struct StlMapTraits : public StlCopiedTraits<StdMap> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIMap;

  static void MoveToAny(StdMap source, TVMFFIAny* result) {
    Map<Any, Any> map;
    for (auto& entry : source) map.Set(Any(K(entry.first)), Any(V(std::move(entry.second))));
    MoveIntoAny(std::move(map), result);
  }
  /*! \brief Of keys that become equal the first one counts. */
  static std::optional<StdMap> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIMap) return std::nullopt;
    // A reference of our own, as converting may run user code.
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
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIMap) return std::string();
    auto map = AnyView::CopyFromTVMFFIAny(*source).cast<Map<Any, Any>>();
    for (const auto& entry : map) {
      bool key_fits = entry.first.template try_cast<K>().has_value();
      if (key_fits && entry.second.template try_cast<V>().has_value()) continue;
      std::string text = key_fits ? AnyUnsafe::OverflowInfo<V>(entry.second)
                                  : AnyUnsafe::OverflowInfo<K>(entry.first);
      return text.empty() ? text : (key_fits ? "some value: " : "some key: ") + text;
    }
    return std::string();
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

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_STL_MAPPING_H_
