// SPDX-License-Identifier: Apache-2.0
// Checks that a library file is complete, before the dynamic linker maps it.
#pragma once

namespace tvm::ffi::runtime {

/*!
 * \brief Whether an ELF file ends before the end of one of its segments.
 *
 * The linker maps segments without checking the file's length, and the first access to a missing
 * page kills the process. The result is false for files that cannot be read or are not ELF files of
 * this machine's class, because the linker rejects them.
 */
bool is_truncated_library(const char* path);

}  // namespace tvm::ffi::runtime
