// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/tvm_ffi.h>

#include "use.h"

// Names of headers that the umbrella header did not include in former releases.
template <typename T>
using Entries = tvm::ffi::reflection::EnumEntry<T>;
HAS_TYPE(tvm::ffi::TypeAttrRegistry::Global(), tvm::ffi::TypeAttrRegistry*);
HOLDS(TVM_FFI_VERSION_MAJOR == 0);
