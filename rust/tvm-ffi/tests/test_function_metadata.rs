// SPDX-License-Identifier: Apache-2.0
//! Tests of the metadata of functions, which contains their type schemas.

mod common;

use tvm_ffi::function_internal::{metadata_of, type_schema_of, AsPackedCallable};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{Any, Bytes, Function, GlobalDef, Result, String, VALUE_ERROR};

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

#[test]
fn registered_functions_have_names_and_defaults() {
    let scale = |x: f64, factor: f64| Ok(x * factor);
    let schema = type_schema_of(&scale);
    GlobalDef::new()
        .def("rust.test.metadata.scale", scale, "Scale.")
        .arg_names("x, factor")
        .arg_defaults("[2.0]")
        .def("rust.test.metadata.none", || Ok(1), "")
        .arg_names("")
        .def("rust.test.metadata.unnamed", scale, "")
        .register()
        .unwrap();
    let more = r#","arg_names":"x, factor","arg_defaults":"[2.0]"}"#;
    assert_eq!(
        metadata("rust.test.metadata.scale"),
        format!("{}{more}", metadata_of(&schema).strip_suffix('}').unwrap())
    );
    assert!(metadata("rust.test.metadata.none").ends_with(r#","arg_names":""}"#));
    assert_eq!(metadata("rust.test.metadata.unnamed"), metadata_of(&schema));
}

#[test]
fn names_and_defaults_must_fit_the_function() {
    let fault = |names: Option<&str>, defaults: Option<&str>| {
        let mut def = GlobalDef::new()
            .def("rust.test.metadata.before", || Ok(1), "")
            .def("rust.test.metadata.wrong", |x: f64, y: f64| Ok(x + y), "");
        if let Some(names) = names {
            def = def.arg_names(names);
        }
        if let Some(defaults) = defaults {
            def = def.arg_defaults(defaults);
        }
        let error = def.register().unwrap_err();
        assert_eq!(error.kind(), VALUE_ERROR);
        error.message().to_string()
    };
    let end = " of `rust.test.metadata.wrong`: expected";
    let names = "2 names, one for each parameter (the receiver of a method has none), got";
    for (given, expected) in [
        ("x", format!("{names} 1")),
        ("", format!("{names} 0")),
        ("x, y, z", format!("{names} 3")),
        ("x, ", "identifiers, got ``".to_string()),
        ("x, 2y", "identifiers, got `2y`".to_string()),
        ("x, y z", "identifiers, got `y z`".to_string()),
        ("x,x", "different names, got `x` twice".to_string()),
    ] {
        let message = fault(Some(given), None);
        assert_eq!(message, format!("arg_names({given:?}){end} {expected}"));
    }
    let array = "the text of a JSON array, got";
    for (given, expected) in [
        ("[1", format!("{array} invalid JSON: ")),
        ("", format!("{array} invalid JSON: ")),
        ("1", format!("{array} another JSON value")),
        ("{}", format!("{array} another JSON value")),
        (
            "[1, 2, 3]",
            "at most 2 values, one for each parameter, got 3".to_string(),
        ),
    ] {
        let message = fault(Some("x, y"), Some(given));
        let expected = format!("arg_defaults({given:?}){end} {expected}");
        assert!(message.starts_with(&expected), "{message}");
    }
    assert_eq!(
        fault(None, Some("[1]")),
        format!("arg_defaults(\"[1]\"){end} arg_names too: defaults need names")
    );
    assert!(Function::get_global("rust.test.metadata.before").is_err());
}
