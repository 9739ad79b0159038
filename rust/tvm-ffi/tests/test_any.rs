// SPDX-License-Identifier: Apache-2.0
//! Tests of the conversion of each type to and from `Any`, and of refused values.

mod common;

use std::ffi::{c_void, CString};
use std::fmt::Debug;
use std::mem::size_of;

use common::{Counted, Counter};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::tvm_ffi_sys::{TVMFFIByteArray, TVMFFITypeIndex};
use tvm_ffi::{
    Any, AnyCompatible, AnyView, Bytes, Error, Function, RValueRef, Result, String, TVMFFIAny,
    OVERFLOW_ERROR, TYPE_ERROR, VALUE_ERROR,
};

/// Return a value of every type that is not an object.
fn samples() -> Vec<Any> {
    vec![
        Any::new(),
        Any::from(7i64),
        Any::from(true),
        Any::from(2.5),
        Any::from(8 as *mut c_void),
        Any::from(String::from("abc")),
        Any::from(Bytes::from(b"abc")),
        Any::from(String::from("a long text")),
    ]
}

/// Check that `value` has the type index `index`, that the strict check accepts only the samples
/// `strict`, and that the conversion also accepts the samples `converted`.
fn row<T>(value: T, index: i32, strict: &[usize], converted: &[usize])
where
    T: AnyCompatible + Clone + PartialEq + Debug + TryFrom<Any, Error = Error>,
    T: for<'x> TryFrom<AnyView<'x>, Error = Error>,
{
    let any = Any::from(value.clone());
    assert_eq!(
        (any.type_index(), AnyView::from(&value).type_index()),
        (index, index)
    );
    assert_eq!(any.try_as::<T>().as_ref(), Some(&value));
    assert_eq!(T::try_from(any.clone()).unwrap(), value);
    assert_eq!(T::try_from(AnyView::from(&any)).unwrap(), value);
    for (i, sample) in samples().into_iter().enumerate() {
        assert_eq!(
            sample.try_as::<T>().is_some(),
            strict.contains(&i),
            "{i} {sample:?}"
        );
        let taken = strict.contains(&i) || converted.contains(&i);
        assert_eq!(
            T::try_from(AnyView::from(&sample)).is_ok(),
            taken,
            "{i} {sample:?}"
        );
        assert_eq!(T::try_from(sample).is_ok(), taken, "{i}");
    }
}

// spec: RUST-R08
#[test]
fn rows_of_the_scalars() {
    row(true, 2, &[2], &[1]);
    row(-5i8, 1, &[1], &[2]);
    row(-5i16, 1, &[1], &[2]);
    row(-5i32, 1, &[1], &[2]);
    row(-5i64, 1, &[1], &[2]);
    row(-5isize, 1, &[1], &[2]);
    row(5u8, 1, &[1], &[2]);
    row(5u16, 1, &[1], &[2]);
    row(5u32, 1, &[1], &[2]);
    row(5u64, 1, &[1], &[2]);
    row(5usize, 1, &[1], &[2]);
    row(1.5f32, 3, &[3], &[1, 2]);
    row(1.5f64, 3, &[3], &[1, 2]);
    row((), 0, &[0], &[]);
    row(16 as *mut c_void, 4, &[4], &[0]);
}

// spec: RUST-R08
#[test]
fn rows_of_strings_bytes_and_options() {
    row(String::from("short"), 11, &[5, 7], &[]);
    row(String::from("not short"), 65, &[5, 7], &[]);
    row(Bytes::from(b"short"), 12, &[6], &[]);
    row(Bytes::from(b"not short"), 66, &[6], &[]);
    row(Some(3i64), 1, &[0, 1], &[2]);
    row(None::<i64>, 0, &[0, 1], &[2]);
    row(Some(String::from("x")), 11, &[0, 5, 7], &[]);
}

// spec: RUST-R08
#[test]
fn booleans_and_numbers_convert_by_value() {
    assert_eq!(i32::try_from(Any::from(true)).unwrap(), 1);
    assert!(bool::try_from(Any::from(-3)).unwrap());
    assert!(!bool::try_from(Any::from(0)).unwrap());
    assert_eq!(f64::try_from(Any::from(3)).unwrap(), 3.0);
    assert_eq!(f32::try_from(Any::from(false)).unwrap(), 0.0);
    assert!(<*mut c_void>::try_from(Any::new()).unwrap().is_null());
}

