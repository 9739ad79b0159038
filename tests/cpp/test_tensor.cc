// SPDX-License-Identifier: Apache-2.0
// Test Tensor and TensorView: allocation, import and export by DLPack, views, checks of malformed
// tensors.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "caught.h"
#include "container_probe.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using Extents = std::vector<int64_t>;

constexpr DLDataType kFloat32{kDLFloat, 32, 1};
constexpr DLDataType kInt4{kDLInt, 4, 1};
constexpr DLDevice kCPU{kDLCPU, 0};
constexpr DLDevice kVulkan{kDLVulkan, 0};

Extents Items(ShapeView view) { return Extents(view.begin(), view.end()); }

/*! \brief Allocates with `operator new`, and records the calls. */
struct Allocator {
  struct Log {
    int allocated = 0;
    int freed = 0;
    DLTensor seen{};
    Extents shape;
    Extents strides;
    int extra = 0;
  };
  Log* log;

  void AllocData(DLTensor* tensor) {
    ++log->allocated;
    log->seen = *tensor;
    log->shape.assign(tensor->shape, tensor->shape + tensor->ndim);
    log->strides.assign(tensor->strides, tensor->strides + tensor->ndim);
    tensor->data = ::operator new(GetDataSize(*tensor) + 1);
  }
  void AllocData(DLTensor* tensor, int extra) {
    log->extra = extra;
    if (extra < 0) TVM_FFI_THROW(RuntimeError) << "no memory";
    AllocData(tensor);
  }
  void FreeData(DLTensor* tensor) {
    ++log->freed;
    ::operator delete(tensor->data);
  }
};

/*! \brief Makes a managed tensor for DLPack, and counts the calls of the tensor's deleter. */
template <typename TManaged>
struct Producer {
  explicit Producer(Extents shape_in, DLDevice device = kCPU) : shape(std::move(shape_in)) {
    managed.dl_tensor.data = buffer;
    managed.dl_tensor.device = device;
    managed.dl_tensor.dtype = kFloat32;
    managed.dl_tensor.ndim = static_cast<int32_t>(shape.size());
    managed.dl_tensor.shape = shape.data();
    managed.manager_ctx = this;
    managed.deleter = [](TManaged* self) { ++static_cast<Producer*>(self->manager_ctx)->deleted; };
    if constexpr (std::is_same_v<TManaged, DLManagedTensorVersioned>) managed.version = {1, 3};
  }
  Tensor Import(size_t alignment = 0, bool contiguous = false) {
    if constexpr (std::is_same_v<TManaged, DLManagedTensorVersioned>) {
      return Tensor::FromDLPackVersioned(&managed, alignment, contiguous);
    } else {
      return Tensor::FromDLPack(&managed, alignment, contiguous);
    }
  }
  alignas(64) float buffer[64] = {};
  Extents shape;
  TManaged managed{};
  int deleted = 0;
};

/* ---------------------------------------------------------------- functions for a DLTensor */

// spec: K07
TEST(DLTensor, DataSizeRoundsUpOncePerTensor) {
  EXPECT_EQ(GetDataSize(3, kInt4), 2u);
  EXPECT_EQ(GetDataSize(0, kInt4), 0u);
  EXPECT_EQ(GetDataSize(5, DLDataType{kDLBool, 1, 1}), 1u);
  EXPECT_EQ(GetDataSize(9, DLDataType{kDLBool, 1, 1}), 2u);
  EXPECT_EQ(GetDataSize(7, DLDataType{kDLFloat, 6, 1}), 6u);
  EXPECT_EQ(GetDataSize(3, DLDataType{kDLFloat, 32, 4}), 48u);
  EXPECT_EQ(GetDataSize(3, DLDataType{kDLOpaqueHandle, 0, 0}), 0u);
  EXPECT_EQ(GetDataSize(size_t{1} << 60, DLDataType{kDLFloat, 64, 1}), size_t{1} << 63);
  EXPECT_EQ(Caught([] { GetDataSize(size_t{1} << 62, kFloat32); }).kind(), "OverflowError");
  int64_t shape[2] = {3, -1};
  DLTensor tensor{};
  tensor.ndim = 2;
  tensor.shape = shape;
  tensor.dtype = kFloat32;
  EXPECT_ERROR(GetDataSize(tensor), "ValueError", "shape[1] is negative: -1");
  shape[1] = 2;
  EXPECT_EQ(GetDataSize(tensor), 24u);
  EXPECT_EQ(GetDataSize(TensorView(&tensor)), 24u);
}

