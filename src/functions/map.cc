// SPDX-License-Identifier: Apache-2.0
// Global functions of maps.
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/reflection/registry.h>

#include <memory>
#include <mutex>
#include <utility>

#include "functions/functions.h"
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

void register_map_functions() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def_packed(
          "ffi.Map",
          [](PackedArgs args, Any* result) { *result = mapping_from<Map<Any, Any>>(args); },
          refl::short_call())
      .def(
          "ffi.MapSize",
          [](const MapObj* map) -> int64_t { return static_cast<int64_t>(map->size()); },
          refl::short_call())
      .def(
          "ffi.MapGetItem", [](const MapObj* map, const Any& key) -> Any { return map->at(key); },
          refl::short_call())
      .def(
          "ffi.MapGetItemOrMissing",
          [](const MapObj* map, const Any& key) { return item_or_missing(map, key); },
          refl::short_call())
      .def(
          "ffi.MapCount",
          [](const MapObj* map, const Any& key) -> int64_t {
            return static_cast<int64_t>(map->count(key));
          },
          refl::short_call())
      .def(
          "ffi.MapForwardIterFunctor",
          [](const MapObj* map) {
            auto iteration = std::make_shared<MapIteration>(reference_to<Map<Any, Any>>(map));
            return Function::FromTyped([iteration](int32_t step) { return (*iteration)(step); });
          },
          refl::short_call());
}

}  // namespace tvm::ffi::runtime
