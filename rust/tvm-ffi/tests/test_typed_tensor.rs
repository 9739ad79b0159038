// SPDX-License-Identifier: Apache-2.0
//! Tests of tensors whose properties are checked. `tests/rust/test_typed_tensors.py` compares the
//! checks with those of C++.

use tvm_ffi::collections::tensor::{ColumnMajor, InnerContiguous, Read, Strided, Write, ANY_RANK};
use tvm_ffi::{Any, AnyView, Array, DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, Function};
use tvm_ffi::{Tensor, TensorRef, TypedTensor, TypedTensorView, TypedTensorViewMut};
use tvm_ffi::{INDEX_ERROR, TYPE_ERROR, VALUE_ERROR};

use tvm_ffi::tvm_ffi_sys::DLTensor;

/// Return a C struct over `data`, on the CPU.
fn array<T>(data: &mut [T], shape: &mut [i64], strides: &mut [i64]) -> DLTensor {
    let bits = 8 * std::mem::size_of::<T>() as u8;
    DLTensor {
        data: data.as_mut_ptr().cast(),
        device: DLDevice::new(DLDeviceType::kDLCPU, 0),
        ndim: shape.len() as i32,
        dtype: DLDataType::new(DLDataTypeCode::kDLFloat, bits, 1),
        shape: shape.as_mut_ptr(),
        strides: match strides.is_empty() {
            true => std::ptr::null_mut(),
            false => strides.as_mut_ptr(),
        },
        byte_offset: 0,
    }
}

/// Borrow a C struct.
fn borrow(array: &DLTensor) -> TensorRef<'_> {
    // SAFETY: the struct and the elements live during the borrow.
    unsafe { TensorRef::from_raw(array) }
}

