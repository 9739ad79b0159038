// SPDX-License-Identifier: Apache-2.0
//! The two structs of `c_api.h` with unnamed unions: the value and the header of objects.

use std::os::raw::c_void;
use std::sync::atomic::AtomicU64;

use crate::c_api::TVMFFITypeIndex;
use crate::dlpack::{DLDataType, DLDevice};

/// Deleter of an object. The arguments are the address of the header, and flags: bits of
/// `TVMFFIObjectDeleterFlagBitMask`.
pub type TVMFFIObjectDeleter = unsafe extern "C" fn(this: *mut c_void, flags: i32);

/// Mask for one of the two counts in the combined reference count.
pub const COMBINED_REF_COUNT_MASK_U32: u64 = 0xFFFF_FFFF;
/// One strong reference in the combined reference count.
pub const COMBINED_REF_COUNT_STRONG_ONE: u64 = 1;
/// One weak reference in the combined reference count.
pub const COMBINED_REF_COUNT_WEAK_ONE: u64 = 1 << 32;
/// The combined reference count of a new object.
pub const COMBINED_REF_COUNT_BOTH_ONE: u64 =
    COMBINED_REF_COUNT_STRONG_ONE | COMBINED_REF_COUNT_WEAK_ONE;

/// Header of every counted object.
#[repr(C)]
#[derive(Debug)]
pub struct TVMFFIObject {
    /// The low 32 bits are the strong count, the high 32 bits the weak count.
    ///
    /// All strong references together hold one weak reference, so both counts of a new object are
    /// 1.
    pub combined_ref_count: AtomicU64,
    /// A `TVMFFITypeIndex`, or an index that was assigned at run time.
    pub type_index: i32,
    /// The creator of the object writes 0. Later only language bindings, such as the Python
    /// extension, use this member.
    pub __padding: u32,
    /// Frees the object. If the member is `None`, the object is never freed.
    pub deleter: Option<TVMFFIObjectDeleter>,
    /// Padding, so that the pointer uses 8 bytes as on 64-bit systems.
    #[cfg(target_pointer_width = "32")]
    pub __ensure_align: u32,
}

impl TVMFFIObject {
    /// Return a header with count 0, type index 0 and no deleter.
    pub const fn new() -> Self {
        TVMFFIObject {
            combined_ref_count: AtomicU64::new(0),
            type_index: 0,
            __padding: 0,
            deleter: None,
            #[cfg(target_pointer_width = "32")]
            __ensure_align: 0,
        }
    }
}

impl Default for TVMFFIObject {
    fn default() -> Self {
        Self::new()
    }
}

/// Payload of a [`TVMFFIAny`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union TVMFFIAnyDataUnion {
    /// An integer or a boolean.
    pub v_int64: i64,
    /// A floating-point number.
    pub v_float64: f64,
    /// A pointer to memory that the value does not own.
    pub v_ptr: *mut c_void,
    /// A NUL-terminated string; only borrowed values have this payload.
    pub v_c_str: *const i8,
    /// An object.
    pub v_obj: *mut TVMFFIObject,
    /// A data type.
    pub v_dtype: DLDataType,
    /// A device.
    pub v_device: DLDevice,
    /// The bytes of a small string.
    pub v_bytes: [u8; 8],
    /// The payload as bits.
    pub v_uint64: u64,
}

/// A value: tag and payload.
///
/// The runtime compares and hashes the 16 bytes, so padding and unused payload bytes must be zero.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIAny {
    /// A `TVMFFITypeIndex`, or an index that was assigned at run time.
    pub type_index: i32,
    /// Length (0 to 7) of small strings and bytes; 0 for other values.
    pub small_str_len: u32,
    /// The payload.
    pub data_union: TVMFFIAnyDataUnion,
}

impl TVMFFIAny {
    /// Return the value None.
    pub const fn new() -> Self {
        TVMFFIAny {
            type_index: TVMFFITypeIndex::kTVMFFINone as i32,
            small_str_len: 0,
            data_union: TVMFFIAnyDataUnion { v_uint64: 0 },
        }
    }
}

impl Default for TVMFFIAny {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_endian = "big")]
compile_error!("tvm-ffi supports little-endian targets only");
