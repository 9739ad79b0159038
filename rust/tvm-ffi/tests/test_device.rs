// SPDX-License-Identifier: Apache-2.0
//! Tests of devices and their streams.

use std::panic::{catch_unwind, AssertUnwindSafe};

use tvm_ffi::{bail, current_stream, with_stream, Any, DLDevice, DLDeviceType, Result};
use tvm_ffi::{TVMFFIStreamHandle, RUNTIME_ERROR, TYPE_ERROR};

const CUDA: DLDevice = DLDevice::new(DLDeviceType::kDLCUDA, 1);

/// Return a handle that is never dereferenced.
fn stream(number: usize) -> TVMFFIStreamHandle {
    number as TVMFFIStreamHandle
}

// spec: RUST-R15
#[test]
fn with_stream_sets_and_restores() {
    assert!(current_stream(&CUDA).is_null());
    // SAFETY: nothing uses the streams.
    let value = unsafe {
        with_stream(&CUDA, stream(8), || {
            assert_eq!(current_stream(&CUDA), stream(8));
            assert!(current_stream(&DLDevice::new(DLDeviceType::kDLCUDA, 0)).is_null());
            with_stream(&CUDA, stream(16), || {
                assert_eq!(current_stream(&CUDA), stream(16));
                Ok(())
            })?;
            assert_eq!(current_stream(&CUDA), stream(8));
            Ok(42)
        })
    };
    assert_eq!(value.unwrap(), 42);
    assert!(current_stream(&CUDA).is_null());
}

// spec: RUST-R15
#[test]
fn with_stream_restores_after_an_error() {
    let fail = || -> Result<()> { bail!(RUNTIME_ERROR, "no {}", "stream") };
    // SAFETY: nothing uses the stream.
    let error = unsafe { with_stream(&CUDA, stream(8), fail) }.unwrap_err();
    assert_eq!(error.message(), "no stream");
    assert!(current_stream(&CUDA).is_null());
}

// spec: RUST-R15
#[test]
fn with_stream_restores_after_a_panic() {
    let body = || -> Result<()> { panic!("no stream") };
    // SAFETY: nothing uses the stream.
    let run = || unsafe { with_stream(&CUDA, stream(8), body) };
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    assert!(current_stream(&CUDA).is_null());
}

// spec: RUST-R15
#[test]
fn streams_belong_to_a_thread() {
    // SAFETY: nothing uses the stream.
    let seen = unsafe {
        with_stream(&CUDA, stream(8), || {
            let other = std::thread::spawn(|| current_stream(&CUDA) as usize);
            Ok(other.join().unwrap())
        })
    };
    assert_eq!(seen.unwrap(), 0);
}

// spec: RUST-R08
#[test]
fn a_value_holds_a_device() {
    let any = Any::from(CUDA);
    assert_eq!(any.type_index(), tvm_ffi::TypeIndex::kTVMFFIDevice as i32);
    assert_eq!(DLDevice::try_from(any).unwrap(), CUDA);
    let error = DLDevice::try_from(Any::from(1i64)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `int` to `Device`"
    );
}

// spec: RUST-R40
#[test]
fn a_device_of_an_unknown_type_is_a_value() {
    let unknown = DLDevice::new(DLDeviceType(4711), -3);
    assert_eq!(DLDevice::try_from(Any::from(unknown)).unwrap(), unknown);
    assert_ne!(unknown.device_type, DLDeviceType::kDLCPU);
}
