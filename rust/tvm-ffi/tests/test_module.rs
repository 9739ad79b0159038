// SPDX-License-Identifier: Apache-2.0
//! Tests of modules: loading, functions, metadata and imports.

mod common;

use tvm_ffi::{AnyView, Function, Module, String, RUNTIME_ERROR, VALUE_ERROR};

/// Load the testing library. A file name is enough: this program is linked to the library.
fn testing_module() -> Module {
    common::testing_function("testing.echo");
    Module::load_from_file("libtvm_ffi_testing.so").unwrap()
}

// spec: RUST-R28
#[test]
fn functions_of_a_library() {
    let module = testing_module();
    let add = module
        .get_function("testing_dll_test_add_with_docstring")
        .unwrap();
    assert_eq!(
        i64::try_from(add.call_tuple((1i64, 2i64)).unwrap()).unwrap(),
        3
    );
    assert!(module
        .implements_function("testing_dll_schema_id_int", false)
        .unwrap());
    assert!(!module
        .implements_function("no such function", true)
        .unwrap());
    let error = module.get_function("no such function").unwrap_err();
    assert_eq!(error.kind(), VALUE_ERROR);
    let message = "Module has no function `no such function`; its functions are `";
    assert!(error.message().starts_with(message), "{error}");
    assert!(
        error.message().contains("`testing_dll_schema_id_int`"),
        "{error}"
    );
    let error = module.get_function("testing_dll_schema_int").unwrap_err();
    let hint = "; did you mean `testing_dll_schema_id_int`?";
    assert!(error.message().ends_with(hint), "{error}");
    assert_eq!(module.kind().unwrap(), "library");
    assert_eq!(format!("{module:?}"), "Module[library]");
    let names = module.function_names().unwrap().unwrap();
    assert!(names.iter().any(|name| name == "testing_dll_schema_id_int"));
}

// spec: RUST-R28
#[test]
fn metadata_and_documentation() {
    let module = testing_module();
    let metadata = module
        .get_function_metadata("testing_dll_schema_id_int", false)
        .unwrap();
    assert!(metadata.unwrap().contains("type_schema"));
    let doc = module
        .get_function_doc("testing_dll_test_add_with_docstring", false)
        .unwrap();
    assert!(!doc.unwrap().is_empty());
    assert_eq!(
        module
            .get_function_doc("testing_dll_schema_id_int", false)
            .unwrap(),
        None
    );
    assert_eq!(
        module
            .get_function_metadata("no such function", true)
            .unwrap(),
        None
    );
}

// spec: RUST-R28
#[test]
fn functions_of_imported_modules() {
    // Create a second module object, so that other tests do not see the imports.
    let imported = testing_module();
    let system: Module = Function::get_global("ffi.SystemLib")
        .unwrap()
        .call_tuple(("rust_test_",))
        .unwrap()
        .try_into()
        .unwrap();
    let name = "testing_dll_schema_id_int";
    assert!(!system.implements_function(name, true).unwrap());
    system.import_module(&imported).unwrap();
    assert!(system.implements_function(name, true).unwrap());
    assert!(!system.implements_function(name, false).unwrap());
    let function = system.get_function(name).unwrap();
    assert_eq!(
        i64::try_from(function.call_tuple((9i64,)).unwrap()).unwrap(),
        9
    );
    assert!(system.get_function_metadata(name, true).unwrap().is_some());
    assert_eq!(system.get_function_metadata(name, false).unwrap(), None);
    assert_eq!(
        imported.import_module(&system).unwrap_err().kind(),
        RUNTIME_ERROR
    );
    system.clear_imports().unwrap();
    assert!(!system.implements_function(name, true).unwrap());
}

// spec: RUST-R28
#[test]
fn a_missing_or_unknown_file_is_an_error() {
    let error = Module::load_from_file("/no/such/library.so").unwrap_err();
    assert_eq!(error.kind().as_str(), "LibraryNotFoundError");
    assert!(
        error.message().contains("/no/such/library.so"),
        "{}",
        error.message()
    );
    let error = Module::load_from_file(std::string::String::from("library")).unwrap_err();
    assert_eq!(error.kind(), RUNTIME_ERROR);
    let error = Module::load_from_file("library.unknown_format").unwrap_err();
    assert_eq!(error.kind(), RUNTIME_ERROR);
}

#[test]
fn a_module_is_a_value() {
    let module = testing_module();
    let echo = common::testing_function("testing.echo");
    let same: Module = echo
        .call_packed(&[AnyView::from(&module)])
        .unwrap()
        .try_into()
        .unwrap();
    assert!(tvm_ffi::ObjectRefCore::same_as(&same, &module));
    let error = Module::try_from(tvm_ffi::Any::from(String::from("x"))).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `ffi.SmallStr` to `ffi.Module`"
    );
}
