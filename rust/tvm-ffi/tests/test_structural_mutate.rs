// SPDX-License-Identifier: Apache-2.0
//! Maps and mutations: forms of callbacks, reuse and copies, regions, variables, hooks and errors.

mod common;

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

use tvm_ffi::extra::structural_visit::VisitErrorContext;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    def_object_ref, dispatch, rs_class, structural_map, structural_mutate, structural_walk, Any,
    AnyCompatible, AnyView, Array, DefRegionKind, Dict, Error, Function, InplaceMode, InplaceValue,
    List, Map, MapWithContextPolicy, MutContextPolicy, MutateCallbacks, MutateContext,
    MutateDispatch, MutateValue, Mutator, Object, ObjectArc, ObjectDef, ObjectRefCore, Result,
    Shape, String, StructuralMutator, StructuralVarRemap, StructuralView, TVMFFIAny, Unchanged,
    UnchangedOr, WalkOrder, WalkResult, VALUE_ERROR,
};

type Text = std::string::String;

/// A pair of values.
#[rs_class("rust.test.mutate.Pair", s_eq_hash_kind = "TreeNode")]
pub struct PairObj {
    base: Object,
    a: Any,
    b: Any,
    #[reflect(seq_hash_ignore, repr_off)]
    ignored: i64,
}
def_object_ref!(pub Pair, ObjectRef, PairObj);

fn pair(a: impl Into<Any>, b: impl Into<Any>) -> Pair {
    PairObj::new(Object::new(), a, b, 7).into()
}

/// A variable with a type.
#[rs_class("rust.test.mutate.Var", s_eq_hash_kind = "FreeVar")]
pub struct VarObj {
    base: Object,
    ty: Any,
}
def_object_ref!(pub Var, ObjectRef, VarObj);

fn var(ty: impl Into<Any>) -> Var {
    VarObj::new(Object::new(), ty).into()
}

/// A node with identity.
#[rs_class("rust.test.mutate.Dag", s_eq_hash_kind = "DAGNode")]
pub struct DagObj {
    base: Object,
    a: Any,
}
def_object_ref!(pub Dag, ObjectRef, DagObj);

/// Defines variables.
#[rs_class("rust.test.mutate.Lambda", s_eq_hash_kind = "TreeNode")]
pub struct LambdaObj {
    base: Object,
    #[reflect(seq_hash_def_pattern)]
    params: Any,
    body: Any,
}
def_object_ref!(pub Lambda, ObjectRef, LambdaObj);

/// Its hook puts the mutated value into a pair.
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

/// Its hook is a C function.
#[rs_class("rust.test.mutate.Native", s_eq_hash_kind = "TreeNode", reflection = native_methods)]
pub struct NativeObj {
    base: Object,
    a: Any,
}
def_object_ref!(pub Native, ObjectRef, NativeObj);

unsafe extern "C" fn mutate_seven(mutator: *mut c_void, _value: TVMFFIAny) -> TVMFFIAny {
    type Mutate = unsafe extern "C" fn(*mut c_void, TVMFFIAny) -> TVMFFIAny;
    // SAFETY: the mutator has its table at offset 24; the first entry mutates a value.
    unsafe {
        let table = *mutator.cast::<u8>().add(24).cast::<*const Mutate>();
        (*table)(mutator, *AnyView::from(&7i64).as_raw_ffi_any())
    }
}

fn native_methods(def: &mut ObjectDef<NativeObj>) {
    def.type_attr("__s_mutate__", mutate_seven as *mut c_void);
}

fn text(value: impl Into<Any>) -> Text {
    format!("{:?}", value.into())
}

fn same(result: &Any, object: &impl ObjectRefCore) -> bool {
    let result: ObjectRef = result.try_as().unwrap();
    result.same_as(object)
}

/// Return the address of an object, which stays the same in place.
fn address<T: ObjectRefCore>(reference: &T) -> usize {
    ObjectArc::as_header(T::data(reference)) as usize
}

const PRE: WalkOrder = WalkOrder::PreOrder;
const POST: WalkOrder = WalkOrder::PostOrder;