// spec: K07
TEST(DLTensor, Contiguity) {
  auto contiguous = [](Extents shape, Extents strides) {
    DLTensor tensor{};
    tensor.ndim = static_cast<int32_t>(shape.size());
    tensor.shape = shape.data();
    tensor.strides = strides.empty() ? nullptr : strides.data();
    return IsContiguous(tensor);
  };
  EXPECT_TRUE(contiguous({2, 3}, {}));
  EXPECT_TRUE(contiguous({2, 3}, {3, 1}));
  EXPECT_FALSE(contiguous({2, 3}, {1, 2}));
  EXPECT_TRUE(contiguous({2, 0, 3}, {7, 8, 9}));
  EXPECT_TRUE(contiguous({1, 3, 1}, {99, 1, 99}));
  EXPECT_FALSE(contiguous({2, 3}, {4, 1}));
  EXPECT_FALSE(contiguous({2, int64_t{1} << 62, 16}, {5, 16, 1}));
}

TEST(DLTensor, Alignment) {
  DLTensor tensor{};
  tensor.data = reinterpret_cast<void*>(uintptr_t{64});
  tensor.byte_offset = 8;
  for (int type : {1, 2, 3, 10, 11, 13}) {
    tensor.device = DLDevice{static_cast<DLDeviceType>(type), 0};
    EXPECT_TRUE(IsDirectAddressDevice(tensor.device));
    EXPECT_TRUE(IsAligned(tensor, 8));
    EXPECT_FALSE(IsAligned(tensor, 16));
  }
  tensor.device = kVulkan;
  EXPECT_FALSE(IsDirectAddressDevice(kVulkan));
  tensor.data = reinterpret_cast<void*>(uintptr_t{1});
  EXPECT_TRUE(IsAligned(tensor, 8));
  EXPECT_TRUE(IsAligned(tensor, 0));
}

/* ---------------------------------------------------------------- allocation */

// spec: K08
TEST(TensorAlloc, TheAllocatorSeesEverythingButData) {
  Allocator::Log log;
  {
    Tensor tensor = Tensor::FromNDAlloc(Allocator{&log}, {2, 3}, kFloat32, DLDevice{kDLCUDA, 1});
    EXPECT_EQ(log.allocated, 1);
    EXPECT_EQ(log.shape, (Extents{2, 3}));
    EXPECT_EQ(log.strides, (Extents{3, 1}));
    EXPECT_EQ(log.seen.data, nullptr);
    EXPECT_EQ(log.seen.device.device_type, kDLCUDA);
    EXPECT_EQ(log.seen.device.device_id, 1);
    EXPECT_EQ(log.seen.dtype.bits, 32);
    EXPECT_EQ(log.seen.byte_offset, 0u);
    EXPECT_EQ(tensor.ndim(), 2);
    EXPECT_EQ(tensor.dim(), 2);
    EXPECT_EQ(Items(tensor.shape()), (Extents{2, 3}));
    EXPECT_EQ(Items(tensor.sizes()), (Extents{2, 3}));
    EXPECT_EQ(Items(tensor.strides()), (Extents{3, 1}));
    EXPECT_EQ(tensor.numel(), 6);
    EXPECT_EQ(tensor.device().device_id, 1);
    EXPECT_EQ(tensor.dtype().code, kDLFloat);
    EXPECT_NE(tensor.data_ptr(), nullptr);
    EXPECT_TRUE(tensor.IsContiguous());
    EXPECT_TRUE(tensor.is_contiguous());
    EXPECT_EQ(GetDataSize(tensor), 24u);
    EXPECT_EQ(tensor.use_count(), 1);
    EXPECT_EQ(tensor.type_index(), 70);
    // The memory block has the object, allocator state, shape and strides, in this order.
    const char* base = reinterpret_cast<const char*>(tensor.GetDLTensorPtr()) - 24;
    EXPECT_EQ(reinterpret_cast<const char*>(tensor.shape().data()), base + 80);
    EXPECT_EQ(reinterpret_cast<const char*>(tensor.strides().data()), base + 96);
    EXPECT_EQ(log.freed, 0);
  }
  EXPECT_EQ(log.freed, 1);
}

