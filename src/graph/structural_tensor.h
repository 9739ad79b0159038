// SPDX-License-Identifier: Apache-2.0
// Tensors in structural equality and hash: by shape, dtype and content.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*!
 * \brief Whether two tensors are the same object, or are equal in shape, dtype and bytes.
 * \param skip_content whether to ignore the bytes.
 * \throws Error InternalError when the bytes are needed but are not in CPU memory or not
 * contiguous; ValueError when the tensor has no memory.
 */
bool equal_tensors(const TVMFFIObject* lhs, const TVMFFIObject* rhs, bool skip_content);

/*! \brief Mix the content that equal_tensors() compares into `hash`. \throws the same errors. */
uint64_t hash_tensor(uint64_t hash, const TVMFFIObject* tensor, bool skip_content);

}  // namespace tvm::ffi::runtime
