// SPDX-License-Identifier: Apache-2.0
// The deleters of tensor objects whose memory belongs to something else.
#include "core/foreign_tensor.h"

#include <tvm/ffi/object.h>

#include "core/raw_object.h"

namespace tvm::ffi::runtime {
namespace {

void destroy_foreign_tensor(void* self, int flags) {
  auto* object = static_cast<ForeignTensor*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    object->release(object->owner);  // runs foreign code
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free_raw_object(self);
}

}  // namespace

void delete_foreign_tensor(void* self, int flags) {
  delete_nested<destroy_foreign_tensor>(self, flags);
}

// Its code differs from that of delete_foreign_tensor, so no linker gives both the same address.
void delete_read_only_tensor(void* self, int flags) { delete_foreign_tensor(self, flags); }

}  // namespace tvm::ffi::runtime
