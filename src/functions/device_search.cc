// SPDX-License-Identifier: Apache-2.0
// Searches containers for the device of the first tensor that is not on the CPU.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "functions/functions.h"

namespace tvm::ffi::runtime {
namespace {

// Searches sequences and the values of mappings depth first, with an explicit stack. All pointers
// are borrowed. This is safe because the search runs no foreign code, which could release an
// element. Each container is entered once, because it may be shared or contain itself.
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
    // Reverse the new elements, so that the search enters the first one next.
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(first_new), pending_.end());
  }

  std::vector<TVMFFIObject*> pending_;
  std::unordered_set<TVMFFIObject*> entered_;
};

}  // namespace

void register_device_search_functions() {
  ShortDef().def("ffi.ContainerFindFirstNonCPUDevice", [](const Any& value) {
    return DeviceSearch().run(*detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value));
  });
}

}  // namespace tvm::ffi::runtime
