// SPDX-License-Identifier: Apache-2.0
// Hash table from names to nodes, which are never freed. A lookup takes no lock and does not write
// shared memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tvm::ffi::runtime {

/*! \brief Multiply, and combine the two halves of the product, so that each returned bit depends on
 * all bits of both factors. If only the low half were returned, names that differ in their last
 * characters would get adjacent slots. */
inline uint64_t fold_product(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
#else
  uint64_t product = a * b;
  product ^= product >> 32;
  product *= b;
  return product ^ product >> 29;
#endif
}

/*! \brief Hash a name, eight bytes at a time. The hash is used only in this table and in this
 * process. */
inline uint64_t hash_name(const char* data, size_t size) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15ull;
  uint64_t hash = size * kMultiplier;
  auto mix = [&hash](uint64_t word) { hash = fold_product(hash ^ word, kMultiplier); };
  uint64_t word = 0;
  if (size >= 8) {
    for (size_t at = 0; at + 8 < size; at += 8) {
      std::memcpy(&word, data + at, 8);
      mix(word);
    }
    // The last word may overlap the preceding word. So no loop over the remaining bytes is needed.
    std::memcpy(&word, data + size - 8, 8);
  } else if (size >= 4) {
    uint32_t low = 0;
    uint32_t high = 0;
    std::memcpy(&low, data, 4);
    std::memcpy(&high, data + size - 4, 4);
    word = (static_cast<uint64_t>(high) << 32) | low;
  } else if (size > 0) {
    word = (static_cast<uint64_t>(static_cast<unsigned char>(data[0])) << 16) |
           (static_cast<uint64_t>(static_cast<unsigned char>(data[size / 2])) << 8) |
           static_cast<uint64_t>(static_cast<unsigned char>(data[size - 1]));
  }
  mix(word);
  return hash;
}

/*! \brief Base class of the nodes in a table. A node must not change after its insertion. */
struct NameNode {
  const char* name = nullptr;
  size_t name_size = 0;
  uint64_t name_hash = 0;
};

/*!
 * \brief Open-addressed table of nodes; constant-initialized and never destroyed.
 *
 * Any thread may call find at any time. To call any other member, the owner of the table must hold
 * its own lock. Slots are published by release stores. Arrays that were replaced by larger arrays
 * are not freed, because a reader may still be using them.
 */
class NameTable {
 public:
  constexpr NameTable() = default;

  NameNode* find(const char* name, size_t size) const {
    const Slots* slots = slots_.load(std::memory_order_acquire);
    if (slots == nullptr) return nullptr;
    uint64_t hash = hash_name(name, size);
    for (size_t at = hash & slots->mask;; at = (at + 1) & slots->mask) {
      NameNode* node = slots->at[at].load(std::memory_order_acquire);
      if (node == nullptr) return nullptr;
      if (node->name_hash == hash && node->name_size == size &&
          (size == 0 || std::memcmp(node->name, name, size) == 0)) {
        return node;
      }
    }
  }

  /*!
   * \brief Publish a node whose name is not in the table.
   * \param node its name must be set and must never be freed; the function sets its hash.
   *
   * May throw std::bad_alloc; the table is then unchanged.
   */
  void insert(NameNode* node);

  /*! \brief Publish a node instead of another node with the same name. Cannot fail. */
  void replace(const NameNode* former, NameNode* node);

  /*! \brief Reserve a slot for one more node, so that the next insert cannot fail. */
  void reserve_one();

 private:
  struct Slots {
    size_t mask;
    Slots* previous;
    std::atomic<NameNode*>* at;
  };

  static void place(const Slots& slots, NameNode* node);

  std::atomic<Slots*> slots_{nullptr};
  size_t used_ = 0;
};

}  // namespace tvm::ffi::runtime
