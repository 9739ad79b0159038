// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/tensor.h
 * \brief Tensor, an owning reference to a tensor object, and TensorView, which borrows a tensor.
 */
#ifndef TVM_FFI_CONTAINER_TENSOR_H_
#define TVM_FFI_CONTAINER_TENSOR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

// Unused here, but programs that were written for earlier releases rely on these includes.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

namespace tvm::ffi {

/*! \brief Return whether `data` of a tensor on this device is an address, so that an offset can be
 * added to it. On other devices `data` is an opaque handle. */
inline bool IsDirectAddressDevice(const DLDevice& device) {
  return device.device_type <= kDLCUDAHost || device.device_type == kDLCUDAManaged ||
         device.device_type == kDLROCM || device.device_type == kDLROCMHost;
}

/*!
 * \brief Return whether the elements lie one after the other in row-major order.
 *
 * The result is true for a tensor without strides or without elements. The stride of a dimension
 * with extent 1 is ignored.
 */
inline bool IsContiguous(const DLTensor& arr) {
  if (arr.strides == nullptr) return true;
  for (int32_t i = 0; i < arr.ndim; ++i) {
    if (arr.shape[i] == 0) return true;
  }
  uint64_t expected = 1;  // unsigned: the number may wrap for a malformed tensor
  for (int32_t i = arr.ndim; i-- > 0;) {
    if (arr.shape[i] == 1) continue;
    if (static_cast<uint64_t>(arr.strides[i]) != expected) return false;
    expected *= static_cast<uint64_t>(arr.shape[i]);
  }
  return true;
}

/*!
 * \brief Return whether the first element is at a multiple of `alignment` bytes.
 *
 * If `data` is a handle and not an address, the function checks only the byte offset. The result is
 * true for an alignment of 0.
 */
inline bool IsAligned(const DLTensor& arr, size_t alignment) {
  if (alignment == 0) return true;
  uint64_t position = arr.byte_offset;
  if (IsDirectAddressDevice(arr.device)) position += reinterpret_cast<uintptr_t>(arr.data);
  return position % alignment == 0;
}

/*!
 * \brief Return the bytes of `numel` elements packed without gaps: ceil(numel * bits * lanes / 8).
 * \throws OverflowError when the number of bytes does not fit.
 */
inline size_t GetDataSize(size_t numel, DLDataType dtype) {
  // 8 elements have `bits` bytes together. Count the bytes of groups of 8 elements, because the
  // product `numel * bits` may not fit.
  size_t bits = static_cast<size_t>(dtype.bits) * dtype.lanes;
  size_t rest = (numel % 8 * bits + 7) / 8;
  if (bits != 0 && numel / 8 > (SIZE_MAX - rest) / bits) {
    TVM_FFI_THROW(OverflowError) << "The size in bytes of " << numel << " elements of " << bits
                                 << " bits does not fit";
  }
  return numel / 8 * bits + rest;
}

/*!
 * \brief Return the bytes of the elements of `arr`, packed without gaps.
 * \throws ValueError when an extent is negative; OverflowError when the size does not fit.
 */
inline size_t GetDataSize(const DLTensor& arr) {
  for (int32_t i = 0; i < arr.ndim; ++i) {
    if (arr.shape[i] < 0) {
      TVM_FFI_THROW(ValueError) << "shape[" << i << "] is negative: " << arr.shape[i];
    }
  }
  int64_t numel = detail::ExtentProduct(arr.shape, static_cast<size_t>(arr.ndim));
  return GetDataSize(static_cast<size_t>(numel), arr.dtype);
}

namespace detail {

/*!
 * \brief Copy a description of an array as a whole.
 *
 * GCC 12 copies the members one by one if other code has read some of them. A view is passed on in
 * parts of 16 bytes, and a processor waits for smaller stores before it loads such a part: a call
 * with a typed view took 15.4 ns, with this function 5.2 (x86_64, -O2).
 */
TVM_FFI_INLINE void CopyTensor(DLTensor* to, const DLTensor& from) {
  std::memcpy(to, &from, sizeof(DLTensor));
}

/*!
 * \brief Refuse extents that are impossible for a tensor.
 * \param who the text with which the messages begin.
 * \throws ValueError for a negative extent, and when the number or size of the elements does not
 *         fit 64 bits.
 */
inline void CheckExtents(const char* who, ShapeView shape, DLDataType dtype) {
  if (shape.size() > static_cast<size_t>(INT32_MAX)) {
    TVM_FFI_THROW(ValueError) << who << ": ndim does not fit int32: " << shape.size();
  }
  bool has_elements = true;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) {
      TVM_FFI_THROW(ValueError) << who << ": shape[" << i << "] is negative: " << shape[i];
    }
    if (shape[i] == 0) has_elements = false;
  }
  if (!has_elements) return;
  uint64_t numel = 1;
  for (int64_t extent : shape) {
    if (numel > static_cast<uint64_t>(INT64_MAX) / static_cast<uint64_t>(extent)) {
      TVM_FFI_THROW(ValueError) << who << ": shape has more elements than 64 bits can count";
    }
    numel *= static_cast<uint64_t>(extent);
  }
  uint64_t bits = static_cast<uint64_t>(dtype.bits) * dtype.lanes;
  if (bits != 0 && numel > (static_cast<uint64_t>(INT64_MAX) / bits) * 8) {
    TVM_FFI_THROW(ValueError) << who << ": shape and dtype need more bytes than 64 bits can count";
  }
}

