// SPDX-License-Identifier: Apache-2.0
//! `structural_walk` and `structural_visit`: types of callbacks, order, dispatch, definition
//! regions, and policies.

mod common;
#[path = "common/visit.rs"]
mod visit;

use std::cell::RefCell;

use common::testing_function;
use tvm_ffi::{
    dispatch, structural_visit, structural_walk, Any, AnyView, Array, ContextPolicy, DefRegionKind,
    Dict, Function, List, Map, Object, ObjectArc, ObjectCore, ObjectRefCore, Result, String,
    StructuralView, StructuralVisitor, VisitCallbacks, VisitContext, VisitInterrupt, WalkOrder,
    WalkResult, WalkWithContextPolicy,
};
use visit::{
    name, name_of, pair, var, walked, Binder, BinderObj, Pair, PairObj, Text, Triple, TripleObj,
    Var, VarObj, VisitResult,
};

fn numbers() -> Array<Any> {
    Array::new(vec![
        Any::from(1i64),
        Any::from(2.5f64),
        Any::from(String::from("s")),
    ])
}

// ---------------------------------------------------------------- walks

// spec: RUST-R34
#[test]
fn walk_visits_parents_first_or_last() {
    let root = pair(1i64, pair(2i64, String::from("x")));
    assert_eq!(
        walked(&root, WalkOrder::PreOrder),
        "Pair/0 1/0 Pair/0 2/0 x/0"
    );
    assert_eq!(
        walked(&root, WalkOrder::PostOrder),
        "1/0 2/0 x/0 Pair/0 Pair/0"
    );
    assert_eq!(WalkOrder::default(), WalkOrder::PreOrder);
}

#[test]
fn walk_reads_fields_of_ancestors_first() {
    let base = PairObj::new(Object::new(), 1i64, 2i64, 0);
    let root: Triple = TripleObj::new(base, 3).into();
    assert_eq!(walked(&root, WalkOrder::PreOrder), "Triple/0 1/0 2/0 3/0");
}

#[test]
fn walk_does_not_call_for_none_but_visits_plain_roots() {
    assert_eq!(walked(&pair((), 1i64), WalkOrder::PreOrder), "Pair/0 1/0");
    assert_eq!(walked(&5i64, WalkOrder::PostOrder), "5/0");
    assert_eq!(walked(&(), WalkOrder::PreOrder), "");
}

#[test]
fn walk_visits_each_occurrence() {
    let shared = Any::from(pair(1i64, 2i64));
    let root = Array::new(vec![shared.clone(), shared]);
    assert_eq!(
        walked(&root, WalkOrder::PreOrder),
        "Array/0 Pair/0 1/0 2/0 Pair/0 1/0 2/0"
    );
}

// spec: RUST-R36
#[test]
fn keys_are_not_visited() {
    let map: Map<String, i64> = [(String::from("k"), 1)].into_iter().collect();
    assert_eq!(walked(&map, WalkOrder::PreOrder), "Map/0 1/0");
    let dict: Dict<String, i64> = [(String::from("k"), 2)].into_iter().collect();
    assert_eq!(walked(&dict, WalkOrder::PreOrder), "Dict/0 2/0");
    let list: List<i64> = [3, 4].into_iter().collect();
    assert_eq!(walked(&list, WalkOrder::PreOrder), "List/0 3/0 4/0");
}

// spec: RUST-R34
#[test]
fn walk_takes_callbacks_of_all_forms() {
    let root = pair(1i64, pair(var(4), 2i64));
    let count = RefCell::new(Vec::new());
    let note = |what: &str| {
        count.borrow_mut().push(what.to_string());
        WalkResult::Advance
    };
    let go = |walk: &dyn Fn() -> VisitResult| {
        walk().unwrap();
        let taken = count.take();
        format!("{} {}", taken.len(), taken.first().unwrap())
    };
    let order = WalkOrder::PreOrder;
    let by_value = || structural_walk(&root, |_: i64| note("value"), order);
    assert_eq!(go(&by_value), "3 value");
    let by_value_kind = || structural_walk(&root, |_: Pair, _: DefRegionKind| note("kind"), order);
    assert_eq!(go(&by_value_kind), "2 kind");
    let by_node = || structural_walk(&root, |_: &VarObj| Ok(note("node")), order);
    assert_eq!(go(&by_node), "1 node");
    let by_node_kind =
        || structural_walk(&root, |_: &PairObj, _: DefRegionKind| note("both"), order);
    assert_eq!(go(&by_node_kind), "2 both");
    let by_view = || structural_walk(&root, |_: &StructuralView| Ok(note("view")), order);
    assert_eq!(go(&by_view), "6 view");
    let by_any = || structural_walk(&root, |_: Any| note("any"), order);
    assert_eq!(go(&by_any), "6 any");
}

