// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/tensor.h>

#include <optional>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::ShapeView;
using ffi::Tensor;
using ffi::TensorObj;
using ffi::TensorView;

HAS_TYPE(ffi::IsDirectAddressDevice(The<const DLDevice>()), bool);
HAS_TYPE(ffi::IsContiguous(The<const DLTensor>()), bool);
HAS_TYPE(ffi::IsAligned(The<const DLTensor>(), The<size_t>()), bool);
HAS_TYPE(ffi::GetDataSize(The<size_t>(), The<DLDataType>()), size_t);
HAS_TYPE(ffi::GetDataSize(The<const DLTensor>()), size_t);
HAS_TYPE(ffi::GetDataSize(The<const Tensor>()), size_t);
HAS_TYPE(ffi::GetDataSize(The<const TensorView>()), size_t);
HOLDS(std::is_base_of_v<ffi::Object, TensorObj>&& std::is_base_of_v<DLTensor, TensorObj>);
HOLDS(TensorObj::_type_index == kTVMFFITensor);
HAS_TYPE(The<const TensorObj>().ToDLPack(), DLManagedTensor*);
HAS_TYPE(The<const TensorObj>().ToDLPackVersioned(), DLManagedTensorVersioned*);

// A difference from the peer: converting None to a Tensor is an error, not a crash.
HOLDS(std::is_default_constructible_v<Tensor> && !Tensor::_type_is_nullable);
HOLDS(std::is_constructible_v<Tensor, ffi::ObjectPtr<TensorObj>>);
HOLDS(std::is_constructible_v<Tensor, ffi::UnsafeInit>);
template <typename T>
constexpr bool ReadsTensors() {
  HAS_TYPE(The<const T>().data_ptr(), void*);
  HAS_TYPE(The<const T>().device(), DLDevice);
  HAS_TYPE(The<const T>().ndim(), int32_t);
  HAS_TYPE(The<const T>().dim(), int32_t);
  HAS_TYPE(The<const T>().dtype(), DLDataType);
  HAS_TYPE(The<const T>().shape(), ShapeView);
  HAS_TYPE(The<const T>().sizes(), ShapeView);
  HAS_TYPE(The<const T>().strides(), ShapeView);
  HAS_TYPE(The<const T>().size(-1), int64_t);
  HAS_TYPE(The<const T>().stride(-1), int64_t);
  HAS_TYPE(The<const T>().numel(), int64_t);
  HAS_TYPE(The<const T>().byte_offset(), uint64_t);
  HAS_TYPE(The<const T>().IsContiguous(), bool);
  HAS_TYPE(The<const T>().is_contiguous(), bool);
  HAS_TYPE(The<const T>().as_strided(The<ShapeView>(), The<ShapeView>()), T);
  HAS_TYPE(The<const T>().as_strided(The<ShapeView>(), The<ShapeView>(), std::optional<int64_t>(1)),
           T);
  return true;
}
HOLDS(ReadsTensors<Tensor>() && ReadsTensors<TensorView>());
HAS_TYPE(The<const Tensor>().IsAligned(The<size_t>()), bool);
struct Alloc {
  void AllocData(DLTensor*, int) {}
  void FreeData(DLTensor*) {}
};
HAS_TYPE(Tensor::FromNDAlloc(Alloc(), The<ShapeView>(), The<DLDataType>(), The<DLDevice>(), 1),
         Tensor);
HAS_TYPE(Tensor::FromNDAllocStrided(Alloc(), The<ShapeView>(), The<ShapeView>(), The<DLDataType>(),
                                    The<DLDevice>(), 1),
         Tensor);
HAS_TYPE(Tensor::FromEnvAlloc(The<int (*)(DLTensor*, TVMFFIObjectHandle*)>(), The<ShapeView>(),
                              The<DLDataType>(), The<DLDevice>()),
         Tensor);
HAS_TYPE(Tensor::FromDLPack(The<DLManagedTensor*>()), Tensor);
HAS_TYPE(Tensor::FromDLPack(The<DLManagedTensor*>(), The<size_t>(), true), Tensor);
HAS_TYPE(Tensor::FromDLPackVersioned(The<DLManagedTensorVersioned*>()), Tensor);
HAS_TYPE(Tensor::FromDLPackVersioned(The<DLManagedTensorVersioned*>(), The<size_t>(), true),
         Tensor);
HAS_TYPE(The<const Tensor>().ToDLPack(), DLManagedTensor*);
HAS_TYPE(The<const Tensor>().ToDLPackVersioned(), DLManagedTensorVersioned*);
HAS_TYPE(The<const Tensor>().GetDLTensorPtr(), const DLTensor*);

HOLDS(sizeof(TensorView) == 48 && std::is_convertible_v<const Tensor&, TensorView>);
HOLDS(std::is_convertible_v<const DLTensor*, TensorView>);
HOLDS(std::is_assignable_v<TensorView&, const Tensor&>);
HOLDS(!std::is_constructible_v<TensorView, Tensor> && !std::is_assignable_v<TensorView&, Tensor>);
HOLDS(!ffi::TypeTraits<TensorView>::storage_enabled && ffi::TypeTraits<Tensor>::storage_enabled);

HOLDS(std::is_base_of_v<TensorObj, ffi::detail::TensorObjFromNDAlloc<Alloc>>);
using FromDLPack = ffi::detail::TensorObjFromDLPack<DLManagedTensorVersioned>;
HOLDS(std::is_constructible_v<FromDLPack, DLManagedTensorVersioned*, bool>);
