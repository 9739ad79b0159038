// SPDX-License-Identifier: Apache-2.0
// The schemas in libraries and images, by the keys of the types that they define.
#pragma once

#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <string_view>
#include <vector>

namespace tvm::ffi::runtime {

/*!
 * \brief Store the schema that defines some types. A type that already has a schema keeps it.
 * \param keys the type keys.
 * \param schema the IR of the schema tool, compressed; if it is empty, nothing is stored.
 */
void add_schema_definitions(const std::vector<std::string_view>& keys, std::string_view schema);

/*!
 * \brief Store the schema that a generated library embeds. A second copy of a library has no
 * effect.
 * \param record the header, the type keys in the form of the strings of an image, and the schema
 * (image.h).
 * \throws ValueError with the position of the first error.
 */
void add_embedded_schema(const Bytes& record);

/*! \brief Return the compressed schema of a type; nothing if no library or image has provided
 * it. */
Optional<Bytes> find_schema_definition(const String& key);

}  // namespace tvm::ffi::runtime
