// SPDX-License-Identifier: Apache-2.0
// The calls in progress and the handles that they borrow from wrappers. A call borrows handles
// without counting references. Code that takes a handle out of its wrapper during a call must call
// Frame::keep first, which keeps the object alive for the calls that borrow it.
#pragma once

#include <tvm/ffi/c_api.h>

#include "ref.h"

namespace binding {

// One call in progress. A Frame is on the C stack during the call, and all frames are linked.
// Construct and destroy it with the GIL held; the GIL may be released in between.
class Frame {
 public:
  explicit Frame(const TVMFFIAny* values, int32_t size = 0) : values_(values), size_(size) {
    next_ = first_.next_;
    prev_ = &first_;
    next_->prev_ = this;
    first_.next_ = this;
  }
  ~Frame() {
    prev_->next_ = next_;
    next_->prev_ = prev_;
    if (BINDING_UNLIKELY(kept_ != nullptr)) release_kept();
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  // Marks the next value as completely written.
  void grow() { ++size_; }
  int32_t size() const { return size_; }

  // Keeps `obj`, which is about to be taken from its wrapper, alive for every call that borrows it.
  // Returns 0, or -1 with MemoryError.
  static int keep(TVMFFIObject* obj);

 private:
  struct Kept {
    TVMFFIObject* obj;  // owned
    Kept* next;
  };

  Frame() : values_(nullptr), size_(0), next_(this), prev_(this) {}
  bool borrows(const TVMFFIObject* obj) const;
  int keep_here(TVMFFIObject* obj);
  void release_kept();

  static Frame first_;  // head of the circular list; not a call

  const TVMFFIAny* values_;
  int32_t size_;
  Frame* next_;
  Frame* prev_;
  Kept* kept_ = nullptr;
};

}  // namespace binding
