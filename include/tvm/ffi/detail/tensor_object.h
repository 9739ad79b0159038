// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/tensor_object.h
 * \brief TensorObj and the classes that own its memory. Part of container/tensor.h.
 */
#ifndef TVM_FFI_DETAIL_TENSOR_OBJECT_H_
#define TVM_FFI_DETAIL_TENSOR_OBJECT_H_

#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/detail/dltensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

/*!
 * \brief Object behind Tensor: a DLTensor right after the header, and nothing else.
 *
 * `shape` and `strides` live as long as the object; `strides` is not NULL when `ndim` is above 0.
 */
class TensorObj : public Object, public DLTensor {
 public:
  TensorObj() : DLTensor{} {}

  /*!
   * \brief Export; shape, strides and data stay where they are.
   * \return owned by the caller, who calls its deleter; it holds one reference to this object.
   */
  DLManagedTensor* ToDLPack() const { return Export<DLManagedTensor>(); }

  /*! \brief The same as the versioned structure, with the version of the header and no flags. */
  DLManagedTensorVersioned* ToDLPackVersioned() const {
    DLManagedTensorVersioned* managed = Export<DLManagedTensorVersioned>();
    managed->version.major = DLPACK_MAJOR_VERSION;
    managed->version.minor = DLPACK_MINOR_VERSION;
    managed->flags = 0;
    return managed;
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFITensor;
  static constexpr const bool _type_child_slots_can_overflow = false;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFITensor, TensorObj, Object);
  /// \endcond

 private:
  template <typename TManaged>
  TManaged* Export() const {
    TManaged* managed = new TManaged();
    managed->dl_tensor = *static_cast<const DLTensor*>(this);
    managed->manager_ctx = detail::ObjectUnsafe::GetHeader(this);
    detail::ObjectUnsafe::IncRefObjectHandle(managed->manager_ctx);
    managed->deleter = DeleteExported<TManaged>;
    return managed;
  }

  template <typename TManaged>
  static void DeleteExported(TManaged* managed) {
    TVMFFIObjectHandle owner = managed->manager_ctx;
    delete managed;
    detail::ObjectUnsafe::DecRefObjectHandle(owner);  // may run the allocator's FreeData
  }
};

namespace detail {

/*!
 * \brief A tensor whose memory comes from an allocator object.
 * \tparam TNDAlloc has `AllocData(DLTensor*, extra...)`, called with every member but `data`
 * filled, and `FreeData(DLTensor*)`, called once when the tensor dies.
 *
 * Shape, then strides follow the object in the same allocation: make it with
 * `make_inplace_array_object<TensorObjFromNDAlloc<TNDAlloc>, int64_t>(2 * ndim, ...)`.
 */
template <typename TNDAlloc>
class TensorObjFromNDAlloc : public TensorObj {
 public:
  /*! \brief With the strides given. */
  template <typename... ExtraArgs>
  TensorObjFromNDAlloc(TNDAlloc alloc, ShapeView shape, ShapeView strides, DLDataType dtype,
                       DLDevice device, ExtraArgs&&... extra_args)
      : alloc_(std::move(alloc)) {
    Describe(shape, dtype, device);
    std::copy(strides.begin(), strides.end(), this->strides);
    alloc_.AllocData(static_cast<DLTensor*>(this), std::forward<ExtraArgs>(extra_args)...);
  }
  /*! \brief Selects the constructor that makes the strides itself. */
  struct CompactTag {};
  /*! \brief With compact row-major strides. */
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
 * \brief A tensor over a managed DLPack tensor, whose deleter runs when this dies.
 * \tparam TManaged DLManagedTensor or DLManagedTensorVersioned.
 */
template <typename TManaged>
class TensorObjFromDLPack : public TensorObj {
 public:
  /*!
   * \param tensor taken over.
   * \param extra_strides_at_tail `ndim` numbers follow the object in its allocation: fill them with
   *        compact strides and use them instead of the tensor's own.
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
 * \brief A tensor object over a managed tensor, taken over on success only.
 * \throws ValueError for a malformed tensor; RuntimeError when a demand is not met.
 */
template <typename TManaged>
inline ObjectPtr<TensorObj> MakeTensorFromDLPack(TManaged* tensor, size_t require_alignment,
                                                 bool require_contiguous) {
  constexpr bool kVersioned = std::is_same_v<TManaged, DLManagedTensorVersioned>;
  if (tensor == nullptr) TVM_FFI_THROW(ValueError) << "FromDLPack: the tensor is NULL";
  if constexpr (kVersioned) {
    // Another major version may place every other member differently.
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
  }
  if (tensor->dl_tensor.strides == nullptr && tensor->dl_tensor.ndim != 0) {
    return make_inplace_array_object<TensorObjFromDLPack<TManaged>, int64_t>(
        static_cast<size_t>(tensor->dl_tensor.ndim), tensor, true);
  }
  return make_object<TensorObjFromDLPack<TManaged>>(tensor, false);
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_TENSOR_OBJECT_H_
