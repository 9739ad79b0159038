// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/small_map.h
 * \brief The small layout of Map and Dict: at most 4 pairs in insertion order, searched linearly.
 */
// This include is outside of the guard, since map_base.h includes this file after the class
// MapBaseObj.
#include <tvm/ffi/container/map_base.h>

#ifndef TVM_FFI_CONTAINER_SMALL_MAP_H_
#define TVM_FFI_CONTAINER_SMALL_MAP_H_

#include <tvm/ffi/container/dense_map.h>

#include <cstring>
#include <utility>
#include <vector>

namespace tvm::ffi {

/*!
 * \brief A MapBaseObj in the small layout; the memory for the pairs follows the object.
 *
 * The object of a Dict may later take over a dense table, or pairs in other memory. So the bit
 * kSmallTagMask of `slots_`, not the class, tells how to read the object, and the object is large
 * enough for the fields of the dense layout.
 */
class SmallMapBaseObj : public MapBaseObj {
 public:
  SmallMapBaseObj() = default;
  ~SmallMapBaseObj() { DestroyStorage(); }

 protected:
  friend class MapBaseObj;
  friend class DictObj;

  /*! \brief Capacity of a default constructed map. */
  static constexpr uint64_t kInitSize = 2;
  /*! \brief Largest capacity. */
  static constexpr uint64_t kMaxSize = 4;

  /*! \brief Make a map without entries; the capacity is at least 2. */
  static ObjectPtr<SmallMapBaseObj> Create(uint64_t capacity = kInitSize) {
    if (capacity < kInitSize) capacity = kInitSize;
    ObjectPtr<SmallMapBaseObj> p = make_inplace_array_object<SmallMapBaseObj, KVType>(capacity);
    p->data_ = reinterpret_cast<char*>(p.get()) + sizeof(SmallMapBaseObj);
    p->slots_ = capacity | kSmallTagMask;
    return p;
  }

  /*! \brief Make a copy whose capacity is its size, at least 2. */
  static ObjectPtr<SmallMapBaseObj> CopyOf(const SmallMapBaseObj* from) {
    ObjectPtr<SmallMapBaseObj> p = Create(from->size_);
    for (uint64_t i = 0; i < from->size_; ++i) p->Append(KVType(*from->EntryAt(i)));
    return p;
  }

  uint64_t Capacity() const { return slots_ & ~kSmallTagMask; }
  KVType* EntryAt(uint64_t index) const { return static_cast<KVType*>(data_) + index; }

  /*! \brief Return the index of `key`, or kInvalidIndex when it is missing. */
  uint64_t Find(const Any& key) const {
    for (uint64_t i = 0; i < size_; ++i) {
      if (KeyEquals(key, EntryAt(i))) return i;
    }
    return kInvalidIndex;
  }

  /*! \brief Add a pair whose key is not in the map; the capacity must be sufficient. */
  void Append(KVType&& kv) {
    new (EntryAt(size_)) KVType(std::move(kv));
    ++size_;
    MarkChanged();
  }

  /*! \brief See MapBaseObj::InsertMaybeReHash. */
  ObjectPtr<MapBaseObj> InsertOrGrow(KVType&& kv) {
    // A full map becomes dense without a search, even if `kv` has an existing key.
    if (size_ == kMaxSize && Capacity() == kMaxSize) return SwitchToDense(std::move(kv));
    uint64_t index = Find(kv.first);
    if (index != kInvalidIndex) {
      EntryAt(index)->second.swap(kv.second);
      MarkChanged();
      return nullptr;
    }
    if (size_ < Capacity()) {
      Append(std::move(kv));
      return nullptr;
    }
    ObjectPtr<SmallMapBaseObj> bigger = Create(kMaxSize);
    std::memcpy(bigger->data_, data_, static_cast<size_t>(size_) * sizeof(KVType));
    bigger->size_ = size_;
    ForgetEntries();
    bigger->Append(std::move(kv));
    return bigger;
  }