// spec: K08
TEST(TensorAlloc, ExtraArgumentsAndFailure) {
  Allocator::Log log;
  Tensor::FromNDAlloc(Allocator{&log}, {2}, kFloat32, kCPU, 7);
  EXPECT_EQ(log.extra, 7);
  EXPECT_EQ(log.freed, 1);
  EXPECT_ERROR(Tensor::FromNDAlloc(Allocator{&log}, {2}, kFloat32, kCPU, -1), "RuntimeError",
               "no memory");
  EXPECT_EQ(log.freed, 1);
}

// spec: K08
TEST(TensorAlloc, Strided) {
  Allocator::Log log;
  Tensor tensor = Tensor::FromNDAllocStrided(Allocator{&log}, {2, 3}, {1, 2}, kFloat32, kCPU);
  EXPECT_EQ(Items(tensor.strides()), (Extents{1, 2}));
  EXPECT_FALSE(tensor.IsContiguous());
  EXPECT_ERROR(Tensor::FromNDAllocStrided(Allocator{&log}, {2, 3}, {1}, kFloat32, kCPU),
               "ValueError",
               "Check failed: (shape.size() == strides.size()) is false: shape and strides must "
               "have the same size.");
}

TEST(TensorAlloc, ImpossibleExtentsAreRefused) {
  Allocator::Log log;
  auto make = [&](Shape shape) { Tensor::FromNDAlloc(Allocator{&log}, shape, kFloat32, kCPU); };
  EXPECT_ERROR(make({2, -3}), "ValueError", "FromNDAlloc: shape[1] is negative: -3");
  EXPECT_ERROR(make({int64_t{1} << 32, int64_t{1} << 32, 16}), "ValueError",
               "FromNDAlloc: shape has more elements than 64 bits can count");
  EXPECT_ERROR(make({int64_t{1} << 62}), "ValueError",
               "FromNDAlloc: shape and dtype need more bytes than 64 bits can count");
  EXPECT_EQ(log.allocated, 0);
  make({0, int64_t{1} << 62, 16});
  make({});
  EXPECT_EQ(log.allocated, 2);
  EXPECT_EQ(log.freed, 2);
}

// spec: K13
TEST(TensorAlloc, FromEnvAlloc) {
  static Allocator::Log log;
  auto give = [](DLTensor* prototype, TVMFFIObjectHandle* out) -> int {
    EXPECT_EQ(prototype->ndim, 2);
    EXPECT_EQ(prototype->strides, nullptr);
    EXPECT_EQ(prototype->data, nullptr);
    Tensor tensor = Tensor::FromNDAlloc(Allocator{&log}, ShapeView(prototype->shape, 2),
                                        prototype->dtype, prototype->device);
    *out = details::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(tensor));
    return 0;
  };
  {
    Tensor tensor = Tensor::FromEnvAlloc(give, {2, 3}, kFloat32, kCPU);
    EXPECT_EQ(tensor.use_count(), 1);
    EXPECT_EQ(tensor.size(1), 3);
  }
  EXPECT_EQ(log.freed, 1);
  auto fail = [](DLTensor*, TVMFFIObjectHandle*) -> int {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "out of luck");
    return -1;
  };
  EXPECT_ERROR(Tensor::FromEnvAlloc(fail, {2, 3}, kFloat32, kCPU), "ValueError", "out of luck");
  EXPECT_ERROR(Tensor::FromEnvAlloc(give, {2, -3}, kFloat32, kCPU), "ValueError",
               "FromEnvAlloc: shape[1] is negative: -3");
}

/* ---------------------------------------------------------------- DLPack */

template <typename TManaged>
class TensorDLPack : public testing::Test {};
using Managed = testing::Types<DLManagedTensor, DLManagedTensorVersioned>;
TYPED_TEST_SUITE(TensorDLPack, Managed);

