// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/dense_map.h
 * \brief The dense layout of Map and Dict: a hash table that is divided into blocks. The entries
 * are linked in insertion order.
 *
 * The hash of a key determines its *home* slot. The entries with one home slot form a *chain*: the
 * *head* is in the home slot, and the *bodies* are in other slots. The metadata byte of a slot
 * tells whether the entry is a head or a body, and the distance to the next entry of the chain. A
 * new key whose home slot holds a body of another chain *evicts* that body, which moves to another
 * slot.
 */
// This include is outside of the guard, since map_base.h includes this file after the class
// MapBaseObj.
#include <tvm/ffi/container/map_base.h>

#ifndef TVM_FFI_CONTAINER_DENSE_MAP_H_
#define TVM_FFI_CONTAINER_DENSE_MAP_H_

#include <tvm/ffi/detail/dense_map_table.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace tvm::ffi {

/*! \brief MapBaseObj in the dense layout. */
class DenseMapBaseObj : public MapBaseObj {
 public:
  DenseMapBaseObj() = default;
  ~DenseMapBaseObj() { DestroyStorage(); }

 protected:
  friend class MapBaseObj;
  friend class SmallMapBaseObj;
  friend class DictObj;

  using Block = detail::DenseMapBlock;
  struct ItemType {
    KVType data;
    /*! \brief Slots of the neighbours in insertion order; kInvalidIndex if there is none. */
    uint64_t prev;
    uint64_t next;
  };
  static_assert(sizeof(ItemType) == 48, "items are part of the ABI");

  /*! \brief The hash of the key in each slot, for tables whose keys have hooks. A NULL pointer to
   * the vector means that the hashes are computed from the keys. */
  using SlotHashes = std::vector<uint64_t>;

  // Metadata bytes.
  static constexpr uint8_t kEmptySlot = 0xff;
  static constexpr uint8_t kProtectedSlot = 0xfe;
  static constexpr uint8_t kNewHead = 0x00;
  static constexpr uint8_t kBodyBit = 0x80;
  static constexpr uint8_t kJumpMask = 0x7f;
  static constexpr double kMaxLoadFactor = 0.99;

  /*! \brief Guard of a table with bitwise copies of entries that another map still owns: frees the
   * table without releasing these entries, unless Keep() was called. */
  class BitwiseCopy {
   public:
    explicit BitwiseCopy(DenseMapBaseObj* table) : table_(table) {}
    BitwiseCopy(const BitwiseCopy&) = delete;
    BitwiseCopy& operator=(const BitwiseCopy&) = delete;
    ~BitwiseCopy() {
      if (table_ != nullptr) table_->ForgetTable();
    }
    /*! \brief Keep the table, which owns the entries from now on. */
    void Keep() { table_ = nullptr; }

   private:
    DenseMapBaseObj* table_;
  };

  /* ---------------------------------------------------------------- making */

  /*! \brief Make an empty table of `slots = 2^(64 - shift)` slots. */
  static ObjectPtr<DenseMapBaseObj> Create(uint32_t shift, uint64_t slots) {
    ObjectPtr<DenseMapBaseObj> p = make_object<DenseMapBaseObj>();
    uint64_t num_blocks = (slots + detail::kDenseMapBlockSlots - 1) / detail::kDenseMapBlockSlots;
    if (num_blocks > SIZE_MAX / sizeof(Block)) throw std::bad_alloc();
    // A table of one block ends after its last slot, because the other items are never read.
    uint64_t size = num_blocks > 1 ? num_blocks * sizeof(Block)
                                   : detail::kDenseMapBlockSlots + slots * sizeof(ItemType);
    p->data_ = ::operator new(static_cast<size_t>(size));
    p->data_deleter_ = DeleteBlocks;
    for (uint64_t i = 0; i < num_blocks; ++i) {
      std::memset(p->BlockOf(i * detail::kDenseMapBlockSlots), kEmptySlot,
                  detail::kDenseMapBlockSlots);
    }
    p->slots_ = slots;
    p->fib_shift_ = shift;
    return p;
  }

