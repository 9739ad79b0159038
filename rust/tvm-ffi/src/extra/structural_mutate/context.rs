// SPDX-License-Identifier: Apache-2.0
//! The context that callbacks of mutations get, and policies that replace the default mutation.

use super::descent::{enter, enter_owned, mutate_parts, Engine};
use super::remap::RunRemap;
use super::value::{InplaceMode, MutateValue};
use crate::any::{Any, AnyView};
use crate::error::Result;
use crate::extra::structural_visit::policy::impl_policies;
use crate::extra::structural_visit::{with_view, DefRegionKind, StructuralView};
use crate::extra::unchanged::UnchangedOr;

/// Mutates values with a state of type `S`. A result is a new value, or the marker `Unchanged`.
pub(super) trait MutateDriver<S> {
    fn mutate_value(
        &self,
        state: &mut S,
        remap: &RunRemap,
        value: MutateValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any>;
}

/// An [`Engine`] made from a driver, the state for the driver, and the replacements of one run (one
/// call of `structural_map` or `structural_mutate`).
pub(super) struct Run<'a, S> {
    pub(super) state: &'a mut S,
    pub(super) remap: &'a RunRemap,
    pub(super) driver: &'a dyn MutateDriver<S>,
}

impl<S> Engine for Run<'_, S> {
    fn mutate_value(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
        is_inplace: bool,
    ) -> Result<Any> {
        let mode = match is_inplace {
            true => InplaceMode::Allow,
            false => InplaceMode::Disallow,
        };
        let value = MutateValue::with_mode(value, mode).in_run(self.remap);
        self.driver
            .mutate_value(self.state, self.remap, value, kind)
    }

    fn var_remap_get(&mut self, var: &StructuralView) -> Result<Option<Any>> {
        self.remap.get(var)
    }

    fn var_remap_set(&mut self, var: &StructuralView, mapped: &Any) -> Result<()> {
        self.remap.set(var, mapped)
    }
}

/// Take ownership of a root and mutate it.
pub(super) fn mutate_root<S>(
    state: &mut S,
    driver: &dyn MutateDriver<S>,
    root: Any,
) -> Result<Any> {
    let remap = RunRemap::default();
    let mut run = Run {
        state,
        remap: &remap,
        driver,
    };
    enter_owned(root, DefRegionKind::None, true, &mut run)
}

/// Replaces the default mutation of the values that no callback accepts.
///
/// A pair `(outer, inner)` is also a policy: when `outer` calls the default mutation, `inner` is
/// called.
pub trait MutContextPolicy<S> {
    /// Mutate the parts of a value. [`MutateContext::default_maybe_inplace_mutate_result`] is the
    /// default mutation.
    fn default_mutate(
        &self,
        value: MutateValue<'_>,
        context: &mut MutateContext<'_, S>,
    ) -> Result<UnchangedOr<Any>>;
}

/// The policy that calls the default mutation.
pub struct DefaultMutContextPolicy;

impl_policies!(
    MutContextPolicy::default_mutate(MutateValue<'_>, MutateContext) -> Result<UnchangedOr<Any>>,
    DefaultMutContextPolicy,
    |context, value| context.default_maybe_inplace_mutate_result(value)
);

/// The context of a callback: the state, the current position of the mutation, and methods that
/// mutate other values.
///
/// If a mutation does not change a value, the methods with the suffix `_result` return the marker
/// `Unchanged`, and the other methods return the original value.
pub struct MutateContext<'a, S = ()> {
    pub(super) state: &'a mut S,
    pub(super) remap: &'a RunRemap,
    pub(super) kind: DefRegionKind,
    pub(super) mode: InplaceMode,
    pub(super) driver: &'a dyn MutateDriver<S>,
    /// The policy for the default mutation, or `None` for the default mutation of the type.
    pub(super) policy: Option<&'a dyn MutContextPolicy<S>>,
}

/// Return the new value, or a new reference to the original value if it is unchanged.
pub(super) fn or_original(result: UnchangedOr<Any>, original: &StructuralView) -> Any {
    result.value_or_else(|| original.to_owned())
}

