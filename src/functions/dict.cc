// SPDX-License-Identifier: Apache-2.0
// Global functions of dicts.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/reflection/registry.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "functions/functions.h"
#include "functions/mapping.h"

namespace tvm::ffi::runtime {
namespace {

using AnyDict = Dict<Any, Any>;

// An iteration over a dict. The dict may change during the iteration. The iteration visits the keys
// that existed at its beginning, and skips keys that have been removed.
class DictIteration {
 public:
  explicit DictIteration(AnyDict dict) : dict_(std::move(dict)) {
    keys_.reserve(dict_.size());
    for (auto it = dict_.begin(); it != dict_.end(); ++it) keys_.push_back((*it).first);
  }

  Any operator()(int32_t step) {
    if (step != kCurrentKey && step != kCurrentValue) return advance();
    size_t current = next_;
    if (current == keys_.size()) throw_iteration_over();
    return step == kCurrentKey ? keys_[current] : dict_.at(keys_[current]);
  }

 private:
  bool advance() {
    size_t next = next_;
    if (next != keys_.size()) ++next;
    while (next != keys_.size() && dict_.count(keys_[next]) == 0) ++next;
    next_ = next;
    return next != keys_.size();
  }

  AnyDict dict_;
  std::vector<Any> keys_;
  std::atomic<size_t> next_{0};  // several threads may call the iteration
};

void register_dict_reading() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def_packed(
          "ffi.Dict", [](PackedArgs args, Any* result) { *result = mapping_from<AnyDict>(args); },
          refl::short_call())
      .def(
          "ffi.DictSize",
          [](const DictObj* dict) -> int64_t { return static_cast<int64_t>(dict->size()); },
          refl::short_call())
      .def(
          "ffi.DictGetItem",
          [](const DictObj* dict, const Any& key) -> Any { return dict->at(key); },
          refl::short_call())
      .def(
          "ffi.DictGetItemOrMissing",
          [](const DictObj* dict, const Any& key) { return item_or_missing(dict, key); },
          refl::short_call())
      .def(
          "ffi.DictCount",
          [](const DictObj* dict, const Any& key) -> int64_t {
            return static_cast<int64_t>(dict->count(key));
          },
          refl::short_call())
      .def(
          "ffi.DictForwardIterFunctor",
          [](const DictObj* dict) {
            auto iteration = std::make_shared<DictIteration>(reference_to<AnyDict>(dict));
            return Function::FromTyped([iteration](int32_t step) { return (*iteration)(step); });
          },
          refl::short_call());
}

void register_dict_changing() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def(
          "ffi.DictSetItem",
          [](AnyDict dict, const Any& key, const Any& value) { dict.Set(key, value); },
          refl::short_call())
      .def(
          "ffi.DictErase", [](AnyDict dict, const Any& key) { dict.erase(key); },
          refl::short_call())
      .def("ffi.DictClear", [](AnyDict dict) { dict.clear(); }, refl::short_call());
}

}  // namespace

void register_dict_functions() {
  register_dict_reading();
  register_dict_changing();
}

}  // namespace tvm::ffi::runtime
