// SPDX-License-Identifier: Apache-2.0
//! Visits with own visitors and with policies.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{def_object_ref, dispatch, rs_class, structural_visit, structural_walk, Any, Array};
use tvm_ffi::{ContextPolicy, DefRegionKind, Error, FieldGetter, List, Object, ObjectRefCore};
use tvm_ffi::{DefaultContextPolicy, IntoVisitor, StructuralView, StructuralVisitor};
use tvm_ffi::{Result, TypeIndex, VisitCallbacks, VisitContext, VisitInterrupt, WalkOrder};
use tvm_ffi::{WalkResult, VALUE_ERROR};

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

#[rs_class("rust.earlier.Binder", s_eq_hash_kind = "TreeNode")]
pub struct BinderObj {
    base: Object,
    #[reflect(seq_hash_def_pattern)]
    names: Array<i64>,
}
def_object_ref!(pub Binder, ObjectRef, BinderObj);

fn binder() -> Binder {
    BinderObj::new(Object::new(), Array::new(vec![1i64])).into()
}

/// Records the regions of numbers. The visitor asks for the region `None` everywhere.
#[derive(Default)]
struct Regions(Vec<DefRegionKind>);

#[dispatch(visit)]
impl Regions {
    fn visit_number(&mut self, _value: i64, kind: DefRegionKind) {
        self.0.push(kind);
    }

    fn visit_array(&mut self, array: Array<i64>) -> VisitResult {
        self.visit_child(&array.get(0)?, DefRegionKind::None)
    }

    fn visit_any(&mut self, value: &StructuralView, _kind: DefRegionKind) -> VisitResult {
        self.default_visit_children(value, DefRegionKind::None)
    }
}

// spec: RUST-R45
#[test]
fn a_visitor_stays_inside_a_pattern() -> Result<()> {
    let mut regions = Regions::default();
    structural_visit(&binder(), &mut regions)?;
    structural_visit(&Array::new(vec![1i64]), &mut regions)?;
    assert_eq!(regions.0, [DefRegionKind::Pattern, DefRegionKind::None]);
    Ok(())
}

/// A visitor that lets callbacks visit the parts of the root.
struct Delegate<V>(V);

impl<V: StructuralVisitor> StructuralVisitor for Delegate<V> {
    fn visit(&mut self, value: &StructuralView, kind: DefRegionKind) -> VisitResult {
        match value.cast::<i64>() {
            Some(_) => self.0.visit(value, kind),
            None => self.0.default_visit_children(value, kind),
        }
    }
}

/// Counts the values that reach the default.
struct CountAll;

impl ContextPolicy<usize> for CountAll {
    fn default_visit(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, usize>,
    ) -> VisitResult {
        *context.state_mut() += 1;
        DefaultContextPolicy.default_visit(value, context)
    }
}

// spec: RUST-R45
#[test]
fn callbacks_visit_the_children_by_their_policy() -> Result<()> {
    let ignore = |_: i64, _: &mut VisitContext<'_, usize>| ();
    let mut delegate = Delegate(VisitCallbacks::new(0, ignore).with_policy(CountAll));
    visit_numbers(&mut delegate)?;
    assert_eq!(delegate.0.into_state(), 1);
    Ok(())
}

// spec: RUST-R45
#[test]
fn none_is_not_visited() -> Result<()> {
    let seen = |value: &StructuralView, context: &mut VisitContext<'_, Vec<i32>>| {
        context.state_mut().push(value.type_index());
        context.visit_children()
    };
    let mut callbacks = VisitCallbacks::new(Vec::new(), seen);
    structural_visit(&Array::new(vec![None, Some(1i64)]), &mut callbacks)?;
    structural_visit(&None::<i64>, &mut callbacks)?;
    let indices = [TypeIndex::kTVMFFIArray as i32, TypeIndex::kTVMFFIInt as i32];
    assert_eq!(callbacks.into_state(), indices);
    Ok(())
}

/// Return the number of objects that the context of an error lists.
fn nodes_of(error: &Error) -> Result<usize> {
    let context = error.extra_context().unwrap();
    let index = Any::from(context.clone()).type_index();
    let nodes = FieldGetter::new(index, "reverse_visit_pattern")?;
    let nodes: List<ObjectRef> = nodes.get(&**ObjectRef::data(&context))?;
    Ok(nodes.len())
}

// spec: RUST-R45
#[test]
fn an_error_that_a_program_keeps_is_not_changed() -> Result<()> {
    let fail_with = |error: &Error| {
        let error = error.clone();
        let fail = move |_: i64| -> Result<WalkResult> { Err(error.clone()) };
        structural_walk(&binder(), fail, WalkOrder::PreOrder)
            .err()
            .unwrap()
    };
    let first = fail_with(&Error::new(VALUE_ERROR, "no luck", ""));
    let second = fail_with(&first);
    assert_eq!((nodes_of(&first)?, nodes_of(&second)?), (2, 4));
    Ok(())
}
