// SPDX-License-Identifier: Apache-2.0
//! [`BigInt`]: an integer of any size, stored as a plain int if it fits `i64`.

mod convert;
mod magnitude;
mod ops;
mod words;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use tvm_ffi_sys::{
    TVMFFIAny, TVMFFIBigIntFromByteArray, TVMFFIBigIntGetContentByteArray, TVMFFIByteArray,
    TVMFFITypeIndex,
};

use crate::any::Any;
use crate::error::{Error, Result, OVERFLOW_ERROR, VALUE_ERROR, ZERO_DIVISION_ERROR};

/// An immutable integer of any size.
///
/// A value that fits `i64` is stored as an int of the ABI. A larger value is stored in an object,
/// which clones share. The operators work like the operators of Rust's integers: `/` and `%`
/// truncate. The operators accept [`BigInt`] and `i64` on either side, owned or borrowed. For each
/// operator that can panic, a `try_*` method returns the error instead.
///
/// ```
/// use tvm_ffi::BigInt;
///
/// let large = BigInt::from(1) << 100;
/// assert_eq!((&large + 1).to_string(), "1267650600228229401496703205377");
/// assert_eq!(&large / &large, BigInt::from(1));
/// assert_eq!((large >> 98).to_i64(), Some(4));
/// ```
#[repr(transparent)]
#[derive(Clone)]
pub struct BigInt {
    /// An int, or a `ffi.BigInt` object for a value that does not fit `i64`.
    value: Any,
}

// SAFETY: the words are immutable, and the reference count is atomic.
unsafe impl Send for BigInt {}
// SAFETY: the words are immutable, and the reference count is atomic.
unsafe impl Sync for BigInt {}

impl BigInt {
    /// Return 0.
    pub fn new() -> Self {
        Self::from(0)
    }

    /// Return the number with these two's-complement words, the least significant first.
    ///
    /// Redundant sign words are allowed. An empty slice is 0.
    pub fn from_words(words: &[i64]) -> Self {
        Self::from_canonical(words::canonical(words.to_vec()))
    }

    /// Return the number with these words, which have no redundant sign word.
    fn from_canonical(words: Vec<i64>) -> Self {
        if let [word] = words[..] {
            return Self::from(word);
        }
        let bytes = TVMFFIByteArray::new(
            words.as_ptr().cast(),
            std::mem::size_of_val(words.as_slice()),
        );
        let mut out = TVMFFIAny::new();
        // SAFETY: `bytes` describes `words`; the call overwrites `out`.
        let code = unsafe { TVMFFIBigIntFromByteArray(&bytes, &mut out) };
        // The bytes are whole words, which are always valid: the only possible failure is lack of
        // memory.
        assert_eq!(
            code,
            0,
            "cannot allocate an integer of {} words",
            words.len()
        );
        // SAFETY: on success `out` owns an int or a `ffi.BigInt`.
        BigInt {
            value: unsafe { Any::from_raw_ffi_any(out) },
        }
    }

    /// Return the two's-complement words, the least significant first. There is at least one word,
    /// and no redundant sign word.
    #[inline]
    pub fn words(&self) -> &[i64] {
        let raw = self.raw();
        if raw.type_index == TVMFFITypeIndex::kTVMFFIBigInt as i32 {
            // SAFETY: the value is a `ffi.BigInt`; the words live as long as the object.
            let bytes = unsafe { TVMFFIBigIntGetContentByteArray(raw) };
            if !bytes.data.is_null() {
                // SAFETY: the object has `size` bytes of whole, aligned, immutable words.
                return unsafe { std::slice::from_raw_parts(bytes.data.cast(), bytes.size / 8) };
            }
        }
        // SAFETY: the payload of an int is one word. An undefined `BigInt` consists of zero bytes,
        // so its payload is the word 0.
        std::slice::from_ref(unsafe { &raw.data_union.v_int64 })
    }

    /// Return the C value.
    #[inline]
    fn raw(&self) -> &TVMFFIAny {
        self.value.raw()
    }

    /// Return the value if it is stored as an int.
    #[inline]
    fn small(&self) -> Option<i64> {
        match self.words() {
            [word] => Some(*word),
            _ => None,
        }
    }