  /*! \brief Make an empty table with 2 to 4 slots for each of `n` entries. */
  static ObjectPtr<DenseMapBaseObj> CreateFor(uint64_t n) {
    uint32_t shift = 64;
    uint64_t slots = 1;
    for (uint64_t rest = n; rest != 0; rest >>= 1) {
      shift -= 1;
      slots <<= 1;
    }
    if (slots < 2 * n) {
      shift -= 1;
      slots <<= 1;
    }
    return Create(shift, slots);
  }

  /*! \brief Make a copy with every entry in the same slot. */
  static ObjectPtr<DenseMapBaseObj> CopyOf(const DenseMapBaseObj* from) {
    ObjectPtr<DenseMapBaseObj> p = Create(from->fib_shift_, from->slots_);
    for (uint64_t i = 0; i < from->slots_; ++i) {
      uint8_t meta = from->Meta(i);
      if (meta == kEmptySlot) continue;
      new (p->Item(i)) ItemType(*from->Item(i));
      p->Meta(i) = meta;
    }
    p->size_ = from->size_;
    p->iter_list_head_ = from->iter_list_head_;
    p->iter_list_tail_ = from->iter_list_tail_;
    return p;
  }

  /* ---------------------------------------------------------------- reading */

  KVType* EntryAt(uint64_t slot) const { return &Item(slot)->data; }
  bool IsOccupied(uint64_t slot) const { return slot < slots_ && Meta(slot) != kEmptySlot; }
  uint64_t NextInOrder(uint64_t slot) const { return Item(slot)->next; }
  uint64_t PrevInOrder(uint64_t slot) const {
    return slot == kInvalidIndex ? iter_list_tail_ : Item(slot)->prev;
  }

  /*! \brief Return the slot of `key`, or kInvalidIndex when it is missing. */
  uint64_t Find(const Any& key) const {
    if (size_ == 0) return kInvalidIndex;
    uint64_t tail;
    return FindHashed(key, AnyHash()(key), &tail);
  }

  /*!
   * \brief Return the slot of `key`, or kInvalidIndex when it is missing.
   * \param tail when the key is missing, receives the last slot of the chain for its hash, or
   *         kInvalidIndex if there is no such chain.
   */
  uint64_t FindHashed(const Any& key, uint64_t hash, uint64_t* tail) const {
    *tail = kInvalidIndex;
    uint64_t slot = HomeOf(hash);
    if (!IsHead(slot)) return kInvalidIndex;
    for (;;) {
      if (KeyEquals(key, EntryAt(slot))) return slot;
      // Read the next slot only now: the comparison may have run a hook that changed the chain.
      uint64_t next = NextInChain(slot);
      if (next == kInvalidIndex) {
        *tail = slot;
        return kInvalidIndex;
      }
      slot = next;
    }
  }

  /* ---------------------------------------------------------------- writing */

  /*! \brief See MapBaseObj::InsertMaybeReHash. */
  ObjectPtr<DenseMapBaseObj> InsertOrGrow(KVType&& kv) {
    uint64_t hash = AnyHash()(kv.first);  // may run a hook
    uint64_t tail;
    uint64_t slot = FindHashed(kv.first, hash, &tail);
    if (slot != kInvalidIndex) {
      AssignAt(slot, &kv.second);
      return nullptr;
    }
    slot = ClaimSlot(hash, tail, nullptr);
    if (slot == kInvalidIndex) return GrowAndInsert(std::move(kv), hash);
    FillSlot(slot, &kv);
    return nullptr;
  }

  /*! \brief Swap the value of the entry in `slot` with `*value`, and make the entry the last in
   * order. */
  void AssignAt(uint64_t slot, Any* value) {
    Unlink(slot);
    LinkLast(slot);
    Item(slot)->data.second.swap(*value);
    MarkChanged();
  }

