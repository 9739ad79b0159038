// SPDX-License-Identifier: Apache-2.0
//! Traversals of graphs of values. A walk calls a callback at every value; a visit lets the
//! callbacks decide which parts are visited.
//!
//! Every value that structural equality compares is visited, at each occurrence: the elements of
//! sequences, the values (not the keys) of mappings, the reflected fields without `SEQ_HASH_IGNORE`
//! (the fields of ancestors first), and plain values except None. A type can define its own visit
//! with the attribute `__s_visit__`.
//!
//! ```
//! use tvm_ffi::{structural_walk, Array, WalkOrder, WalkResult};
//!
//! let root = Array::new(vec![1i64, 2, 3]);
//! let mut sum = 0;
//! let count = |value: i64| {
//!     sum += value;
//!     WalkResult::Advance
//! };
//! assert!(structural_walk(&root, count, WalkOrder::PreOrder)?.is_none());
//! assert_eq!(sum, 6);
//! # Ok::<(), tvm_ffi::Error>(())
//! ```
//!
//! Traversals recurse on the stack of the thread. They return a `ValueError` if the stack is nearly
//! exhausted, for example because a value contains itself.

mod context;
mod descent;
mod error_context;
mod hook;
mod interrupt;
pub(crate) mod link;
mod loan;
pub(crate) mod policy;
mod region;
mod view;
mod visit;
mod visitor_object;
mod walk;

pub use super::dispatch::WalkDispatch;
pub use context::{ContextPolicy, DefaultContextPolicy, VisitContext};
pub use error_context::{VisitErrorContext, VisitErrorContextObj};
pub use interrupt::{IntoVisitResult, VisitInterrupt, VisitInterruptObj};
pub(crate) use region::CurrentRegion;
pub use view::StructuralView;
pub use visit::{structural_visit, IntoVisitor, StructuralVisitor, VisitCallbacks};
pub use walk::{structural_walk, IntoWalker, WalkOrder, WalkResult, WalkWithContextPolicy};
#[doc(hidden)]
pub use {context::visit_by_policy, visit::VisitLink, walk::IntoWalkResult, walk::WalkLink};

use descent::OBJECT_LINE_VISIT;
pub(crate) use error_context::{record_field, record_object};
pub(crate) use hook::Hook;
pub(crate) use loan::Loan;
pub(crate) use view::{owned, with_view};

use tvm_ffi_sys::{TVMFFIDefRegionKind, TVMFFIFieldFlagBitMask, TVMFFITypeIndex};

use crate::any::AnyView;
use crate::error::Result;

/// The result of a visit: the interrupt that stopped it, or `None`.
type VisitResult = Result<Option<VisitInterrupt>>;

/// Whether variables are defined or used at the current position of a traversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(i32)]
pub enum DefRegionKind {
    /// Variables are used.
    #[default]
    None = TVMFFIDefRegionKind::kTVMFFIDefRegionKindNone as i32,
    /// Variables are defined, at any depth.
    Pattern = TVMFFIDefRegionKind::kTVMFFIDefRegionKindPattern as i32,
    /// The next variable that the traversal reaches is defined. The variables inside that variable
    /// are used.
    Simple = TVMFFIDefRegionKind::kTVMFFIDefRegionKindSimple as i32,
}

impl DefRegionKind {
    /// Return the kind for a number of the C interface. Unknown numbers give `None`.
    pub(crate) fn from_raw(kind: i32) -> Self {
        const PATTERN: i32 = DefRegionKind::Pattern as i32;
        const SIMPLE: i32 = DefRegionKind::Simple as i32;
        match kind {
            PATTERN => DefRegionKind::Pattern,
            SIMPLE => DefRegionKind::Simple,
            _ => DefRegionKind::None,
        }
    }

    /// Return the region after a request for `requested` inside this region. Inside `Pattern`, the
    /// request has no effect.
    pub(crate) fn enter(self, requested: DefRegionKind) -> DefRegionKind {
        match self {
            DefRegionKind::Pattern => self,
            _ => requested,
        }
    }

    /// Return the region for the fields of an object, before the flags of a field are applied.
    pub(crate) fn inside(self, is_variable: bool) -> DefRegionKind {
        match self {
            DefRegionKind::Simple if is_variable => DefRegionKind::None,
            _ => self,
        }
    }

    /// Return the kind of definition region inside a field with these flags. Call this function on
    /// the value that `inside` returned.
    pub(crate) fn of_field(self, flags: i64) -> DefRegionKind {
        const PATTERN: i64 =
            TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskSEqHashDefPattern as i64;
        const SIMPLE: i64 = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskSEqHashDefSimple as i64;
        if flags & PATTERN != 0 {
            return DefRegionKind::Pattern;
        }
        match flags & SIMPLE {
            0 => self,
            _ => self.enter(DefRegionKind::Simple),
        }
    }
}

/// A function that visits a value.
pub(crate) type VisitFn<'f> = dyn FnMut(&StructuralView, DefRegionKind) -> VisitResult + 'f;

/// Return whether a value is None, which is not visited.
fn is_none(value: &StructuralView) -> bool {
    value.type_index() == TVMFFITypeIndex::kTVMFFINone as i32
}

/// Visit a value with `visit`; after a failure, add the value to the context of the error.
fn enter(value: &StructuralView, kind: DefRegionKind, visit: &mut VisitFn<'_>) -> VisitResult {
    if is_none(value) {
        return Ok(None);
    }
    let result = crate::stack::check_space(descent::OPERATION).and_then(|()| visit(value, kind));
    result.map_err(|error| record_object(error, AnyView::from(value), OBJECT_LINE_VISIT))
}