    /// Return whether the number is below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        words::is_negative(self.words())
    }

    /// Return whether the number is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.small() == Some(0)
    }

    /// Divide, rounding towards zero.
    ///
    /// # Errors
    ///
    /// `ZeroDivisionError` if `divisor` is zero.
    #[track_caller]
    pub fn try_div(&self, divisor: &BigInt) -> Result<BigInt> {
        Ok(self.div_rem(divisor)?.0)
    }

    /// Return the remainder of [`BigInt::try_div`]. The remainder has the sign of `self`.
    #[track_caller]
    pub fn try_rem(&self, divisor: &BigInt) -> Result<BigInt> {
        Ok(self.div_rem(divisor)?.1)
    }

    /// Divide, rounding towards zero; return the quotient and the remainder.
    #[track_caller]
    pub fn div_rem(&self, divisor: &BigInt) -> Result<(BigInt, BigInt)> {
        if divisor.is_zero() {
            return Err(Error::at_caller(ZERO_DIVISION_ERROR, "Division by zero"));
        }
        if let (Some(a), Some(b)) = (self.small(), divisor.small()) {
            if let (Some(quotient), Some(remainder)) = (a.checked_div(b), a.checked_rem(b)) {
                return Ok((quotient.into(), remainder.into()));
            }
        }
        let (quotient, remainder) = words::divide(self.words(), divisor.words());
        Ok((
            Self::from_canonical(quotient),
            Self::from_canonical(remainder),
        ))
    }

    /// Divide, rounding down, like Python's `//`.
    #[track_caller]
    pub fn floor_div(&self, divisor: &BigInt) -> Result<BigInt> {
        let (quotient, remainder) = self.div_rem(divisor)?;
        let rounded_up = !remainder.is_zero() && remainder.is_negative() != divisor.is_negative();
        Ok(if rounded_up { quotient - 1 } else { quotient })
    }

    /// Return the remainder of [`BigInt::floor_div`]. The remainder has the sign of `divisor`.
    #[track_caller]
    pub fn floor_mod(&self, divisor: &BigInt) -> Result<BigInt> {
        let (_, remainder) = self.div_rem(divisor)?;
        let rounded_up = !remainder.is_zero() && remainder.is_negative() != divisor.is_negative();
        Ok(if rounded_up {
            remainder + divisor
        } else {
            remainder
        })
    }

    /// Shift left.
    ///
    /// # Errors
    ///
    /// `ValueError` for a negative count, `OverflowError` if the result would need more than 512
    /// MiB.
    #[track_caller]
    pub fn try_shl<C: Into<BigInt>>(&self, count: C) -> Result<BigInt> {
        let count = count.into();
        Self::check_shift(&count)?;
        // Zero stays zero, even if the count does not fit `u64`.
        if self.is_zero() {
            return Ok(Self::new());
        }
        let Some(count) = count.to_u64() else {
            let message = "BigInt shift count is too large";
            return Err(Error::at_caller(OVERFLOW_ERROR, message));
        };
        match words::shift_left(self.words(), count) {
            Some(words) => Ok(Self::from_canonical(words)),
            None => Err(Error::at_caller(
                OVERFLOW_ERROR,
                "BigInt allocation is too large",
            )),
        }
    }

    /// Shift right, rounding down.
    ///
    /// # Errors
    ///
    /// `ValueError` for a negative count.
    #[track_caller]
    pub fn try_shr<C: Into<BigInt>>(&self, count: C) -> Result<BigInt> {
        let count = count.into();
        Self::check_shift(&count)?;
        let count = count.to_u64().unwrap_or(u64::MAX);
        Ok(Self::from_canonical(words::shift_right(
            self.words(),
            count,
        )))
    }

    /// Return an error if the count of a shift is negative.
    #[track_caller]
    fn check_shift(count: &BigInt) -> Result<()> {
        if count.is_negative() {
            return Err(Error::at_caller(VALUE_ERROR, "Negative BigInt shift count"));
        }
        Ok(())
    }
}

impl Default for BigInt {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for BigInt {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for BigInt {}

impl PartialOrd for BigInt {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BigInt {
    fn cmp(&self, other: &Self) -> Ordering {
        words::compare(self.words(), other.words())
    }
}

impl Hash for BigInt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

impl fmt::Display for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.small() {
            Some(value) => value.to_string(),
            None => words::to_decimal(self.words()),
        };
        let digits = text.strip_prefix('-');
        f.pad_integral(digits.is_none(), "", digits.unwrap_or(&text))
    }
}

impl fmt::Debug for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ffi.BigInt")
            .field("data", &format_args!("{self}"))
            .finish()
    }
}
