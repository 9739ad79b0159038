// SPDX-License-Identifier: Apache-2.0
//! Arithmetic on two's-complement words, the least significant first, as `BigInt` stores them.
//!
//! Inputs are not empty. Results are canonical: they are not empty, and have no redundant sign
//! word. This module does not use the runtime.

use super::magnitude;
use std::cmp::Ordering;

/// Maximal number of words (512 MiB) of the result of a left shift.
pub(super) const MAX_WORDS: usize = 1 << 26;

/// Return the sign extension of the last word: 0, or -1 for a negative number.
fn sign_word(words: &[i64]) -> i64 {
    words.last().copied().unwrap_or(0) >> 63
}

/// Return word `i` of the number. Beyond the last word, return the sign word.
fn word(words: &[i64], i: usize) -> i64 {
    words.get(i).copied().unwrap_or_else(|| sign_word(words))
}

/// Remove redundant sign words; an empty number becomes zero.
pub(super) fn canonical(mut words: Vec<i64>) -> Vec<i64> {
    while let [.., below, last] = words[..] {
        if last != below >> 63 {
            break;
        }
        words.pop();
    }
    if words.is_empty() {
        words.push(0);
    }
    words
}

/// Return whether the number is below zero.
pub(super) fn is_negative(words: &[i64]) -> bool {
    sign_word(words) < 0
}

/// Compare two canonical numbers.
pub(super) fn compare(a: &[i64], b: &[i64]) -> Ordering {
    match (is_negative(a), is_negative(b)) {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        _ => {}
    }
    let by_length = a.len().cmp(&b.len());
    let by_length = if is_negative(a) {
        by_length.reverse()
    } else {
        by_length
    };
    by_length.then_with(|| {
        // Equal sign and length: the words compare as unsigned numbers.
        let unsigned = a.iter().rev().map(|&w| w as u64);
        unsigned.cmp(b.iter().rev().map(|&w| w as u64))
    })
}

/// Return `a + b + carry`; with `invert`, use the complement of `b`.
fn add_with(a: &[i64], b: &[i64], invert: bool, mut carry: bool) -> Vec<i64> {
    let count = a.len().max(b.len()) + 1;
    let mut out = Vec::with_capacity(count);
    for i in 0..count {
        let y = if invert { !word(b, i) } else { word(b, i) };
        let (value, first) = (word(a, i) as u64).overflowing_add(y as u64);
        let (value, second) = value.overflowing_add(u64::from(carry));
        out.push(value as i64);
        carry = first | second;
    }
    canonical(out)
}

/// `a + b`.
pub(super) fn add(a: &[i64], b: &[i64]) -> Vec<i64> {
    add_with(a, b, false, false)
}

/// `a - b`.
pub(super) fn subtract(a: &[i64], b: &[i64]) -> Vec<i64> {
    add_with(a, b, true, true)
}

/// Return the sign and the magnitude.
pub(super) fn to_magnitude(words: &[i64]) -> (bool, Vec<u64>) {
    let negative = is_negative(words);
    let mut limbs: Vec<u64> = words.iter().map(|&w| w as u64).collect();
    if negative {
        negate_limbs(&mut limbs);
    }
    magnitude::trim(&mut limbs);
    (negative, limbs)
}

/// Return the number with this sign and magnitude.
pub(super) fn from_magnitude(negative: bool, mut limbs: Vec<u64>) -> Vec<i64> {
    limbs.push(0);
    if negative {
        negate_limbs(&mut limbs);
    }
    canonical(limbs.into_iter().map(|limb| limb as i64).collect())
}

/// Replace the limbs by their two's complement.
fn negate_limbs(limbs: &mut [u64]) {
    let mut carry = true;
    for limb in limbs {
        let (value, overflow) = (!*limb).overflowing_add(u64::from(carry));
        *limb = value;
        carry = overflow;
    }
}

/// `a * b`.
pub(super) fn multiply(a: &[i64], b: &[i64]) -> Vec<i64> {
    let (a_negative, a) = to_magnitude(a);
    let (b_negative, b) = to_magnitude(b);
    from_magnitude(a_negative != b_negative, magnitude::multiply(&a, &b))
}

