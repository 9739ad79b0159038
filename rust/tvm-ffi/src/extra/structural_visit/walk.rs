// SPDX-License-Identifier: Apache-2.0
//! Walks, which visit a value and all its parts, and call a callback for each of these values.

use super::context::VisitDriver;
use super::descent::visit_parts;
use super::link::{
    impl_links, ByDispatch, ByLinks, ByNode, ByPolicy, ByValue, ByView, Tuple, WithKind,
};
use super::policy::impl_state;
use super::{enter, with_view, ContextPolicy, DefRegionKind, StructuralView, VisitContext};
use super::{VisitInterrupt, VisitResult, WalkDispatch};
use crate::any::{Any, AnyView};
use crate::error::Result;
use crate::object::ObjectCore;
use crate::type_traits::ContainerElement;

/// How a walk continues after a callback.
#[derive(Debug, Clone)]
pub enum WalkResult {
    /// Continue with the next value.
    Advance,
    /// Do not visit the parts of the value. In a walk in postorder, this is the same as `Advance`.
    Skip,
    /// Stop.
    Interrupt,
    /// Stop the walk with a value.
    InterruptWith(Any),
}

impl WalkResult {
    /// Return the result that stops the walk with a value.
    pub fn interrupt_with(value: impl Into<Any>) -> Self {
        WalkResult::InterruptWith(value.into())
    }
}

/// The order in which a walk calls callbacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(i32)]
pub enum WalkOrder {
    /// Call the callback before the parts of a value are visited.
    #[default]
    PreOrder = 0,
    /// Call the callback after the parts of a value are visited.
    PostOrder = 1,
}

/// A type that a callback of a walk may return.
pub trait IntoWalkResult {
    /// Convert to a [`WalkResult`].
    fn into_walk_result(self) -> Result<WalkResult>;
}

impl IntoWalkResult for WalkResult {
    fn into_walk_result(self) -> Result<WalkResult> {
        Ok(self)
    }
}

impl IntoWalkResult for Result<WalkResult> {
    fn into_walk_result(self) -> Result<WalkResult> {
        self
    }
}

type Step = Option<Result<WalkResult>>;

/// A callback of a walk, or a tuple of callbacks, which are tried in order.
pub trait WalkLink<M> {
    /// Call the first callback that accepts the value.
    fn walk_link(&mut self, value: &StructuralView, kind: DefRegionKind) -> Step;
}

impl_links!(WalkLink::walk_link -> Step, IntoWalkResult::into_walk_result,
    WalkDispatch::dispatch_walk);

/// Call `step`, which calls the callback of a walk for a value, and `parts`, which visits the parts
/// of the value. `order` says which call comes first.
fn walk_value<W>(
    walker: &mut W,
    order: WalkOrder,
    step: impl FnOnce(&mut W) -> Step,
    parts: impl Fn(&mut W) -> VisitResult,
) -> VisitResult {
    if order == WalkOrder::PostOrder {
        let interrupt = parts(walker)?;
        if interrupt.is_some() {
            return Ok(interrupt);
        }
    }
    match step(walker).unwrap_or(Ok(WalkResult::Advance))? {
        WalkResult::Interrupt => Ok(Some(VisitInterrupt::default())),
        WalkResult::InterruptWith(value) => Ok(Some(VisitInterrupt { value })),
        WalkResult::Advance if order == WalkOrder::PreOrder => parts(walker),
        WalkResult::Advance | WalkResult::Skip => Ok(None),
    }
}

/// The types that [`structural_walk`] accepts: callbacks, `&mut` references to a [`WalkDispatch`],
/// tuples of callbacks and references, and [`WalkWithContextPolicy`].
pub trait IntoWalker<M> {
    /// Walk through the root.
    #[doc(hidden)]
    fn walk_root(self, root: &StructuralView, order: WalkOrder) -> VisitResult;
}

impl<L: WalkLink<M>, M> IntoWalker<ByLinks<M>> for L {
    fn walk_root(mut self, root: &StructuralView, order: WalkOrder) -> VisitResult {
        enter(root, DefRegionKind::None, &mut |value, kind| {
            walk_by_link(&mut self, value, kind, order)
        })
    }
}

