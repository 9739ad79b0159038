// SPDX-License-Identifier: Apache-2.0
//! The current stream of each device. Each thread has its own current streams.

use std::ptr;

use tvm_ffi_sys::{
    DLDevice, TVMFFIAny, TVMFFIEnvGetStream, TVMFFIEnvSetStream, TVMFFIStreamHandle,
    TVMFFITypeIndex,
};

use crate::error::{Error, Result};
use crate::type_traits::AnyCompatible;

/// Return the current stream of a device in this thread, or null if this thread has not set one.
pub fn current_stream(device: &DLDevice) -> TVMFFIStreamHandle {
    // SAFETY: the function looks the device up in a table of the thread; any device is allowed.
    unsafe { TVMFFIEnvGetStream(device.device_type.0, device.device_id) }
}

/// Run `body` with another stream of the device, and set the former stream again afterwards.
///
/// The function sets the former stream again even if `body` fails or panics.
///
/// # Safety
///
/// `stream` is a stream of the device, or null. It lives until `body` has returned, because code
/// that `body` calls may use the stream.
///
/// # Errors
///
/// The error of `body`, or the error of the runtime if the stream cannot be set.
pub unsafe fn with_stream<T>(
    device: &DLDevice,
    stream: TVMFFIStreamHandle,
    body: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let guard = StreamGuard {
        device: *device,
        former: set_stream(device, stream)?,
    };
    let result = body();
    let restored = guard.restore();
    // If both fail, the error of `body` is the cause that the caller looks for.
    let value = result?;
    restored?;
    Ok(value)
}

/// Set the current stream of a device in this thread, and return the former stream.
fn set_stream(device: &DLDevice, stream: TVMFFIStreamHandle) -> Result<TVMFFIStreamHandle> {
    let mut former = ptr::null_mut();
    // SAFETY: the runtime stores the handle and does not use it.
    crate::check_safe_call!(unsafe {
        TVMFFIEnvSetStream(device.device_type.0, device.device_id, stream, &mut former)
    })?;
    Ok(former)
}

/// Sets the former stream of the device when dropped.
struct StreamGuard {
    device: DLDevice,
    former: TVMFFIStreamHandle,
}

impl StreamGuard {
    /// Set the former stream. Return an error if the runtime cannot set the stream.
    fn restore(self) -> Result<()> {
        let (device, former) = (self.device, self.former);
        std::mem::forget(self);
        set_stream(&device, former).map(|_| ())
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        // The guard is dropped only while a panic unwinds the thread, so ignore a second error.
        let _: std::result::Result<_, Error> = set_stream(&self.device, self.former);
    }
}

// SAFETY: a device does not own anything; `kTVMFFIDevice` is the type index of devices.
unsafe impl AnyCompatible for DLDevice {
    #[inline]
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        *data = TVMFFIAny::new();
        data.type_index = TVMFFITypeIndex::kTVMFFIDevice as i32;
        data.data_union.v_device = *src;
    }

    #[inline]
    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        // SAFETY: the value does not own anything, so a view of it is also an owned value.
        unsafe { Self::copy_to_any_view(&src, data) };
    }

    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == TVMFFITypeIndex::kTVMFFIDevice as i32
    }

    #[inline]
    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        // SAFETY: the caller checked that the payload is a device.
        unsafe { data.data_union.v_device }
    }

    #[inline]
    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Self::copy_from_any_view_after_check(data) }
    }

    unsafe fn is_undefined(field: *const Self) -> bool {
        // SAFETY: the field is a device or consists of zero bytes; no device has type 0.
        unsafe { (*field).device_type.0 == 0 }
    }

    fn type_str() -> String {
        "Device".to_string()
    }
}

crate::impl_try_from_any!(DLDevice);
crate::impl_arg_into_ref!(DLDevice);
crate::impl_into_arg_holder_default!(DLDevice);
