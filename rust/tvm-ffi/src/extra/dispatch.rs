// SPDX-License-Identifier: Apache-2.0
//! Traits that choose a method by the type of a value; `#[dispatch(..)]` implements them.

use super::structural_visit::{DefRegionKind, StructuralView, WalkResult};
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