// spec: RUST-R08
#[test]
fn references_keep_the_index_of_the_object() {
    let counter = Counter::default();
    let object = Counted::new(1, &counter);
    let any = Any::from(ObjectRef::try_from(Any::from(object.clone())).unwrap());
    assert_eq!(
        any.type_index(),
        <common::CountedObj as tvm_ffi::ObjectCore>::type_index()
    );
    assert!(any.try_as::<Counted>().is_some() && any.try_as::<Function>().is_none());
    assert_eq!(any.debug_strong_count(), Some(2));
    for sample in samples() {
        let text = format!("{sample:?}");
        assert_eq!(
            Counted::try_from(sample)
                .err()
                .map(|error| error.kind() == TYPE_ERROR),
            Some(true),
            "{text}"
        );
    }
    let none = Option::<Counted>::try_from(Any::new()).unwrap();
    assert!(none.is_none());
    assert_eq!(
        Option::<Counted>::try_from(any).unwrap().unwrap().value(),
        1
    );
}

// spec: RUST-R09
#[test]
fn integers_out_of_range_are_an_overflow() {
    let error = u8::try_from(Any::from(300)).unwrap_err();
    assert_eq!(error.kind(), OVERFLOW_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert to `int`: integer 300 out of uint8 range [0, 255]"
    );
    assert_eq!(
        u32::try_from(Any::from(-1)).unwrap_err().kind(),
        OVERFLOW_ERROR
    );
    assert_eq!(
        Option::<i8>::try_from(Any::from(128)).unwrap_err().kind(),
        OVERFLOW_ERROR
    );
    assert!(Any::from(300).try_as::<u8>().is_none());
    assert!(Any::from(i64::from(i32::MIN) - 1).try_as::<i32>().is_none());
    assert_eq!(Any::from(i32::MIN).try_as::<i32>(), Some(i32::MIN));
}

// spec: RUST-R09
#[test]
fn unsigned_64_bits_keep_their_pattern() {
    for value in [0, 1, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
        assert_eq!(u64::try_from(Any::from(value)).unwrap(), value);
        assert_eq!(Any::from(value).try_as::<u64>(), Some(value));
    }
}

// spec: RUST-R11
#[test]
fn mismatches_name_both_types() {
    let message = |result: Result<i64>| result.unwrap_err().message().to_string();
    let from = |any: Any| message(i64::try_from(any));
    assert_eq!(from(Any::new()), "Cannot convert from type `None` to `int`");
    assert_eq!(
        from(Any::from(1.5)),
        "Cannot convert from type `float` to `int`"
    );
    assert_eq!(
        from(Any::from(String::from("x"))),
        "Cannot convert from type `ffi.SmallStr` to `int`"
    );
    let error = Option::<bool>::try_from(Any::from(1.5)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `float` to `Optional<bool>`"
    );
    let error = Function::try_from(Any::from(1)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `int` to `ffi.Function`"
    );
}

#[test]
fn raw_strings_and_byte_arrays_are_copied() {
    for text in ["short", "a longer text"] {
        let c_text = CString::new(text).unwrap();
        let mut raw = TVMFFIAny::new();
        raw.type_index = TVMFFITypeIndex::kTVMFFIRawStr as i32;
        raw.data_union.v_c_str = c_text.as_ptr().cast();
        // SAFETY: the text lives as long as the view.
        let view = unsafe { AnyView::from_raw_ffi_any(raw) };
        assert_eq!(String::try_from(view).unwrap(), text);
        assert_eq!(Any::from(view).try_as::<String>().unwrap(), text);
        assert!(Bytes::try_from(view).is_err());

        let array = TVMFFIByteArray::new(text.as_ptr(), text.len());
        raw.type_index = TVMFFITypeIndex::kTVMFFIByteArrayPtr as i32;
        raw.data_union.v_ptr = std::ptr::from_ref(&array).cast_mut().cast();
        // SAFETY: the text lives as long as the view.
        let view = unsafe { AnyView::from_raw_ffi_any(raw) };
        assert_eq!(Bytes::try_from(view).unwrap(), text.as_bytes());
        assert_eq!(Any::from(view).try_as::<Bytes>().unwrap(), text.as_bytes());
    }
}

