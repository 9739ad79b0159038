// SPDX-License-Identifier: Apache-2.0
//! Tests of `BigInt`. Python computes some of the expected results.

mod common;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::process::Command;

use tvm_ffi::{
    Any, AnyView, Array, BigInt, TypeIndex, OVERFLOW_ERROR, TYPE_ERROR, VALUE_ERROR,
    ZERO_DIVISION_ERROR,
};

/// A Python program that prints 10,000 lines: two random integers, a shift count, and the
/// results of all operations.
const SCRIPT: &str = r#"
import random
rng = random.Random(20261123)

def number():
    bits = rng.choice((8, 31, 63, 64, 65, 127, 128, 129, 200, 500, 1500))
    value = rng.getrandbits(rng.randint(0, bits))
    if rng.random() < 0.1:
        value = (1 << bits) - rng.randint(0, 2)
    return -value if rng.random() < 0.5 else value

def truncate(a, b):
    quotient = abs(a) // abs(b)
    quotient = -quotient if (a < 0) != (b < 0) else quotient
    return quotient, a - quotient * b

for _ in range(10000):
    a, b, count = number(), number(), rng.randint(0, 300)
    values = [a, b, count, a + b, a - b, a * b, a & b, a | b, a ^ b, -a, ~a, a << count, a >> count]
    values.append((a > b) - (a < b))
    if b:
        values += [*truncate(a, b), a // b, a % b]
    values = [str(value) for value in values]
    try:
        values.append(float(a).hex())
    except OverflowError:
        values.append("overflow")
    print(*values)
"#;

/// Run the script and return its output.
fn python_results() -> String {
    let python = std::env::var("TVM_FFI_TEST_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let output = Command::new(&python).args(["-c", SCRIPT]).output();
    let output = output.unwrap_or_else(|error| panic!("cannot run {python}: {error}"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Parse a number in the format of Python's `float.hex`.
fn parse_hex(text: &str) -> f64 {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (digits, exponent) = text.strip_prefix("0x").unwrap().split_once('p').unwrap();
    let (whole, fraction) = digits.split_once('.').unwrap();
    let mut value = whole.parse::<f64>().unwrap();
    for (i, digit) in fraction.chars().enumerate() {
        let digit = f64::from(digit.to_digit(16).unwrap());
        value += digit * 16f64.powi(-(i as i32) - 1);
    }
    let exponent: i32 = exponent.parse().unwrap();
    let value = value * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    if negative {
        -value
    } else {
        value
    }
}

fn big(text: &str) -> BigInt {
    text.parse().unwrap()
}

// spec: RUST-R13
#[test]
fn arithmetic_equals_that_of_python() {
    let mut lines = 0;
    for line in python_results().lines() {
        lines += 1;
        let fields: Vec<&str> = line.split(' ').collect();
        let (a, b, count) = (big(fields[0]), big(fields[1]), big(fields[2]));
        let check = |index: usize, value: BigInt, what: &str| {
            assert_eq!(
                value.to_string(),
                fields[index],
                "{what} of {a} and {b}, count {count}"
            );
            assert_eq!(value, big(fields[index]), "{what} is not canonical");
        };
        check(0, a.clone(), "value");
        check(3, &a + &b, "sum");
        check(4, &a - &b, "difference");
        check(5, &a * &b, "product");
        check(6, &a & &b, "and");
        check(7, &a | &b, "or");
        check(8, &a ^ &b, "exclusive or");
        check(9, -&a, "negation");
        check(10, !&a, "complement");
        check(11, &a << &count, "left shift");
        check(12, &a >> &count, "right shift");
        assert_eq!(
            (a.cmp(&b) as i32).to_string(),
            fields[13],
            "order of {a} and {b}"
        );
        if b.is_zero() {
            assert_eq!(a.div_rem(&b).unwrap_err().kind(), ZERO_DIVISION_ERROR);
        } else {
            check(14, &a / &b, "quotient");
            check(15, &a % &b, "remainder");
            check(16, a.floor_div(&b).unwrap(), "floor quotient");
            check(17, a.floor_mod(&b).unwrap(), "floor remainder");
        }
        match fields[fields.len() - 1] {
            "overflow" => assert_eq!(a.to_f64().unwrap_err().kind(), OVERFLOW_ERROR),
            hex => assert_eq!(a.to_f64().unwrap(), parse_hex(hex), "{a} as a float"),
        }
    }
    assert_eq!(lines, 10_000);
}

// spec: RUST-R13
#[test]
fn words_are_canonical() {
    assert_eq!(BigInt::new().words(), [0]);
    assert_eq!(BigInt::from_words(&[]).words(), [0]);
    assert_eq!(BigInt::from_words(&[5, 0, 0]).words(), [5]);
    assert_eq!(BigInt::from_words(&[-1, -1]).words(), [-1]);
    assert_eq!(
        BigInt::from_words(&[i64::MIN, 0]).to_string(),
        "9223372036854775808"
    );
    assert_eq!(BigInt::from(u64::MAX).words(), [-1, 0]);
}

#[test]
fn a_value_that_fits_is_an_int_and_a_larger_one_an_object() {
    let small = Any::from(BigInt::from(i64::MIN));
    assert_eq!(small.type_index(), TypeIndex::kTVMFFIInt as i32);
    let large = Any::from(BigInt::from(i64::MIN) - 1);
    assert_eq!(large.type_index(), TypeIndex::kTVMFFIBigInt as i32);
    assert_eq!(large.debug_strong_count(), Some(1));
    let copy = BigInt::try_from(large.clone()).unwrap();
    assert_eq!(large.debug_strong_count(), Some(2));
    assert_eq!(copy.to_string(), "-9223372036854775809");
    drop(copy);
    assert_eq!(large.debug_strong_count(), Some(1));
}

#[test]
fn the_runtime_echoes_large_integers() {
    let echo = common::testing_function("testing.echo");
    for value in [
        BigInt::from(-7),
        BigInt::from(1) << 200,
        -(BigInt::from(1) << 64),
    ] {
        let result = echo.call_packed(&[AnyView::from(&value)]).unwrap();
        assert_eq!(BigInt::try_from(result).unwrap(), value);
    }
}

// spec: RUST-R08
#[test]
fn conversions_from_values() {
    assert_eq!(BigInt::try_from(Any::from(true)).unwrap(), BigInt::from(1));
    assert_eq!(BigInt::try_from(Any::from(3i64)).unwrap(), BigInt::from(3));
    let error = BigInt::try_from(Any::from(1.5f64)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `float` to `BigInt`"
    );
    assert_eq!(
        BigInt::try_from(Any::new()).unwrap_err().message(),
        "Cannot convert from type `None` to `BigInt`"
    );
    assert!(Any::from(true).try_as::<BigInt>().is_none());
    let mixed = Array::new(vec![Any::from(1i64), Any::from(BigInt::from(1) << 70)]);
    let numbers = Array::<BigInt>::try_from(Any::from(mixed)).unwrap();
    assert_eq!(numbers.iter().sum::<BigInt>(), (BigInt::from(1) << 70) + 1);
}

#[test]
fn conversions_to_integers_check_the_range() {
    let value = BigInt::from(u64::MAX);
    assert_eq!((value.to_i64(), value.to_u64()), (None, Some(u64::MAX)));
    assert_eq!(value.to_i128(), Some(i128::from(u64::MAX)));
    assert_eq!((&value + 1).to_u64(), None);
    assert_eq!(BigInt::from(-1).to_u64(), None);
    assert_eq!(BigInt::from(u128::MAX).to_u128(), Some(u128::MAX));
    assert_eq!(BigInt::from(u128::MAX).to_i128(), None);
    assert_eq!((BigInt::from(u128::MAX) + 1).to_u128(), None);
    assert_eq!(BigInt::from(i128::MIN).to_i128(), Some(i128::MIN));
    assert_eq!(BigInt::from(i128::MIN).to_u128(), None);
    assert_eq!(BigInt::from(7u8), BigInt::from(7usize));
    assert_eq!(BigInt::from(-7isize).to_i64(), Some(-7));
}

#[test]
fn conversions_from_floats_truncate() {
    assert_eq!(BigInt::try_from(-2.9).unwrap(), BigInt::from(-2));
    assert_eq!(BigInt::try_from(-0.0).unwrap(), BigInt::from(0));
    assert_eq!(
        BigInt::try_from(f64::MAX).unwrap().to_f64().unwrap(),
        f64::MAX
    );
    assert_eq!(BigInt::try_from(f64::NAN).unwrap_err().kind(), VALUE_ERROR);
    assert_eq!(
        BigInt::try_from(f64::INFINITY).unwrap_err().kind(),
        OVERFLOW_ERROR
    );
    // The largest finite value plus half a unit in the last place rounds to infinity.
    let limit = BigInt::try_from(f64::MAX).unwrap() + (BigInt::from(1) << 970);
    assert_eq!(limit.to_f64().unwrap_err().kind(), OVERFLOW_ERROR);
    assert_eq!((limit - 1).to_f64().unwrap(), f64::MAX);
}

#[test]
fn text_is_decimal() {
    assert_eq!(big("+12"), BigInt::from(12));
    assert_eq!(
        big("-00340282366920938463463374607431768211456"),
        -(BigInt::from(1) << 128)
    );
    for text in ["", "-", "+", "1_0", " 1", "0x1", "1.0", "--1", "\u{664}"] {
        let error = text.parse::<BigInt>().unwrap_err();
        assert_eq!(error.kind(), VALUE_ERROR, "{text}");
    }
    assert_eq!(
        format!("{:?}", BigInt::from(1) << 64),
        "ffi.BigInt { data: 18446744073709551616 }"
    );
    assert_eq!(
        format!(
            "{:>6}|{:<6}|{:+}",
            BigInt::from(-42),
            BigInt::from(42),
            BigInt::from(1)
        ),
        "   -42|42    |+1"
    );
}

#[allow(clippy::op_ref)]
#[test]
fn operators_take_borrowed_and_owned_operands_of_both_types() {
    let two = BigInt::from(2);
    assert_eq!(&two + 1, BigInt::from(3));
    assert_eq!(two.clone() + &1, BigInt::from(3));
    assert_eq!(1 + &two, BigInt::from(3));
    assert_eq!(&10 - two.clone(), BigInt::from(8));
    assert_eq!(&two * &two, BigInt::from(4));
    assert_eq!(1 << two.clone(), BigInt::from(4));
    let mut value = two.clone();
    value += 1;
    value *= &two;
    value -= BigInt::from(1);
    value <<= 3;
    value /= 3;
    value %= 7;
    value |= 8;
    value &= !1;
    value ^= &1;
    value >>= 1;
    let expected = ((((((2 + 1) * 2 - 1) << 3) / 3 % 7) | 8) & !1 ^ 1) >> 1;
    assert_eq!(value, BigInt::from(expected));
    assert_eq!(BigInt::from(i64::MIN) / -1, -BigInt::from(i64::MIN));
    let minus_one = BigInt::from(-1);
    assert_eq!(BigInt::from(i64::MIN) % minus_one, BigInt::from(0));
    assert!(two > BigInt::from(1) && two < BigInt::from(3) && two != BigInt::from(3));
    assert_eq!(
        [2, 3, 4].map(BigInt::from).into_iter().product::<BigInt>(),
        BigInt::from(24)
    );
}

#[test]
fn invalid_operations_are_errors_and_operators_panic() {
    let one = BigInt::from(1);
    let zero = BigInt::new();
    for error in [
        one.try_div(&zero).unwrap_err(),
        one.try_rem(&zero).unwrap_err(),
        one.floor_div(&zero).unwrap_err(),
        one.floor_mod(&zero).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ZERO_DIVISION_ERROR);
    }
    assert_eq!(one.try_shl(-1).unwrap_err().kind(), VALUE_ERROR);
    assert_eq!(one.try_shr(-1).unwrap_err().kind(), VALUE_ERROR);
    assert_eq!(one.try_shl(i64::MAX).unwrap_err().kind(), OVERFLOW_ERROR);
    assert_eq!(
        one.try_shl(BigInt::from(1) << 100).unwrap_err().kind(),
        OVERFLOW_ERROR
    );
    assert_eq!(
        zero.try_shl(BigInt::from(1) << 100).unwrap(),
        BigInt::from(0)
    );
    assert_eq!(
        one.try_shr(BigInt::from(1) << 100).unwrap(),
        BigInt::from(0)
    );
    assert_eq!(
        (-&one).try_shr(BigInt::from(1) << 100).unwrap(),
        BigInt::from(-1)
    );
    for operation in [
        || BigInt::from(1) / 0,
        || BigInt::from(1) % 0,
        || BigInt::from(1) << -1,
    ] {
        assert!(std::panic::catch_unwind(operation).is_err());
    }
}

#[test]
fn a_comparison_infers_the_type_of_the_other_side() {
    assert_eq!(BigInt::from(1) + 1, "2".parse().unwrap());
    assert!(BigInt::from(1) < 2.into());
}

#[test]
fn equal_values_have_equal_hashes() {
    let hash = |value: &BigInt| {
        let mut state = DefaultHasher::new();
        value.hash(&mut state);
        state.finish()
    };
    let large = BigInt::from(1) << 90;
    assert_eq!(hash(&large), hash(&((&large + 1) - 1)));
    assert_eq!(hash(&((&large - &large) + 5)), hash(&BigInt::from(5)));
}

// spec: RUST-R44
#[test]
fn values_may_be_shared_between_threads() {
    let value = BigInt::from(3) << 80;
    let threads: Vec<_> = (0..4)
        .map(|i| {
            let value = value.clone();
            std::thread::spawn(move || (0..1000).fold(value, |sum, _| sum + i))
        })
        .collect();
    for (i, thread) in threads.into_iter().enumerate() {
        assert_eq!(thread.join().unwrap(), &value + 1000 * i as i64);
    }
}
