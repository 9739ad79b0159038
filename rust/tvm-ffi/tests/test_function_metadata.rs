// SPDX-License-Identifier: Apache-2.0
//! Tests of the metadata of functions, which contains their type schemas.

mod common;

use tvm_ffi::function_internal::{metadata_of, type_schema_of, AsPackedCallable};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{Any, Bytes, Function, Result, String};

/// Return the metadata of a global function.
fn metadata(name: &str) -> std::string::String {
    let get = Function::get_global("ffi.GetGlobalFuncMetadata").unwrap();
    String::try_from(get.call_tuple((name,)).unwrap())
        .unwrap()
        .to_string()
}

fn same<F: AsPackedCallable<I, O>, I, O>(name: &str, closure: F) {
    let schema = type_schema_of(&closure);
    assert_eq!(
        metadata_of(&schema),
        metadata(&format!("testing.schema_{name}")),
        "{name}"
    );
}

// spec: RUST-R25
#[test]
fn schemas_are_those_of_cpp() {
    common::load_testing();
    same("id_float", |x: f64| Ok(x));
    same("id_bool", |x: bool| Ok(x));
    same("id_string", |x: String| Ok(x));
    same("id_bytes", |x: Bytes| Ok(x));
    same("id_func", |x: Function| Ok(x));
    same("id_object", |x: ObjectRef| Ok(x));
    same("id_opt_int", |x: Option<i64>| Ok(x));
    same("id_opt_str", |x: Option<String>| Ok(x));
    same("id_opt_obj", |x: Option<ObjectRef>| Ok(x));
    same("no_args", || Ok(1i64));
    same("no_return", |_: i64| Ok(()));
    same("no_args_no_return", || Ok(()));
}

// spec: RUST-R25
#[test]
fn registered_functions_have_metadata_and_documentation() {
    let name = "rust.test.metadata.typed";
    let closure = |_: i64, _: Option<String>| -> Result<Any> { Ok(Any::new()) };
    Function::register_global_typed(name, closure, "The \"doc\".").unwrap();
    let schema = r#"{"type":"ffi.Function","named_args":{"return":[{"type":"Any"}],"params":[{"type":"int"},{"type":"Optional","args":[{"type":"ffi.String"}]}]}}"#;
    assert_eq!(metadata(name), metadata_of(schema));
    let plain = "rust.test.metadata.plain";
    Function::register_global(plain, Function::from_typed(|| Ok(1))).unwrap();
    assert_eq!(
        metadata(plain),
        r#"{"type_schema":"{\"type\":\"ffi.Function\"}"}"#
    );
}

#[test]
fn json_strings_are_escaped_as_the_runtime_does() {
    let escaped = tvm_ffi::type_traits::json_string("a\"b\\c/d\n\t\u{1}\u{7f}\u{e9}");
    assert_eq!(escaped, "\"a\\\"b\\\\c\\/d\\n\\t\\u0001\\u007f\u{e9}\"");
}
