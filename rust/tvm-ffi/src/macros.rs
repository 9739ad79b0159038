// SPDX-License-Identifier: Apache-2.0
//! Declarative macros, which the root of the crate exports.

mod conversion;
mod error;
mod function;

pub use tvm_ffi_macros::paste;
