// SPDX-License-Identifier: Apache-2.0
//! Shapes.

mod common;

use tvm_ffi::{Any, Array, Function, List, Shape, TYPE_ERROR};

// spec: RUST-R19, RUST-R40
#[test]
fn a_shape_without_extents_is_an_empty_slice() {
    let shape = Shape::new();
    assert_eq!(shape.as_slice(), &[] as &[i64]);
    assert_eq!(shape, Shape::default());
    let make = Function::get_global("ffi.Shape").unwrap();
    let foreign = Shape::try_from(make.call_tuple(()).unwrap()).unwrap();
    assert_eq!(foreign.as_slice(), &[] as &[i64]);
    assert_eq!(foreign, shape);
}

#[test]
fn extents_are_read_and_compared() {
    let shape = Shape::from([2, 3, 4]);
    assert_eq!(shape.len(), 3);
    assert_eq!(shape.iter().product::<i64>(), 24);
    assert!(shape < Shape::from(vec![2, 4]));
    assert_eq!(format!("{shape:?}"), "Shape[2, 3, 4]");
    assert_eq!((1..4).collect::<Shape>().as_slice(), [1, 2, 3]);
    let echo = common::testing_function("testing.echo");
    let same = Shape::try_from(echo.call_tuple((&shape,)).unwrap()).unwrap();
    assert_eq!(same, shape);
    let any = Any::from(shape.clone());
    drop((same, shape));
    assert_eq!(any.debug_strong_count(), Some(1));
}

#[test]
fn strides_are_row_major() {
    let mut strides = [9; 4];
    Shape::fill_strides_from_shape([2, 3, 4], &mut strides);
    assert_eq!(strides, [12, 4, 1, 9]);
    Shape::fill_strides_from_shape(Shape::new().as_slice(), &mut []);
}

#[test]
fn sequences_of_integers_convert() {
    let array = Any::from(Array::new(vec![2i64, 3]));
    assert!(array.try_as::<Shape>().is_none());
    assert_eq!(Shape::try_from(array).unwrap().as_slice(), [2, 3]);
    assert_eq!(
        Shape::try_from(Any::from(List::from([5i64])))
            .unwrap()
            .as_slice(),
        [5]
    );
    let error = Shape::try_from(Any::from(Array::new(vec![1.5f64]))).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `Array[index 0: float]` to `ffi.Shape`"
    );
}

#[test]
fn shapes_may_be_shared_between_threads() {
    let shape = Shape::from([7; 100]);
    let other = shape.clone();
    let sum = std::thread::spawn(move || other.iter().sum::<i64>())
        .join()
        .unwrap();
    assert_eq!(sum, shape.iter().sum());
}
