// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/endian.h
 * \brief The byte order of the host, and a function that reverses bytes. Serialised data is
 * little-endian.
 */
#ifndef TVM_FFI_ENDIAN_H_
#define TVM_FFI_ENDIAN_H_

#include <cstddef>
#include <cstdint>
#include <utility>

/*! \brief 1: serialised data is little-endian. */
#ifndef TVM_FFI_IO_USE_LITTLE_ENDIAN
#define TVM_FFI_IO_USE_LITTLE_ENDIAN 1
#endif

/*! \brief 1 when the host is little-endian; TVM_FFI_CMAKE_LITTLE_ENDIAN (0 or 1) overrides it. */
#ifdef TVM_FFI_CMAKE_LITTLE_ENDIAN
#define TVM_FFI_LITTLE_ENDIAN TVM_FFI_CMAKE_LITTLE_ENDIAN
#elif defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__)
#define TVM_FFI_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#elif defined(_MSC_VER)
#define TVM_FFI_LITTLE_ENDIAN 1
#else
#error "Byte order of the host is unknown: define TVM_FFI_CMAKE_LITTLE_ENDIAN to 0 or 1"
#endif

/*! \brief Whether data in memory can be written without reversing bytes. */
#define TVM_FFI_IO_NO_ENDIAN_SWAP (TVM_FFI_LITTLE_ENDIAN == TVM_FFI_IO_USE_LITTLE_ENDIAN)

namespace tvm::ffi {

/*!
 * \brief Reverse the bytes of each element in place.
 * \param data `num_elems` elements, at any alignment.
 * \param elem_bytes size of one element in bytes.
 * \param num_elems number of elements.
 */
inline void ByteSwap(void* data, size_t elem_bytes, size_t num_elems) {
  uint8_t* element = static_cast<uint8_t*>(data);
  for (size_t i = 0; i < num_elems; ++i, element += elem_bytes) {
    for (size_t low = 0; low < elem_bytes / 2; ++low) {
      std::swap(element[low], element[elem_bytes - 1 - low]);
    }
  }
}

}  // namespace tvm::ffi

#endif  // TVM_FFI_ENDIAN_H_