  /*!
   * \brief Relocate `*pair` into the table, which must not contain its key. If the function returns
   * true, the caller must not destroy `*pair`.
   * \param known the hash of the key in each slot, to which `hash` is added; NULL to compute the
   *         hashes from the keys.
   * \return false if the table has to grow; then nothing has changed.
   */
  bool TryPlace(const KVType* pair, uint64_t hash, SlotHashes* known) {
    uint64_t slot = ClaimSlot(hash, kInvalidIndex, known);
    if (slot == kInvalidIndex) return false;
    Relocate(EntryAt(slot), pair);
    LinkLast(slot);
    ++size_;
    if (known != nullptr) (*known)[slot] = hash;
    return true;
  }

  /*! \brief Remove the entry in `slot`; `hash` is the hash of its key. */
  void EraseAt(uint64_t slot, uint64_t hash) {
    uint64_t last = slot;
    uint64_t before_last = kInvalidIndex;
    for (uint64_t next = NextInChain(last); next != kInvalidIndex; next = NextInChain(last)) {
      before_last = last;
      last = next;
    }
    if (last == slot && !IsHead(slot)) before_last = PredecessorOf(slot, hash);
    Unlink(slot);
    KVType removed(std::move(*EntryAt(slot)));
    if (last != slot) {
      // The last entry of the chain moves to the slot of the removed entry. So the home slot still
      // holds a head if the removed entry was the head.
      Relocate(Item(slot), Item(last));
      TakePlaceInOrder(slot);
    }
    Meta(last) = kEmptySlot;
    if (before_last != kInvalidIndex) Meta(before_last) &= kBodyBit;
    --size_;
    MarkChanged();
    removed.first.reset();  // may run foreign code
    removed.second.reset();
  }

  /*! \brief Remove the entry in `slot`. */
  void EraseAt(uint64_t slot) { EraseAt(slot, HashOfEntry(EntryAt(slot))); }

  /*! \brief Remove all entries but keep the table. Release the entries slot by slot, each value
   * before its key. */
  void ClearEntries() {
    if (size_ == 0) return;
    // Take all entries out before the first release, since a destructor may use this map.
    std::vector<Any> released;
    released.reserve(static_cast<size_t>(2 * size_));
    for (uint64_t i = 0; i < slots_; ++i) {
      if (Meta(i) == kEmptySlot) continue;
      released.emplace_back(std::move(EntryAt(i)->second));
      released.emplace_back(std::move(EntryAt(i)->first));
      Meta(i) = kEmptySlot;
    }
    size_ = 0;
    iter_list_head_ = kInvalidIndex;
    iter_list_tail_ = kInvalidIndex;
    MarkChanged();
    for (Any& any : released) any.reset();  // may run foreign code
  }

  /*! \brief Release the entries and the table, for a map that is no longer reachable. */
  void DestroyTable() {
    for (uint64_t i = 0; i < slots_; ++i) {
      if (Meta(i) != kEmptySlot) EntryAt(i)->~KVType();  // may run foreign code
    }
    ForgetTable();
  }

  /*! \brief Free the table without releasing the entries, which were relocated. */
  void ForgetTable() {
    if (data_deleter_ != nullptr) data_deleter_(data_);
    AbandonTable();
  }

  /*! \brief Reset the fields of a map whose table was freed, or moved to another map. */
  void AbandonTable() {
    data_ = nullptr;
    data_deleter_ = nullptr;
    slots_ = 0;
    size_ = 0;
    fib_shift_ = 63;
    iter_list_head_ = kInvalidIndex;
    iter_list_tail_ = kInvalidIndex;
  }

  /*! \brief Move the table of `from` into this object, which does not have a table. */
  void TakeTable(DenseMapBaseObj* from) {
    data_ = from->data_;
    size_ = from->size_;
    slots_ = from->slots_;
    data_deleter_ = from->data_deleter_;
    fib_shift_ = from->fib_shift_;
    iter_list_head_ = from->iter_list_head_;
    iter_list_tail_ = from->iter_list_tail_;
    from->AbandonTable();
  }

  /* ---------------------------------------------------------------- slots and chains */

