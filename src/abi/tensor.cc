// SPDX-License-Identifier: Apache-2.0
// C ABI: import and export of tensors through DLPack, and views of tensors.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/deleter_mark.h>
#include <tvm/ffi/object.h>

#include <cstring>
#include <new>
#include <string>

#include "core/error_slot.h"
#include "core/foreign_tensor.h"
#include "core/raw_object.h"
#include "core/tensor_check.h"
#include "core/type_name.h"

namespace runtime = tvm::ffi::runtime;
using tvm::ffi::detail::HasMark;
using tvm::ffi::detail::ObjectUnsafe;
using tvm::ffi::runtime::delete_read_only_tensor;
using tvm::ffi::runtime::ForeignTensor;
using tvm::ffi::runtime::ReadOnlyTensor;

namespace {

template <typename Managed>
void release_imported(void* self) {
  auto* managed = static_cast<Managed*>(self);
  if (managed->deleter != nullptr) managed->deleter(managed);  // runs foreign code
}

void release_source(void* tensor) { ObjectUnsafe::DecRefObjectHandle(tensor); }  // foreign code

template <void (*kRelease)(void*)>
void destroy_foreign(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    kRelease(static_cast<ForeignTensor*>(self)->owner);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) runtime::free_raw_object(self);
}

/*!
 * \brief Make a tensor object with the members of `source`, and with space for extents behind it.
 * \param extents receives the address of this space.
 * \return NULL when there is no memory.
 */
template <void (*kRelease)(void*)>
ForeignTensor* make_foreign(const DLTensor& source, void* owner, bool is_read_only,
                            size_t num_extents, int64_t** extents) {
  const size_t extra = num_extents * sizeof(int64_t);
  auto fill = [&](auto* object) {
    object->tensor = source;
    object->owner = owner;
    *extents = reinterpret_cast<int64_t*>(object + 1);
    return reinterpret_cast<ForeignTensor*>(object);
  };
  if (is_read_only) {
    auto* object =
        runtime::make_raw_object<ReadOnlyTensor>(kTVMFFITensor, delete_read_only_tensor, extra);
    if (object == nullptr) return nullptr;
    object->release = kRelease;
    return fill(object);
  }
  auto* object = runtime::make_raw_object<ForeignTensor>(
      kTVMFFITensor, runtime::delete_nested<destroy_foreign<kRelease>>, extra);
  return object == nullptr ? nullptr : fill(object);
}

/*! \brief Return the tensor whose memory a tensor object views; the object if it is not a view. */
TVMFFIObject* viewed_tensor(TVMFFIObject* object) {
  bool is_view = HasMark(object, runtime::delete_nested<destroy_foreign<release_source>>) ||
                 (HasMark(object, delete_read_only_tensor) &&
                  reinterpret_cast<ReadOnlyTensor*>(object)->release == release_source);
  if (!is_view) return object;
  return static_cast<TVMFFIObject*>(reinterpret_cast<ForeignTensor*>(object)->owner);
}

/*! \brief Wrap a tensor whose members have been checked. On success the new object owns `from`. */
template <typename Managed>
int import_checked(Managed* from, bool is_read_only, TVMFFIObjectHandle* out) {
  const DLTensor& source = from->dl_tensor;
  bool needs_strides = source.strides == nullptr && source.ndim > 0;
  int64_t* extents;
  ForeignTensor* object = make_foreign<release_imported<Managed>>(
      source, from, is_read_only, needs_strides ? static_cast<size_t>(source.ndim) : 0, &extents);
  if (object == nullptr) return runtime::raise_out_of_memory();
  if (needs_strides) {
    object->tensor.strides = extents;
    runtime::fill_compact_strides(source, extents);
  }
  *out = object;
  return 0;
}

int check_layout(const DLTensor& tensor, int32_t require_alignment, int32_t require_contiguous) {
  if (require_alignment < 0) {
    return runtime::raise("ValueError", {"`require_alignment` must not be negative"});
  }
  if (require_alignment > 0 &&
      !runtime::is_aligned(tensor, static_cast<uint32_t>(require_alignment))) {
    return runtime::raise("RuntimeError", {"FromDLPack: Data is not aligned to ",
                                           std::to_string(require_alignment), " bytes."});
  }
  if (require_contiguous != 0 && !runtime::is_contiguous(tensor)) {
    return runtime::raise("RuntimeError", {"FromDLPack: Tensor is not contiguous."});
  }
  return 0;
}

