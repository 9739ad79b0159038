// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/list.h>

template <typename T>
using Sequence = tvm::ffi::List<T>;
using SequenceObj = tvm::ffi::ListObj;

#include "sequence.h"

HOLDS(ffi::ListObj::_type_index == kTVMFFIList);
HAS_TYPE(The<const Ints>().GetListObj(), ffi::ListObj*);
HOLDS(ffi::TypeTraits<Ints>::field_static_type_index == kTVMFFIList);
