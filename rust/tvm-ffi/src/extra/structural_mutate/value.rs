// SPDX-License-Identifier: Apache-2.0
//! Values that a mutation may change in place.

use std::marker::PhantomData;
use std::ops::Deref;

use super::remap::RunRemap;
use crate::any::{Any, AnyView};
use crate::extra::structural_visit::StructuralView;
use crate::type_traits::ContainerElement;

/// Whether a mutation may change the value in place, or must change a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(i32)]
pub enum InplaceMode {
    /// The value must not be changed in place.
    #[default]
    Disallow = 0,
    /// The value may be changed in place if there is no other reference to it.
    Allow = 1,
}

impl InplaceMode {
    /// Return `Allow` if the value is an object with exactly one reference.
    pub(super) fn of(value: &StructuralView) -> Self {
        match is_unique(value) {
            true => InplaceMode::Allow,
            false => InplaceMode::Disallow,
        }
    }
}

/// Return whether a value is an object with exactly one reference.
pub(super) fn is_unique(value: &StructuralView) -> bool {
    AnyView::from(value).debug_strong_count() == Some(1)
}

/// A value of type `T` that a mutation has reached, with the information whether it may be changed
/// in place.
pub struct MutateValue<'a, T = Any> {
    value: &'a StructuralView,
    mode: InplaceMode,
    /// The replacements of the run (call of `structural_mutate`) that reached the value.
    remap: Option<&'a RunRemap>,
    kind: PhantomData<fn() -> T>,
}

impl<'a> MutateValue<'a> {
    /// Return a value that must not be changed in place.
    pub fn borrowed(value: &'a StructuralView) -> Self {
        Self::with_mode(value, InplaceMode::Disallow)
    }

    pub(super) fn with_mode(value: &'a StructuralView, mode: InplaceMode) -> Self {
        MutateValue {
            value,
            mode,
            remap: None,
            kind: PhantomData,
        }
    }

    /// Store the replacements of the run that reached the value.
    pub(super) fn in_run(mut self, remap: &'a RunRemap) -> Self {
        self.remap = Some(remap);
        self
    }

    pub(super) fn remap(&self) -> Option<&'a RunRemap> {
        self.remap
    }
}

impl<'a, T> MutateValue<'a, T> {
    /// Return whether the value may be changed in place.
    pub fn inplace_mode(&self) -> InplaceMode {
        self.mode
    }

    /// Return the value.
    pub fn as_value(&self) -> &StructuralView {
        self.value
    }

    /// Return the value with its full lifetime. The caller must not read the value after a
    /// mutation.
    pub(super) fn view(&self) -> &'a StructuralView {
        self.value
    }

    /// Return the same value with a type.
    ///
    /// # Errors
    ///
    /// Returns `self` as the error if the value does not have the type.
    pub fn try_cast<U: ContainerElement>(self) -> Result<MutateValue<'a, U>, Self> {
        match U::element_check_strict(&AnyView::from(self.value)) {
            true => Ok(self.retype()),
            false => Err(self),
        }
    }

    /// Return the same value without its type.
    pub fn into_untyped(self) -> MutateValue<'a> {
        self.retype()
    }

    fn retype<U>(self) -> MutateValue<'a, U> {
        MutateValue {
            value: self.value,
            mode: self.mode,
            remap: self.remap,
            kind: PhantomData,
        }
    }

    /// Return the same value with a shorter lifetime.
    #[doc(hidden)]
    pub fn reborrow(&mut self) -> MutateValue<'_, T> {
        self.copy()
    }

    pub(super) fn copy(&self) -> MutateValue<'a, T> {
        MutateValue {
            value: self.value,
            mode: self.mode,
            remap: self.remap,
            kind: PhantomData,
        }
    }
}

impl<T> Deref for MutateValue<'_, T> {
    type Target = StructuralView;
    fn deref(&self) -> &StructuralView {
        self.value
    }
}

/// A value without other references, which a mutation may change in place.
pub struct InplaceValue<'a> {
    value: &'a StructuralView,
}

impl<'a> InplaceValue<'a> {
    pub(super) fn new(value: &'a StructuralView) -> Self {
        InplaceValue { value }
    }

    /// Return the value.
    pub fn as_value(&self) -> &StructuralView {
        self.value
    }

    /// Return the value with its full lifetime. The caller must not read the value after a
    /// mutation.
    pub(super) fn view(&self) -> &'a StructuralView {
        self.value
    }

    /// Return a second, owned reference to the value. While this reference exists, a mutation
    /// changes a copy instead of the value.
    pub fn to_owned(&self) -> Any {
        self.value.to_owned()
    }
}

impl Deref for InplaceValue<'_> {
    type Target = StructuralView;
    fn deref(&self) -> &StructuralView {
        self.value
    }
}
