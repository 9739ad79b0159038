// SPDX-License-Identifier: Apache-2.0
//! Tests of functions: closures, calls, the registry, and panics.

mod common;

use std::cell::RefCell;
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use common::{alive, Counted, Counter};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    cached_global_func, into_typed_fn, Any, AnyView, Bytes, Error, Function, GlobalDef, RValueRef,
    Result, String, TVMFFIAny, TypedFunction, INTERNAL_ERROR, RUNTIME_ERROR, TYPE_ERROR,
    VALUE_ERROR,
};

fn int(result: Result<Any>) -> i64 {
    i64::try_from(result.unwrap()).unwrap()
}

// spec: RUST-R22
#[test]
fn closures_take_zero_to_eight_arguments() {
    assert_eq!(int(Function::from_typed(|| Ok(7)).call_tuple(())), 7);
    assert_eq!(
        int(Function::from_typed(|a: i64| Ok(a)).call_tuple((1,))),
        1
    );
    let f = Function::from_typed(|a: i64, b: i64| Ok(a + b));
    assert_eq!(int(f.call_tuple((1, 2))), 3);
    let f = Function::from_typed(|a: i64, b: i64, c: i64| Ok(a + b + c));
    assert_eq!(int(f.call_tuple((1, 2, 3))), 6);
    let f = Function::from_typed(|a: i64, b: i64, c: i64, d: i64| Ok(a + b + c + d));
    assert_eq!(int(f.call_tuple((1, 2, 3, 4))), 10);
    let f = Function::from_typed(|a: i64, b: i64, c: i64, d: i64, e: i64| Ok(a + b + c + d + e));
    assert_eq!(int(f.call_tuple((1, 2, 3, 4, 5))), 15);
    let f = Function::from_typed(|a: i64, b: i64, c: i64, d: i64, e: i64, f: i64| {
        Ok(a + b + c + d + e + f)
    });
    assert_eq!(int(f.call_tuple((1, 2, 3, 4, 5, 6))), 21);
    let f = Function::from_typed(|a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64| {
        Ok(a + b + c + d + e + f + g)
    });
    assert_eq!(int(f.call_tuple((1, 2, 3, 4, 5, 6, 7))), 28);
    let f = Function::from_typed(
        |a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64| {
            Ok(a + b + c + d + e + f + g + h)
        },
    );
    assert_eq!(int(f.call_tuple((1, 2, 3, 4, 5, 6, 7, 8))), 36);
    let typed = into_typed_fn!(f, Fn(i64, &i64, i64, &i64, i64, i64, i64, i32) -> Result<i64>);
    assert_eq!(typed(1, &2, 3, &4, 5, 6, 7, 8).unwrap(), 36);
}

// spec: RUST-R22
#[test]
fn arguments_go_by_value_by_reference_and_by_move() {
    let counter = Counter::default();
    let count = Function::from_packed(|args: &[AnyView]| {
        Ok(Any::from(args[0].debug_strong_count().unwrap_or(0)))
    });
    let object = Counted::new(1, &counter);
    assert_eq!(int(count.call_tuple((&object,))), 1);
    assert_eq!(int(count.call_tuple((object.clone(),))), 2);
    let taken =
        Function::from_typed(|object: RValueRef<Counted>| Ok(object.into_inner().strong_count()));
    assert_eq!(int(taken.call_tuple((RValueRef::new(object),))), 1);
    assert_eq!(alive(&counter), 0);
    // A reference that is not moved is accepted too. In this case, the caller also has a reference,
    // so the callee counts two.
    let object = Counted::new(1, &counter);
    assert_eq!(int(taken.call_tuple((&object,))), 2);
}

// spec: RUST-R22
#[test]
fn a_moved_argument_that_is_not_taken_is_dropped() {
    let counter = Counter::default();
    let ignore = Function::from_packed(|_| Ok(Any::new()));
    ignore
        .call_tuple((RValueRef::new(Counted::new(1, &counter)),))
        .unwrap();
    assert_eq!(alive(&counter), 0);
    let wrong = Function::from_typed(|_: RValueRef<Function>| Ok(()));
    let error = wrong
        .call_tuple((RValueRef::new(Counted::new(1, &counter)),))
        .unwrap_err();
    let message = "Argument #0: Cannot convert from type `rust.test.Counted` to `ffi.Function`";
    assert!(error.message().starts_with(message), "{error}");
    assert_eq!(alive(&counter), 0);
}

