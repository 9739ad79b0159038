// SPDX-License-Identifier: Apache-2.0
//! Visits with own visitors and with policies.

use tvm_ffi::{dispatch, structural_visit, Array, ContextPolicy, DefRegionKind, Result};
use tvm_ffi::{DefaultContextPolicy, IntoVisitor, StructuralView, StructuralVisitor};
use tvm_ffi::{VisitCallbacks, VisitContext, VisitInterrupt};

type VisitResult = Result<Option<VisitInterrupt>>;

#[derive(Default)]
struct Sum(i64);

impl StructuralVisitor for Sum {
    fn visit(&mut self, value: &StructuralView, kind: DefRegionKind) -> VisitResult {
        self.0 += value.cast::<i64>().unwrap_or(0);
        self.default_visit_children(value, kind)
    }
}

/// Visit numbers with any visitor.
fn visit_numbers<V>(visitor: &mut V) -> VisitResult
where
    for<'v> &'v mut V: IntoVisitor<V>,
{
    structural_visit(&Array::new(vec![1i64, 2, 3]), visitor)
}

// spec: RUST-R45
#[test]
fn a_generic_function_takes_a_visitor() -> Result<()> {
    let mut sum = Sum::default();
    visit_numbers(&mut sum)?;
    assert_eq!(sum.0, 6);
    Ok(())
}

/// Counts the values that reach the default.
struct Counting;

impl ContextPolicy<Visitor> for Counting {
    fn default_visit(
        &self,
        _value: &StructuralView,
        context: &mut VisitContext<'_, Visitor>,
    ) -> VisitResult {
        context.state_mut().defaults += 1;
        context.visit_children()
    }
}

#[derive(Default)]
struct Visitor {
    defaults: usize,
    numbers: Vec<i64>,
}

#[dispatch(visit, policy = (Counting, DefaultContextPolicy))]
impl Visitor {
    fn visit_number(&mut self, value: i64) {
        self.numbers.push(value);
    }

    fn visit_any(&mut self, value: &StructuralView, kind: DefRegionKind) -> VisitResult {
        self.numbers.push(-1);
        self.default_visit_children(value, kind)
    }
}

// spec: RUST-R45
#[test]
fn a_method_that_visits_the_children_uses_the_policy() -> Result<()> {
    let mut visitor = Visitor::default();
    visit_numbers(&mut visitor)?;
    assert_eq!((visitor.defaults, visitor.numbers), (1, vec![-1, 1, 2, 3]));
    Ok(())
}

// spec: RUST-R45
#[test]
fn the_default_policy_has_a_name() -> Result<()> {
    let add = |value: i64, context: &mut VisitContext<'_, i64>| *context.state_mut() += value;
    let callbacks = VisitCallbacks::new(0i64, add).with_policy(DefaultContextPolicy);
    let mut callbacks: VisitCallbacks<_, _, _, DefaultContextPolicy> = callbacks;
    visit_numbers(&mut callbacks)?;
    assert_eq!(callbacks.into_state(), 6);
    Ok(())
}
