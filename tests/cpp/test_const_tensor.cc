// SPDX-License-Identifier: Apache-2.0
// Test ConstTensor and ConstTensorView: which parameters accept read-only tensors, and how the
// read-only flag of DLPack is read and written.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/const_tensor.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/overload.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT

/*! \brief A managed tensor of 2 x 3 floats, and how often its deleter was called. */
struct Producer {
  explicit Producer(uint64_t flags) {
    managed.dl_tensor.data = buffer;
    managed.dl_tensor.device = {kDLCPU, 0};
    managed.dl_tensor.dtype = {kDLFloat, 32, 1};
    managed.dl_tensor.ndim = 2;
    managed.dl_tensor.shape = shape;
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensorVersioned* self) {
      ++static_cast<Producer*>(self->manager_ctx)->deleted;
    };
    managed.version = {1, 3};
    managed.flags = flags;
  }
  float buffer[6] = {0, 1, 2, 3, 4, 5};
  int64_t shape[2] = {2, 3};
  DLManagedTensorVersioned managed{};
  int deleted = 0;
};

class ConstTensorTest : public ::testing::Test {
 protected:
  Producer frozen_source{DLPACK_FLAG_BITMASK_READ_ONLY};
  Producer plain_source{0};
  ConstTensor frozen = ConstTensor::FromDLPackVersioned(&frozen_source.managed);
  Tensor plain = Tensor::FromDLPackVersioned(&plain_source.managed);
};

float FirstOfView(ConstTensorView x) { return *static_cast<const float*>(x.data_ptr()); }
float FirstOfTensor(const ConstTensor& x) { return *static_cast<const float*>(x.data_ptr()); }

/* ---------------------------------------------------------------- conversions */

static_assert(std::is_convertible_v<Tensor, ConstTensor>);
static_assert(std::is_convertible_v<TensorView, ConstTensorView>);
static_assert(std::is_convertible_v<const Tensor&, ConstTensorView>);
static_assert(std::is_convertible_v<const ConstTensor&, ConstTensorView>);
static_assert(!std::is_constructible_v<Tensor, ConstTensor>);
static_assert(!std::is_constructible_v<TensorView, ConstTensor>);
static_assert(!std::is_constructible_v<TensorView, const ConstTensor&>);
static_assert(!std::is_constructible_v<TensorView, ConstTensorView>);
static_assert(!std::is_constructible_v<ConstTensorView, Tensor>, "a temporary");
static_assert(!std::is_constructible_v<ConstTensorView, ConstTensor>, "a temporary");
static_assert(std::is_same_v<decltype(std::declval<ConstTensor>().data_ptr()), const void*>);
static_assert(std::is_same_v<decltype(std::declval<ConstTensorView>().data_ptr()), const void*>);
static_assert(sizeof(ConstTensorView) == sizeof(DLTensor));
static_assert(sizeof(ConstTensor) == sizeof(Tensor));

