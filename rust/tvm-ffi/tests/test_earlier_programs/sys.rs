// SPDX-License-Identifier: Apache-2.0
//! The declarations of `tvm_ffi_sys`.

use std::os::raw::{c_char, c_void};

use tvm_ffi::tvm_ffi_sys::{
    DLPackManagedTensorAllocator, DLTensor, TVMFFIEnvSetDLPackManagedTensorAllocator,
    TVMFFITraceback,
};
use tvm_ffi::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, Result, Tensor, VALUE_ERROR};

/// An allocator that has no memory.
unsafe extern "C" fn refuse(
    _prototype: *mut DLTensor,
    _out: *mut *mut c_void,
    error_context: *mut c_void,
    set_error: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char),
) -> i32 {
    // SAFETY: the texts live as long as the program; the caller passed the context.
    unsafe { set_error(error_context, c"ValueError".as_ptr(), c"no memory".as_ptr()) };
    -1
}

// spec: RUST-R45
#[test]
fn an_allocator_is_a_function_of_the_program() -> Result<()> {
    let set = |allocator: Option<DLPackManagedTensorAllocator>| {
        // SAFETY: the functions exist as long as the program. Only this thread is affected.
        unsafe { TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, 0, std::ptr::null_mut()) }
    };
    assert_eq!(set(Some(refuse)), 0);
    let dtype = DLDataType::new(DLDataTypeCode::kDLFloat, 32, 1);
    let device = DLDevice::new(DLDeviceType::kDLCPU, 0);
    let error = Tensor::from_env_alloc(&[2], dtype, device).err().unwrap();
    assert_eq!((error.kind(), error.message()), (VALUE_ERROR, "no memory"));
    assert_eq!(set(None), 0);
    Ok(())
}

// spec: RUST-R45
#[test]
fn a_traceback_has_the_line_of_the_caller() {
    // SAFETY: the texts live during the call; the result is valid until the next call.
    let text = unsafe {
        let traceback = TVMFFITraceback(c"program.rs".as_ptr(), 7, c"main".as_ptr(), 0);
        (*traceback).as_str().to_string()
    };
    assert!(text.contains("program.rs"), "{text}");
}
