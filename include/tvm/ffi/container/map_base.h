// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/map_base.h
 * \brief The object of Map and Dict: an insertion-ordered hash map from Any to Any.
 *
 * There are two layouts, and both begin with the members of MapBaseObj. The small layout is an
 * array of at most 4 pairs, which is searched linearly. The dense layout is a hash table whose
 * entries are linked in insertion order. Clients contain the code of both and change each other's
 * maps, so layout and algorithms are part of the ABI.
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
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/*! \brief 1 if iterators detect changes of the map. The value 1 adds a member to the map object, so
 * all libraries in a process must have the same value. */
#ifndef TVM_FFI_DEBUG_WITH_ABI_CHANGE
#define TVM_FFI_DEBUG_WITH_ABI_CHANGE 0
#endif

namespace tvm::ffi {

class SmallMapBaseObj;
class DenseMapBaseObj;

/*!
 * \brief Base class of MapObj and DictObj; both layouts begin with its members.
 *
 * Keys are compared with AnyEqual and hashed with AnyHash. Iteration is in insertion order;
 * assigning to an existing key keeps its position in the small layout, and moves it to the end in
 * the dense layout. A map is not synchronised: several threads may read at the same time, but a
 * write must exclude all other access. RuntimeError is thrown when a hook of a key type changes the
 * map during a lookup. A write releases removed values only after the map is consistent again, so
 * their destructors may use the map.
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

  /*! \brief Return the number of entries. */
  size_t size() const { return static_cast<size_t>(size_); }
  /*! \brief Return 1 when there is an entry for `key`, else 0. */
  size_t count(const Any& key) const;
  /*! \brief Return the value for `key`, borrowed until the map changes. \throws KeyError when `key`
   * is missing. */
  const Any& at(const Any& key) const;
  /*! \brief Return the value for `key`, borrowed until the map changes. \throws KeyError when `key`
   * is missing. */
  Any& at(const Any& key);
  iterator begin() const;
  iterator end() const;
  /*! \brief Return the position of `key`, end() when missing. */
  iterator find(const Any& key) const;
  /*! \brief Remove the entry at `position`; do nothing if there is no entry, as at end().
   * \throws ValueError for a position in another map. */
  void erase(const iterator& position);
  /*! \brief Remove the entry for `key`, if there is one. */
  void erase(const Any& key);
  /*! \brief Remove all entries, and keep the layout and the capacity. */
  void clear();

 protected:
  /*! \brief Bit of `slots_`: the layout is small. */
  static constexpr uint64_t kSmallTagMask = uint64_t{1} << 63;
  /*! \brief The index that means "no entry". */
  static constexpr uint64_t kInvalidIndex = ~uint64_t{0};

  MapBaseObj() : data_(nullptr), size_(0), slots_(0), data_deleter_(nullptr) {}

  bool IsSmallMap() const { return (slots_ & kSmallTagMask) != 0; }
  SmallMapBaseObj* AsSmall() const;
  DenseMapBaseObj* AsDense() const;

  /*! \brief Make a map without entries. \tparam TMap MapObj or DictObj. */
  template <typename TMap>
  static ObjectPtr<Object> Empty();

  /*! \brief Make a map of the pairs in [first, last); of pairs with equal keys the last value is
   * kept. */
  template <typename TMap, typename IterType>
  static ObjectPtr<Object> CreateFromRange(IterType first, IterType last);

  /*!
   * \brief Set the value of a key.
   * \param kv the key and the value, which are moved into the map. If the map already contains the
   *         key, `kv` has the former value after the call.
   * \param map a TMap; every holder of the map sees the change.
   * \return null if the map was changed in place; otherwise the object that replaces `map`, which
   *         is left empty. After an exception the map is unchanged.
   */
  template <typename TMap>
  static ObjectPtr<Object> InsertMaybeReHash(KVType&& kv, const ObjectPtr<Object>& map);

  /*! \brief Make a copy of another map, with the same layout and order. */
  template <typename TMap>
  static ObjectPtr<Object> CopyFrom(MapBaseObj* from);

  /*! \brief Release the entries and the storage; the common part of the destructors. */
  void DestroyStorage();