// spec: RUST-R34
#[test]
fn the_first_matching_link_of_a_tuple_is_called() {
    let root = numbers();
    let seen = RefCell::new(Vec::new());
    let push = |text: &'static str| {
        seen.borrow_mut().push(text);
        WalkResult::Advance
    };
    let links = (
        |_: i64| push("int"),
        (|_: f64| push("float"), |_: i64| push("never")),
        |_: &StructuralView| push("other"),
    );
    structural_walk(&root, links, WalkOrder::PreOrder).unwrap();
    assert_eq!(seen.take(), ["other", "int", "float", "other"]);
    let never = |_: &VarObj| push("never");
    let twelve = (
        never,
        never,
        never,
        never,
        never,
        never,
        never,
        never,
        never,
        never,
        never,
        |_: String, kind: DefRegionKind| {
            assert_eq!(kind, DefRegionKind::None);
            push("twelfth")
        },
    );
    structural_walk(&root, twelve, WalkOrder::PostOrder).unwrap();
    assert_eq!(seen.take(), ["twelfth"]);
}

// spec: RUST-R34
#[test]
fn skip_passes_over_the_parts_in_preorder_only() {
    let root = pair(pair(1i64, 2i64), 3i64);
    let collect = |order| {
        let mut seen = Vec::new();
        let mut depth = 0;
        let links = |value: &StructuralView| {
            seen.push(name(value));
            depth += 1;
            match value.as_node::<PairObj>() {
                Some(_) if depth > 1 => WalkResult::Skip,
                _ => WalkResult::Advance,
            }
        };
        structural_walk(&root, links, order).unwrap();
        seen.join(" ")
    };
    assert_eq!(collect(WalkOrder::PreOrder), "Pair Pair 3");
    assert_eq!(collect(WalkOrder::PostOrder), "1 2 Pair 3 Pair");
}

// spec: RUST-R34
#[test]
fn an_interrupt_stops_and_is_returned() {
    let root = pair(1i64, pair(2i64, 3i64));
    for order in [WalkOrder::PreOrder, WalkOrder::PostOrder] {
        let mut calls = 0;
        let stop = |value: i64| {
            calls += 1;
            match value {
                2 => WalkResult::interrupt_with(value * 10),
                _ => WalkResult::Advance,
            }
        };
        let interrupt = structural_walk(&root, stop, order).unwrap().unwrap();
        assert_eq!(interrupt.value.try_as::<i64>(), Some(20));
        assert_eq!(calls, 2);
    }
    let stop = |_: &PairObj| WalkResult::Interrupt;
    let interrupt = structural_walk(&root, stop, WalkOrder::PreOrder).unwrap();
    assert_eq!(interrupt.unwrap().value.type_index(), 0);
    let value = VisitInterrupt::with(3i64).value;
    assert_eq!(value.try_as::<i64>(), Some(3));
}

#[test]
fn views_convert_to_values() {
    let root = pair(1i64, 2i64);
    let check = |view: &StructuralView| {
        if let Some(node) = view.as_node::<PairObj>() {
            assert_eq!(node.a.try_as::<i64>(), Some(1));
            assert_eq!(AnyView::from(view).debug_strong_count(), Some(1));
            let owned: Pair = view.to_owned().try_into().unwrap();
            assert!(owned.same_as(&root));
            assert!(view.cast::<Var>().is_none());
            assert_eq!(view.type_index(), PairObj::type_index());
        } else {
            assert!(view.cast::<f64>().is_none(), "the cast does not convert");
            assert!(view.cast::<i64>().is_some());
            assert!(view.as_node::<Object>().is_none());
        }
        WalkResult::Advance
    };
    structural_walk(&root, check, WalkOrder::PreOrder).unwrap();
    assert_eq!(ObjectArc::strong_count(Pair::data(&root)), 1);
}