// spec: RUST-R23
#[test]
fn arguments_may_be_texts_slices_options_and_any() {
    let index = Function::from_packed(|args: &[AnyView]| Ok(Any::from(args[0].type_index())));
    assert_eq!(int(index.call_tuple(("short",))), 11);
    assert_eq!(int(index.call_tuple(("a longer text",))), 65);
    assert_eq!(int(index.call_tuple(("text".to_string(),))), 11);
    assert_eq!(int(index.call_tuple((&b"ab"[..],))), 12);
    assert_eq!(int(index.call_tuple((b"ab",))), 12);
    assert_eq!(int(index.call_tuple((None::<i64>,))), 0);
    assert_eq!(int(index.call_tuple((&Some(1.5),))), 3);
    assert_eq!(int(index.call_tuple((Any::from(true),))), 2);
    assert_eq!(int(index.call_tuple((&Any::from(true),))), 2);
    assert_eq!(int(index.call_tuple((AnyView::from(&1),))), 1);
    assert_eq!(int(index.call_tuple(((),))), 0);
    let text = Function::from_typed(|text: String, bytes: Bytes, number: Option<f64>| {
        Ok(String::from(format!("{text} {} {number:?}", bytes.len())))
    });
    let typed = into_typed_fn!(text.clone(), Fn(&str, &[u8], Option<f64>) -> Result<String>);
    assert_eq!(typed("a", b"bcd", None).unwrap(), "a 3 None");
    let any = into_typed_fn!(text, Fn(&str, &[u8], &Any) -> Result<Any>);
    let result = any("a", b"", &Any::from(2)).unwrap();
    assert_eq!(String::try_from(result).unwrap(), "a 0 Some(2.0)");
}

#[test]
fn the_number_of_arguments_is_checked() {
    let f = Function::from_typed(|a: i64, b: i64| Ok(a + b));
    let error = f.call_tuple((1,)).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            VALUE_ERROR,
            "Expected 2 arguments, got 1 when calling: \
             `test_function::the_number_of_arguments_is_checked::{{closure}}(0: int, 1: int) -> int`"
        )
    );
    assert_eq!(int(f.call_tuple_with_len::<2, _>((1, 2))), 3);
    let error = f.call_tuple_with_len::<3, _>((1, 2)).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            VALUE_ERROR,
            "Expected 3 arguments, got 2 in the tuple of `call_tuple_with_len::<3, _>`"
        )
    );
}

fn scaled(text: String, factor: Option<f64>) -> Result<Any> {
    Ok(Any::from((text, factor)))
}

/// Check the errors of a function that is called without arguments, and with wrong arguments.
/// `signature` is the signature of the function in these errors.
fn assert_signature(f: &Function, signature: &str) {
    let error = f.call_tuple(()).unwrap_err();
    let message = format!("Expected 2 arguments, got 0 when calling: `{signature}`");
    assert_eq!((error.kind(), error.message()), (VALUE_ERROR, &*message));
    let error = f.call_tuple(("a", "b")).unwrap_err();
    let reason = "Cannot convert from type `ffi.SmallStr` to `Optional<float>`";
    let message = format!("Argument #1: {reason} when calling: `{signature}`");
    assert_eq!((error.kind(), error.message()), (TYPE_ERROR, &*message));
}

#[test]
fn errors_about_arguments_have_the_signature_of_the_function() {
    let types = "(0: ffi.String, 1: Optional<float>) -> Any";
    let path = format!("test_function::scaled{types}");
    assert_signature(&Function::from_typed(scaled), &path);
    assert_signature(&Function::from_typed_local(scaled), &path);
    let pointer: fn(String, Option<f64>) -> Result<Any> = scaled;
    assert_signature(&Function::from_typed(pointer), types);

    let name = "rust.test.function.scaled";
    Function::register_global_typed(name, scaled, "").unwrap();
    let found = Function::get_global(name).unwrap();
    assert_signature(&found, &format!("{name}{types}"));
    let name = "rust.test.function.scaled_too";
    let definition = GlobalDef::new().def(name, scaled, "");
    definition.arg_names("text, factor").register().unwrap();
    let found = Function::get_global(name).unwrap();
    assert_signature(&found, &format!("{name}{types}"));
}

#[test]
fn a_result_of_another_type_is_an_error_about_the_result() {
    let f = Function::from_typed(|| Ok(1));
    let message = "Cannot convert from type `int` to `ffi.String` in the result of the call";
    let typed = into_typed_fn!(f.clone(), Fn() -> Result<String>);
    assert_eq!(typed().unwrap_err().message(), message);
    let typed = TypedFunction::<fn() -> String>::from(f);
    assert_eq!(typed.call(()).unwrap_err().message(), message);
}