#[test]
fn null_texts_are_empty() {
    let mut raw = TVMFFIAny::new();
    raw.type_index = TVMFFITypeIndex::kTVMFFIByteArrayPtr as i32;
    let array = TVMFFIByteArray::new(std::ptr::null(), 0);
    raw.data_union.v_ptr = std::ptr::from_ref(&array).cast_mut().cast();
    // SAFETY: the array lives as long as the view.
    let view = unsafe { AnyView::from_raw_ffi_any(raw) };
    assert_eq!(Bytes::try_from(view).unwrap(), b"");
}

// spec: RUST-R40
#[test]
fn text_that_is_not_utf8_is_a_value_error() {
    for bytes in [&b"ab\xff"[..], b"a long text \xff with more"] {
        let array = TVMFFIByteArray::new(bytes.as_ptr(), bytes.len());
        let mut raw = TVMFFIAny::new();
        // SAFETY: the bytes are copied; the result is an owned value.
        let any = unsafe {
            assert_eq!(
                tvm_ffi::tvm_ffi_sys::TVMFFIStringFromByteArray(&array, &mut raw),
                0
            );
            Any::from_raw_ffi_any(raw)
        };
        assert!(any.try_as::<String>().is_none());
        let error = String::try_from(AnyView::from(&any)).unwrap_err();
        assert_eq!(
            (error.kind(), error.message()),
            (VALUE_ERROR, "The string is not valid UTF-8")
        );
        assert_eq!(String::try_from(any).unwrap_err().kind(), VALUE_ERROR);
    }
}

#[test]
fn owned_values_count_references() {
    let counter = Counter::default();
    let any = Any::from(Counted::new(1, &counter));
    let copy = any.clone();
    assert_eq!(any.debug_strong_count(), Some(2));
    let view = AnyView::from(&copy);
    assert_eq!(view.debug_strong_count(), Some(2));
    let third = Any::from(view);
    assert_eq!(third.debug_strong_count(), Some(3));
    drop((any, third));
    assert_eq!(Counted::try_from(copy).unwrap().strong_count(), 1);
    assert_eq!(common::alive(&counter), 0);
    assert_eq!(
        (
            Any::from(1).debug_strong_count(),
            AnyView::new().debug_strong_count()
        ),
        (None, None)
    );
}

#[test]
fn values_are_16_bytes() {
    assert_eq!((size_of::<Any>(), size_of::<AnyView>()), (16, 16));
    let any = Any::from(Counted::new(1, &Counter::default()));
    // SAFETY: `from_raw_ffi_any` takes the ownership back.
    let any = unsafe { Any::from_raw_ffi_any(Any::into_raw_ffi_any(any)) };
    assert_eq!(any.debug_strong_count(), Some(1));
}

#[test]
fn a_moved_reference_is_moved_once() {
    let counter = Counter::default();
    let moved = RValueRef::new(Counted::new(1, &counter));
    let view = AnyView::from(&moved);
    let taken = RValueRef::<Counted>::try_from(view).unwrap();
    let error = RValueRef::<Counted>::try_from(view).err().unwrap();
    let message = "Cannot convert from type `an already-moved RValueRef` to `rust.test.Counted`";
    assert_eq!(error.message(), message);
    assert!(view.to_any().is_err());
    assert_eq!(taken.into_inner().strong_count(), 1);
    assert_eq!(common::alive(&counter), 0);
}

#[test]
fn debug_shows_what_python_shows() {
    assert_eq!(format!("{:?}", Any::from(1)), "1");
    assert_eq!(format!("{:?}", Any::new()), "None");
    assert_eq!(format!("{:?}", AnyView::from(&String::from("x"))), "\"x\"");
}

#[test]
fn defaults_are_none() {
    assert_eq!(
        (Any::default().type_index(), AnyView::default().type_index()),
        (0, 0)
    );
}
