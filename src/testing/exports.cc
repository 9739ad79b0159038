// SPDX-License-Identifier: Apache-2.0
// Fixtures: functions that this library exports by symbol, with metadata and documentation.
#define TVM_FFI_DLL_EXPORT_INCLUDE_METADATA 1
#include <tvm/ffi/function.h>

#include "wrapping.h"

namespace {

int64_t schema_id_int(int64_t x) { return x; }

int64_t add(int64_t a, int64_t b) { return tvm::ffi::testing::WrappingAdd(a, b); }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(testing_dll_schema_id_int, schema_id_int);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(testing_dll_test_add_with_docstring, add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(testing_dll_test_add_with_docstring,
                                  R"(Add two integers and return the sum.

Parameters
----------
a : int
    The first summand
b : int
    The second summand

Returns
-------
result : int
    a plus b)");