/*! \brief Refuse a malformed tensor. \throws ValueError that names the malformed member. */
inline void CheckDLTensor(const char* who, const DLTensor& tensor) {
  if (tensor.ndim < 0) {
    TVM_FFI_THROW(ValueError) << who << ": ndim is negative: " << tensor.ndim;
  }
  if (tensor.shape == nullptr && tensor.ndim > 0) {
    TVM_FFI_THROW(ValueError) << who << ": shape is NULL, ndim is " << tensor.ndim;
  }
  CheckExtents(who, ShapeView(tensor.shape, static_cast<size_t>(tensor.ndim)), tensor.dtype);
}

}  // namespace detail

/*!
 * \brief The object of Tensor: a DLTensor directly after the header, without other members.
 *
 * `shape` and `strides` live as long as the object; `strides` is not NULL when `ndim` is above 0.
 */
class TensorObj : public Object, public DLTensor {
 public:
  TensorObj() : DLTensor{} {}

  /*!
   * \brief Export this tensor without copying shape, strides or data.
   * \return a managed tensor that the caller owns, and releases with its deleter. It holds one
   *         reference to this object.
   * \throws BufferError for a read-only tensor, because DLManagedTensor has no read-only flag.
   */
  DLManagedTensor* ToDLPack() const {
    DLManagedTensor* managed = nullptr;
    int code = TVMFFITensorToDLPack(detail::ObjectUnsafe::GetHeader(this), &managed);
    if (TVM_FFI_PREDICT_FALSE(code != 0)) detail::ThrowRaised<>();
    return managed;
  }

  /*! \brief Like ToDLPack, for the versioned structure. The runtime sets the version of the
   * structure, and the flag DLPACK_FLAG_BITMASK_READ_ONLY for a read-only tensor. */
  DLManagedTensorVersioned* ToDLPackVersioned() const {
    DLManagedTensorVersioned* managed = nullptr;
    int code = TVMFFITensorToDLPackVersioned(detail::ObjectUnsafe::GetHeader(this), &managed);
    if (TVM_FFI_PREDICT_FALSE(code != 0)) detail::ThrowRaised<>();
    return managed;
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFITensor;
  static constexpr const bool _type_child_slots_can_overflow = false;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFITensor, TensorObj, Object);
  /// \endcond
};