impl<S> MutateContext<'_, S> {
    fn reborrow(&mut self) -> MutateContext<'_, S> {
        MutateContext {
            state: &mut *self.state,
            remap: self.remap,
            kind: self.kind,
            mode: self.mode,
            driver: self.driver,
            policy: self.policy,
        }
    }

    /// Return the context of a policy that a policy calls.
    fn nested<'c>(
        &'c mut self,
        _value: &MutateValue<'_>,
        policy: Option<&'c dyn MutContextPolicy<S>>,
    ) -> MutateContext<'c, S> {
        MutateContext {
            policy,
            ..self.reborrow()
        }
    }

    fn run(&mut self) -> Run<'_, S> {
        Run {
            state: &mut *self.state,
            remap: self.remap,
            driver: self.driver,
        }
    }

    /// Return the state.
    pub fn state(&self) -> &S {
        self.state
    }

    /// Return the state as a mutable reference.
    pub fn state_mut(&mut self) -> &mut S {
        self.state
    }

    /// Return whether the current value may be changed in place.
    pub fn inplace_mode(&self) -> InplaceMode {
        self.mode
    }

    /// Return the definition region of the current value.
    pub fn def_region_kind(&self) -> DefRegionKind {
        self.kind
    }

    /// Call `body` with a context in the definition region `kind`. If the current region is
    /// `Pattern`, the context stays in this region.
    pub fn with_def_region_kind<R>(
        &mut self,
        kind: DefRegionKind,
        body: impl FnOnce(&mut MutateContext<'_, S>) -> R,
    ) -> R {
        let kind = self.kind.enter(kind);
        body(&mut MutateContext {
            kind,
            ..self.reborrow()
        })
    }

    /// Mutate a value, never in place.
    pub fn mutate<T>(&mut self, value: &T) -> Result<Any>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        self.mutate_with(value, self.kind)
    }

    /// Mutate like [`MutateContext::mutate`]; return `Unchanged` if the value has not changed.
    pub fn mutate_result<T>(&mut self, value: &T) -> Result<UnchangedOr<Any>>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        self.mutate_with_result(value, self.kind)
    }

    /// Mutate a value in the definition region `kind`, or in `Pattern` if that is the current
    /// region.
    pub fn mutate_with<T>(&mut self, value: &T, kind: DefRegionKind) -> Result<Any>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let result = self.mutate_with_result(value, kind)?;
        Ok(with_view(value, |view| or_original(result, view)))
    }

    /// Mutate like [`MutateContext::mutate_with`]; return `Unchanged` if the value has not changed.
    pub fn mutate_with_result<T>(
        &mut self,
        value: &T,
        kind: DefRegionKind,
    ) -> Result<UnchangedOr<Any>>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let kind = self.kind.enter(kind);
        let result = with_view(value, |view| enter(view, kind, false, &mut self.run()));
        result.map(UnchangedOr::from_any)
    }

    /// Take ownership of a value and mutate it; in place if there is no other reference.
    pub fn maybe_inplace_mutate(&mut self, value: impl Into<Any>) -> Result<Any> {
        self.maybe_inplace_mutate_with(value, self.kind)
    }

    /// Mutate like [`MutateContext::maybe_inplace_mutate`], in the definition region `kind`.
    pub fn maybe_inplace_mutate_with(
        &mut self,
        value: impl Into<Any>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        self.maybe_inplace_mutate_with_mode(value, kind, InplaceMode::Allow)
    }

    /// Mutate like [`MutateContext::maybe_inplace_mutate_with`], but in place only if `mode` allows
    /// it.
    pub fn maybe_inplace_mutate_with_mode(
        &mut self,
        value: impl Into<Any>,
        kind: DefRegionKind,
        mode: InplaceMode,
    ) -> Result<Any> {
        let kind = self.kind.enter(kind);
        let may_be_inplace = mode == InplaceMode::Allow;
        enter_owned(value.into(), kind, may_be_inplace, &mut self.run())
    }

    /// Mutate the parts of a value, never in place.
    pub fn default_mutate<T>(&mut self, value: &T) -> Result<Any>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let result = self.default_mutate_result(value)?;
        Ok(with_view(value, |view| or_original(result, view)))
    }

    /// Mutate like [`MutateContext::default_mutate`]; return `Unchanged` if the value has not
    /// changed.
    pub fn default_mutate_result<T>(&mut self, value: &T) -> Result<UnchangedOr<Any>>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        with_view(value, |view| {
            self.default_maybe_inplace_mutate_result(MutateValue::borrowed(view))
        })
    }

    /// Mutate the parts of a value; in place if the value allows it.
    pub fn default_maybe_inplace_mutate<T>(&mut self, value: MutateValue<'_, T>) -> Result<Any> {
        let mode = value.inplace_mode();
        self.default_mutate_with_mode(value, mode)
    }

    /// Mutate like [`MutateContext::default_maybe_inplace_mutate`]; return `Unchanged` if there is
    /// no new value.
    pub fn default_maybe_inplace_mutate_result<T>(
        &mut self,
        value: MutateValue<'_, T>,
    ) -> Result<UnchangedOr<Any>> {
        let mode = value.inplace_mode();
        self.default_mutate_with_mode_result(value, mode)
    }

    /// Mutate the parts of a value; in place if both the value and `mode` allow it.
    pub fn default_mutate_with_mode<T>(
        &mut self,
        value: MutateValue<'_, T>,
        mode: InplaceMode,
    ) -> Result<Any> {
        let original = value.view();
        let result = self.default_mutate_with_mode_result(value, mode)?;
        Ok(or_original(result, original))
    }

    /// Mutate like [`MutateContext::default_mutate_with_mode`]; return `Unchanged` if there is no
    /// new value.
    pub fn default_mutate_with_mode_result<T>(
        &mut self,
        value: MutateValue<'_, T>,
        mode: InplaceMode,
    ) -> Result<UnchangedOr<Any>> {
        let is_allowed = value.inplace_mode() == InplaceMode::Allow && mode == InplaceMode::Allow;
        let Some(policy) = self.policy else {
            let kind = self.kind;
            let result = mutate_parts(value.view(), kind, is_allowed, &mut self.run())?;
            return Ok(UnchangedOr::from_any(result));
        };
        let mode = match is_allowed {
            true => InplaceMode::Allow,
            false => InplaceMode::Disallow,
        };
        let value = MutateValue::with_mode(value.view(), mode).in_run(self.remap);
        let mut inner = MutateContext {
            mode,
            policy: None,
            ..self.reborrow()
        };
        policy.default_mutate(value, &mut inner)
    }

    /// Return the recorded replacement of a variable, or `None` if there is no record. The
    /// replacement is the marker `Unchanged` if the variable was recorded as unchanged.
    pub fn var_remap_get<T>(&self, var: &T) -> Result<Option<Any>>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        with_view(var, |var| self.remap.get(var))
    }

    /// Record the replacement of a variable for the rest of this run.
    pub fn var_remap_set<T>(&mut self, var: &T, mapped: &Any) -> Result<()>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        with_view(var, |var| self.remap.set(var, mapped))
    }
}

/// Return the result as an `Any`: the new value, or the marker `Unchanged`.
pub(super) fn into_any(result: UnchangedOr<Any>) -> Any {
    result.value_or_else(|| Any::from(crate::extra::unchanged::Unchanged))
}
