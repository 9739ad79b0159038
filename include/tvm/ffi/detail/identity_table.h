// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/identity_table.h
 * \brief The tables in which traversals remember the objects that they have reached.
 *
 * Used by detail/graph_walk.h.
 */
#ifndef TVM_FFI_DETAIL_IDENTITY_TABLE_H_
#define TVM_FFI_DETAIL_IDENTITY_TABLE_H_

#include <tvm/ffi/base.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace tvm::ffi::detail {

/*! \brief An address as a key. */
struct IdentityKey {
  const void* first;

  bool operator==(const IdentityKey& other) const { return first == other.first; }
  uint64_t hash() const { return reinterpret_cast<uintptr_t>(first) * 0x9e3779b97f4a7c15u; }
};

/*! \brief Two addresses as a key. */
struct IdentityPairKey {
  const void* first;
  const void* second;

  bool operator==(const IdentityPairKey& other) const {
    return first == other.first && second == other.second;
  }
  uint64_t hash() const {
    return reinterpret_cast<uintptr_t>(first) * 0x9e3779b97f4a7c15u +
           reinterpret_cast<uintptr_t>(second) * 0xc2b2ae3d27d4eb4fu;
  }
};

/*!
 * \brief A hash table whose keys are addresses. An array contains the entries in the order of
 * insertion, and each slot of the table contains the number of an entry. So entries keep their
 * positions, and growth moves little memory.
 *
 * The first insertion allocates memory. Entries cannot be removed one by one.
 */
template <typename Key, typename Value>
class IdentityTable {
 public:
  struct Entry : public Key {
    Entry(const Key& key, Value value) : Key(key), value(std::move(value)) {}

    Value value;
  };

  /*! \brief Return the value of a key, or NULL; valid until the next insertion. */
  Value* find(const Key& key) {
    if (entries_.empty()) return nullptr;
    uint32_t number = slots_[slot_for(key)];
    return number == 0 ? nullptr : &entries_[number - 1].value;
  }

  /*! \brief Return the value of a key, which is added if it is missing; `*is_new` tells whether it
   * was added. */
  Value& insert(const Key& key, bool* is_new) { return at(position_of(key, is_new)); }

  /*! \brief Return the position of the value of a key; add the key if it is missing. The position
   * never changes. */
  TVM_FFI_INLINE uint32_t position_of(const Key& key, bool* is_new) {
    if (TVM_FFI_PREDICT_FALSE(entries_.size() == capacity_)) grow();
    uint32_t& number = slots_[slot_for(key)];
    *is_new = number == 0;
    if (*is_new) {
      entries_.emplace_back(key, Value{});
      number = static_cast<uint32_t>(entries_.size());
    }
    return number - 1;
  }
  Value& at(uint32_t position) { return entries_[position].value; }

  /*! \brief Call `f(const Entry&)` for each entry. */
  template <typename F>
  void for_each(F f) const {
    for (const Entry& entry : entries_) f(entry);
  }

  bool empty() const { return entries_.empty(); }

  /*! \brief Return the number of entries for which there is memory. */
  size_t capacity() const { return capacity_; }

  /*! \brief Remove all entries, but keep the memory. */
  void clear() {
    if (entries_.size() * 8 > num_slots()) {
      std::fill_n(slots_.get(), num_slots(), 0);
    } else {
      size_t mask = num_slots() - 1;
      for (size_t i = 0; i < entries_.size(); ++i) {
        size_t slot = first_slot(entries_[i]) & mask;
        while (slots_[slot] != i + 1) slot = (slot + 1) & mask;
        slots_[slot] = 0;
      }
    }
    entries_.clear();
  }

 private:
  static constexpr size_t kNumFirst = 8;

  size_t num_slots() const { return capacity_ * 2; }

  static size_t first_slot(const Key& key) {
    uint64_t hash = key.hash();
    return static_cast<size_t>(hash >> 32 ^ hash >> 15);
  }

  /*! \brief Return the slot of a key, or the free slot where the key belongs. */
  TVM_FFI_INLINE size_t slot_for(const Key& key) const {
    size_t mask = num_slots() - 1;
    for (size_t slot = first_slot(key) & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot] == 0 || key == entries_[slots_[slot] - 1]) return slot;
    }
  }

  TVM_FFI_NO_INLINE void grow() {
    if (entries_.size() >= UINT32_MAX / 4) throw std::bad_alloc();
    size_t capacity = capacity_ == 0 ? kNumFirst : capacity_ * 2;
    entries_.reserve(capacity);
    slots_.reset(new uint32_t[capacity * 2]());
    capacity_ = capacity;
    for (size_t i = 0; i < entries_.size(); ++i) {
      slots_[slot_for(entries_[i])] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<Entry> entries_;
  /*! \brief For each slot, 1 + the position of its entry in entries_, or 0 if the slot is free. At
   * most half of the slots are used. */
  std::unique_ptr<uint32_t[]> slots_;
  size_t capacity_ = 0;
};

template <typename Value>
using IdentityMap = IdentityTable<IdentityKey, Value>;
template <typename Value>
using IdentityPairMap = IdentityTable<IdentityPairKey, Value>;

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_IDENTITY_TABLE_H_