TEST_F(ConstTensorTest, AccessorsEqualThoseOfTheMutableForms) {
  ConstTensor tensor = plain;
  EXPECT_TRUE(tensor.same_as(plain));
  TensorView mutable_view = plain;
  ConstTensorView view = mutable_view;
  EXPECT_EQ(tensor.data_ptr(), plain.data_ptr());
  EXPECT_EQ(view.data_ptr(), plain.data_ptr());
  EXPECT_EQ(tensor.shape().data(), plain.shape().data());
  EXPECT_EQ(view.sizes().data(), plain.shape().data());
  EXPECT_EQ(view.strides().data(), plain.strides().data());
  EXPECT_EQ(tensor.strides().data(), plain.strides().data());
  EXPECT_EQ(tensor.ndim() + view.dim(), 4);
  EXPECT_EQ(tensor.numel() + view.numel(), 12);
  EXPECT_EQ(tensor.size(-1) + view.size(-1), 6);
  EXPECT_EQ(tensor.stride(0) + view.stride(-2), 6);
  EXPECT_EQ(tensor.dtype().bits + view.dtype().bits, 64);
  EXPECT_EQ(tensor.device().device_type + view.device().device_type, 2 * kDLCPU);
  EXPECT_EQ(tensor.byte_offset() + view.byte_offset(), 0u);
  EXPECT_TRUE(tensor.is_contiguous() && view.is_contiguous() && tensor.IsAligned(4));
  EXPECT_EQ(GetDataSize(tensor) + GetDataSize(view), 48u);
  EXPECT_ERROR(view.size(2), "IndexError", "Index 2 out of bounds for tensor with 2 dimensions");
  ConstTensor null;
  EXPECT_EQ(Caught([&] { ConstTensorView view(null); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { null.AsReadOnly(); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { null.ToDLPackVersioned(); }).kind(), "InternalError");
}

TEST_F(ConstTensorTest, ViewsOfOtherExtents) {
  ConstTensor part = frozen.as_strided({2}, {3}, 1);
  EXPECT_EQ(FirstOfView(part), 1);
  EXPECT_TRUE(part.IsReadOnly());
  EXPECT_FALSE(ConstTensor(plain).as_strided({2}, {3}).IsReadOnly());
  int64_t shape[1] = {3}, strides[1] = {1};
  ConstTensorView row =
      ConstTensorView(frozen).as_strided(ShapeView(shape, 1), ShapeView(strides, 1), 3);
  EXPECT_EQ(FirstOfView(row), 3);
}

/* ---------------------------------------------------------------- parameters */

TEST_F(ConstTensorTest, ConstParametersTakeReadOnlyTensors) {
  for (const ConstTensor& tensor : {frozen, ConstTensor(plain)}) {
    EXPECT_EQ(Function::FromTyped(FirstOfView)(tensor).cast<float>(), 0);
    EXPECT_EQ(Function::FromTyped(FirstOfTensor)(tensor).cast<float>(), 0);
    auto optional = [](Optional<ConstTensor> x) { return x.has_value(); };
    EXPECT_TRUE(Function::FromTyped(optional)(tensor).cast<bool>());
    auto elements = [](const Array<ConstTensor>& x) { return FirstOfTensor(x[0]); };
    EXPECT_EQ(Function::FromTyped(elements)(Array<ConstTensor>{tensor}).cast<float>(), 0);
    auto same = [](ConstTensor x) { return x; };
    EXPECT_TRUE(Function::FromTyped(same)(tensor).cast<ConstTensor>().same_as(tensor));
  }
  EXPECT_EQ(FirstOfView(&plain_source.managed.dl_tensor), 0);
  EXPECT_EQ(Function::FromTyped(FirstOfView)(&plain_source.managed.dl_tensor).cast<float>(), 0);
  EXPECT_EQ(Function::FromTyped(FirstOfView)(TensorView(plain)).cast<float>(), 0);
}

TEST_F(ConstTensorTest, MutableParametersRefuseReadOnlyTensors) {
  auto refusal = [&](Function function) {
    EXPECT_NO_THROW(function(plain));
    Error error = Caught([&] { function(frozen); });
    EXPECT_EQ(error.kind(), "BufferError");
    return error.message();
  };
  EXPECT_EQ(refusal(Function::FromTyped([](TensorView) {}, "f")),
            "Read-only tensor on argument #0 when calling: `f(0: DLTensor*) -> void`, which may "
            "write to it. Pass a copy, or declare the parameter ConstTensorView or ConstTensor");
  std::string start = "Read-only tensor on argument #0 when calling: `(0: ";
  EXPECT_EQ(refusal(Function::FromTyped([](DLTensor*) {})).rfind(start + "DLTensor*)", 0), 0u);
  EXPECT_EQ(refusal(Function::FromTyped([](const Tensor&) {})).rfind(start + "ffi.Tensor)", 0), 0u);
  EXPECT_EQ(refusal(Function::FromTyped([](Optional<Tensor>) {})).rfind(start + "Optional", 0), 0u);
  EXPECT_EQ(refusal(Function::FromTyped([](std::optional<TensorView>) {})).rfind(start, 0), 0u);
}

TEST_F(ConstTensorTest, AViewOfAReadOnlyTensorIsReadOnly) {
  Function writes = Function::FromTyped([](TensorView) {});
  EXPECT_EQ(Caught([&] { writes(frozen.as_strided({3}, {1})); }).kind(), "BufferError");
}

class OverloadedObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.const_tensor.Overloaded", OverloadedObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  reflection::OverloadObjectDef<OverloadedObj>()
      .def_static("which", [](TensorView) { return String("writes"); })
      .def_static("which", [](ConstTensorView) { return String("reads"); })
      .def_static("write", [](TensorView) {})
      .def_static("write", [](int64_t) {});
}

TEST_F(ConstTensorTest, AnOverloadThatMayWriteIsPassedOver) {
  const char* key = "test.const_tensor.Overloaded";
  Function which = reflection::GetMethod(key, "which");
  EXPECT_EQ(which(plain).cast<String>(), "writes");
  EXPECT_EQ(which(frozen).cast<String>(), "reads");
  Function write = reflection::GetMethod(key, "write");
  EXPECT_NO_THROW(write(plain));
  Error error = Caught([&] { write(frozen); });
  EXPECT_NE(error.message().find("Expected `DLTensor*` but got a read-only tensor"),
            std::string::npos)
      << error.message();
}

/* ---------------------------------------------------------------- DLPack */

uint64_t FlagsOf(DLManagedTensorVersioned* managed) {
  uint64_t flags = managed->flags;
  managed->deleter(managed);
  return flags;
}

TEST_F(ConstTensorTest, TheFlagCrossesDLPack) {
  EXPECT_TRUE(frozen.IsReadOnly());
  EXPECT_FALSE(plain.IsReadOnly());
  EXPECT_EQ(FlagsOf(frozen.ToDLPackVersioned()), DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_EQ(FlagsOf(plain.ToDLPackVersioned()), 0u);
  EXPECT_EQ(FlagsOf(ConstTensor(plain).ToDLPackVersioned()), DLPACK_FLAG_BITMASK_READ_ONLY);
  Producer source(DLPACK_FLAG_BITMASK_READ_ONLY);
  {
    Tensor tensor = Tensor::FromDLPackVersioned(&source.managed, 4, true);
    EXPECT_TRUE(tensor.IsReadOnly());
    EXPECT_EQ(FlagsOf(tensor.ToDLPackVersioned()), DLPACK_FLAG_BITMASK_READ_ONLY);
    EXPECT_ERROR(
        tensor.ToDLPack(), "BufferError",
        "cannot export a read-only tensor without a DLPack version, which could not tell that it "
        "is read-only; ask for version 1 or later, or copy the tensor");
    EXPECT_EQ(tensor.use_count(), 1);
    EXPECT_EQ(tensor.strides()[0], 3);
  }
  EXPECT_EQ(source.deleted, 1);
}

TEST_F(ConstTensorTest, AnErrorLeavesAReadOnlyTensorToItsOwner) {
  Producer source(DLPACK_FLAG_BITMASK_READ_ONLY);
  source.shape[0] = -1;
  EXPECT_ERROR(ConstTensor::FromDLPackVersioned(&source.managed), "ValueError",
               "FromDLPack: shape[0] is negative: -1");
  EXPECT_EQ(source.deleted, 0);
}

TEST_F(ConstTensorTest, AsReadOnlySharesTheMemory) {
  EXPECT_TRUE(frozen.AsReadOnly().same_as(frozen));
  {
    ConstTensor tensor = ConstTensor(plain).AsReadOnly();
    EXPECT_TRUE(tensor.IsReadOnly());
    EXPECT_FALSE(plain.IsReadOnly());
    EXPECT_EQ(tensor.data_ptr(), plain.data_ptr());
    EXPECT_EQ(plain.use_count(), 2);
    Function writes = Function::FromTyped([](TensorView) {});
    EXPECT_EQ(Caught([&] { writes(tensor); }).kind(), "BufferError");
  }
  EXPECT_EQ(plain.use_count(), 1);
}

/* ---------------------------------------------------------------- descriptions */

TEST(ConstTensorSchema, SaysThatTheTensorIsNotWrittenTo) {
  EXPECT_EQ(TypeTraits<ConstTensor>::TypeSchema(), R"({"type":"ffi.Tensor","const":true})");
  EXPECT_EQ(TypeTraits<ConstTensorView>::TypeSchema(), R"({"type":"DLTensor*","const":true})");
  EXPECT_EQ(TypeTraits<Array<ConstTensor>>::TypeSchema(),
            R"({"type":"ffi.Array","args":[{"type":"ffi.Tensor","const":true}]})");
  EXPECT_EQ(Function::FromTyped(FirstOfView, "f").defined(), true);
  Error error = Caught([] { Function::FromTyped(FirstOfView, "f")(1); });
  EXPECT_EQ(error.message(),
            "Mismatched type on argument #0 when calling: `f(0: DLTensor*) -> float`. Expected "
            "`DLTensor*` but got `int`");
}

}  // namespace