fn walk_by_link<L: WalkLink<M>, M>(
    link: &mut L,
    value: &StructuralView,
    kind: DefRegionKind,
    order: WalkOrder,
) -> VisitResult {
    let step = |link: &mut L| link.walk_link(value, kind);
    walk_value(link, order, step, |link| {
        visit_parts(value, kind, &mut |value, kind| {
            walk_by_link(link, value, kind, order)
        })
    })
}

/// A walker with a policy that replaces the default visit of the parts of values.
///
/// The context that the policy gets has the walker as its state.
pub struct WalkWithContextPolicy<W, P> {
    state: W,
    policy: P,
}

impl<W, P> WalkWithContextPolicy<W, P> {
    /// Combine a walker, which may be a callback or a [`WalkDispatch`], with a policy.
    pub fn new(walker: W, policy: P) -> Self {
        WalkWithContextPolicy {
            state: walker,
            policy,
        }
    }

    fn walk<F>(&mut self, root: &StructuralView, order: WalkOrder, step: F) -> VisitResult
    where
        P: ContextPolicy<W>,
        F: Fn(&mut W, &StructuralView, DefRegionKind) -> Step,
    {
        let driver = PolicyDriver {
            policy: &self.policy,
            order,
            step,
        };
        let walker = &mut self.state;
        enter(root, DefRegionKind::None, &mut |value, kind| {
            driver.visit_value(walker, value, kind)
        })
    }
}

impl_state!([W, P] WalkWithContextPolicy<W, P>, W);

struct PolicyDriver<'a, P, F> {
    policy: &'a P,
    order: WalkOrder,
    step: F,
}

impl<W, P, F> VisitDriver<W> for PolicyDriver<'_, P, F>
where
    P: ContextPolicy<W>,
    F: Fn(&mut W, &StructuralView, DefRegionKind) -> Step,
{
    fn visit_value(
        &self,
        walker: &mut W,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> VisitResult {
        let step = |walker: &mut W| (self.step)(walker, value, kind);
        walk_value(walker, self.order, step, |walker| {
            let mut context = VisitContext {
                state: walker,
                current: value,
                kind,
                driver: self,
                policy: None,
            };
            self.policy.default_visit(value, &mut context)
        })
    }
}

impl<W: WalkLink<M>, P: ContextPolicy<W>, M> IntoWalker<ByPolicy<M>>
    for &mut WalkWithContextPolicy<W, P>
{
    fn walk_root(self, root: &StructuralView, order: WalkOrder) -> VisitResult {
        self.walk(root, order, W::walk_link)
    }
}

impl<W: WalkLink<M>, P: ContextPolicy<W>, M> IntoWalker<ByPolicy<M>>
    for WalkWithContextPolicy<W, P>
{
    fn walk_root(mut self, root: &StructuralView, order: WalkOrder) -> VisitResult {
        self.walk(root, order, W::walk_link)
    }
}

impl<W: WalkDispatch, P: ContextPolicy<W>> IntoWalker<ByDispatch>
    for &mut WalkWithContextPolicy<W, P>
{
    fn walk_root(self, root: &StructuralView, order: WalkOrder) -> VisitResult {
        self.walk(root, order, W::dispatch_walk)
    }
}

impl<W: WalkDispatch, P: ContextPolicy<W>> IntoWalker<ByDispatch> for WalkWithContextPolicy<W, P> {
    fn walk_root(mut self, root: &StructuralView, order: WalkOrder) -> VisitResult {
        self.walk(root, order, W::dispatch_walk)
    }
}

/// Walk through a value and all its parts.
///
/// # Errors
///
/// Any error of a callback, hook or getter, with a [`VisitErrorContext`] that lists the enclosing
/// objects. `ValueError` if the stack is nearly exhausted.
///
/// [`VisitErrorContext`]: super::VisitErrorContext
pub fn structural_walk<R, M, H: IntoWalker<M>>(root: &R, walker: H, order: WalkOrder) -> VisitResult
where
    for<'x> AnyView<'x>: From<&'x R>,
{
    with_view(root, |view| walker.walk_root(view, order))
}