// spec: RUST-R11
#[test]
fn mismatches_name_the_argument() {
    let f = Function::from_typed(|_: i64, b: i64| Ok(b));
    let error = f.call_tuple((1, "text longer than seven")).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    let message = "Argument #1: Cannot convert from type `ffi.String` to `int`";
    assert!(error.message().starts_with(message), "{error}");
    let f = Function::from_typed(|_: u8| Ok(()));
    let error = f.call_tuple((256,)).unwrap_err();
    let message = "Argument #0: Cannot convert to `int`: integer 256 out of uint8 range [0, 255]";
    assert!(error.message().starts_with(message), "{error}");
}

#[test]
fn errors_pass_with_their_identity() {
    let error = Error::new(VALUE_ERROR, "bad", "line\n");
    let copy = error.clone();
    let f = Function::from_packed(move |_| Err(copy.clone()));
    let passed = Function::from_packed(move |args| f.call_packed(args));
    let raised = passed.call_packed(&[]).unwrap_err();
    assert!(tvm_ffi::ObjectRefCore::same_as(&raised, &error));
    assert_eq!(raised.backtrace_lossy(), "line\n");
}

// spec: RUST-R24
#[test]
fn a_panic_is_an_internal_error_with_its_place() {
    for (payload, text) in [(0, "panicked: text"), (1, "panicked: text 1")] {
        let f = Function::from_packed(move |_| match payload {
            0 => panic!("text"),
            _ => panic!("text {payload}"),
        });
        let error = f.call_packed(&[]).unwrap_err();
        assert_eq!((error.kind(), error.message()), (INTERNAL_ERROR, text));
        assert!(
            error
                .backtrace_lossy()
                .contains("test_function.rs\", line "),
            "{}",
            error.backtrace_lossy()
        );
    }
    let f = Function::from_packed(|_| std::panic::panic_any(5));
    assert_eq!(
        f.call_packed(&[]).unwrap_err().message(),
        "panicked: the payload is not a text"
    );
}

// spec: RUST-R24
#[test]
fn a_panic_goes_through_the_runtime_as_an_error() {
    common::load_testing();
    let apply = Function::get_global("testing.apply").unwrap();
    let f = Function::from_typed(|n: i64| {
        assert!(n > 0, "n is {n}");
        Ok(n)
    });
    assert_eq!(int(apply.call_tuple((&f, 3))), 3);
    assert_eq!(
        apply.call_tuple((&f, -3)).unwrap_err().message(),
        "panicked: n is -3"
    );
}

#[test]
fn closures_live_as_long_as_the_function() {
    let counter = Counter::default();
    let object = Arc::new(AtomicUsize::new(0));
    let inner = object.clone();
    let f = Function::from_typed(move || Ok(inner.fetch_add(1, Ordering::SeqCst)));
    let copy = f.clone();
    drop(f);
    assert_eq!((int(copy.call_tuple(())), int(copy.call_tuple(()))), (0, 1));
    assert_eq!(Arc::strong_count(&object), 2);
    drop(copy);
    assert_eq!((Arc::strong_count(&object), alive(&counter)), (1, 0));
}

#[test]
fn global_functions_are_found_by_name() {
    let name = "rust.test.function.add";
    Function::register_global(name, Function::from_typed(|a: i64, b: i64| Ok(a + b))).unwrap();
    assert_eq!(
        int(Function::get_global(name).unwrap().call_tuple((1, 2))),
        3
    );
    let again = Function::register_global(name, Function::from_typed(|| Ok(()))).unwrap_err();
    assert_eq!(again.kind(), RUNTIME_ERROR);
    assert_eq!(
        int(Function::get_global(name).unwrap().call_tuple((1, 2))),
        3
    );
    let error = Function::get_global("rust.test.none").unwrap_err();
    let message = "Function rust.test.none not found; load the library that registers it first";
    assert_eq!((error.kind(), error.message()), (RUNTIME_ERROR, message));
    let error = Function::get_global("rust.test.function.ad").unwrap_err();
    let message =
        "Function rust.test.function.ad not found; did you mean `rust.test.function.add`?";
    assert_eq!(error.message(), message);
}

#[test]
fn cached_functions_are_looked_up_once() {
    let name = "rust.test.function.cached";
    let find = || cached_global_func!("rust.test.function.cached");
    assert!(std::panic::catch_unwind(find).is_err());
    Function::register_global(name, Function::from_typed(|| Ok(4))).unwrap();
    assert_eq!(int(find().call_tuple(())), 4);
    assert!(std::ptr::eq(find(), find()));
}

