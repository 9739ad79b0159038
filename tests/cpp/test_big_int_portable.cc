// SPDX-License-Identifier: Apache-2.0
// Run the tests of BigInt again, without compiler extensions.
// spec: G12
#define TVM_FFI_BIGINT_FORCE_PORTABLE
#include "test_big_int.cc"  // NOLINT(bugprone-suspicious-include)
