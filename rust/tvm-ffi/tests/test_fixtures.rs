// SPDX-License-Identifier: Apache-2.0
//! Tests of the classes and functions that the testing library registers for all languages.

mod common;

use tvm_ffi::{AnyView, Function, Module, ObjectArc, ObjectRefCore};

use tvm_ffi::object::ObjectRef;
use tvm_ffi::tvm_ffi_sys::{TVMFFIByteArray, TVMFFITypeKeyToIndex};

const SCHEMA_FUNCTIONS: [&str; 23] = [
    "schema_id_int",
    "schema_id_float",
    "schema_id_bool",
    "schema_id_device",
    "schema_id_dtype",
    "schema_id_string",
    "schema_id_bytes",
    "schema_id_func",
    "schema_id_func_typed",
    "schema_id_any",
    "schema_id_object",
    "schema_id_dltensor",
    "schema_id_tensor",
    "schema_tensor_view_input",
    "schema_id_opt_int",
    "schema_id_opt_str",
    "schema_id_opt_obj",
    "schema_id_arr_int",
    "schema_id_arr_str",
    "schema_id_arr_obj",
    "schema_id_arr",
    "schema_id_map_str_int",
    "schema_id_map",
];

/// Return whether a type with this key is registered.
fn is_registered(key: &str) -> bool {
    let mut index = 0;
    // SAFETY: the key is read only during the call.
    let code = unsafe { TVMFFITypeKeyToIndex(&TVMFFIByteArray::from_str(key), &mut index) };
    code == 0
}

// spec: RUST-R41
#[test]
fn functions_and_types_of_the_testing_library() {
    common::load_testing();
    for name in ["echo", "apply", "schema_packed", "make_visit_region_graph"]
        .iter()
        .chain(&SCHEMA_FUNCTIONS)
    {
        let name = format!("testing.{name}");
        assert!(Function::get_global(&name).is_ok(), "{name}");
    }
    for name in [
        "TestObjectBase",
        "TestObjectDerived",
        "TestIntPair",
        "TestCxxClassBase",
        "TestNonCopyable",
        "TestObjectPtrHolder",
        "TestVisitRegions",
        "TestVisitHook",
    ] {
        assert!(is_registered(&format!("testing.{name}")), "{name}");
    }
}

// spec: RUST-R41
#[test]
fn exports_of_the_testing_library() {
    common::load_testing();
    let module = Module::load_from_file("libtvm_ffi_testing.so").unwrap();
    let metadata = module.get_function_metadata("testing_dll_schema_id_int", false);
    assert!(metadata.unwrap().is_some());
    let doc = module.get_function_doc("testing_dll_test_add_with_docstring", false);
    assert!(doc.unwrap().is_some());
}

// spec: RUST-R41
#[test]
fn the_hook_of_the_visit_fixture_is_a_function() {
    let graph = common::testing_function("testing.make_visit_region_graph");
    let root = ObjectRef::try_from(graph.call_tuple((true,)).unwrap()).unwrap();
    let index = ObjectArc::dynamic_type_index(ObjectRef::data(&root));
    let hook = tvm_ffi::get_type_attr(index, "__s_visit__").unwrap();
    assert!(Function::try_from(AnyView::from(&hook)).is_ok());
}
