// SPDX-License-Identifier: Apache-2.0
// Global functions of dicts.
#include <tvm/ffi/container/dict.h>

#include <atomic>
#include <utility>
#include <vector>

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

}  // namespace

void register_dict_functions() {
  register_mapping<AnyDict, DictIteration>("ffi.Dict");
  ShortDef()
      .def("ffi.DictSetItem",
           [](AnyDict dict, const Any& key, const Any& value) { dict.Set(key, value); })
      .def("ffi.DictErase", [](AnyDict dict, const Any& key) { dict.erase(key); })
      .def("ffi.DictClear", [](AnyDict dict) { dict.clear(); });
}

}  // namespace tvm::ffi::runtime
