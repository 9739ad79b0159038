// SPDX-License-Identifier: Apache-2.0
// Test streams, the tensor allocator and signals of c_env_api.h.
#include <gtest/gtest.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

// Return the error of the last call, or nullopt if its status `status` is 0.
std::optional<Error> RaisedBy(int status) {
  if (status == 0) return std::nullopt;
  return tvm::ffi::detail::MoveFromSafeCallRaised();
}

void* Stream(int n) { return reinterpret_cast<void*>(static_cast<intptr_t>(n)); }

TEST(EnvStream, UnsetIsNull) { EXPECT_EQ(TVMFFIEnvGetStream(kDLCUDA, 17), nullptr); }

// spec: R04, Y21
TEST(EnvStream, SetReturnsTheOneBeforePerDevice) {
  void* original = Stream(99);
  ASSERT_EQ(TVMFFIEnvSetStream(kDLCUDA, 0, Stream(1), &original), 0);
  EXPECT_EQ(original, nullptr);
  ASSERT_EQ(TVMFFIEnvSetStream(kDLCUDA, 0, Stream(2), &original), 0);
  EXPECT_EQ(original, Stream(1));
  ASSERT_EQ(TVMFFIEnvSetStream(kDLCUDA, 1, Stream(3), nullptr), 0);
  ASSERT_EQ(TVMFFIEnvSetStream(kDLROCM, 0, Stream(4), nullptr), 0);
  EXPECT_EQ(TVMFFIEnvGetStream(kDLCUDA, 0), Stream(2));
  EXPECT_EQ(TVMFFIEnvGetStream(kDLCUDA, 1), Stream(3));
  EXPECT_EQ(TVMFFIEnvGetStream(kDLROCM, 0), Stream(4));
  ASSERT_EQ(TVMFFIEnvSetStream(kDLCUDA, 0, nullptr, &original), 0);
  EXPECT_EQ(original, Stream(2));
  EXPECT_EQ(TVMFFIEnvGetStream(kDLCUDA, 0), nullptr);
}

TEST(EnvStream, ManyDevicesAndOddNumbers) {
  for (int i = -20; i < 20; ++i) {
    ASSERT_EQ(TVMFFIEnvSetStream(i, -i, Stream(1000 + i), nullptr), 0);
  }
  for (int i = -20; i < 20; ++i) EXPECT_EQ(TVMFFIEnvGetStream(i, -i), Stream(1000 + i));
  EXPECT_EQ(TVMFFIEnvGetStream(5, 5), nullptr);
}

// spec: R04
TEST(EnvStream, ThreadsDoNotSeeEachOther) {
  ASSERT_EQ(TVMFFIEnvSetStream(kDLVulkan, 0, Stream(5), nullptr), 0);
  void* seen = Stream(1);
  std::thread([&] {
    seen = TVMFFIEnvGetStream(kDLVulkan, 0);
    TVMFFIEnvSetStream(kDLVulkan, 0, Stream(6), nullptr);
  }).join();
  EXPECT_EQ(seen, nullptr);
  EXPECT_EQ(TVMFFIEnvGetStream(kDLVulkan, 0), Stream(5));
}

// The type of a thread-local variable whose destructor uses streams. This destructor runs after the
// destructors of thread-local variables that were initialised later.
struct LateUser {
  ~LateUser() {
    TVMFFIEnvSetStream(kDLMetal, 0, Stream(8), nullptr);
    EXPECT_EQ(TVMFFIEnvGetStream(kDLMetal, 0), Stream(8));
    TVMFFIEnvSetStream(kDLMetal, 0, nullptr, nullptr);
  }
};

TEST(EnvStream, UsableWhileTheThreadEnds) {
  std::thread([] {
    thread_local LateUser late_user;
    static_cast<void>(late_user);
    TVMFFIEnvSetStream(kDLMetal, 0, Stream(7), nullptr);
  }).join();
}

// ---------------------------------------------------------------- allocator

int live_tensors = 0;

void DeleteManaged(DLManagedTensorVersioned* managed) {
  --live_tensors;
  delete[] managed->dl_tensor.shape;
  std::free(managed->dl_tensor.data);
  delete managed;
}

