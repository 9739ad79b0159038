// SPDX-License-Identifier: Apache-2.0
// Computes from the reflected fields of a type where the members of its objects end.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*!
 * \brief Return the offset of the end of a type's members, where the members of a child may begin.
 * \return -1 when its objects have members that are not reflected.
 */
int64_t members_end(const TVMFFITypeInfo* type);

}  // namespace tvm::ffi::runtime
