// SPDX-License-Identifier: Apache-2.0
//! A parent whose objects cannot be created without values for the fields.
use tvm_ffi::{rs_class, Object};

#[repr(C)]
#[derive(tvm_ffi::derive::Object)]
#[type_key = "testing.TestIntPair"]
struct ParentObj {
    base: Object,
    a: i64,
    b: i64,
}

#[rs_class("fail.Child")]
struct ChildObj {
    base: ParentObj, //~ objects of `ParentObj` cannot be made before their fields have values
}