#[test]
fn a_closure_that_is_bound_to_a_thread_runs_there_only() {
    let log = Rc::new(RefCell::new(Vec::new()));
    let inner = log.clone();
    let f = Function::from_typed_local(move |n: i64| {
        inner.borrow_mut().push(n);
        Ok(n)
    });
    assert_eq!(int(f.call_tuple((1,))), 1);
    let shared = f.clone();
    let error = std::thread::spawn(move || shared.call_tuple((2,)).unwrap_err())
        .join()
        .unwrap();
    assert_eq!(error.kind(), RUNTIME_ERROR);
    assert!(error.message().contains("bound to the thread"), "{error}");
    assert_eq!(
        (log.borrow().as_slice(), Rc::strong_count(&log)),
        (&[1][..], 2)
    );
    drop(f);
    assert_eq!(Rc::strong_count(&log), 1);
}

#[test]
fn a_bound_closure_that_another_thread_drops_is_leaked() {
    let log = Rc::new(());
    let inner = log.clone();
    let f = Function::from_packed_local(move |_| {
        let _ = &inner;
        Ok(Any::new())
    });
    std::thread::spawn(move || drop(f)).join().unwrap();
    assert_eq!(Rc::strong_count(&log), 2);
}

unsafe extern "C" fn twice(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    _num_args: i32,
    result: *mut TVMFFIAny,
) -> i32 {
    // SAFETY: the test passes one integer; the handle is the address of a counter.
    unsafe {
        (*handle.cast::<AtomicUsize>()).fetch_add(1, Ordering::SeqCst);
        let mut value = *args;
        value.data_union.v_int64 *= 2;
        result.write(value);
    }
    0
}

unsafe extern "C" fn release(handle: *mut c_void) {
    // SAFETY: the handle is the address of a counter.
    unsafe { (*handle.cast::<AtomicUsize>()).fetch_add(100, Ordering::SeqCst) };
}

#[test]
fn c_code_becomes_a_function() {
    let calls = AtomicUsize::new(0);
    let handle = std::ptr::from_ref(&calls).cast_mut().cast();
    // SAFETY: the counter outlives the function.
    let f = unsafe { Function::from_extern_c(handle, twice, Some(release)) };
    assert_eq!(
        (int(f.call_tuple((21,))), calls.load(Ordering::SeqCst)),
        (42, 1)
    );
    drop(f);
    assert_eq!(calls.load(Ordering::SeqCst), 101);
}

#[test]
fn methods_and_attributes_of_types_are_found() {
    common::load_testing();
    let add = Function::from_type_key_method("testing.TestObjectBase", "add_i64").unwrap();
    assert!(format!("{add:?}").contains("Function"), "{add:?}");
    let inherited = Function::from_type_key_method("testing.TestObjectDerived", "add_i64").unwrap();
    assert!(tvm_ffi::ObjectRefCore::same_as(&add, &inherited));
    let error = Function::from_type_key_method("testing.TestObjectBase", "none").unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    let message = "Cannot find method `none` of type `testing.TestObjectBase`";
    assert!(error.message().starts_with(message), "{error}");
    let error = Function::from_type_key_method("testing.TestObjectDerived", "add_i46").unwrap_err();
    assert!(
        error.message().ends_with("; did you mean `add_i64`?"),
        "{error}"
    );
    let error = Function::from_type_attr(64, "rust.test.none").unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot find attribute `rust.test.none` of type `ffi.Object`"
    );
    assert!(Function::from_type_key_method("rust.test.none", "x").is_err());
    assert!(Function::from_type_method(1_000_000, "x").is_err());
}

#[test]
fn functions_are_values() {
    let f = Function::from_typed(|n: i64| Ok(n + 1));
    let apply = Function::from_typed(|f: Function, n: i64| f.call_tuple((n,)));
    assert_eq!(int(apply.call_tuple((&f, 1))), 2);
    let object = ObjectRef::try_from(Any::from(f)).unwrap();
    assert_eq!(Any::from(object).type_index(), 68);
}

#[test]
fn closures_take_and_return_strings_of_std_and_any() {
    let f = Function::from_typed(|text: std::string::String, any: Any| {
        Ok(format!("{text} {}", any.type_index()))
    });
    let typed = into_typed_fn!(f.clone(), Fn(&str, f64) -> Result<std::string::String>);
    assert_eq!(typed("a", 0.5).unwrap(), "a 3");
    let error = f.call_tuple((1, 1)).unwrap_err();
    let message = "Argument #0: Cannot convert from type `int` to `ffi.String` when calling: ";
    assert!(error.message().starts_with(message), "{error}");
    assert!(
        error
            .message()
            .ends_with("(0: ffi.String, 1: Any) -> ffi.String`"),
        "{error}"
    );
    let bytes: Vec<u8> = Bytes::from([1, 2]).into();
    assert_eq!(bytes, [1, 2]);
}