namespace detail {

/*!
 * \brief A tensor whose memory comes from an allocator object.
 * \tparam TNDAlloc has `AllocData(DLTensor*, extra...)`, which is called when all members but
 *         `data` are set, and `FreeData(DLTensor*)`, which is called once when the tensor is
 *         destroyed.
 *
 * The shape and then the strides follow the object in the same allocation. Make the object with
 * `make_inplace_array_object<TensorObjFromNDAlloc<TNDAlloc>, int64_t>(2 * ndim, ...)`.
 */
template <typename TNDAlloc>
class TensorObjFromNDAlloc : public TensorObj {
 public:
  /*! \brief Make a tensor with the given strides. */
  template <typename... ExtraArgs>
  TensorObjFromNDAlloc(TNDAlloc alloc, ShapeView shape, ShapeView strides, DLDataType dtype,
                       DLDevice device, ExtraArgs&&... extra_args)
      : alloc_(std::move(alloc)) {
    Describe(shape, dtype, device);
    std::copy(strides.begin(), strides.end(), this->strides);
    alloc_.AllocData(static_cast<DLTensor*>(this), std::forward<ExtraArgs>(extra_args)...);
  }
  /*! \brief Selects the constructor that computes the strides. */
  struct CompactTag {};
  /*! \brief Make a tensor with compact row-major strides. */
  template <typename... ExtraArgs>
  TensorObjFromNDAlloc(CompactTag, TNDAlloc alloc, ShapeView shape, DLDataType dtype,
                       DLDevice device, ExtraArgs&&... extra_args)
      : alloc_(std::move(alloc)) {
    Describe(shape, dtype, device);
    FillStridesFromShape(shape, this->strides);
    alloc_.AllocData(static_cast<DLTensor*>(this), std::forward<ExtraArgs>(extra_args)...);
  }
  ~TensorObjFromNDAlloc() { alloc_.FreeData(static_cast<DLTensor*>(this)); }

 private:
  void Describe(ShapeView shape_view, DLDataType data_type, DLDevice dev) {
    this->data = nullptr;
    this->device = dev;
    this->ndim = static_cast<int32_t>(shape_view.size());
    this->dtype = data_type;
    this->byte_offset = 0;
    this->shape = reinterpret_cast<int64_t*>(this + 1);
    this->strides = this->shape + shape_view.size();
    std::copy(shape_view.begin(), shape_view.end(), this->shape);
  }

  TNDAlloc alloc_;
};

/*!
 * \brief A tensor object that owns a managed DLPack tensor; the destructor calls the deleter of the
 * managed tensor.
 * \tparam TManaged DLManagedTensor or DLManagedTensorVersioned.
 */
template <typename TManaged>
class TensorObjFromDLPack : public TensorObj {
 public:
  /*!
   * \param tensor taken over.
   * \param extra_strides_at_tail true if the object is followed by memory for `ndim` numbers. Then
   *         compact strides are written there, and replace the strides of the tensor.
   */
  explicit TensorObjFromDLPack(TManaged* tensor, bool extra_strides_at_tail) : tensor_(tensor) {
    *static_cast<DLTensor*>(this) = tensor->dl_tensor;
    if (extra_strides_at_tail) {
      this->strides = reinterpret_cast<int64_t*>(this + 1);
      FillStridesFromShape(ShapeView(this->shape, static_cast<size_t>(this->ndim)), this->strides);
    }
  }
  ~TensorObjFromDLPack() {
    if (tensor_->deleter != nullptr) (*tensor_->deleter)(tensor_);
  }