fn increment(value: i64) -> i64 {
    value + 1
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

// spec: R08
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

// spec: R37
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

// spec: R37
#[test]
fn nothing_changed_is_the_same_object() {
    let root = pair(Array::new(vec![1i64]), Shape::from([1, 2]));
    let result = structural_map(root.clone(), |value: String| value, PRE).unwrap();
    assert!(same(&result, &root));
    // The same values again, and every way to say "unchanged".
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

// spec: R37
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

// spec: R37
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
    // Shared inside of a unique list.
    let inner = make();
    let outer: List<Any> = [Any::from(inner.clone())].into_iter().collect();
    let result = structural_map(outer, increment, POST).unwrap();
    assert_eq!(text(result), "[[[2], 3]]");
    assert_eq!(text(inner), "[[1], 2]");
}

// spec: R37
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

// spec: R37
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

// spec: R37
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

/// Leaves pairs as they are.
struct NotPairs;

impl<S> MutContextPolicy<S> for NotPairs {
    fn default_mutate(
        &self,
        value: MutateValue<'_>,
        context: &mut MutateContext<'_, S>,
    ) -> Result<UnchangedOr<Any>> {
        match value.as_node::<PairObj>() {
            Some(_) => Ok(UnchangedOr::unchanged()),
            None => context.default_maybe_inplace_mutate_result(value),
        }
    }
}

// spec: R35
#[test]
fn maps_take_policies() {
    let root = Array::new(vec![Any::from(1i64), Any::from(pair(2i64, 3i64))]);
    let mut mapper = MapWithContextPolicy::new(increment, NotPairs);
    let result = structural_map(root.clone(), &mut mapper, PRE).unwrap();
    assert_eq!(text(result), "(2, rust.test.mutate.Pair(a=2, b=3))");
    let mapper = MapWithContextPolicy::new(Renamer::default(), ((), NotPairs));
    let mut mapper = mapper;
    structural_map(root, &mut mapper, POST).unwrap();
    assert_eq!(mapper.state().seen, 1);
    mapper.state_mut().seen = 5;
    assert_eq!(mapper.into_state().seen, 5);
}

// ---------------------------------------------------------------- variables

// spec: R37
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
    // Outside of a definition a variable stays as it is.
    let result = structural_map(x.clone(), increment, POST).unwrap();
    assert!(same(&result, &x));
}

// spec: R37
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

// spec: R37
#[test]
fn callbacks_use_the_memory_of_the_run() {
    let x = var(1i64);
    let y = var(2i64);
    let bind = |_: String, context: &mut MutateContext<'_>| -> Result<Any> {
        assert!(context.var_remap_get(&x)?.is_none());
        context.var_remap_set(&x, &Any::from(y.clone()))?;
        assert!(same(&context.var_remap_get(&x)?.unwrap(), &y));
        let error = context.var_remap_set(&1i64, &Any::new()).unwrap_err();
        assert_eq!(
            error.message(),
            "Variable-remap key must be an object-backed value"
        );
        let new = context.mutate(&x)?;
        assert!(same(&new, &y));
        context.var_remap_set(&x, &Any::new())?;
        assert!(context.mutate_result(&x)?.is_unchanged());
        context.var_remap_set(&x, &Any::from(y.clone()))?;
        Ok(Any::from(Unchanged))
    };
    let root = Array::new(vec![Any::from(String::from("s")), Any::from(x.clone())]);
    let result = structural_mutate(root.clone(), bind).unwrap();
    let result: Array<Any> = result.try_into().unwrap();
    assert!(same(&result.get(1).unwrap(), &y));
    // The next run begins without it.
    let result = structural_map(root.clone(), increment, PRE).unwrap();
    assert!(same(&result, &root));
}

#[test]
fn remap_tables_get_set_and_clear() {
    let mut table = StructuralVarRemap::default();
    let x = var(1i64);
    let use_view = |view: &StructuralView| {
        table.set(view, &Any::from(5i64)).unwrap();
        assert_eq!(table.get(view).unwrap().unwrap().try_as::<i64>(), Some(5));
        table.clear();
        assert!(table.get(view).unwrap().is_none());
        WalkResult::Skip
    };
    structural_walk(&x, use_view, PRE).unwrap();
}

// ---------------------------------------------------------------- mutations

