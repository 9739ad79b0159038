// SPDX-License-Identifier: Apache-2.0
// The table that assigns node numbers of graph JSON to values.
#ifndef TVM_FFI_SRC_GRAPH_NODE_TABLE_H_
#define TVM_FFI_SRC_GRAPH_NODE_TABLE_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Maps values to numbers. Values that are equal as map keys have one number. Keeps the
 * values alive.
 *
 * position_of() may run hooks of a key type, which may throw. The other functions do not run hooks.
 */
class NodeTable {
 public:
  /*! \brief Number of a value whose node is not complete. */
  static constexpr int64_t kOpen = -1;

  /*!
   * \brief Return the position of a value's number. A new value gets the number kOpen.
   * \return a position that stays valid.
   */
  size_t position_of(const Any& value, bool* is_new) {
    uint64_t hash = AnyHash()(value);  // may run a hook
    if ((entries_.size() + 1) * 2 > slots_.size()) grow();
    size_t mask = slots_.size() - 1;
    for (size_t slot = slot_of(hash, mask);; slot = (slot + 1) & mask) {
      if (slots_[slot] == 0) {
        entries_.push_back({value, hash, kOpen});
        slots_[slot] = entries_.size();
        *is_new = true;
        return entries_.size() - 1;
      }
      const Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash != hash) continue;
      Any key = entry.value;
      if (AnyEqual()(key, value)) {  // may run a hook
        *is_new = false;
        return slots_[slot] - 1;
      }
    }
  }

  int64_t number_at(size_t position) const { return entries_[position].number; }
  void set_number(size_t position, int64_t number) { entries_[position].number = number; }

 private:
  struct Entry {
    Any value;
    uint64_t hash;
    int64_t number;
  };

  static size_t slot_of(uint64_t hash, size_t mask) {
    return static_cast<size_t>((hash * 0x9e3779b97f4a7c15u) >> 20) & mask;
  }

  void grow() {
    std::vector<size_t> slots(slots_.empty() ? 64 : slots_.size() * 2);
    size_t mask = slots.size() - 1;
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t slot = slot_of(entries_[i].hash, mask);
      while (slots[slot] != 0) slot = (slot + 1) & mask;
      slots[slot] = i + 1;
    }
    slots_ = std::move(slots);
  }

  std::vector<Entry> entries_;
  std::vector<size_t> slots_;  // 1 + position in entries_; 0: free
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_NODE_TABLE_H_
