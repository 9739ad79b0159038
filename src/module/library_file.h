// SPDX-License-Identifier: Apache-2.0
// Says why a file is not a library that this process can load. Only for messages: the dynamic
// linker decides.
#ifndef TVM_FFI_SRC_MODULE_LIBRARY_FILE_H_
#define TVM_FFI_SRC_MODULE_LIBRARY_FILE_H_

#include <string>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief The reason, such as "the file is empty"; empty if none is known. */
std::string why_not_loadable(const std::string& path);

/*!
 * \brief What may be meant by a path that does not exist.
 * \return a text that continues a message, beginning with `; `: the part of the path that exists, a
 * file with a similar name, or `./name` for a name that only the working directory has. May be
 * empty.
 */
std::string missing_file_hint(const std::string& path);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_LIBRARY_FILE_H_
