// SPDX-License-Identifier: Apache-2.0
// Structural hash of mappings, independent of the order of their entries.
#include <algorithm>

#include "graph/structural_hash_walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace structural {

TVM_FFI_INLINE bool HashWalk::hash_key(const TVMFFIAny& key, uint64_t* hash) {
  if (!is_object(key)) {
    *hash = hash_plain(key);
    return true;
  }
  if (hash_content(key, hash)) return true;
  bool is_new = detail::IsContainer(key.type_index) || !shared_->known.is_used();
  const Known* known = is_new ? nullptr : shared_->known->find({key.v_obj});
  if (known == nullptr || known->state != Known::kDone) return false;
  *hash = known->hash;
  return true;
}

void HashWalk::collect_entries(HashFrame* frame) {
  frame->first_entry = frame->next_entry = frame->end_entry = entries_.size();
  TVMFFIAny key;
  Entry entry;
  while (frame->children.next(&key, &shared_->held)) {
    frame->children.next(&entry.value, &shared_->held);
    if (hash_key(key, &entry.key_hash)) entries_.push_back(entry);
  }
  std::sort(entries_.begin() + static_cast<ptrdiff_t>(frame->first_entry), entries_.end(),
            [](const Entry& lhs, const Entry& rhs) { return lhs.key_hash < rhs.key_hash; });
  frame->end_entry = entries_.size();
}

void HashWalk::step_in_mapping(HashFrame* frame) {
  while (frame->next_entry < frame->end_entry) {
    const Entry& entry = entries_[frame->next_entry++];
    frame->hash = combine(frame->hash, entry.key_hash);
    if (skip_equal_hashes(frame, entry.key_hash)) continue;
    uint64_t part;
    TVMFFIAny value = entry.value;
    if (!hash_leaf(value, &part)) return open(value.v_obj, frame->inner_region);
    frame->hash = combine(frame->hash, part);
  }
  close();
}

bool HashWalk::skip_equal_hashes(HashFrame* frame, uint64_t key_hash) {
  size_t begin = frame->next_entry;
  while (frame->next_entry < frame->end_entry && entries_[frame->next_entry].key_hash == key_hash) {
    ++frame->next_entry;
  }
  return frame->next_entry != begin;
}

void HashWalk::drop_entries(const HashFrame& frame) {
  entries_.resize(frame.first_entry);
  num_kept_entries_ = std::min(num_kept_entries_, entries_.size());
}

}  // namespace structural
}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