  /*! \brief Return the first byte of the block of a slot. */
  uint8_t* BlockOf(uint64_t slot) const {
    return static_cast<uint8_t*>(data_) + slot / detail::kDenseMapBlockSlots * sizeof(Block);
  }
  uint8_t& Meta(uint64_t slot) const { return BlockOf(slot)[slot % detail::kDenseMapBlockSlots]; }
  ItemType* Item(uint64_t slot) const {
    return reinterpret_cast<ItemType*>(BlockOf(slot) + detail::kDenseMapBlockSlots +
                                       slot % detail::kDenseMapBlockSlots * sizeof(ItemType));
  }
  uint64_t HomeOf(uint64_t hash) const {
    return (uint64_t{11400714819323198485U} * hash) >> fib_shift_;
  }
  bool IsHead(uint64_t slot) const { return (Meta(slot) & kBodyBit) == 0; }
  uint64_t Jump(uint64_t slot, uint8_t jump) const {
    return (slot + detail::kDenseMapDistance[jump]) & (slots_ - 1);
  }
  /*! \brief Return the next slot in the chain of the entry in `slot`, or kInvalidIndex at the
   * end. */
  uint64_t NextInChain(uint64_t slot) const {
    uint8_t jump = Meta(slot) & kJumpMask;
    return jump == 0 ? kInvalidIndex : Jump(slot, jump);
  }
  bool IsFull() const {
    return static_cast<double>(size_ + 1) > static_cast<double>(slots_) * kMaxLoadFactor;
  }
  /*! \brief Return the first jump that leads from `slot` to an empty slot, or 0 if no jump does. */
  uint8_t JumpToEmpty(uint64_t slot) const {
    for (uint32_t jump = 1; jump < detail::kDenseMapNumDistances; ++jump) {
      if (Meta(Jump(slot, static_cast<uint8_t>(jump))) == kEmptySlot) {
        return static_cast<uint8_t>(jump);
      }
    }
    return 0;
  }
  void SetJump(uint64_t slot, uint8_t jump) {
    Meta(slot) = static_cast<uint8_t>((Meta(slot) & kBodyBit) | jump);
  }

  /*!
   * \brief Return the slot before `slot` in its chain.
   * \param slot must not be the head of its chain.
   * \param hash the hash of the key in `slot`.
   */
  uint64_t PredecessorOf(uint64_t slot, uint64_t hash) const;
  /*!
   * \brief Find an empty slot for a key that is not in the table, and set the metadata of the slot.
   * \param hash the hash of the key.
   * \param tail the last slot of the chain for this hash, or kInvalidIndex to search for it.
   * \param known the same parameter as in TryPlace.
   * \return the slot, or kInvalidIndex if the table has to grow; then nothing has changed.
   */
  uint64_t ClaimSlot(uint64_t hash, uint64_t tail, SlotHashes* known);
  /*! \brief Construct the entry of a claimed slot; `kv` is moved from. */
  void FillSlot(uint64_t slot, KVType* kv) {
    new (EntryAt(slot)) KVType(std::move(*kv));
    LinkLast(slot);
    ++size_;
    MarkChanged();
  }

  struct Move {
    uint64_t from;
    uint64_t to;
    uint8_t meta;  // metadata of `from` before the move
  };

  /*!
   * \brief Move the body in `home`, and the entries after it in its chain, to other slots. Then
   * `home` is free, and its metadata is kProtectedSlot.
   * \return false if an entry cannot be moved to an empty slot; then nothing has changed.
   */
  bool Evict(uint64_t home, SlotHashes* known);
  /*!
   * \brief Choose the new slots for Evict(), and write the metadata of the old and new slots.
   * \param home the slot that becomes free.
   * \param before the slot before `home` in its chain.
   * \param moves receives the move of each entry; the caller relocates the entries.
   * \return false if an entry cannot be moved; then the metadata is unchanged.
   */
  bool PlanMoves(uint64_t home, uint64_t before, Move* moves);

  /* ---------------------------------------------------------------- order */

