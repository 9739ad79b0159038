// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/cuda/internal/device_image.h
 * \brief The size of device code, read from its header. CUDA takes an image without its size: it
 * reads past the end of an image that was cut off, which can end the process.
 */
#ifndef TVM_FFI_EXTRA_CUDA_INTERNAL_DEVICE_IMAGE_H_
#define TVM_FFI_EXTRA_CUDA_INTERNAL_DEVICE_IMAGE_H_

#include <tvm/ffi/base_detail.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tvm::ffi::cuda_api {

/*! \brief Computes the size of one image from its tables. */
class DeviceImage {
 public:
  DeviceImage(const char* data, size_t size)
      : data_(reinterpret_cast<const unsigned char*>(data)), size_(size) {}

  /*! \brief Return the least size in bytes that the image must have: that of a cubin (ELF) or a fat
   * binary, or 0 for other images, such as PTX, which is text that ends with its NUL. If a table
   * lies past the end, the result is only known to be greater than the size of the image. */
  uint64_t RequiredSize() const {
    constexpr uint32_t kFatBinary = 0xba55ed50, kElf = 0x464c457f;
    uint64_t start = size_ < 4 ? 0 : At(0, 4);
    if (start == kFatBinary) return FatBinarySize();
    return start == kElf ? ElfSize() : 0;
  }

 private:
  static constexpr uint64_t kElfHeader = 64;      // Elf64_Ehdr
  static constexpr uint64_t kSectionHeader = 64;  // Elf64_Shdr
  static constexpr uint64_t kProgramHeader = 56;  // Elf64_Phdr
  static constexpr uint64_t kFatBinaryHeader = 16;
  static constexpr uint64_t kWithoutContent = 8;  // SHT_NOBITS

  /*! \brief Read a number of `bytes` bytes, which must lie inside the image. */
  uint64_t At(uint64_t offset, size_t bytes) const {
    return details::LoadLittleEndian(data_ + offset, bytes);
  }
  /*! \brief Return `offset + count * each`, or the largest number if it is larger. */
  static uint64_t End(uint64_t offset, uint64_t count, uint64_t each = 1) {
    uint64_t most = std::numeric_limits<uint64_t>::max();
    if (each != 0 && count > (most - offset) / each) return most;
    return offset + count * each;
  }

  uint64_t FatBinarySize() const {
    if (size_ < kFatBinaryHeader) return kFatBinaryHeader;
    return End(At(6, 2), At(8, 8));
  }

  uint64_t ElfSize() const {
    if (size_ < kElfHeader) return kElfHeader;
    uint64_t sections = At(40, 8), section_count = At(60, 2);
    uint64_t segments = At(32, 8), segment_count = At(56, 2);
    uint64_t end = std::max(End(sections, section_count, kSectionHeader),
                            End(segments, segment_count, kProgramHeader));
    if (end > size_) return end;
    for (uint64_t i = 0; i < section_count; ++i) {
      uint64_t header = sections + i * kSectionHeader;
      if (At(header + 4, 4) == kWithoutContent) continue;
      end = std::max(end, End(At(header + 24, 8), At(header + 32, 8)));
    }
    for (uint64_t i = 0; i < segment_count; ++i) {
      uint64_t header = segments + i * kProgramHeader;
      end = std::max(end, End(At(header + 8, 8), At(header + 32, 8)));
    }
    return end;
  }

  const unsigned char* data_;
  uint64_t size_;
};

/*!
 * \brief Return the address of an image whose end is not cut off.
 * \throws ValueError when the image is empty, or shorter than its header says.
 */
inline const char* CheckedDeviceImage(const char* image, size_t size) {
  if (size == 0) TVM_FFI_THROW(ValueError) << "expected device code, got no bytes";
  uint64_t required = DeviceImage(image, size).RequiredSize();
  if (required > size) {
    TVM_FFI_THROW(ValueError) << "the device code is cut off: its header asks for at least "
                              << required << " bytes, got " << size;
  }
  return image;
}

}  // namespace tvm::ffi::cuda_api

#endif  // TVM_FFI_EXTRA_CUDA_INTERNAL_DEVICE_IMAGE_H_
