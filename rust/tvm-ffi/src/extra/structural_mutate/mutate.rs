// SPDX-License-Identifier: Apache-2.0
//! [`structural_mutate`]: callbacks decide how the values that they accept are mutated.

use std::marker::PhantomData;

use super::context::{into_any, mutate_root, or_original, MutateContext, MutateDriver};
use super::descent::{enter, enter_owned, mutate_parts, Engine};
use super::mutator::DispatchDriver;
use super::remap::{CurrentRun, RunRemap};
use super::value::{InplaceMode, InplaceValue, MutateValue};
use super::{DefaultMutContextPolicy, IntoMutateResult, MutContextPolicy, MutateDispatch};
use crate::any::{Any, AnyView};
use crate::error::Result;
use crate::extra::structural_visit::link::{
    impl_context_links, ByDispatch, ByLinks, ByMutateValue, ByNode, ByOwned, ByValue, ByView, Tuple,
};
use crate::extra::structural_visit::policy::define_callbacks;
use crate::extra::structural_visit::{with_view, CurrentRegion, DefRegionKind, StructuralView};
use crate::extra::unchanged::UnchangedOr;
use crate::object::ObjectCore;
use crate::type_traits::ContainerElement;

/// Mutates every value that a mutation reaches.
///
/// The replacements of variables belong to the current call of [`structural_mutate`]. To keep them
/// elsewhere, for example in a [`StructuralVarRemap`](super::StructuralVarRemap), implement
/// `var_remap_get` and `var_remap_set`.
///
/// The methods that mutate parts do so in the definition region `kind`, or in `Pattern` if that is
/// the region of the current value.
///
/// If a mutation does not change a value, the methods with the suffix `_result` return the marker
/// `Unchanged`. `mutate`, `maybe_inplace_mutate` and the methods `default_*` without this suffix
/// return the original value.
pub trait StructuralMutator {
    /// Mutate a value, never in place. Return a new value, or [`Unchanged`] as an `Any`.
    ///
    /// [`Unchanged`]: crate::Unchanged
    fn dispatch_mutate(&mut self, value: &StructuralView, kind: DefRegionKind) -> Result<Any>;

    /// Mutate a value that may be changed in place.
    fn dispatch_maybe_inplace_mutate(
        &mut self,
        value: InplaceValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        self.dispatch_mutate(value.view(), kind)
    }

    /// Return the recorded replacement of a variable, or `None` if there is no record.
    fn var_remap_get(&mut self, var: &StructuralView) -> Result<Option<Any>> {
        CurrentRun::remap()?.get(var)
    }

    /// Record the replacement of a variable for later occurrences.
    fn var_remap_set(&mut self, var: &StructuralView, mapped: &Any) -> Result<()> {
        CurrentRun::remap()?.set(var, mapped)
    }

    /// Mutate the parts of a value: by the attributes `__s_mutate__` and
    /// `__s_maybe_inplace_mutate__` of its type if the type has them, otherwise field by field.
    /// Return a new value, or [`Unchanged`](crate::Unchanged) as an `Any`.
    fn on_default_mutate(&mut self, value: MutateValue<'_>, kind: DefRegionKind) -> Result<Any> {
        let is_allowed = value.inplace_mode() == InplaceMode::Allow;
        let kind = CurrentRegion::of_part(kind);
        mutate_parts(value.view(), kind, is_allowed, &mut TraitEngine(self))
    }

