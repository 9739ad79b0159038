// SPDX-License-Identifier: Apache-2.0
//! Visits. Callbacks decide which parts of the values that they accept are visited.

use std::marker::PhantomData;

use super::context::VisitDriver;
use super::descent::visit_parts;
use super::link::{ByLinks, ByNode, ByOwned, ByValue, ByView, Tuple};
use super::region::CurrentRegion;
use super::{
    enter, with_view, ContextPolicy, DefRegionKind, DefaultContextPolicy, IntoVisitResult,
};
use super::{StructuralView, VisitContext, VisitResult};
use crate::any::AnyView;
use crate::object::ObjectCore;
use crate::type_traits::ContainerElement;

/// Gets the values that a visit reaches, and decides which of their parts are visited next.
///
/// `#[dispatch(visit)]` implements this trait with one method per type.
pub trait StructuralVisitor {
    /// Visit a value, which may be None, in a definition region.
    fn visit(&mut self, value: &StructuralView, kind: DefRegionKind) -> VisitResult;

    /// Visit a part in the definition region `kind`, or in `Pattern` if that is the region of the
    /// current value. If the visit fails, the error records the part.
    fn visit_child<T>(&mut self, child: &T, kind: DefRegionKind) -> VisitResult
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let kind = CurrentRegion::of_part(kind);
        with_view(child, |view| {
            enter(view, kind, &mut |value, kind| visit_in(self, value, kind))
        })
    }

    /// Visit the parts of a value in the definition region `kind`, or in `Pattern` if that is the
    /// region of the current value: with the hook `__s_visit__` if the type of the value has one,
    /// otherwise field by field.
    fn default_visit_children(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> VisitResult {
        let kind = CurrentRegion::of_part(kind);
        visit_parts(value, kind, &mut |value, kind| visit_in(self, value, kind))
    }
}

/// Call a visitor for a value in a definition region.
pub(super) fn visit_in<V: StructuralVisitor + ?Sized>(
    visitor: &mut V,
    value: &StructuralView,
    kind: DefRegionKind,
) -> VisitResult {
    let _region = CurrentRegion::begin(kind);
    visitor.visit(value, kind)
}

/// Call a visitor for the root of a visit.
fn visit_root<V: StructuralVisitor>(visitor: &mut V, root: &StructuralView) -> VisitResult {
    let _region = CurrentRegion::begin(DefRegionKind::None);
    visitor.visit_child(root, DefRegionKind::None)
}

/// A callback of a visit, or a tuple of callbacks, which are tried in order.
pub trait VisitLink<S, M> {
    /// Call the first callback that accepts the value.
    fn call_link(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, S>,
    ) -> Option<VisitResult>;
}

