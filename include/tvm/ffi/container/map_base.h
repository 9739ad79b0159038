// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/map_base.h
 * \brief The object behind Map and Dict: an insertion-ordered hash map from Any to Any.
 *
 * Two layouts share one header. The small one is a run of at most 4 pairs searched linearly; the
 * dense one is a hash table whose entries are linked in order. Both are compiled into clients,
 * which read and change each other's maps: layout and algorithms are part of the ABI.
 */
#ifndef TVM_FFI_CONTAINER_MAP_BASE_H_
#define TVM_FFI_CONTAINER_MAP_BASE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/detail/map_key.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

/*! \brief 1: iterators notice changes of the map. Changes the object layout, so all or none of the
 * libraries in a process may have it. */
#ifndef TVM_FFI_DEBUG_WITH_ABI_CHANGE
#define TVM_FFI_DEBUG_WITH_ABI_CHANGE 0
#endif

namespace tvm {
namespace ffi {

class SmallMapBaseObj;
class DenseMapBaseObj;

/*!
 * \brief Common part of both layouts, MapObj and DictObj.
 *
 * Keys are compared with AnyEqual and hashed with AnyHash. Iteration follows insertion; assigning
 * to an existing key keeps its position in the small layout and moves it to the end in the dense
 * one. Not synchronised: concurrent reads are fine, a writer needs to be alone. Where a hook of a
 * key type changes the map that is asking it, RuntimeError is thrown. Values are released when the
 * map is consistent again, so their destructors may use it.
 */
class MapBaseObj : public Object {
 public:
  using key_type = Any;
  using mapped_type = Any;
  /*! \brief An entry; the key must not be changed. */
  using KVType = std::pair<Any, Any>;
  static_assert(sizeof(KVType) == 32, "entries are part of the ABI");

  class iterator;

  MapBaseObj(const MapBaseObj&) = delete;
  MapBaseObj& operator=(const MapBaseObj&) = delete;

  /*! \return the number of entries. */
  size_t size() const { return static_cast<size_t>(size_); }
  /*! \return 1 when there is an entry for `key`, else 0. */
  size_t count(const Any& key) const;
  /*! \brief Value for `key`, borrowed until the map changes. \throws KeyError when missing. */
  const Any& at(const Any& key) const;
  /*! \brief Value for `key`, borrowed until the map changes. \throws KeyError when missing. */
  Any& at(const Any& key);
  iterator begin() const;
  iterator end() const;
  /*! \return position of `key`, end() when missing. */
  iterator find(const Any& key) const;
  /*! \brief Remove the entry at `position`; nothing happens where there is none, as at end().
   * \throws ValueError for a position in another map. */
  void erase(const iterator& position);
  /*! \brief Remove the entry for `key`, if there is one. */
  void erase(const Any& key);
  /*! \brief Remove all entries; layout and capacity stay. */
  void clear();

 protected:
  /*! \brief In `slots_`: the layout is the small one. */
  static constexpr uint64_t kSmallTagMask = uint64_t{1} << 63;
  /*! \brief No entry. */
  static constexpr uint64_t kInvalidIndex = ~uint64_t{0};

  MapBaseObj() : data_(nullptr), size_(0), slots_(0), data_deleter_(nullptr) {}

  bool IsSmallMap() const { return (slots_ & kSmallTagMask) != 0; }
  SmallMapBaseObj* AsSmall() const;
  DenseMapBaseObj* AsDense() const;

  /*! \brief A map without entries. \tparam TMap MapObj or DictObj. */
  template <typename TMap>
  static ObjectPtr<Object> Empty();

  /*! \brief A map of the pairs in [first, last); of equal keys the last value wins. */
  template <typename TMap, typename IterType>
  static ObjectPtr<Object> CreateFromRange(IterType first, IterType last);

  /*!
   * \brief Set a key.
   * \param kv moved in; when the key was there, the value replaced is left in it.
   * \param map of class TMap, not shared with anybody who must not see the change.
   * \return null when done in place; otherwise the object that replaces `map`, which is left empty.
   *         After an exception the map is as it was.
   */
  template <typename TMap>
  static ObjectPtr<Object> InsertMaybeReHash(KVType&& kv, const ObjectPtr<Object>& map);

  /*! \brief A copy of another map, with the same layout and order. */
  template <typename TMap>
  static ObjectPtr<Object> CopyFrom(MapBaseObj* from);

  /*! \brief Release entries and storage: the common body of the destructors. */
  void DestroyStorage();

  /*! \brief Give `p` the run-time type of TMap. */
  template <typename TMap, typename TImpl>
  static ObjectPtr<Object> Label(ObjectPtr<TImpl>&& p) {
    detail::ObjectUnsafe::GetHeader(p.get())->type_index = TMap::RuntimeTypeIndex();
    return std::move(p);
  }

  /*! \brief Whether `key` equals the key of `entry`, which lies in this map. */
  TVM_FFI_INLINE bool KeyEquals(const Any& key, const KVType* entry) const {
    if (key.same_as(entry->first)) return true;
    if (TVM_FFI_PREDICT_FALSE(key.type_index() == entry->first.type_index() &&
                              detail::HasEqualHook(key.type_index()))) {
      return KeyEqualsByHook(key, entry);
    }
    return AnyEqual()(key, entry->first);
  }

