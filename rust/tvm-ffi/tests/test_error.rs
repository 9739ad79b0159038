// SPDX-License-Identifier: Apache-2.0
//! Tests of errors (parts, texts and causes) and of the macros that create errors.

mod common;

use std::error::Error as _;
use std::os::raw::c_void;
use std::sync::atomic::AtomicU64;

use tvm_ffi::error::WithKind;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::tvm_ffi_sys::{
    TVMFFIByteArray, TVMFFIErrorCell, TVMFFIErrorSetRaised, TVMFFIErrorSetRaisedFromCStr,
    TVMFFIObject, TVMFFIObjectDecRef, TVMFFITypeIndex, TVMFFITypeKeyToIndex,
};
use tvm_ffi::{
    attach_context, bail, check_safe_call, ensure, function_name, Any, Error, ErrorKind, Function,
    ObjectArc, ObjectRefCore, Result, ATTRIBUTE_ERROR, INDEX_ERROR, INTERNAL_ERROR, KEY_ERROR,
    OVERFLOW_ERROR, RUNTIME_ERROR, TYPE_ERROR, VALUE_ERROR, ZERO_DIVISION_ERROR,
};

fn count(error: &Error) -> usize {
    ObjectArc::strong_count(Error::data(error))
}

// spec: RUST-R27
#[test]
fn an_error_has_its_parts() {
    let error = Error::new(VALUE_ERROR, "bad", "  File \"a\", line 1, in f\n");
    assert_eq!((error.kind(), error.message()), (VALUE_ERROR, "bad"));
    assert_eq!(error.backtrace_lossy(), "  File \"a\", line 1, in f\n");
    assert!(error.cause_chain().is_none() && error.extra_context().is_none());
    assert_eq!(count(&error), 1);
}

// spec: RUST-R27
#[test]
fn kinds_have_the_names_of_python() {
    let kinds = [
        (ATTRIBUTE_ERROR, "AttributeError"),
        (INDEX_ERROR, "IndexError"),
        (INTERNAL_ERROR, "InternalError"),
        (KEY_ERROR, "KeyError"),
        (OVERFLOW_ERROR, "OverflowError"),
        (RUNTIME_ERROR, "RuntimeError"),
        (TYPE_ERROR, "TypeError"),
        (VALUE_ERROR, "ValueError"),
        (ZERO_DIVISION_ERROR, "ZeroDivisionError"),
        (ErrorKind::new("MyError"), "MyError"),
    ];
    for (kind, name) in kinds {
        assert_eq!((kind.as_str(), kind.to_string().as_str()), (name, name));
        assert_eq!(Error::new(kind, "", "").kind(), kind);
    }
}

#[test]
fn the_text_has_the_order_of_python() {
    let error = Error::new(VALUE_ERROR, "bad", "  inner\n  outer\n");
    assert_eq!(
        error.traceback_most_recent_call_last(),
        "  outer\n  inner\n"
    );
    let text = "Traceback (most recent call last):\n  outer\n  inner\nValueError: bad";
    assert_eq!(
        (error.to_string(), format!("{error:?}")),
        (text.to_string(), text.to_string())
    );
}

