// SPDX-License-Identifier: Apache-2.0
//! The results of callbacks of `structural_map` and `structural_mutate`.

use crate::any::Any;
use crate::error::Result;

/// A type that a callback may return: a new value, [`Unchanged`], [`UnchangedOr`], or a `Result` of
/// these.
///
/// [`Unchanged`]: crate::Unchanged
/// [`UnchangedOr`]: crate::UnchangedOr
pub trait IntoMutateResult {
    /// Return the new value, or the marker `Unchanged`.
    fn into_mutate_result(self) -> Result<Any>;
}

impl<T: Into<Any>> IntoMutateResult for T {
    fn into_mutate_result(self) -> Result<Any> {
        Ok(self.into())
    }
}

impl<T: Into<Any>> IntoMutateResult for Result<T> {
    fn into_mutate_result(self) -> Result<Any> {
        self.map(Into::into)
    }
}
