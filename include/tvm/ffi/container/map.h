// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/map.h
 * \brief Map<K, V>: an insertion-ordered hash map with value semantics, copied on write while it is
 * shared.
 */
#ifndef TVM_FFI_CONTAINER_MAP_H_
#define TVM_FFI_CONTAINER_MAP_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map_base.h>

#include <initializer_list>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace tvm::ffi {

/*! \brief The object of Map. */
class MapObj : public MapBaseObj {
 public:
  using MapBaseObj::iterator;

  /*! \brief Make a map with the same keys and values, which are shared. */
  static ObjectPtr<Object> ShallowCopy(const MapObj* from) {
    return CopyFrom<MapObj>(const_cast<MapObj*>(from));
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIMap;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIMap, MapObj, Object);
  /// \endcond

 private:
  friend class MapBaseObj;
  template <typename K, typename V, typename>
  friend class Map;
  template <template <typename, typename, typename> class, typename, typename, typename, typename>
  friend class detail::MapRef;
  friend ObjectPtr<MapObj> make_object<MapObj>();
};

/*! \brief Make an empty map; the memory for its pairs follows the object. */
template <>
inline ObjectPtr<MapObj> make_object<MapObj>() {
  return detail::ObjectUnsafe::ObjectPtrFromOwned<MapObj>(
      detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(MapObj::Empty<MapObj>()));
}

/*!
 * \brief A map from K to V with value semantics.
 * \tparam K,V Any, or types that can be stored in Any.
 *
 * Copies share one object. If another strong or weak reference to the object exists, a write copies
 * the object first, so that other holders do not see the change. Iteration is in insertion order.
 * Setting an existing key keeps its position while the map is small (at most 4 entries), and moves
 * it to the end otherwise. A moved-from map is null: it reads as empty, and the first Set() creates
 * a new object.
 */
template <typename K, typename V,
          typename = typename std::enable_if_t<detail::all_storage_enabled_v<K, V>>>
class Map : public detail::MapRef<Map, MapObj, K, V, const V> {
 private:
  using Base = detail::MapRef<Map, MapObj, K, V, const V>;
  using Base::Obj;

 protected:
  using Base::data_;

 public:
  using Base::Base;
  Map() = default;
  Map(Map&& other) noexcept = default;
  Map(const Map& other) = default;
  Map& operator=(Map&& other) noexcept = default;
  Map& operator=(const Map& other) = default;

  /*! \brief Refer to a new empty map; the old object is not changed. */
  void clear() {
    if (data_ != nullptr) data_ = MapObj::Empty<MapObj>();
  }

  /*! \brief Set the value for `key`. When a hook of the key type throws, the exception passes
   * through and the map is unchanged. */
  void Set(const K& key, const V& value) {
    MapObj::KVType kv{Any(key), Any(value)};
    CopyOnWrite();
    if (ObjectPtr<Object> bigger = MapObj::InsertMaybeReHash<MapObj>(std::move(kv), data_)) {
      data_ = std::move(bigger);
    }
  }

  /*! \brief Remove the entry for `key`, if there is one. */
  void erase(const K& key) {
    if (data_ == nullptr) return;
    Any owned(key);
    CopyOnWrite()->erase(owned);
  }

  /*!
   * \brief Return an object that may be written to. If the object is shared, copy it first; if the
   * reference is null, make a new object.
   * \return the object, borrowed until the map is next copied or changed.
   */
  MapObj* CopyOnWrite() {
    if (data_ == nullptr) {
      data_ = MapObj::Empty<MapObj>();
    } else if (!data_.unique()) {
      data_ = MapObj::CopyFrom<MapObj>(Obj());
    }
    return Obj();
  }
};

template <typename K, typename V>
Map(std::initializer_list<std::pair<K, V>>) -> Map<K, V>;
template <typename K, typename V, typename Hash, typename Equal>
Map(const std::unordered_map<K, V, Hash, Equal>&) -> Map<K, V>;

/*! \brief Return a map with the entries of `lhs` and `rhs`. For a key in both maps, the value is
 * that of `rhs`. */
template <typename K, typename V,
          typename = typename std::enable_if_t<detail::all_storage_enabled_v<K, V>>>
inline Map<K, V> Merge(Map<K, V> lhs, const Map<K, V>& rhs) {
  for (const std::pair<K, V>& kv : rhs) lhs.Set(kv.first, kv.second);
  return lhs;
}

template <typename K, typename V>
inline constexpr bool use_default_type_traits_v<Map<K, V>> = false;

template <typename K, typename V>
struct TypeTraits<Map<K, V>> : public MapTypeTraitsBase<TypeTraits<Map<K, V>>, Map<K, V>, K, V> {
  static constexpr int32_t kPrimaryTypeIndex = TypeIndex::kTVMFFIMap;
  static constexpr int32_t kOtherTypeIndex = TypeIndex::kTVMFFIDict;
  static constexpr const char* kTypeName = "Map";
};

template <typename K, typename V, typename KU, typename VU>
inline constexpr bool type_subsumes_v<Map<K, V>, Map<KU, VU>> =
    type_subsumes_v<K, KU> && type_subsumes_v<V, VU>;

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_MAP_H_
