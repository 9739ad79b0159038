// SPDX-License-Identifier: Apache-2.0
// C ABI: version, reference counts, boxes of foreign objects, handles that are initialized once,
// allocators.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include "core/allocator.h"
#include "core/error_slot.h"
#include "core/init_once.h"
#include "core/raw_object.h"

namespace runtime = tvm::ffi::runtime;
using tvm::ffi::detail::ObjectUnsafe;

namespace {

/*! \brief A box around a foreign handle: the members that clients see, then the creator's
 * deleter. */
struct OpaqueBox {
  TVMFFIObject header;
  TVMFFIOpaqueObjectCell cell;
  void (*handle_deleter)(void* handle);
};

void destroy_box(void* self, int flags) {
  auto* box = static_cast<OpaqueBox*>(self);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && box->handle_deleter != nullptr) {
    box->handle_deleter(box->cell.handle);  // runs foreign code
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) runtime::free_raw_object(self);
}

}  // namespace

extern "C" {

void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  if (out_version == nullptr) {
    runtime::raise_null("out_version");
    return;
  }
  *out_version = {TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR, TVM_FFI_VERSION_PATCH};
}

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  if (obj == nullptr) return runtime::raise_null("obj");
  ObjectUnsafe::IncRefObjectHandle(obj);
  return 0;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  ObjectUnsafe::DecRefObjectHandle(obj);  // runs foreign code
  return 0;
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle),
                             TVMFFIObjectHandle* out) {
  if (out == nullptr) return runtime::raise_null("out");
  if (type_index != kTVMFFIOpaquePyObject) {
    return runtime::raise("RuntimeError", {"Only kTVMFFIOpaquePyObject is supported for now"});
  }
  auto* box = runtime::make_raw_object<OpaqueBox>(kTVMFFIOpaquePyObject,
                                                  runtime::delete_nested<destroy_box>);
  if (box == nullptr) return runtime::raise_out_of_memory();
  box->cell.handle = handle;
  box->handle_deleter = deleter;
  *out = box;
  return 0;
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (handle_addr == nullptr) return runtime::raise_null("handle_addr");
  if (init_func == nullptr) return runtime::raise_null("init_func");
  return runtime::init_handle_once(handle_addr, init_func);
}

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  if (handle_addr == nullptr) return runtime::raise_null("handle_addr");
  if (deinit_func == nullptr) return runtime::raise_null("deinit_func");
  return runtime::deinit_handle_once(handle_addr, deinit_func);
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return runtime::custom_allocator(); }

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (allocator != nullptr && allocator->allocate == nullptr) {
    return runtime::raise_null("allocator->allocate");
  }
  runtime::set_custom_allocator(allocator);
  return 0;
}

}  // extern "C"
