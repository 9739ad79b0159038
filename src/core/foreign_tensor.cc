// SPDX-License-Identifier: Apache-2.0
// The deleter of tensor objects whose memory must not be written to.
#include "core/foreign_tensor.h"

#include <tvm/ffi/object.h>

#include "core/raw_object.h"

namespace tvm::ffi::runtime {
namespace {

void destroy_read_only(void* self, int flags) {
  auto* object = static_cast<ReadOnlyTensor*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    object->release(object->owner);  // runs foreign code
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free_raw_object(self);
}

}  // namespace

void delete_read_only_tensor(void* self, int flags) {
  delete_nested<destroy_read_only>(self, flags);
}

}  // namespace tvm::ffi::runtime
