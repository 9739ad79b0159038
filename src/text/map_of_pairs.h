// SPDX-License-Identifier: Apache-2.0
// Builds a Map in one step from consecutive keys and values. The keys must be text.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace tvm::ffi::runtime {

/*! \brief Makes small and dense Maps, and moves pairs into their memory without copying values. */
class MapOfPairs {
 public:
  /*!
   * \brief Make a Map of `count` pairs. The map is the same as after setting one pair after the
   * other: of pairs with equal keys, it contains the last value.
   * \param values alternating keys and values; each key must be text. The function takes over the
   * keys and values, unless it throws.
   * \param count number of pairs.
   *
   * The time is proportional to the number of pairs, or n log n if many keys share a slot of the
   * table. Such keys are easy to construct, because the hashes of keys are part of the ABI.
   */
  static ObjectPtr<Object> make(TVMFFIAny* values, size_t count) {
    ObjectPtr<Object> map =
        count <= Small::kCapacity ? Small::make(values, count) : Dense::make(values, count);
    if (map != nullptr) return map;
    std::vector<size_t> order = order_of_unique(values, count);
    if (order.size() <= Small::kCapacity) return set_one_by_one(values, count);
    map = Dense::make_in_order(values, order);
    release_others(values, count, order);
    return map;
  }

 private:
  using KVType = std::pair<Any, Any>;

  static const Any& key_at(const TVMFFIAny* values, size_t i) {
    return reinterpret_cast<const Any&>(values[2 * i]);
  }

  static std::string_view text_at(const TVMFFIAny* values, size_t i) {
    TVMFFIByteArray content = detail::BytesContent(&values[2 * i]);
    return {content.data, content.size};
  }

  // Compares like AnyEqual, with a fast path for two plain values of one type, such as short texts.
  static bool are_equal_keys(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
    if (lhs.type_index == rhs.type_index && lhs.type_index < kTVMFFIStaticObjectBegin) {
      return lhs.v_uint64 == rhs.v_uint64 && lhs.small_str_len == rhs.small_str_len;
    }
    return AnyEqual()(reinterpret_cast<const Any&>(lhs), reinterpret_cast<const Any&>(rhs));
  }

  // A small map. make() returns NULL, without taking a pair, if a key occurs twice.
  struct Small : public SmallMapBaseObj {
    static constexpr size_t kCapacity = kMaxSize;
    static ObjectPtr<Object> make(const TVMFFIAny* values, size_t count) {
      for (size_t i = 1; i < count; ++i) {
        for (size_t k = 0; k < i; ++k) {
          if (are_equal_keys(values[2 * i], values[2 * k])) return nullptr;
        }
      }
      ObjectPtr<SmallMapBaseObj> map = Create(count);
      auto* self = static_cast<Small*>(map.get());
      if (count != 0) std::memcpy(self->data_, values, count * sizeof(KVType));
      self->size_ = count;
      return Label<MapObj>(std::move(map));
    }
  };

  struct Dense : public DenseMapBaseObj {
    // Returns NULL, without taking a pair, if a key occurs twice, the table has no slot for a key,
    // or many keys share a slot.
    static ObjectPtr<Object> make(const TVMFFIAny* values, size_t count) {
      const auto* pairs = reinterpret_cast<const KVType*>(values);
      ObjectPtr<DenseMapBaseObj> map = create_for(count);
      auto* self = static_cast<Dense*>(map.get());
      size_t steps_left = 8 * count + 64;
      for (size_t i = 0; i < count; ++i) {
        uint64_t hash = AnyHash()(pairs[i].first);
        uint64_t tail;
        if (!self->is_new_key(pairs[i].first, hash, &tail, &steps_left) ||
            !self->place(pairs + i, hash, tail)) {
          self->ForgetTable();
          return nullptr;
        }
      }
      return Label<MapObj>(std::move(map));
    }

    // Takes the pairs of `order`, whose keys must be distinct, in this order. First, every key
    // whose home slot is free becomes the head of a chain. Then the other keys are appended to
    // chains whose ends are known. So no chain is searched or moved.
    static ObjectPtr<Object> make_in_order(const TVMFFIAny* values,
                                           const std::vector<size_t>& order) {
      std::vector<uint64_t> hashes;
      hashes.reserve(order.size());
      for (size_t i : order) hashes.push_back(AnyHash()(key_at(values, i)));
      std::vector<uint64_t> slots(order.size());
      ObjectPtr<DenseMapBaseObj> map = create_for(order.size());
      while (!static_cast<Dense*>(map.get())->claim_all(hashes, &slots)) {
        auto* full = static_cast<Dense*>(map.get());
        map = Create(full->fib_shift_ - 1, 2 * full->slots_);
      }
      auto* self = static_cast<Dense*>(map.get());
      const auto* pairs = reinterpret_cast<const KVType*>(values);
      for (size_t i = 0; i < order.size(); ++i) self->fill(slots[i], pairs + order[i]);
      return Label<MapObj>(std::move(map));
    }

