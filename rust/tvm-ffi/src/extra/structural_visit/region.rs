// SPDX-License-Identifier: Apache-2.0
//! The definition region of the value that a visitor or mutator of this thread handles.

use std::cell::Cell;

use super::DefRegionKind;

thread_local! {
    static CURRENT: Cell<DefRegionKind> = const { Cell::new(DefRegionKind::None) };
}

/// A value that a [`StructuralVisitor`](super::StructuralVisitor), or a mutator, handles. The
/// region of the enclosing value becomes the current region again when this value is dropped.
pub(crate) struct CurrentRegion(DefRegionKind);

impl CurrentRegion {
    pub(crate) fn begin(kind: DefRegionKind) -> Self {
        CurrentRegion(CURRENT.replace(kind))
    }

    /// Return the region of a part for which the program asked for the region `kind`: `Pattern` if
    /// the current region is `Pattern`, otherwise `kind`.
    pub(crate) fn of_part(kind: DefRegionKind) -> DefRegionKind {
        CURRENT.get().enter(kind)
    }
}

impl Drop for CurrentRegion {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}
