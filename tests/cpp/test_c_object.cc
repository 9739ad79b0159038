// SPDX-License-Identifier: Apache-2.0
// Test the C functions for objects: counts, opaque objects, big integers, owned values, allocators.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "c_api_support.h"

namespace {

int g_box_deletions = 0;
void CountDeletion(void* handle) { g_box_deletions += *static_cast<int*>(handle); }

TVMFFIObjectHandle MakeBox(void* handle, void (*deleter)(void*)) {
  TVMFFIObjectHandle box = nullptr;
  EXPECT_EQ(TVMFFIObjectCreateOpaque(handle, kTVMFFIOpaquePyObject, deleter, &box), 0);
  return box;
}

/*! \brief An object whose deleter records the flags of each call. */
struct Recorder {
  TVMFFIObject header;
  std::vector<int>* flags;
};

void RecordFlags(void* self, int flags) {
  auto* recorder = static_cast<Recorder*>(self);
  recorder->flags->push_back(flags);
}

Recorder MakeRecorder(std::vector<int>* flags) {
  Recorder recorder{};
  recorder.header.combined_ref_count = (uint64_t{1} << 32) | 1;
  recorder.header.type_index = kTVMFFIObject;
  recorder.header.deleter = RecordFlags;
  recorder.flags = flags;
  return recorder;
}

// spec: A03
TEST(CObject, VersionIsTheOneOfTheHeader) {
  TVMFFIVersion version{9, 9, 9};
  TVMFFIGetVersion(&version);
  EXPECT_EQ(version.major, 0u);
  EXPECT_EQ(version.minor, 1u);
  EXPECT_EQ(version.patch, 16u);
  TVMFFIGetVersion(nullptr);
  EXPECT_RAISED("ValueError", "`out_version` must not be NULL");
}

// spec: Y4
TEST(CObject, LastStrongReferenceAsksForBoth) {
  std::vector<int> flags;
  Recorder recorder = MakeRecorder(&flags);
  EXPECT_EQ(TVMFFIObjectIncRef(&recorder), 0);
  EXPECT_EQ(CountsOf(&recorder), 0x100000002u);
  EXPECT_EQ(TVMFFIObjectDecRef(&recorder), 0);
  EXPECT_TRUE(flags.empty());
  EXPECT_EQ(TVMFFIObjectDecRef(&recorder), 0);
  EXPECT_EQ(flags, std::vector<int>({3}));
}

// spec: Y4
TEST(CObject, WeakReferenceKeepsTheMemory) {
  std::vector<int> flags;
  Recorder recorder = MakeRecorder(&flags);
  recorder.header.combined_ref_count += uint64_t{1} << 32;
  TVMFFIObjectDecRef(&recorder);
  EXPECT_EQ(flags, std::vector<int>({1}));
  EXPECT_EQ(CountsOf(&recorder), uint64_t{1} << 32);
}

// spec: Y4
TEST(CObject, NoDeleterMeansNeverFreed) {
  Recorder recorder = MakeRecorder(nullptr);
  recorder.header.deleter = nullptr;
  TVMFFIObjectDecRef(&recorder);
  EXPECT_EQ(CountsOf(&recorder) & 0xffffffffu, 0u);
}

TEST(CObject, NullHandles) {
  EXPECT_EQ(TVMFFIObjectIncRef(nullptr), -1);
  EXPECT_RAISED("ValueError", "`obj` must not be NULL");
  EXPECT_EQ(TVMFFIObjectDecRef(nullptr), 0);
  EXPECT_FALSE(TakeRaised().is_there);
}

// spec: C23, Y14
TEST(COpaque, DeletedOnceWithItsHandle) {
  int payload = 1;
  g_box_deletions = 0;
  TVMFFIObjectHandle box = MakeBox(&payload, CountDeletion);
  EXPECT_EQ(CountsOf(box), 0x100000001u);
  EXPECT_EQ(TVMFFIObjectGetTypeIndex(box), kTVMFFIOpaquePyObject);
  EXPECT_EQ(TVMFFIOpaqueObjectGetCellPtr(box)->handle, &payload);
  TVMFFIObjectIncRef(box);
  TVMFFIObjectDecRef(box);
  EXPECT_EQ(g_box_deletions, 0);
  TVMFFIObjectDecRef(box);
  EXPECT_EQ(g_box_deletions, 1);
  TVMFFIObjectDecRef(MakeBox(&payload, nullptr));
  EXPECT_EQ(g_box_deletions, 1);
}

// spec: Y14
TEST(COpaque, OtherTypesAreRefused) {
  TVMFFIObjectHandle box = nullptr;
  for (int32_t index : {0, 64, 73, 75, 128, -1}) {
    EXPECT_EQ(TVMFFIObjectCreateOpaque(nullptr, index, nullptr, &box), -1);
    EXPECT_RAISED("RuntimeError", "Only kTVMFFIOpaquePyObject is supported for now");
  }
  EXPECT_EQ(TVMFFIObjectCreateOpaque(nullptr, kTVMFFIOpaquePyObject, nullptr, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
}

TVMFFIAny BigIntOf(const std::vector<int64_t>& words) {
  TVMFFIByteArray bytes{reinterpret_cast<const char*>(words.data()), words.size() * 8};
  TVMFFIAny value{};
  EXPECT_EQ(TVMFFIBigIntFromByteArray(&bytes, &value), 0);
  return value;
}

std::vector<int64_t> WordsOf(const TVMFFIAny& value) {
  TVMFFIByteArray bytes = TVMFFIBigIntGetContentByteArray(&value);
  std::vector<int64_t> words(bytes.size / 8);
  std::memcpy(words.data(), bytes.data, bytes.size);
  return words;
}

// spec: Y15
TEST(CBigInt, WhatFitsBecomesAnInt) {
  struct Case {
    std::vector<int64_t> words;
    int64_t number;
  };
  for (const Case& c : std::vector<Case>{{{}, 0},
                                         {{7}, 7},
                                         {{5, 0, 0}, 5},
                                         {{-1, -1}, -1},
                                         {{INT64_MIN, -1, -1}, INT64_MIN},
                                         {{INT64_MAX, 0}, INT64_MAX}}) {
    TVMFFIAny value = BigIntOf(c.words);
    EXPECT_EQ(value.type_index, kTVMFFIInt);
    EXPECT_EQ(value.v_int64, c.number);
    EXPECT_EQ(WordsOf(value), std::vector<int64_t>({c.number}));
  }
}

// spec: Y15
TEST(CBigInt, RedundantSignWordsAreDropped) {
  TVMFFIAny value = BigIntOf({INT64_MIN, 0});
  ASSERT_EQ(value.type_index, kTVMFFIBigInt);
  EXPECT_EQ(WordsOf(value), std::vector<int64_t>({INT64_MIN, 0}));
  // The ABI fixes this layout: the number of words at offset 24, the words at 32.
  const char* object = reinterpret_cast<const char*>(value.v_obj);
  EXPECT_EQ(*reinterpret_cast<const size_t*>(object + 24), 2u);
  EXPECT_EQ(*reinterpret_cast<const int64_t*>(object + 32), INT64_MIN);
  TVMFFIObjectDecRef(value.v_obj);
  value = BigIntOf({1, INT64_MAX, -1, -1});
  EXPECT_EQ(WordsOf(value), std::vector<int64_t>({1, INT64_MAX, -1}));
  TVMFFIObjectDecRef(value.v_obj);
}

// spec: Y15
TEST(CBigInt, Refusals) {
  TVMFFIAny value = IntValue(3);
  TVMFFIByteArray odd{"123456789", 9};
  EXPECT_EQ(TVMFFIBigIntFromByteArray(&odd, &value), -1);
  EXPECT_RAISED("ValueError", "BigInt content must contain whole 64-bit words");
  EXPECT_EQ(value.v_int64, 3);
  EXPECT_EQ(TVMFFIBigIntFromByteArray(nullptr, &value), -1);
  EXPECT_RAISED("ValueError", "`input` must not be NULL");
  TVMFFIAny text{};
  text.type_index = kTVMFFIFloat;
  EXPECT_EQ(TVMFFIBigIntGetContentByteArray(&text).size, 0u);
  EXPECT_RAISED("TypeError", "Cannot read a value of type `float` as `BigInt`");
}

// spec: Y2
TEST(COwnedValue, PlainKindsAreCopiedBitForBit) {
  for (int32_t kind : {kTVMFFINone, kTVMFFIInt, kTVMFFIBool, kTVMFFIFloat, kTVMFFIOpaquePtr,
                       kTVMFFIDataType, kTVMFFIDevice, kTVMFFISmallStr, kTVMFFIUnchanged}) {
    TVMFFIAny view{};
    view.type_index = kind;
    view.v_int64 = kind == kTVMFFINone || kind == kTVMFFIUnchanged ? 0 : 1;
    TVMFFIAny owned = IntValue(77);
    ASSERT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), 0);
    EXPECT_EQ(std::memcmp(&view, &owned, sizeof(view)), 0) << kind;
  }
}

// spec: Y2
TEST(COwnedValue, ObjectsGainAReference) {
  TVMFFIObjectHandle box = MakeBox(nullptr, nullptr);
  TVMFFIAny view = ObjectValue(box);
  TVMFFIAny owned{};
  ASSERT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), 0);
  EXPECT_EQ(CountsOf(box), 0x100000002u);
  TVMFFIObjectDecRef(box);
  TVMFFIObjectDecRef(box);
}