// spec: K09
TYPED_TEST(TensorDLPack, ImportAliasesAndMakesStrides) {
  Producer<TypeParam> producer({2, 3});
  {
    Tensor tensor = producer.Import();
    EXPECT_EQ(tensor.data_ptr(), producer.buffer);
    EXPECT_EQ(tensor.shape().data(), producer.shape.data());
    EXPECT_EQ(Items(tensor.strides()), (Extents{3, 1}));
    EXPECT_EQ(reinterpret_cast<const char*>(tensor.strides().data()),
              reinterpret_cast<const char*>(tensor.GetDLTensorPtr()) - 24 + 80);
    Tensor copy = tensor;
    EXPECT_EQ(producer.deleted, 0);
  }
  EXPECT_EQ(producer.deleted, 1);
}

TYPED_TEST(TensorDLPack, ImportKeepsGivenStrides) {
  Producer<TypeParam> producer({2, 3});
  Extents strides{1, 2};
  producer.managed.dl_tensor.strides = strides.data();
  Tensor tensor = producer.Import();
  EXPECT_EQ(tensor.strides().data(), strides.data());
  EXPECT_EQ(tensor.stride(-1), 2);
}

TYPED_TEST(TensorDLPack, ZeroDimensionsAndNoDeleter) {
  Producer<TypeParam> producer({});
  producer.managed.deleter = nullptr;
  producer.managed.dl_tensor.shape = nullptr;
  Tensor tensor = producer.Import();
  EXPECT_EQ(tensor.numel(), 1);
  EXPECT_EQ(tensor.strides().size(), 0u);
}

// spec: K09
TYPED_TEST(TensorDLPack, DemandsNotMetLeaveOwnershipWithTheCaller) {
  Producer<TypeParam> producer({2, 3});
  producer.managed.dl_tensor.byte_offset = 4;
  EXPECT_ERROR(producer.Import(64), "RuntimeError", "FromDLPack: Data is not aligned to 64 bytes.");
  Extents strides{1, 2};
  producer.managed.dl_tensor.strides = strides.data();
  EXPECT_ERROR(producer.Import(0, true), "RuntimeError", "FromDLPack: Tensor is not contiguous.");
  EXPECT_ERROR(producer.Import(64, true), "RuntimeError",
               "FromDLPack: Data is not aligned to 64 bytes.");
  EXPECT_EQ(producer.deleted, 0);
  EXPECT_TRUE(producer.Import(4).defined());
  EXPECT_EQ(producer.deleted, 1);
}

TYPED_TEST(TensorDLPack, MalformedTensorsAreRefusedByName) {
  auto message = [](auto change) {
    Producer<TypeParam> producer({2, 3});
    change(producer.managed);
    Error error = Caught([&] { producer.Import(); });
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_EQ(producer.deleted, 0);
    return error.message();
  };
  EXPECT_EQ(message([](auto& m) { m.dl_tensor.ndim = -1; }), "FromDLPack: ndim is negative: -1");
  EXPECT_EQ(message([](auto& m) { m.dl_tensor.shape = nullptr; }),
            "FromDLPack: shape is NULL, ndim is 2");
  EXPECT_EQ(message([](auto& m) { m.dl_tensor.shape[1] = -5; }),
            "FromDLPack: shape[1] is negative: -5");
  EXPECT_EQ(message([](auto& m) {
              m.dl_tensor.shape[0] = int64_t{1} << 32;
              m.dl_tensor.shape[1] = int64_t{1} << 32;
            }),
            "FromDLPack: shape has more elements than 64 bits can count");
  EXPECT_EQ(message([](auto& m) { m.dl_tensor.shape[0] = int64_t{1} << 60; }),
            "FromDLPack: shape and dtype need more bytes than 64 bits can count");
  EXPECT_ERROR(Tensor::FromDLPack(nullptr), "ValueError", "FromDLPack: the tensor is NULL");
  EXPECT_ERROR(Tensor::FromDLPackVersioned(nullptr), "ValueError",
               "FromDLPack: the tensor is NULL");
}

TEST(TensorDLPackVersioned, VersionAndPaddingAreChecked) {
  Producer<DLManagedTensorVersioned> producer({2, 3});
  producer.managed.version.major = 2;
  EXPECT_ERROR(producer.Import(), "ValueError", "FromDLPack: version.major is 2, expected 1");
  producer.managed.version.major = 1;
  producer.managed.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  EXPECT_ERROR(producer.Import(), "RuntimeError", "Subbyte type padded is not yet supported");
  EXPECT_EQ(producer.deleted, 0);
  producer.managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  EXPECT_TRUE(producer.Import().defined());
  EXPECT_EQ(producer.deleted, 1);
}

