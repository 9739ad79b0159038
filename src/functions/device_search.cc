// SPDX-License-Identifier: Apache-2.0
// Looking for the device of the tensors inside containers.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/reflection/registry.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// Depth first through sequences and the values of mappings, with an explicit stack. All pointers
// are borrowed: no code runs meanwhile that could release an element. A container is entered once,
// since it may be shared or contain itself.
class DeviceSearch {
 public:
  DLDevice run(const TVMFFIAny& root) {
    push(root);
    while (!pending_.empty()) {
      TVMFFIObject* object = pending_.back();
      pending_.pop_back();
      if (object->type_index == kTVMFFITensor) {
        DLDevice device = TVMFFITensorGetDLTensorPtr(object)->device;
        if (device.device_type != kDLCPU) return device;
      } else if (entered_.insert(object).second) {
        push_elements(object);
      }
    }
    return DLDevice{kDLCPU, 0};
  }

 private:
  void push(const TVMFFIAny& value) {
    switch (value.type_index) {
      case kTVMFFITensor:
      case kTVMFFIArray:
      case kTVMFFIList:
      case kTVMFFIMap:
      case kTVMFFIDict:
        pending_.push_back(value.v_obj);
    }
  }

  void push(const Any& value) { push(*detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)); }

  void push_elements(TVMFFIObject* container) {
    size_t first_new = pending_.size();
    using detail::ObjectUnsafe;
    if (container->type_index == kTVMFFIArray || container->type_index == kTVMFFIList) {
      for (const Any& element : *ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(container)) {
        push(element);
      }
    } else {
      for (const auto& item : *ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(container)) {
        push(item.second);
      }
    }
    // The first element is to be taken next.
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(first_new), pending_.end());
  }

  std::vector<TVMFFIObject*> pending_;
  std::unordered_set<TVMFFIObject*> entered_;
};

}  // namespace

void register_device_search_functions() {
  reflection::GlobalDef().def(
      "ffi.ContainerFindFirstNonCPUDevice",
      [](const Any& value) {
        return DeviceSearch().run(*detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value));
      },
      reflection::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