/*! \brief Return the tensor behind a handle, or raise an error and return NULL. */
TVMFFIObject* tensor_or_raise(TVMFFIObjectHandle handle) {
  if (handle == nullptr) {
    runtime::raise_null("from");
    return nullptr;
  }
  auto* object = static_cast<TVMFFIObject*>(handle);
  if (object->type_index == kTVMFFITensor) return object;
  runtime::raise("TypeError", {"Cannot convert from type `", runtime::type_name(object->type_index),
                               "` to `ffi.Tensor`"});
  return nullptr;
}

template <typename Managed>
void delete_exported(Managed* self) {
  ObjectUnsafe::DecRefObjectHandle(self->manager_ctx);  // runs foreign code
  delete self;
}

/*! \brief Make a managed tensor that shares the data of the tensor object `from`. The caller sets
 * the version and the flags of the managed tensor. */
template <typename Managed>
int export_tensor(TVMFFIObjectHandle from, Managed** out) {
  if (out == nullptr) return runtime::raise_null("out");
  TVMFFIObject* object = tensor_or_raise(from);
  if (object == nullptr) return -1;
  auto* managed = new (std::nothrow) Managed();
  if (managed == nullptr) return runtime::raise_out_of_memory();
  ObjectUnsafe::IncRefObjectHandle(object);
  managed->dl_tensor = *TVMFFITensorGetDLTensorPtr(object);
  managed->manager_ctx = object;
  managed->deleter = delete_exported<Managed>;
  *out = managed;
  return 0;
}

}  // namespace

extern "C" {

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment,
                           int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from == nullptr) return runtime::raise_null("from");
  if (out == nullptr) return runtime::raise_null("out");
  if (runtime::check_tensor(from->dl_tensor, "dl_tensor") != 0) return -1;
  if (check_layout(from->dl_tensor, require_alignment, require_contiguous) != 0) return -1;
  return import_checked(from, false, out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  if (from == nullptr) return runtime::raise_null("from");
  if (out == nullptr) return runtime::raise_null("out");
  // DLPack: for another major version, only the version and the deleter may be read.
  if (from->version.major != DLPACK_MAJOR_VERSION) {
    return runtime::raise("ValueError", {"`version.major` is ", std::to_string(from->version.major),
                                         ", only DLPack version ",
                                         std::to_string(DLPACK_MAJOR_VERSION), " is supported"});
  }
  if (runtime::check_tensor(from->dl_tensor, "dl_tensor") != 0) return -1;
  if (check_layout(from->dl_tensor, require_alignment, require_contiguous) != 0) return -1;
  if (from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) {
    return runtime::raise("RuntimeError", {"Subbyte type padded is not yet supported"});
  }
  bool is_read_only = (from->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
  return import_checked(from, is_read_only, out);
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  if (from != nullptr && HasMark(static_cast<TVMFFIObject*>(from), delete_read_only_tensor)) {
    return runtime::raise("BufferError",
                          {"cannot export a read-only tensor without a DLPack version, which could "
                           "not tell that it is read-only; ask for version 1 or later, or copy the "
                           "tensor"});
  }
  return export_tensor(from, out);
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  DLManagedTensorVersioned* managed = nullptr;
  if (out == nullptr) return runtime::raise_null("out");
  if (export_tensor(from, &managed) != 0) return -1;
  managed->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  bool is_read_only = HasMark(static_cast<TVMFFIObject*>(from), delete_read_only_tensor);
  managed->flags = is_read_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  *out = managed;
  return 0;
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype,
                                 TVMFFIObjectHandle* out) {
  if (source == nullptr) return runtime::raise_null("source");
  if (prototype == nullptr) return runtime::raise_null("prototype");
  if (out == nullptr) return runtime::raise_null("out");
  if (prototype->strides == nullptr) {
    return runtime::raise("InternalError", {"Check not null: prototype.strides "});
  }
  if (runtime::check_tensor(*prototype, "prototype") != 0) return -1;
  auto* owner = static_cast<TVMFFIObject*>(source);
  bool is_read_only = HasMark(owner, delete_read_only_tensor);
  // A view of a view keeps only the tensor with the memory alive, not a chain of views.
  owner = viewed_tensor(owner);
  size_t ndim = static_cast<size_t>(prototype->ndim);
  int64_t* extents;
  ForeignTensor* view =
      make_foreign<release_source>(*prototype, owner, is_read_only, 2 * ndim, &extents);
  if (view == nullptr) return runtime::raise_out_of_memory();
  view->tensor.shape = extents;
  view->tensor.strides = extents + ndim;
  if (ndim > 0) {
    std::memcpy(view->tensor.shape, prototype->shape, ndim * sizeof(int64_t));
    std::memcpy(view->tensor.strides, prototype->strides, ndim * sizeof(int64_t));
  }
  ObjectUnsafe::IncRefObjectHandle(owner);
  *out = view;
  return 0;
}

}  // extern "C"
