// SPDX-License-Identifier: Apache-2.0
// Global functions of maps.
#include <tvm/ffi/container/map.h>

#include <mutex>
#include <utility>

#include "functions/mapping.h"

namespace tvm::ffi::runtime {
namespace {

// An iteration over a map. The map does not change during the iteration: because the iteration
// holds a reference, a writer makes a copy. Several threads may call the iteration.
class MapIteration {
 public:
  explicit MapIteration(Map<Any, Any> map)
      : map_(std::move(map)), next_(map_.begin()), end_(map_.end()) {}

  Any operator()(int32_t step) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (step != kCurrentKey && step != kCurrentValue) return advance();
    if (next_ == end_) throw_iteration_over();
    auto [key, value] = *next_;
    return step == kCurrentKey ? key : value;
  }

 private:
  bool advance() {
    if (next_ != end_) ++next_;
    return next_ != end_;
  }

  std::mutex mutex_;  // guards next_
  Map<Any, Any> map_;
  Map<Any, Any>::iterator next_;
  Map<Any, Any>::iterator end_;
};

}  // namespace

void register_map_functions() { register_mapping<Map<Any, Any>, MapIteration>("ffi.Map"); }

}  // namespace tvm::ffi::runtime
