// SPDX-License-Identifier: Apache-2.0
//! Numbers, booleans, None and addresses.

use std::os::raw::c_void;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIAnyDataUnion, TVMFFITypeIndex};

use super::AnyCompatible;
use crate::error::{Error, OVERFLOW_ERROR};

const NONE: i32 = TVMFFITypeIndex::kTVMFFINone as i32;
const INT: i32 = TVMFFITypeIndex::kTVMFFIInt as i32;
const BOOL: i32 = TVMFFITypeIndex::kTVMFFIBool as i32;
const BIG_INT: i32 = TVMFFITypeIndex::kTVMFFIBigInt as i32;
const FLOAT: i32 = TVMFFITypeIndex::kTVMFFIFloat as i32;
const OPAQUE_PTR: i32 = TVMFFITypeIndex::kTVMFFIOpaquePtr as i32;

#[inline]
fn write(data: &mut TVMFFIAny, type_index: i32, data_union: TVMFFIAnyDataUnion) {
    *data = TVMFFIAny {
        type_index,
        small_str_len: 0,
        data_union,
    };
}

/// Implement the functions that move a value by calls of the functions that copy the value. Use
/// this macro only for types whose values do not own anything.
macro_rules! copied {
    () => {
        #[inline]
        unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
            // SAFETY: the value does not own anything, so a view of it is also an owned value.
            unsafe { Self::copy_to_any_view(&src, data) };
        }
        #[inline]
        unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
            // SAFETY: the called function has the same conditions, and the caller meets them.
            unsafe { Self::copy_from_any_view_after_check(data) }
        }
    };
}

/// Return the error for an integer out of range, or for a value of another type.
#[track_caller]
fn conversion_error_of_int<T: AnyCompatible>(data: &TVMFFIAny, name: &str, range: &str) -> Error {
    let value = match data.type_index {
        // SAFETY: the type index says that the payload is an integer.
        INT => unsafe { data.data_union.v_int64 }.to_string(),
        BIG_INT => "of more than 64 bits".to_string(),
        _ => return super::mismatch_error::<T>(data),
    };
    let message = format!("Cannot convert to `int`: integer {value} out of {name} range {range}");
    Error::of_crate(OVERFLOW_ERROR, &message)
}

macro_rules! impl_int {
    ($type:ty, $fits:expr) => {
        // SAFETY: integers do not own anything.
        unsafe impl AnyCompatible for $type {
            copied!();
            #[inline]
            unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
                write(
                    data,
                    INT,
                    TVMFFIAnyDataUnion {
                        v_int64: *src as i64,
                    },
                );
            }
            #[inline]
            unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
                let fits: fn(i64) -> bool = $fits;
                // SAFETY: the type index says that the payload is an integer.
                data.type_index == INT && fits(unsafe { data.data_union.v_int64 })
            }
            #[inline]
            unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
                // SAFETY: the payload is an integer.
                unsafe { data.data_union.v_int64 as $type }
            }
            unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
                if data.type_index == BOOL {
                    // SAFETY: the payload of a boolean is an integer.
                    return Ok((unsafe { data.data_union.v_int64 } != 0) as $type);
                }
                Err(())
            }
            fn conversion_error(data: &TVMFFIAny) -> Error {
                // An integer type of 64 bits, signed or unsigned, accepts every `int64`.
                if size_of::<$type>() == size_of::<i64>() {
                    let range = format!("[{}, {}]", i64::MIN, i64::MAX);
                    return conversion_error_of_int::<Self>(data, "int64", &range);
                }
                let sign = if <$type>::MIN == 0 { "u" } else { "" };
                let name = format!("{sign}int{}", <$type>::BITS);
                let range = format!("[{}, {}]", <$type>::MIN, <$type>::MAX);
                conversion_error_of_int::<Self>(data, &name, &range)
            }
            fn type_str() -> String {
                "int".to_string()
            }
        }
        crate::impl_try_from_any!($type);
        crate::impl_arg_into_ref!($type);
        crate::impl_into_arg_holder_default!($type);
    };
}

