// SPDX-License-Identifier: Apache-2.0
//! Wrong arguments of calls, and types that an `Any` cannot hold.
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{def_object_ref, rs_class, Any, Function, Object, ObjectRefCast, ObjectRefCore};

#[rs_class("fail.Shape")]
pub struct ShapeObj {
    base: Object,
}

def_object_ref!(pub Shape, ObjectRef, ShapeObj);

pub fn wrong_arguments(f: &Function, shape: ShapeObj) {
    let _ = f.call_tuple(1); //~ the arguments of a call are a tuple, not `{integer}`
    let _ = f.call_tuple((1u128,)); //~ `u128` cannot be an argument of a call
    let _ = f.call_tuple((shape,)); //~ `ShapeObj` cannot be an argument of a call
}

pub fn wrong_values(shape: ShapeObj) {
    let _ = Any::from(shape); //~ an `Any` cannot hold a value of the type `ShapeObj`
}

pub fn wrong_casts(shape: Shape) {
    let _ = shape.as_node::<Shape>(); //~ `Shape` is not an object struct
    let _ = shape.try_cast::<ShapeObj>(); //~ `ShapeObj` is not a reference type
}