 private:
  TManaged* tensor_;
};

/*!
 * \brief Make a tensor object over a managed tensor, which is taken over on success only.
 * \throws ValueError for a malformed tensor; RuntimeError when a requirement is not met.
 */
template <typename TManaged>
inline ObjectPtr<TensorObj> MakeTensorFromDLPack(TManaged* tensor, size_t require_alignment,
                                                 bool require_contiguous) {
  constexpr bool kVersioned = std::is_same_v<TManaged, DLManagedTensorVersioned>;
  if (tensor == nullptr) TVM_FFI_THROW(ValueError) << "FromDLPack: the tensor is NULL";
  if constexpr (kVersioned) {
    // In another major version, all members after `version` may have other offsets, so none of them
    // is read.
    if (tensor->version.major != DLPACK_MAJOR_VERSION) {
      TVM_FFI_THROW(ValueError) << "FromDLPack: version.major is " << tensor->version.major
                                << ", expected " << DLPACK_MAJOR_VERSION;
    }
  }
  CheckDLTensor("FromDLPack", tensor->dl_tensor);
  if (!IsAligned(tensor->dl_tensor, require_alignment)) {
    TVM_FFI_THROW(RuntimeError) << "FromDLPack: Data is not aligned to " << require_alignment
                                << " bytes.";
  }
  if (require_contiguous && !IsContiguous(tensor->dl_tensor)) {
    TVM_FFI_THROW(RuntimeError) << "FromDLPack: Tensor is not contiguous.";
  }
  if constexpr (kVersioned) {
    if (tensor->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) {
      TVM_FFI_THROW(RuntimeError) << "Subbyte type padded is not yet supported";
    }
    // Only the runtime can make a read-only tensor object.
    if (tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) {
      TVMFFIObjectHandle out = nullptr;
      if (TVMFFITensorFromDLPackVersioned(tensor, 0, 0, &out) != 0) ThrowRaised<>();
      return ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<TVMFFIObject*>(out));
    }
  }
  if (tensor->dl_tensor.strides == nullptr && tensor->dl_tensor.ndim != 0) {
    return make_inplace_array_object<TensorObjFromDLPack<TManaged>, int64_t>(
        static_cast<size_t>(tensor->dl_tensor.ndim), tensor, true);
  }
  return make_object<TensorObjFromDLPack<TManaged>>(tensor, false);
}

}  // namespace detail

class TensorView;
class ConstTensorView;
template <typename T, auto... specs>
class TypedTensorView;

namespace detail {

/*! \brief Return `idx`, or `idx + ndim` if it is negative. \throws IndexError when the result is
 * still negative or not below `ndim`. */
inline int64_t CheckedDimension(int64_t idx, int32_t ndim) {
  int64_t dimension = idx < 0 ? idx + ndim : idx;
  if (TVM_FFI_PREDICT_FALSE(dimension < 0 || dimension >= ndim)) {
    TVM_FFI_THROW(IndexError) << "Index " << idx << " out of bounds for tensor with " << ndim
                              << " dimensions";
  }
  return dimension;
}

/*!
 * \brief Return a copy of `source` with other extents and strides. The result borrows the arrays
 * `shape` and `strides`, and the memory of `source`.
 * \param element_offset distance of the new first element from that of `source`, in elements.
 * \throws InternalError if the lengths differ or the offset is negative; ValueError if the new
 *         first element does not begin at a byte; OverflowError if the byte offset does not fit.
 */
inline DLTensor StridedPrototype(const DLTensor& source, ShapeView shape, ShapeView strides,
                                 std::optional<int64_t> element_offset) {
  TVM_FFI_ICHECK_EQ(shape.size(), strides.size());
  TVM_FFI_ICHECK_LE(shape.size(), static_cast<size_t>(INT32_MAX));
  int64_t offset = element_offset.value_or(0);
  TVM_FFI_ICHECK_GE(offset, 0);
  size_t bits = static_cast<size_t>(source.dtype.bits) * source.dtype.lanes;
  if (static_cast<size_t>(offset) % 8 * bits % 8 != 0) {
    TVM_FFI_THROW(ValueError) << "element_offset " << offset << " of elements of " << bits
                              << " bits does not begin at a byte";
  }
  DLTensor result = source;
  result.ndim = static_cast<int32_t>(shape.size());
  result.shape = const_cast<int64_t*>(shape.data());
  result.strides = const_cast<int64_t*>(strides.data());
  uint64_t byte_offset = GetDataSize(static_cast<size_t>(offset), source.dtype);
  if (byte_offset > UINT64_MAX - source.byte_offset) {
    TVM_FFI_THROW(OverflowError) << "The byte offset of element " << offset << " does not fit";
  }
  byte_offset += source.byte_offset;
  if (IsDirectAddressDevice(source.device)) {
    result.data = static_cast<char*>(source.data) + byte_offset;
    byte_offset = 0;
  }
  result.byte_offset = byte_offset;
  return result;
}

/*! \brief Return the strides of a tensor. \throws InternalError when the tensor does not have
 * strides and ndim is not 0. */
inline ShapeView StridesOf(const DLTensor& tensor) {
  TVM_FFI_ICHECK(tensor.strides != nullptr || tensor.ndim == 0);
  return ShapeView(tensor.strides, static_cast<size_t>(tensor.ndim));
}

}  // namespace detail

