// SPDX-License-Identifier: Apache-2.0
//! Conversions of [`BigInt`] from and to numbers, text and values of the ABI.

use std::str::FromStr;

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use super::{magnitude, words, BigInt};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, OVERFLOW_ERROR, VALUE_ERROR};
use crate::type_traits::AnyCompatible;

/// Define conversions from and to integer types whose values all fit `i64`.
macro_rules! impl_from_small {
    ($($int:ty)*) => {$(
        impl From<$int> for BigInt {
            fn from(value: $int) -> Self {
                BigInt { value: Any::from(i64::from(value)) }
            }
        }
    )*};
}

impl_from_small!(bool i8 i16 i32 u8 u16 u32);

impl From<i64> for BigInt {
    fn from(value: i64) -> Self {
        BigInt {
            value: Any::from(value),
        }
    }
}

impl From<u64> for BigInt {
    fn from(value: u64) -> Self {
        Self::from(u128::from(value))
    }
}

impl From<isize> for BigInt {
    fn from(value: isize) -> Self {
        Self::from(value as i64)
    }
}

impl From<usize> for BigInt {
    fn from(value: usize) -> Self {
        Self::from(value as u64)
    }
}

impl From<i128> for BigInt {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(value) => Self::from(value),
            Err(_) => Self::from_words(&[value as i64, (value >> 64) as i64]),
        }
    }
}

impl From<u128> for BigInt {
    fn from(value: u128) -> Self {
        match i64::try_from(value) {
            Ok(value) => Self::from(value),
            Err(_) => Self::from_words(&[value as i64, (value >> 64) as i64, 0]),
        }
    }
}

impl TryFrom<f64> for BigInt {
    type Error = Error;

    /// Return the number without its fraction.
    #[track_caller]
    fn try_from(value: f64) -> Result<Self> {
        if value.is_nan() {
            return Err(Error::at_caller(
                VALUE_ERROR,
                "Cannot convert NaN to BigInt",
            ));
        }
        if value.is_infinite() {
            return Err(Error::at_caller(
                OVERFLOW_ERROR,
                "Cannot convert infinity to BigInt",
            ));
        }
        let limbs = magnitude::from_f64(value.abs());
        Ok(Self::from_canonical(words::from_magnitude(
            value < 0.0,
            limbs,
        )))
    }
}

impl FromStr for BigInt {
    type Err = Error;

    /// Parse an optional sign and decimal digits.
    fn from_str(text: &str) -> Result<Self> {
        match words::from_decimal(text) {
            Some(words) => Ok(Self::from_canonical(words)),
            None => {
                let message = format!("Cannot parse `{text}` as a decimal integer");
                Err(Error::at_caller(VALUE_ERROR, &message))
            }
        }
    }
}

impl BigInt {
    /// Return the number as an `i64`, or `None` if it does not fit.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        self.small()
    }

    /// Return the number as a `u64`, or `None` if it does not fit.
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(self.to_u128()?).ok()
    }

    /// Return the number as an `i128`, or `None` if it does not fit.
    pub fn to_i128(&self) -> Option<i128> {
        match *self.words() {
            [low] => Some(i128::from(low)),
            [low, high] => Some(i128::from(low as u64) | (i128::from(high) << 64)),
            _ => None,
        }
    }

    /// Return the number as a `u128`, or `None` if it does not fit.
    pub fn to_u128(&self) -> Option<u128> {
        match *self.words() {
            [low, high, 0] => Some(u128::from(low as u64) | (u128::from(high as u64) << 64)),
            _ => u128::try_from(self.to_i128()?).ok(),
        }
    }

    /// Return the nearest `f64`. If two values are equally near, return the value with an even
    /// mantissa.
    ///
    /// # Errors
    ///
    /// `OverflowError` if the number is larger than every finite `f64`.
    #[track_caller]
    pub fn to_f64(&self) -> Result<f64> {
        let (negative, limbs) = words::to_magnitude(self.words());
        let value = magnitude::to_f64(&limbs);
        if value.is_infinite() {
            return Err(Error::at_caller(
                OVERFLOW_ERROR,
                "BigInt does not fit finite double",
            ));
        }
        Ok(if negative { -value } else { value })
    }
}

// SAFETY: the value is an int or owns a `ffi.BigInt` object; the checks accept only these.
unsafe impl AnyCompatible for BigInt {
    #[inline]
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        *data = *src.raw();
    }

    #[inline]
    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        // SAFETY: the function moves the ownership of the value to `data`.
        *data = unsafe { Any::into_raw_ffi_any(src.value) };
    }

    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == TVMFFITypeIndex::kTVMFFIInt as i32
            || data.type_index == TVMFFITypeIndex::kTVMFFIBigInt as i32
    }

    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        // SAFETY: the caller checked that `data` is an int or a live object.
        BigInt {
            value: Any::from(unsafe { AnyView::from_raw_ffi_any(*data) }),
        }
    }

    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
        // SAFETY: the caller checked `data` and gives up its ownership.
        BigInt {
            value: unsafe { Any::from_raw_ffi_any(std::mem::take(data)) },
        }
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that `data` is valid; the type index selects the payload.
        unsafe {
            if Self::check_any_strict(data) {
                Ok(Self::copy_from_any_view_after_check(data))
            } else if data.type_index == TVMFFITypeIndex::kTVMFFIBool as i32 {
                Ok(Self::from(data.data_union.v_int64 != 0))
            } else {
                Err(())
            }
        }
    }

    unsafe fn is_undefined(field: *const Self) -> bool {
        // SAFETY: the caller guarantees that the pointer is valid; a `BigInt` has the layout of a C
        // value.
        unsafe { (*field.cast::<TVMFFIAny>()).type_index == TVMFFITypeIndex::kTVMFFINone as i32 }
    }

    fn type_str() -> String {
        "BigInt".to_string()
    }

    fn type_schema() -> String {
        r#"{"type":"ffi.BigInt"}"#.to_string()
    }
}

crate::impl_try_from_any!(BigInt);
crate::impl_arg_into_ref!(BigInt);
crate::impl_into_arg_holder_default!(BigInt);
