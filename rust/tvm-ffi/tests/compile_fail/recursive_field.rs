// SPDX-License-Identifier: Apache-2.0
//! Fields that contain an object of their own class.
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{def_object_ref, rs_class, Object};

#[rs_class("fail.Node")]
pub struct NodeObj {
    base: Object,
    next: NodeObj, //~ use the reference type, `Option<Node>`, where `def_object_ref!(pub Node, .., NodeObj)`
    previous: Option<Self>, //~ a field cannot contain an object of its own class
}

def_object_ref!(pub Node, ObjectRef, NodeObj);

#[rs_class("fail.Plain")]
pub struct Plain {
    base: Object,
    #[reflect(default = None)]
    next: std::option::Option<Plain>, //~ use the reference type, `Option<PlainRef>`
}

// References are correct.
#[rs_class("fail.Tree")]
pub struct TreeObj {
    base: Object,
    left: Option<Tree>,
    right: tvm_ffi::Array<Tree>,
}

def_object_ref!(pub Tree, ObjectRef, TreeObj);
