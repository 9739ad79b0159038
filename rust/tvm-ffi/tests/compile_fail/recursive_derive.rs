// SPDX-License-Identifier: Apache-2.0
//! A struct with `derive(Object)` that contains itself. A derive macro cannot change the struct, so
//! the compiler reports its infinite size too.
use tvm_ffi::derive::Object as Derive;
use tvm_ffi::Object;

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.Node"]
#[type_register]
struct NodeObj { //~ recursive type `NodeObj` has infinite size
    base: Object,
    #[reflect]
    next: Option<NodeObj>, //~ use the reference type, `Option<Node>`
}
