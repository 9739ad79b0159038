// SPDX-License-Identifier: Apache-2.0
//! Views that outlive the value that they borrow from.
use tvm_ffi::{
    structural_walk, tvm_ffi_dll_export_typed_func, AnyView, Array, Function, Result,
    StructuralView, TypedTensor, TypedTensorView, WalkOrder, WalkResult,
};

fn of_array() -> AnyView<'static> {
    let array = Array::new(vec![1i64]);
    array.view(0) //~ cannot return value referencing local variable `array`
}

fn of_walk(array: &Array<i64>) {
    let mut kept: Option<&StructuralView> = None;
    let keep = |value: &StructuralView| {
        kept = Some(value); //~ borrowed data escapes outside of closure
        WalkResult::Advance
    };
    let _ = structural_walk(array, keep, WalkOrder::PreOrder);
}

fn keep(x: TypedTensorView<'static, f32, 1>) -> Result<usize> {
    Ok(x.numel())
}
tvm_ffi_dll_export_typed_func!(keep, keep); //~ borrowed data escapes outside of closure

fn of_closure() -> Function {
    Function::from_typed(|x: TypedTensorView<f32, 1>| Ok(x.numel())) //~ cannot become a function of other languages
}

fn of_tensor(tensor: TypedTensor<f32, 1>) -> TypedTensorView<'static, f32, 1, tvm_ffi::collections::tensor::Write> {
    tensor.view() //~ cannot return value referencing function parameter `tensor`
}