#[test]
fn elements_are_read_and_written_by_index() {
    let x = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).unwrap();
    let view = TypedTensorViewMut::<f32, 2>::try_from(&x).unwrap();
    assert_eq!(
        (view.shape(), view.ndim(), view.numel()),
        (&[2, 3][..], 2, 6)
    );
    assert_eq!(view.get(&[1, 2]).unwrap(), 6.0);
    view.set(&[1, 2], 7.0).unwrap();
    view.cell(&[0, 0]).unwrap().set(0.0);
    assert_eq!(x.to_vec::<f32>().unwrap(), [0.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
    for index in [&[2, 0][..], &[0, 3], &[0], &[0, 0, 0], &[usize::MAX, 0]] {
        assert_eq!(view.get(index).unwrap_err().kind(), INDEX_ERROR);
        assert_eq!(view.set(index, 1.0).unwrap_err().kind(), INDEX_ERROR);
    }
    let read: TypedTensorView<f32, 2> = view.into();
    assert_eq!(read.iter().next_back(), Some(7.0));
}

#[test]
fn two_views_may_be_the_same_array() {
    let x = Tensor::from_slice(&[1i32, 2], &[2]).unwrap();
    let read = TypedTensorView::<i32, 1>::try_from(&x).unwrap();
    let write = TypedTensorViewMut::<i32, 1>::try_from(&x).unwrap();
    for (value, cell) in read.iter().zip(write.as_cells()) {
        cell.set(10 * value);
    }
    assert_eq!(read.to_vec().unwrap(), [10, 20]);
    // SAFETY: nothing writes the elements while the slices are used.
    unsafe {
        write.as_mut_slice()[0] += 1;
        assert_eq!(read.as_slice(), [11, 20]);
    }
}

#[test]
fn every_layout_leads_to_its_elements() {
    let mut data = [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let mut shape = [2, 3];
    let mut fortran = [1, 2];
    let tensor = array(&mut data, &mut shape, &mut fortran);
    let view = TypedTensorView::<f64, 2, Read, ColumnMajor>::try_from(borrow(&tensor)).unwrap();
    assert_eq!(view.get(&[0, 1]).unwrap(), 3.0);
    assert_eq!(view.to_vec().unwrap(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    assert!(view.iter().eq([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert!(TypedTensorView::<f64, 2>::try_from(borrow(&tensor)).is_err());

    let mut rows = [4, 1];
    let mut tensor = array(&mut data, &mut shape, &mut rows);
    tensor.byte_offset = 8;
    let view =
        TypedTensorView::<f64, ANY_RANK, Read, InnerContiguous>::try_from(borrow(&tensor)).unwrap();
    assert_eq!(view.to_vec().unwrap(), [2.0, 3.0, 4.0, 6.0, 7.0, 8.0]);
    assert_eq!(unsafe { *view.data_ptr() }, 2.0);

    let mut backwards = [-4, -1];
    let mut tensor = array(&mut data, &mut shape, &mut backwards);
    tensor.byte_offset = 56;
    let view = TypedTensorView::<f64, 2, Read, Strided>::try_from(borrow(&tensor)).unwrap();
    assert_eq!(view.to_vec().unwrap(), [8.0, 7.0, 6.0, 4.0, 3.0, 2.0]);
}

#[test]
fn arrays_without_strides_are_row_major() {
    let mut data = [1.0f32, 2.0, 3.0, 4.0];
    let mut shape = [2, 2];
    let tensor = array(&mut data, &mut shape, &mut []);
    let view = TypedTensorView::<f32, 2>::try_from(borrow(&tensor)).unwrap();
    assert_eq!(view.get(&[1, 0]).unwrap(), 3.0);
    let refused = TypedTensorView::<f32, 2, Read, ColumnMajor>::try_from(borrow(&tensor));
    assert_eq!(
        refused.unwrap_err().message(),
        "expected a float32 array of 2 dimensions, Fortran-contiguous, on cpu; got no strides, and \
         shape (2, 2): use numpy.asfortranarray(x)"
    );
}

#[test]
fn arrays_without_elements_need_no_memory() {
    let mut shape = [0, 3];
    let mut tensor = array::<f32>(&mut [], &mut shape, &mut []);
    tensor.data = std::ptr::null_mut();
    let view = TypedTensorViewMut::<f32, 2>::try_from(borrow(&tensor)).unwrap();
    assert!(view.as_cells().is_empty());
    assert!(view.to_vec().unwrap().is_empty());
    assert_eq!(view.get(&[0, 0]).unwrap_err().kind(), INDEX_ERROR);
    // SAFETY: there are no elements.
    unsafe { assert!(view.as_slice().is_empty() && view.as_mut_slice().is_empty()) };
}

#[test]
fn malformed_arrays_are_refused() {
    let mut data = [0.0f32; 4];
    let mut shape = [4];
    let mut tensor = array(&mut data, &mut shape, &mut []);
    tensor.data = std::ptr::null_mut();
    let text = |tensor: &DLTensor| {
        let error = TypedTensorView::<f32, 1>::try_from(borrow(tensor)).unwrap_err();
        assert_eq!(error.kind(), VALUE_ERROR);
        error.message().split_once("; ").unwrap().1.to_string()
    };
    assert_eq!(text(&tensor), "got no memory (data is NULL), shape (4,)");
    let mut shape = [-1];
    let tensor = array(&mut data, &mut shape, &mut []);
    assert_eq!(text(&tensor), "got shape (-1,)");
}

#[test]
fn values_are_checked() {
    let x = Tensor::from_slice(&[1.0f32], &[1, 1]).unwrap();
    let view = AnyView::from(&x);
    assert!(TypedTensorView::<f32, 2>::try_from(view).is_ok());
    let error = TypedTensorView::<f32, 1>::try_from(view).unwrap_err();
    assert_eq!(error.kind(), VALUE_ERROR);
    let number = Any::from(3i64);
    let error = TypedTensorView::<f32, 1>::try_from(AnyView::from(&number)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Expected `Tensor[float32, 1]` but got `int`"
    );
}

type Matrix = TypedTensor<f32, 2>;

#[test]
fn typed_tensors_are_values() {
    let matrix = Matrix::from_slice(&[1.0, 2.0], &[1, 2]).unwrap();
    assert!(Matrix::from_slice(&[1.0, 2.0], &[2]).is_err());
    let value = Any::from(matrix.clone());
    assert!(value.try_as::<Matrix>().is_some());
    assert!(value.try_as::<TypedTensor<f32, 1>>().is_none());
    let read = TypedTensor::<f32, ANY_RANK, Read>::try_from(value).unwrap();
    assert_eq!(read.view().get(&[0, 1]).unwrap(), 2.0);
    assert_eq!(Tensor::from(matrix.clone()).numel(), 2);

    let good = Any::from(Array::new(vec![matrix]));
    assert_eq!(Array::<Matrix>::try_from(good).unwrap().len(), 1);
    let vector = Tensor::from_slice(&[1.0f32], &[1]).unwrap();
    assert!(Array::<Matrix>::try_from(Any::from(Array::new(vec![vector]))).is_err());
}

#[test]
fn closures_check_their_arguments_and_results() {
    let rows = Function::from_typed(|x: Option<Matrix>, y: TypedTensor<f32, 1, Read>| {
        Ok(x.map_or(-1, |x| x.view().shape()[0]) + y.view().shape()[0])
    });
    let matrix = Matrix::from_slice(&[1.0, 2.0], &[2, 1]).unwrap();
    let vector = Tensor::from_slice(&[1.0f32], &[1]).unwrap();
    let call = |x: &Any, y: &Tensor| rows.call_tuple((x, y));
    assert_eq!(
        i64::try_from(call(&Any::new(), &vector).unwrap()).unwrap(),
        0
    );
    let x = Any::from(matrix.clone());
    assert_eq!(i64::try_from(call(&x, &vector).unwrap()).unwrap(), 3);
    assert!(call(&Any::from(vector.clone()), &vector).is_err());
    let error = call(&x, &Tensor::from(matrix)).unwrap_err();
    let message = error.message();
    assert!(
        message.starts_with("Mismatched type on argument #1 when calling: `"),
        "{message}"
    );
    assert!(
        message.contains("Optional<Tensor[float32, 2]>, 1: Tensor[float32, 1]"),
        "{message}"
    );
    assert!(
        message.ends_with(
            "`. expected a float32 array of 1 dimension, C-contiguous, on cpu; got shape (2, 1)"
        ),
        "{message}"
    );
    let result = TypedTensor::<f64, 2, Write>::try_from(Any::from(vector));
    assert_eq!(result.unwrap_err().kind(), TYPE_ERROR);
}
