// SPDX-License-Identifier: Apache-2.0
//! Texts and kinds of errors.

use tvm_ffi::{Any, BigInt, Result, Tensor, TensorView, OVERFLOW_ERROR};

/// The crates of that generation return a `TypeError`. This crate does what C++ does, so that classes
/// behave the same in both languages.
// spec: RUST-R45
#[test]
fn a_large_integer_does_not_convert_to_an_integer_of_64_bits() -> Result<()> {
    let large = BigInt::from(1i64).try_shl(70i64)?;
    let error = i64::try_from(Any::from(large)).unwrap_err();
    assert_eq!(error.kind(), OVERFLOW_ERROR);
    Ok(())
}

// spec: RUST-R45
#[test]
fn shifts_that_are_too_large() {
    let fault = |count: BigInt| {
        let error = BigInt::from(1i64).try_shl(count).unwrap_err();
        assert_eq!(error.kind(), OVERFLOW_ERROR);
        error.message().to_string()
    };
    assert_eq!(
        fault(BigInt::from(u64::MAX)),
        "BigInt allocation is too large"
    );
    let count = BigInt::from(u64::MAX) + 1;
    assert_eq!(fault(count), "BigInt shift count is too large");
}

// spec: RUST-R45
#[test]
#[should_panic(expected = "cannot be held in Any as it does not retain ownership, use Tensor")]
fn a_tensor_view_is_not_a_value() {
    let tensor = Tensor::from_slice(&[1f32], &[1]).unwrap();
    let _ = Any::from(TensorView::from(&tensor));
}
