// SPDX-License-Identifier: Apache-2.0
//! Arithmetic on magnitudes. A magnitude is a sequence of `u64` limbs, the least significant first,
//! without leading zeros.
//!
//! Zero is the empty slice. This module does not use the runtime.

use std::cmp::Ordering;

/// The largest power of ten that fits one limb, and its exponent.
const DECIMAL_CHUNK: u64 = 10_000_000_000_000_000_000;
const DECIMAL_CHUNK_DIGITS: usize = 19;

/// Remove zero limbs at the most significant end.
pub(super) fn trim(limbs: &mut Vec<u64>) {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}

/// Compare two trimmed magnitudes.
pub(super) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len()
        .cmp(&b.len())
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// Multiply two magnitudes.
pub(super) fn multiply(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0u64; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (j, &y) in b.iter().enumerate() {
            let sum = u128::from(x) * u128::from(y) + u128::from(out[i + j]) + carry;
            out[i + j] = sum as u64;
            carry = sum >> 64;
        }
        out[i + b.len()] = carry as u64;
    }
    trim(&mut out);
    out
}

/// Divide `limbs` in place by one limb that is not zero, and return the remainder.
pub(super) fn divide_by_limb(limbs: &mut Vec<u64>, divisor: u64) -> u64 {
    let mut remainder = 0u128;
    for limb in limbs.iter_mut().rev() {
        let dividend = (remainder << 64) | u128::from(*limb);
        *limb = (dividend / u128::from(divisor)) as u64;
        remainder = dividend % u128::from(divisor);
    }
    trim(limbs);
    remainder as u64
}

/// Return the quotient and the remainder; `b` is not zero (Knuth, algorithm D).
pub(super) fn divide(a: &[u64], b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    if compare(a, b) == Ordering::Less {
        return (Vec::new(), a.to_vec());
    }
    if let [divisor] = *b {
        let mut quotient = a.to_vec();
        let remainder = divide_by_limb(&mut quotient, divisor);
        let mut remainder = vec![remainder];
        trim(&mut remainder);
        return (quotient, remainder);
    }
    let shift = b[b.len() - 1].leading_zeros();
    let divisor = shift_left_small(b, shift, false);
    let mut rest = shift_left_small(a, shift, true);
    let n = divisor.len();
    let steps = rest.len() - n;
    let mut quotient = vec![0u64; steps];
    for j in (0..steps).rev() {
        quotient[j] = divide_step(&mut rest[j..=j + n], &divisor);
    }
    trim(&mut quotient);
    rest.truncate(n);
    (quotient, shift_right_small(&rest, shift))
}

/// Return one digit of the quotient, and subtract the product of digit and divisor from `rest`.
///
/// `rest` has one limb more than `divisor`, and the top bit of `divisor` is set.
fn divide_step(rest: &mut [u64], divisor: &[u64]) -> u64 {
    let n = divisor.len();
    let top = u128::from(divisor[n - 1]);
    let head = (u128::from(rest[n]) << 64) | u128::from(rest[n - 1]);
    let mut guess = head / top;
    let mut left = head % top;
    while guess >> 64 != 0
        || guess * u128::from(divisor[n - 2]) > ((left << 64) | u128::from(rest[n - 2]))
    {
        guess -= 1;
        left += top;
        if left >> 64 != 0 {
            break;
        }
    }
    let mut digit = guess as u64;
    if subtract_multiple(rest, divisor, digit) {
        digit -= 1;
        add_back(rest, divisor);
    }
    digit
}

/// Subtract `digit * divisor` from `rest`, and return whether the result is negative.
fn subtract_multiple(rest: &mut [u64], divisor: &[u64], digit: u64) -> bool {
    let mut carry = 0u128;
    let mut borrow = false;
    for (limb, &d) in rest.iter_mut().zip(divisor) {
        let product = u128::from(digit) * u128::from(d) + carry;
        carry = product >> 64;
        let (value, first) = limb.overflowing_sub(product as u64);
        let (value, second) = value.overflowing_sub(u64::from(borrow));
        *limb = value;
        borrow = first | second;
    }
    let last = &mut rest[divisor.len()];
    let (value, first) = last.overflowing_sub(carry as u64);
    let (value, second) = value.overflowing_sub(u64::from(borrow));
    *last = value;
    first | second
}

