// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/dict.h
 * \brief Dict<K, V>: an insertion-ordered hash map that is shared and changed in place.
 */
#ifndef TVM_FFI_CONTAINER_DICT_H_
#define TVM_FFI_CONTAINER_DICT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map_base.h>

#include <initializer_list>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace tvm {
namespace ffi {

/*! \brief The object of Dict, whose address never changes. */
class DictObj : public MapBaseObj {
 public:
  using MapBaseObj::iterator;

  /*! \brief Make a dict with the same keys and values, which are shared. */
  static ObjectPtr<Object> ShallowCopy(const DictObj* from) {
    return CopyFrom<DictObj>(const_cast<DictObj*>(from));
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIDict;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIDict, DictObj, Object);
  /// \endcond

 private:
  friend class MapBaseObj;
  template <typename K, typename V, typename>
  friend class Dict;
  friend ObjectPtr<DictObj> make_object<DictObj>();

  /*!
   * \brief Replace the storage of this dict by that of `other`.
   *
   * The caller has already relocated all entries of this dict to `other`, so this function does not
   * release entries. A dict in the dense layout never returns to the small layout.
   */
  void TakeStorage(ObjectPtr<Object>&& other) {
    DictObj* from = static_cast<DictObj*>(other.get());
    if (IsSmallMap()) {
      AsSmall()->FreeStorage();
    } else {
      AsDense()->ForgetTable();
    }
    if (from->IsSmallMap()) {
      TakePairs(std::move(other));
    } else {
      // TakeTable overwrites any pairs that follow this object in memory; they were relocated.
      AsDense()->TakeTable(from->AsDense());
    }
    MarkChanged();
  }

  void TakePairs(ObjectPtr<Object>&& other) {
    DictObj* from = static_cast<DictObj*>(other.get());
    data_ = from->data_;
    size_ = from->size_;
    slots_ = from->slots_;
    data_deleter_ = from->data_deleter_;
    bool inside = from->data_deleter_ == nullptr;
    from->data_ = nullptr;
    from->size_ = 0;
    from->slots_ = 0;
    from->data_deleter_ = nullptr;
    if (inside) {
      // The pairs are inside `other`, so keep `other` alive until the pairs are released.
      data_deleter_ = ReleaseOwnerOfPairs;
      detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(other));
    }
  }

  static void ReleaseOwnerOfPairs(void* pairs) {
    detail::ObjectUnsafe::DecRefObjectHandle(static_cast<char*>(pairs) - sizeof(SmallMapBaseObj));
  }
};

/*! \brief Make an empty dict; the memory for its pairs follows the object. */
template <>
inline ObjectPtr<DictObj> make_object<DictObj>() {
  return detail::ObjectUnsafe::ObjectPtrFromOwned<DictObj>(
      detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(DictObj::Empty<DictObj>()));
}

/*!
 * \brief A map from K to V that is shared and changed in place.
 * \tparam K,V Any, or types that can be stored in Any.
 *
 * Every change is visible through every reference to the object. Iteration is in insertion order.
 * Setting an existing key keeps its position while the dict is small (at most 4 entries), and moves
 * it to the end otherwise. A moved-from dict is null: it reads as empty, and the first Set()
 * creates a new object.
 */
template <typename K, typename V,
          typename = typename std::enable_if_t<detail::all_storage_enabled_v<K, V>>>
class Dict : public ObjectRef {
 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using ContainerType = DictObj;
  /*! \brief A bidirectional iterator that yields pairs by value. It becomes invalid like a
   * MapBaseObj::iterator. */
  using iterator = detail::TypedMapIterator<K, V>;
  using const_iterator = iterator;
  static constexpr bool _type_is_nullable = false;
  static constexpr bool _type_container_is_exact = std::is_same_v<K, Any> && std::is_same_v<V, Any>;

  /*! \brief Make a null reference. */
  explicit Dict(UnsafeInit tag) : ObjectRef(tag) {}
  /*! \brief Make an empty dict. */
  Dict() : ObjectRef(DictObj::Empty<DictObj>()) {}
  Dict(Dict&& other) noexcept = default;
  Dict(const Dict& other) = default;
  Dict& operator=(Dict&& other) noexcept = default;
  Dict& operator=(const Dict& other) = default;

