// SPDX-License-Identifier: Apache-2.0
// The published name of base.h.
#include <tvm/ffi/base.h>
