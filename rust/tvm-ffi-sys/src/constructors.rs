// SPDX-License-Identifier: Apache-2.0
//! Constructors and views of the plain structs.

use crate::c_api::{TVMFFIByteArray, TVMFFIFunctionCell};
use crate::dlpack::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType};

impl TVMFFIByteArray {
    /// Return a view of `size` bytes.
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
        // SAFETY: the caller vouches for the bytes; the pointer is not null.
        unsafe { std::slice::from_raw_parts(self.data, self.size) }
    }

    /// Return the text; a null pointer gives "". Text that is not UTF-8 ends at the first byte that
    /// is not valid.
    ///
    /// The pointer must be one that this crate or the runtime stored.
    pub fn as_str(&self) -> &str {
        // SAFETY: the members come from `new` or the runtime, which keep the bytes alive.
        let bytes = unsafe { self.as_bytes() };
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // SAFETY: `valid_up_to` ends a valid prefix.
            Err(error) => unsafe { std::str::from_utf8_unchecked(&bytes[..error.valid_up_to()]) },
        }
    }

    /// Return a view of a text.
    ///
    /// # Safety
    ///
    /// The text must outlive every use of the view, which has no lifetime.
    pub const unsafe fn from_str(text: &str) -> Self {
        TVMFFIByteArray::new(text.as_ptr(), text.len())
    }
}

// SAFETY: the cell has two code addresses, which do not change.
unsafe impl Send for TVMFFIFunctionCell {}
// SAFETY: as above.
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
