// SPDX-License-Identifier: Apache-2.0
// The deleter of read-only tensors.
#include "core/read_only_tensor.h"

#include <tvm/ffi/object.h>

#include "core/raw_object.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

void destroy(void* self, int flags) {
  auto* object = static_cast<ReadOnlyTensor*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (object->managed == nullptr) {
      detail::ObjectUnsafe::DecRefObjectHandle(object->source);  // runs foreign code
    } else if (object->managed->deleter != nullptr) {
      object->managed->deleter(object->managed);  // runs foreign code
    }
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free_raw_object(self);
}

}  // namespace

void delete_read_only_tensor(void* self, int flags) { delete_nested<destroy>(self, flags); }

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