/*! \brief An owning reference to a tensor object. On a null reference only defined() and
 * comparisons may be called. */
class Tensor : public ObjectRef {
 public:
  using ContainerType = TensorObj;
  /*! \brief None does not convert to a Tensor: None as an argument, an element, the value of a
   * field or a result is a TypeError. `Optional<Tensor>` accepts None. */
  static constexpr bool _type_is_nullable = false;

  /*! \brief Make a null reference, which becomes None in an Any. */
  Tensor() = default;
  explicit Tensor(::tvm::ffi::UnsafeInit tag) : ObjectRef(tag) {}
  explicit Tensor(ObjectPtr<TensorObj> n) : ObjectRef(ObjectPtr<Object>(std::move(n))) {}
  TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(Tensor);

  /*! \brief Return `data` of the DLTensor; the byte offset is not added. */
  void* data_ptr() const { return dl()->data; }
  /*! \brief Return the device of the memory. */
  DLDevice device() const { return dl()->device; }
  /*! \brief Return the number of dimensions. */
  int32_t ndim() const { return dl()->ndim; }
  /*! \brief Like ndim(). */
  int32_t dim() const { return ndim(); }
  /*! \brief Return the type of an element. */
  DLDataType dtype() const { return dl()->dtype; }
  /*! \brief Return the extents, borrowed from the tensor. */
  ShapeView shape() const { return ShapeView(dl()->shape, static_cast<size_t>(dl()->ndim)); }
  /*! \brief Like shape(). */
  ShapeView sizes() const { return shape(); }
  /*! \brief Return the strides in elements, borrowed from the tensor. */
  ShapeView strides() const { return detail::StridesOf(*dl()); }
  /*! \brief Return the extent of a dimension; a negative `idx` counts from the end. \throws
   * IndexError. */
  int64_t size(int64_t idx) const { return dl()->shape[detail::CheckedDimension(idx, ndim())]; }
  /*! \brief Return the stride of a dimension; a negative `idx` counts from the end. \throws
   * IndexError. */
  int64_t stride(int64_t idx) const { return dl()->strides[detail::CheckedDimension(idx, ndim())]; }
  /*! \brief Return the number of elements. */
  int64_t numel() const { return shape().Product(); }
  /*! \brief Return the distance from the start of the memory to the first element, in bytes. */
  uint64_t byte_offset() const { return dl()->byte_offset; }
  /*! \brief See tvm::ffi::IsContiguous. */
  bool IsContiguous() const { return tvm::ffi::IsContiguous(*dl()); }
  /*! \brief Like IsContiguous(). */
  bool is_contiguous() const { return IsContiguous(); }
  /*! \brief See tvm::ffi::IsAligned. */
  bool IsAligned(size_t alignment) const { return tvm::ffi::IsAligned(*dl(), alignment); }
  /*!
   * \brief Whether the memory must not be written to.
   *
   * A parameter of type Tensor is never read-only, since a read-only argument is refused. A Tensor
   * from a container, a field or an Any can be read-only.
   */
  bool IsReadOnly() const {
    return detail::IsReadOnlyTensor(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(*this));
  }

  /*!
   * \brief Make a tensor over the memory of this tensor, which the new tensor keeps alive.
   * \param shape,strides arrays of the same length; strides in elements. The function does not
   *         check that the elements lie within the memory.
   * \param element_offset distance of the new first element from that of this tensor, in elements.
   * \throws InternalError if the lengths differ or the offset is negative; ValueError if the new
   *         first element does not begin at a byte.
   */
  Tensor as_strided(ShapeView shape, ShapeView strides,
                    std::optional<int64_t> element_offset = std::nullopt) const {
    DLTensor prototype = detail::StridedPrototype(*dl(), shape, strides, element_offset);
    int64_t none = 0;  // the call below requires strides, even for 0 dimensions
    if (prototype.strides == nullptr) prototype.strides = &none;
    TVMFFIObjectHandle out = nullptr;
    int code = TVMFFITensorCreateUnsafeView(
        detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(*this), &prototype, &out);
    if (code != 0) detail::ThrowRaised<>();
    return FromOwnedHandle(out);
  }

