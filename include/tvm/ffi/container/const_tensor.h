// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/const_tensor.h
 * \brief ConstTensor and ConstTensorView: the forms of Tensor and TensorView for code that does not
 * write to the memory.
 *
 * A function declares with these types that it only reads a tensor. Parameters of these types
 * accept read-only tensors; parameters of type `Tensor`, `TensorView` and `DLTensor*` refuse them.
 */
#ifndef TVM_FFI_CONTAINER_CONST_TENSOR_H_
#define TVM_FFI_CONTAINER_CONST_TENSOR_H_

#include <tvm/ffi/container/tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

namespace detail {

/*!
 * \brief Return the schema of a const tensor. Readers of metadata that do not know the entry
 * `const` see an ordinary tensor.
 */
inline std::string ConstTensorSchema(const char* name) {
  return std::string("{\"type\":\"") + name + "\",\"const\":true}";
}

}  // namespace detail

/*!
 * \brief A reference to a tensor object, without write access to the memory.
 *
 * A Tensor converts to a ConstTensor, but a ConstTensor does not convert to a Tensor. A ConstTensor
 * may be null, as a Tensor may. An Any stores the tensor object itself, so other code may still
 * write to the memory unless the object is read-only.
 */
class ConstTensor : public ObjectRef {
 public:
  using ContainerType = TensorObj;
  /*! \brief None does not convert to a ConstTensor; use `Optional<ConstTensor>` to accept None. */
  static constexpr bool _type_is_nullable = false;

  /*! \brief Make a null reference, which an Any stores as None. */
  ConstTensor() = default;
  explicit ConstTensor(::tvm::ffi::UnsafeInit tag) : ObjectRef(tag) {}
  explicit ConstTensor(ObjectPtr<TensorObj> n) : ObjectRef(ObjectPtr<Object>(std::move(n))) {}
  /*! \brief Refer to the same tensor object. */
  ConstTensor(Tensor tensor)  // NOLINT(google-explicit-constructor)
      : ObjectRef(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(tensor))) {}
  TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(ConstTensor);

  /*! \brief Return `data` of the DLTensor, without the byte offset. */
  const void* data_ptr() const { return dl()->data; }
  /*! \brief The device of the memory. */
  DLDevice device() const { return dl()->device; }
  /*! \brief The number of dimensions. */
  int32_t ndim() const { return dl()->ndim; }
  /*! \brief The same as ndim(). */
  int32_t dim() const { return ndim(); }
  /*! \brief The type of an element. */
  DLDataType dtype() const { return dl()->dtype; }
  /*! \brief Return the extents, borrowed from the tensor. */
  ShapeView shape() const { return ShapeView(dl()->shape, static_cast<size_t>(dl()->ndim)); }
  /*! \brief The same as shape(). */
  ShapeView sizes() const { return shape(); }
  /*! \brief Return the strides in elements, borrowed from the tensor. */
  ShapeView strides() const { return detail::StridesOf(*dl()); }
  /*! \brief Return the extent of a dimension; a negative index counts from the end. \throws
   * IndexError. */
  int64_t size(int64_t idx) const { return dl()->shape[detail::CheckedDimension(idx, ndim())]; }
  /*! \brief Return the stride of a dimension; a negative index counts from the end. \throws
   * IndexError. */
  int64_t stride(int64_t idx) const { return dl()->strides[detail::CheckedDimension(idx, ndim())]; }
  /*! \brief Number of elements. */
  int64_t numel() const { return shape().Product(); }
  /*! \brief The distance from the start of the memory to the first element, in bytes. */
  uint64_t byte_offset() const { return dl()->byte_offset; }
  /*! \brief See tvm::ffi::IsContiguous. */
  bool IsContiguous() const { return tvm::ffi::IsContiguous(*dl()); }
  /*! \brief The same as IsContiguous(). */
  bool is_contiguous() const { return IsContiguous(); }
  /*! \brief See tvm::ffi::IsAligned. */
  bool IsAligned(size_t alignment) const { return tvm::ffi::IsAligned(*dl(), alignment); }
  /*! \brief Whether the memory must not be written to; see Tensor::IsReadOnly. */
  bool IsReadOnly() const {
    return detail::IsReadOnlyTensor(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(*this));
  }

  /*!
   * \brief Return a read-only tensor object over the same memory, or this tensor if it is already
   * read-only. No code that gets a read-only object, in C++ or Python, may write to the memory.
   * \throws InternalError if this reference is null.
   */
  ConstTensor AsReadOnly() const {
    TVM_FFI_ICHECK(defined()) << "the ConstTensor is null";
    if (IsReadOnly()) return *this;
    DLManagedTensorVersioned* managed = ToDLPackVersioned();
    TVMFFIObjectHandle out = nullptr;
    if (TVMFFITensorFromDLPackVersioned(managed, 0, 0, &out) != 0) {
      managed->deleter(managed);
      detail::ThrowRaised<>();
    }
    return ConstTensor(
        detail::ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<TVMFFIObject*>(out)));
  }

  /*! \brief See Tensor::as_strided. */
  ConstTensor as_strided(ShapeView shape, ShapeView strides,
                         std::optional<int64_t> element_offset = std::nullopt) const {
    return mutable_tensor().as_strided(shape, strides, element_offset);
  }

  /*! \brief See Tensor::FromDLPackVersioned. `tensor` may have the read-only flag. */
  static ConstTensor FromDLPackVersioned(DLManagedTensorVersioned* tensor,
                                         size_t require_alignment = 0,
                                         bool require_contiguous = false) {
    return Tensor::FromDLPackVersioned(tensor, require_alignment, require_contiguous);
  }

  /*!
   * \brief Export with DLPACK_FLAG_BITMASK_READ_ONLY, see TensorObj::ToDLPackVersioned.
   *
   * There is no export without a version, because DLManagedTensor has no read-only flag.
   */
  DLManagedTensorVersioned* ToDLPackVersioned() const {
    DLManagedTensorVersioned* managed = mutable_tensor().ToDLPackVersioned();
    managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    return managed;
  }

  /*! \brief Return the DLTensor of the object, borrowed; NULL for a null reference. */
  const DLTensor* GetDLTensorPtr() const { return get(); }

 protected:
  /*! \brief Return the object, borrowed. */
  const TensorObj* get() const { return static_cast<const TensorObj*>(data_.get()); }

 private:
  // Does not check for null, because the accessors, which kernels call often, use this function.
  const DLTensor* dl() const { return get(); }

  Tensor mutable_tensor() const {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<Tensor>(data_);
  }
};

