// SPDX-License-Identifier: Apache-2.0
//! `structural_map`: results of callbacks, reuse and copies, variables, hooks and errors.
#![cfg_attr(not(feature = "compat"), allow(dead_code, unused_imports))]

mod common;
#[path = "common/mutate.rs"]
mod mutate;

use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

use mutate::{
    address, increment, pair, same, text, var, Dag, DagObj, Lambda, LambdaObj, NotPairs, Pair,
    PairObj, Var, POST, PRE,
};
use tvm_ffi::extra::structural_visit::VisitErrorContext;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::set_type_attr;
use tvm_ffi::{
    def_object_ref, dispatch, get_type_attr, rs_class, structural_map, Any, AnyCompatible, AnyView,
    Array, DefRegionKind, DefaultMutContextPolicy, Dict, Error, Function, List, Map,
    MapWithContextPolicy, Object, ObjectCore, ObjectDef, ObjectRefCore, Result, Shape, String,
    StructuralView, TVMFFIAny, Unchanged, UnchangedOr, VALUE_ERROR,
};

/// A class whose hook mutates the field `a` and returns a pair of the new value and a text.
#[rs_class("rust.test.mutate.Hooked", s_eq_hash_kind = "TreeNode", reflection = hooked_methods)]
pub struct HookedObj {
    base: Object,
    a: Any,
}
def_object_ref!(pub Hooked, ObjectRef, HookedObj);

fn hooked_methods(def: &mut ObjectDef<HookedObj>) {
    let hook = Function::from_packed(|args| {
        let hooked: Hooked = args[1].try_into()?;
        let mutate = Function::get_global("ffi.StructuralMutatorMutate")?;
        let new = mutate.call_packed(&[args[0], AnyView::from(&hooked.a)])?;
        Ok(Any::from(pair(new, String::from("hook"))))
    });
    def.type_attr("__s_mutate__", hook);
}

/// A class whose hook is a C function that mutates the number 7.
#[rs_class("rust.test.mutate.Native", s_eq_hash_kind = "TreeNode", reflection = native_methods)]
pub struct NativeObj {
    base: Object,
    a: Any,
}
def_object_ref!(pub Native, ObjectRef, NativeObj);

unsafe extern "C" fn mutate_seven(mutator: *mut c_void, _value: TVMFFIAny) -> TVMFFIAny {
    type Mutate = unsafe extern "C" fn(*mut c_void, TVMFFIAny) -> TVMFFIAny;
    // SAFETY: the mutator has the address of its function table at offset 24. The first function
    // of this table mutates a value.
    unsafe {
        let table = *mutator.cast::<u8>().add(24).cast::<*const Mutate>();
        (*table)(mutator, *AnyView::from(&7i64).as_raw_ffi_any())
    }
}

fn native_methods(def: &mut ObjectDef<NativeObj>) {
    def.type_attr("__s_mutate__", mutate_seven as *mut c_void);
}

// ---------------------------------------------------------------- results

#[test]
fn unchanged_or_holds_a_value_or_the_marker() {
    let none: UnchangedOr<i64> = UnchangedOr::unchanged();
    assert!(none.is_unchanged());
    assert!(none.unchanged_or_same_as(&3));
    assert_eq!(none.clone().value_or(4), 4);
    assert_eq!(none.clone().value_or_else(|| 5), 5);
    assert_eq!(none.clone().into_option(), None);
    assert_eq!(Any::from(none).type_index(), 13);
    let some = UnchangedOr::changed(6i64);
    assert!(!some.is_unchanged());
    assert!(some.unchanged_or_same_as(&6));
    assert!(!some.unchanged_or_same_as(&7));
    assert_eq!(some.clone().value_or(4), 6);
    assert_eq!(some.clone().map(|value| value * 2).into_option(), Some(12));
    let failed = some
        .clone()
        .try_map(|_| -> Result<i64> { Err(Error::new(VALUE_ERROR, "x", "")) });
    assert_eq!(failed.unwrap_err().message(), "x");
    assert_eq!(
        some.clone().try_cast::<f64>().unwrap().into_option(),
        Some(6.0)
    );
    assert!(some.clone().try_cast::<String>().is_err());
    assert_eq!(Any::from(some).try_as::<i64>(), Some(6));
}

