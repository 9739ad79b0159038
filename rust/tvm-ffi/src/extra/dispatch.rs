// SPDX-License-Identifier: Apache-2.0
//! Traits that select a method by the type of a value. `#[dispatch(..)]` implements the traits.

use super::structural_mutate::{DefaultMutContextPolicy, MutateValue, Mutator};
use super::structural_visit::{DefRegionKind, StructuralView, WalkResult};
use crate::any::Any;
use crate::error::Result;

pub use tvm_ffi_macros::dispatch;

/// Selects the method that [`structural_walk`](crate::structural_walk) calls for a value.
pub trait WalkDispatch {
    /// Call the method for the type of the value. Return `None` if there is no such method; the
    /// walk then continues as after [`WalkResult::Advance`].
    fn dispatch_walk(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> Option<Result<WalkResult>>;
}

/// Selects the method that [`structural_map`](crate::structural_map) calls to replace a value.
pub trait MapDispatch {
    /// Call the method for the type of the value. Return `None` if there is no such method; the
    /// value then stays unchanged.
    fn dispatch_map(&mut self, value: &StructuralView, kind: DefRegionKind) -> Option<Result<Any>>;
}

/// Selects the method that [`structural_mutate`](crate::structural_mutate) calls to mutate a value.
/// The methods return a new value, or [`Unchanged`](crate::Unchanged) as an `Any`.
pub trait MutateDispatch {
    /// Call the method for the type of a value that must not be changed in place. Return `None` if
    /// there is no such method.
    fn dispatch_mutate(
        &mut self,
        value: &StructuralView,
        mutator: &mut Mutator<'_>,
    ) -> Option<Result<Any>> {
        let _ = (value, mutator);
        None
    }

    /// Call the method for the type of a value that may be changed in place. Without such a method,
    /// return `None`.
    fn dispatch_mutate_value(
        &mut self,
        value: MutateValue<'_>,
        mutator: &mut Mutator<'_>,
    ) -> Option<Result<Any>> {
        self.dispatch_mutate(value.as_value(), mutator)
    }

    /// Mutate the parts of a value that no method accepts.
    fn on_default_mutate(&mut self, value: MutateValue<'_>, kind: DefRegionKind) -> Result<Any>
    where
        Self: Sized,
    {
        super::structural_mutate::mutate_by_policy(&DefaultMutContextPolicy, self, value, kind)
    }
}
