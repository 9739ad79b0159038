// SPDX-License-Identifier: Apache-2.0
// Memory of short native arrays that Python makes: blocks of the exact size, without the extra word
// that the C library adds to each.
#pragma once

#include <tvm/ffi/container/array.h>

namespace binding {

// An empty array with capacity `n`. Needs the GIL; the array
// may die on any thread. Throws what ArrayObj::Empty throws.
tvm::ffi::ObjectPtr<tvm::ffi::ArrayObj> array_with_capacity(int64_t n);

}  // namespace binding
