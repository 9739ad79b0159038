// SPDX-License-Identifier: Apache-2.0
//! Walks and visits: forms of callbacks, order, regions, hooks, policies, errors and panics.

mod common;

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::testing_function;
use tvm_ffi::extra::structural_visit::VisitErrorContext;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    def_object_ref, dispatch, rs_class, structural_visit, structural_walk, Any, AnyView, Array,
    ContextPolicy, DefRegionKind, Dict, Error, Function, List, Map, Object, ObjectArc, ObjectCore,
    ObjectDef, ObjectRefCore, Result, String, StructuralView, StructuralVisitor, TVMFFIAny,
    VisitCallbacks, VisitContext, VisitInterrupt, WalkOrder, WalkResult, WalkWithContextPolicy,
    VALUE_ERROR,
};

type Text = std::string::String;
type VisitResult = Result<Option<VisitInterrupt>>;

/// A pair of values.
#[rs_class("rust.test.visit.Pair", s_eq_hash_kind = "TreeNode")]
pub struct PairObj {
    base: Object,
    a: Any,
    #[reflect(writable)]
    b: Any,
    #[reflect(seq_hash_ignore)]
    ignored: i64,
}
def_object_ref!(pub Pair, ObjectRef, PairObj);

fn pair(a: impl Into<Any>, b: impl Into<Any>) -> Pair {
    PairObj::new(Object::new(), a, b, 99).into()
}

/// A pair with one more field.
#[rs_class("rust.test.visit.Triple")]
pub struct TripleObj {
    base: PairObj,
    c: i64,
}
def_object_ref!(pub Triple, Pair, TripleObj);

/// A variable with a type.
#[rs_class("rust.test.visit.Var", s_eq_hash_kind = "FreeVar")]
pub struct VarObj {
    base: Object,
    ty: i64,
}
def_object_ref!(pub Var, ObjectRef, VarObj);

fn var(ty: i64) -> Var {
    VarObj::new(Object::new(), ty).into()
}

/// Defines variables in two ways.
#[rs_class("rust.test.visit.Binder", s_eq_hash_kind = "TreeNode")]
pub struct BinderObj {
    base: Object,
    #[reflect(seq_hash_def_simple)]
    simple: Any,
    #[reflect(seq_hash_def_pattern)]
    pattern: Any,
    body: Any,
}
def_object_ref!(pub Binder, ObjectRef, BinderObj);

/// Visits its second field first, as a definition, and not its first one.
#[rs_class("rust.test.visit.Hooked", s_eq_hash_kind = "TreeNode", reflection = hooked_methods)]
pub struct HookedObj {
    base: Object,
    hidden: i64,
    shown: Any,
}
def_object_ref!(pub Hooked, ObjectRef, HookedObj);

fn hooked(shown: impl Into<Any>) -> Hooked {
    HookedObj::new(Object::new(), 5, shown).into()
}

fn hooked_methods(def: &mut ObjectDef<HookedObj>) {
    let hook = Function::from_packed(|args| {
        let hooked: Hooked = args[1].try_into()?;
        let visitor = args[0].to_any()?;
        let shown = hooked.shown.clone();
        let inside = Function::from_packed_local(move |_| {
            let visit = Function::get_global("ffi.StructuralVisitorVisit")?;
            visit.call_packed(&[AnyView::from(&visitor), AnyView::from(&shown)])
        });
        let with_region = Function::get_global("ffi.StructuralVisitorWithDefRegionKind")?;
        with_region.call_packed(&[args[0], AnyView::from(&2), AnyView::from(&inside)])
    });
    def.type_attr("__s_visit__", hook);
}

/// Its hook is a C function that visits 7.
#[rs_class("rust.test.visit.Native", s_eq_hash_kind = "TreeNode", reflection = native_methods)]
pub struct NativeObj {
    base: Object,
    hidden: i64,
}
def_object_ref!(pub Native, ObjectRef, NativeObj);

