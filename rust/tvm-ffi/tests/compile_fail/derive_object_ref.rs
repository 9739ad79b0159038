// SPDX-License-Identifier: Apache-2.0
//! Wrong uses of `derive(ObjectRef)`.
use tvm_ffi::derive::ObjectRef;
use tvm_ffi::{Object, ObjectArc};

#[derive(ObjectRef)]
struct Empty; //~ the first field of a reference struct is an `ObjectArc<XObj>`

#[derive(ObjectRef)]
struct Plain {
    data: Object, //~ the first field of a reference struct is an `ObjectArc<XObj>`
}

#[derive(ObjectRef)]
struct Two {
    data: ObjectArc<Object>,
    other: i64, //~ a reference struct has one field, the `ObjectArc`
}

#[derive(ObjectRef)]
enum Enumeration { //~ derive(ObjectRef) needs a struct
    Variant,
}