// spec: Y2
TEST(COwnedValue, BorrowedTextsAreCopied) {
  TVMFFIAny view{};
  view.type_index = kTVMFFIRawStr;
  view.v_c_str = "a long enough text";
  TVMFFIAny owned{};
  ASSERT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), 0);
  ASSERT_EQ(owned.type_index, kTVMFFIStr);
  EXPECT_EQ(TextOf(*TVMFFIBytesGetByteArrayPtr(owned.v_obj)), "a long enough text");
  TVMFFIObjectDecRef(owned.v_obj);
  TVMFFIByteArray bytes{"ab\0d", 4};
  view.type_index = kTVMFFIByteArrayPtr;
  view.v_ptr = &bytes;
  ASSERT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), 0);
  ASSERT_EQ(owned.type_index, kTVMFFISmallBytes);
  EXPECT_EQ(TextOf(TVMFFISmallBytesGetContentByteArray(&owned)), std::string("ab\0d", 4));
}

// spec: Y2
TEST(COwnedValue, MovedReferenceCanBeTakenOnce) {
  TVMFFIObjectHandle box = MakeBox(nullptr, nullptr);
  void* variable = box;
  TVMFFIAny view{};
  view.type_index = kTVMFFIObjectRValueRef;
  view.v_ptr = &variable;
  TVMFFIAny owned{};
  ASSERT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), 0);
  EXPECT_EQ(variable, nullptr);
  EXPECT_EQ(owned.type_index, kTVMFFIOpaquePyObject);
  EXPECT_EQ(CountsOf(box), 0x100000001u);
  EXPECT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), -1);
  Raised raised = TakeRaised();
  EXPECT_EQ(raised.kind, "InternalError");
  EXPECT_TRUE(EndsWith(raised.message, "RValueRef already moved")) << raised.message;
  TVMFFIObjectDecRef(box);
}