// An allocator of float32 tensors.
int AllocateManaged(DLTensor* prototype, DLManagedTensorVersioned** out, void* /*error_ctx*/,
                    void (* /*SetError*/)(void*, const char*, const char*)) {
  auto* managed = new DLManagedTensorVersioned();
  managed->version = DLPackVersion{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed->deleter = DeleteManaged;
  managed->dl_tensor = *prototype;
  managed->dl_tensor.strides = nullptr;
  managed->dl_tensor.shape = new int64_t[prototype->ndim];
  size_t count = 1;
  for (int i = 0; i < prototype->ndim; ++i) {
    managed->dl_tensor.shape[i] = prototype->shape[i];
    count *= static_cast<size_t>(prototype->shape[i]);
  }
  managed->dl_tensor.data = std::malloc(count * 4);
  ++live_tensors;
  *out = managed;
  return 0;
}

int AllocateNothing(DLTensor*, DLManagedTensorVersioned**, void*,
                    void (*)(void*, const char*, const char*)) {
  return 0;
}

int AllocateFails(DLTensor*, DLManagedTensorVersioned**, void* error_ctx,
                  void (*set_error)(void*, const char*, const char*)) {
  set_error(error_ctx, "MemoryError", "no space");
  return -1;
}

int AllocateMalformed(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                      void (*set_error)(void*, const char*, const char*)) {
  AllocateManaged(prototype, out, error_ctx, set_error);
  (*out)->dl_tensor.ndim = -1;
  return 0;
}

class EnvAllocator : public ::testing::Test {
 protected:
  void SetUp() override { Reset(); }
  void TearDown() override {
    Reset();
    EXPECT_EQ(live_tensors, 0);
  }

  static void Reset() { TVMFFIEnvSetDLPackManagedTensorAllocator(nullptr, 1, nullptr); }

  int Allocate(TVMFFIObjectHandle* out, DLDevice device = {kDLCPU, 0}) {
    shape_ = {2, 3};
    DLTensor prototype{};
    prototype.device = device;
    prototype.ndim = 2;
    prototype.dtype = DLDataType{kDLFloat, 32, 1};
    prototype.shape = shape_.data();
    return TVMFFIEnvTensorAlloc(&prototype, out);
  }

  std::vector<int64_t> shape_;
};

// spec: R05, Y21
TEST_F(EnvAllocator, ThreadComesBeforeProcess) {
  EXPECT_EQ(TVMFFIEnvGetDLPackManagedTensorAllocator(), nullptr);
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateManaged, 1, nullptr);
  DLPackManagedTensorAllocator original = nullptr;
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateNothing, 0, &original);
  EXPECT_EQ(original, AllocateManaged);
  EXPECT_EQ(TVMFFIEnvGetDLPackManagedTensorAllocator(), AllocateNothing);
  DLPackManagedTensorAllocator elsewhere = nullptr;
  DLPackManagedTensorAllocator original_elsewhere = AllocateNothing;
  std::thread([&] {
    elsewhere = TVMFFIEnvGetDLPackManagedTensorAllocator();
    // The new thread has no allocator of its own, so it has no previous allocator.
    TVMFFIEnvSetDLPackManagedTensorAllocator(nullptr, 0, &original_elsewhere);
  }).join();
  EXPECT_EQ(elsewhere, AllocateManaged);
  EXPECT_EQ(original_elsewhere, nullptr);
  TVMFFIEnvSetDLPackManagedTensorAllocator(nullptr, 0, nullptr);
  EXPECT_EQ(TVMFFIEnvGetDLPackManagedTensorAllocator(), AllocateManaged);
}

TEST_F(EnvAllocator, TensorHasCompactStridesAndIsDeletedOnce) {
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateManaged, 0, nullptr);
  TVMFFIObjectHandle tensor = nullptr;
  ASSERT_EQ(Allocate(&tensor), 0);
  EXPECT_EQ(live_tensors, 1);
  const DLTensor* body = TVMFFITensorGetDLTensorPtr(tensor);
  ASSERT_EQ(body->ndim, 2);
  EXPECT_EQ(body->shape[1], 3);
  ASSERT_NE(body->strides, nullptr);
  EXPECT_EQ(body->strides[0], 3);
  EXPECT_EQ(body->strides[1], 1);
  EXPECT_EQ(body->dtype.bits, 32);
  TVMFFIObjectDecRef(tensor);
  EXPECT_EQ(live_tensors, 0);
}