  /*! \brief Share the object of a dict whose keys and values are all valid as K and V. */
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Dict(Dict<KU, VU>&& other) noexcept  // NOLINT(*)
      : ObjectRef(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other))) {}
  /*! \brief Share the object of a dict whose keys and values are all valid as K and V. */
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Dict(const Dict<KU, VU>& other)  // NOLINT(*)
      : ObjectRef(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other)) {}
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Dict& operator=(Dict<KU, VU>&& other) noexcept {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other));
    return *this;
  }
  template <typename KU, typename VU,
            typename = std::enable_if_t<type_subsumes_v<K, KU> && type_subsumes_v<V, VU> &&
                                        !(std::is_same_v<K, KU> && std::is_same_v<V, VU>)>>
  Dict& operator=(const Dict<KU, VU>& other) {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other);
    return *this;
  }

  /*!
   * \brief Refer to a DictObj. All of its keys and values must have the storage types of K and V;
   * the constructor does not check this.
   * \throws InternalError when `n` is null.
   */
  explicit Dict(ObjectPtr<Object> n) : ObjectRef(std::move(n)) {
    TVM_FFI_ICHECK_NOTNULL(data_.get());
  }

  /*! \brief Make a dict of the pairs in [begin, end); of pairs with equal keys the last value is
   * kept. */
  template <typename IterType>
  Dict(IterType begin, IterType end)
      : ObjectRef(DictObj::CreateFromRange<DictObj>(EntryIter<IterType>(begin),
                                                    EntryIter<IterType>(end))) {}
  /*! \brief Make a dict of the pairs in a list; of pairs with equal keys the last value is kept. */
  Dict(std::initializer_list<std::pair<K, V>> init)  // NOLINT(*)
      : Dict(init.begin(), init.end()) {}
  /*! \brief Make a dict of the pairs in a standard map, in the order of that map. */
  template <typename Hash, typename Equal>
  Dict(const std::unordered_map<K, V, Hash, Equal>& init)  // NOLINT(*)
      : Dict(init.begin(), init.end()) {}

  /*! \brief Return a copy of the value for `key`. \throws KeyError when the key is missing. */
  V at(const K& key) const {
    if (data_ == nullptr) DictObj::ThrowNoMap();
    return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<V>(
        std::as_const(*Obj()).at(detail::LookupKey<K>(key)));
  }
  /*! \brief Like at(); never inserts a key. */
  V operator[](const K& key) const { return this->at(key); }
  /*! \brief Return the number of entries; 0 for a null reference. */
  size_t size() const { return data_ == nullptr ? 0 : Obj()->size(); }
  /*! \brief Return 1 when there is an entry for `key`, else 0. */
  size_t count(const K& key) const {
    return data_ == nullptr ? 0 : Obj()->count(detail::LookupKey<K>(key));
  }
  /*! \brief Return whether there is no entry. */
  bool empty() const { return size() == 0; }

  /*! \brief Remove all entries, and keep the capacity. */
  void clear() {
    if (data_ != nullptr) Obj()->clear();
  }

  /*! \brief Set the value for `key`. When a hook of the key type throws, the exception passes
   * through and the dict is unchanged. */
  void Set(const K& key, const V& value) {
    DictObj::KVType kv{Any(key), Any(value)};
    if (data_ == nullptr) data_ = DictObj::Empty<DictObj>();
    if (ObjectPtr<Object> bigger = DictObj::InsertMaybeReHash<DictObj>(std::move(kv), data_)) {
      Obj()->TakeStorage(std::move(bigger));
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
    Obj()->erase(owned);
  }

 private:
  template <typename IterType>
  using EntryIter = detail::IterAdapter<detail::ToMapEntry<K, V>, IterType>;

  DictObj* Obj() const { return static_cast<DictObj*>(data_.get()); }
};

template <typename K, typename V>
inline constexpr bool use_default_type_traits_v<Dict<K, V>> = false;

template <typename K, typename V>
struct TypeTraits<Dict<K, V>> : public MapTypeTraitsBase<TypeTraits<Dict<K, V>>, Dict<K, V>, K, V> {
  static constexpr int32_t kPrimaryTypeIndex = TypeIndex::kTVMFFIDict;
  static constexpr int32_t kOtherTypeIndex = TypeIndex::kTVMFFIMap;
  static constexpr const char* kTypeName = "Dict";
};

template <typename K, typename V, typename KU, typename VU>
inline constexpr bool type_subsumes_v<Dict<K, V>, Dict<KU, VU>> =
    type_subsumes_v<K, KU> && type_subsumes_v<V, VU>;

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_CONTAINER_DICT_H_
