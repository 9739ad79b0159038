// SPDX-License-Identifier: Apache-2.0
//! A type that derives from a final type.
use tvm_ffi::{rs_class, Object};

#[rs_class("fail.Parent", final)]
struct ParentObj {
    base: Object,
}

#[rs_class("fail.Child")]
struct ChildObj {
    base: ParentObj, //~ `ChildObj` cannot derive from a final type
}