TEST(COwnedValue, NullPointersInsideAreRefused) {
  for (int32_t kind : {kTVMFFIRawStr, kTVMFFIByteArrayPtr, kTVMFFIObjectRValueRef, kTVMFFIStr}) {
    TVMFFIAny view{};
    view.type_index = kind;
    TVMFFIAny owned = IntValue(5);
    EXPECT_EQ(TVMFFIAnyViewToOwnedAny(&view, &owned), -1);
    EXPECT_RAISED("ValueError", "The pointer inside `any_view` must not be NULL");
    EXPECT_EQ(owned.v_int64, 5);
  }
}

void* FailingAllocate(size_t, size_t, int32_t, void*) { return nullptr; }

// spec: Y17
TEST(CAllocator, DefaultComesBack) {
  TVMFFICustomAllocator* original = TVMFFIGetCustomAllocator();
  ASSERT_NE(original, nullptr);
  static TVMFFICustomAllocator mine{FailingAllocate, nullptr};
  EXPECT_EQ(TVMFFISetCustomAllocator(&mine), 0);
  EXPECT_EQ(TVMFFIGetCustomAllocator(), &mine);
  // The allocator is only stored: the library still allocates its own objects with malloc.
  TVMFFIObjectDecRef(MakeBox(nullptr, nullptr));
  EXPECT_EQ(TVMFFISetCustomAllocator(nullptr), 0);
  EXPECT_EQ(TVMFFIGetCustomAllocator(), original);
  TVMFFICustomAllocator empty{nullptr, nullptr};
  EXPECT_EQ(TVMFFISetCustomAllocator(&empty), -1);
  EXPECT_RAISED("ValueError", "`allocator->allocate` must not be NULL");
}

// spec: Y17
TEST(CAllocator, DefaultPutsAHeaderBeforeTheBody) {
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  for (size_t alignment : {1, 8, 16, 64, 4096}) {
    void* body = allocator->allocate(100, alignment, kTVMFFIObject, allocator->context);
    ASSERT_NE(body, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(body) % alignment, 0u);
    std::memset(body, 1, 100);
    auto* header = static_cast<TVMFFIObjectAllocHeader*>(body) - 1;
    header->delete_space(body);
  }
  EXPECT_EQ(allocator->allocate(SIZE_MAX, 16, kTVMFFIObject, allocator->context), nullptr);
  EXPECT_EQ(TakeRaised().kind, "ValueError");
  EXPECT_EQ(allocator->allocate(8, 24, kTVMFFIObject, allocator->context), nullptr);
  EXPECT_EQ(TakeRaised().kind, "ValueError");
}

}  // namespace