// spec: K09
TEST(TensorDLPackExport, HoldsOneReference) {
  Allocator::Log log;
  Tensor tensor = Tensor::FromNDAlloc(Allocator{&log}, {2, 3}, kFloat32, kCPU);
  DLManagedTensor* plain = tensor.ToDLPack();
  DLManagedTensorVersioned* versioned = tensor.ToDLPackVersioned();
  EXPECT_EQ(tensor.use_count(), 3);
  EXPECT_EQ(plain->dl_tensor.data, tensor.data_ptr());
  EXPECT_EQ(plain->dl_tensor.shape, tensor.shape().data());
  EXPECT_EQ(versioned->version.major, 1u);
  EXPECT_EQ(versioned->version.minor, 3u);
  EXPECT_EQ(versioned->flags, 0u);
  plain->deleter(plain);
  EXPECT_EQ(tensor.use_count(), 2);
  tensor = Tensor();
  EXPECT_EQ(log.freed, 0);
  {
    Tensor back = Tensor::FromDLPackVersioned(versioned);
    EXPECT_EQ(back.size(-1), 3);
  }
  EXPECT_EQ(log.freed, 1);
  EXPECT_EQ(Caught([] { Tensor().ToDLPack(); }).kind(), "InternalError");
  EXPECT_EQ(Caught([] { Tensor().ToDLPackVersioned(); }).kind(), "InternalError");
}

/* ---------------------------------------------------------------- None */

class HasTensorObj : public Object {
 public:
  Tensor tensor;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test.tensor.HasTensor", HasTensorObj, Object);
};

// spec: C14
TEST(TensorNone, IsRefusedByParametersElementsAndResults) {
  Function f = Function::FromTyped([](Tensor t) { return t.ndim(); }, "f");
  EXPECT_ERROR(f(nullptr), "TypeError",
               "Mismatched type on argument #0 when calling: `f(0: ffi.Tensor) -> int`. Expected "
               "`ffi.Tensor` but got `None`");
  EXPECT_ERROR(f(Tensor()), "TypeError",
               "Mismatched type on argument #0 when calling: `f(0: ffi.Tensor) -> int`. Expected "
               "`ffi.Tensor` but got `None`");
  EXPECT_ERROR(Any(Array<Any>{nullptr}).cast<Array<Tensor>>(), "TypeError",
               "Cannot convert from type `Array[index 0: None]` to `Array<ffi.Tensor>`");
  EXPECT_EQ(Caught([] { Any(Map<Any, Any>{{1, nullptr}}).cast<Map<int, Tensor>>(); }).kind(),
            "TypeError");
  TypedFunction<Tensor()> callback = Function::FromTyped([]() { return nullptr; });
  EXPECT_EQ(Caught([&] { callback(); }).kind(), "TypeError");
  EXPECT_FALSE(Any().as<Tensor>().has_value());
}

TEST(TensorNone, IsTakenByOptional) {
  Function f = Function::FromTyped([](Optional<Tensor> t) { return t.has_value(); });
  EXPECT_FALSE(f(nullptr).cast<bool>());
  EXPECT_FALSE(f(Tensor()).cast<bool>());
}

TEST(TensorNone, NullTensorsAreNoneInAnyAndInFields) {
  EXPECT_TRUE(Any(Tensor()) == nullptr);
  reflection::ObjectDef<HasTensorObj>().def_rw("tensor", &HasTensorObj::tensor);
  ObjectPtr<HasTensorObj> object = make_object<HasTensorObj>();
  EXPECT_TRUE(reflection::FieldGetter("test.tensor.HasTensor", "tensor")(object) == nullptr);
  reflection::FieldSetter set("test.tensor.HasTensor", "tensor");
  EXPECT_EQ(Caught([&] { set(object, nullptr); }).kind(), "TypeError");
  Any copy = DeepCopy(ObjectRef(object));
  EXPECT_FALSE(copy.as<HasTensorObj>()->tensor.defined());
  Any loaded = FromJSONGraph(ToJSONGraph(ObjectRef(object)));
  EXPECT_FALSE(loaded.as<HasTensorObj>()->tensor.defined());
}