// ---------------------------------------------------------------- dispatch

#[derive(Default)]
struct Counter {
    seen: Vec<Text>,
}

#[dispatch(walk)]
impl Counter {
    fn walk_number(&mut self, value: i64) -> WalkResult {
        self.seen.push(format!("i{value}"));
        WalkResult::Advance
    }
    fn walk_variable(&mut self, node: &VarObj, kind: DefRegionKind) -> Result<WalkResult> {
        self.seen.push(format!("v{}/{}", node.ty, kind as i32));
        Ok(WalkResult::Skip)
    }
    #[cfg(any())]
    fn walk_missing(&mut self, value: Missing) -> WalkResult {}
    fn walk_rest(&mut self, value: &StructuralView) -> WalkResult {
        self.note(name(value));
        WalkResult::Advance
    }
    fn note(&mut self, text: Text) {
        self.seen.push(text);
    }
}

// spec: RUST-R34
#[test]
fn dispatch_walk_tries_methods_in_order() {
    let root = pair(1i64, Array::new(vec![var(7)]));
    let mut counter = Counter::default();
    structural_walk(&root, &mut counter, WalkOrder::PreOrder).unwrap();
    assert_eq!(counter.seen.join(" "), "Pair i1 Array v7/0");
    // In a tuple of callbacks, `counter` gets only values that the first callback does not accept.
    let mut counter = Counter::default();
    let links = (|_: i64| WalkResult::Advance, &mut counter);
    structural_walk(&root, links, WalkOrder::PostOrder).unwrap();
    assert_eq!(
        counter.seen.join(" "),
        "i7 v7/0 Array Pair".replace("i7 ", "")
    );
}

/// A struct with generic parameters; the code that the macro generates must repeat them.
struct Collector<'a, T>
where
    T: From<i64>,
{
    values: &'a mut Vec<T>,
}

#[dispatch(walk, crate = tvm_ffi)]
impl<T> Collector<'_, T>
where
    T: From<i64>,
{
    fn walk_number(&mut self, value: i64) -> WalkResult {
        self.values.push(T::from(value));
        WalkResult::Advance
    }
}

#[test]
fn dispatch_takes_types_with_parameters() {
    let mut values: Vec<i128> = Vec::new();
    let mut collector = Collector {
        values: &mut values,
    };
    structural_walk(&pair(1i64, 2i64), &mut collector, WalkOrder::PreOrder).unwrap();
    assert_eq!(values, [1, 2]);
}

#[derive(Default)]
struct Printer {
    text: Text,
}

#[dispatch(visit)]
impl Printer {
    fn visit_pair(&mut self, node: &PairObj, kind: DefRegionKind) -> VisitResult {
        self.text.push('<');
        if let Some(interrupt) = self.visit_child(&node.b, kind)? {
            return Ok(Some(interrupt));
        }
        self.text.push('>');
        Ok(None)
    }
    fn visit_number(&mut self, value: i64) {
        self.text += &value.to_string();
    }
    fn visit_text(&mut self, value: String) -> Option<VisitInterrupt> {
        Some(VisitInterrupt::with(value))
    }
}

// spec: RUST-R34
#[test]
fn dispatch_visit_owns_recursion() {
    let mut printer = Printer::default();
    let root = Array::new(vec![pair(1i64, pair(2i64, 3i64)), pair(4i64, 5i64)]);
    assert!(structural_visit(&root, &mut printer).unwrap().is_none());
    assert_eq!(printer.text, "<<3>><5>");
    let root = pair(1i64, pair(2i64, String::from("stop")));
    let interrupt = structural_visit(&root, &mut printer).unwrap().unwrap();
    assert_eq!(String::try_from(interrupt.value).unwrap().as_str(), "stop");
}

/// A policy that records the name of each value for which the default visit is called.
struct CountDefaults;

impl ContextPolicy<WithPolicy> for CountDefaults {
    fn default_visit(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, WithPolicy>,
    ) -> VisitResult {
        let name = name(value);
        context.state_mut().seen.push(name);
        context.visit_children()
    }
}

