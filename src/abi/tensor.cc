// SPDX-License-Identifier: Apache-2.0
// C ABI: import and export of tensors through DLPack, and views of tensors.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <cstring>
#include <new>
#include <string>

#include "core/error_slot.h"
#include "core/raw_object.h"
#include "core/read_only_tensor.h"
#include "core/tensor_check.h"
#include "core/type_name.h"

namespace runtime = tvm::ffi::runtime;
using tvm::ffi::detail::ObjectUnsafe;

namespace {

/*!
 * \brief A tensor that was imported through DLPack. If the source has no strides, compact strides
 * follow this struct in memory.
 */
template <typename Managed>
struct ImportedTensor {
  TVMFFIObject header;
  DLTensor tensor;
  Managed* managed;

  int64_t* inline_strides() { return reinterpret_cast<int64_t*>(this + 1); }
};

/*!
 * \brief A tensor that uses the memory of another object. Its shape and strides follow this struct
 * in memory.
 */
struct TensorView {
  TVMFFIObject header;
  DLTensor tensor;
  TVMFFIObjectHandle source;

  int64_t* inline_extents() { return reinterpret_cast<int64_t*>(this + 1); }
};

template <typename Managed>
void destroy_imported(void* self, int flags) {
  auto* object = static_cast<ImportedTensor<Managed>*>(self);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && object->managed->deleter != nullptr) {
    object->managed->deleter(object->managed);  // runs foreign code
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) runtime::free_raw_object(self);
}

void destroy_view(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    ObjectUnsafe::DecRefObjectHandle(static_cast<TensorView*>(self)->source);  // runs foreign code
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) runtime::free_raw_object(self);
}

/*! \brief Wrap a tensor whose members have been checked. On success the new object owns `from`. */
template <typename Managed>
int import_checked(Managed* from, TVMFFIObjectHandle* out) {
  using Imported = ImportedTensor<Managed>;
  const DLTensor& source = from->dl_tensor;
  bool needs_strides = source.strides == nullptr && source.ndim > 0;
  size_t extra = needs_strides ? sizeof(int64_t) * static_cast<size_t>(source.ndim) : 0;
  auto* object = runtime::make_raw_object<Imported>(
      kTVMFFITensor, runtime::delete_nested<destroy_imported<Managed>>, extra);
  if (object == nullptr) return runtime::raise_out_of_memory();
  object->tensor = source;
  object->managed = from;
  if (needs_strides) {
    object->tensor.strides = object->inline_strides();
    runtime::fill_compact_strides(source, object->tensor.strides);
  }
  *out = object;
  return 0;
}

/*! \brief Wrap a checked tensor with read-only memory. On success the new object owns `from`. */
int import_read_only(DLManagedTensorVersioned* from, TVMFFIObjectHandle* out) {
  const DLTensor& source = from->dl_tensor;
  bool needs_strides = source.strides == nullptr && source.ndim > 0;
  size_t extra = needs_strides ? sizeof(int64_t) * static_cast<size_t>(source.ndim) : 0;
  auto* object = runtime::make_raw_object<runtime::ReadOnlyTensor>(
      kTVMFFITensor, runtime::delete_read_only_tensor, extra);
  if (object == nullptr) return runtime::raise_out_of_memory();
  object->tensor = source;
  object->managed = from;
  object->source = nullptr;
  if (needs_strides) {
    object->tensor.strides = object->inline_extents();
    runtime::fill_compact_strides(source, object->tensor.strides);
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

/*!
 * \brief Make a view with the members of `prototype`. The view keeps `source` alive. \return NULL
 * when there is no memory.
 */
template <typename View>
View* make_view(const DLTensor& prototype, TVMFFIObject* source, void (*deleter)(void*, int)) {
  size_t ndim = static_cast<size_t>(prototype.ndim);
  auto* view = runtime::make_raw_object<View>(kTVMFFITensor, deleter, 2 * ndim * sizeof(int64_t));
  if (view == nullptr) return nullptr;
  view->tensor = prototype;
  view->tensor.shape = view->inline_extents();
  view->tensor.strides = view->inline_extents() + ndim;
  if (ndim > 0) {
    std::memcpy(view->tensor.shape, prototype.shape, ndim * sizeof(int64_t));
    std::memcpy(view->tensor.strides, prototype.strides, ndim * sizeof(int64_t));
  }
  ObjectUnsafe::IncRefObjectHandle(source);
  view->source = source;
  return view;
}

template <typename Managed>
void delete_exported(Managed* self) {
  ObjectUnsafe::DecRefObjectHandle(self->manager_ctx);  // runs foreign code
  delete self;
}

/*!
 * \brief Make a managed tensor that shares the data of the tensor object `from`. The caller sets
 * the version and the flags of the managed tensor.
 */
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
  return import_checked(from, out);
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
  if (from->flags & DLPACK_FLAG_BITMASK_READ_ONLY) return import_read_only(from, out);
  return import_checked(from, out);
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  if (from != nullptr && runtime::is_read_only_tensor(static_cast<TVMFFIObject*>(from))) {
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
  bool is_read_only = runtime::is_read_only_tensor(static_cast<TVMFFIObject*>(from));
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
  if (!runtime::is_read_only_tensor(owner)) {
    // A view of a view keeps only the tensor with the memory alive, not a chain of views.
    if (owner->deleter == runtime::delete_nested<destroy_view>) {
      owner = static_cast<TVMFFIObject*>(reinterpret_cast<TensorView*>(owner)->source);
    }
    auto* view = make_view<TensorView>(*prototype, owner, runtime::delete_nested<destroy_view>);
    if (view == nullptr) return runtime::raise_out_of_memory();
    *out = view;
    return 0;
  }
  auto* view =
      make_view<runtime::ReadOnlyTensor>(*prototype, owner, runtime::delete_read_only_tensor);
  if (view == nullptr) return runtime::raise_out_of_memory();
  view->managed = nullptr;
  *out = view;
  return 0;
}

}  // extern "C"