/// Add `divisor` to `rest`, dropping the last carry.
fn add_back(rest: &mut [u64], divisor: &[u64]) {
    let mut carry = false;
    for (limb, &d) in rest.iter_mut().zip(divisor) {
        let (value, first) = limb.overflowing_add(d);
        let (value, second) = value.overflowing_add(u64::from(carry));
        *limb = value;
        carry = first | second;
    }
    let last = &mut rest[divisor.len()];
    *last = last.wrapping_add(u64::from(carry));
}

/// Shift left by less than 64 bits. With `extra`, append the carry limb even if it is zero.
fn shift_left_small(limbs: &[u64], shift: u32, extra: bool) -> Vec<u64> {
    let mut out = Vec::with_capacity(limbs.len() + 1);
    let mut carry = 0u64;
    for &limb in limbs {
        out.push((limb << shift) | carry);
        carry = if shift == 0 { 0 } else { limb >> (64 - shift) };
    }
    if extra {
        out.push(carry);
    }
    out
}

/// Shift right by less than 64 bits, and trim.
fn shift_right_small(limbs: &[u64], shift: u32) -> Vec<u64> {
    let mut out = Vec::with_capacity(limbs.len());
    for (i, &limb) in limbs.iter().enumerate() {
        let above = limbs.get(i + 1).copied().unwrap_or(0);
        let carry = if shift == 0 { 0 } else { above << (64 - shift) };
        out.push((limb >> shift) | carry);
    }
    trim(&mut out);
    out
}

/// Return the decimal digits of a trimmed magnitude; zero gives `0`.
pub(super) fn to_decimal(limbs: &[u64]) -> String {
    let mut rest = limbs.to_vec();
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        chunks.push(divide_by_limb(&mut rest, DECIMAL_CHUNK));
    }
    let mut text = chunks.pop().unwrap_or(0).to_string();
    for chunk in chunks.iter().rev() {
        text.push_str(&format!("{chunk:0width$}", width = DECIMAL_CHUNK_DIGITS));
    }
    text
}

/// Parse decimal digits. Return `None` if `digits` is empty or contains another character.
pub(super) fn from_decimal(digits: &[u8]) -> Option<Vec<u64>> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut limbs = Vec::new();
    for chunk in digits.chunks(DECIMAL_CHUNK_DIGITS) {
        let value = chunk
            .iter()
            .fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
        multiply_add(&mut limbs, 10u64.pow(chunk.len() as u32), value);
    }
    trim(&mut limbs);
    Some(limbs)
}

/// Replace `limbs` by `limbs * factor + summand`.
fn multiply_add(limbs: &mut Vec<u64>, factor: u64, summand: u64) {
    let mut carry = u128::from(summand);
    for limb in limbs.iter_mut() {
        let value = u128::from(*limb) * u128::from(factor) + carry;
        *limb = value as u64;
        carry = value >> 64;
    }
    if carry != 0 {
        limbs.push(carry as u64);
    }
}

/// Round to the nearest `f64`, ties to even. Return infinity if the value is larger than every
/// finite `f64`.
pub(super) fn to_f64(limbs: &[u64]) -> f64 {
    let Some(&top) = limbs.last() else { return 0.0 };
    let bits = limbs.len() * 64 - top.leading_zeros() as usize;
    if bits > 1024 {
        return f64::INFINITY;
    }
    // `head` gets the highest 64 bits. Its lowest bit is also set if a lower bit of the number is
    // set (a sticky bit). `u64 as f64` rounds to nearest with ties to even, so rounding `head`
    // gives the same mantissa as rounding the complete number.
    let shift = bits.saturating_sub(64);
    let (words, small) = (shift / 64, (shift % 64) as u32);
    let high = &limbs[words..];
    let mut head = high[0] >> small;
    if small != 0 {
        if let Some(&above) = high.get(1) {
            head |= above << (64 - small);
        }
    }
    let below = limbs[..words].iter().any(|&limb| limb != 0)
        || (small != 0 && high[0] << (64 - small) != 0);
    let head = head | u64::from(below);
    // `shift` is at most 960, so the power is finite and exact. Only the product may overflow.
    head as f64 * 2f64.powi(shift as i32)
}

/// Return the integer part of a finite, non-negative `f64`.
pub(super) fn from_f64(value: f64) -> Vec<u64> {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    if exponent < -52 {
        return Vec::new();
    }
    let mut limbs = if exponent <= 0 {
        vec![mantissa >> -exponent]
    } else {
        let mut limbs = vec![0; exponent as usize / 64];
        limbs.extend(shift_left_small(&[mantissa], (exponent % 64) as u32, true));
        limbs
    };
    trim(&mut limbs);
    limbs
}
