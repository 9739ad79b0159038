// SPDX-License-Identifier: Apache-2.0
// Test make_object, make_arc, make_inplace_array_object: headers, constructors that throw,
// alignment.
#include <gtest/gtest.h>
#include <tvm/ffi/memory.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using detail::ObjectUnsafe;
using sample::CountedObj;
using sample::IntObj;

TEST(MakeObject, FillsTheHeader) {
  ObjectPtr<IntObj> p = make_object<IntObj>(11);
  TVMFFIObject* header = ObjectUnsafe::GetHeader(p.get());
  EXPECT_EQ(static_cast<void*>(header), static_cast<void*>(p.get()));
  EXPECT_EQ(header->combined_ref_count, 0x100000001u);
  EXPECT_EQ(header->type_index, IntObj::RuntimeTypeIndex());
  EXPECT_EQ(header->__padding, 0u);
  EXPECT_NE(header->deleter, nullptr);
  EXPECT_EQ(p->value, 11);
  EXPECT_TRUE(p->unique());
}

// spec: C01
TEST(MakeObject, DestroysExactlyOnce) {
  int destroyed = 0;
  {
    ObjectPtr<CountedObj> p = make_object<CountedObj>(&destroyed);
    ObjectPtr<CountedObj> q = p;
    p.reset();
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

class ThrowingObj : public Object {
 public:
  explicit ThrowingObj(int kind) : text_(100, 'x') {
    if (kind == 1) throw std::out_of_range("constructor");
    if (kind == 2) throw 42;
    if (kind == 3) TVM_FFI_THROW(ValueError) << "constructor";
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.memory.Throwing", ThrowingObj, Object);

 private:
  std::string text_;
};

// spec: C02
TEST(MakeObject, PassesOnWhatTheConstructorThrows) {
  // The address sanitizer detects memory that is not released.
  EXPECT_THROW(make_object<ThrowingObj>(1), std::out_of_range);
  EXPECT_THROW(make_object<ThrowingObj>(2), int);
  EXPECT_ERROR(make_object<ThrowingObj>(3), "ValueError", "constructor");
  EXPECT_THROW(make_arc<ThrowingObj>(1), std::out_of_range);
  EXPECT_NE(make_object<ThrowingObj>(0), nullptr);
}

class HolderObj : public Object {
 public:
  HolderObj(std::unique_ptr<int> content, int& counter)
      : content(std::move(content)), counter(&counter) {}
  std::unique_ptr<int> content;
  int* counter;
  TVM_FFI_DECLARE_OBJECT_INFO("test.memory.Holder", HolderObj, Object);
};

TEST(MakeObject, ForwardsArguments) {
  int counter = 0;
  auto p = make_object<HolderObj>(std::make_unique<int>(3), counter);
  EXPECT_EQ(*p->content, 3);
  EXPECT_EQ(p->counter, &counter);
}

class alignas(64) WideObj : public Object {
 public:
  char content[100] = {};
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.memory.Wide", WideObj, Object);
};

class alignas(4096) PageObj : public Object {
 public:
  char content[10] = {};
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.memory.Page", PageObj, Object);
};

// spec: C03
TEST(MakeObject, HonoursAlignment) {
  std::vector<ObjectPtr<Object>> keep;
  for (int i = 0; i < 8; ++i) {
    auto wide = make_object<WideObj>();
    auto page = make_object<PageObj>();
    auto wide_array = make_inplace_array_object<WideObj, char>(i);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(wide.get()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(page.get()) % 4096, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(wide_array.get()) % 64, 0u);
    keep.push_back(wide);
    keep.push_back(page);
    keep.push_back(wide_array);
  }
}

struct Plain {
  int64_t words[3] = {1, 2, 3};
};

class MixedObj : public Plain, public Object {
 public:
  explicit MixedObj(int* destroyed) : destroyed(destroyed) {}
  ~MixedObj() { ++*destroyed; }
  int* destroyed;
  TVM_FFI_DECLARE_OBJECT_INFO("test.memory.Mixed", MixedObj, Object);
};

TEST(MakeObject, HeaderNeedNotComeFirst) {
  int destroyed = 0;
  EXPECT_EQ(ObjectUnsafe::GetObjectOffsetToSubclass<MixedObj>(), 24);
  EXPECT_EQ(ObjectUnsafe::GetObjectOffsetToSubclass<IntObj>(), 0);
  ObjectPtr<MixedObj> p = make_object<MixedObj>(&destroyed);
  ObjectPtr<Object> base = p;
  EXPECT_EQ(reinterpret_cast<char*>(base.get()) - reinterpret_cast<char*>(p.get()), 24);
  EXPECT_EQ(p->words[2], 3);
  EXPECT_EQ(p.use_count(), 2);
  p.reset();
  EXPECT_EQ(destroyed, 0);
  base.reset();
  EXPECT_EQ(destroyed, 1);
}

// spec: Y4
TEST(Deleter, HonoursEachFlagAlone) {
  int destroyed = 0;
  TVMFFIObject* header =
      ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(make_object<CountedObj>(&destroyed));
  FObjectDeleter deleter = header->deleter;
  deleter(header, kTVMFFIObjectDeleterFlagBitMaskStrong);
  EXPECT_EQ(destroyed, 1);
  deleter(header, kTVMFFIObjectDeleterFlagBitMaskWeak);  // the sanitizer detects a second release
  EXPECT_EQ(destroyed, 1);
}

class RunObj : public Object {
 public:
  explicit RunObj(size_t size) : size(size) {}
  size_t size;
  int64_t* elements() {
    return reinterpret_cast<int64_t*>(reinterpret_cast<char*>(this) + sizeof(RunObj));
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.memory.Run", RunObj, Object);
};

// spec: C20
TEST(MakeInplaceArrayObject, ElementsLieBehindTheObject) {
  for (size_t n : {size_t{0}, size_t{1}, size_t{7}, size_t{1000}}) {
    auto p = make_inplace_array_object<RunObj, int64_t>(n, n);
    EXPECT_EQ(p->size, n);
    EXPECT_TRUE(p.unique());
    EXPECT_EQ(p->type_index(), RunObj::RuntimeTypeIndex());
    for (size_t i = 0; i < n; ++i) p->elements()[i] = static_cast<int64_t>(i);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(p->elements()[i], static_cast<int64_t>(i));
  }
}

// spec: C20
TEST(MakeInplaceArrayObject, BlocksAreRoundedUpToTheAlignment) {
  auto p = make_inplace_array_object<RunObj, char>(3, size_t{3});
  // 3 bytes are rounded up to 8; otherwise the sanitizer would report this write
  std::memset(p->elements(), 7, 8);
  EXPECT_EQ(p->size, 3u);
}

class ThrowingRunObj : public Object {
 public:
  explicit ThrowingRunObj(bool fail) {
    if (fail) throw std::runtime_error("constructor");
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.memory.ThrowingRun", ThrowingRunObj, Object);
};

TEST(MakeInplaceArrayObject, PassesOnWhatTheConstructorThrows) {
  EXPECT_THROW((make_inplace_array_object<ThrowingRunObj, int64_t>(5, true)), std::runtime_error);
  EXPECT_NE((make_inplace_array_object<ThrowingRunObj, int64_t>(5, false)), nullptr);
}

TEST(MakeInplaceArrayObject, ImpossibleSizesAreRefused) {
  constexpr size_t kMax = std::numeric_limits<size_t>::max();
  // The size of the memory block overflows size_t.
  EXPECT_THROW((make_inplace_array_object<RunObj, int64_t>(kMax / 8, size_t{0})), std::bad_alloc);
  EXPECT_THROW((make_inplace_array_object<RunObj, int64_t>(kMax, size_t{0})), std::bad_alloc);
  EXPECT_THROW((make_inplace_array_object<RunObj, char>(kMax - sizeof(RunObj), size_t{0})),
               std::bad_alloc);
}

TEST(AlignedAlloc, GivesAlignedMemory) {
  for (size_t align : {size_t{1}, size_t{8}, size_t{16}, size_t{32}, size_t{256}}) {
    void* space = detail::AlignedAlloc(100, align);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(space) % align, 0u);
    std::memset(space, 1, 100);
    detail::AlignedFree(space);
  }
}

/*! \brief A custom allocator that is derived from ObjAllocatorBase. */
class CountingAllocator : public detail::ObjAllocatorBase<CountingAllocator> {
 public:
  int made = 0;

  template <typename T>
  class Handler {
   public:
    template <typename... Args>
    static T* New(CountingAllocator* self, Args&&... args) {
      ++self->made;
      return new T(std::forward<Args>(args)...);
    }
    static FObjectDeleter Deleter() {
      return [](void* obj, int flags) {
        T* object = static_cast<T*>(static_cast<Object*>(obj));
        if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) object->~T();
        if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ::operator delete(object);
      };
    }
  };
};

TEST(ObjAllocatorBase, CarriesOtherAllocators) {
  CountingAllocator allocator;
  int destroyed = 0;
  {
    ObjectPtr<CountedObj> p = allocator.make_object<CountedObj>(&destroyed);
    EXPECT_EQ(p->type_index(), CountedObj::RuntimeTypeIndex());
    EXPECT_TRUE(p.unique());
  }
  EXPECT_EQ(allocator.made, 1);
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