    /// Mutate a part, never in place; after a failure, the context of the error contains the part.
    fn mutate<T>(&mut self, value: &T, kind: DefRegionKind) -> Result<Any>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let result = self.mutate_result(value, kind)?;
        Ok(with_view(value, |view| or_original(result, view)))
    }

    /// Mutate like [`StructuralMutator::mutate`]; return `Unchanged` if the value has not changed.
    fn mutate_result<T>(&mut self, value: &T, kind: DefRegionKind) -> Result<UnchangedOr<Any>>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let kind = CurrentRegion::of_part(kind);
        let result = with_view(value, |view| {
            enter(view, kind, false, &mut TraitEngine(self))
        });
        result.map(UnchangedOr::from_any)
    }

    /// Take ownership of a part and mutate it; in place if there is no other reference.
    fn maybe_inplace_mutate<T: Into<Any>>(&mut self, value: T, kind: DefRegionKind) -> Result<Any> {
        self.maybe_inplace_mutate_with_mode(value, kind, InplaceMode::Allow)
    }

    /// Mutate like [`StructuralMutator::maybe_inplace_mutate`], but in place only if `mode` allows
    /// it.
    fn maybe_inplace_mutate_with_mode<T: Into<Any>>(
        &mut self,
        value: T,
        kind: DefRegionKind,
        mode: InplaceMode,
    ) -> Result<Any> {
        let may_be_inplace = mode == InplaceMode::Allow;
        let kind = CurrentRegion::of_part(kind);
        enter_owned(value.into(), kind, may_be_inplace, &mut TraitEngine(self))
    }

    /// Mutate the parts of a value, never in place.
    fn default_mutate<T>(&mut self, value: &T, kind: DefRegionKind) -> Result<Any>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let result = self.default_mutate_result(value, kind)?;
        Ok(with_view(value, |view| or_original(result, view)))
    }

    /// Mutate like [`StructuralMutator::default_mutate`]; return `Unchanged` if the value has not
    /// changed.
    fn default_mutate_result<T>(
        &mut self,
        value: &T,
        kind: DefRegionKind,
    ) -> Result<UnchangedOr<Any>>
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let kind = CurrentRegion::of_part(kind);
        let result = with_view(value, |view| {
            self.on_default_mutate(MutateValue::borrowed(view), kind)
        });
        result.map(UnchangedOr::from_any)
    }

    /// Mutate the parts of a value, in place if there is no other reference to it.
    fn default_maybe_inplace_mutate(
        &mut self,
        value: InplaceValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        self.default_maybe_inplace_mutate_with_mode(value, kind, InplaceMode::Allow)
    }

    /// Mutate like [`StructuralMutator::default_maybe_inplace_mutate`]; without a new value, return
    /// `Unchanged`.
    fn default_maybe_inplace_mutate_result(
        &mut self,
        value: InplaceValue<'_>,
        kind: DefRegionKind,
    ) -> Result<UnchangedOr<Any>> {
        self.default_maybe_inplace_mutate_with_mode_result(value, kind, InplaceMode::Allow)
    }

    /// Mutate like [`StructuralMutator::default_maybe_inplace_mutate`], but in place only if `mode`
    /// allows it.
    fn default_maybe_inplace_mutate_with_mode(
        &mut self,
        value: InplaceValue<'_>,
        kind: DefRegionKind,
        mode: InplaceMode,
    ) -> Result<Any> {
        let original = value.view();
        let result = self.default_maybe_inplace_mutate_with_mode_result(value, kind, mode)?;
        Ok(or_original(result, original))
    }

    /// Mutate like [`StructuralMutator::default_maybe_inplace_mutate_with_mode`]; return
    /// `Unchanged` if there is no new value.
    fn default_maybe_inplace_mutate_with_mode_result(
        &mut self,
        value: InplaceValue<'_>,
        kind: DefRegionKind,
        mode: InplaceMode,
    ) -> Result<UnchangedOr<Any>> {
        let value = MutateValue::with_mode(value.view(), mode);
        self.on_default_mutate(value, CurrentRegion::of_part(kind))
            .map(UnchangedOr::from_any)
    }
}

/// An [`Engine`] made from a [`StructuralMutator`].
struct TraitEngine<'a, M: ?Sized>(&'a mut M);

impl<M: StructuralMutator + ?Sized> Engine for TraitEngine<'_, M> {
    fn mutate_value(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
        is_inplace: bool,
    ) -> Result<Any> {
        let _region = CurrentRegion::begin(kind);
        match is_inplace {
            true => {
                let value = InplaceValue::new(value);
                self.0.dispatch_maybe_inplace_mutate(value, kind)
            }
            false => self.0.dispatch_mutate(value, kind),
        }
    }

    fn var_remap_get(&mut self, var: &StructuralView) -> Result<Option<Any>> {
        self.0.var_remap_get(var)
    }

    fn var_remap_set(&mut self, var: &StructuralView, mapped: &Any) -> Result<()> {
        self.0.var_remap_set(var, mapped)
    }
}

/// A callback of [`structural_mutate`], or a tuple of callbacks.
pub trait MutateLink<S, M> {
    /// Call the first callback that accepts the value.
    fn mutate_link(
        &self,
        value: &MutateValue<'_>,
        context: &mut MutateContext<'_, S>,
    ) -> Option<Result<Any>>;
}

