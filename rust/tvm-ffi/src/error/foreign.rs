// SPDX-License-Identifier: Apache-2.0
//! Conversion of errors of other types.

use std::error::Error as ForeignError;

use super::{Error, ErrorKind, Result};

/// Conversion of results with an error of another type, which `?` does not convert because it does
/// not know the kind.
///
/// ```
/// use tvm_ffi::error::WithKind;
///
/// fn parse(text: &str) -> tvm_ffi::Result<i64> {
///     Ok(text.parse::<i64>().with_kind(tvm_ffi::VALUE_ERROR)? + 1)
/// }
/// let error = parse("x").unwrap_err();
/// assert_eq!(error.message(), "invalid digit found in string");
/// ```
pub trait WithKind<T> {
    /// Convert the error to an [`Error`] of a kind. The message has the text of the error and of its
    /// sources, and the backtrace has the place of the call.
    fn with_kind(self, kind: ErrorKind<'_>) -> Result<T>;
}

impl<T, E: ForeignError> WithKind<T> for std::result::Result<T, E> {
    #[track_caller]
    fn with_kind(self, kind: ErrorKind<'_>) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(Error::at_caller(kind, &text_of(&error))),
        }
    }
}

/// Return the text of an error and of its sources, separated by colons.
#[cold]
fn text_of(error: &dyn ForeignError) -> String {
    let sources = std::iter::successors(error.source(), |&error| error.source());
    sources.fold(error.to_string(), |text, source| {
        format!("{text}: {source}")
    })
}