// spec: R37
#[test]
fn mutate_links_own_recursion() {
    let root = pair(1i64, pair(2i64, Array::new(vec![3i64])));
    let number = |value: i64, context: &mut MutateContext<'_, i64>| {
        *context.state_mut() += value;
        value + 1
    };
    let by_node = |node: &PairObj, context: &mut MutateContext<'_, i64>| -> Result<Pair> {
        // Only the second field is looked into.
        Ok(pair(node.a.clone(), context.mutate(&node.b)?))
    };
    let mut callbacks = MutateCallbacks::new(0, (number, by_node));
    let result = structural_mutate(root.clone(), &mut callbacks).unwrap();
    assert_eq!(
        text(result),
        "rust.test.mutate.Pair(a=1, b=rust.test.mutate.Pair(a=2, b=(4,)))"
    );
    assert_eq!(*callbacks.state(), 3);
    *callbacks.state_mut() = 4;
    assert_eq!(callbacks.into_state(), 4);
    let by_view = |view: &StructuralView, context: &mut MutateContext<'_>| match view.cast::<i64>()
    {
        Some(value) => Ok(Any::from(value * 2)),
        None => context.default_mutate(view),
    };
    let result = structural_mutate(root, by_view).unwrap();
    assert_eq!(
        text(result),
        "rust.test.mutate.Pair(a=2, b=rust.test.mutate.Pair(a=4, b=(6,)))"
    );
}

// spec: R37
#[test]
fn results_of_mutate_callbacks_are_final() {
    let replace = |_: String, _: &mut MutateContext<'_>| Array::new(vec![1i64]);
    let number = |value: i64, _: &mut MutateContext<'_>| value + 1;
    let root = pair(String::from("s"), 1i64);
    let result = structural_mutate(root, (replace, number)).unwrap();
    assert_eq!(text(result), "rust.test.mutate.Pair(a=(1,), b=2)");
}

// spec: R37
#[test]
fn modes_tell_what_is_unique() {
    let seen = RefCell::new(Vec::new());
    let run = |root: Any| {
        let list = |value: MutateValue<'_, List<Any>>, context: &mut MutateContext<'_>| {
            assert_eq!(value.inplace_mode(), context.inplace_mode());
            seen.borrow_mut().push(value.inplace_mode());
            context.default_maybe_inplace_mutate_result(value)
        };
        let number = |value: i64, _: &mut MutateContext<'_>| value + 1;
        text(structural_mutate(root, (list, number)).unwrap())
    };
    use InplaceMode::{Allow, Disallow};
    let inner: List<Any> = [Any::from(1i64)].into_iter().collect();
    let list = |inner| -> List<Any> { [Any::from(inner)].into_iter().collect() };
    assert_eq!(run(Any::from(list(inner.clone()))), "[[2]]");
    assert_eq!(seen.take(), [Allow, Disallow]);
    assert_eq!(text(inner.clone()), "[1]");
    assert_eq!(run(Any::from(list(inner))), "[[2]]");
    assert_eq!(seen.take(), [Allow, Allow]);
    let shared: List<Any> = [Any::from(1i64)].into_iter().collect();
    assert_eq!(run(Any::from(shared.clone())), "[2]");
    assert_eq!(seen.take(), [Disallow]);
    assert_eq!(text(shared), "[1]");
}

// spec: R37
#[test]
fn allow_never_overrides_sharing() {
    let shared: List<Any> = [Any::from(1i64)].into_iter().collect();
    let other = shared.clone();
    let text_link = |_: String, context: &mut MutateContext<'_>| {
        let kind = context.def_region_kind();
        context.maybe_inplace_mutate_with_mode(other.clone(), kind, InplaceMode::Allow)
    };
    let number = |value: i64, _: &mut MutateContext<'_>| value + 1;
    let result = structural_mutate(String::from("s"), (text_link, number)).unwrap();
    assert_eq!(text(result), "[2]");
    assert_eq!(text(shared), "[1]");
    // And what is unique is changed in place, unless that is not allowed.
    let addresses = RefCell::new(Vec::new());
    let make = |_: String, context: &mut MutateContext<'_>| -> Result<Any> {
        for mode in [InplaceMode::Allow, InplaceMode::Disallow] {
            let list: List<Any> = [Any::from(1i64)].into_iter().collect();
            let before = address(&list);
            let kind = context.def_region_kind();
            let after: List<Any> = context
                .maybe_inplace_mutate_with_mode(list, kind, mode)?
                .try_into()?;
            assert_eq!(text(after.clone()), "[2]");
            addresses.borrow_mut().push(before == address(&after));
        }
        Ok(Any::new())
    };
    structural_mutate(String::from("s"), (make, number)).unwrap();
    assert_eq!(addresses.take(), [true, false]);
}