/* ---------------------------------------------------------------- access and views */

// spec: K10
TEST(Tensor, NegativeIndicesAndErrors) {
  Producer<DLManagedTensor> producer({2, 3});
  Tensor tensor = producer.Import();
  TensorView view = tensor;
  EXPECT_EQ(tensor.size(-1), 3);
  EXPECT_EQ(tensor.stride(-2), 3);
  EXPECT_EQ(view.size(-2), 2);
  EXPECT_EQ(view.stride(0), 3);
  EXPECT_ERROR(tensor.size(2), "IndexError", "Index 2 out of bounds for tensor with 2 dimensions");
  EXPECT_ERROR(tensor.size(-3), "IndexError",
               "Index -3 out of bounds for tensor with 2 dimensions");
  EXPECT_ERROR(tensor.stride(5), "IndexError",
               "Index 5 out of bounds for tensor with 2 dimensions");
  EXPECT_ERROR(view.size(2), "IndexError", "Index 2 out of bounds for tensor with 2 dimensions");
  EXPECT_ERROR(view.stride(-3), "IndexError",
               "Index -3 out of bounds for tensor with 2 dimensions");
}

// spec: K11
TEST(Tensor, AsStridedKeepsTheSourceAndFoldsTheOffset) {
  Producer<DLManagedTensor> producer({4, 4});
  producer.managed.dl_tensor.byte_offset = 8;
  Extents shape{2, 2}, strides{4, 1};
  Tensor view;
  {
    Tensor tensor = producer.Import();
    view = tensor.as_strided(ShapeView(shape.data(), 2), ShapeView(strides.data(), 2), 2);
    EXPECT_EQ(tensor.use_count(), 2);
  }
  EXPECT_EQ(producer.deleted, 0);
  EXPECT_EQ(view.data_ptr(), reinterpret_cast<char*>(producer.buffer) + 16);
  EXPECT_EQ(view.byte_offset(), 0u);
  EXPECT_NE(view.shape().data(), shape.data());
  EXPECT_EQ(Items(view.shape()), shape);
  EXPECT_EQ(Items(view.strides()), strides);
  Tensor again = view.as_strided({3}, {2});
  EXPECT_EQ(again.data_ptr(), view.data_ptr());
  EXPECT_EQ(again.as_strided({}, {}, 1).ndim(), 0);
  again = Tensor();
  view = Tensor();
  EXPECT_EQ(producer.deleted, 1);
}

// spec: K11
TEST(Tensor, AsStridedKeepsTheOffsetWhereDataIsAHandle) {
  Producer<DLManagedTensor> producer({4, 4}, kVulkan);
  producer.managed.dl_tensor.byte_offset = 8;
  Tensor view = producer.Import().as_strided({2}, {1}, 2);
  EXPECT_EQ(view.data_ptr(), producer.buffer);
  EXPECT_EQ(view.byte_offset(), 16u);
}