impl_context_links!(
    MutateLink::mutate_link(&MutateValue<'_>, MutateContext) -> Option<Result<Any>>,
    IntoMutateResult::into_mutate_result
);

impl<S, F, T, R> MutateLink<S, ByMutateValue<T, R>> for F
where
    F: Fn(MutateValue<'_, T>, &mut MutateContext<'_, S>) -> R,
    T: ContainerElement,
    R: IntoMutateResult,
{
    fn mutate_link(
        &self,
        value: &MutateValue<'_>,
        context: &mut MutateContext<'_, S>,
    ) -> Option<Result<Any>> {
        let value = value.copy();
        let value = value.try_cast::<T>().ok()?;
        Some(self(value, context).into_mutate_result())
    }
}

define_callbacks!(
    /// Callbacks with a state, and a policy for the values that no callback accepts.
    MutateCallbacks, MutateLink, MutContextPolicy, DefaultMutContextPolicy,
    /// Combine a state with callbacks. The type of each callback is
    /// `Fn(T | &N | &StructuralView | MutateValue<T>, &mut MutateContext<S>)`.
    new
);

impl<S, Link, M, P> MutateDriver<S> for CallbackDriver<'_, Link, M, P>
where
    Link: MutateLink<S, M>,
    P: MutContextPolicy<S>,
{
    fn mutate_value(
        &self,
        state: &mut S,
        remap: &RunRemap,
        value: MutateValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        let mut context = MutateContext {
            state,
            remap,
            kind,
            mode: value.inplace_mode(),
            driver: self,
            policy: Some(self.policy),
        };
        match self.callbacks.mutate_link(&value, &mut context) {
            Some(result) => result,
            None => context
                .default_maybe_inplace_mutate_result(value)
                .map(into_any),
        }
    }
}

/// The types that [`structural_mutate`] accepts: [`MutateCallbacks`], callbacks without state, a
/// [`MutateDispatch`], and `&mut` references to a [`MutateCallbacks`], a [`StructuralMutator`] or a
/// [`MutateDispatch`].
pub trait IntoMutator<M> {
    /// Mutate the root.
    #[doc(hidden)]
    fn mutate_root(self, root: Any) -> Result<Any>;
}

impl<V: StructuralMutator> IntoMutator<V> for &mut V {
    fn mutate_root(self, root: Any) -> Result<Any> {
        let _run = CurrentRun::begin();
        let _region = CurrentRegion::begin(DefRegionKind::None);
        self.maybe_inplace_mutate(root, DefRegionKind::None)
    }
}

impl<D: MutateDispatch> IntoMutator<ByDispatch> for &mut D {
    fn mutate_root(self, root: Any) -> Result<Any> {
        let _region = CurrentRegion::begin(DefRegionKind::None);
        mutate_root(self, &DispatchDriver, root)
    }
}

impl<D: MutateDispatch> IntoMutator<ByOwned> for D {
    fn mutate_root(mut self, root: Any) -> Result<Any> {
        IntoMutator::<ByDispatch>::mutate_root(&mut self, root)
    }
}

/// Marker type of the [`IntoMutator`] implementation for [`MutateCallbacks`].
pub struct ByCallbacks<M>(PhantomData<fn() -> M>);

impl<S, Link, M, P> IntoMutator<ByCallbacks<M>> for &mut MutateCallbacks<S, Link, M, P>
where
    Link: MutateLink<S, M>,
    P: MutContextPolicy<S>,
{
    fn mutate_root(self, root: Any) -> Result<Any> {
        let (driver, state) = self.parts();
        mutate_root(state, &driver, root)
    }
}

impl<S, Link, M, P> IntoMutator<ByCallbacks<M>> for MutateCallbacks<S, Link, M, P>
where
    Link: MutateLink<S, M>,
    P: MutContextPolicy<S>,
{
    fn mutate_root(mut self, root: Any) -> Result<Any> {
        IntoMutator::mutate_root(&mut self, root)
    }
}

impl<Link: MutateLink<(), M>, M> IntoMutator<ByLinks<M>> for Link {
    fn mutate_root(self, root: Any) -> Result<Any> {
        MutateCallbacks::new((), self).mutate_root(root)
    }
}

/// Mutate a value; callbacks return the replacements of the values that they accept.
///
/// The result of a callback is not mutated again. If no callback accepts a value, the parts of the
/// value are mutated. The function takes ownership of the root: containers to which there is no
/// other reference are changed in place.
///
/// # Errors
///
/// The errors are those of [`structural_map`](super::structural_map).
pub fn structural_mutate<R: Into<Any>, M>(root: R, mutator: impl IntoMutator<M>) -> Result<Any> {
    mutator.mutate_root(root.into())
}
