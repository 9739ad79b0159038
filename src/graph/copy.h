// SPDX-License-Identifier: Apache-2.0
// Deep copies.
#pragma once

#include <tvm/ffi/any.h>

namespace tvm::ffi::runtime {

/*! \brief Copy a value as DeepCopy in extra/dataclass.h does. */
Any deep_copy(const Any& value);

}  // namespace tvm::ffi::runtime
