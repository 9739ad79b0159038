// SPDX-License-Identifier: Apache-2.0
//! An exported callable that calls an unsafe function without an unsafe block.
use tvm_ffi::{tvm_ffi_dll_export_typed_func, Result};

unsafe fn one() -> i64 {
    1
}

tvm_ffi_dll_export_typed_func!(one, {
    let one = one(); //~ call to unsafe function `one` is unsafe
    move || -> Result<i64> { Ok(one) }
});
