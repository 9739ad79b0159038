// SPDX-License-Identifier: Apache-2.0
//! The context that callbacks of visits get, and policies that replace the default visit.

use super::descent::visit_parts;
use super::policy::impl_policies;
use super::region::CurrentRegion;
use super::visit::visit_in;
use super::{
    enter, is_none, with_view, DefRegionKind, StructuralView, StructuralVisitor, VisitResult,
};
use crate::any::AnyView;

/// Visits values with a state of type `S`.
pub(super) trait VisitDriver<S> {
    fn visit_value(
        &self,
        state: &mut S,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> VisitResult;
}

/// Replaces the default visit of the values that no callback accepts.
///
/// A pair `(outer, inner)` is also a policy: when `outer` calls the default visit, `inner` is
/// called.
pub trait ContextPolicy<S> {
    /// Visit the parts of a value. [`VisitContext::visit_children`] is the default visit.
    fn default_visit(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, S>,
    ) -> VisitResult;
}

/// The policy that calls the default visit.
pub struct DefaultContextPolicy;

impl_policies!(
    ContextPolicy::default_visit(&StructuralView, VisitContext) -> VisitResult,
    DefaultContextPolicy,
    |context, _value| context.visit_children()
);

/// The context of a callback: the state, the current value, and methods that visit other values.
pub struct VisitContext<'a, S> {
    pub(super) state: &'a mut S,
    pub(super) current: &'a StructuralView,
    pub(super) kind: DefRegionKind,
    pub(super) driver: &'a dyn VisitDriver<S>,
    /// The policy for the default visit, or `None` for the default visit of the type.
    pub(super) policy: Option<&'a dyn ContextPolicy<S>>,
}

impl<S> VisitContext<'_, S> {
    /// Return the context of a policy that a policy calls for a value.
    fn nested<'c>(
        &'c mut self,
        value: &'c StructuralView,
        policy: Option<&'c dyn ContextPolicy<S>>,
    ) -> VisitContext<'c, S> {
        VisitContext {
            state: &mut *self.state,
            current: value,
            kind: self.kind,
            driver: self.driver,
            policy,
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

    /// Return the value that the visit has reached.
    pub fn current(&self) -> &StructuralView {
        self.current
    }

    /// Return the definition region of the current value.
    pub fn def_region_kind(&self) -> DefRegionKind {
        self.kind
    }

    /// Visit a value in the definition region of the current value.
    pub fn visit<T>(&mut self, value: &T) -> VisitResult
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        self.visit_with(value, self.kind)
    }

    /// Visit a value in the definition region `kind`, or in `Pattern` if that is the current
    /// region.
    pub fn visit_with<T>(&mut self, value: &T, kind: DefRegionKind) -> VisitResult
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let kind = self.kind.enter(kind);
        let (driver, state) = (self.driver, &mut *self.state);
        with_view(value, |view| {
            enter(view, kind, &mut |value, kind| {
                driver.visit_value(state, value, kind)
            })
        })
    }

    /// Visit the parts of the current value.
    pub fn visit_children(&mut self) -> VisitResult {
        self.visit_parts_of(self.current, self.kind)
    }

    /// Visit the parts of a value that is in the definition region `kind`, or in `Pattern` if that
    /// is the current region.
    pub fn default_visit_children<T>(&mut self, value: &T, kind: DefRegionKind) -> VisitResult
    where
        for<'x> AnyView<'x>: From<&'x T>,
    {
        let kind = self.kind.enter(kind);
        with_view(value, |view| self.visit_parts_of(view, kind))
    }

    pub(super) fn visit_parts_of(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> VisitResult {
        if is_none(value) {
            return Ok(None);
        }
        let (driver, state) = (self.driver, &mut *self.state);
        let Some(policy) = self.policy else {
            return visit_parts(value, kind, &mut |value, kind| {
                driver.visit_value(state, value, kind)
            });
        };
        let mut inner = VisitContext {
            state,
            current: value,
            kind,
            driver,
            policy: None,
        };
        policy.default_visit(value, &mut inner)
    }
}

/// A driver that passes each value to the state, which is a [`StructuralVisitor`].
struct StateDriver;

impl<S: StructuralVisitor> VisitDriver<S> for StateDriver {
    fn visit_value(
        &self,
        state: &mut S,
        value: &StructuralView,
        kind: DefRegionKind,
    ) -> VisitResult {
        visit_in(state, value, kind)
    }
}

/// Visit the parts of a value with a policy. The code that `#[dispatch(visit, policy = ..)]`
/// generates calls this function.
pub fn visit_by_policy<S: StructuralVisitor, P: ContextPolicy<S>>(
    policy: &P,
    visitor: &mut S,
    value: &StructuralView,
    kind: DefRegionKind,
) -> VisitResult {
    let mut context = VisitContext {
        state: visitor,
        current: value,
        kind: CurrentRegion::of_part(kind),
        driver: &StateDriver,
        policy: None,
    };
    policy.default_visit(value, &mut context)
}
