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
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace tvm {
namespace ffi {

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
class Map : public ObjectRef {
 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using ContainerType = MapObj;
  /*! \brief A bidirectional iterator that yields pairs by value. It becomes invalid like a
   * MapBaseObj::iterator. */
  using iterator = detail::TypedMapIterator<K, V>;
  using const_iterator = iterator;
  static constexpr bool _type_is_nullable = false;
  static constexpr bool _type_container_is_exact = std::is_same_v<K, Any> && std::is_same_v<V, Any>;

  /*! \brief Make a null reference. */
  explicit Map(UnsafeInit tag) : ObjectRef(tag) {}
  /*! \brief Make an empty map. */
  Map() : ObjectRef(MapObj::Empty<MapObj>()) {}
  Map(Map&& other) noexcept = default;
  Map(const Map& other) = default;
  Map& operator=(Map&& other) noexcept = default;
  Map& operator=(const Map& other) = default;

  /*! \brief Share the object of a map whose keys and values are all valid as K and V. */
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Map(Map<KU, VU>&& other) noexcept  // NOLINT(*)
      : ObjectRef(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other))) {}
  /*! \brief Share the object of a map whose keys and values are all valid as K and V. */
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Map(const Map<KU, VU>& other)  // NOLINT(*)
      : ObjectRef(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other)) {}
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Map& operator=(Map<KU, VU>&& other) noexcept {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other));
    return *this;
  }
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Map& operator=(const Map<KU, VU>& other) {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other);
    return *this;
  }

  /*!
   * \brief Refer to a MapObj. All of its keys and values must have the storage types of K and V;
   * the constructor does not check this.
   * \throws InternalError when `n` is null.
   */
  explicit Map(ObjectPtr<Object> n) : ObjectRef(std::move(n)) {
    TVM_FFI_ICHECK_NOTNULL(data_.get());
  }

  /*! \brief Make a map of the pairs in [begin, end); of pairs with equal keys the last value is
   * kept. */
  template <typename IterType>
  Map(IterType begin, IterType end)
      : ObjectRef(MapObj::CreateFromRange<MapObj>(EntryIter<IterType>(begin),
                                                  EntryIter<IterType>(end))) {}
  /*! \brief Make a map of the pairs in a list; of pairs with equal keys the last value is kept. */
  Map(std::initializer_list<std::pair<K, V>> init) : Map(init.begin(), init.end()) {}  // NOLINT(*)
  /*! \brief Make a map of the pairs in a standard map, in the order of that map. */
  template <typename Hash, typename Equal>
  Map(const std::unordered_map<K, V, Hash, Equal>& init)  // NOLINT(*)
      : Map(init.begin(), init.end()) {}

  /*! \brief Return a copy of the value for `key`. \throws KeyError when the key is missing. */
  const V at(const K& key) const {
    if (data_ == nullptr) MapObj::ThrowNoMap();
    return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<V>(
        std::as_const(*Obj()).at(detail::LookupKey<K>(key)));
  }
  /*! \brief Like at(); never inserts a key. */
  const V operator[](const K& key) const { return this->at(key); }
  /*! \brief Return the number of entries; 0 for a null reference. */
  size_t size() const { return data_ == nullptr ? 0 : Obj()->size(); }
  /*! \brief Return 1 when there is an entry for `key`, else 0. */
  size_t count(const K& key) const {
    return data_ == nullptr ? 0 : Obj()->count(detail::LookupKey<K>(key));
  }
  /*! \brief Return whether there is no entry. */
  bool empty() const { return size() == 0; }

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

  /*! \brief Return the position of the first entry. */
  iterator begin() const { return data_ == nullptr ? iterator() : iterator(Obj()->begin()); }
  /*! \brief Return the position behind the last entry. */
  iterator end() const { return data_ == nullptr ? iterator() : iterator(Obj()->end()); }
  /*! \brief Return the position of `key`, or end() when it is missing. */
  iterator find(const K& key) const {
    return data_ == nullptr ? iterator() : iterator(Obj()->find(detail::LookupKey<K>(key)));
  }
  /*! \brief Return a copy of the value for `key`, or nullopt when it is missing. */
  std::optional<V> Get(const K& key) const {
    if (data_ == nullptr) return std::nullopt;
    MapBaseObj::iterator position = Obj()->find(detail::LookupKey<K>(key));
    if (position == Obj()->end()) return std::nullopt;
    return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<V>(position->second);
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

 private:
  template <typename IterType>
  using EntryIter = detail::IterAdapter<detail::ToMapEntry<K, V>, IterType>;

  MapObj* Obj() const { return static_cast<MapObj*>(data_.get()); }
};

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

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_CONTAINER_MAP_H_
