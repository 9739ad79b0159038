// SPDX-License-Identifier: Apache-2.0
// Loading schema images from bytes and from files.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*!
 * \brief Register the types of an image, unless it was loaded before.
 * \param bytes the image.
 * \param flags 1: check the image and register nothing; 0 otherwise.
 * \return the keys of its types.
 * \throws ValueError for invalid flags; the errors of reading, checking and registering.
 */
Array<String> load_schema_image(const Bytes& bytes, int64_t flags);

/*! \brief Load the image in a file. \throws the same errors, and RuntimeError when the file cannot
 * be read. */
Array<String> load_schema_image_file(const String& path, int64_t flags);

}  // namespace tvm::ffi::runtime