// spec: R35
#[test]
fn mutate_contexts_open_regions() {
    let seen = RefCell::new(Vec::new());
    let note = |value: i64, context: &mut MutateContext<'_>| {
        seen.borrow_mut().push((value, context.def_region_kind()));
        Unchanged
    };
    let open = |node: &PairObj, context: &mut MutateContext<'_>| -> Result<Unchanged> {
        context.mutate_with(&node.a, DefRegionKind::Simple)?;
        context.with_def_region_kind(DefRegionKind::Pattern, |context| {
            context.mutate(&node.b)?;
            context.mutate_with_result(&node.b, DefRegionKind::None)
        })?;
        context.mutate(&node.a)?;
        Ok(Unchanged)
    };
    structural_mutate(pair(1i64, 2i64), (note, open)).unwrap();
    use DefRegionKind::{None, Pattern, Simple};
    assert_eq!(
        seen.take(),
        [(1, Simple), (2, Pattern), (2, Pattern), (1, None)]
    );
}

// spec: R35
#[test]
fn mutate_callbacks_take_policies() {
    let number = |value: i64, _: &mut MutateContext<'_, ()>| value + 1;
    let callbacks = MutateCallbacks::new((), number).with_policy(NotPairs);
    let root = Array::new(vec![Any::from(1i64), Any::from(pair(2i64, 3i64))]);
    let result = structural_mutate(root, callbacks).unwrap();
    assert_eq!(text(result), "(2, rust.test.mutate.Pair(a=2, b=3))");
}

#[derive(Default)]
struct Rewriter {
    pairs: usize,
}

#[dispatch(mutate)]
impl Rewriter {
    fn mutate_number(&mut self, value: i64) -> i64 {
        value + 1
    }
    fn mutate_pair(&mut self, node: &PairObj, mutator: &mut Mutator<'_>) -> Result<Pair> {
        self.pairs += 1;
        let b = mutator.mutate(self, &node.b)?;
        Ok(pair(b, node.a.clone()))
    }
    fn mutate_list(
        &mut self,
        value: MutateValue<'_, List<Any>>,
        mutator: &mut Mutator<'_>,
    ) -> Result<UnchangedOr<Any>> {
        mutator.default_maybe_inplace_mutate_result(self, value)
    }
    fn mutate_rest(&mut self, value: &StructuralView, mutator: &mut Mutator<'_>) -> Result<Any> {
        mutator.default_mutate(self, value)
    }
}

// spec: R37
#[test]
fn dispatch_mutate_owns_recursion() {
    let mut rewriter = Rewriter::default();
    let list: List<Any> = [Any::from(pair(1i64, 2i64))].into_iter().collect();
    let result = structural_mutate(Array::new(vec![list]), &mut rewriter).unwrap();
    assert_eq!(text(result), "([rust.test.mutate.Pair(a=3, b=1)],)");
    assert_eq!(rewriter.pairs, 1);
}

#[derive(Default)]
struct WithPolicy;

#[dispatch(mutate, policy = NotPairs)]
impl WithPolicy {
    fn mutate_number(&mut self, value: i64) -> i64 {
        value + 1
    }
    fn mutate_text(&mut self, value: String, mutator: &mut Mutator<'_>) -> Result<Any> {
        assert_eq!(mutator.def_region_kind(), DefRegionKind::None);
        // The default of the dispatch object is its policy.
        let kept = pair(1i64, value);
        assert!(mutator.default_mutate_result(self, &kept)?.is_unchanged());
        Ok(Any::new())
    }
}

// spec: R35
#[test]
fn dispatch_mutate_takes_a_policy() {
    let parts: Vec<Any> = vec![
        1i64.into(),
        pair(2i64, 3i64).into(),
        String::from("s").into(),
    ];
    let result = structural_mutate(Array::new(parts), &mut WithPolicy).unwrap();
    assert_eq!(text(result), "(2, rust.test.mutate.Pair(a=2, b=3), None)");
}

/// Implements the trait by hand, and counts defaults.
#[derive(Default)]
struct ByHand {
    defaults: usize,
}

