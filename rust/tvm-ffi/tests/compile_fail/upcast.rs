// SPDX-License-Identifier: Apache-2.0
//! References to the objects of a struct that does not begin with the object struct of the parent.
use tvm_ffi::object::{ObjectArc, ObjectRef};
use tvm_ffi::{def_object_ref, impl_object_upcast, rs_class, Object};

#[rs_class("fail.A")]
pub struct AObj {
    base: Object,
    value: i64,
}

def_object_ref!(pub A, ObjectRef, AObj);

#[rs_class("fail.B")]
pub struct BObj {
    base: Object,
}

def_object_ref!(pub B, A, BObj); //~ an object of `B` is not an object of `A`

#[repr(C)]
#[derive(tvm_ffi::derive::Object)]
#[type_key = "testing.TestIntPair"]
pub struct PairObj {
    base: Object,
    a: i64,
    b: i64,
}

#[derive(tvm_ffi::derive::ObjectRef, Clone)]
pub struct Pair(ObjectArc<PairObj>);

impl_object_upcast!(Pair => ObjectRef);
impl_object_upcast!(A => Pair); //~ an object of `A` is not an object of `Pair`
impl_object_upcast!(ObjectOf => A); //~ an object of `ObjectOf` is not an object of `A`

#[derive(tvm_ffi::derive::ObjectRef, Clone)]
pub struct ObjectOf(ObjectArc<Object>);

// Correct: the nearest ancestor, and an ancestor beyond it.
#[rs_class("fail.C")]
pub struct CObj {
    base: AObj,
}

#[rs_class("fail.D")]
pub struct DObj {
    base: CObj,
}

def_object_ref!(pub C, A, CObj);
def_object_ref!(pub D, A, DObj);
impl_object_upcast!(D => C, D => ObjectRef);