/*!
 * \brief A copy of a DLTensor that borrows memory, extents and strides, without write access to the
 * memory.
 *
 * Use it for parameters. The tensor from which a view was made must outlive the view. A TensorView
 * converts to a ConstTensorView, but not the other way round. A ConstTensorView can be neither
 * stored in an Any nor passed as an argument, because the receiver could not know that the memory
 * is read-only. For these uses, take a ConstTensor.
 */
class ConstTensorView {
 public:
  /*! \brief Make a view of a tensor. \throws InternalError if the tensor is null. */
  ConstTensorView(const ConstTensor& tensor)  // NOLINT(google-explicit-constructor)
      : tensor_(FromPointer(tensor.GetDLTensorPtr())) {}
  ConstTensorView(const Tensor& tensor)  // NOLINT(google-explicit-constructor)
      : tensor_(FromPointer(tensor.GetDLTensorPtr())) {}
  /*! \brief Make a view of the same tensor. */
  ConstTensorView(const TensorView& view)  // NOLINT(google-explicit-constructor)
      : tensor_(view.tensor_) {}
  /*! \brief Make a view of a DLTensor. \throws InternalError if `tensor` is NULL. */
  ConstTensorView(const DLTensor* tensor) {  // NOLINT(google-explicit-constructor)
    detail::CopyTensor(&tensor_, FromPointer(tensor));
  }
  ConstTensorView(const ConstTensorView& other) = default;
  ConstTensorView& operator=(const ConstTensorView& other) = default;
  // A temporary tensor would be destroyed at the end of the statement, before the view.
  ConstTensorView(ConstTensor&& tensor) = delete;  // NOLINT(google-explicit-constructor)
  ConstTensorView(Tensor&& tensor) = delete;       // NOLINT(google-explicit-constructor)