  /*!
   * \brief Make a compact tensor with memory from an allocator object, which the tensor stores.
   * \param alloc has `AllocData(DLTensor*, extra...)`, which is called once when all members but
   *         `data` are set, and `FreeData(DLTensor*)`, which is called once when the tensor is
   *         destroyed. An exception of AllocData passes through; then FreeData is not called.
   * \throws ValueError for a negative extent or a size beyond 64 bits.
   */
  template <typename TNDAlloc, typename... ExtraArgs>
  static Tensor FromNDAlloc(TNDAlloc alloc, ffi::ShapeView shape, DLDataType dtype, DLDevice device,
                            ExtraArgs&&... extra_args) {
    using Obj = detail::TensorObjFromNDAlloc<TNDAlloc>;
    detail::CheckExtents("FromNDAlloc", shape, dtype);
    return Tensor(make_inplace_array_object<Obj, int64_t>(
        shape.size() * 2, typename Obj::CompactTag{}, std::move(alloc), shape, dtype, device,
        std::forward<ExtraArgs>(extra_args)...));
  }

  /*!
   * \brief Like FromNDAlloc, with strides in elements.
   * \throws ValueError also when `strides` and `shape` have different lengths.
   */
  template <typename TNDAlloc, typename... ExtraArgs>
  static Tensor FromNDAllocStrided(TNDAlloc alloc, ffi::ShapeView shape, ffi::ShapeView strides,
                                   DLDataType dtype, DLDevice device, ExtraArgs&&... extra_args) {
    using Obj = detail::TensorObjFromNDAlloc<TNDAlloc>;
    TVM_FFI_CHECK(shape.size() == strides.size(), ValueError)
        << "shape and strides must have the same size.";
    detail::CheckExtents("FromNDAllocStrided", shape, dtype);
    return Tensor(make_inplace_array_object<Obj, int64_t>(shape.size() * 2, std::move(alloc), shape,
                                                          strides, dtype, device,
                                                          std::forward<ExtraArgs>(extra_args)...));
  }

  /*!
   * \brief Make a tensor with `env_alloc`, which allocates the memory.
   * \param env_alloc usually TVMFFIEnvTensorAlloc, which calls the tensor allocator of this thread
   *         or of the process; called with the shape, type and device.
   * \throws ValueError for extents that are impossible. If the allocator does not return 0, the
   *         error that it has raised is thrown.
   */
  static Tensor FromEnvAlloc(int (*env_alloc)(DLTensor*, TVMFFIObjectHandle*), ffi::ShapeView shape,
                             DLDataType dtype, DLDevice device) {
    detail::CheckExtents("FromEnvAlloc", shape, dtype);
    DLTensor prototype{};
    prototype.device = device;
    prototype.dtype = dtype;
    prototype.shape = const_cast<int64_t*>(shape.data());
    prototype.ndim = static_cast<int32_t>(shape.size());
    TVMFFIObjectHandle out = nullptr;
    if (env_alloc(&prototype, &out) != 0) detail::ThrowRaised<>();  // may run foreign code
    return FromOwnedHandle(out);
  }

  /*!
   * \brief Make a tensor that owns a managed tensor, and calls the deleter of that tensor when the
   * last reference is released.
   * \param tensor taken over on success; after an error the caller still owns it.
   * \param require_alignment the required alignment in bytes; 0 accepts any alignment.
   * \param require_contiguous true to refuse a layout that is not contiguous.
   * \throws RuntimeError when a requirement is not met; ValueError for a malformed tensor.
   */
  static Tensor FromDLPack(DLManagedTensor* tensor, size_t require_alignment = 0,
                           bool require_contiguous = false) {
    return Tensor(detail::MakeTensorFromDLPack(tensor, require_alignment, require_contiguous));
  }
  /*!
   * \brief Like FromDLPack, for the versioned structure; padded sub-byte data is a RuntimeError.
   *
   * If `tensor` has the flag DLPACK_FLAG_BITMASK_READ_ONLY, the result is read-only, see
   * IsReadOnly(). Use ConstTensor::FromDLPackVersioned for read-only memory.
   */
  static Tensor FromDLPackVersioned(DLManagedTensorVersioned* tensor, size_t require_alignment = 0,
                                    bool require_contiguous = false) {
    return Tensor(detail::MakeTensorFromDLPack(tensor, require_alignment, require_contiguous));
  }

