// SPDX-License-Identifier: Apache-2.0
// Memory of short native arrays that Python makes: cells of the exact size, where the C library
// would add a word to each.
#pragma once

#include <tvm/ffi/container/array.h>

namespace binding {

// An array without elements and with room for `n` of them. Needs the interpreter lock; the array
// may die on any thread. Throws what ArrayObj::Empty throws.
tvm::ffi::ObjectPtr<tvm::ffi::ArrayObj> array_with_room(int64_t n);

}  // namespace binding
