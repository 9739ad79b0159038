// SPDX-License-Identifier: Apache-2.0
//! Tests of `Array`, the immutable sequence.

mod common;

use std::panic::{catch_unwind, AssertUnwindSafe};

use tvm_ffi::object::ObjectRef;
use tvm_ffi::ObjectRefCast;
use tvm_ffi::{
    Any, AnyView, Array, BigInt, Function, List, ObjectArc, ObjectRefCore, RValueRef, String,
    Tensor, INDEX_ERROR, OVERFLOW_ERROR, TYPE_ERROR,
};

/// Return one string as `String` and as `Any`. It has more than 7 bytes, so it is an object with a
/// reference count.
fn counted() -> (String, Any) {
    let text = String::from("a counted text");
    let any = Any::from(text.clone());
    (text, any)
}

// spec: RUST-R16
#[test]
fn get_and_iterate() {
    let array = Array::new(vec![1i64, 2, 3]);
    assert_eq!((array.len(), array.is_empty()), (3, false));
    assert_eq!(array.get(2).unwrap(), 3);
    let error = array.get(3).unwrap_err();
    assert_eq!(error.kind(), INDEX_ERROR);
    let message = "Array get index out of bound: the index is 3, the length is 3";
    assert_eq!(error.message(), message);
    assert_eq!(array.iter().collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(array.iter().rev().collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(array.iter().len(), 3);
    assert_eq!((&array).into_iter().sum::<i64>(), 6);
    assert_eq!(array.try_iter().map(Result::unwrap).sum::<i64>(), 6);
    assert_eq!(format!("{array:?}"), "Array<i64>[3]");
    assert!(Array::<i64>::default().is_empty());
}

// spec: RUST-R16
#[test]
fn conversions_from_and_to_rust() {
    let array: Array<String> = ["a", "b"].into_iter().map(String::from).collect();
    assert_eq!(
        Vec::try_from(array.clone()).unwrap(),
        ["a".into(), String::from("b")]
    );
    assert_eq!(Array::from([1i64, 2]), Array::from(vec![1i64, 2]));
    assert_ne!(Array::from([1i64, 2]), Array::from([1i64, 3]));
    let nested = Array::new(vec![Array::new(vec![1i64]), Array::new(vec![])]);
    assert_eq!(nested.get(0).unwrap().to_vec().unwrap(), [1]);
}

// spec: RUST-R16
#[test]
fn an_array_of_the_right_elements_is_shared() {
    let array = Array::new(vec![1i64, 2]);
    let any = Any::from(array.clone());
    assert_eq!(any.debug_strong_count(), Some(2));
    let again = Array::<i64>::try_from(any.clone()).unwrap();
    assert!(again.same_as(&array));
    let moved = Array::<i64>::try_from(any).unwrap();
    assert_eq!(ObjectArc::strong_count(ObjectRefCore::data(&moved)), 3);
}

// spec: RUST-R16
#[test]
fn other_elements_are_converted_into_a_new_array() {
    let array = Array::new(vec![Any::from(true), Any::from(2i64)]);
    let any = Any::from(array.clone());
    assert!(any.try_as::<Array<i64>>().is_none());
    let numbers = Array::<i64>::try_from(any).unwrap();
    assert!(!numbers.same_as(&array));
    assert_eq!(numbers.to_vec().unwrap(), [1, 2]);
    let list = List::from([1i64, 2]);
    let from_list = Array::<i64>::try_from(Any::from(list)).unwrap();
    assert_eq!(from_list.to_vec().unwrap(), [1, 2]);
}

// spec: RUST-R11
#[test]
fn a_mismatch_names_the_element() {
    let array = Array::new(vec![Any::from(1i64), Any::from(String::from("x"))]);
    let error = Array::<i64>::try_from(Any::from(array)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `Array[index 1: ffi.SmallStr]` to `Array<int>`"
    );
    let error = Array::<i64>::try_from(Any::from(1i64)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `int` to `Array<int>`"
    );
    let list = List::new();
    list.push(Any::from(Array::new(vec![1.5f64]))).unwrap();
    let error = Array::<Array<i64>>::try_from(Any::from(list)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `List[index 0: Array[index 0: float]]` to `Array<Array<int>>`"
    );
}

// spec: RUST-R09
#[test]
fn an_element_out_of_range_is_an_overflow() {
    let array = Any::from(Array::new(vec![1i64, 300]));
    assert!(array.try_as::<Array<u8>>().is_none());
    let error = Array::<u8>::try_from(array).unwrap_err();
    assert_eq!(error.kind(), OVERFLOW_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert to `Array<int>`: index 1: integer 300 out of uint8 range [0, 255]"
    );
}

// spec: RUST-R40
#[test]
fn dropping_an_array_releases_every_element() {
    let (text, any) = counted();
    let before = any.debug_strong_count().unwrap();
    let array = Array::new(vec![text.clone(), text.clone(), text.clone()]);
    assert_eq!(any.debug_strong_count(), Some(before + 3));
    let other = array.clone();
    drop(array);
    assert_eq!(any.debug_strong_count(), Some(before + 3));
    drop(other);
    assert_eq!(any.debug_strong_count(), Some(before));
}

// spec: RUST-R40
#[test]
fn an_array_is_freed_by_its_allocated_size() {
    // The runtime may shrink an array in place. The code below does the same.
    let (text, any) = counted();
    let before = any.debug_strong_count().unwrap();
    let array = Array::new(vec![text.clone(), text.clone(), text]);
    // SAFETY: there is no other reference to the array; the removed element is released.
    unsafe {
        let object = ObjectArc::as_header(ObjectRefCore::data(&array));
        let cell = object.add(1).cast::<tvm_ffi::tvm_ffi_sys::TVMFFISeqCell>();
        (*cell).size = 2;
        (*cell).data.cast::<Any>().add(2).drop_in_place();
    }
    assert_eq!(array.len(), 2);
    drop(array);
    assert_eq!(any.debug_strong_count(), Some(before - 1));
}

// spec: RUST-R06
#[test]
fn the_runtime_reads_and_frees_arrays_made_here() {
    let (text, any) = counted();
    let before = any.debug_strong_count().unwrap();
    let size = Function::get_global("ffi.ArraySize").unwrap();
    let array = Array::new(vec![text; 2]);
    let count = size.call_tuple((&array,)).unwrap();
    assert_eq!(i64::try_from(count).unwrap(), 2);
    let echo = common::testing_function("testing.echo");
    let back = echo.call_tuple((RValueRef::new(array),)).unwrap();
    assert_eq!(back.debug_strong_count(), Some(1));
    assert_eq!(Array::<String>::try_from(back).unwrap().len(), 2);
    assert_eq!(any.debug_strong_count(), Some(before - 1));
}

// spec: RUST-R06
#[test]
fn arrays_made_by_the_runtime_are_read_here() {
    let make = Function::get_global("ffi.Array").unwrap();
    let array = make
        .call_tuple((1i64, "a text of the runtime", 2.5f64))
        .unwrap();
    let array = Array::<Any>::try_from(array).unwrap();
    assert_eq!(array.get(0).unwrap().try_as::<i64>(), Some(1));
    assert_eq!(
        String::try_from(array.get(1).unwrap()).unwrap(),
        "a text of the runtime"
    );
    assert_eq!(f64::try_from(array.view(2)).unwrap(), 2.5);
}

#[test]
fn a_view_borrows_the_element() {
    let (text, any) = counted();
    let array = Array::new(vec![text]);
    let before = any.debug_strong_count();
    let view: AnyView<'_> = array.view(0);
    assert_eq!(view.debug_strong_count(), before);
    let outside = catch_unwind(AssertUnwindSafe(|| array.view(1).type_index()));
    assert!(outside.is_err());
}

#[cfg(feature = "compat")]
#[test]
fn an_index_gives_a_view() {
    let array = Array::new(vec![7i64, 8]);
    assert_eq!(array[1].try_as::<i64>(), Some(8));
    assert!(catch_unwind(AssertUnwindSafe(|| array[2].type_index())).is_err());
}

// spec: RUST-R40
#[test]
fn iteration_over_a_wrong_element_does_not_end_silently() {
    let array = Array::new(vec![Any::from(1i64), Any::from(2.5f64)]);
    // SAFETY: the test violates the condition intentionally: one element is not an integer.
    let array = unsafe { Array::<i64>::from_data(ObjectRefCore::into_data(array)) };
    let elements: Vec<_> = array.try_iter().collect();
    assert_eq!(elements.len(), 2);
    let error = elements[1].as_ref().unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            TYPE_ERROR,
            "Failed to cast element at 1 to int: Cannot convert from type `float` to `int`"
        )
    );
    assert!(catch_unwind(AssertUnwindSafe(|| array.iter().count())).is_err());
}