  /*! \brief Return `data` of the DLTensor, without the byte offset. */
  const void* data_ptr() const { return tensor_.data; }
  /*! \brief The device of the memory. */
  DLDevice device() const { return tensor_.device; }
  /*! \brief The number of dimensions. */
  int32_t ndim() const { return tensor_.ndim; }
  /*! \brief The same as ndim(). */
  int32_t dim() const { return ndim(); }
  /*! \brief The type of an element. */
  DLDataType dtype() const { return tensor_.dtype; }
  /*! \brief Return the extents, which this view borrows. */
  ShapeView shape() const { return ShapeView(tensor_.shape, static_cast<size_t>(tensor_.ndim)); }
  /*! \brief The same as shape(). */
  ShapeView sizes() const { return shape(); }
  /*! \brief Return the strides in elements. \throws InternalError if the view has none and ndim is
   * not 0. */
  ShapeView strides() const { return detail::StridesOf(tensor_); }
  /*! \brief Return the extent of a dimension; a negative index counts from the end. \throws
   * IndexError. */
  int64_t size(int64_t idx) const { return tensor_.shape[detail::CheckedDimension(idx, ndim())]; }
  /*! \brief Return the stride of a dimension; a negative index counts from the end. \throws
   * IndexError; InternalError if the view has no strides. */
  int64_t stride(int64_t idx) const {
    return strides()[static_cast<size_t>(detail::CheckedDimension(idx, ndim()))];
  }
  /*! \brief Number of elements. \throws OverflowError. */
  int64_t numel() const { return shape().Product(); }
  /*! \brief The distance from the start of the memory to the first element, in bytes. */
  uint64_t byte_offset() const { return tensor_.byte_offset; }
  /*! \brief See tvm::ffi::IsContiguous. */
  bool IsContiguous() const { return tvm::ffi::IsContiguous(tensor_); }
  /*! \brief The same as IsContiguous(). */
  bool is_contiguous() const { return IsContiguous(); }

  /*! \brief See TensorView::as_strided. */
  ConstTensorView as_strided(ShapeView shape, ShapeView strides,
                             std::optional<int64_t> element_offset = std::nullopt) const {
    DLTensor prototype = detail::StridedPrototype(tensor_, shape, strides, element_offset);
    return ConstTensorView(&prototype);
  }

 private:
  template <typename T, auto... specs>
  friend class TypedTensorView;

  static const DLTensor& FromPointer(const DLTensor* tensor) {
    TVM_FFI_ICHECK(tensor != nullptr);
    return *tensor;
  }

  DLTensor tensor_;
};

/*! \brief Return the number of bytes of all elements, without gaps between them. */
inline size_t GetDataSize(const ConstTensor& tensor) {
  return GetDataSize(*tensor.GetDLTensorPtr());
}
/*!
 * \brief Return the number of bytes of all elements, without gaps between them.
 * \throws ValueError if an extent is negative; OverflowError if the size does not fit.
 */
inline size_t GetDataSize(const ConstTensorView& tensor) {
  DLTensor described{};
  described.ndim = tensor.ndim();
  described.shape = const_cast<int64_t*>(tensor.shape().data());
  described.dtype = tensor.dtype();
  return GetDataSize(described);
}

template <>
inline constexpr bool use_default_type_traits_v<ConstTensor> = false;

/*! \brief Accepts any tensor object; the schema of a parameter of this type says that the function
 * only reads the tensor. */
template <>
struct TypeTraits<ConstTensor> : public ObjectRefTypeTraitsBase<ConstTensor> {
  static std::string TypeSchema() {
    return detail::ConstTensorSchema(StaticTypeKey::kTVMFFITensor);
  }
};

/*! \brief For parameters only: accepts a borrowed DLTensor*, or a tensor object. */
template <>
struct TypeTraits<ConstTensorView> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIDLTensorPtr;

  /*! \brief Fail to compile when a ConstTensorView is passed as an argument or a result. */
  template <typename View>
  static void CopyToAnyView(const View&, TVMFFIAny*) {
    static_assert(!std::is_same_v<View, ConstTensorView>,
                  "a ConstTensorView is not an argument or a result: the receiver could not know "
                  "that the memory must not be written to; use a ConstTensor");
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* src) {
    return src->type_index == TypeIndex::kTVMFFIDLTensorPtr;
  }
  TVM_FFI_INLINE static ConstTensorView CopyFromAnyViewAfterCheck(const TVMFFIAny* src) {
    return ConstTensorView(static_cast<const DLTensor*>(src->v_ptr));
  }
  TVM_FFI_INLINE static std::optional<ConstTensorView> TryCastFromAnyView(const TVMFFIAny* src) {
    if (src->type_index == TypeIndex::kTVMFFIDLTensorPtr) {
      return ConstTensorView(static_cast<const DLTensor*>(src->v_ptr));
    }
    if (src->type_index == TypeIndex::kTVMFFITensor) {
      return ConstTensorView(static_cast<const DLTensor*>(TVMFFITensorGetDLTensorPtr(src->v_obj)));
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return StaticTypeKey::kTVMFFIDLTensorPtr; }
  static std::string TypeSchema() {
    return detail::ConstTensorSchema(StaticTypeKey::kTVMFFIDLTensorPtr);
  }
};

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_CONST_TENSOR_H_
