// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/map_traits.h
 * \brief Typed iterators and conversion rules shared by Map and Dict. Part of container/map_base.h.
 */
#ifndef TVM_FFI_DETAIL_MAP_TRAITS_H_
#define TVM_FFI_DETAIL_MAP_TRAITS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/container/map_base.h>

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {
namespace detail {

/*!
 * \brief Position in a Map<K, V> or Dict<K, V>; yields the pair by value.
 *
 * Ends at the next change of the map, except that other entries may be erased.
 */
template <typename K, typename V>
class TypedMapIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using difference_type = int64_t;
  using value_type = const std::pair<K, V>;
  using pointer = value_type*;
  using reference = value_type;

  /*! \brief Nowhere. */
  TypedMapIterator() = default;
  explicit TypedMapIterator(MapBaseObj::iterator position) : position_(position) {}

  bool operator==(const TypedMapIterator& other) const { return position_ == other.position_; }
  bool operator!=(const TypedMapIterator& other) const { return position_ != other.position_; }
  // The pair is made when asked for, so there is nothing to point at.
  pointer operator->() const = delete;
  reference operator*() const {
    const MapBaseObj::KVType& kv = *position_;
    return std::pair<K, V>(AnyUnsafe::CopyFromAnyViewAfterCheck<K>(kv.first),
                           AnyUnsafe::CopyFromAnyViewAfterCheck<V>(kv.second));
  }
  TypedMapIterator& operator++() {
    ++position_;
    return *this;
  }
  TypedMapIterator& operator--() {
    --position_;
    return *this;
  }
  TypedMapIterator operator++(int) {
    TypedMapIterator copy = *this;
    ++position_;
    return copy;
  }
  TypedMapIterator operator--(int) {
    TypedMapIterator copy = *this;
    --position_;
    return copy;
  }

 private:
  MapBaseObj::iterator position_;
};

/*! \brief Converter of IterAdapter: any pair as an entry of a Map<K, V>, by way of K and V. */
template <typename K, typename V>
struct ToMapEntry {
  using ResultType = MapBaseObj::KVType;
  template <typename Pair>
  static ResultType convert(Pair&& pair) {
    return ResultType(Any(K(pair.first)), Any(V(pair.second)));
  }
};

}  // namespace detail

/*!
 * \brief Base of the TypeTraits of a typed map.
 * \tparam Derived supplies `kPrimaryTypeIndex` (the kind itself), `kOtherTypeIndex` (the kind that
 *         it is converted from) and `kTypeName`.
 * \tparam MapRefType the reference class, e.g. `Map<K, V>`.
 */
template <typename Derived, typename MapRefType, typename K, typename V>
struct MapTypeTraitsBase : public ObjectRefTypeTraitsBase<MapRefType> {
 public:
  using ObjectRefTypeTraitsBase<MapRefType>::CopyFromAnyViewAfterCheck;

  /*! \brief Of this kind, with every key and value exactly of the storage type. */
  static bool CheckAnyStrict(const TVMFFIAny* src) {
    if (src->type_index != Derived::kPrimaryTypeIndex) return false;
    if constexpr (!std::is_same_v<K, Any> || !std::is_same_v<V, Any>) {
      for (const MapBaseObj::KVType& kv : *MapOf(src)) {
        if (!detail::AnyUnsafe::CheckAnyStrict<K>(kv.first)) return false;
        if (!detail::AnyUnsafe::CheckAnyStrict<V>(kv.second)) return false;
      }
    }
    return true;
  }

  /*! \brief The same object when strict, otherwise a new one with converted entries. */
  static std::optional<MapRefType> TryCastFromAnyView(const TVMFFIAny* src) {
    if (!IsMap(src)) return std::nullopt;
    if (CheckAnyStrict(src)) return CopyFromAnyViewAfterCheck(src);
    MapRefType result;
    for (const MapBaseObj::KVType& kv : Snapshot(src)) {
      std::optional<K> key = kv.first.template try_cast<K>();
      if (!key.has_value()) return std::nullopt;
      std::optional<V> value = kv.second.template try_cast<V>();
      if (!value.has_value()) return std::nullopt;
      result.Set(*std::move(key), *std::move(value));
    }
    return result;
  }

  /*! \brief Names the first key or value that cannot be converted, else one that is not strict. */
  static std::string GetMismatchTypeInfo(const TVMFFIAny* src) {
    if (IsMap(src)) {
      std::optional<std::string> not_strict;
      for (const MapBaseObj::KVType& kv : Snapshot(src)) {
        if (!detail::AnyUnsafe::CheckAnyStrict<K>(kv.first)) {
          std::string text = std::string(Derived::kTypeName) + "[some key is " +
                             detail::AnyUnsafe::GetMismatchTypeInfo<K>(kv.first) + ", V]";
          if (!kv.first.template try_cast<K>().has_value()) return text;
          if (!not_strict.has_value()) not_strict = text;
        }
        if (!detail::AnyUnsafe::CheckAnyStrict<V>(kv.second)) {
          std::string text = std::string(Derived::kTypeName) + "[K, some value is " +
                             detail::AnyUnsafe::GetMismatchTypeInfo<V>(kv.second) + "]";
          if (!kv.second.template try_cast<V>().has_value()) return text;
          if (!not_strict.has_value()) not_strict = text;
        }
      }
      if (not_strict.has_value()) return *not_strict;
    }
    return TypeTraitsBase::GetMismatchTypeInfo(src);
  }

  /*! \brief Text about the first key or value that cannot be converted. */
  static std::string GetOverflowInfo(const TVMFFIAny* src) {
    if (!IsMap(src)) return std::string();
    for (const MapBaseObj::KVType& kv : Snapshot(src)) {
      if (!kv.first.template try_cast<K>().has_value()) {
        std::string text = detail::AnyUnsafe::OverflowInfo<K>(kv.first);
        return text.empty() ? text : "some key: " + text;
      }
      if (!kv.second.template try_cast<V>().has_value()) {
        std::string text = detail::AnyUnsafe::OverflowInfo<V>(kv.second);
        return text.empty() ? text : "some value: " + text;
      }
    }
    return std::string();
  }

  static std::string TypeStr() { return detail::ContainerTypeStr<K, V>(Derived::kTypeName); }
  static std::string TypeSchema() {
    return std::string(R"({"type":"ffi.)") + Derived::kTypeName + R"(","args":[)" +
           detail::TypeSchema<K>::v() + "," + detail::TypeSchema<V>::v() + "]}";
  }

 private:
  static bool IsMap(const TVMFFIAny* src) {
    return src->type_index == Derived::kPrimaryTypeIndex ||
           src->type_index == Derived::kOtherTypeIndex;
  }

  static const MapBaseObj* MapOf(const TVMFFIAny* src) {
    // Map and Dict share the layout; which of the two it is does not matter for reading.
    return detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(src->v_obj);
  }

  // The entries as they are now: converting them may run user code, and that may change the map.
  static std::vector<MapBaseObj::KVType> Snapshot(const TVMFFIAny* src) {
    const MapBaseObj* map = MapOf(src);
    return std::vector<MapBaseObj::KVType>(map->begin(), map->end());
  }
};

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_MAP_TRAITS_H_
