// SPDX-License-Identifier: Apache-2.0
//! Borrowed tensors: `TensorRef` and `TensorView`.

mod common;

use std::ptr;

use tvm_ffi::tvm_ffi_sys::DLTensor;
use tvm_ffi::{AnyView, DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, Tensor, TensorRef};
use tvm_ffi::{TypeIndex, TYPE_ERROR};

const CPU: DLDevice = DLDevice::new(DLDeviceType::kDLCPU, 0);
const INT64: DLDataType = DLDataType::new(DLDataTypeCode::kDLInt, 64, 1);

/// Return a `DLTensor` that points to the given elements, extents and strides.
fn dltensor(elements: &mut [i64], shape: &mut [i64], strides: Option<&mut [i64]>) -> DLTensor {
    DLTensor {
        data: elements.as_mut_ptr().cast(),
        device: CPU,
        ndim: shape.len() as i32,
        dtype: INT64,
        shape: shape.as_mut_ptr(),
        strides: strides.map_or(ptr::null_mut(), |strides| strides.as_mut_ptr()),
        byte_offset: 0,
    }
}

/// Return the value that C code passes for a `DLTensor*`.
fn pointer_argument(tensor: &mut DLTensor) -> AnyView<'_> {
    let mut data = tvm_ffi::TVMFFIAny::new();
    data.type_index = TypeIndex::kTVMFFIDLTensorPtr as i32;
    data.data_union.v_ptr = (tensor as *mut DLTensor).cast();
    // SAFETY: the view borrows the tensor.
    unsafe { AnyView::from_raw_ffi_any(data) }
}

// spec: RUST-R21
#[test]
fn a_reference_to_a_tensor() {
    let tensor = Tensor::from_slice(&[1i64, 2, 3, 4, 5, 6], &[2, 3]).unwrap();
    let view = TensorRef::from(&tensor);
    assert_eq!(view.shape(), [2, 3]);
    assert_eq!(view.strides(), Some(&[3i64, 1] as &[i64]));
    assert_eq!((view.ndim(), view.numel()), (2, 6));
    assert_eq!((view.dtype(), view.device()), (INT64, CPU));
    assert_eq!(view.data_ptr().cast_const(), tensor.data_ptr());
    assert_eq!(view.as_raw(), tensor.as_dltensor_ptr());
    assert!(view.is_contiguous());
    view.as_cells::<i64>().unwrap()[0].set(9);
    assert_eq!(tensor.to_vec::<i64>().unwrap()[0], 9);
    assert!(format!("{view:?}").starts_with("TensorRef { shape: [2, 3], dtype: int64"));
}

// spec: RUST-R21
#[test]
fn a_reference_from_an_argument() {
    let (mut elements, mut shape) = ([1, 2, 3, 4], [2, 2]);
    let mut tensor = dltensor(&mut elements, &mut shape, None);
    let view = TensorRef::try_from(pointer_argument(&mut tensor)).unwrap();
    assert_eq!((view.shape(), view.strides()), (&[2i64, 2] as &[i64], None));
    assert!(view.is_contiguous());
    assert_eq!(view.strided::<i64>().unwrap().get(&[1, 0]).unwrap(), 3);
    assert_eq!(view.to_vec::<i64>().unwrap(), [1, 2, 3, 4]);
    let owned = Tensor::from_slice(&[5i64], &[1]).unwrap();
    let view = TensorRef::try_from(AnyView::from(&owned)).unwrap();
    assert_eq!(view.to_vec::<i64>().unwrap(), [5]);
    let error = TensorRef::try_from(AnyView::from(&1i64)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `int` to `DLTensor*`"
    );
}

// spec: RUST-R40
#[test]
fn a_foreign_tensor_with_null_members_is_not_read() {
    let (mut elements, mut shape) = ([1], [1]);
    let mut tensor = dltensor(&mut elements, &mut shape, None);
    tensor.ndim = 0;
    tensor.shape = ptr::null_mut();
    let view = TensorRef::try_from(pointer_argument(&mut tensor)).unwrap();
    assert_eq!(view.shape(), &[] as &[i64]);
    assert_eq!(view.to_vec::<i64>().unwrap(), [1]);
    tensor.data = ptr::null_mut();
    let view = TensorRef::try_from(pointer_argument(&mut tensor)).unwrap();
    assert!(view.as_cells::<i64>().is_err());
    assert!(view.strided::<i64>().is_err());
}

// spec: RUST-R40, RUST-R21
#[test]
fn a_foreign_tensor_with_negative_extents_is_an_error() {
    let (mut elements, mut shape) = ([1, 2], [-2, -1]);
    let mut tensor = dltensor(&mut elements, &mut shape, None);
    let view = TensorRef::try_from(pointer_argument(&mut tensor)).unwrap();
    assert_eq!(view.numel(), 0);
    assert!(view.as_cells::<i64>().is_err());
    assert!(view.strided::<i64>().is_err());
    assert!(view.to_vec::<i64>().is_err());
}