impl<S, F, T, R> VisitLink<S, ByValue<T, R>> for F
where
    F: Fn(T, &mut VisitContext<'_, S>) -> R,
    T: ContainerElement,
    R: IntoVisitResult,
{
    fn call_link(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, S>,
    ) -> Option<VisitResult> {
        let value = value.cast_element::<T>()?;
        Some(self(value, context).into_visit_result())
    }
}

impl<S, F, N, R> VisitLink<S, ByNode<N, R>> for F
where
    F: Fn(&N, &mut VisitContext<'_, S>) -> R,
    N: ObjectCore,
    R: IntoVisitResult,
{
    fn call_link(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, S>,
    ) -> Option<VisitResult> {
        let node = value.as_node::<N>()?;
        Some(self(node, context).into_visit_result())
    }
}

impl<S, F, R> VisitLink<S, ByView<R>> for F
where
    F: Fn(&StructuralView, &mut VisitContext<'_, S>) -> R,
    R: IntoVisitResult,
{
    fn call_link(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, S>,
    ) -> Option<VisitResult> {
        Some(self(value, context).into_visit_result())
    }
}

macro_rules! impl_visit_link_for_tuple {
    ($($link:ident $marker:ident $index:tt),+) => {
        impl<S, $($link, $marker),+> VisitLink<S, Tuple<($($marker,)+)>> for ($($link,)+)
        where
            $($link: VisitLink<S, $marker>,)+
        {
            fn call_link(
                &self,
                value: &StructuralView,
                context: &mut VisitContext<'_, S>,
            ) -> Option<VisitResult> {
                $(if let Some(result) = self.$index.call_link(value, context) {
                    return Some(result);
                })+
                None
            }
        }
    };
}
super::link::for_each_tuple!(impl_visit_link_for_tuple);

/// Callbacks with a state, and a policy for the values that no callback accepts.
pub struct VisitCallbacks<S, Link, M, P = DefaultContextPolicy> {
    state: S,
    callbacks: Link,
    policy: P,
    marker: PhantomData<fn() -> M>,
}

impl<S, Link: VisitLink<S, M>, M> VisitCallbacks<S, Link, M> {
    /// Combine a state with callbacks. The type of each callback is
    /// `Fn(T | &N | &StructuralView, &mut VisitContext<S>)`.
    pub fn new(state: S, callbacks: Link) -> Self {
        VisitCallbacks {
            state,
            callbacks,
            policy: DefaultContextPolicy,
            marker: PhantomData,
        }
    }
}

impl<S, Link, M, P> VisitCallbacks<S, Link, M, P> {
    /// Use a policy for the values that no callback accepts.
    pub fn with_policy<Q: ContextPolicy<S>>(self, policy: Q) -> VisitCallbacks<S, Link, M, Q> {
        VisitCallbacks {
            state: self.state,
            callbacks: self.callbacks,
            policy,
            marker: PhantomData,
        }
    }

    /// Return a driver with the callbacks and the policy, and the state.
    fn parts(&mut self) -> (CallbackDriver<'_, Link, M, P>, &mut S) {
        let driver = CallbackDriver {
            callbacks: &self.callbacks,
            policy: &self.policy,
            marker: PhantomData,
        };
        (driver, &mut self.state)
    }

    /// Return the state.
    pub fn state(&self) -> &S {
        &self.state
    }

    /// Return the state as a mutable reference.
    pub fn state_mut(&mut self) -> &mut S {
        &mut self.state
    }

    /// Consume `self` and return the state.
    pub fn into_state(self) -> S {
        self.state
    }
}

impl<S, Link, M, P> StructuralVisitor for VisitCallbacks<S, Link, M, P>
where
    Link: VisitLink<S, M>,
    P: ContextPolicy<S>,
{
    fn visit(&mut self, value: &StructuralView, kind: DefRegionKind) -> VisitResult {
        let (driver, state) = self.parts();
        driver.visit_value(state, value, kind)
    }

    fn default_visit_children(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> VisitResult {
        let (driver, state) = self.parts();
        let mut context = driver.context(state, value, CurrentRegion::of_part(kind));
        context.visit_children()
    }
}

struct CallbackDriver<'a, Link, M, P> {
    callbacks: &'a Link,
    policy: &'a P,
    marker: PhantomData<fn() -> M>,
}

impl<Link, M, P> CallbackDriver<'_, Link, M, P> {
    /// Return the context of a callback.
    fn context<'c, S>(
        &'c self,
        state: &'c mut S,
        current: &'c StructuralView,
        kind: DefRegionKind,
    ) -> VisitContext<'c, S>
    where
        Link: VisitLink<S, M>,
        P: ContextPolicy<S>,
    {
        VisitContext {
            state,
            current,
            kind,
            driver: self,
            policy: Some(self.policy),
        }
    }
}

impl<S, Link, M, P> VisitDriver<S> for CallbackDriver<'_, Link, M, P>
where
    Link: VisitLink<S, M>,
    P: ContextPolicy<S>,
{
    fn visit_value(
        &self,
        state: &mut S,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> VisitResult {
        let mut context = self.context(state, value, kind);
        match self.callbacks.call_link(value, &mut context) {
            Some(result) => result,
            None => context.visit_children(),
        }
    }
}

/// The types that [`structural_visit`] accepts: `&mut` references to a [`StructuralVisitor`],
/// [`VisitCallbacks`], and callbacks without state.
pub trait IntoVisitor<M> {
    /// Visit the root.
    #[doc(hidden)]
    fn visit_root(self, root: &StructuralView) -> VisitResult;
}

impl<V: StructuralVisitor> IntoVisitor<V> for &mut V {
    fn visit_root(self, root: &StructuralView) -> VisitResult {
        visit_root(self, root)
    }
}

impl<S, Link, M, P> IntoVisitor<ByOwned> for VisitCallbacks<S, Link, M, P>
where
    Link: VisitLink<S, M>,
    P: ContextPolicy<S>,
{
    fn visit_root(mut self, root: &StructuralView) -> VisitResult {
        visit_root(&mut self, root)
    }
}

impl<Link: VisitLink<(), M>, M> IntoVisitor<ByLinks<M>> for Link {
    fn visit_root(self, root: &StructuralView) -> VisitResult {
        visit_root(&mut VisitCallbacks::new((), self), root)
    }
}

/// Visit a value; the visitor decides which of its parts are visited.
///
/// # Errors
///
/// Any error of a callback, hook or getter, with a [`VisitErrorContext`] that lists the enclosing
/// objects. `ValueError` if the stack is nearly exhausted.
///
/// [`VisitErrorContext`]: super::VisitErrorContext
pub fn structural_visit<R, M>(root: &R, visitor: impl IntoVisitor<M>) -> VisitResult
where
    for<'x> AnyView<'x>: From<&'x R>,
{
    with_view(root, |view| visitor.visit_root(view))
}