  /*! \brief Give `p` the type index of TMap. */
  template <typename TMap, typename TImpl>
  static ObjectPtr<Object> Label(ObjectPtr<TImpl>&& p) {
    detail::ObjectUnsafe::GetHeader(p.get())->type_index = TMap::RuntimeTypeIndex();
    return std::move(p);
  }

  /*! \brief Return whether `key` equals the key of `entry`, which is in this map. */
  TVM_FFI_INLINE bool KeyEquals(const Any& key, const KVType* entry) const {
    if (key.same_as(entry->first)) return true;
    if (TVM_FFI_PREDICT_FALSE(key.type_index() == entry->first.type_index() &&
                              detail::HasEqualHook(key.type_index()))) {
      return KeyEqualsByHook(key, entry);
    }
    return AnyEqual()(key, entry->first);
  }

  /*! \brief Return the hash of the key of `entry`, which is in this map. */
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
  [[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE void ThrowMissingKey(const Any& key) const {
    const char* kind = type_index() == TypeIndex::kTVMFFIDict ? "Dict" : "Map";
    TVM_FFI_THROW(KeyError) << "key is not in Map: a " << kind << " with " << size_
                            << (size_ == 1 ? " key" : " keys") << " does not contain "
                            << detail::KeyText(key);
    TVM_FFI_UNREACHABLE();
  }
  [[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static void ThrowNoMap() {
    TVM_FFI_THROW(KeyError) << "key is not in Map: the reference is empty, it was moved from";
    TVM_FFI_UNREACHABLE();
  }

  /*! \brief Pairs (small layout) or blocks (dense layout); may lie outside the object. */
  void* data_;
  /*! \brief Number of entries. */
  uint64_t size_;
  /*! \brief The capacity in entries if kSmallTagMask is set, otherwise the number of slots of the
   * table. */
  uint64_t slots_;
  /*! \brief Frees `data_`; NULL when `data_` is NULL or a part of the object. */
  void (*data_deleter_)(void*);
#if TVM_FFI_DEBUG_WITH_ABI_CHANGE
  /*! \brief Counts changes. */
  uint64_t state_marker_ = 0;
  void MarkChanged() { ++state_marker_; }
#else
  void MarkChanged() {}
#endif

 private:
  // Keep the stored key alive while the hook runs. Before the entry is read again, check that the
  // hook has not changed the map.
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

/*! \brief A position in a map. It becomes invalid when its entry is erased or the map grows. */
class MapBaseObj::iterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using difference_type = int64_t;
  using value_type = KVType;
  using pointer = KVType*;
  using reference = KVType&;

  /*! \brief Make a position that does not belong to a map. */
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

  /*! \brief In the small layout the index of the entry; in the dense layout its slot, or all ones
   * at the end. */
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

/*! \brief Deleted, because only a MapObj or a DictObj can be made. */
template <>
inline ObjectPtr<MapBaseObj> make_object<MapBaseObj>() = delete;

}  // namespace tvm::ffi

// These includes follow the class MapBaseObj, because their classes derive from it.
#include <tvm/ffi/container/dense_map.h>  // IWYU pragma: export
#include <tvm/ffi/container/small_map.h>  // IWYU pragma: export

namespace tvm::ffi {

inline SmallMapBaseObj* MapBaseObj::AsSmall() const {
  return static_cast<SmallMapBaseObj*>(const_cast<MapBaseObj*>(this));
}
inline DenseMapBaseObj* MapBaseObj::AsDense() const {
  return static_cast<DenseMapBaseObj*>(const_cast<MapBaseObj*>(this));
}

/* ------------------------------------------------------------------ reading */

inline MapBaseObj::iterator MapBaseObj::begin() const {
  return iterator(IsSmallMap() ? 0 : AsDense()->iter_list_head_, this);
}

inline MapBaseObj::iterator MapBaseObj::end() const {
  return iterator(IsSmallMap() ? size_ : kInvalidIndex, this);
}

TVM_FFI_INLINE MapBaseObj::iterator MapBaseObj::find(const Any& key) const {
  if (!IsSmallMap()) return iterator(AsDense()->Find(key), this);
  uint64_t index = AsSmall()->Find(key);
  return index == kInvalidIndex ? end() : iterator(index, this);
}

inline size_t MapBaseObj::count(const Any& key) const { return find(key) == end() ? 0 : 1; }

inline const Any& MapBaseObj::at(const Any& key) const {
  iterator position = find(key);
  if (TVM_FFI_PREDICT_FALSE(position == end())) ThrowMissingKey(key);
  return position->second;
}

inline Any& MapBaseObj::at(const Any& key) {
  return const_cast<Any&>(static_cast<const MapBaseObj*>(this)->at(key));
}

TVM_FFI_INLINE MapBaseObj::KVType* MapBaseObj::iterator::operator->() const {
  CheckUnchanged();
  return self->IsSmallMap() ? self->AsSmall()->EntryAt(index) : self->AsDense()->EntryAt(index);
}

TVM_FFI_INLINE MapBaseObj::iterator& MapBaseObj::iterator::operator++() {
  CheckUnchanged();
  index = self->IsSmallMap() ? index + 1 : self->AsDense()->NextInOrder(index);
  return *this;
}

TVM_FFI_INLINE MapBaseObj::iterator& MapBaseObj::iterator::operator--() {
  CheckUnchanged();
  index = self->IsSmallMap() ? index - 1 : self->AsDense()->PrevInOrder(index);
  return *this;
}

/* ------------------------------------------------------------------ writing */

inline void MapBaseObj::erase(const iterator& position) {
  if (position.self != this) {
    TVM_FFI_THROW(ValueError) << "The position to erase is not in this map";
  }
  if (IsSmallMap()) {
    if (position.index < size_) AsSmall()->EraseAt(position.index);
  } else {
    if (AsDense()->IsOccupied(position.index)) AsDense()->EraseAt(position.index);
  }
}

inline void MapBaseObj::erase(const Any& key) {
  if (IsSmallMap()) {
    uint64_t index = AsSmall()->Find(key);
    if (index != kInvalidIndex) AsSmall()->EraseAt(index);
  } else if (size_ != 0) {
    uint64_t hash = AnyHash()(key);
    uint64_t tail;
    uint64_t slot = AsDense()->FindHashed(key, hash, &tail);
    if (slot != kInvalidIndex) AsDense()->EraseAt(slot, hash);
  }
}

inline void MapBaseObj::clear() {
  if (IsSmallMap()) {
    AsSmall()->ClearEntries();
  } else {
    AsDense()->ClearEntries();
  }
}

inline void MapBaseObj::DestroyStorage() {
  if (IsSmallMap()) {
    AsSmall()->DestroyEntries();
  } else {
    AsDense()->DestroyTable();
  }
}

/* ------------------------------------------------------------------ making and growing */

template <typename TMap>
inline ObjectPtr<Object> MapBaseObj::Empty() {
  return Label<TMap>(SmallMapBaseObj::Create());
}

template <typename TMap>
inline ObjectPtr<Object> MapBaseObj::CopyFrom(MapBaseObj* from) {
  return from->IsSmallMap() ? Label<TMap>(SmallMapBaseObj::CopyOf(from->AsSmall()))
                            : Label<TMap>(DenseMapBaseObj::CopyOf(from->AsDense()));
}

template <typename TMap>
inline ObjectPtr<Object> MapBaseObj::InsertMaybeReHash(KVType&& kv, const ObjectPtr<Object>& map) {
  MapBaseObj* self = static_cast<MapBaseObj*>(map.get());
  if (self->IsSmallMap()) {
    ObjectPtr<MapBaseObj> bigger = self->AsSmall()->InsertOrGrow(std::move(kv));
    if (TVM_FFI_PREDICT_TRUE(bigger == nullptr)) return nullptr;
    return Label<TMap>(std::move(bigger));
  }
  ObjectPtr<DenseMapBaseObj> bigger = self->AsDense()->InsertOrGrow(std::move(kv));
  if (TVM_FFI_PREDICT_TRUE(bigger == nullptr)) return nullptr;
  return Label<TMap>(std::move(bigger));
}

template <typename TMap, typename IterType>
inline ObjectPtr<Object> MapBaseObj::CreateFromRange(IterType first, IterType last) {
  if constexpr (detail::is_single_pass_v<IterType>) {
    std::vector<KVType> pairs;
    for (; first != last; ++first) pairs.emplace_back(*first);
    return CreateFromRange<TMap>(std::make_move_iterator(pairs.begin()),
                                 std::make_move_iterator(pairs.end()));
  } else {
    int64_t count = static_cast<int64_t>(std::distance(first, last));
    if (count < 0) {
      TVM_FFI_THROW(ValueError) << "cannot construct a map from a range of negative size";
    }
    uint64_t n = static_cast<uint64_t>(count);
    ObjectPtr<Object> map = n < SmallMapBaseObj::kMaxSize
                                ? Label<TMap>(SmallMapBaseObj::Create(n))
                                : Label<TMap>(DenseMapBaseObj::CreateFor(n));
    for (; first != last; ++first) {
      KVType kv(*first);
      if (ObjectPtr<Object> bigger = InsertMaybeReHash<TMap>(std::move(kv), map)) {
        map = std::move(bigger);
      }
    }
    return map;
  }
}

namespace detail {

/*!
 * \brief A position in a Map<K, V> or Dict<K, V>, which yields the pair by value.
 *
 * The removal of another entry leaves the position valid; any other change of the map makes it
 * invalid.
 */
template <typename K, typename V>
class TypedMapIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using difference_type = int64_t;
  using value_type = const std::pair<K, V>;
  using pointer = value_type*;
  using reference = value_type;

  /*! \brief Make a position that does not belong to a map. */
  TypedMapIterator() = default;
  explicit TypedMapIterator(MapBaseObj::iterator position) : position_(position) {}

  bool operator==(const TypedMapIterator& other) const { return position_ == other.position_; }
  bool operator!=(const TypedMapIterator& other) const { return position_ != other.position_; }
  // Dereferencing makes a new pair, so there is no pair to point at.
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

/*! \brief Converter for IterAdapter: converts the members of a pair to K and V, and makes an entry
 * of them. */
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
 * \tparam Derived has `kPrimaryTypeIndex` (the type itself), `kOtherTypeIndex` (the other type of
 *         map, which is converted) and `kTypeName`.
 * \tparam MapRefType the reference class, e.g. `Map<K, V>`.
 */
template <typename Derived, typename MapRefType, typename K, typename V>
struct MapTypeTraitsBase : public ObjectRefTypeTraitsBase<MapRefType> {
 public:
  using ObjectRefTypeTraitsBase<MapRefType>::CopyFromAnyViewAfterCheck;

  /*! \brief Return whether `src` is a map of this type, every key has exactly the storage type of
   * K, and every value has exactly the storage type of V. */
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

  /*! \brief Return the same object if the strict check passes, otherwise a new object with
   * converted entries. */
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

  /*! \brief Describe the first key or value that cannot be converted. If all can be converted,
   * describe the first one that fails the strict check. */
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
                             detail::AnyUnsafe::GetMismatchTypeInfo<V>(kv.second) +
                             detail::AtKeyText(kv.first) + "]";
          if (!kv.second.template try_cast<V>().has_value()) return text;
          if (!not_strict.has_value()) not_strict = text;
        }
      }
      if (not_strict.has_value()) return *not_strict;
    }
    return TypeTraitsBase::GetMismatchTypeInfo(src);
  }

  /*! \brief Return why the first key or value that cannot be converted is refused, if its type is
   * not the reason. */
  static Refusal GetRefusal(const TVMFFIAny* src) {
    if (!IsMap(src)) return {};
    for (const MapBaseObj::KVType& kv : Snapshot(src)) {
      if (!kv.first.template try_cast<K>().has_value()) {
        return detail::AnyUnsafe::RefusalOf<K>(kv.first).At("some key");
      }
      if (!kv.second.template try_cast<V>().has_value()) {
        return detail::AnyUnsafe::RefusalOf<V>(kv.second).At("some value" +
                                                             detail::AtKeyText(kv.first));
      }
    }
    return {};
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
    // Map and Dict have the same layout, so the same code reads both.
    return detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(src->v_obj);
  }

  // Copy the entries first: their conversion may run user code, which may change the map.
  static std::vector<MapBaseObj::KVType> Snapshot(const TVMFFIAny* src) {
    const MapBaseObj* map = MapOf(src);
    return std::vector<MapBaseObj::KVType>(map->begin(), map->end());
  }
};

}  // namespace tvm::ffi

#include <tvm/ffi/detail/map_ref.h>  // IWYU pragma: export

#endif  // TVM_FFI_CONTAINER_MAP_BASE_H_
