// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/dense_map_growth.h
 * \brief Growth of the dense layout: all entries relocated to a larger table. Part of
 * detail/dense_map.h.
 */
#ifndef TVM_FFI_DETAIL_DENSE_MAP_GROWTH_H_
#define TVM_FFI_DETAIL_DENSE_MAP_GROWTH_H_

#include <tvm/ffi/detail/dense_map.h>

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {

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
  new (&kv) KVType();  // its content lives in the new table
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

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_DENSE_MAP_GROWTH_H_
