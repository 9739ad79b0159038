// SPDX-License-Identifier: Apache-2.0
//! [`structural_map`], which replaces values by the results of callbacks.

use std::marker::PhantomData;

use super::context::{into_any, mutate_root, MutateContext, MutateDriver};
use super::remap::RunRemap;
use super::value::InplaceMode;
use super::{IntoMutateResult, MapDispatch, MutContextPolicy, MutateValue};
use crate::any::{Any, AnyView};
use crate::error::Result;
use crate::extra::structural_visit::link::{
    impl_links, ByDispatch, ByLinks, ByNode, ByPolicy, ByValue, ByView, Tuple, WithKind,
};
use crate::extra::structural_visit::policy::impl_state;
use crate::extra::structural_visit::{owned, DefRegionKind, StructuralView, WalkOrder};
use crate::extra::unchanged::{is_marker, same_value, Unchanged};
use crate::object::ObjectCore;
use crate::type_traits::ContainerElement;

type Step = Option<Result<Any>>;

/// A callback of [`structural_map`], or a tuple of callbacks.
pub trait MapLink<M> {
    /// Call the first callback that accepts the value.
    fn map_link(&mut self, value: &StructuralView, kind: DefRegionKind) -> Step;
}

impl_links!(MapLink::map_link -> Step, IntoMutateResult::into_mutate_result,
    MapDispatch::dispatch_map);

/// Calls the callback of [`structural_map`] at each value.
struct MapDriver<'a, W, F> {
    order: WalkOrder,
    step: F,
    policy: Option<&'a dyn MutContextPolicy<W>>,
}

impl<W, F> MapDriver<'_, W, F>
where
    F: Fn(&mut W, &StructuralView, DefRegionKind) -> Step,
{
    /// Call the callback; return the new value, or the marker `Unchanged`.
    fn take_step(&self, state: &mut W, value: &StructuralView, kind: DefRegionKind) -> Result<Any> {
        let result = (self.step)(state, value, kind).unwrap_or_else(|| Ok(Unchanged.into()))?;
        match same_value(&AnyView::from(&result), &AnyView::from(value)) {
            true => Ok(Any::from(Unchanged)),
            false => Ok(result),
        }
    }

    fn parts(
        &self,
        state: &mut W,
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
            policy: self.policy,
        };
        context
            .default_maybe_inplace_mutate_result(value)
            .map(into_any)
    }
}

impl<W, F> MutateDriver<W> for MapDriver<'_, W, F>
where
    F: Fn(&mut W, &StructuralView, DefRegionKind) -> Step,
{
    fn mutate_value(
        &self,
        state: &mut W,
        remap: &RunRemap,
        value: MutateValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        let original = value.view();
        if self.order == WalkOrder::PreOrder {
            let replacement = self.take_step(state, original, kind)?;
            let current = match is_marker(&replacement) {
                true => original,
                false => owned(&replacement),
            };
            // A replacement is changed in place only where the original could be. The callback may
            // have kept a reference to the value.
            let mode = match value.inplace_mode() {
                InplaceMode::Allow => InplaceMode::of(current),
                InplaceMode::Disallow => InplaceMode::Disallow,
            };
            let current = MutateValue::with_mode(current, mode).in_run(remap);
            let result = self.parts(state, remap, current, kind)?;
            return Ok(if is_marker(&result) {
                replacement
            } else {
                result
            });
        }
        let result = self.parts(state, remap, value, kind)?;
        let current = match is_marker(&result) {
            true => original,
            false => owned(&result),
        };
        let replacement = self.take_step(state, current, kind)?;
        Ok(if is_marker(&replacement) {
            result
        } else {
            replacement
        })
    }
}

/// The types that [`structural_map`] accepts: callbacks, `&mut` references to a [`MapDispatch`],
/// tuples of callbacks and references, and [`MapWithContextPolicy`].
pub trait IntoMapper<M>: Sized {
    /// The type of the mapper.
    type Mapper;
    /// Return the mapper. The mapper of callbacks is a [`MapDispatch`].
    fn into_mapper(self) -> Self::Mapper;
    /// Map the root.
    #[doc(hidden)]
    fn map_root(self, root: Any, order: WalkOrder) -> Result<Any>;
}

/// Callbacks of [`structural_map`] as a [`MapDispatch`].
pub struct MapChain<L, M> {
    links: L,
    marker: PhantomData<fn() -> M>,
}

