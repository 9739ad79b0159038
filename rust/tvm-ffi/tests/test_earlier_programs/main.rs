// SPDX-License-Identifier: Apache-2.0
//! Programs that use only the interfaces of earlier crates. They must compile unchanged: the tests
//! of this file with the first published crates, the other files with those of version 0.1.15.

#![cfg(feature = "compat")]

#[path = "../common/mod.rs"]
mod common;

mod classes;
mod containers;
mod exports;
mod init_blocks;
mod mutate;
mod sys;
mod values;
mod visit;

use tvm_ffi::*;

/// A typed function that changes a tensor in place.
fn add_one_in_place(tensor: Tensor) -> Result<()> {
    ensure!(
        tensor.dtype() == DLDataType::new(DLDataTypeCode::kDLFloat, 32, 1),
        TYPE_ERROR,
        "expected float32"
    );
    for element in tensor.data_as_slice_mut::<f32>()? {
        *element += 1.0;
    }
    Ok(())
}

// spec: RUST-R45
#[test]
fn load_a_library_and_call_a_function() {
    common::load_testing();
    let run = || -> Result<i64> {
        let module = Module::load_from_file("libtvm_ffi_testing.so")?;
        let add = module.get_function("testing_dll_test_add_with_docstring")?;
        let packed = add.call_packed(&[AnyView::from(&20i64), AnyView::from(&1i64)])?;
        let typed = into_typed_fn!(add, Fn(i64, i64) -> Result<i64>);
        Ok(packed.try_into().unwrap_or(0i64) + typed(20, 1)?)
    };
    assert_eq!(run().unwrap(), 42);
}

// spec: RUST-R45
#[test]
fn tensors_cross_a_typed_function() {
    let add_one = Function::from_typed(add_one_in_place);
    let tensor = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]).unwrap();
    add_one.call_tuple((&tensor,)).unwrap();
    assert_eq!(tensor.data_as_slice::<f32>().unwrap(), [2.0, 3.0, 4.0, 5.0]);
    let wrong = Tensor::from_slice(&[1i32], &[1]).unwrap();
    let error = add_one.call_tuple((&wrong,)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(error.message(), "expected float32");
}

// spec: RUST-R45
#[test]
fn values_shapes_and_errors() {
    let echo = common::testing_function("testing.echo");
    let text = String::from("a text of more than seven bytes");
    let back: String = echo.call_tuple((&text,)).unwrap().try_into().unwrap();
    assert_eq!(back, text);
    let shape: Shape = echo
        .call_tuple((Shape::from([2, 3]),))
        .unwrap()
        .try_into()
        .unwrap();
    assert_eq!(&shape[..], [2, 3]);
    let array: Array<i64> = [1, 2, 3].into_iter().collect();
    assert_eq!(array.get(2).unwrap(), 3);
    let fails = Function::from_packed(|args: &[AnyView]| -> Result<Any> {
        bail!(VALUE_ERROR, "{} arguments", args.len());
    });
    let error = fails.call_packed(&[]).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (VALUE_ERROR, "0 arguments")
    );
}