// spec: K13
TEST_F(EnvAllocator, CppFromEnvAlloc) {
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateManaged, 0, nullptr);
  Tensor tensor = Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, Shape({4, 5}),
                                       DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
  EXPECT_EQ(tensor.numel(), 20);
}

TEST_F(EnvAllocator, WithoutAllocatorMemoryOfTheCpuComesFromTheRuntime) {
  TVMFFIObjectHandle out = nullptr;
  ASSERT_EQ(Allocate(&out), 0);
  Tensor tensor(
      detail::ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<TVMFFIObject*>(out)));
  EXPECT_EQ(tensor.numel(), 6);
  EXPECT_TRUE(tensor.IsContiguous());
  EXPECT_TRUE(tensor.IsAligned(64));
  EXPECT_FALSE(tensor.IsReadOnly());
  std::memset(tensor.data_ptr(), 1, GetDataSize(tensor));
  EXPECT_EQ(TVMFFIEnvGetDLPackManagedTensorAllocator(), nullptr);
  EXPECT_EQ(Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, Shape({0, 4}), DLDataType{kDLFloat, 32, 1},
                                 DLDevice{kDLCPU, 0})
                .numel(),
            0);
}

// spec: R05, Y21
TEST_F(EnvAllocator, NoAllocator) {
  TVMFFIObjectHandle tensor = nullptr;
  std::optional<Error> error = RaisedBy(Allocate(&tensor, {kDLCUDA, 1}));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind(), "RuntimeError");
  EXPECT_EQ(error->message(),
            "TVMFFIEnvTensorAlloc: allocator is nullptr, likely because "
            "TVMFFIEnvSetDLPackManagedTensorAllocator has not been called. To make a tensor on "
            "cuda:1, pass an array of a library that allocates on cuda, or set an allocator");
  EXPECT_EQ(tensor, nullptr);
}

TEST_F(EnvAllocator, MalformedPrototypeIsRefused) {
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateManaged, 0, nullptr);
  int64_t shape[] = {2, -3};
  DLTensor negative{};
  negative.dtype = DLDataType{kDLFloat, 32, 1};
  negative.ndim = 2;
  negative.shape = shape;
  DLTensor without_shape = negative;
  without_shape.shape = nullptr;
  DLTensor without_rank = negative;
  without_rank.ndim = -1;
  TVMFFIObjectHandle tensor = nullptr;
  const std::pair<DLTensor*, const char*> cases[] = {
      {nullptr, "The prototype of the tensor is NULL"},
      {&negative, "TVMFFIEnvTensorAlloc: shape[1] is negative: -3"},
      {&without_shape, "TVMFFIEnvTensorAlloc: shape is NULL, ndim is 2"},
      {&without_rank, "TVMFFIEnvTensorAlloc: ndim is negative: -1"}};
  for (auto [prototype, message] : cases) {
    std::optional<Error> error = RaisedBy(TVMFFIEnvTensorAlloc(prototype, &tensor));
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->kind(), "ValueError");
    EXPECT_EQ(error->message(), message);
  }
  DLTensor scalar{};
  scalar.dtype = negative.dtype;
  EXPECT_EQ(RaisedBy(TVMFFIEnvTensorAlloc(&scalar, nullptr))->kind(), "ValueError");
  ASSERT_EQ(TVMFFIEnvTensorAlloc(&scalar, &tensor), 0);
  TVMFFIObjectDecRef(tensor);
}

TEST_F(EnvAllocator, AllocatorErrorIsPassedOn) {
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateFails, 0, nullptr);
  TVMFFIObjectHandle tensor = nullptr;
  std::optional<Error> error = RaisedBy(Allocate(&tensor));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind(), "MemoryError");
  EXPECT_EQ(error->message(), "no space");
}

TEST_F(EnvAllocator, SuccessWithoutTensor) {
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateNothing, 0, nullptr);
  TVMFFIObjectHandle tensor = nullptr;
  std::optional<Error> error = RaisedBy(Allocate(&tensor));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind(), "RuntimeError");
  EXPECT_NE(error->message().find("failed to allocate a tensor from the allocator"),
            std::string::npos);
}

