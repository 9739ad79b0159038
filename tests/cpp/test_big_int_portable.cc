// SPDX-License-Identifier: Apache-2.0
// The tests of BigInt once more, without the extensions of the compiler.
// spec: G12
#define TVM_FFI_BIGINT_FORCE_PORTABLE
#include "test_big_int.cc"  // NOLINT(bugprone-suspicious-include)
