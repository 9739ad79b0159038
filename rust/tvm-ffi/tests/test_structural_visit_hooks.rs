// SPDX-License-Identifier: Apache-2.0
//! Walks through types with hooks, and traversals that end with an error or a panic.
#![cfg_attr(not(feature = "compat"), allow(dead_code, unused_imports))]

mod common;
#[path = "common/visit.rs"]
mod visit;

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::testing_function;
use tvm_ffi::extra::structural_visit::VisitErrorContext;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    def_object_ref, rs_class, structural_visit, structural_walk, Any, AnyView, Array,
    DefRegionKind, Error, Function, List, Object, ObjectDef, ObjectRefCore, Result, String,
    StructuralView, TVMFFIAny, VisitContext, WalkOrder, WalkResult, VALUE_ERROR,
};
use visit::{fail_at, name_of, pair, var, walked, Binder, BinderObj, PairObj, Text};

/// A class whose hook visits only the field `shown`, in a definition region.
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

/// A class whose hook is a C function that visits the number 7.
#[rs_class("rust.test.visit.Native", s_eq_hash_kind = "TreeNode", reflection = native_methods)]
pub struct NativeObj {
    base: Object,
    hidden: i64,
}
def_object_ref!(pub Native, ObjectRef, NativeObj);

unsafe extern "C" fn visit_seven(visitor: *mut c_void, _value: TVMFFIAny) -> TVMFFIAny {
    type Visit = unsafe extern "C" fn(*mut c_void, TVMFFIAny) -> TVMFFIAny;
    // SAFETY: the visitor has the address of its function table at offset 24. The first function
    // of this table visits a value.
    unsafe {
        let table = *visitor.cast::<u8>().add(24).cast::<*const Visit>();
        (*table)(visitor, *AnyView::from(&7i64).as_raw_ffi_any())
    }
}

fn native_methods(def: &mut ObjectDef<NativeObj>) {
    def.type_attr("__s_visit__", visit_seven as *mut c_void);
}

// ---------------------------------------------------------------- hooks

// spec: RUST-R35, RUST-R36
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

// spec: RUST-R36
#[cfg(feature = "compat")]
#[test]
fn hooks_of_rust_are_called() {
    let root = hooked(pair(var(1), 2i64));
    assert_eq!(
        walked(&root, WalkOrder::PreOrder),
        "Hooked/0 Pair/2 Var/2 1/0 2/2"
    );
    let native: Native = NativeObj::new(Object::new(), 1).into();
    assert_eq!(walked(&native, WalkOrder::PreOrder), "Native/0 7/0");
    // The C++ traversal calls the same hooks.
    let seen = List::<String>::new();
    let list = seen.clone();
    let note = Function::from_packed_local(move |args| {
        list.push(String::from(name_of(&args[0])))?;
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

/// A class whose hook stores the visitor in `KEPT`.
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

/// A class whose hook uses the visitor on another thread.
#[rs_class("rust.test.visit.Threads", s_eq_hash_kind = "TreeNode", reflection = threads_methods)]
pub struct ThreadsObj {
    base: Object,
    hidden: i64,
}
def_object_ref!(pub Threads, ObjectRef, ThreadsObj);

fn visit_on_other_thread(visitor: &AnyView<'_>) -> Result<Any> {
    // SAFETY: the argument is a visitor object, so its value is the address of the object.
    let address = unsafe { visitor.as_raw_ffi_any().data_union.v_obj } as usize;
    let type_index = visitor.type_index();
    let visit = move || {
        let mut data = TVMFFIAny::new();
        data.type_index = type_index;
        data.data_union.v_obj = address as *mut _;
        // SAFETY: the hook joins this thread before it returns, so the visitor is alive.
        let visitor = unsafe { AnyView::from_raw_ffi_any(data) };
        let visit = Function::get_global("ffi.StructuralVisitorVisit")?;
        visit
            .call_packed(&[visitor, AnyView::from(&1i64)])
            .map(drop)
    };
    std::thread::spawn(visit).join().unwrap()?;
    Ok(Any::new())
}

fn threads_methods(def: &mut ObjectDef<ThreadsObj>) {
    let hook = Function::from_packed(|args| visit_on_other_thread(&args[0]));
    def.type_attr("__s_visit__", hook);
}

#[test]
fn a_visitor_is_refused_on_another_thread() {
    let root: Threads = ThreadsObj::new(Object::new(), 1).into();
    let mut calls = 0;
    let count = |_: i64| {
        calls += 1;
        WalkResult::Advance
    };
    let error = structural_walk(&root, count, WalkOrder::PreOrder).unwrap_err();
    assert_eq!(error.kind().as_str(), "RuntimeError");
    assert!(error.message().contains("on another thread"));
    assert_eq!(calls, 0);
}

// ---------------------------------------------------------------- errors and panics

// spec: RUST-R38
#[test]
fn errors_record_the_objects_and_fields() {
    let inner = pair(1i64, 2i64);
    let middle = hooked(Array::new(vec![inner.clone()]));
    let root = pair(0i64, middle.clone());
    let error = structural_walk(&root, fail_at(2), WalkOrder::PreOrder).unwrap_err();
    assert_eq!(error.message(), "found");
    let backtrace = error.backtrace_lossy();
    let lines: Vec<&str> = backtrace
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
    // A function of the runtime can read the context that Rust has created.
    let find = Function::get_global("ffi.VisitErrorContext.FindAccessPaths").unwrap();
    let paths: Array<ObjectRef> = find
        .call_tuple((ObjectRef::from(root), ObjectRef::from(context), true))
        .unwrap()
        .try_into()
        .unwrap();
    assert_eq!(paths.len(), 1);
}

// spec: RUST-R38
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

// spec: RUST-R38
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
    // After the panic, a new walk works as before.
    assert_eq!(
        walked(&root, WalkOrder::PreOrder),
        "Pair/0 Hooked/0 Hooked/2 Array/2 1/2 2/0"
    );
}

// spec: RUST-R38
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
    // Release the levels one by one: a recursive release of so many levels would exhaust the stack.
    while let Ok(array) = Array::<Any>::try_from(std::mem::take(&mut deep)) {
        deep = array.get(0).unwrap();
    }
    let cycle: List<Any> = List::new();
    cycle.push(Any::from(cycle.clone())).unwrap();
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