// spec: RUST-R08
#[test]
fn unchanged_or_converts() {
    assert_eq!(Unchanged::type_schema(), r#"{"type":"ffi.Unchanged"}"#);
    assert_eq!(Unchanged::type_str(), "Unchanged");
    assert_eq!(UnchangedOr::<i64>::type_str(), "UnchangedOr<int>");
    let marker = Any::from(Unchanged);
    assert_eq!(marker.try_as::<Unchanged>(), Some(Unchanged));
    assert!(UnchangedOr::<i64>::try_from(marker.clone())
        .unwrap()
        .is_unchanged());
    assert!(UnchangedOr::<Any>::try_from(marker).unwrap().is_unchanged());
    let converted = UnchangedOr::<f64>::try_from(Any::from(2i64)).unwrap();
    assert_eq!(converted.into_option(), Some(2.0));
    assert!(UnchangedOr::<f64>::try_from(Any::from(String::from("s"))).is_err());
    let error = Any::from(Error::new(VALUE_ERROR, "x", ""));
    assert!(UnchangedOr::<Any>::try_from(error).is_err());
    let value = UnchangedOr::<Any>::try_from(Any::from(2i64)).unwrap();
    assert_eq!(value.into_option().unwrap().try_as::<i64>(), Some(2));
    assert!(Unchanged::try_from(Any::from(2i64)).is_err());
}

// ---------------------------------------------------------------- maps

// spec: RUST-R37
#[test]
fn maps_replace_in_copies() {
    let map: Map<String, i64> = [(String::from("k"), 3)].into_iter().collect();
    let list: List<i64> = [5].into_iter().collect();
    let dict: Dict<i64, i64> = [(8, 9)].into_iter().collect();
    let parts: Vec<Any> = vec![
        1i64.into(),
        pair(2i64, map).into(),
        list.into(),
        dict.into(),
    ];
    let root = Array::new(parts);
    let before = text(root.clone());
    for order in [PRE, POST] {
        let result = structural_map(root.clone(), increment, order).unwrap();
        assert_eq!(
            text(result),
            "(2, rust.test.mutate.Pair(a=3, b={\"k\": 4}), [6], {8: 10})"
        );
        assert_eq!(text(root.clone()), before);
    }
}

// spec: RUST-R37
#[test]
fn nothing_changed_is_the_same_object() {
    let root = pair(Array::new(vec![1i64]), Shape::from([1, 2]));
    let result = structural_map(root.clone(), |value: String| value, PRE).unwrap();
    assert!(same(&result, &root));
    // Callbacks that return the same value, or "unchanged" in any form, do not change the root.
    let result = structural_map(root.clone(), |value: i64| value, POST).unwrap();
    assert!(same(&result, &root));
    let result = structural_map(root.clone(), |_: &StructuralView| Unchanged, POST).unwrap();
    assert!(same(&result, &root));
    let unchanged = |_: i64| -> Result<UnchangedOr<i64>> { Ok(UnchangedOr::unchanged()) };
    let result = structural_map(root.clone(), unchanged, PRE).unwrap();
    assert!(same(&result, &root));
    let result = structural_map(3i64, increment, PRE).unwrap();
    assert_eq!(result.try_as::<i64>(), Some(4));
}

// spec: RUST-R37
#[test]
fn unchanged_parts_are_shared() {
    let kept = pair(String::from("s"), ());
    let root = pair(kept.clone(), 1i64);
    let result: Pair = structural_map(root.clone(), increment, POST)
        .unwrap()
        .try_into()
        .unwrap();
    assert!(!result.same_as(&root));
    assert!(same(&result.a, &kept));
    assert_eq!(result.ignored, 7);
}

// spec: RUST-R37
#[test]
fn unique_containers_are_changed_in_place() {
    let make = || {
        let inner: List<Any> = [Any::from(1i64)].into_iter().collect();
        let list: List<Any> = [Any::from(inner), Any::from(2i64)].into_iter().collect();
        list
    };
    let unique = make();
    let before = address(&unique);
    let result = structural_map(unique, increment, POST).unwrap();
    assert_eq!(address(&result.try_as::<ObjectRef>().unwrap()), before);
    assert_eq!(text(result), "[[2], 3]");
    let shared = make();
    let result = structural_map(shared.clone(), increment, POST).unwrap();
    assert!(!same(&result, &shared));
    assert_eq!(text(shared), "[[1], 2]");
    assert_eq!(text(result), "[[2], 3]");
    // `outer` has one reference and is changed in place. The list in `outer` is copied, because the
    // variable `inner` also refers to this list.
    let inner = make();
    let outer: List<Any> = [Any::from(inner.clone())].into_iter().collect();
    let result = structural_map(outer, increment, POST).unwrap();
    assert_eq!(text(result), "[[[2], 3]]");
    assert_eq!(text(inner), "[[1], 2]");
}

// spec: RUST-R37
#[test]
fn preorder_looks_into_replacements() {
    let replace = (
        |_: String| Array::new(vec![1i64, 2]),
        |value: i64| value * 10,
    );
    let root = pair(String::from("s"), 3i64);
    let result = structural_map(root.clone(), replace, PRE).unwrap();
    assert_eq!(text(result), "rust.test.mutate.Pair(a=(10, 20), b=30)");
    let replace = (
        |_: String| Array::new(vec![1i64, 2]),
        |value: i64| value * 10,
    );
    let result = structural_map(root, replace, POST).unwrap();
    assert_eq!(text(result), "rust.test.mutate.Pair(a=(1, 2), b=30)");
}

// spec: RUST-R37
#[test]
fn postorder_gets_what_the_value_became() {
    let sum = |node: &PairObj| node.a.try_as::<i64>().unwrap() + node.b.try_as::<i64>().unwrap();
    let root = pair(pair(1i64, 2i64), pair(3i64, 4i64));
    let result = structural_map(root, sum, POST).unwrap();
    assert_eq!(result.try_as::<i64>(), Some(10));
}

#[test]
fn map_takes_callbacks_of_all_forms() {
    let root = || pair(1i64, String::from("x"));
    let check = |result: Result<Any>, expected: &str| assert_eq!(text(result.unwrap()), expected);
    let prefix = "rust.test.mutate.Pair";
    check(
        structural_map(root(), |v: i64, _: DefRegionKind| v + 2, PRE),
        &format!("{prefix}(a=3, b=\"x\")"),
    );
    check(structural_map(root(), |_: &PairObj| 1i64, PRE), "1");
    check(
        structural_map(root(), |_: &PairObj, _: DefRegionKind| Ok(2i64), POST),
        "2",
    );
    check(structural_map(root(), |_: &StructuralView| 3i64, PRE), "3");
    check(
        structural_map(root(), |_: &StructuralView, _: DefRegionKind| 4i64, POST),
        "4",
    );
    check(structural_map(root(), |_: Any| Any::new(), POST), "None");
    let twelve = (
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        |_: f64| 0i64,
        increment,
    );
    check(
        structural_map(root(), twelve, PRE),
        &format!("{prefix}(a=2, b=\"x\")"),
    );
    let none = |_: String| UnchangedOr::changed(Any::new());
    check(
        structural_map(root(), none, POST),
        &format!("{prefix}(a=1, b=None)"),
    );
}

#[derive(Default)]
struct Renamer {
    seen: usize,
}

#[dispatch(map)]
impl Renamer {
    fn map_text(&mut self, value: String, kind: DefRegionKind) -> Result<String> {
        assert_eq!(kind, DefRegionKind::None);
        Ok(String::from(format!("{}'", value.as_str())))
    }
    fn map_pair(&mut self, _: &PairObj) -> Unchanged {
        self.seen += 1;
        Unchanged
    }
    fn map_rest(&mut self, _: &StructuralView) -> UnchangedOr {
        UnchangedOr::unchanged()
    }
}

// spec: RUST-R37
#[test]
fn dispatch_map_tries_methods_in_order() {
    let mut renamer = Renamer::default();
    let root = pair(String::from("s"), pair(1i64, String::from("t")));
    let result = structural_map(root, &mut renamer, PRE).unwrap();
    assert_eq!(
        text(result),
        "rust.test.mutate.Pair(a=\"s'\", b=rust.test.mutate.Pair(a=1, b=\"t'\"))"
    );
    assert_eq!(renamer.seen, 2);
}

// spec: RUST-R35
#[test]
fn maps_take_policies() {
    let root = Array::new(vec![Any::from(1i64), Any::from(pair(2i64, 3i64))]);
    let mut mapper = MapWithContextPolicy::new(increment, NotPairs);
    let result = structural_map(root.clone(), &mut mapper, PRE).unwrap();
    assert_eq!(text(result), "(2, rust.test.mutate.Pair(a=2, b=3))");
    let mapper = MapWithContextPolicy::new(Renamer::default(), (DefaultMutContextPolicy, NotPairs));
    let mut mapper = mapper;
    structural_map(root, &mut mapper, POST).unwrap();
    assert_eq!(mapper.state().seen, 1);
    mapper.state_mut().seen = 5;
    assert_eq!(mapper.into_state().seen, 5);
}

// ---------------------------------------------------------------- variables

// spec: RUST-R37
#[test]
fn variables_are_replaced_where_they_are_defined() {
    let x = var(1i64);
    let lambda: Lambda = LambdaObj::new(
        Object::new(),
        Array::new(vec![x.clone()]),
        pair(x.clone(), x.clone()),
    )
    .into();
    let result = structural_map(lambda, increment, POST).unwrap();
    let lambda: Lambda = result.try_into().unwrap();
    let params: Array<Var> = lambda.params.clone().try_into().unwrap();
    let new = params.get(0).unwrap();
    assert!(!new.same_as(&x));
    assert_eq!(new.ty.try_as::<i64>(), Some(2));
    let body: Pair = lambda.body.clone().try_into().unwrap();
    assert!(same(&body.a, &new) && same(&body.b, &new));
    // A variable outside of a definition region is not changed.
    let result = structural_map(x.clone(), increment, POST).unwrap();
    assert!(same(&result, &x));
}

// spec: RUST-R37
#[test]
fn nodes_with_identity_are_mutated_once() {
    let dag: Dag = DagObj::new(Object::new(), 1i64).into();
    let calls = Cell::new(0);
    let count = |value: i64| {
        calls.set(calls.get() + 1);
        value + 1
    };
    let root = Array::new(vec![dag.clone(), dag]);
    let result = structural_map(root, count, POST).unwrap();
    let result: Array<Dag> = result.try_into().unwrap();
    assert_eq!(calls.get(), 1);
    assert!(result.get(0).unwrap().same_as(&result.get(1).unwrap()));
}

// ---------------------------------------------------------------- hooks

// spec: RUST-R36
#[cfg(feature = "compat")]
#[test]
fn mutate_hooks_are_called() {
    let hooked: Hooked = HookedObj::new(Object::new(), Array::new(vec![1i64])).into();
    let native: Native = NativeObj::new(Object::new(), 1i64).into();
    let root = Array::new(vec![Any::from(hooked), Any::from(native)]);
    let result = structural_map(root, increment, PRE).unwrap();
    assert_eq!(
        text(result),
        "(rust.test.mutate.Pair(a=(2,), b=\"hook\"), 8)"
    );
}

// spec: RUST-R36
#[test]
fn leaves_of_the_library_stay() {
    let shape = Shape::from([1, 2]);
    let function = common::testing_function("testing.echo");
    let root = Array::new(vec![Any::from(shape), Any::from(function), Any::from(1i64)]);
    let result = structural_map(root.clone(), increment, PRE).unwrap();
    let result: Array<Any> = result.try_into().unwrap();
    for i in 0..2 {
        let part: ObjectRef = root.get(i).unwrap().try_into().unwrap();
        assert!(same(&result.get(i).unwrap(), &part));
    }
}

/// A class with two hooks; each hook returns a different text.
#[rs_class("rust.test.mutate.Both", s_eq_hash_kind = "TreeNode", reflection = both_methods)]
pub struct BothObj {
    base: Object,
    a: i64,
}
def_object_ref!(pub Both, ObjectRef, BothObj);

fn both_methods(def: &mut ObjectDef<BothObj>) {
    let answer = |text: &'static str| Function::from_packed(move |_| Ok(String::from(text).into()));
    def.type_attr("__s_mutate__", answer("copied"));
    def.type_attr("__s_maybe_inplace_mutate__", answer("in place"));
}

// spec: RUST-R36, RUST-R37
#[test]
fn hooks_for_changes_in_place_get_unique_objects() {
    let make = || -> Both { BothObj::new(Object::new(), 1).into() };
    let unchanged = |_: i64| Unchanged;
    let unique = structural_map(make(), unchanged, PRE).unwrap();
    assert_eq!(text(unique), "\"in place\"");
    let shared = make();
    let result = structural_map(shared.clone(), unchanged, PRE).unwrap();
    assert_eq!(text(result), "\"copied\"");
    let list: List<Any> = [Any::from(make()), Any::from(shared)].into_iter().collect();
    let result = structural_map(list, unchanged, POST).unwrap();
    assert_eq!(text(result), "[\"in place\", \"in place\"]");
}

/// Increment integers with the C++ implementation of `structural_map`.
fn map_by_runtime(root: &Any, order: i64) -> Any {
    let step = Function::from_typed(|value: i64| Ok(value + 1));
    let entry = Array::new(vec![Any::from(1i64), Any::from(step)]);
    let map = Function::get_global("ffi.StructuralMap").unwrap();
    let (entries, none) = (Array::new(vec![entry]), Array::<Any>::new(vec![]));
    let (entries, none) = (Any::from(entries), Any::from(none));
    let views = [
        AnyView::from(root),
        AnyView::from(&entries),
        AnyView::from(&none),
    ];
    map.call_packed(&[views[0], views[1], views[2], AnyView::from(&order)])
        .unwrap()
}

// spec: RUST-R36, RUST-R37
#[test]
fn the_runtime_agrees() {
    let x = var(1i64);
    let dag: Dag = DagObj::new(Object::new(), 1i64).into();
    let lambda: Lambda = LambdaObj::new(
        Object::new(),
        Array::new(vec![x.clone()]),
        pair(x.clone(), 2i64),
    )
    .into();
    let hooked: Hooked = HookedObj::new(Object::new(), Array::new(vec![1i64])).into();
    let map: Map<String, i64> = [(String::from("k"), 3)].into_iter().collect();
    let dict: Dict<i64, i64> = [(8, 9)].into_iter().collect();
    let parts: Vec<Any> = vec![
        lambda.into(),
        pair(dag.clone(), dag).into(),
        x.into(),
        hooked.into(),
        map.into(),
        dict.into(),
        Any::new(),
        2.5f64.into(),
    ];
    let root = Any::from(Array::new(parts));
    for order in [PRE, POST] {
        let ours = structural_map(root.clone(), increment, order).unwrap();
        assert_eq!(text(ours), text(map_by_runtime(&root, order as i64)));
    }
}

// ---------------------------------------------------------------- errors and panics

// spec: RUST-R38
#[test]
fn mutate_errors_record_the_objects_and_fields() {
    let fail = |value: i64| -> Result<i64> {
        match value {
            2 => Err(Error::new(VALUE_ERROR, "found", "")),
            _ => Ok(value),
        }
    };
    let inner = pair(1i64, 2i64);
    let root = pair(Array::new(vec![inner.clone()]), 3i64);
    let error = structural_map(root.clone(), fail, PRE).unwrap_err();
    assert_eq!(error.message(), "found");
    assert!(error
        .backtrace_lossy()
        .contains("[native structural map] field `b`"));
    assert!(error
        .backtrace_lossy()
        .contains("object `rust.test.mutate.Pair`"));
    let context = VisitErrorContext::try_get_from_error(&error).unwrap();
    let nodes = context.reverse_visit_pattern.to_vec().unwrap();
    assert_eq!(nodes.len(), 3);
    assert!(nodes[0].same_as(&inner) && nodes[2].same_as(&root));
}

/// A class with a field that accepts only integers.
#[rs_class("rust.test.mutate.Number", s_eq_hash_kind = "TreeNode")]
pub struct NumberObj {
    base: Object,
    value: i64,
}
def_object_ref!(pub Number, ObjectRef, NumberObj);

#[test]
fn values_of_the_wrong_type_are_refused() {
    let root: Number = NumberObj::new(Object::new(), 1).into();
    let error = structural_map(root.clone(), |_: i64| String::from("s"), PRE).unwrap_err();
    assert_eq!(error.kind().as_str(), "TypeError");
    assert_eq!(root.value, 1);
    let result = structural_map(root, increment, PRE).unwrap();
    assert_eq!(text(result), "rust.test.mutate.Number(value=2)");
}

// spec: RUST-R38
#[test]
fn mutate_panics_resume_after_hooks() {
    let hooked: Hooked = HookedObj::new(Object::new(), Array::new(vec![1i64])).into();
    let fail = |_: i64| -> i64 { std::panic::panic_any("the panic of a callback") };
    let map = || structural_map(hooked.clone(), fail, PRE);
    let panic = catch_unwind(AssertUnwindSafe(map)).unwrap_err();
    assert_eq!(
        *panic.downcast_ref::<&str>().unwrap(),
        "the panic of a callback"
    );
    let result = structural_map(hooked.clone(), increment, PRE).unwrap();
    assert_eq!(text(result), "rust.test.mutate.Pair(a=(2,), b=\"hook\")");
}

// spec: RUST-R38
#[test]
fn nested_mutations_have_their_own_memory() {
    let x = var(1i64);
    let lambda = || -> Lambda {
        LambdaObj::new(Object::new(), Array::new(vec![x.clone()]), x.clone()).into()
    };
    let nested = |value: i64| {
        let inner = structural_map(lambda(), |value: i64| value + 100, POST).unwrap();
        let inner: Lambda = inner.try_into().unwrap();
        let new: Var = inner.body.clone().try_into().unwrap();
        assert_eq!(new.ty.try_as::<i64>(), Some(101));
        value + 1
    };
    let result: Lambda = structural_map(lambda(), nested, POST)
        .unwrap()
        .try_into()
        .unwrap();
    let new: Var = result.body.clone().try_into().unwrap();
    assert_eq!(new.ty.try_as::<i64>(), Some(2));
}

#[test]
fn deep_values_end_in_an_error() {
    let cycle: List<Any> = List::new();
    cycle.push(Any::from(cycle.clone())).unwrap();
    let error = structural_map(cycle.clone(), increment, PRE).unwrap_err();
    assert_eq!(error.kind().as_str(), "ValueError");
    assert!(
        error.message().contains("nested too deeply"),
        "{}",
        error.message()
    );
    cycle.clear();
}

/// The fields of a copy are set in place, also those that Rust code borrows.
#[test]
fn a_copy_that_other_code_uses_is_not_changed() {
    #[rs_class("rust.test.map.Shared", s_eq_hash_kind = "TreeNode")]
    struct SharedObj {
        base: Object,
        text: String,
    }
    def_object_ref!(Shared, ObjectRef, SharedObj);

    let shared = |text: &str| Shared::from(SharedObj::new(Object::new(), text));
    let (index, other) = (SharedObj::type_index(), shared("a text of another object"));
    set_type_attr(index, "rust.test.map.shared", &Any::from(other.clone())).unwrap();
    let copy = Function::from_typed(move |_: Shared| {
        Ok(get_type_attr(index, "rust.test.map.shared").unwrap_or_default())
    });
    let replace = Function::get_global("ffi.TypeAttrSet").unwrap();
    let name = String::from("__ffi_shallow_copy__");
    replace.call_tuple((index, &name, &copy)).unwrap();

    let borrowed = other.text.as_str();
    let longer = |text: String| Ok::<_, Error>(String::from(text.repeat(2)));
    let error = structural_map(shared("a text"), longer, POST).unwrap_err();
    assert!(
        error.message().contains("must return a distinct object"),
        "{error}"
    );
    assert_eq!(borrowed, "a text of another object");
}