#[cfg(feature = "compat")]
mod compat {
    use super::*;
    use std::panic::catch_unwind;
    use tvm_ffi::{Any, Function, TensorView};

    // spec: RUST-R21
    #[test]
    fn a_view_of_a_tensor() {
        let tensor = Tensor::from_slice(&[1i64, 2], &[1, 2]).unwrap();
        let view = TensorView::from(&tensor);
        let copy = view;
        assert_eq!(
            (view.shape(), copy.strides()),
            (tensor.shape(), tensor.strides())
        );
        assert_eq!((view.ndim(), view.numel()), (2, 2));
        assert_eq!((view.dtype(), view.device()), (INT64, CPU));
        assert_eq!(view.data_ptr().cast_const(), tensor.data_ptr());
        assert!(view.is_contiguous());
        // SAFETY: the tensor outlives the view.
        let raw = unsafe { TensorView::from_raw(view.as_raw()) };
        assert_eq!(raw.shape(), [1, 2]);
    }

    // spec: RUST-R21
    #[test]
    fn contiguity_follows_one_rule() {
        /// Shape, strides, and whether the elements are contiguous.
        type Case<'a> = (&'a [i64], Option<&'a [i64]>, bool);
        let cases: [Case; 6] = [
            (&[2, 2], None, true),
            (&[2, 2], Some(&[2, 1]), true),
            (&[2, 2], Some(&[1, 2]), false),
            (&[1, 2], Some(&[99, 1]), true),
            (&[0, 2], Some(&[5, 7]), true),
            (&[], Some(&[]), true),
        ];
        for (shape, strides, expected) in cases {
            let (mut elements, mut shape) = ([0; 4], shape.to_vec());
            let mut strides = strides.map(<[i64]>::to_vec);
            let mut tensor = dltensor(&mut elements, &mut shape, strides.as_deref_mut());
            let view = TensorView::try_from(pointer_argument(&mut tensor)).unwrap();
            assert_eq!(view.is_contiguous(), expected, "{shape:?} {strides:?}");
        }
    }

    // spec: RUST-R21
    #[test]
    fn strides_of_a_compact_tensor_panic() {
        let (mut elements, mut shape) = ([0; 4], [2, 2]);
        let tensor = dltensor(&mut elements, &mut shape, None);
        // SAFETY: the tensor outlives the view.
        let view = unsafe { TensorView::from_raw(&tensor) };
        assert!(catch_unwind(|| view.strides().len()).is_err());
    }

    // spec: RUST-R40
    #[test]
    fn a_view_is_an_argument() {
        let sum = Function::from_typed(|tensor: TensorView| {
            Ok(tensor.as_tensor_ref().to_vec::<i64>()?.iter().sum::<i64>())
        });
        let tensor = Tensor::from_slice(&[1i64, 2, 3], &[3]).unwrap();
        let of = |result: tvm_ffi::Result<Any>| i64::try_from(result.unwrap()).unwrap();
        assert_eq!(of(sum.call_tuple((&tensor,))), 6);
        assert_eq!(of(sum.call_tuple((TensorView::from(&tensor),))), 6);
        let error = sum.call_tuple((1i64,)).unwrap_err();
        let message = "Argument #0: Cannot convert from type `int` to `DLTensor*`";
        assert!(error.message().starts_with(message), "{error}");
        let foreign = common::testing_function("testing.optional_tensor_view_has_value");
        let has_value = foreign.call_tuple((TensorView::from(&tensor),)).unwrap();
        assert!(bool::try_from(has_value).unwrap());
    }

    // spec: RUST-R21
    #[test]
    fn a_null_pointer_is_not_a_view() {
        let mut data = tvm_ffi::TVMFFIAny::new();
        data.type_index = TypeIndex::kTVMFFIDLTensorPtr as i32;
        // SAFETY: the view does not refer to memory.
        let null = unsafe { AnyView::from_raw_ffi_any(data) };
        assert!(null.try_as::<TensorView>().is_none());
        assert_eq!(TensorView::try_from(null).unwrap_err().kind(), TYPE_ERROR);
        assert_eq!(TensorRef::try_from(null).unwrap_err().kind(), TYPE_ERROR);
    }

    #[test]
    fn a_view_is_not_stored_in_any() {
        let tensor = Tensor::from_slice(&[1i64], &[1]).unwrap();
        let address = tensor.as_dltensor_ptr() as usize;
        let store = move || {
            // SAFETY: the tensor outlives the view.
            Any::from(unsafe { TensorView::from_raw(address as *const DLTensor) }).type_index()
        };
        let panic = catch_unwind(store).unwrap_err();
        let text = panic.downcast_ref::<&str>().unwrap();
        assert!(
            text.starts_with("DLTensor* cannot be held in Any"),
            "{text}"
        );
    }
}
