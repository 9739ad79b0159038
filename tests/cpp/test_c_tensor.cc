// SPDX-License-Identifier: Apache-2.0
// Test the C functions that import and export tensors through DLPack, and unsafe views.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "c_api_support.h"

namespace {

int g_deletions = 0;

template <typename Managed>
void CountDeletion(Managed*) {
  ++g_deletions;
}

/*! \brief A managed tensor on the stack: 2 x 3 float32, without strides unless a test sets them. */
template <typename Managed>
struct Source {
  alignas(64) float data[6] = {0, 1, 2, 3, 4, 5};
  int64_t shape[2] = {2, 3};
  int64_t strides[2] = {3, 1};
  Managed managed{};

  Source() {
    managed.dl_tensor.data = data;
    managed.dl_tensor.device = {kDLCPU, 0};
    managed.dl_tensor.ndim = 2;
    managed.dl_tensor.dtype = {kDLFloat, 32, 1};
    managed.dl_tensor.shape = shape;
    managed.deleter = CountDeletion<Managed>;
    SetVersion(&managed);
    g_deletions = 0;
  }
  static void SetVersion(DLManagedTensor*) {}
  static void SetVersion(DLManagedTensorVersioned* managed) { managed->version = {1, 3}; }
};

int Import(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  return TVMFFITensorFromDLPack(from, alignment, contiguous, out);
}
int Import(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous,
           TVMFFIObjectHandle* out) {
  return TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
}
int Export(TVMFFIObjectHandle from, DLManagedTensor** out) {
  return TVMFFITensorToDLPack(from, out);
}
int Export(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  return TVMFFITensorToDLPackVersioned(from, out);
}

template <typename Managed>
class CTensor : public ::testing::Test {};
using BothVersions = ::testing::Types<DLManagedTensor, DLManagedTensorVersioned>;
TYPED_TEST_SUITE(CTensor, BothVersions);

// spec: Y18
TYPED_TEST(CTensor, ImportAliasesAndSynthesisesStrides) {
  Source<TypeParam> source;
  TVMFFIObjectHandle tensor = nullptr;
  ASSERT_EQ(Import(&source.managed, 0, 0, &tensor), 0);
  EXPECT_EQ(TVMFFIObjectGetTypeIndex(tensor), kTVMFFITensor);
  const DLTensor* dl = TVMFFITensorGetDLTensorPtr(tensor);
  EXPECT_EQ(dl->data, source.data);
  EXPECT_EQ(dl->shape, source.shape);
  ASSERT_NE(dl->strides, nullptr);
  EXPECT_EQ(dl->strides[0], 3);
  EXPECT_EQ(dl->strides[1], 1);
  // The ABI fixes this layout: the managed tensor at offset 72, inline strides at 80.
  const char* bytes = static_cast<const char*>(tensor);
  EXPECT_EQ(*reinterpret_cast<TypeParam* const*>(bytes + 72), &source.managed);
  EXPECT_EQ(reinterpret_cast<const char*>(dl->strides), bytes + 80);
  EXPECT_EQ(g_deletions, 0);
  TVMFFIObjectDecRef(tensor);
  EXPECT_EQ(g_deletions, 1);
}

TYPED_TEST(CTensor, ImportKeepsGivenStridesAndScalars) {
  Source<TypeParam> source;
  source.managed.dl_tensor.strides = source.strides;
  TVMFFIObjectHandle tensor = nullptr;
  ASSERT_EQ(Import(&source.managed, 64, 1, &tensor), 0);
  EXPECT_EQ(TVMFFITensorGetDLTensorPtr(tensor)->strides, source.strides);
  TVMFFIObjectDecRef(tensor);
  source.managed.dl_tensor.ndim = 0;
  source.managed.dl_tensor.shape = nullptr;
  source.managed.dl_tensor.strides = nullptr;
  source.managed.deleter = nullptr;
  ASSERT_EQ(Import(&source.managed, 0, 1, &tensor), 0);
  EXPECT_EQ(TVMFFITensorGetDLTensorPtr(tensor)->strides, nullptr);
  TVMFFIObjectDecRef(tensor);
  EXPECT_EQ(g_deletions, 1);
}

// spec: Y18
TYPED_TEST(CTensor, AlignmentIsCheckedWhereTheHostSeesIt) {
  Source<TypeParam> source;
  TVMFFIObjectHandle tensor = nullptr;
  source.managed.dl_tensor.byte_offset = 4;
  for (int device : {1, 2, 3, 10, 11, 13}) {
    source.managed.dl_tensor.device.device_type = static_cast<DLDeviceType>(device);
    EXPECT_EQ(Import(&source.managed, 8, 0, &tensor), -1) << device;
    EXPECT_RAISED("RuntimeError", "FromDLPack: Data is not aligned to 8 bytes.");
  }
  // The host does not know addresses on other devices, so only the offset is checked.
  source.managed.dl_tensor.device.device_type = kDLVulkan;
  source.managed.dl_tensor.data = source.data + 1;
  source.managed.dl_tensor.byte_offset = 64;
  ASSERT_EQ(Import(&source.managed, 64, 0, &tensor), 0);
  TVMFFIObjectDecRef(tensor);
  EXPECT_EQ(g_deletions, 1);
}

// spec: Y18
TYPED_TEST(CTensor, ContiguityIsChecked) {
  Source<TypeParam> source;
  TVMFFIObjectHandle tensor = nullptr;
  source.managed.dl_tensor.strides = source.strides;
  source.strides[0] = 4;
  EXPECT_EQ(Import(&source.managed, 0, 1, &tensor), -1);
  EXPECT_RAISED("RuntimeError", "FromDLPack: Tensor is not contiguous.");
  EXPECT_EQ(g_deletions, 0) << "the caller keeps what was refused";
  // The stride of a dimension of size 1 is ignored; so are all strides of a tensor without
  // elements.
  source.shape[0] = 1;
  ASSERT_EQ(Import(&source.managed, 0, 1, &tensor), 0);
  TVMFFIObjectDecRef(tensor);
  source.shape[0] = 0;
  source.strides[1] = 17;
  ASSERT_EQ(Import(&source.managed, 0, 1, &tensor), 0);
  TVMFFIObjectDecRef(tensor);
}

// spec: Y18
TYPED_TEST(CTensor, MalformedMembersAreNamed) {
  Source<TypeParam> source;
  DLTensor& dl = source.managed.dl_tensor;
  TVMFFIObjectHandle tensor = nullptr;
  auto expect_refused = [&](const char* message) {
    EXPECT_EQ(Import(&source.managed, 0, 0, &tensor), -1);
    EXPECT_RAISED("ValueError", message);
    EXPECT_EQ(tensor, nullptr);
    EXPECT_EQ(g_deletions, 0);
  };
  dl.ndim = -1;
  expect_refused("`dl_tensor.ndim` must not be negative");
  dl.ndim = 1 << 30;
  expect_refused("`dl_tensor.ndim` must not be above 1024");
  dl.ndim = 2;
  dl.shape = nullptr;
  expect_refused("`dl_tensor.shape` must not be NULL when there are dimensions");
  dl.shape = source.shape;
  source.shape[1] = -3;
  expect_refused("`dl_tensor.shape[1]` must not be negative");
  source.shape[0] = source.shape[1] = int64_t{1} << 32;
  expect_refused("`dl_tensor.shape` gives a size that overflows 64 bits");
  source.shape[0] = int64_t{1} << 26;
  expect_refused("`dl_tensor.shape` gives a size that overflows 64 bits");
  // If the tensor has no elements, the other dimensions may have any size.
  source.shape[0] = 0;
  source.shape[1] = INT64_MAX;
  ASSERT_EQ(Import(&source.managed, 0, 1, &tensor), 0);
  TVMFFIObjectDecRef(tensor);
  EXPECT_EQ(Import(static_cast<TypeParam*>(nullptr), 0, 0, &tensor), -1);
  EXPECT_RAISED("ValueError", "`from` must not be NULL");
  EXPECT_EQ(Import(&source.managed, 0, 0, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
  EXPECT_EQ(Import(&source.managed, -8, 0, &tensor), -1);
  EXPECT_RAISED("ValueError", "`require_alignment` must not be negative");
}

// spec: Y18
TYPED_TEST(CTensor, ExportSharesAndKeepsTheTensor) {
  Source<TypeParam> source;
  TVMFFIObjectHandle tensor = nullptr;
  ASSERT_EQ(Import(&source.managed, 0, 0, &tensor), 0);
  TypeParam* exported = nullptr;
  ASSERT_EQ(Export(tensor, &exported), 0);
  EXPECT_EQ(CountsOf(tensor), 0x100000002u);
  EXPECT_EQ(exported->manager_ctx, tensor);
  EXPECT_EQ(std::memcmp(&exported->dl_tensor, TVMFFITensorGetDLTensorPtr(tensor), sizeof(DLTensor)),
            0);
  TVMFFIObjectDecRef(tensor);
  EXPECT_EQ(g_deletions, 0);
  exported->deleter(exported);
  EXPECT_EQ(g_deletions, 1);
}

TYPED_TEST(CTensor, ExportRefusesOtherObjects) {
  TypeParam* exported = nullptr;
  EXPECT_EQ(Export(nullptr, &exported), -1);
  EXPECT_RAISED("ValueError", "`from` must not be NULL");
  TVMFFIObjectHandle box = nullptr;
  ASSERT_EQ(TVMFFIObjectCreateOpaque(nullptr, kTVMFFIOpaquePyObject, nullptr, &box), 0);
  EXPECT_EQ(Export(box, &exported), -1);
  EXPECT_RAISED("TypeError", "Cannot convert from type `ffi.OpaquePyObject` to `ffi.Tensor`");
  EXPECT_EQ(Export(box, static_cast<TypeParam**>(nullptr)), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
  EXPECT_EQ(CountsOf(box), 0x100000001u);
  TVMFFIObjectDecRef(box);
}

// spec: Y18
TEST(CTensorVersioned, VersionAndFlags) {
  Source<DLManagedTensorVersioned> source;
  TVMFFIObjectHandle tensor = nullptr;
  source.managed.version.major = 2;
  EXPECT_EQ(Import(&source.managed, 0, 0, &tensor), -1);
  EXPECT_RAISED("ValueError", "`version.major` is 2, only DLPack version 1 is supported");
  source.managed.version = {1, 99};
  source.managed.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  EXPECT_EQ(Import(&source.managed, 0, 0, &tensor), -1);
  EXPECT_RAISED("RuntimeError", "Subbyte type padded is not yet supported");
  // The alignment is checked before the padding.
  source.managed.dl_tensor.byte_offset = 1;
  EXPECT_EQ(Import(&source.managed, 4, 0, &tensor), -1);
  EXPECT_RAISED("RuntimeError", "FromDLPack: Data is not aligned to 4 bytes.");
  source.managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  ASSERT_EQ(Import(&source.managed, 0, 0, &tensor), 0);
  DLManagedTensorVersioned* exported = nullptr;
  ASSERT_EQ(Export(tensor, &exported), 0);
  EXPECT_EQ(exported->version.major, 1u);
  EXPECT_EQ(exported->version.minor, 3u);
  EXPECT_EQ(exported->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
  exported->deleter(exported);
  TVMFFIObjectDecRef(tensor);
}

// spec: Y19
TEST(CTensorView, CopiesThePrototypeAndKeepsTheSource) {
  Source<DLManagedTensor> source;
  TVMFFIObjectHandle tensor = nullptr;
  ASSERT_EQ(Import(&source.managed, 0, 0, &tensor), 0);
  int64_t shape[3] = {1, 3, 2};
  int64_t strides[3] = {6, 1, 3};
  DLTensor prototype = *TVMFFITensorGetDLTensorPtr(tensor);
  prototype.ndim = 3;
  prototype.shape = shape;
  prototype.strides = strides;
  prototype.byte_offset = 4;
  TVMFFIObjectHandle view = nullptr;
  ASSERT_EQ(TVMFFITensorCreateUnsafeView(tensor, &prototype, &view), 0);
  EXPECT_EQ(CountsOf(tensor), 0x100000002u);
  shape[0] = strides[0] = 99;
  const DLTensor* dl = TVMFFITensorGetDLTensorPtr(view);
  const char* bytes = static_cast<const char*>(view);
  EXPECT_EQ(reinterpret_cast<const char*>(dl->shape), bytes + 80);
  EXPECT_EQ(reinterpret_cast<const char*>(dl->strides), bytes + 80 + 24);
  EXPECT_EQ(std::vector<int64_t>(dl->shape, dl->shape + 3), std::vector<int64_t>({1, 3, 2}));
  EXPECT_EQ(std::vector<int64_t>(dl->strides, dl->strides + 3), std::vector<int64_t>({6, 1, 3}));
  EXPECT_EQ(dl->byte_offset, 4u);
  EXPECT_EQ(dl->data, source.data);
  TVMFFIObjectDecRef(tensor);
  EXPECT_EQ(g_deletions, 0);
  TVMFFIObjectDecRef(view);
  EXPECT_EQ(g_deletions, 1);
}

// spec: Y19
TEST(CTensorView, Refusals) {
  Source<DLManagedTensor> source;
  TVMFFIObjectHandle tensor = nullptr;
  ASSERT_EQ(Import(&source.managed, 0, 0, &tensor), 0);
  DLTensor prototype = *TVMFFITensorGetDLTensorPtr(tensor);
  TVMFFIObjectHandle view = nullptr;
  prototype.strides = nullptr;
  EXPECT_EQ(TVMFFITensorCreateUnsafeView(tensor, &prototype, &view), -1);
  EXPECT_RAISED("InternalError", "Check not null: prototype.strides ");
  prototype.strides = source.strides;
  prototype.ndim = -2;
  EXPECT_EQ(TVMFFITensorCreateUnsafeView(tensor, &prototype, &view), -1);
  EXPECT_RAISED("ValueError", "`prototype.ndim` must not be negative");
  EXPECT_EQ(TVMFFITensorCreateUnsafeView(nullptr, &prototype, &view), -1);
  EXPECT_RAISED("ValueError", "`source` must not be NULL");
  EXPECT_EQ(TVMFFITensorCreateUnsafeView(tensor, nullptr, &view), -1);
  EXPECT_RAISED("ValueError", "`prototype` must not be NULL");
  EXPECT_EQ(TVMFFITensorCreateUnsafeView(tensor, &prototype, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
  EXPECT_EQ(CountsOf(tensor), 0x100000001u);
  TVMFFIObjectDecRef(tensor);
}

}  // namespace
