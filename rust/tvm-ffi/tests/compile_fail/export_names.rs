// SPDX-License-Identifier: Apache-2.0
//! The names of an exported function must be as many as its parameters.

use tvm_ffi::{tvm_ffi_dll_export_typed_func, Result};

fn add(a: i64, b: i64) -> Result<i64> {
    Ok(a + b)
}

tvm_ffi_dll_export_typed_func!(named, add, arg_names("a, b"), arg_defaults("[1]"));
tvm_ffi_dll_export_typed_func!(short, add, arg_names("a")); //~ one name for each parameter
tvm_ffi_dll_export_typed_func!(none, add, arg_names("")); //~ one name for each parameter
tvm_ffi_dll_export_typed_func!(alone, add, arg_defaults("[1]")); //~ expected arg_names too
tvm_ffi_dll_export_typed_func!(other, add, arg_name("a, b")); //~ no method named `arg_name`
