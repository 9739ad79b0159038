// SPDX-License-Identifier: Apache-2.0
// Test the byte order macros and ByteSwap.
#include <gtest/gtest.h>
#include <tvm/ffi/endian.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using tvm::ffi::ByteSwap;

TEST(Endian, MacrosDescribeTheHost) {
  uint32_t number = 1;
  unsigned char first;
  std::memcpy(&first, &number, 1);
  EXPECT_EQ(TVM_FFI_LITTLE_ENDIAN, first);
  EXPECT_EQ(TVM_FFI_IO_USE_LITTLE_ENDIAN, 1);
  constexpr bool no_swap = TVM_FFI_IO_NO_ENDIAN_SWAP;
  EXPECT_EQ(no_swap, first == 1);
}

// spec: A10
TEST(Endian, ByteSwapReversesEachElement) {
  std::vector<uint32_t> words = {0x01020304, 0xa0b0c0d0};
  ByteSwap(words.data(), sizeof(uint32_t), words.size());
  EXPECT_EQ(words, (std::vector<uint32_t>{0x04030201, 0xd0c0b0a0}));
  uint16_t half = 0x1234;
  ByteSwap(&half, sizeof(half), 1);
  EXPECT_EQ(half, 0x3412);
  uint64_t wide = 0x0102030405060708;
  ByteSwap(&wide, sizeof(wide), 1);
  EXPECT_EQ(wide, 0x0807060504030201u);
}

// spec: A10
TEST(Endian, ByteSwapIsAnInvolution) {
  for (size_t elem_bytes : {1, 2, 3, 4, 5, 8, 16}) {
    std::vector<unsigned char> data(elem_bytes * 7), original;
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 37);
    original = data;
    ByteSwap(data.data(), elem_bytes, 7);
    for (size_t i = 0; i < data.size(); ++i) {
      size_t element = i / elem_bytes * elem_bytes, offset = i % elem_bytes;
      EXPECT_EQ(data[i], original[element + elem_bytes - 1 - offset]);
    }
    ByteSwap(data.data(), elem_bytes, 7);
    EXPECT_EQ(data, original);
  }
}

TEST(Endian, ByteSwapOfNothing) {
  unsigned char byte = 7;
  ByteSwap(&byte, 1, 0);
  ByteSwap(&byte, 0, 5);
  ByteSwap(nullptr, 4, 0);
  EXPECT_EQ(byte, 7);
}

}  // namespace
