// SPDX-License-Identifier: Apache-2.0
//! Views that outlive the value that they borrow from.
use tvm_ffi::{structural_walk, AnyView, Array, StructuralView, WalkOrder, WalkResult};

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
