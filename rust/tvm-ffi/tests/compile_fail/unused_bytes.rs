// SPDX-License-Identifier: Apache-2.0
//! Elements with unused bytes, which have no value.
use tvm_ffi::dtype::AsDLDataType;
use tvm_ffi::{DLDataType, Tensor};

#[derive(Clone, Copy)]
#[repr(C)]
struct Padded(u8, u16);

impl AsDLDataType for Padded {
    const DL_DATA_TYPE: DLDataType = <f32 as AsDLDataType>::DL_DATA_TYPE;
}

fn tensor() {
    let _ = Tensor::from_slice(&[Padded(1, 2)], &[1]); //~ the trait bound `Padded: TensorElement` is not satisfied
}
