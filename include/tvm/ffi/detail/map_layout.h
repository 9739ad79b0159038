// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/map_layout.h
 * \brief The functions of MapBaseObj that choose between the two layouts. Part of
 * container/map_base.h.
 */
#ifndef TVM_FFI_DETAIL_MAP_LAYOUT_H_
#define TVM_FFI_DETAIL_MAP_LAYOUT_H_

#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/detail/dense_map.h>
#include <tvm/ffi/detail/small_map.h>

#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {

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
  if (TVM_FFI_PREDICT_FALSE(position == end())) ThrowMissingKey();
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

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_MAP_LAYOUT_H_