   private:
    // Makes a table that is at most three quarters full. CreateFor takes twice the memory for many
    // counts.
    static ObjectPtr<DenseMapBaseObj> create_for(size_t count) {
      uint32_t shift = 61;
      uint64_t slots = 8;
      for (; slots - slots / 4 < count; slots *= 2) --shift;
      return Create(shift, slots);
    }

    // Whether the key is not in the map. Also returns false when the limit `*steps_left` on the
    // number of comparisons is reached.
    bool is_new_key(const Any& key, uint64_t hash, uint64_t* tail, size_t* steps_left) const {
      *tail = kInvalidIndex;
      uint64_t slot = HomeOf(hash);
      if (!IsHead(slot)) return true;
      for (; slot != kInvalidIndex; slot = NextInChain(slot)) {
        if (*steps_left == 0 || AnyEqual()(key, EntryAt(slot)->first)) return false;
        --*steps_left;
        *tail = slot;
      }
      return true;
    }

    bool place(const KVType* pair, uint64_t hash, uint64_t tail) {
      uint64_t slot = ClaimSlot(hash, tail, nullptr);
      if (slot == kInvalidIndex) return false;
      fill(slot, pair);
      return true;
    }

    void fill(uint64_t slot, const KVType* pair) {
      std::memcpy(static_cast<void*>(EntryAt(slot)), static_cast<const void*>(pair),
                  sizeof(KVType));
      LinkLast(slot);
      ++size_;
    }

    // Finds a slot for each hash and writes its metadata. Returns false if a hash has no slot.
    bool claim_all(const std::vector<uint64_t>& hashes, std::vector<uint64_t>* slots) {
      std::vector<uint64_t> tails(static_cast<size_t>(slots_), uint64_t{kInvalidIndex});
      for (size_t i = 0; i < hashes.size(); ++i) {
        uint64_t home = HomeOf(hashes[i]);
        (*slots)[i] = kInvalidIndex;
        if (tails[home] != kInvalidIndex) continue;
        Meta(home) = kNewHead;
        tails[home] = (*slots)[i] = home;
      }
      for (size_t i = 0; i < hashes.size(); ++i) {
        if ((*slots)[i] != kInvalidIndex) continue;
        uint64_t& tail = tails[HomeOf(hashes[i])];
        uint8_t jump = JumpToEmpty(tail);
        if (jump == 0) return false;
        uint64_t slot = Jump(tail, jump);
        Meta(slot) = kBodyBit;
        SetJump(tail, jump);
        tail = (*slots)[i] = slot;
      }
      return true;
    }
  };

  // Returns, for each key, the position of its last pair. The order of the keys is the same as
  // after setting one pair after the other: a key that is set again does not move in a small map,
  // and moves to the end of a dense map.
  static std::vector<size_t> order_of_unique(const TVMFFIAny* values, size_t count) {
    struct Key {
      std::string_view text;
      size_t first, last;
    };
    std::vector<Key> keys(count);
    for (size_t i = 0; i < count; ++i) keys[i] = {text_at(values, i), i, i};
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
      int order = a.text.compare(b.text);
      return order != 0 ? order < 0 : a.first < b.first;
    });
    size_t num_unique = 0;
    for (const Key& key : keys) {
      if (num_unique != 0 && keys[num_unique - 1].text == key.text) {
        keys[num_unique - 1].last = key.last;
      } else {
        keys[num_unique++] = key;
      }
    }
    keys.resize(num_unique);
    std::vector<size_t> firsts;
    for (const Key& key : keys) firsts.push_back(key.first);
    std::sort(firsts.begin(), firsts.end());
    // Once the map has four keys, setting the next pair makes the map dense.
    size_t dense_from = num_unique > Small::kCapacity ? firsts[Small::kCapacity - 1] + 1 : count;
    auto place_of = [&](const Key& key) { return key.last >= dense_from ? key.last : key.first; };
    std::sort(keys.begin(), keys.end(),
              [&](const Key& a, const Key& b) { return place_of(a) < place_of(b); });
    std::vector<size_t> order;
    order.reserve(num_unique);
    for (const Key& key : keys) order.push_back(key.last);
    return order;
  }

  static ObjectPtr<Object> set_one_by_one(TVMFFIAny* values, size_t count) {
    Map<Any, Any> map;
    auto* pairs = reinterpret_cast<Any*>(values);
    for (size_t i = 0; i < count; ++i) map.Set(pairs[2 * i], pairs[2 * i + 1]);
    for (size_t i = 0; i < 2 * count; ++i) pairs[i].reset();
    return detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(map));
  }

  // Releases the pairs that were not taken over.
  static void release_others(TVMFFIAny* values, size_t count, const std::vector<size_t>& taken) {
    std::vector<bool> is_taken(count);
    for (size_t i : taken) is_taken[i] = true;
    for (size_t i = 0; i < 2 * count; ++i) {
      if (!is_taken[i / 2]) detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(values[i]).reset();
    }
  }
};

}  // namespace tvm::ffi::runtime