// spec: K11
TEST(Tensor, AsStridedRefusals) {
  Producer<DLManagedTensor> producer({4, 4});
  Tensor tensor = producer.Import();
  EXPECT_EQ(Caught([&] { tensor.as_strided({2}, {1}, -1); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { tensor.as_strided({2}, {1, 1}); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { TensorView(tensor).as_strided({2}, {1}, -1); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { TensorView(tensor).as_strided({2}, {1, 1}); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { tensor.as_strided({2}, {1}, INT64_MAX); }).kind(), "OverflowError");
  producer.managed.dl_tensor.dtype = kInt4;
  Tensor nibbles = producer.Import();
  EXPECT_EQ(Caught([&] { nibbles.as_strided({2}, {1}, 3); }).kind(), "ValueError");
  EXPECT_EQ(nibbles.as_strided({2}, {1}, 4).data_ptr(),
            reinterpret_cast<char*>(producer.buffer) + 2);
}

// spec: K12
TEST(TensorView, FromTensorAndPointer) {
  Producer<DLManagedTensor> producer({2, 3});
  Tensor tensor = producer.Import();
  TensorView view = tensor;
  EXPECT_EQ(sizeof(TensorView), 48u);
  EXPECT_EQ(view.data_ptr(), tensor.data_ptr());
  EXPECT_EQ(view.shape().data(), tensor.shape().data());
  EXPECT_EQ(view.ndim(), 2);
  EXPECT_EQ(view.dim(), 2);
  EXPECT_EQ(view.numel(), 6);
  EXPECT_TRUE(view.is_contiguous());
  DLTensor plain = producer.managed.dl_tensor;
  TensorView bare = &plain;
  EXPECT_EQ(Caught([&] { bare.strides(); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { bare.stride(0); }).kind(), "InternalError");
  bare = tensor;
  EXPECT_EQ(bare.strides().data(), tensor.strides().data());
  Extents shape{3}, strides{2};
  TensorView strided = view.as_strided(ShapeView(shape.data(), 1), ShapeView(strides.data(), 1), 1);
  EXPECT_EQ(strided.shape().data(), shape.data());
  EXPECT_EQ(strided.data_ptr(), producer.buffer + 1);
  EXPECT_EQ(tensor.use_count(), 1);
}

// spec: K12
TEST(TensorView, NullAndTemporaries) {
  Tensor null;
  EXPECT_EQ(Caught([&] { TensorView view(null); }).kind(), "InternalError");
  EXPECT_EQ(Caught([] { TensorView view(static_cast<DLTensor*>(nullptr)); }).kind(),
            "InternalError");
  EXPECT_FALSE((std::is_constructible_v<TensorView, Tensor&&>));
  EXPECT_FALSE((std::is_assignable_v<TensorView&, Tensor&&>));
  EXPECT_TRUE((std::is_constructible_v<TensorView, const Tensor&>));
}

// spec: D15, K12
TEST(TensorView, AsArgument) {
  Producer<DLManagedTensor> producer({2, 3});
  Tensor tensor = producer.Import();
  TensorView view = tensor;
  AnyView from_view = view;
  EXPECT_EQ(from_view.type_index(), TypeIndex::kTVMFFIDLTensorPtr);
  EXPECT_EQ(from_view.cast<TensorView>().data_ptr(), tensor.data_ptr());
  EXPECT_EQ(AnyView(tensor).cast<TensorView>().data_ptr(), tensor.data_ptr());
  EXPECT_FALSE(AnyView(tensor).as<TensorView>().has_value());
  EXPECT_EQ(AnyView(tensor).cast<DLTensor*>(), tensor.GetDLTensorPtr());
  EXPECT_ERROR(AnyView(1).cast<TensorView>(), "TypeError",
               "Cannot convert from type `int` to `DLTensor*`");
  EXPECT_FALSE(details::storage_enabled_v<TensorView>);
  EXPECT_EQ(details::Type2Str<TensorView>::v(), "DLTensor*");
  EXPECT_EQ(details::TypeSchema<TensorView>::v(), R"({"type":"DLTensor*"})");
}

TEST(Tensor, InAny) {
  Producer<DLManagedTensor> producer({2});
  Tensor tensor = producer.Import();
  Any any = tensor;
  EXPECT_EQ(any.type_index(), 70);
  EXPECT_TRUE(any.cast<Tensor>().same_as(tensor));
  EXPECT_ERROR(Any(nullptr).cast<Tensor>(), "TypeError",
               "Cannot convert from type `None` to `ffi.Tensor`");
  EXPECT_EQ(details::Type2Str<Tensor>::v(), "ffi.Tensor");
  EXPECT_EQ(sizeof(TensorObj), 72u);
  EXPECT_EQ(sizeof(details::TensorObjFromDLPack<DLManagedTensor>), 80u);
  EXPECT_EQ(Tensor().GetDLTensorPtr(), nullptr);
}

/*! \brief A tensor class of a client, which passes its DLTensor to C functions. */
class ClientTensor : public Tensor {
 public:
  using Tensor::Tensor;
  DLTensor* Raw() const { return get_mutable(); }
};

TEST(Tensor, DerivedClassesReachTheDLTensor) {
  ClientTensor tensor(make_object<TensorObj>());
  DLTensor* raw = tensor.Raw();
  raw->ndim = 0;
  EXPECT_EQ(raw, tensor.GetDLTensorPtr());
  EXPECT_EQ(ClientTensor(ObjectPtr<TensorObj>(nullptr)).Raw(), nullptr);
}

}  // namespace
