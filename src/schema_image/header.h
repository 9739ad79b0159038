// SPDX-License-Identifier: Apache-2.0
// The header that schema images and embedded schemas begin with; image.h describes it.
#ifndef TVM_FFI_SRC_SCHEMA_IMAGE_HEADER_H_
#define TVM_FFI_SRC_SCHEMA_IMAGE_HEADER_H_

#include <cstdint>
#include <string_view>

#include "schema_image/reader.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Read and check the header of all the bytes that a reader has.
 * \param magic the eight bytes that they must begin with.
 * \param kind what messages call such bytes, "a schema image".
 * \return the bytes of the schema at the end.
 * \throws ValueError also when the checksum differs.
 */
uint32_t read_schema_header(SchemaReader* reader, std::string_view magic, const char* kind);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_SCHEMA_IMAGE_HEADER_H_