  /*! \brief Export the tensor, see TensorObj::ToDLPack. */
  DLManagedTensor* ToDLPack() const { return Checked()->ToDLPack(); }
  /*! \brief Export the tensor, see TensorObj::ToDLPackVersioned. */
  DLManagedTensorVersioned* ToDLPackVersioned() const { return Checked()->ToDLPackVersioned(); }

  /*! \brief Return the DLTensor inside the object, borrowed; NULL for a null reference. */
  const DLTensor* GetDLTensorPtr() const { return get(); }

 protected:
  /*! \brief Return the object, borrowed. */
  const TensorObj* get() const { return static_cast<const TensorObj*>(data_.get()); }
  /*! \brief Return the object, borrowed, for changes by derived classes. */
  TensorObj* get_mutable() const { return static_cast<TensorObj*>(data_.get()); }

 private:
  friend class TensorView;

  const TensorObj* Checked() const {
    TVM_FFI_ICHECK(defined()) << "the Tensor is null";
    return get();
  }
  // Does not check for null, because the accessors, which kernels call often, use this function.
  const DLTensor* dl() const { return get(); }

  static Tensor FromOwnedHandle(TVMFFIObjectHandle handle) {
    return Tensor(
        detail::ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<TVMFFIObject*>(handle)));
  }
};

/*!
 * \brief A copy of a DLTensor that borrows memory, extents and strides.
 *
 * Suitable for arguments: the source of a view must outlive the view. A view cannot be stored in
 * Any.
 */
class TensorView {
 public:
  /*! \brief Make a view of a tensor. \throws InternalError when the tensor is null. */
  TensorView(const Tensor& tensor) : tensor_(FromTensor(tensor)) {}  // NOLINT(*)
  /*! \brief Make a view of a DLTensor. \throws InternalError when the pointer is NULL. */
  TensorView(const DLTensor* tensor) {  // NOLINT(*)
    detail::CopyTensor(&tensor_, FromPointer(tensor));
  }
  TensorView(const TensorView& other) = default;
  TensorView& operator=(const TensorView& other) = default;
  /*! \brief Become a view of a tensor, which must outlive the view. */
  TensorView& operator=(const Tensor& tensor) {
    tensor_ = FromTensor(tensor);
    return *this;
  }
  // A temporary tensor would be destroyed at the end of the statement, before the view.
  TensorView(Tensor&& tensor) = delete;  // NOLINT(*)
  TensorView& operator=(Tensor&& tensor) = delete;

  /*! \brief Return `data` of the DLTensor; the byte offset is not added. */
  void* data_ptr() const { return tensor_.data; }
  /*! \brief Return the device of the memory. */
  DLDevice device() const { return tensor_.device; }
  /*! \brief Return the number of dimensions. */
  int32_t ndim() const { return tensor_.ndim; }
  /*! \brief Like ndim(). */
  int32_t dim() const { return ndim(); }
  /*! \brief Return the type of an element. */
  DLDataType dtype() const { return tensor_.dtype; }
  /*! \brief Return the extents, borrowed from the tensor. */
  ShapeView shape() const { return ShapeView(tensor_.shape, static_cast<size_t>(tensor_.ndim)); }
  /*! \brief Like shape(). */
  ShapeView sizes() const { return shape(); }
  /*! \brief Return the strides in elements. \throws InternalError when there are none and ndim is
   * not 0. */
  ShapeView strides() const { return detail::StridesOf(tensor_); }
  /*! \brief Return the extent of a dimension; a negative `idx` counts from the end. \throws
   * IndexError. */
  int64_t size(int64_t idx) const { return tensor_.shape[detail::CheckedDimension(idx, ndim())]; }
  /*! \brief Return the stride of a dimension; a negative `idx` counts from the end.
   * \throws IndexError; InternalError when there are no strides. */
  int64_t stride(int64_t idx) const {
    return strides()[static_cast<size_t>(detail::CheckedDimension(idx, ndim()))];
  }
  /*! \brief Return the number of elements. \throws OverflowError. */
  int64_t numel() const { return shape().Product(); }
  /*! \brief Return the distance from the start of the memory to the first element, in bytes. */
  uint64_t byte_offset() const { return tensor_.byte_offset; }
  /*! \brief See tvm::ffi::IsContiguous. */
  bool IsContiguous() const { return tvm::ffi::IsContiguous(tensor_); }
  /*! \brief Like IsContiguous(). */
  bool is_contiguous() const { return IsContiguous(); }