  void LinkLast(uint64_t slot) {
    ItemType* item = Item(slot);
    item->prev = iter_list_tail_;
    item->next = kInvalidIndex;
    if (iter_list_tail_ != kInvalidIndex) {
      Item(iter_list_tail_)->next = slot;
    } else {
      iter_list_head_ = slot;
    }
    iter_list_tail_ = slot;
  }
  void Unlink(uint64_t slot) {
    const ItemType* item = Item(slot);
    PointPrevAt(item->prev, item->next);
    PointNextAt(item->next, item->prev);
  }
  /*! \brief Update the links of the neighbours of an item that was relocated to `slot`. */
  void TakePlaceInOrder(uint64_t slot) {
    const ItemType* item = Item(slot);
    PointPrevAt(item->prev, slot);
    PointNextAt(item->next, slot);
  }
  void PointPrevAt(uint64_t prev, uint64_t slot) {
    (prev == kInvalidIndex ? iter_list_head_ : Item(prev)->next) = slot;
  }
  void PointNextAt(uint64_t next, uint64_t slot) {
    (next == kInvalidIndex ? iter_list_tail_ : Item(next)->prev) = slot;
  }

 private:
  /* ---------------------------------------------------------------- growth */

  /*!
   * \brief Make a table of at least twice the size with all entries and `kv`; leave this table
   * empty.
   *
   * Entries are copied bitwise, so a new table that is too small can be freed without side effects.
   * After the first change of this map, no step can fail.
   */
  ObjectPtr<DenseMapBaseObj> GrowAndInsert(KVType&& kv, uint64_t hash);
  /*! \brief Relocate `kv` and all entries of `from` into this empty table; return false if there is
   * no slot for one of them. */
  bool TryAdopt(const DenseMapBaseObj* from, const std::vector<uint64_t>& hashes, const KVType* kv,
                uint64_t hash);
  /*! \brief Return the hashes of all keys in order if any key has a hook, otherwise an empty
   * vector. */
  std::vector<uint64_t> HashesByHook() const;

  template <typename T>
  static void Relocate(T* to, const T* from) {
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), sizeof(T));
  }

  static void DeleteBlocks(void* data) { ::operator delete(data); }

 protected:
  /*! \brief 64 minus the binary logarithm of the number of slots. */
  uint32_t fib_shift_ = 63;
  /*! \brief First and last slot in insertion order. */
  uint64_t iter_list_head_ = kInvalidIndex;
  uint64_t iter_list_tail_ = kInvalidIndex;
};

static_assert(TVM_FFI_DEBUG_WITH_ABI_CHANGE || sizeof(DenseMapBaseObj) == 80,
              "the dense layout is part of the ABI");

inline uint64_t DenseMapBaseObj::PredecessorOf(uint64_t slot, uint64_t hash) const {
  uint64_t at = HomeOf(hash);
  if (IsHead(at)) {
    for (uint64_t next; (next = NextInChain(at)) != kInvalidIndex; at = next) {
      if (next == slot) return at;
    }
  }
  // The hook returned a different hash than at the insertion of the key, so search all slots.
  for (at = 0; at < slots_; ++at) {
    if (Meta(at) < kProtectedSlot && NextInChain(at) == slot) return at;
  }
  ThrowChangedByHook();
}

inline uint64_t DenseMapBaseObj::ClaimSlot(uint64_t hash, uint64_t tail, SlotHashes* known) {
  uint64_t home = HomeOf(hash);
  if (Meta(home) == kEmptySlot) {
    Meta(home) = kNewHead;
    return home;
  }
  if (IsFull()) return kInvalidIndex;
  if (!IsHead(home)) {
    if (!Evict(home, known)) return kInvalidIndex;
    Meta(home) = kNewHead;
    return home;
  }
  if (tail == kInvalidIndex) {
    tail = home;
    for (uint64_t next; (next = NextInChain(tail)) != kInvalidIndex;) tail = next;
  }
  uint8_t jump = JumpToEmpty(tail);
  if (jump == 0) return kInvalidIndex;
  uint64_t slot = Jump(tail, jump);
  Meta(slot) = kBodyBit;
  SetJump(tail, jump);
  return slot;
}