#[test]
fn the_text_has_the_causes() {
    let error = |message, cause| {
        Error::new_with_cause_and_extra_context(VALUE_ERROR, message, "", cause, None)
    };
    let first = error("first", None);
    let second = error("second", Some(&first));
    let head = "Traceback (most recent call last):\nValueError: ";
    let link = "The above exception was the direct cause of the following exception:";
    assert_eq!(
        error("third", Some(&second)).to_string(),
        format!("{head}first\n\n{link}\n\n{head}second\n\n{link}\n\n{head}third")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_backtrace_of_cpp_has_only_frames_of_the_program() {
    #[inline(never)]
    fn frame_of_the_program() -> Result<Any> {
        Function::get_global("ffi.FromJSONGraphString")?.call_tuple(("{",))
    }
    let error = frame_of_the_program().unwrap_err();
    let backtrace = error.backtrace_lossy();
    assert!(backtrace.contains("frame_of_the_program\n"), "{backtrace}");
    for hidden in [" tvm_ffi::", " core::", " std::", "3std", "library/std"] {
        assert!(!backtrace.contains(hidden), "{backtrace}");
    }
}

// spec: RUST-R27
#[test]
fn causes_are_the_source_and_context_is_any_object() {
    let cause = Error::new(KEY_ERROR, "first", "");
    let context = Function::from_typed(|| Ok(1));
    let context = ObjectRef::try_from(Any::from(context)).unwrap();
    let error = Error::new_with_cause_and_extra_context(
        VALUE_ERROR,
        "second",
        "",
        Some(&cause),
        Some(&context),
    );
    assert!(error.cause_chain().unwrap().same_as(&cause));
    assert!(error.extra_context().unwrap().same_as(&context));
    let source = error.source().unwrap().downcast_ref::<Error>().unwrap();
    assert_eq!(
        (source.message(), source.source().is_none()),
        ("first", true)
    );
    assert_eq!(count(&cause), 2);
    drop(error);
    assert_eq!(
        (
            count(&cause),
            ObjectArc::strong_count(ObjectRef::data(&context))
        ),
        (1, 1)
    );
}

/// An error with the layout of the C++ headers up to release 0.1.7. Instead of the members for
/// cause and context, its cell has a `std::string` with the kind.
#[repr(C)]
struct OldError {
    header: TVMFFIObject,
    kind: TVMFFIByteArray,
    message: TVMFFIByteArray,
    backtrace: TVMFFIByteArray,
    update_backtrace: usize,
    kind_text: [usize; 4],
}

unsafe extern "C" fn free_old_error(this: *mut c_void, flags: i32) {
    // This flag says that the memory can be freed.
    if flags & 2 != 0 {
        // SAFETY: `old_error` has created the object.
        drop(unsafe { Box::from_raw(this.cast::<OldError>()) });
    }
}

fn old_error() -> Error {
    const KIND: &str = "ValueError";
    let header = TVMFFIObject {
        combined_ref_count: AtomicU64::new((1 << 32) | 1),
        type_index: TVMFFITypeIndex::kTVMFFIError as i32,
        __padding: 0,
        deleter: Some(free_old_error),
        #[cfg(target_pointer_width = "32")]
        __ensure_align: 0,
    };
    // SAFETY: the texts live as long as the program.
    let [kind, message, backtrace] =
        [KIND, "the text", ""].map(|text| unsafe { TVMFFIByteArray::from_str(text) });
    let old = Box::new(OldError {
        header,
        kind,
        message,
        backtrace,
        update_backtrace: 0,
        kind_text: [KIND.as_ptr() as usize, KIND.len(), 0, 0],
    });
    let handle = Box::into_raw(old).cast::<c_void>();
    // SAFETY: the object begins with the header of an error, and has one reference.
    unsafe {
        TVMFFIErrorSetRaised(handle);
        TVMFFIObjectDecRef(handle);
    }
    Error::from_raised()
}

// spec: GEN-G12
#[test]
fn an_error_of_an_old_release_has_no_cause_and_no_context() {
    let error = old_error();
    assert_eq!((error.kind(), error.message()), (VALUE_ERROR, "the text"));
    assert!(error.cause_chain().is_none() && error.extra_context().is_none());
    assert!(error.source().is_none());
    let error = Error::with_appended_backtrace(error, "a\n");
    assert_eq!(
        (error.kind(), error.backtrace_lossy().as_str()),
        (VALUE_ERROR, "a\n")
    );
    let outer =
        Error::new_with_cause_and_extra_context(KEY_ERROR, "outer", "", Some(&old_error()), None);
    assert!(outer.cause_chain().unwrap().cause_chain().is_none());
}

// spec: RUST-R27
#[test]
fn backtraces_grow_in_place_only_for_the_only_reference() {
    let error = Error::new(VALUE_ERROR, "bad", "a\n");
    let address = ObjectArc::as_header(Error::data(&error));
    let error = Error::with_appended_backtrace(error, "b\n");
    assert_eq!(ObjectArc::as_header(Error::data(&error)), address);
    assert_eq!(error.backtrace_lossy(), "a\nb\n");
    let shared = error.clone();
    let copy = Error::with_appended_backtrace(error, "c\n");
    assert_eq!(shared.backtrace_lossy(), "a\nb\n");
    assert_eq!(copy.backtrace_lossy(), "a\nb\nc\n");
    assert_eq!((copy.kind(), copy.message()), (VALUE_ERROR, "bad"));
}

// spec: RUST-R40
#[test]
fn a_backtrace_survives_its_replacement_by_other_code() {
    let error = Error::new(VALUE_ERROR, "bad", &"a line\n".repeat(100));
    let before = error.backtrace_lossy();
    // C++ code with another reference does the same in `Error::UpdateBacktrace`.
    let handle = ObjectArc::as_header(Error::data(&error));
    // SAFETY: the object is an error, whose cell follows the header; the text is copied.
    unsafe {
        let update = (*handle.add(1).cast::<TVMFFIErrorCell>()).update_backtrace;
        let text = TVMFFIByteArray::from_str("another line\n");
        update.unwrap()(handle.cast(), &text, 0);
    }
    assert_eq!(before, "a line\n".repeat(100));
    assert_eq!(error.backtrace_lossy(), "another line\n");
}

/// Programs for the first published crates borrow the text.
#[cfg(feature = "compat")]
#[test]
fn a_program_borrows_the_backtrace() {
    let error = Error::new(VALUE_ERROR, "bad", "a\n");
    let backtrace: &str = error.backtrace();
    assert_eq!(backtrace, "a\n");
}

#[test]
fn a_raised_error_is_taken_once() {
    let error = Error::new(VALUE_ERROR, "bad", "");
    Error::set_raised(&error);
    assert_eq!(count(&error), 2);
    assert!(Error::from_raised().same_as(&error));
    assert_eq!(Error::from_raised().kind(), INTERNAL_ERROR);
    assert_eq!(count(&error), 1);
}

#[test]
fn errors_of_the_runtime_have_kind_message_and_backtrace() {
    // SAFETY: the texts end with zero bytes.
    unsafe { TVMFFIErrorSetRaisedFromCStr(c"MyError".as_ptr(), c"text".as_ptr()) };
    let error = Error::from_raised();
    assert_eq!(
        (error.kind().as_str(), error.message()),
        ("MyError", "text")
    );
    assert!(!error.backtrace_lossy().is_empty());
}

// spec: RUST-R40
#[test]
fn messages_that_are_not_utf8_are_no_panic() {
    // SAFETY: the texts end with zero bytes.
    unsafe { TVMFFIErrorSetRaisedFromCStr(c"MyError".as_ptr(), c"good \xff rest".as_ptr()) };
    let error = Error::from_raised();
    assert_eq!(
        (error.message(), &*error.message_lossy()),
        ("good ", "good \u{fffd} rest")
    );
    assert!(error.to_string().ends_with("MyError: good \u{fffd} rest"));
}

fn checked(n: i64) -> Result<i64> {
    ensure!(n > 0, VALUE_ERROR, "n is {n}");
    if n > 10 {
        bail!(OVERFLOW_ERROR, "{} is more than {}", n, 10);
    }
    Ok(n)
}

fn attached(n: i64) -> Result<i64> {
    let value = attach_context!(checked(n))?;
    Ok(value)
}

// spec: RUST-R27
#[test]
fn macros_add_a_line_for_their_place() {
    assert_eq!(attached(3).unwrap(), 3);
    let error = attached(-1).unwrap_err();
    assert_eq!((error.kind(), error.message()), (VALUE_ERROR, "n is -1"));
    let backtrace = error.backtrace_lossy();
    let lines: Vec<_> = backtrace.lines().collect();
    assert_eq!(lines.len(), 2);
    for (line, function) in lines
        .iter()
        .zip(["test_error::checked", "test_error::attached"])
    {
        assert!(
            line.starts_with("  File \"") && line.contains("test_error.rs\", line "),
            "{line}"
        );
        assert!(line.ends_with(&format!(", in {function}")), "{line}");
    }
    assert_eq!(checked(11).unwrap_err().message(), "11 is more than 10");
}

#[test]
fn the_function_name_is_that_of_the_function_around_closures() {
    let inner = || [0].map(|_| function_name!())[0];
    let name = inner();
    assert_eq!(
        name,
        "test_error::the_function_name_is_that_of_the_function_around_closures"
    );
}

#[test]
fn a_status_becomes_a_result() {
    let mut index = 0;
    // SAFETY: the keys are read only during the calls.
    let call = |key: &str, index: &mut i32| unsafe {
        check_safe_call!(TVMFFITypeKeyToIndex(&TVMFFIByteArray::from_str(key), index))
    };
    assert!(call("ffi.String", &mut index).is_ok());
    assert_eq!(index, 65);
    let error = call("no.such.type", &mut index).unwrap_err();
    assert!(error.message().contains("no.such.type"), "{error}");
}

#[test]
fn errors_are_values() {
    let error = Error::new(VALUE_ERROR, "bad", "");
    let any = Any::from(error.clone());
    assert_eq!(any.type_index(), 67);
    assert!(Error::try_from(any).unwrap().same_as(&error));
}

#[test]
fn errors_are_those_of_the_standard_library() {
    fn boxed() -> std::result::Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Err(Error::new(VALUE_ERROR, "bad", ""))?
    }
    let error = boxed().unwrap_err();
    assert_eq!(error.downcast_ref::<Error>().unwrap().message(), "bad");
}

#[derive(Debug)]
struct Outer(std::num::ParseIntError);

impl std::fmt::Display for Outer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cannot read the size")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[test]
fn foreign_errors_become_errors_of_a_kind() {
    let parse = |text: &str| -> Result<i64> { text.parse().map_err(Outer).with_kind(VALUE_ERROR) };
    assert_eq!(parse("3").unwrap(), 3);
    let error = parse("x").unwrap_err();
    let message = "cannot read the size: invalid digit found in string";
    assert_eq!((error.kind(), error.message()), (VALUE_ERROR, message));
}

#[test]
fn a_name_that_is_taken_does_not_propose_a_call_of_cpp() {
    let function = Function::from_typed(|| Ok(1));
    let error = Function::register_global("ffi.Map", function).unwrap_err();
    assert!(error
        .message()
        .starts_with("Global Function `ffi.Map` is already registered"));
    assert!(!error.message().contains("::"), "{error}");
}
