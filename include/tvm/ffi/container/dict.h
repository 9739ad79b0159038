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
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace tvm::ffi {

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
  template <template <typename, typename, typename> class, typename, typename, typename, typename>
  friend class detail::MapRef;
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
class Dict : public detail::MapRef<Dict, DictObj, K, V, V> {
 private:
  using Base = detail::MapRef<Dict, DictObj, K, V, V>;
  using Base::Obj;

 protected:
  using Base::data_;

 public:
  using Base::Base;
  Dict() = default;
  Dict(Dict&& other) noexcept = default;
  Dict(const Dict& other) = default;
  Dict& operator=(Dict&& other) noexcept = default;
  Dict& operator=(const Dict& other) = default;

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

  /*! \brief Remove the entry for `key`, if there is one. */
  void erase(const K& key) {
    if (data_ == nullptr) return;
    Any owned(key);
    Obj()->erase(owned);
  }
};

template <typename K, typename V>
Dict(std::initializer_list<std::pair<K, V>>) -> Dict<K, V>;
template <typename K, typename V, typename Hash, typename Equal>
Dict(const std::unordered_map<K, V, Hash, Equal>&) -> Dict<K, V>;

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

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_DICT_H_
