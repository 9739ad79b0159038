// SPDX-License-Identifier: Apache-2.0
//! Derive macros for object structs and for references to them.

pub use tvm_ffi_macros::{Object, ObjectRef};