unsafe extern "C" fn visit_seven(visitor: *mut c_void, _value: TVMFFIAny) -> TVMFFIAny {
    type Visit = unsafe extern "C" fn(*mut c_void, TVMFFIAny) -> TVMFFIAny;
    // SAFETY: the visitor has its table at offset 24; the first entry visits a value.
    unsafe {
        let table = *visitor.cast::<u8>().add(24).cast::<*const Visit>();
        (*table)(visitor, *AnyView::from(&7i64).as_raw_ffi_any())
    }
}

fn native_methods(def: &mut ObjectDef<NativeObj>) {
    def.type_attr("__s_visit__", visit_seven as *mut c_void);
}

fn type_key(value: &StructuralView) -> Text {
    let object = value.cast::<ObjectRef>();
    let key = object.map(|object| format!("{:?}", ObjectRef::data(&object)));
    key.map_or_else(Text::new, |key| key.split('(').next().unwrap().to_string())
}

/// Return a short name of a value.
fn name(value: &StructuralView) -> Text {
    if let Some(number) = value.cast::<i64>() {
        return number.to_string();
    }
    if let Some(text) = value.cast::<String>() {
        return text.as_str().to_string();
    }
    if value.cast::<()>().is_some() {
        return "None".to_string();
    }
    let key = type_key(value);
    key.rsplit('.').next().unwrap().to_string()
}

/// Return `name/region` of everything that a walk reaches.
fn walked<R>(root: &R, order: WalkOrder) -> Text
where
    for<'x> AnyView<'x>: From<&'x R>,
{
    let mut seen = Vec::new();
    let note = |value: &StructuralView, kind: DefRegionKind| {
        seen.push(format!("{}/{}", name(value), kind as i32));
        WalkResult::Advance
    };
    assert!(structural_walk(root, note, order).unwrap().is_none());
    seen.join(" ")
}

fn numbers() -> Array<Any> {
    Array::new(vec![
        Any::from(1i64),
        Any::from(2.5f64),
        Any::from(String::from("s")),
    ])
}

// ---------------------------------------------------------------- walks

// spec: R34
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

// spec: R36
#[test]
fn keys_are_not_visited() {
    let map: Map<String, i64> = [(String::from("k"), 1)].into_iter().collect();
    assert_eq!(walked(&map, WalkOrder::PreOrder), "Map/0 1/0");
    let dict: Dict<String, i64> = [(String::from("k"), 2)].into_iter().collect();
    assert_eq!(walked(&dict, WalkOrder::PreOrder), "Dict/0 2/0");
    let list: List<i64> = [3, 4].into_iter().collect();
    assert_eq!(walked(&list, WalkOrder::PreOrder), "List/0 3/0 4/0");
}

// spec: R34
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

// spec: R34
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

// spec: R34
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

// spec: R34
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

// spec: R34
#[test]
fn dispatch_walk_tries_methods_in_order() {
    let root = pair(1i64, Array::new(vec![var(7)]));
    let mut counter = Counter::default();
    structural_walk(&root, &mut counter, WalkOrder::PreOrder).unwrap();
    assert_eq!(counter.seen.join(" "), "Pair i1 Array v7/0");
    // In a tuple, after a callback.
    let mut counter = Counter::default();
    let links = (|_: i64| WalkResult::Advance, &mut counter);
    structural_walk(&root, links, WalkOrder::PostOrder).unwrap();
    assert_eq!(
        counter.seen.join(" "),
        "i7 v7/0 Array Pair".replace("i7 ", "")
    );
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

// spec: R34
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

/// Counts the values whose parts it visits by default.
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

// spec: R35
#[test]
fn dispatch_visit_takes_a_policy() {
    let mut visitor = WithPolicy::default();
    structural_visit(&pair(1i64, pair(2i64, 2.5f64)), &mut visitor).unwrap();
    assert_eq!(visitor.seen.join(" "), "Pair i1 Pair i2 ");
}

// ---------------------------------------------------------------- visits

// spec: R34
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
        // Only the second field is visited.
        context.visit(&node.b)
    };
    let stop = |value: i64, _: &mut VisitContext<'_, ()>| Some(VisitInterrupt::with(value));
    let interrupt = structural_visit(&root, (prune, stop)).unwrap().unwrap();
    assert_eq!(interrupt.value.try_as::<i64>(), Some(3));
    assert_eq!(calls.take(), 1);
}