impl_int!(i8, |value| i8::try_from(value).is_ok());
impl_int!(i16, |value| i16::try_from(value).is_ok());
impl_int!(i32, |value| i32::try_from(value).is_ok());
impl_int!(i64, |_| true);
impl_int!(isize, |value| isize::try_from(value).is_ok());
impl_int!(u8, |value| u8::try_from(value).is_ok());
impl_int!(u16, |value| u16::try_from(value).is_ok());
impl_int!(u32, |value| u32::try_from(value).is_ok());
// `u64` and `usize` keep the bit pattern in both directions, so large numbers become negative `int`
// values. Use `BigInt` to keep the number.
impl_int!(u64, |_| true);
impl_int!(usize, |_| true);

macro_rules! impl_float {
    ($type:ty) => {
        // SAFETY: numbers do not own anything.
        unsafe impl AnyCompatible for $type {
            copied!();
            #[inline]
            unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
                write(
                    data,
                    FLOAT,
                    TVMFFIAnyDataUnion {
                        v_float64: f64::from(*src),
                    },
                );
            }
            #[inline]
            unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
                data.type_index == FLOAT
            }
            #[inline]
            unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
                // SAFETY: the payload is a number.
                unsafe { data.data_union.v_float64 as $type }
            }
            unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
                if data.type_index == INT || data.type_index == BOOL {
                    // SAFETY: the payload is an integer.
                    return Ok(unsafe { data.data_union.v_int64 } as $type);
                }
                Err(())
            }
            fn type_str() -> String {
                "float".to_string()
            }
        }
        crate::impl_try_from_any!($type);
        crate::impl_arg_into_ref!($type);
        crate::impl_into_arg_holder_default!($type);
    };
}

impl_float!(f32);
impl_float!(f64);

// SAFETY: booleans do not own anything.
unsafe impl AnyCompatible for bool {
    copied!();
    #[inline]
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        write(
            data,
            BOOL,
            TVMFFIAnyDataUnion {
                v_int64: i64::from(*src),
            },
        );
    }
    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == BOOL
    }
    #[inline]
    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        // SAFETY: the payload is an integer.
        unsafe { data.data_union.v_int64 != 0 }
    }
    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        if data.type_index == INT {
            // SAFETY: the payload is an integer.
            return Ok(unsafe { data.data_union.v_int64 } != 0);
        }
        Err(())
    }
    fn type_str() -> String {
        "bool".to_string()
    }
}

// SAFETY: None does not own anything.
unsafe impl AnyCompatible for () {
    copied!();
    #[inline]
    unsafe fn copy_to_any_view(_src: &Self, data: &mut TVMFFIAny) {
        *data = TVMFFIAny::new();
    }
    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == NONE
    }
    #[inline]
    unsafe fn copy_from_any_view_after_check(_data: &TVMFFIAny) -> Self {}
    fn type_str() -> String {
        "None".to_string()
    }
}

// SAFETY: an address does not own anything.
unsafe impl AnyCompatible for *mut c_void {
    copied!();
    #[inline]
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        // The upper half of the payload must be zero on systems with 32-bit addresses.
        write(data, OPAQUE_PTR, TVMFFIAnyDataUnion { v_uint64: 0 });
        data.data_union.v_ptr = *src;
    }
    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == OPAQUE_PTR
    }
    #[inline]
    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        // SAFETY: the payload is an address.
        unsafe { data.data_union.v_ptr }
    }
    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        if data.type_index == NONE {
            return Ok(std::ptr::null_mut());
        }
        Err(())
    }
    fn type_str() -> String {
        "void*".to_string()
    }
}

crate::impl_try_from_any!(bool, (), *mut c_void);
crate::impl_arg_into_ref!(bool, (), *mut c_void);
crate::impl_into_arg_holder_default!(bool, (), *mut c_void);