TEST_F(EnvAllocator, RefusedTensorIsGivenBack) {
  TVMFFIEnvSetDLPackManagedTensorAllocator(AllocateMalformed, 0, nullptr);
  TVMFFIObjectHandle tensor = nullptr;
  std::optional<Error> error = RaisedBy(Allocate(&tensor));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind(), "ValueError");
  EXPECT_EQ(live_tensors, 0);
}

TEST_F(EnvAllocator, NullArguments) {
  TVMFFIObjectHandle tensor = nullptr;
  EXPECT_EQ(RaisedBy(TVMFFIEnvTensorAlloc(nullptr, &tensor))->kind(), "ValueError");
  EXPECT_EQ(RaisedBy(Allocate(nullptr))->kind(), "ValueError");
}

// ---------------------------------------------------------------- signals

struct Calls {
  int attach = 0;
  int check = 0;
  int detach = 0;
  void* detached_state = nullptr;
};
Calls calls;
int check_result = 0;
void* attach_result = nullptr;

int CheckSignals() {
  ++calls.check;
  return check_result;
}
void* Attach() {
  ++calls.attach;
  return attach_result;
}
void Detach(void* state) {
  ++calls.detach;
  calls.detached_state = state;
}

class EnvSignals : public ::testing::Test {
 protected:
  void SetUp() override {
    Forget();
    calls = Calls();
    check_result = 0;
    attach_result = Stream(1);
  }
  void TearDown() override { Forget(); }

  static void Register(const char* name, void* symbol) {
    ASSERT_EQ(TVMFFIEnvRegisterCAPI(name, symbol), 0);
  }
  static void RegisterAll() {
    Register("PyErr_CheckSignals", reinterpret_cast<void*>(&CheckSignals));
    Register("PyGILState_Ensure", reinterpret_cast<void*>(&Attach));
    Register("PyGILState_Release", reinterpret_cast<void*>(&Detach));
  }
  static void Forget() {
    Register("PyErr_CheckSignals", nullptr);
    Register("PyGILState_Ensure", nullptr);
    Register("PyGILState_Release", nullptr);
  }
};

TEST_F(EnvSignals, NothingRegistered) { EXPECT_EQ(TVMFFIEnvCheckSignals(), 0); }

// spec: Y21
TEST_F(EnvSignals, AskedOnlyWhenAllThreeAreKnown) {
  Register("PyErr_CheckSignals", reinterpret_cast<void*>(&CheckSignals));
  EXPECT_EQ(TVMFFIEnvCheckSignals(), 0);
  Register("PyGILState_Ensure", reinterpret_cast<void*>(&Attach));
  EXPECT_EQ(TVMFFIEnvCheckSignals(), 0);
  EXPECT_EQ(calls.check + calls.attach, 0);
  Register("PyGILState_Release", reinterpret_cast<void*>(&Detach));
  EXPECT_EQ(TVMFFIEnvCheckSignals(), 0);
  EXPECT_EQ(calls.attach, 1);
  EXPECT_EQ(calls.check, 1);
  EXPECT_EQ(calls.detach, 1);
  EXPECT_EQ(calls.detached_state, Stream(1));
}

TEST_F(EnvSignals, PendingSignalRaisesNothing) {
  RegisterAll();
  check_result = 1;
  EXPECT_EQ(TVMFFIEnvCheckSignals(), -1);
  EXPECT_EQ(calls.detach, 1);
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  EXPECT_EQ(error, nullptr);
}

TEST_F(EnvSignals, NoReleaseForStateZero) {
  RegisterAll();
  attach_result = nullptr;
  EXPECT_EQ(TVMFFIEnvCheckSignals(), 0);
  EXPECT_EQ(calls.check, 1);
  EXPECT_EQ(calls.detach, 0);
}

// spec: Y21
TEST_F(EnvSignals, UnknownName) {
  std::optional<Error> error = RaisedBy(TVMFFIEnvRegisterCAPI("PyNothing", nullptr));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind(), "ValueError");
  EXPECT_EQ(error->message(), "Unknown env API PyNothing");
  EXPECT_EQ(RaisedBy(TVMFFIEnvRegisterCAPI(nullptr, nullptr))->kind(), "ValueError");
}

}  // namespace