#[derive(Default)]
struct WithPolicy {
    seen: Vec<Text>,
}

#[dispatch(visit, policy = CountDefaults)]
impl WithPolicy {
    fn visit_number(&mut self, value: i64) {
        self.seen.push(format!("i{value}"));
    }
}

// spec: RUST-R35
#[test]
fn dispatch_visit_takes_a_policy() {
    let mut visitor = WithPolicy::default();
    structural_visit(&pair(1i64, pair(2i64, 2.5f64)), &mut visitor).unwrap();
    assert_eq!(visitor.seen.join(" "), "Pair i1 Pair i2 ");
}

// ---------------------------------------------------------------- visits

// spec: RUST-R34
#[test]
fn visit_links_own_recursion() {
    let root = pair(1i64, pair(2i64, var(3)));
    let by_value = |value: i64, context: &mut VisitContext<'_, Vec<Text>>| {
        context.state_mut().push(value.to_string());
    };
    let by_node = |_: &VarObj, context: &mut VisitContext<'_, Vec<Text>>| -> Result<()> {
        context.state_mut().push("var".to_string());
        Ok(())
    };
    let by_view = |view: &StructuralView, context: &mut VisitContext<'_, Vec<Text>>| {
        assert_eq!(view.type_index(), context.current().type_index());
        context.state_mut().push("<".to_string());
        let result = context.visit_children();
        context.state_mut().push(">".to_string());
        result
    };
    let mut callbacks = VisitCallbacks::new(Vec::new(), (by_value, (by_node, by_view)));
    assert!(structural_visit(&root, &mut callbacks).unwrap().is_none());
    assert_eq!(callbacks.state().concat(), "<1<2var>>");
    callbacks.state_mut().clear();
    assert!(callbacks.into_state().is_empty());
}

#[test]
fn visit_links_may_prune_and_interrupt() {
    let root = pair(pair(1i64, 2i64), 3i64);
    let calls = RefCell::new(0);
    let prune = |node: &PairObj, context: &mut VisitContext<'_, ()>| {
        *calls.borrow_mut() += 1;
        // Visit only the second field of the pair.
        context.visit(&node.b)
    };
    let stop = |value: i64, _: &mut VisitContext<'_, ()>| Some(VisitInterrupt::with(value));
    let interrupt = structural_visit(&root, (prune, stop)).unwrap().unwrap();
    assert_eq!(interrupt.value.try_as::<i64>(), Some(3));
    assert_eq!(calls.take(), 1);
}

#[test]
fn visits_leave_none_out() {
    let count = |_: (), context: &mut VisitContext<'_, i32>| *context.state_mut() += 1;
    let mut callbacks = VisitCallbacks::new(0, count);
    structural_visit(&pair((), ()), &mut callbacks).unwrap();
    assert_eq!(callbacks.into_state(), 0);
}

