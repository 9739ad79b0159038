// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/base.h>

TVM_FFI_EXTRA_CXX_API int Exported();
