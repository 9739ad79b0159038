// SPDX-License-Identifier: Apache-2.0
//! Declarative macros. `macro_export` puts them into the root of the crate.

mod conversion;
mod error;
mod function;

pub(crate) use conversion::{impl_value, same_representation};
pub use tvm_ffi_macros::paste;
