// SPDX-License-Identifier: Apache-2.0
// A second implementation of the dense layout of Map and Dict. Tests compare its tables with the
// memory of a Map. The code follows the steps in docs/reference/container-layout.md, and is as
// simple as possible.
#ifndef TVM_FFI_TESTS_CPP_MAP_MODEL_H_
#define TVM_FFI_TESTS_CPP_MAP_MODEL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "container_vectors.h"

namespace model {

constexpr uint64_t kNone = ~uint64_t{0};

/*! \brief A dense table from int keys to int values. */
class Table {
 public:
  using Hash = std::function<uint64_t(int64_t)>;
  struct Item {
    int64_t key = 0;
    int64_t value = 0;
    uint64_t prev = kNone;
    uint64_t next = kNone;
  };

  Table(Hash hash, uint32_t shift, uint64_t slots)
      : hash(std::move(hash)), shift(shift), meta(slots, 0xff), items(slots) {}

  /*! \brief Return a table for `n` entries. */
  static Table For(Hash hash, uint64_t n) {
    uint32_t shift = 64;
    uint64_t slots = 1;
    for (uint64_t rest = n; rest; rest >>= 1) {
      --shift;
      slots *= 2;
    }
    if (slots < 2 * n) {
      --shift;
      slots *= 2;
    }
    return Table(std::move(hash), shift, slots);
  }

  void Set(int64_t key, int64_t value) {
    uint64_t slot = Insert(key);
    if (slot == kNone) {
      steps.insert("grow");
      Table bigger(hash, shift - 1, 2 * slots());
      for (uint64_t i = head; i != kNone; i = items[i].next)
        bigger.Set(items[i].key, items[i].value);
      bigger.Set(key, value);
      bigger.steps.insert(steps.begin(), steps.end());
      *this = bigger;
      return;
    }
    items[slot].value = value;
    items[slot].prev = tail;
    items[slot].next = kNone;
    (tail == kNone ? head : items[tail].next) = slot;
    tail = slot;
  }

  bool Erase(int64_t key) {
    uint64_t slot = Find(key);
    if (slot == kNone) return false;
    --size;
    if (!(meta[slot] & 0x7f)) {
      steps.insert(meta[slot] & 0x80 ? "erase last body" : "erase lone head");
      if (meta[slot] & 0x80) meta[Before(slot)] &= 0x80;
      Unlink(slot);
      meta[slot] = 0xff;
      return true;
    }
    steps.insert(meta[slot] & 0x80 ? "erase inner body" : "erase head with chain");
    uint64_t last = slot, before_last = kNone;
    while (meta[last] & 0x7f) {
      before_last = last;
      last = Next(last);
    }
    Unlink(slot);
    items[slot] = items[last];
    Repoint(slot);
    meta[last] = 0xff;
    meta[before_last] &= 0x80;
    return true;
  }

  void Clear() {
    meta.assign(meta.size(), 0xff);
    size = 0;
    head = tail = kNone;
  }

  uint64_t Find(int64_t key) const {
    uint64_t slot = Home(key);
    if (size == 0 || (meta[slot] & 0x80)) return kNone;
    for (;; slot = Next(slot)) {
      if (items[slot].key == key) return slot;
      if (!(meta[slot] & 0x7f)) return kNone;
    }
  }

  uint64_t slots() const { return meta.size(); }

  Hash hash;
  uint32_t shift;
  std::vector<uint8_t> meta;
  std::vector<Item> items;
  uint64_t head = kNone;
  uint64_t tail = kNone;
  uint64_t size = 0;
  /*! \brief Names of the cases of the algorithm that have occurred, for tests of their coverage. */
  std::set<std::string> steps;

 private:
  uint64_t Home(int64_t key) const { return (11400714819323198485u * hash(key)) >> shift; }
  uint64_t Step(uint64_t slot, uint64_t jump) const {
    return (slot + golden::kProbeDistance[jump]) % slots();
  }
  uint64_t Next(uint64_t slot) const { return Step(slot, meta[slot] & 0x7f); }
  bool Full() const { return static_cast<double>(size + 1) > static_cast<double>(slots()) * 0.99; }
  uint64_t Before(uint64_t slot) const {
    uint64_t at = Home(items[slot].key);
    while (Next(at) != slot) at = Next(at);
    return at;
  }
  uint64_t FreeJump(uint64_t slot) const {
    for (uint64_t j = 1; j < golden::kProbeDistance.size(); ++j) {
      if (meta[Step(slot, j)] == 0xff) return j;
    }
    return 0;
  }
  void Unlink(uint64_t slot) {
    const Item& item = items[slot];
    (item.prev == kNone ? head : items[item.prev].next) = item.next;
    (item.next == kNone ? tail : items[item.next].prev) = item.prev;
  }
  void Repoint(uint64_t slot) {
    const Item& item = items[slot];
    (item.prev == kNone ? head : items[item.prev].next) = slot;
    (item.next == kNone ? tail : items[item.next].prev) = slot;
  }
  void Put(uint64_t slot, int64_t key, uint8_t byte) {
    items[slot] = Item{key, 0, kNone, kNone};
    meta[slot] = byte;
    ++size;
  }

  /*!
   * \brief Return a slot for `key`, which the caller must append to the linked list of insertion
   * order. Return kNone if the table must grow.
   */
  uint64_t Insert(int64_t key) {
    uint64_t home = Home(key);
    if (meta[home] == 0xff) {
      steps.insert(Full() ? "empty home although full" : "empty home");
      Put(home, key, 0x00);
      return home;
    }
    if (meta[home] & 0x80) {
      if (Full()) {
        steps.insert("body home, full");
        return kNone;
      }
      return Evict(home, key);
    }
    uint64_t slot = home;
    for (;; slot = Next(slot)) {
      if (items[slot].key == key) {
        steps.insert("found");
        Unlink(slot);
        return slot;
      }
      if (!(meta[slot] & 0x7f)) break;
    }
    if (Full()) {
      steps.insert("head home, full");
      return kNone;
    }
    uint64_t jump = FreeJump(slot);
    if (jump == 0) {
      steps.insert("no free slot for a body");
      return kNone;
    }
    steps.insert("append to chain");
    uint64_t to = Step(slot, jump);
    Put(to, key, 0x80);
    meta[slot] = static_cast<uint8_t>((meta[slot] & 0x80) | jump);
    return to;
  }

  uint64_t Evict(uint64_t home, int64_t key) {
    Table before = *this;
    uint64_t w = Before(home), r = home;
    int moved = 0;
    for (;;) {
      uint64_t jump = FreeJump(w);
      if (jump == 0) {
        *this = before;  // the caller makes a larger table, and only needs the order of the entries
        steps.insert("eviction fails");
        return kNone;
      }
      uint64_t to = Step(w, jump);
      items[to] = items[r];
      meta[to] = 0x80;
      Repoint(to);
      uint8_t old = meta[r];
      uint64_t next = Step(r, old & 0x7f);
      meta[r] = r == home ? 0xfe : 0xff;
      meta[w] = static_cast<uint8_t>((meta[w] & 0x80) | jump);
      w = to;
      ++moved;
      if (!(old & 0x7f)) break;
      r = next;
    }
    steps.insert(moved > 8 ? "evict many" : moved > 1 ? "evict several" : "evict one");
    Put(home, key, 0x00);
    return home;
  }
};

}  // namespace model
#endif  // TVM_FFI_TESTS_CPP_MAP_MODEL_H_
