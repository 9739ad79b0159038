// SPDX-License-Identifier: Apache-2.0
//! Types that a field cannot have.
use tvm_ffi::{rs_class, Object};

#[rs_class("fail.Field")]
struct FieldObj {
    base: Object,
    place: std::net::Ipv4Addr, //~ `Ipv4Addr` cannot be the type of a reflected field
}
