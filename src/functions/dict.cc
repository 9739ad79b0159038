// SPDX-License-Identifier: Apache-2.0
// Global functions of dicts.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/reflection/registry.h>

#include <utility>
#include <vector>

#include "functions/functions.h"
#include "functions/mapping.h"

namespace tvm {
namespace ffi {
namespace runtime {
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
    if (next_ == keys_.size()) throw_iteration_over();
    return step == kCurrentKey ? keys_[next_] : dict_.at(keys_[next_]);
  }

 private:
  bool advance() {
    if (next_ != keys_.size()) ++next_;
    while (next_ != keys_.size() && dict_.count(keys_[next_]) == 0) ++next_;
    return next_ != keys_.size();
  }

  AnyDict dict_;
  std::vector<Any> keys_;
  size_t next_ = 0;
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
            return Function::FromTyped(DictIteration(reference_to<AnyDict>(dict)));
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

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