/// A policy that records its own name and each value, and then calls the next policy.
struct Note(&'static str);

impl ContextPolicy<Vec<Text>> for Note {
    fn default_visit(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, Vec<Text>>,
    ) -> VisitResult {
        context
            .state_mut()
            .push(format!("{}:{}", self.0, name(value)));
        context.visit_children()
    }
}

// spec: RUST-R35
#[test]
fn policies_compose() {
    let skip_numbers = |_: i64, _: &mut VisitContext<'_, Vec<Text>>| ();
    let callbacks = VisitCallbacks::new(Vec::new(), skip_numbers);
    let mut callbacks = callbacks.with_policy((Note("a"), (Note("b"), Note("c"))));
    structural_visit(&pair(1i64, Array::new(vec![2i64])), &mut callbacks).unwrap();
    assert_eq!(
        callbacks.state().join(" "),
        "a:Pair b:Pair c:Pair a:Array b:Array c:Array"
    );
}

/// A policy that visits only the second part of pairs.
struct SecondOnly;

impl<S> ContextPolicy<S> for SecondOnly {
    fn default_visit(
        &self,
        value: &StructuralView,
        context: &mut VisitContext<'_, S>,
    ) -> VisitResult {
        match value.as_node::<PairObj>() {
            Some(node) => context.visit_with(&node.b, DefRegionKind::Simple),
            None => context.default_visit_children(value, context.def_region_kind()),
        }
    }
}

// spec: RUST-R35
#[test]
fn walks_take_policies() {
    let root = pair(
        1i64,
        Array::new(vec![Any::from(pair(2i64, 3i64)), Any::from(4i64)]),
    );
    let walker = WalkWithContextPolicy::new(Counter::default(), SecondOnly);
    let mut walker = walker;
    structural_walk(&root, &mut walker, WalkOrder::PreOrder).unwrap();
    assert_eq!(walker.state().seen.join(" "), "Pair Array Pair i3 i4");
    walker.state_mut().seen.clear();
    structural_walk(&root, &mut walker, WalkOrder::PostOrder).unwrap();
    assert_eq!(walker.into_state().seen.join(" "), "i3 Pair i4 Array Pair");
    let mut kinds = Vec::new();
    let note = |_: i64, kind: DefRegionKind| {
        kinds.push(kind);
        WalkResult::Advance
    };
    let walker = WalkWithContextPolicy::new(note, SecondOnly);
    structural_walk(&root, walker, WalkOrder::PreOrder).unwrap();
    assert_eq!(kinds, [DefRegionKind::Simple; 2]);
}

// ---------------------------------------------------------------- regions

// spec: RUST-R35
#[test]
fn fields_open_regions() {
    let graph = testing_function("testing.make_visit_region_graph");
    let regions = graph.call_tuple((false,)).unwrap();
    let pre = WalkOrder::PreOrder;
    assert_eq!(walked(&regions, pre), "TestVisitRegions/0 1/2 2/1 3/0");
    // The C++ traversal visits the same values.
    let seen = List::<String>::new();
    let list = seen.clone();
    let note = Function::from_packed_local(move |args| {
        let kind: i64 = args[1].try_into()?;
        let name = name_of(&args[0]);
        list.push(String::from(format!("{name}/{kind}")))?;
        Ok(Any::new())
    });
    let entry = Array::new(vec![Any::from(-1i64), Any::from(note)]);
    let walk = Function::get_global("ffi.StructuralWalk").unwrap();
    let none = Array::<Any>::new(vec![]);
    walk.call_tuple((regions, none, Array::new(vec![entry]), 0))
        .unwrap();
    let seen: Vec<Text> = seen
        .iter()
        .map(|text| text.unwrap().as_str().to_string())
        .collect();
    assert_eq!(seen.join(" "), "TestVisitRegions/0 1/2 2/1 3/0");
}

// spec: RUST-R35
#[test]
fn regions_are_sticky_or_end_at_variables() {
    let inner: Binder = BinderObj::new(Object::new(), var(1), var(2), var(3)).into();
    assert_eq!(
        walked(&inner, WalkOrder::PreOrder),
        "Binder/0 Var/2 1/0 Var/1 2/1 Var/0 3/0"
    );
    let in_pattern: Binder = BinderObj::new(Object::new(), (), inner.clone(), ()).into();
    assert_eq!(
        walked(&in_pattern, WalkOrder::PreOrder),
        "Binder/0 Binder/1 Var/1 1/1 Var/1 2/1 Var/1 3/1"
    );
    let in_simple: Binder = BinderObj::new(Object::new(), inner, (), ()).into();
    assert_eq!(
        walked(&in_simple, WalkOrder::PreOrder),
        "Binder/0 Binder/2 Var/2 1/0 Var/1 2/1 Var/2 3/0"
    );
}

// spec: RUST-R35
#[test]
fn contexts_open_regions_except_in_patterns() {
    let note = |_: i64, context: &mut VisitContext<'_, Vec<DefRegionKind>>| {
        let kind = context.def_region_kind();
        context.state_mut().push(kind);
    };
    let open = |node: &PairObj, context: &mut VisitContext<'_, Vec<DefRegionKind>>| {
        context.visit_with(&node.a, DefRegionKind::Pattern)?;
        context.visit_with(&node.b, DefRegionKind::Simple)
    };
    let mut callbacks = VisitCallbacks::new(Vec::new(), (note, open));
    structural_visit(&pair(pair(1i64, 2i64), 3i64), &mut callbacks).unwrap();
    use DefRegionKind::{Pattern, Simple};
    assert_eq!(callbacks.into_state(), [Pattern, Pattern, Simple]);
}
