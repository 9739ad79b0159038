// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/map_ref.h
 * \brief The members that Map<K, V> and Dict<K, V> have in common. Part of container/map_base.h.
 */
#ifndef TVM_FFI_DETAIL_MAP_REF_H_
#define TVM_FFI_DETAIL_MAP_REF_H_

#include <tvm/ffi/container/map_base.h>

#include <initializer_list>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace tvm::ffi {

namespace detail {

/*!
 * \brief Base of the reference classes Map<K, V> and Dict<K, V>.
 * \tparam Derived the template Map or Dict.
 * \tparam TObj MapObj or DictObj.
 * \tparam K,V Any, or types that can be stored in Any.
 * \tparam TRead the result type of the functions that read a value.
 */
template <template <typename, typename, typename> class Derived, typename TObj, typename K,
          typename V, typename TRead>
class MapRef : public ObjectRef {
 private:
  template <typename KU, typename VU>
  using EnableIfShared = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                          !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>;
  template <typename IterType>
  using EntryIter = IterAdapter<ToMapEntry<K, V>, IterType>;

 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using ContainerType = TObj;
  /*! \brief A bidirectional iterator that yields pairs by value. It becomes invalid like a
   * MapBaseObj::iterator. */
  using iterator = TypedMapIterator<K, V>;
  using const_iterator = iterator;
  static constexpr bool _type_is_nullable = false;
  static constexpr bool _type_container_is_exact = std::is_same_v<K, Any> && std::is_same_v<V, Any>;

  /*! \brief Make an empty container. */
  MapRef() : ObjectRef(TObj::template Empty<TObj>()) {}
  /*! \brief Make a null reference. */
  explicit MapRef(UnsafeInit tag) : ObjectRef(tag) {}
  /*! \brief Share the object of a container whose keys and values are all valid as K and V. */
  template <typename KU, typename VU, typename = EnableIfShared<KU, VU>>
  MapRef(Derived<KU, VU, void>&& other) noexcept  // NOLINT(*)
      : ObjectRef(ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other))) {}
  /*! \brief Share the object of a container whose keys and values are all valid as K and V. */
  template <typename KU, typename VU, typename = EnableIfShared<KU, VU>>
  MapRef(const Derived<KU, VU, void>& other)  // NOLINT(*)
      : ObjectRef(ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other)) {}
  /*!
   * \brief Refer to a TObj. All of its keys and values must have the storage types of K and V; the
   * constructor does not check this.
   * \throws InternalError when `n` is null.
   */
  explicit MapRef(ObjectPtr<Object> n) : ObjectRef(std::move(n)) {
    TVM_FFI_ICHECK_NOTNULL(data_.get());
  }
  /*! \brief Use the pairs in [begin, end); of pairs with equal keys the last value is kept. */
  template <typename IterType>
  MapRef(IterType begin, IterType end)
      : ObjectRef(TObj::template CreateFromRange<TObj>(EntryIter<IterType>(begin),
                                                       EntryIter<IterType>(end))) {}
  /*! \brief Use the pairs in a list; of pairs with equal keys the last value is kept. */
  MapRef(std::initializer_list<std::pair<K, V>> init)  // NOLINT(*)
      : MapRef(init.begin(), init.end()) {}
  /*! \brief Use the pairs in a standard map, in the order of that map. */
  template <typename Hash, typename Equal>
  MapRef(const std::unordered_map<K, V, Hash, Equal>& init)  // NOLINT(*)
      : MapRef(init.begin(), init.end()) {}

  /*! \brief Return a copy of the value for `key`. \throws KeyError when the key is missing. */
  TRead at(const K& key) const {
    if (data_ == nullptr) TObj::ThrowNoMap();
    return AnyUnsafe::CopyFromAnyViewAfterCheck<V>(std::as_const(*Obj()).at(LookupKey<K>(key)));
  }
  /*! \brief Like at(); never inserts a key. */
  TRead operator[](const K& key) const { return this->at(key); }
  /*! \brief Return the number of entries; 0 for a null reference. */
  size_t size() const { return data_ == nullptr ? 0 : Obj()->size(); }
  /*! \brief Return 1 when there is an entry for `key`, else 0. */
  size_t count(const K& key) const {
    return data_ == nullptr ? 0 : Obj()->count(LookupKey<K>(key));
  }
  /*! \brief Return whether there is no entry. */
  bool empty() const { return size() == 0; }

  /*! \brief Return the position of the first entry. */
  iterator begin() const { return data_ == nullptr ? iterator() : iterator(Obj()->begin()); }
  /*! \brief Return the position behind the last entry. */
  iterator end() const { return data_ == nullptr ? iterator() : iterator(Obj()->end()); }
  /*! \brief Return the position of `key`, or end() when it is missing. */
  iterator find(const K& key) const {
    return data_ == nullptr ? iterator() : iterator(Obj()->find(LookupKey<K>(key)));
  }
  /*! \brief Return a copy of the value for `key`, or nullopt when it is missing. */
  std::optional<V> Get(const K& key) const {
    if (data_ == nullptr) return std::nullopt;
    MapBaseObj::iterator position = Obj()->find(LookupKey<K>(key));
    if (position == Obj()->end()) return std::nullopt;
    return AnyUnsafe::CopyFromAnyViewAfterCheck<V>(position->second);
  }

 protected:
  TObj* Obj() const { return static_cast<TObj*>(data_.get()); }
};

}  // namespace detail
}  // namespace tvm::ffi
#endif  // TVM_FFI_DETAIL_MAP_REF_H_