impl MutateDispatch for ByHand {
    fn dispatch_mutate(
        &mut self,
        value: &StructuralView,
        _: &mut Mutator<'_>,
    ) -> Option<Result<Any>> {
        value.cast::<i64>().map(|number| Ok(Any::from(number + 1)))
    }
    fn on_default_mutate(&mut self, value: MutateValue<'_>, kind: DefRegionKind) -> Result<Any> {
        self.defaults += 1;
        tvm_ffi::extra::structural_mutate::mutate_by_policy(&(), self, value, kind)
    }
}

// spec: R37
#[test]
fn defaults_of_a_dispatch_share_the_memory_of_the_run() {
    let dag: Dag = DagObj::new(Object::new(), 1i64).into();
    let mut by_hand = ByHand::default();
    let result = structural_mutate(Array::new(vec![dag.clone(), dag]), &mut by_hand).unwrap();
    let result: Array<Dag> = result.try_into().unwrap();
    assert!(result.get(0).unwrap().same_as(&result.get(1).unwrap()));
    assert_eq!(result.get(0).unwrap().a.try_as::<i64>(), Some(2));
    assert_eq!(by_hand.defaults, 3);
}

/// A mutator that keeps its own table.
#[derive(Default)]
struct Own {
    table: StructuralVarRemap,
    inplace: usize,
}

impl StructuralMutator for Own {
    fn dispatch_mutate(&mut self, value: &StructuralView, kind: DefRegionKind) -> Result<Any> {
        match value.cast::<i64>() {
            Some(number) => Ok(Any::from(number + 1)),
            None => self.default_mutate(value, kind),
        }
    }
    fn dispatch_maybe_inplace_mutate(
        &mut self,
        value: InplaceValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        self.inplace += 1;
        let result = self.default_maybe_inplace_mutate_result(value, kind)?;
        Ok(result.into_option().unwrap_or_else(|| Unchanged.into()))
    }
    fn var_remap_get(&mut self, var: &StructuralView) -> Result<Option<Any>> {
        self.table.get(var)
    }
    fn var_remap_set(&mut self, var: &StructuralView, mapped: &Any) -> Result<()> {
        self.table.set(var, mapped)
    }
}

// spec: R37
#[test]
fn mutators_by_hand() {
    let dag: Dag = DagObj::new(Object::new(), 1i64).into();
    let root = Array::new(vec![dag.clone(), dag]);
    let mut own = Own::default();
    let result: Array<Dag> = structural_mutate(root, &mut own)
        .unwrap()
        .try_into()
        .unwrap();
    assert!(result.get(0).unwrap().same_as(&result.get(1).unwrap()));
    assert_eq!(result.get(0).unwrap().a.try_as::<i64>(), Some(2));
    assert_eq!(own.inplace, 1);
    let list: List<Any> = [Any::from(1i64)].into_iter().collect();
    let result = own.maybe_inplace_mutate(list, DefRegionKind::None).unwrap();
    assert_eq!(text(result), "[2]");
    assert_eq!(own.inplace, 2);
    let changed = own.mutate_result(&4i64, DefRegionKind::None).unwrap();
    assert_eq!(changed.into_option().unwrap().try_as::<i64>(), Some(5));
}

// ---------------------------------------------------------------- hooks

// spec: R36
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

// spec: R36
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

/// Map by the function of the runtime: integers are incremented.
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

// spec: R36
// spec: R37
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

// spec: R38
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
        .backtrace()
        .contains("[native structural mutate] field `b`"));
    assert!(error.backtrace().contains("object `rust.test.mutate.Pair`"));
    let context = VisitErrorContext::try_get_from_error(&error).unwrap();
    let nodes = context.reverse_visit_pattern.to_vec().unwrap();
    assert_eq!(nodes.len(), 3);
    assert!(nodes[0].same_as(&inner) && nodes[2].same_as(&root));
}

/// A type whose field accepts integers only.
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

// spec: R38
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

// spec: R38
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
    cycle.push(Any::from(cycle.clone()));
    let error = structural_map(cycle.clone(), increment, PRE).unwrap_err();
    assert_eq!(error.kind().as_str(), "ValueError");
    assert!(
        error.message().contains("nested too deeply"),
        "{}",
        error.message()
    );
    cycle.clear();
}
