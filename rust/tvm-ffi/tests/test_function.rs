// SPDX-License-Identifier: Apache-2.0
//! Functions: closures, calls, and panics.

use tvm_ffi::{into_typed_fn, Any, AnyView, Function, Result, INTERNAL_ERROR};

// spec: R22
#[test]
fn closures_take_zero_to_two_arguments() {
    let zero = Function::from_typed(|| Ok(7i64));
    assert_eq!(i64::try_from(zero.call_tuple(()).unwrap()).unwrap(), 7);
    let add = Function::from_typed(|a: i64, b: i32| Ok(a + i64::from(b)));
    let add = into_typed_fn!(add, Fn(i64, &i32) -> Result<i64>);
    assert_eq!(add(1, &2).unwrap(), 3);
}

// spec: R24
#[test]
fn a_panic_is_an_internal_error() {
    let f = Function::from_packed(|_: &[AnyView]| -> Result<Any> { panic!("no {}", 1) });
    let error = f.call_packed(&[]).unwrap_err();
    assert_eq!(error.kind(), INTERNAL_ERROR);
    assert!(
        error.message().starts_with("panicked: no 1"),
        "{}",
        error.message()
    );
}

// spec: R11
#[test]
fn mismatches_name_the_argument() {
    let f = Function::from_typed(|_: i64, b: i64| Ok(b));
    let error = f.call_tuple((1, "text longer than seven")).unwrap_err();
    assert_eq!(
        error.message(),
        "Argument #1: Cannot convert from type `ffi.String` to `int`"
    );
}