  /*! \brief Remove the entry at `index` and keep the order of the others. */
  void EraseAt(uint64_t index) {
    KVType removed(std::move(*EntryAt(index)));
    std::memmove(static_cast<void*>(EntryAt(index)), static_cast<void*>(EntryAt(index + 1)),
                 static_cast<size_t>(size_ - index - 1) * sizeof(KVType));
    --size_;
    MarkChanged();
    removed.first.reset();  // may run foreign code
    removed.second.reset();
  }

  /*! \brief Remove all entries, in order, each key before its value. */
  void ClearEntries() {
    // Take all entries out before the first release, since a destructor may use this map.
    Any released[2 * kMaxSize];
    for (uint64_t i = 0; i < size_; ++i) {
      released[2 * i].swap(EntryAt(i)->first);
      released[2 * i + 1].swap(EntryAt(i)->second);
    }
    uint64_t count = 2 * size_;
    ForgetEntries();
    for (uint64_t i = 0; i < count; ++i) released[i].reset();  // may run foreign code
  }

  /*! \brief Release the entries and the storage, for a map that is no longer reachable. */
  void DestroyEntries() {
    for (uint64_t i = 0; i < size_; ++i) {
      EntryAt(i)->first.~Any();  // may run foreign code
      EntryAt(i)->second.~Any();
    }
    size_ = 0;
    FreeStorage();
  }

  /*! \brief Drop the entries without destroying them, since they were relocated. */
  void ForgetEntries() {
    size_ = 0;
    MarkChanged();
  }

  /*! \brief Free the storage if it lies outside the object. */
  void FreeStorage() {
    if (data_deleter_ != nullptr) data_deleter_(data_);
    data_ = nullptr;
    data_deleter_ = nullptr;
  }

 private:
  /*! \brief Make a dense map of all entries, set `kv` in the new map, and leave this map empty. */
  TVM_FFI_NO_INLINE ObjectPtr<MapBaseObj> SwitchToDense(KVType&& kv) {
    // Hooks of the key types can run until the search below has ended. Until then do not change
    // this map, and keep the keys alive in `keys`.
    std::vector<uint64_t> hashes;
    std::vector<Any> keys;
    bool hooked = false;
    for (uint64_t i = 0; i < size_; ++i) keys.push_back(EntryAt(i)->first);
    for (const Any& key : keys) {
      hooked = hooked || detail::HasHashHook(key.type_index());
      hashes.push_back(AnyHash()(key));
    }
    uint64_t hash = AnyHash()(kv.first);
    CheckKeys(keys);

    ObjectPtr<DenseMapBaseObj> dense = DenseMapBaseObj::CreateFor(size_);
    DenseMapBaseObj::BitwiseCopy copy(dense.get());
    DenseMapBaseObj::SlotHashes by_slot(static_cast<size_t>(dense->slots_));
    for (uint64_t i = 0; i < size_; ++i) {
      // TryPlace cannot fail: the table has 8 slots for 4 entries, and the jumps of a chain can
      // lead from a slot to every other slot.
      if (!dense->TryPlace(EntryAt(i), hashes[i], hooked ? &by_slot : nullptr)) {
        TVM_FFI_THROW(InternalError) << "A table of 8 slots cannot hold 4 entries";
      }
    }
    uint64_t tail;
    uint64_t slot = dense->FindHashed(kv.first, hash, &tail);
    CheckKeys(keys);
    if (slot != kInvalidIndex) {
      dense->AssignAt(slot, &kv.second);
    } else {
      if (!dense->TryPlace(&kv, hash, hooked ? &by_slot : nullptr)) {
        TVM_FFI_THROW(InternalError) << "A table of 8 slots cannot hold 5 entries";
      }
      new (&kv) KVType();  // the new table owns the former content of `kv`
    }
    copy.Keep();
    ForgetEntries();
    return dense;
  }

  void CheckKeys(const std::vector<Any>& keys) const {
    if (!IsSmallMap() || size_ != keys.size()) ThrowChangedByHook();
    for (uint64_t i = 0; i < size_; ++i) {
      if (!keys[i].same_as(EntryAt(i)->first)) ThrowChangedByHook();
    }
  }
};

static_assert(TVM_FFI_DEBUG_WITH_ABI_CHANGE || sizeof(SmallMapBaseObj) == 56,
              "the small layout is part of the ABI");

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_SMALL_MAP_H_
