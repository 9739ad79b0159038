// SPDX-License-Identifier: Apache-2.0
// Test strings and bytes that the C functions make: inline and on the heap, byte by byte.
#include <gtest/gtest.h>

#include <cstring>

#include "c_api_support.h"

namespace {

using Maker = int (*)(const TVMFFIByteArray*, TVMFFIAny*);

struct Form {
  Maker make;
  int32_t small_index;
  int32_t heap_index;
};

class CStrings : public ::testing::TestWithParam<Form> {};

// spec: Y3
TEST_P(CStrings, UpToSevenBytesLieInTheValue) {
  for (size_t size : {0, 1, 6, 7}) {
    TVMFFIByteArray input{"abcdefgh", size};
    TVMFFIAny value;
    std::memset(&value, 0xff, sizeof(value));
    ASSERT_EQ(GetParam().make(&input, &value), 0);
    EXPECT_EQ(value.type_index, GetParam().small_index);
    EXPECT_EQ(value.small_str_len, size);
    char expected[8] = {};
    std::memcpy(expected, "abcdefgh", size);
    EXPECT_EQ(std::memcmp(value.v_bytes, expected, 8), 0) << size;
  }
}

// spec: F12, Y3
TEST_P(CStrings, FromEightBytesOnTheHeapWithAFinalNul) {
  for (size_t size : {8, 9, 1000}) {
    std::string text(size, 'x');
    TVMFFIByteArray input = BytesOf(text);
    TVMFFIAny value{};
    ASSERT_EQ(GetParam().make(&input, &value), 0);
    ASSERT_EQ(value.type_index, GetParam().heap_index);
    EXPECT_EQ(value.zero_padding, 0u);
    const TVMFFIByteArray* content = TVMFFIBytesGetByteArrayPtr(value.v_obj);
    EXPECT_EQ(TextOf(*content), text);
    EXPECT_EQ(content->data[size], '\0');
    EXPECT_NE(content->data, text.data());
    EXPECT_EQ(CountsOf(value.v_obj), 0x100000001u);
    EXPECT_EQ(value.v_obj->__padding, 0u);
    TVMFFIObjectDecRef(value.v_obj);
  }
}

// spec: Y3
TEST_P(CStrings, EmbeddedNulsAreContent) {
  TVMFFIByteArray input{"a\0b\0c\0d\0e", 9};
  TVMFFIAny value{};
  ASSERT_EQ(GetParam().make(&input, &value), 0);
  EXPECT_EQ(TextOf(*TVMFFIBytesGetByteArrayPtr(value.v_obj)), std::string(input.data, 9));
  TVMFFIObjectDecRef(value.v_obj);
}

TEST_P(CStrings, EmptyWithoutDataIsTheEmptyText) {
  TVMFFIByteArray input{nullptr, 0};
  TVMFFIAny value = IntValue(9);
  ASSERT_EQ(GetParam().make(&input, &value), 0);
  TVMFFIAny expected{};
  expected.type_index = GetParam().small_index;
  EXPECT_EQ(std::memcmp(&value, &expected, sizeof(value)), 0);
}

TEST_P(CStrings, BadInput) {
  TVMFFIAny value = IntValue(9);
  EXPECT_EQ(GetParam().make(nullptr, &value), -1);
  EXPECT_RAISED("ValueError", "`input` must not be NULL");
  TVMFFIByteArray broken{nullptr, 3};
  EXPECT_EQ(GetParam().make(&broken, &value), -1);
  EXPECT_RAISED("ValueError", "input has a size but its data is NULL");
  TVMFFIByteArray input{"abc", 3};
  EXPECT_EQ(GetParam().make(&input, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
  EXPECT_EQ(value.v_int64, 9);
}

INSTANTIATE_TEST_SUITE_P(
    Both, CStrings,
    ::testing::Values(Form{TVMFFIStringFromByteArray, kTVMFFISmallStr, kTVMFFIStr},
                      Form{TVMFFIBytesFromByteArray, kTVMFFISmallBytes, kTVMFFIBytes}));

// spec: Y3
TEST(CHeapString, DataTypeTextIsOnTheHeapEvenWhenEmpty) {
  DLDataType nothing{kDLOpaqueHandle, 0, 0};
  TVMFFIAny value{};
  ASSERT_EQ(TVMFFIDataTypeToString(&nothing, &value), 0);
  ASSERT_EQ(value.type_index, kTVMFFIStr);
  const TVMFFIByteArray* content = TVMFFIBytesGetByteArrayPtr(value.v_obj);
  EXPECT_EQ(content->size, 0u);
  ASSERT_NE(content->data, nullptr);
  EXPECT_EQ(content->data[0], '\0');
  TVMFFIObjectDecRef(value.v_obj);
}

}  // namespace