  /*! \brief Hash of the key of `entry`, which lies in this map. */
  TVM_FFI_INLINE uint64_t HashOfEntry(const KVType* entry) const {
    if (TVM_FFI_PREDICT_FALSE(detail::HasHashHook(entry->first.type_index()))) {
      return HashOfEntryByHook(entry);
    }
    return AnyHash()(entry->first);
  }

  [[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static void ThrowChangedByHook() {
    TVM_FFI_THROW(RuntimeError) << "The map was changed by a hook that hashes or compares its keys";
    TVM_FFI_UNREACHABLE();
  }
  [[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static void ThrowMissingKey() {
    TVM_FFI_THROW(KeyError) << "key is not in Map";
    TVM_FFI_UNREACHABLE();
  }

  /*! \brief Pairs (small layout) or blocks (dense layout); may lie outside the object. */
  void* data_;
  /*! \brief Number of entries. */
  uint64_t size_;
  /*! \brief With kSmallTagMask: capacity in entries; without: number of slots of the table. */
  uint64_t slots_;
  /*! \brief Frees `data_`; NULL when that is part of the object, or nothing. */
  void (*data_deleter_)(void*);
#if TVM_FFI_DEBUG_WITH_ABI_CHANGE
  /*! \brief Counts changes. */
  uint64_t state_marker_ = 0;
  void MarkChanged() { ++state_marker_; }
#else
  void MarkChanged() {}
#endif

 private:
  // The stored key is kept alive by a reference of our own; the checks afterwards make sure that
  // the entry is where it was before anything more is read.
  TVM_FFI_NO_INLINE bool KeyEqualsByHook(const Any& key, const KVType* entry) const {
    Any stored = entry->first;
    Extent before = GetExtent();
    bool equal = AnyEqual()(key, stored);  // runs foreign code
    if (!(before == GetExtent()) || !stored.same_as(entry->first)) ThrowChangedByHook();
    return equal;
  }
  TVM_FFI_NO_INLINE uint64_t HashOfEntryByHook(const KVType* entry) const {
    Any stored = entry->first;
    Extent before = GetExtent();
    uint64_t hash = AnyHash()(stored);  // runs foreign code
    if (!(before == GetExtent()) || !stored.same_as(entry->first)) ThrowChangedByHook();
    return hash;
  }

  struct Extent {
    const void* data;
    uint64_t size;
    uint64_t slots;
    bool operator==(const Extent& other) const {
      return data == other.data && size == other.size && slots == other.slots;
    }
  };
  Extent GetExtent() const { return Extent{data_, size_, slots_}; }
};

/*! \brief Position in a map. Erasing the entry under it, or any growth, ends its validity. */
class MapBaseObj::iterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using difference_type = int64_t;
  using value_type = KVType;
  using pointer = KVType*;
  using reference = KVType&;

  /*! \brief Nowhere. */
  iterator() : index(0), self(nullptr) {}

  bool operator==(const iterator& other) const {
    CheckUnchanged();
    return index == other.index && self == other.self;
  }
  bool operator!=(const iterator& other) const { return !(*this == other); }
  pointer operator->() const;
  reference operator*() const { return *operator->(); }
  iterator& operator++();
  iterator& operator--();
  iterator operator++(int) {
    iterator copy = *this;
    ++*this;
    return copy;
  }
  iterator operator--(int) {
    iterator copy = *this;
    --*this;
    return copy;
  }

 protected:
  iterator(uint64_t index, const MapBaseObj* self) : index(index), self(self) {
#if TVM_FFI_DEBUG_WITH_ABI_CHANGE
    if (self != nullptr) state_marker = self->state_marker_;
#endif
  }

  /*! \brief Small layout: ordinal of the entry; dense: its slot, all ones at the end. */
  uint64_t index;
  const MapBaseObj* self;
#if TVM_FFI_DEBUG_WITH_ABI_CHANGE
  uint64_t state_marker = 0;
  void CheckUnchanged() const {
    TVM_FFI_ICHECK(self == nullptr || state_marker == self->state_marker_)
        << "Concurrent modification of the Map";
  }
#else
  void CheckUnchanged() const {}
#endif

 private:
  friend class MapBaseObj;
  friend class SmallMapBaseObj;
  friend class DenseMapBaseObj;
};

/*! \brief A MapBaseObj has no layout of its own: make a MapObj or a DictObj. */
template <>
inline ObjectPtr<MapBaseObj> make_object<MapBaseObj>() = delete;

}  // namespace ffi
}  // namespace tvm

#include <tvm/ffi/detail/dense_map.h>   // IWYU pragma: export
#include <tvm/ffi/detail/map_layout.h>  // IWYU pragma: export
#include <tvm/ffi/detail/map_traits.h>  // IWYU pragma: export
#include <tvm/ffi/detail/small_map.h>   // IWYU pragma: export

#endif  // TVM_FFI_CONTAINER_MAP_BASE_H_
