// SPDX-License-Identifier: Apache-2.0
// Explains why a file is not a library that this process can load. Used only for messages: the
// dynamic linker decides whether a library is loaded.
#pragma once

#include <string>

namespace tvm::ffi::runtime {

/*! \brief Return the reason, such as "the file is empty"; empty if no reason is known. */
std::string why_not_loadable(const std::string& path);

/*!
 * \brief Return a hint for a path that does not exist.
 * \return a text that begins with `; ` and continues a message. It names the part of the path that
 * exists, a file with a similar name, or `./name` if the file is only in the working directory. May
 * be empty.
 */
std::string missing_file_hint(const std::string& path);

}  // namespace tvm::ffi::runtime
