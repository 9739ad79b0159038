// SPDX-License-Identifier: Apache-2.0
//! Visits. Callbacks decide which parts of the values that they accept are visited.

use std::marker::PhantomData;

use super::context::VisitDriver;
use super::descent::visit_parts;
use super::link::{impl_context_links, ByLinks, ByNode, ByOwned, ByValue, ByView, Tuple};
use super::policy::define_callbacks;
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
    /// Visit a value, which is not None, in a definition region.
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

impl_context_links!(VisitLink::call_link(&StructuralView, VisitContext) -> Option<VisitResult>,
    IntoVisitResult::into_visit_result);

define_callbacks!(
    /// Callbacks with a state, and a policy for the values that no callback accepts.
    VisitCallbacks, VisitLink, ContextPolicy, DefaultContextPolicy,
    /// Combine a state with callbacks. The type of each callback is
    /// `Fn(T | &N | &StructuralView, &mut VisitContext<S>)`.
    new
);

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
