// SPDX-License-Identifier: Apache-2.0
// Tells whether a library file is whole, before the dynamic linker maps it.
#ifndef TVM_FFI_SRC_MODULE_LIBRARY_EXTENT_H_
#define TVM_FFI_SRC_MODULE_LIBRARY_EXTENT_H_

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Whether an ELF file ends before one of the segments that it says it has.
 *
 * The linker maps segments without looking at the file's length, and the first touch of a missing
 * page kills the process. Files that cannot be read or are not ELF files of this machine's class do
 * not count as truncated: the linker refuses them.
 */
bool is_truncated_library(const char* path);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_LIBRARY_EXTENT_H_