inline bool DenseMapBaseObj::Evict(uint64_t home, SlotHashes* known) {
  uint64_t hash = known != nullptr ? (*known)[home] : HashOfEntry(EntryAt(home));
  if (IsHead(home)) ThrowChangedByHook();
  uint64_t before = PredecessorOf(home, hash);
  uint64_t count = 1;
  for (uint64_t at = home; (at = NextInChain(at)) != kInvalidIndex;) ++count;
  constexpr uint64_t kUsual = 8;
  Move usual[kUsual];
  std::unique_ptr<Move[]> many(count > kUsual ? new Move[count] : nullptr);
  Move* moves = many != nullptr ? many.get() : usual;
  if (!PlanMoves(home, before, moves)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    Relocate(Item(moves[i].to), Item(moves[i].from));
    TakePlaceInOrder(moves[i].to);
    if (known != nullptr) (*known)[moves[i].to] = (*known)[moves[i].from];
  }
  return true;
}

inline bool DenseMapBaseObj::PlanMoves(uint64_t home, uint64_t before, Move* moves) {
  const uint8_t meta_before = Meta(before);
  uint64_t count = 0;
  uint64_t tail = before;
  for (uint64_t at = home; at != kInvalidIndex;) {
    uint8_t jump = JumpToEmpty(tail);
    if (jump == 0) {
      for (; count > 0; --count) {
        Meta(moves[count - 1].to) = kEmptySlot;
        Meta(moves[count - 1].from) = moves[count - 1].meta;
      }
      Meta(before) = meta_before;
      return false;
    }
    uint64_t to = Jump(tail, jump);
    uint64_t next = NextInChain(at);
    moves[count++] = Move{at, to, Meta(at)};
    Meta(to) = kBodyBit;
    Meta(at) = at == home ? kProtectedSlot : kEmptySlot;
    SetJump(tail, jump);
    tail = to;
    at = next;
  }
  return true;
}

inline ObjectPtr<DenseMapBaseObj> DenseMapBaseObj::GrowAndInsert(KVType&& kv, uint64_t hash) {
  std::vector<uint64_t> hashes = HashesByHook();
  ObjectPtr<DenseMapBaseObj> bigger;
  uint32_t shift = fib_shift_;
  uint64_t slots = slots_;
  for (;;) {
    shift -= 1;
    slots *= 2;
    bigger = Create(shift, slots);
    BitwiseCopy copy(bigger.get());
    if (bigger->TryAdopt(this, hashes, &kv, hash)) {
      copy.Keep();
      break;
    }
  }
  new (&kv) KVType();  // the new table owns the former content of `kv`
  ForgetTable();
  MarkChanged();
  return bigger;
}

inline bool DenseMapBaseObj::TryAdopt(const DenseMapBaseObj* from,
                                      const std::vector<uint64_t>& hashes, const KVType* kv,
                                      uint64_t hash) {
  SlotHashes by_slot(hashes.empty() ? 0 : static_cast<size_t>(slots_));
  SlotHashes* known = hashes.empty() ? nullptr : &by_slot;
  size_t n = 0;
  for (uint64_t i = from->iter_list_head_; i != kInvalidIndex; i = from->NextInOrder(i), ++n) {
    const KVType* entry = from->EntryAt(i);
    if (!TryPlace(entry, known == nullptr ? AnyHash()(entry->first) : hashes[n], known)) {
      return false;
    }
  }
  return TryPlace(kv, hash, known);
}

inline std::vector<uint64_t> DenseMapBaseObj::HashesByHook() const {
  std::vector<uint64_t> hashes;
  bool hooked = false;
  for (uint64_t i = iter_list_head_; i != kInvalidIndex && !hooked; i = NextInOrder(i)) {
    hooked = detail::HasHashHook(EntryAt(i)->first.type_index());
  }
  if (!hooked) return hashes;
  hashes.reserve(static_cast<size_t>(size_));
  for (uint64_t i = iter_list_head_; i != kInvalidIndex; i = NextInOrder(i)) {
    hashes.push_back(HashOfEntry(EntryAt(i)));  // may run a hook
  }
  if (hashes.size() != size_) ThrowChangedByHook();
  return hashes;
}

}  // namespace tvm::ffi

#endif  // TVM_FFI_CONTAINER_DENSE_MAP_H_