#[test]
fn visits_reach_none() {
    let count = |_: (), context: &mut VisitContext<'_, i32>| *context.state_mut() += 1;
    let mut callbacks = VisitCallbacks::new(0, count);
    structural_visit(&pair((), ()), &mut callbacks).unwrap();
    assert_eq!(callbacks.into_state(), 2);
}

/// Notes what it is asked for, and goes on as the policy below it does.
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

// spec: R35
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

/// Visits the second part of pairs only.
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

// spec: R35
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

// spec: R35
#[test]
fn fields_open_regions() {
    let graph = testing_function("testing.make_visit_region_graph");
    let regions = graph.call_tuple((false,)).unwrap();
    let pre = WalkOrder::PreOrder;
    assert_eq!(walked(&regions, pre), "TestVisitRegions/0 1/2 2/1 3/0");
    // The C++ side agrees.
    let seen = List::<String>::new();
    let list = seen.clone();
    let note = Function::from_packed_local(move |args| {
        let kind: i64 = args[1].try_into()?;
        let name = name_of(&args[0]);
        list.push(String::from(format!("{name}/{kind}")));
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

fn name_of(view: &AnyView<'_>) -> Text {
    let any = view.to_any().unwrap();
    let mut found = Text::new();
    let note = |value: &StructuralView| {
        found = name(value);
        WalkResult::Interrupt
    };
    structural_walk(&any, note, WalkOrder::PreOrder).unwrap();
    found
}

// spec: R35
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

// spec: R35
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

// ---------------------------------------------------------------- hooks

// spec: R35
// spec: R36
#[test]
fn hooks_of_other_languages_are_called() {
    let graph = testing_function("testing.make_visit_region_graph");
    let hooked = graph.call_tuple((true,)).unwrap();
    assert_eq!(
        walked(&hooked, WalkOrder::PreOrder),
        "TestVisitHook/0 TestVisitRegions/2 1/2 2/1 3/2 4/0"
    );
    assert_eq!(
        walked(&hooked, WalkOrder::PostOrder),
        "1/2 2/1 3/2 TestVisitRegions/2 4/0 TestVisitHook/0"
    );
}

// spec: R36
#[test]
fn hooks_of_rust_are_called() {
    let root = hooked(pair(var(1), 2i64));
    assert_eq!(
        walked(&root, WalkOrder::PreOrder),
        "Hooked/0 Pair/2 Var/2 1/0 2/2"
    );
    let native: Native = NativeObj::new(Object::new(), 1).into();
    assert_eq!(walked(&native, WalkOrder::PreOrder), "Native/0 7/0");
    // C++ calls the same hooks.
    let seen = List::<String>::new();
    let list = seen.clone();
    let note = Function::from_packed_local(move |args| {
        list.push(String::from(name_of(&args[0])));
        Ok(Any::new())
    });
    let entry = Array::new(vec![Any::from(-1i64), Any::from(note)]);
    let walk = Function::get_global("ffi.StructuralWalk").unwrap();
    let none = Array::<Any>::new(vec![]);
    let both = pair(root, native);
    walk.call_tuple((both, Array::new(vec![entry]), none, 0))
        .unwrap();
    let seen: Vec<Text> = seen
        .iter()
        .map(|text| text.unwrap().as_str().to_string())
        .collect();
    assert_eq!(seen.join(" "), "Pair Hooked Pair Var 1 2 Native 7");
}

#[test]
fn interrupts_pass_through_hooks() {
    let root = hooked(Array::new(vec![1i64, 2]));
    let stop = |value: i64| WalkResult::interrupt_with(value + 40);
    let interrupt = structural_walk(&root, stop, WalkOrder::PostOrder).unwrap();
    assert_eq!(interrupt.unwrap().value.try_as::<i64>(), Some(41));
}

thread_local! {
    static KEPT: RefCell<Option<Any>> = const { RefCell::new(None) };
}

/// Its hook keeps the visitor.
#[rs_class("rust.test.visit.Keeps", s_eq_hash_kind = "TreeNode", reflection = keeps_methods)]
pub struct KeepsObj {
    base: Object,
    hidden: i64,
}
def_object_ref!(pub Keeps, ObjectRef, KeepsObj);

fn keeps_methods(def: &mut ObjectDef<KeepsObj>) {
    let hook = Function::from_packed(|args| {
        KEPT.set(Some(args[0].to_any()?));
        Ok(Any::new())
    });
    def.type_attr("__s_visit__", hook);
}

#[test]
fn a_visitor_that_a_hook_kept_is_refused_later() {
    let root: Keeps = KeepsObj::new(Object::new(), 1).into();
    assert_eq!(walked(&root, WalkOrder::PreOrder), "Keeps/0");
    let visitor = KEPT.take().unwrap();
    let visit = Function::get_global("ffi.StructuralVisitorVisit").unwrap();
    let one = 1i64;
    let error = visit
        .call_packed(&[AnyView::from(&visitor), AnyView::from(&one)])
        .unwrap_err();
    assert_eq!(error.kind().as_str(), "RuntimeError");
    assert!(error.message().contains("outside of its traversal"));
}

// ---------------------------------------------------------------- errors and panics

fn fail_at(number: i64) -> impl FnMut(i64) -> Result<WalkResult> {
    move |value| match value == number {
        true => Err(Error::new(VALUE_ERROR, "found", "")),
        false => Ok(WalkResult::Advance),
    }
}

// spec: R38
#[test]
fn errors_record_the_objects_and_fields() {
    let inner = pair(1i64, 2i64);
    let middle = hooked(Array::new(vec![inner.clone()]));
    let root = pair(0i64, middle.clone());
    let error = structural_walk(&root, fail_at(2), WalkOrder::PreOrder).unwrap_err();
    assert_eq!(error.message(), "found");
    let lines: Vec<&str> = error
        .backtrace()
        .lines()
        .filter_map(|line| line.strip_prefix("[native structural visit] "))
        .collect();
    assert_eq!(
        lines,
        [
            "field `b`",
            "object `rust.test.visit.Pair`",
            "object `ffi.Array`",
            "object `rust.test.visit.Hooked`",
            "field `b`",
            "object `rust.test.visit.Pair`",
        ]
    );
    let context = VisitErrorContext::try_get_from_error(&error).unwrap();
    let nodes = context.reverse_visit_pattern.to_vec().unwrap();
    assert_eq!(nodes.len(), 4);
    assert!(nodes[0].same_as(&inner));
    assert!(nodes[2].same_as(&middle));
    assert!(nodes[3].same_as(&root));
    // The runtime understands the context.
    let find = Function::get_global("ffi.VisitErrorContext.FindAccessPaths").unwrap();
    let paths: Array<ObjectRef> = find
        .call_tuple((ObjectRef::from(root), ObjectRef::from(context), true))
        .unwrap()
        .try_into()
        .unwrap();
    assert_eq!(paths.len(), 1);
}

// spec: R38
#[test]
fn an_earlier_context_is_kept() {
    let earlier = Any::from(pair(1i64, 2i64));
    let earlier: ObjectRef = earlier.try_into().unwrap();
    let fail = |_: i64| -> Result<WalkResult> {
        let context = Some(&earlier);
        Err(Error::new_with_cause_and_extra_context(
            VALUE_ERROR,
            "x",
            "",
            None,
            context,
        ))
    };
    let error = structural_walk(&pair(1i64, 2i64), fail, WalkOrder::PreOrder).unwrap_err();
    let context = VisitErrorContext::try_get_from_error(&error).unwrap();
    assert!(context
        .prev_error_context
        .as_ref()
        .unwrap()
        .same_as(&earlier));
    assert_eq!(context.reverse_visit_pattern.len(), 1);
}

// spec: R38
#[test]
fn panics_resume_after_hooks() {
    let root = pair(hooked(hooked(Array::new(vec![1i64]))), 2i64);
    let calls = AtomicUsize::new(0);
    let fail = |_: i64| -> WalkResult {
        calls.fetch_add(1, Ordering::Relaxed);
        std::panic::panic_any("the panic of a callback")
    };
    let walk = || structural_walk(&root, fail, WalkOrder::PreOrder);
    let panic = catch_unwind(AssertUnwindSafe(walk)).unwrap_err();
    assert_eq!(
        *panic.downcast_ref::<&str>().unwrap(),
        "the panic of a callback"
    );
    assert_eq!(calls.into_inner(), 1);
    // Nothing is left over.
    assert_eq!(
        walked(&root, WalkOrder::PreOrder),
        "Pair/0 Hooked/0 Hooked/2 Array/2 1/2 2/0"
    );
}

// spec: R38
#[test]
fn nested_runs_restore_the_outer_one() {
    let root: Binder = BinderObj::new(Object::new(), (), hooked(1i64), 2i64).into();
    let mut seen = Vec::new();
    let nested = |value: i64, kind: DefRegionKind| {
        let inner = walked(&pair(value, hooked(5i64)), WalkOrder::PreOrder);
        assert_eq!(inner, format!("Pair/0 {value}/0 Hooked/0 5/2"));
        let error = structural_walk(&pair(1i64, 1i64), fail_at(1), WalkOrder::PreOrder);
        assert!(error.is_err());
        seen.push((value, kind));
        WalkResult::Advance
    };
    structural_walk(&root, nested, WalkOrder::PreOrder).unwrap();
    assert_eq!(
        seen,
        [(1, DefRegionKind::Pattern), (2, DefRegionKind::None)]
    );
}

#[test]
fn deep_values_and_cycles_end_in_an_error() {
    let mut deep = Any::from(1i64);
    for _ in 0..100_000 {
        deep = Any::from(Array::new(vec![deep]));
    }
    let advance = |_: &StructuralView| WalkResult::Advance;
    let error = structural_walk(&deep, advance, WalkOrder::PreOrder).unwrap_err();
    assert_eq!(error.kind().as_str(), "ValueError");
    assert!(
        error.message().contains("nested too deeply"),
        "{}",
        error.message()
    );
    drop(error);
    // Released step by step: a recursive release of so many levels would end the stack.
    while let Ok(array) = Array::<Any>::try_from(std::mem::take(&mut deep)) {
        deep = array.get(0).unwrap();
    }
    let cycle: List<Any> = List::new();
    cycle.push(Any::from(cycle.clone()));
    let error = structural_walk(&cycle, advance, WalkOrder::PostOrder).unwrap_err();
    assert_eq!(error.kind().as_str(), "ValueError");
    let forever = |view: &StructuralView, context: &mut VisitContext<'_, ()>| context.visit(view);
    let error = structural_visit(&1i64, forever).unwrap_err();
    assert_eq!(error.kind().as_str(), "ValueError");
    cycle.clear();
}

#[test]
fn callbacks_may_change_what_is_visited() {
    let list: List<Any> = [1i64, 2, 3]
        .map(|value| Any::from(pair(value, 0i64)))
        .into_iter()
        .collect();
    let mut seen = Vec::new();
    let clear = |node: &PairObj| {
        list.clear();
        seen.push(node.a.try_as::<i64>().unwrap());
        WalkResult::Advance
    };
    structural_walk(&list, clear, WalkOrder::PreOrder).unwrap();
    assert_eq!(seen, [1]);
}