/// Return the quotient, rounded towards zero, and the remainder, which has the sign of `a`. `b` is
/// not zero.
pub(super) fn divide(a: &[i64], b: &[i64]) -> (Vec<i64>, Vec<i64>) {
    let (a_negative, a) = to_magnitude(a);
    let (b_negative, b) = to_magnitude(b);
    let (quotient, remainder) = magnitude::divide(&a, &b);
    (
        from_magnitude(a_negative != b_negative, quotient),
        from_magnitude(a_negative, remainder),
    )
}

/// Combine the words of two numbers one by one, after sign extension to equal length.
pub(super) fn combine(a: &[i64], b: &[i64], operation: impl Fn(i64, i64) -> i64) -> Vec<i64> {
    let count = a.len().max(b.len());
    canonical(
        (0..count)
            .map(|i| operation(word(a, i), word(b, i)))
            .collect(),
    )
}

/// Return `a << count`, or `None` if the result has more than [`MAX_WORDS`] words.
pub(super) fn shift_left(a: &[i64], count: u64) -> Option<Vec<i64>> {
    if a == [0] {
        return Some(vec![0]);
    }
    let zeros = usize::try_from(count / 64).ok()?;
    if zeros >= MAX_WORDS || a.len() + 1 > MAX_WORDS - zeros {
        return None;
    }
    let small = (count % 64) as u32;
    let mut out = vec![0i64; zeros];
    let mut below = 0u64;
    for i in 0..=a.len() {
        let current = word(a, i) as u64;
        let carry = if small == 0 { 0 } else { below >> (64 - small) };
        out.push(((current << small) | carry) as i64);
        below = current;
    }
    Some(canonical(out))
}

/// Return `a >> count`, rounded down.
pub(super) fn shift_right(a: &[i64], count: u64) -> Vec<i64> {
    let skipped = usize::try_from(count / 64)
        .unwrap_or(usize::MAX)
        .min(a.len());
    let small = (count % 64) as u32;
    let rest = a.len() - skipped;
    let mut out = Vec::with_capacity(rest + 1);
    for i in skipped..a.len() {
        let above = if small == 0 {
            0
        } else {
            (word(a, i + 1) as u64) << (64 - small)
        };
        out.push((((a[i] as u64) >> small) | above) as i64);
    }
    if small != 0 || rest == 0 {
        out.push(sign_word(a));
    }
    canonical(out)
}

/// Return the decimal text.
pub(super) fn to_decimal(words: &[i64]) -> String {
    let (negative, limbs) = to_magnitude(words);
    let digits = magnitude::to_decimal(&limbs);
    if negative {
        format!("-{digits}")
    } else {
        digits
    }
}

