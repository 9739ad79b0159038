// SPDX-License-Identifier: Apache-2.0
//! Traits that choose a method by the type of a value; `#[dispatch(..)]` implements them.

use super::structural_mutate::{MutateValue, Mutator};
use super::structural_visit::{DefRegionKind, StructuralView, WalkResult};
use crate::any::Any;
use crate::error::Result;

pub use tvm_ffi_macros::dispatch;

/// Chooses what a walk does at a value.
pub trait WalkDispatch {
    /// Call the method for the value; `None` if there is none, and the walk goes on.
    fn dispatch_walk(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> Option<Result<WalkResult>>;
}

/// Chooses what a map puts in the place of a value.
pub trait MapDispatch {
    /// Call the method for the value; `None` if there is none, and the value stays.
    fn dispatch_map(&mut self, value: &StructuralView, kind: DefRegionKind) -> Option<Result<Any>>;
}

/// Chooses what becomes of a value in a mutation. Results are a new value, or
/// [`Unchanged`](crate::Unchanged) as an `Any`.
pub trait MutateDispatch {
    /// Call the method for a value that stays as it is; `None` if there is none.
    fn dispatch_mutate(
        &mut self,
        value: &StructuralView,
        mutator: &mut Mutator<'_>,
    ) -> Option<Result<Any>> {
        let _ = (value, mutator);
        None
    }

    /// Call the method for a value that may be changed in place; `None` if there is none.
    fn dispatch_mutate_value(
        &mut self,
        value: MutateValue<'_>,
        mutator: &mut Mutator<'_>,
    ) -> Option<Result<Any>> {
        self.dispatch_mutate(value.as_value(), mutator)
    }

    /// Mutate the parts of a value that no method takes.
    fn on_default_mutate(&mut self, value: MutateValue<'_>, kind: DefRegionKind) -> Result<Any>
    where
        Self: Sized,
    {
        super::structural_mutate::mutate_by_policy(&(), self, value, kind)
    }
}
