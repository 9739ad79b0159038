// SPDX-License-Identifier: Apache-2.0
//! Callables that are not closures, and their exports.

use tvm_ffi::function_internal::{type_schema_of, AsPackedCallable};
use tvm_ffi::tvm_ffi_sys::TVMFFIAny;
use tvm_ffi::{tvm_ffi_dll_export_typed_func, tvm_ffi_dll_export_typed_func_doc};
use tvm_ffi::{Any, AnyView, Function, Result};

/// Returns the number of its arguments.
struct Count;

impl AsPackedCallable<(), i64> for Count {
    fn call_packed(&self, args: &[AnyView]) -> Result<Any> {
        Ok(Any::from(args.len() as i64))
    }
}

const DOC: &str = "Return the number of arguments.";

tvm_ffi_dll_export_typed_func!(earlier_count, Count);
tvm_ffi_dll_export_typed_func_doc!(earlier_count, DOC);

// spec: RUST-R45
#[test]
fn a_callable_needs_only_the_packed_call() -> Result<()> {
    let count = Function::from_typed(Count);
    assert_eq!(i64::try_from(count.call_tuple((1i64, 2i64))?)?, 2);
    assert_eq!(type_schema_of(&Count), r#"{"type":"ffi.Function"}"#);
    let arguments = [TVMFFIAny::new(); 3];
    let mut result = TVMFFIAny::new();
    // SAFETY: the arguments are None; the result is an integer, which owns nothing.
    unsafe {
        let handle = std::ptr::null_mut();
        assert_eq!(
            __tvm_ffi_earlier_count(handle, arguments.as_ptr(), 3, &mut result),
            0
        );
        assert_eq!(result.data_union.v_int64, 3);
    }
    Ok(())
}
