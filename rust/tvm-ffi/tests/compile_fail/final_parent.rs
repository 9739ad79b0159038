// SPDX-License-Identifier: Apache-2.0
//! A final type has no derived types.
use tvm_ffi::{rs_class, Object};

#[rs_class("fail.Parent", final)]
struct ParentObj {
    base: Object,
}

#[rs_class("fail.Child")]
struct ChildObj {
    base: ParentObj, //~ `ChildObj` cannot derive from a final type
}
