// SPDX-License-Identifier: Apache-2.0
//! Constructors and accessors of the plain C structs.

use crate::c_api::{TVMFFIByteArray, TVMFFIFunctionCell};
use crate::dlpack::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType};

impl TVMFFIByteArray {
    /// Return a byte array of `size` bytes at `data`.
    pub const fn new(data: *const u8, size: usize) -> Self {
        TVMFFIByteArray { data, size }
    }

    /// Return the bytes; a null pointer gives an empty slice.
    ///
    /// # Safety
    ///
    /// `data` is null or points at `size` bytes that live and do not change during the borrow.
    #[inline]
    pub unsafe fn as_bytes(&self) -> &[u8] {
        if self.data.is_null() || self.size == 0 {
            return &[];
        }
        // SAFETY: the pointer is not null, and the caller guarantees that the bytes are valid.
        unsafe { std::slice::from_raw_parts(self.data, self.size) }
    }

    /// Return the bytes as text, up to the first byte that is not UTF-8. A null pointer gives "".
    ///
    /// The pointer must come from this crate or from the runtime.
    pub fn as_str(&self) -> &str {
        // SAFETY: the members come from `new` or the runtime, which keep the bytes alive.
        let bytes = unsafe { self.as_bytes() };
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // SAFETY: the bytes before `valid_up_to` are UTF-8.
            Err(error) => unsafe { std::str::from_utf8_unchecked(&bytes[..error.valid_up_to()]) },
        }
    }

    /// Return a byte array that refers to a text.
    ///
    /// # Safety
    ///
    /// The text must outlive every use of the byte array; the compiler does not check this.
    pub const unsafe fn from_str(text: &str) -> Self {
        TVMFFIByteArray::new(text.as_ptr(), text.len())
    }
}

// SAFETY: the cell contains only addresses of code, which all threads may call.
unsafe impl Send for TVMFFIFunctionCell {}
// SAFETY: the cell contains only addresses of code, which all threads may call.
unsafe impl Sync for TVMFFIFunctionCell {}

impl DLDevice {
    /// Return a device.
    pub const fn new(device_type: DLDeviceType, device_id: i32) -> Self {
        DLDevice {
            device_type,
            device_id,
        }
    }
}

impl DLDataType {
    /// Return a data type.
    pub const fn new(code: DLDataTypeCode, bits: u8, lanes: u16) -> Self {
        DLDataType {
            code: code as u8,
            bits,
            lanes,
        }
    }
}

impl std::fmt::Debug for DLDeviceType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DLDeviceType({})", self.0)
    }
}