impl<L: MapLink<M>, M> MapDispatch for MapChain<L, M> {
    fn dispatch_map(&mut self, value: &StructuralView, kind: DefRegionKind) -> Step {
        self.links.map_link(value, kind)
    }
}

impl<L: MapLink<M>, M> IntoMapper<ByLinks<M>> for L {
    type Mapper = MapChain<L, M>;
    fn into_mapper(self) -> MapChain<L, M> {
        MapChain {
            links: self,
            marker: PhantomData,
        }
    }
    fn map_root(mut self, root: Any, order: WalkOrder) -> Result<Any> {
        map_by_step(&mut self, None, root, order, L::map_link)
    }
}

fn map_by_step<W, F>(
    mapper: &mut W,
    policy: Option<&dyn MutContextPolicy<W>>,
    root: Any,
    order: WalkOrder,
    step: F,
) -> Result<Any>
where
    F: Fn(&mut W, &StructuralView, DefRegionKind) -> Step,
{
    let driver = MapDriver {
        order,
        step,
        policy,
    };
    mutate_root(mapper, &driver, root)
}

/// A mapper (a callback or a [`MapDispatch`]) with a policy, which replaces the default mutation of
/// the parts of values.
///
/// The context that the policy gets has the mapper as its state.
pub struct MapWithContextPolicy<W, P> {
    state: W,
    policy: P,
}

impl<W, P> MapWithContextPolicy<W, P> {
    /// Combine a mapper, which may be a callback or a [`MapDispatch`], with a policy.
    pub fn new(mapper: W, policy: P) -> Self {
        MapWithContextPolicy {
            state: mapper,
            policy,
        }
    }
}

impl_state!([W, P] MapWithContextPolicy<W, P>, W);

impl<W: MapLink<M>, P: MutContextPolicy<W>, M> IntoMapper<ByPolicy<M>>
    for &mut MapWithContextPolicy<W, P>
{
    type Mapper = Self;
    fn into_mapper(self) -> Self {
        self
    }
    fn map_root(self, root: Any, order: WalkOrder) -> Result<Any> {
        map_by_step(
            &mut self.state,
            Some(&self.policy),
            root,
            order,
            W::map_link,
        )
    }
}

impl<W: MapLink<M>, P: MutContextPolicy<W>, M> IntoMapper<ByPolicy<M>>
    for MapWithContextPolicy<W, P>
{
    type Mapper = Self;
    fn into_mapper(self) -> Self {
        self
    }
    fn map_root(mut self, root: Any, order: WalkOrder) -> Result<Any> {
        map_by_step(
            &mut self.state,
            Some(&self.policy),
            root,
            order,
            W::map_link,
        )
    }
}

impl<W: MapDispatch, P: MutContextPolicy<W>> IntoMapper<ByDispatch>
    for &mut MapWithContextPolicy<W, P>
{
    type Mapper = Self;
    fn into_mapper(self) -> Self {
        self
    }
    fn map_root(self, root: Any, order: WalkOrder) -> Result<Any> {
        map_by_step(
            &mut self.state,
            Some(&self.policy),
            root,
            order,
            W::dispatch_map,
        )
    }
}

impl<W: MapDispatch, P: MutContextPolicy<W>> IntoMapper<ByDispatch> for MapWithContextPolicy<W, P> {
    type Mapper = Self;
    fn into_mapper(self) -> Self {
        self
    }
    fn map_root(mut self, root: Any, order: WalkOrder) -> Result<Any> {
        map_by_step(
            &mut self.state,
            Some(&self.policy),
            root,
            order,
            W::dispatch_map,
        )
    }
}

/// Replace values by the results of callbacks.
///
/// In preorder, a callback gets the original value, and then the parts of its result are mapped. In
/// postorder, a callback gets the value after its parts were mapped. The function takes ownership
/// of the root: containers to which there is no other reference are changed in place.
///
/// # Errors
///
/// Any error of a callback, hook, copy function or setter, with a `VisitErrorContext` that lists
/// the enclosing objects. `ValueError` if the stack is nearly exhausted.
pub fn structural_map<R: Into<Any>, M, H: IntoMapper<M>>(
    root: R,
    mapper: H,
    order: WalkOrder,
) -> Result<Any> {
    mapper.map_root(root.into(), order)
}
