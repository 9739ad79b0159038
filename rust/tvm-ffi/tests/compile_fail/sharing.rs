// SPDX-License-Identifier: Apache-2.0
//! Objects on other threads, and parts of objects that outlive them.
use std::cell::{Cell, RefCell};
use std::thread;

use tvm_ffi::collections::tensor::StridedCells;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    structural_mutate, Any, AnyView, Array, Function, List, Map, MutateContext, MutateValue,
    ObjectArc, RValueRef, Shape, String, Tensor, TensorRef, Writable,
};

fn a_list_moves(list: List<i64>) {
    thread::spawn(move || list.len()); //~ cannot be sent between threads safely
}

fn a_list_is_shared(list: &List<i64>) {
    thread::scope(|scope| scope.spawn(|| list.len()).join().unwrap()); //~ cannot be shared between threads safely
}

fn a_value_moves(value: Any) {
    thread::spawn(move || value.type_index()); //~ cannot be sent between threads safely
}

fn a_tensor_is_shared(tensor: &Tensor) {
    thread::scope(|scope| scope.spawn(|| tensor.numel()).join().unwrap()); //~ cannot be shared between threads safely
}

fn a_function_captures_a_map(map: Map<String, i64>) -> Function {
    Function::from_typed(move || Ok(map.len())) //~ cannot be sent between threads safely
}

fn a_field_is_shared(field: &Writable<i64>) {
    thread::scope(|scope| scope.spawn(|| field.get()).join().unwrap()); //~ cannot be shared between threads safely
}

fn a_weak_reference_moves(object: &ObjectArc<tvm_ffi::Object>) {
    let weak = ObjectArc::downgrade(object);
    thread::spawn(move || weak.upgrade().is_some()); //~ cannot be sent between threads safely
}

fn elements_outlive_the_tensor() -> &'static [Cell<f32>] {
    let tensor = Tensor::from_slice(&[1.0_f32], &[1]).unwrap();
    tensor.as_cells::<f32>().unwrap() //~ cannot return value referencing local variable `tensor`
}

fn strided_elements_outlive_the_tensor() -> StridedCells<'static, f32> {
    let tensor = Tensor::from_slice(&[1.0_f32], &[1]).unwrap();
    tensor.strided::<f32>().unwrap() //~ cannot return value referencing local variable `tensor`
}

fn a_reference_outlives_the_tensor() -> TensorRef<'static> {
    let tensor = Tensor::from_slice(&[1.0_f32], &[1]).unwrap();
    tensor.as_tensor_ref() //~ cannot return value referencing local variable `tensor`
}

fn extents_outlive_the_shape() -> &'static [i64] {
    let shape = Shape::from([1, 2]);
    &shape //~ cannot return reference to local variable `shape`
}

fn a_text_outlives_the_string() -> &'static str {
    String::from("text").as_str() //~ cannot return value referencing temporary value
}

fn a_view_outlives_the_value() -> AnyView<'static> {
    let value = Any::from(1);
    AnyView::from(&value) //~ cannot return value referencing local variable `value`
}

fn a_moved_reference_is_used(node: ObjectRef) -> ObjectRef {
    let moved = RValueRef::new(node);
    drop(moved.into_inner());
    moved.into_inner() //~ use of moved value: `moved`
}

fn a_mutated_value_escapes(array: Array<i64>) {
    let kept: RefCell<Option<MutateValue<'_>>> = RefCell::new(None);
    let keep = |value: MutateValue<'_>, _: &mut MutateContext<'_>| {
        kept.replace(Some(value)); //~ borrowed data escapes outside of closure
        1_i64
    };
    let _ = structural_mutate(array, keep);
}
