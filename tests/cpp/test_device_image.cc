// SPDX-License-Identifier: Apache-2.0
// Test that device code whose end is cut off is refused: CUDA would read past its end.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/cuda/internal/device_image.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>
#include <string>

#include "caught.h"

namespace {

using tvm::ffi::Error;
using tvm::ffi::cuda_api::CheckedDeviceImage;
using tvm::ffi::cuda_api::DeviceImage;

const char* checked(const std::string& image) {
  return CheckedDeviceImage(image.data(), image.size());
}

uint64_t required_size(const std::string& image) {
  return DeviceImage(image.data(), image.size()).RequiredSize();
}

void put(std::string* image, size_t offset, size_t bytes, uint64_t number) {
  for (size_t i = 0; i < bytes; ++i) (*image)[offset + i] = static_cast<char>(number >> 8 * i);
}

// An ELF file: its header, 16 bytes of content, a table of two sections and one of one segment.
std::string elf_image() {
  std::string image(64 + 16 + 2 * 64 + 56, '\0');
  image.replace(0, 4,
                "\x7f"
                "ELF");
  put(&image, 32, 8, 208);  // where the segments are
  put(&image, 40, 8, 80);   // where the sections are
  put(&image, 56, 2, 1);
  put(&image, 60, 2, 2);
  put(&image, 80 + 24, 8, 64);  // the first section has the content
  put(&image, 80 + 32, 8, 16);
  put(&image, 144 + 4, 4, 8);  // the second one has no bytes in the file
  put(&image, 144 + 32, 8, 1 << 20);
  put(&image, 208 + 8, 8, 64);
  put(&image, 208 + 32, 8, 16);
  return image;
}

TEST(DeviceImage, WholeImagesAreAccepted) {
  std::string elf = elf_image();
  EXPECT_EQ(checked(elf), elf.data());
  EXPECT_EQ(required_size(elf), elf.size());
  std::string fat(16 + 8, '\0');
  put(&fat, 0, 4, 0xba55ed50);
  put(&fat, 6, 2, 16);
  put(&fat, 8, 8, 8);
  EXPECT_EQ(required_size(fat), fat.size());
  EXPECT_NO_THROW(checked(".version 7.0\n"));
}

TEST(DeviceImage, ImagesThatAreCutOffAreRefused) {
  std::string elf = elf_image();
  for (size_t size = 4; size < elf.size(); ++size) {
    EXPECT_THROW(checked(elf.substr(0, size)), Error) << size;
  }
  EXPECT_ERROR(checked(elf.substr(0, 200)), "ValueError",
               "the device code is cut off: its header asks for at least 264 bytes, got 200");
  EXPECT_THROW(checked(""), Error);
  std::string fat("\x50\xed\x55\xba\x01\x00\x10\x00\xff\xff\xff\xff\xff\xff\xff\xff", 16);
  EXPECT_THROW(checked(fat), Error);
  EXPECT_THROW(checked(fat.substr(0, 9)), Error);
}

TEST(DeviceImage, OffsetsThatOverflowAreRefused) {
  for (size_t field : {32, 40, 80 + 24, 80 + 32, 208 + 8, 208 + 32}) {
    std::string elf = elf_image();
    put(&elf, field, 8, ~uint64_t{0} - 7);
    EXPECT_THROW(checked(elf), Error) << field;
  }
}

}  // namespace
