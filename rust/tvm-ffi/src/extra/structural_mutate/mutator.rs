// SPDX-License-Identifier: Apache-2.0
//! [`Mutator`], with which the methods of `#[dispatch(mutate)]` mutate other values.

use super::context::{into_any, MutateContext, MutateDriver};
use super::remap::RunRemap;
use super::value::{InplaceMode, MutateValue};
use super::{MutContextPolicy, MutateDispatch};
use crate::any::{Any, AnyView};
use crate::error::Result;
use crate::extra::structural_visit::{with_view, CurrentRegion, DefRegionKind};
use crate::extra::unchanged::UnchangedOr;

/// The current position of a mutation by a [`MutateDispatch`], and methods that mutate other
/// values.
///
/// The methods that mutate values work like the methods of [`MutateContext`] with the same names.
/// They have the [`MutateDispatch`] object as an additional first parameter.
pub struct Mutator<'a> {
    remap: &'a RunRemap,
    kind: DefRegionKind,
    mode: InplaceMode,
}

/// A driver that calls the methods of [`MutateDispatch`].
pub(super) struct DispatchDriver;

impl<D: MutateDispatch> MutateDriver<D> for DispatchDriver {
    fn mutate_value(
        &self,
        state: &mut D,
        remap: &RunRemap,
        mut value: MutateValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        let mode = value.inplace_mode();
        let mut mutator = Mutator { remap, kind, mode };
        let _region = CurrentRegion::begin(kind);
        match state.dispatch_mutate_value(value.reborrow(), &mut mutator) {
            Some(result) => result,
            None => state.on_default_mutate(value, kind),
        }
    }
}

/// A policy that calls [`MutateDispatch::on_default_mutate`] of the state.
struct OwnDefault;

impl<D: MutateDispatch> MutContextPolicy<D> for OwnDefault {
    fn default_mutate(
        &self,
        value: MutateValue<'_>,
        context: &mut MutateContext<'_, D>,
    ) -> Result<UnchangedOr<Any>> {
        let kind = context.kind;
        let result = context.state.on_default_mutate(value, kind);
        result.map(UnchangedOr::from_any)
    }
}

macro_rules! forward {
    ($($(#[$doc:meta])* $name:ident[$($generics:tt)*]($($argument:ident: $type:ty),*)
        -> $result:ty $(, $bound:ty)?;)*) => {
        $($(#[$doc])*
        pub fn $name<D: MutateDispatch $($generics)*>(
            &mut self,
            dispatch: &mut D,
            $($argument: $type),*
        ) -> Result<$result>
        $(where for<'x> AnyView<'x>: From<&'x $bound>)?
        {
            self.context(dispatch).$name($($argument),*)
        })*
    };
}

impl Mutator<'_> {
    fn context<'c, D: MutateDispatch>(&'c mut self, dispatch: &'c mut D) -> MutateContext<'c, D> {
        MutateContext {
            state: dispatch,
            remap: self.remap,
            kind: self.kind,
            mode: self.mode,
            driver: &DispatchDriver,
            policy: Some(&OwnDefault),
        }
    }

    /// Return whether the current value may be changed in place.
    pub fn inplace_mode(&self) -> InplaceMode {
        self.mode
    }

    /// Return the definition region of the current value.
    pub fn def_region_kind(&self) -> DefRegionKind {
        self.kind
    }

    /// Call `body` with a mutator in the definition region `kind`. If the current region is
    /// `Pattern`, the mutator stays in this region.
    pub fn with_def_region_kind<R>(
        &mut self,
        kind: DefRegionKind,
        body: impl FnOnce(&mut Mutator<'_>) -> R,
    ) -> R {
        body(&mut Mutator {
            remap: self.remap,
            kind: self.kind.enter(kind),
            mode: self.mode,
        })
    }

    forward! {
        /// See [`MutateContext::mutate`].
        mutate[, T](value: &T) -> Any, T;
        /// See [`MutateContext::mutate_result`].
        mutate_result[, T](value: &T) -> UnchangedOr<Any>, T;
        /// See [`MutateContext::mutate_with`].
        mutate_with[, T](value: &T, kind: DefRegionKind) -> Any, T;
        /// See [`MutateContext::mutate_with_result`].
        mutate_with_result[, T](value: &T, kind: DefRegionKind) -> UnchangedOr<Any>, T;
        /// See [`MutateContext::maybe_inplace_mutate`].
        maybe_inplace_mutate[](value: impl Into<Any>) -> Any;
        /// See [`MutateContext::maybe_inplace_mutate_with`].
        maybe_inplace_mutate_with[](value: impl Into<Any>, kind: DefRegionKind) -> Any;
        /// See [`MutateContext::maybe_inplace_mutate_with_mode`].
        maybe_inplace_mutate_with_mode[](
            value: impl Into<Any>, kind: DefRegionKind, mode: InplaceMode) -> Any;
        /// See [`MutateContext::default_mutate`].
        default_mutate[, T](value: &T) -> Any, T;
        /// See [`MutateContext::default_mutate_result`].
        default_mutate_result[, T](value: &T) -> UnchangedOr<Any>, T;
        /// See [`MutateContext::default_maybe_inplace_mutate`].
        default_maybe_inplace_mutate[, T](value: MutateValue<'_, T>) -> Any;
        /// See [`MutateContext::default_maybe_inplace_mutate_result`].
        default_maybe_inplace_mutate_result[, T](value: MutateValue<'_, T>) -> UnchangedOr<Any>;
        /// See [`MutateContext::default_mutate_with_mode`].
        default_mutate_with_mode[, T](value: MutateValue<'_, T>, mode: InplaceMode) -> Any;
        /// See [`MutateContext::default_mutate_with_mode_result`].
        default_mutate_with_mode_result[, T](
            value: MutateValue<'_, T>, mode: InplaceMode) -> UnchangedOr<Any>;
    }

    /// Return the recorded replacement of a variable, or `None` if there is no record. The
    /// replacement is the marker `Unchanged` if the variable was recorded as unchanged.
    pub fn var_remap_get<D: MutateDispatch, T>(
        &mut self,
        _dispatch: &mut D,
        var: &T,
    ) -> Result<Option<Any>>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        with_view(var, |var| self.remap.get(var))
    }

    /// Record the replacement of a variable for the rest of this run.
    pub fn var_remap_set<D: MutateDispatch, T>(
        &mut self,
        _dispatch: &mut D,
        var: &T,
        mapped: &Any,
    ) -> Result<()>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        with_view(var, |var| self.remap.set(var, mapped))
    }
}

/// Mutate the parts of a value with a policy. `#[dispatch(mutate, policy = ..)]` expands to this
/// function.
///
/// A run is one call of `structural_mutate`, which records the replacements of variables. If
/// `value` does not belong to a run, the function begins a new run.
pub fn mutate_by_policy<D: MutateDispatch, P: MutContextPolicy<D>>(
    policy: &P,
    dispatch: &mut D,
    value: MutateValue<'_>,
    kind: DefRegionKind,
) -> Result<Any> {
    let own = RunRemap::default();
    let mut context = MutateContext {
        state: dispatch,
        remap: value.remap().unwrap_or(&own),
        kind: CurrentRegion::of_part(kind),
        mode: value.inplace_mode(),
        driver: &DispatchDriver,
        policy: None,
    };
    policy.default_mutate(value, &mut context).map(into_any)
}