  /*!
   * \brief Make a view of the same memory with other extents.
   * \param shape,strides arrays of the same length, which must outlive the view.
   * \param element_offset distance of the new first element from that of this view, in elements.
   * \throws InternalError if the lengths differ or the offset is negative; ValueError if the new
   *         first element does not begin at a byte.
   */
  TensorView as_strided(ShapeView shape, ShapeView strides,
                        std::optional<int64_t> element_offset = std::nullopt) const {
    DLTensor prototype = detail::StridedPrototype(tensor_, shape, strides, element_offset);
    return TensorView(&prototype);
  }

 private:
  friend struct TypeTraits<TensorView>;
  friend class ConstTensorView;
  template <typename T, auto... specs>
  friend class TypedTensorView;

  static const DLTensor& FromTensor(const Tensor& tensor) {
    TVM_FFI_ICHECK(tensor.defined());
    return *tensor.GetDLTensorPtr();
  }
  static const DLTensor& FromPointer(const DLTensor* tensor) {
    TVM_FFI_ICHECK(tensor != nullptr);
    return *tensor;
  }

  DLTensor tensor_;
};

template <typename T>
inline constexpr bool may_write_tensor_v<T, std::enable_if_t<std::is_base_of_v<Tensor, T>>> = true;
template <>
inline constexpr bool may_write_tensor_v<TensorView> = true;

/*! \brief Return the bytes of the elements of a tensor, packed without gaps. */
inline size_t GetDataSize(const Tensor& tensor) { return GetDataSize(*tensor.GetDLTensorPtr()); }
/*! \brief Return the bytes of the elements of a view, packed without gaps. \throws ValueError. */
inline size_t GetDataSize(const TensorView& tensor) {
  DLTensor described{};
  described.ndim = tensor.ndim();
  described.shape = const_cast<int64_t*>(tensor.shape().data());
  described.dtype = tensor.dtype();
  return GetDataSize(described);
}

/*! \brief For arguments only: accepts a borrowed DLTensor*, or a Tensor. */
template <>
struct TypeTraits<TensorView> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIDLTensorPtr;

  /*! \brief Store a pointer to the DLTensor of `src`, which must outlive the value. */
  TVM_FFI_INLINE static void CopyToAnyView(const TensorView& src, TVMFFIAny* result) {
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIDLTensorPtr, &src.tensor_);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* src) {
    return src->type_index == TypeIndex::kTVMFFIDLTensorPtr;
  }
  TVM_FFI_INLINE static TensorView CopyFromAnyViewAfterCheck(const TVMFFIAny* src) {
    return TensorView(static_cast<const DLTensor*>(src->v_ptr));
  }
  TVM_FFI_INLINE static std::optional<TensorView> TryCastFromAnyView(const TVMFFIAny* src) {
    if (src->type_index == TypeIndex::kTVMFFIDLTensorPtr) {
      return TensorView(static_cast<const DLTensor*>(src->v_ptr));
    }
    if (src->type_index == TypeIndex::kTVMFFITensor) {
      return TensorView(static_cast<const DLTensor*>(TVMFFITensorGetDLTensorPtr(src->v_obj)));
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return StaticTypeKey::kTVMFFIDLTensorPtr; }
  static std::string TypeSchema() {
    return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIDLTensorPtr);
  }
};

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_TENSOR_H_
