// SPDX-License-Identifier: Apache-2.0
//! Declarative macros. `macro_export` puts them into the root of the crate.

mod conversion;
mod error;
mod function;

pub use tvm_ffi_macros::paste;
