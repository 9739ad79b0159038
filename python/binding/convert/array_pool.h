// SPDX-License-Identifier: Apache-2.0
// Memory pools for short native arrays that Python makes. Each cell has the exact size, without the
// extra word that malloc adds to each block.
#pragma once

#include <tvm/ffi/container/array.h>

namespace binding {

// Returns an empty array with capacity `n`. Needs the GIL, but the array may be freed on any
// thread. Throws the exceptions of ArrayObj::Empty.
tvm::ffi::ObjectPtr<tvm::ffi::ArrayObj> array_with_capacity(int64_t n);

}  // namespace binding
