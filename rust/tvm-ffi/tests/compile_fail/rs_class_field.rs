// SPDX-License-Identifier: Apache-2.0
//! A type that a reflected field cannot have.
use tvm_ffi::{rs_class, Object};

#[rs_class("fail.Field")]
struct FieldObj {
    base: Object,
    place: std::net::Ipv4Addr, //~ `Ipv4Addr` cannot be the type of a reflected field
}
