// SPDX-License-Identifier: Apache-2.0
//! Macros of the crate `tvm-ffi`; use them through that crate.
#![deny(missing_docs)]

mod paste;

use proc_macro::TokenStream;

/// Replace each `[<a b ..>]` in the input by one identifier, the parts joined.
///
/// A part is an identifier or a literal.
#[proc_macro]
pub fn paste(input: TokenStream) -> TokenStream {
    paste::expand(input)
}
