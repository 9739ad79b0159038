// SPDX-License-Identifier: Apache-2.0
// Checks that a library file is complete, before the dynamic linker maps it.
#ifndef TVM_FFI_SRC_MODULE_LIBRARY_EXTENT_H_
#define TVM_FFI_SRC_MODULE_LIBRARY_EXTENT_H_

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Whether an ELF file ends before the end of one of its segments.
 *
 * The linker maps segments without checking the file's length, and the first access to a missing
 * page kills the process. The result is false for files that cannot be read or are not ELF files of
 * this machine's class, because the linker rejects them.
 */
bool is_truncated_library(const char* path);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_LIBRARY_EXTENT_H_