#[test]
fn elements_of_all_kinds() {
    let array = Array::new(vec![Some(BigInt::from(1) << 70), None]);
    assert_eq!(array.get(0).unwrap().unwrap() >> 70, BigInt::from(1));
    assert_eq!(array.get(1).unwrap(), None);
    assert_eq!(
        <Array<Option<String>> as tvm_ffi::AnyCompatible>::type_str(),
        "Array<Optional<ffi.String>>"
    );
    assert_eq!(
        <Array<Any> as tvm_ffi::AnyCompatible>::type_schema(),
        r#"{"type":"ffi.Array","args":[{"type":"Any"}]}"#
    );
}

// spec: RUST-R07
#[test]
fn casts_share_the_array_if_the_elements_fit() {
    let counter = common::Counter::default();
    let array = Array::new(vec![common::Derived::new(1, 2, &counter)]);
    let header = ObjectArc::as_header(ObjectRefCore::data(&array));
    let base = array.try_cast::<Array<common::Counted>>().unwrap();
    assert_eq!(ObjectArc::as_header(ObjectRefCore::data(&base)), header);
    assert_eq!(ObjectArc::strong_count(ObjectRefCore::data(&base)), 1);
    let object = ObjectRef::from(&base);
    assert!(object.same_as(&base));
    let again = object.try_cast::<Array<common::Derived>>().unwrap();
    assert_eq!(common::Counted::from(again.get(0).unwrap()).value(), 1);
    let error = base.try_cast::<Array<i64>>().unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `Array[index 0: rust.test.Derived]` to `Array<int>`"
    );
    let numbers = Array::new(vec![1i64]);
    // The conversion of the elements would succeed, but a cast does not copy.
    let error = numbers.try_cast::<Array<f32>>().unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `ffi.Array` to `Array<float>`"
    );
    drop(again);
    assert_eq!(common::alive(&counter), 0);
}

#[test]
fn a_negative_index_is_printed_as_given() {
    let position = -1i64;
    let error = Array::new(vec![1i64]).get(position as usize).unwrap_err();
    let message = "Array get index out of bound: the index is -1, the length is 1";
    assert_eq!(error.message(), message);
    let list = List::from([1i64, 2]);
    let error = list.get(position as usize).unwrap_err();
    assert!(error.message().contains("the index is -1"), "{error}");
    let error = list.insert(position as usize, 3).unwrap_err();
    assert!(error.message().contains("the index is -1"), "{error}");
    let error = list.remove_range(position as usize, 1).unwrap_err();
    assert!(error.message().contains("the range is -1..1"), "{error}");
    let tensor = Tensor::from_slice(&[1i64], &[1]).unwrap();
    let elements = tensor.strided::<i64>().unwrap();
    let error = elements.get(&[position as usize]).unwrap_err();
    assert!(error.message().contains("Index [-1] is out"), "{error}");
}
