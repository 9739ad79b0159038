// SPDX-License-Identifier: Apache-2.0
// The header of schema images and embedded schemas; image.h describes it.
#pragma once

#include <cstdint>
#include <string_view>

#include "schema_image/reader.h"

namespace tvm::ffi::runtime {

/*!
 * \brief Read and check the header with which the bytes of a reader begin.
 * \param reader a reader from which nothing was read yet.
 * \param magic the eight bytes with which the header must begin.
 * \param kind name of the format for messages, "a schema image".
 * \return the size in bytes of the schema at the end.
 * \throws ValueError for an invalid header or a wrong checksum.
 */
uint32_t read_schema_header(SchemaReader* reader, std::string_view magic, const char* kind);

}  // namespace tvm::ffi::runtime