/// Parse an optional sign and decimal digits.
pub(super) fn from_decimal(text: &str) -> Option<Vec<i64>> {
    let bytes = text.as_bytes();
    let (negative, digits) = match bytes.first()? {
        b'-' => (true, &bytes[1..]),
        b'+' => (false, &bytes[1..]),
        _ => (false, bytes),
    };
    Some(from_magnitude(negative, magnitude::from_decimal(digits)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_i128(value: i128) -> Vec<i64> {
        canonical(vec![value as i64, (value >> 64) as i64])
    }

    fn to_i128(words: &[i64]) -> i128 {
        assert!(words.len() <= 2, "{words:?}");
        i128::from(word(words, 0) as u64) | i128::from(word(words, 1)) << 64
    }

    /// Return a number of up to 127 bits from a linear congruential generator; all lengths occur.
    fn random(state: &mut u64) -> i128 {
        let mut step = || {
            *state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            *state >> 11
        };
        let value = i128::from(step()) << 75 ^ i128::from(step()) << 40 ^ i128::from(step());
        value >> (step() % 127)
    }

    #[test]
    fn operations_equal_those_of_i128() {
        let mut state = 7;
        for _ in 0..20_000 {
            let (x, y) = (random(&mut state) >> 1, random(&mut state) >> 1);
            let (a, b) = (from_i128(x), from_i128(y));
            assert_eq!(compare(&a, &b), x.cmp(&y));
            assert_eq!(to_i128(&add(&a, &b)), x + y);
            assert_eq!(to_i128(&subtract(&a, &b)), x - y);
            assert_eq!(to_i128(&combine(&a, &b, |x, y| x & y)), x & y);
            assert_eq!(to_decimal(&a), x.to_string());
            assert_eq!(from_decimal(&x.to_string()), Some(a.clone()));
            let count = (y as u64) % 200;
            assert_eq!(to_i128(&shift_right(&a, count)), x >> count.min(127));
            if y != 0 {
                let (quotient, remainder) = divide(&a, &b);
                assert_eq!((to_i128(&quotient), to_i128(&remainder)), (x / y, x % y));
            }
            if let Some(product) = x.checked_mul(y) {
                assert_eq!(to_i128(&multiply(&a, &b)), product);
            }
            let (negative, limbs) = to_magnitude(&a);
            let float = magnitude::to_f64(&limbs);
            assert_eq!(if negative { -float } else { float }, x as f64);
        }
    }

    #[test]
    fn division_corrects_a_quotient_digit_that_is_too_large() {
        // The division needs both corrections of algorithm D: the loop, and the addition of the
        // divisor.
        let a = [0u64, 0, 0x8000_0000_0000_0000, 0x7fff_ffff_ffff_ffff];
        let b = [1u64, 0, 0x8000_0000_0000_0000];
        let (quotient, remainder) = magnitude::divide(&a, &b);
        let mut product = from_magnitude(false, magnitude::multiply(&quotient, &b));
        product = add(&product, &from_magnitude(false, remainder.clone()));
        assert_eq!(product, from_magnitude(false, a.to_vec()));
        assert_eq!(magnitude::compare(&remainder, &b), Ordering::Less);
    }

    #[test]
    fn canonical_keeps_one_sign_word() {
        assert_eq!(canonical(vec![]), [0]);
        assert_eq!(canonical(vec![5, 0, 0]), [5]);
        assert_eq!(canonical(vec![-1, -1]), [-1]);
        assert_eq!(canonical(vec![i64::MIN, 0]), [i64::MIN, 0]);
        assert_eq!(canonical(vec![1, -1]), [1, -1]);
    }

    #[test]
    fn shifts_by_whole_words_and_huge_counts() {
        assert_eq!(shift_left(&[-3], 64).unwrap(), [0, -3]);
        assert_eq!(shift_left(&[-3], 0).unwrap(), [-3]);
        assert_eq!(shift_left(&[1], 63).unwrap(), [i64::MIN, 0]);
        assert_eq!(shift_left(&[0], u64::MAX).unwrap(), [0]);
        assert_eq!(shift_left(&[1], u64::MAX), None);
        assert_eq!(shift_right(&[5, 7], 64), [7]);
        assert_eq!(shift_right(&[5, -7], u64::MAX), [-1]);
        assert_eq!(shift_right(&[5, 7], u64::MAX), [0]);
    }

    #[test]
    fn floats_round_to_even_and_truncate() {
        let two_53 = 1u64 << 53;
        assert_eq!(magnitude::to_f64(&[two_53 + 1]), two_53 as f64);
        assert_eq!(magnitude::to_f64(&[two_53 + 3]), (two_53 + 4) as f64);
        assert_eq!(magnitude::to_f64(&[0, 0, 1]), 2f64.powi(128));
        assert_eq!(magnitude::to_f64(&[u64::MAX; 16]), f64::INFINITY);
        assert_eq!(magnitude::from_f64(0.75), Vec::<u64>::new());
        assert_eq!(magnitude::from_f64(1.99), [1]);
        assert_eq!(magnitude::from_f64(2f64.powi(130)), [0, 0, 4]);
        assert_eq!(magnitude::from_f64(f64::MAX).len(), 16);
    }
}
