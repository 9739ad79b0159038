// SPDX-License-Identifier: Apache-2.0
//! A library that `tvm_ffi.load_module` opens: functions with types, documentation and errors.

use tvm_ffi::{
    bail, ensure, tvm_ffi_dll_export_typed_func, tvm_ffi_dll_export_typed_func_doc, Any, Error,
    Function, GlobalDef, Result, String, TypedFunction, TYPE_ERROR, VALUE_ERROR,
};

fn add_one(value: i64) -> Result<i64> {
    ensure!(value < i64::MAX, VALUE_ERROR, "{value} has no successor");
    Ok(value + 1)
}

fn greet(name: String, greeting: Option<String>) -> Result<String> {
    let greeting = greeting.unwrap_or_else(|| String::from("Hello"));
    Ok(String::from(format!("{greeting}, {name}")))
}

fn fail(message: String) -> Result<()> {
    bail!(VALUE_ERROR, "{message}")
}

fn refuse(message: String) -> Result<()> {
    bail!(TYPE_ERROR, "{message}")
}

fn fail_because(cause: Error) -> Result<()> {
    Err(Error::new_with_cause_and_extra_context(
        VALUE_ERROR,
        "outer",
        "",
        Some(&cause),
        None,
    ))
}

fn panic_with(message: String) -> Result<()> {
    panic!("{message}")
}

fn clamp(x: i64, low: i64, high: i64) -> Result<i64> {
    Ok(x.max(low).min(high))
}

/// Register global functions. An init block would do so in each copy of this library.
fn register_global() -> Result<()> {
    GlobalDef::new()
        .def(
            "rust_exports.clamp",
            clamp,
            "Return `x`, or the nearer end of a range.",
        )
        .arg_names("x,low,high")
        .arg_defaults("[0, 100]")
        .register()
}

fn call(function: Function, argument: i64) -> Result<Any> {
    function.call_tuple((argument,))
}

fn call_for_int(function: TypedFunction<fn() -> i64>) -> Result<i64> {
    function.call(())
}

tvm_ffi_dll_export_typed_func!(add_one, add_one);
tvm_ffi_dll_export_typed_func_doc!(add_one, "Return the number after `value`.");
tvm_ffi_dll_export_typed_func!(greet, greet);
tvm_ffi_dll_export_typed_func!(fail, fail);
tvm_ffi_dll_export_typed_func!(refuse, refuse);
tvm_ffi_dll_export_typed_func!(fail_because, fail_because);
tvm_ffi_dll_export_typed_func!(panic_with, panic_with);
tvm_ffi_dll_export_typed_func!(call, call);
tvm_ffi_dll_export_typed_func!(call_for_int, call_for_int);
tvm_ffi_dll_export_typed_func!(register_global, register_global);
tvm_ffi_dll_export_typed_func!(
    scale,
    |x: f64, factor: f64| Ok(x * factor),
    arg_names("x, factor"),
    arg_defaults("[2.0]")
);
tvm_ffi_dll_export_typed_func_doc!(scale, "Return `x` times `factor`.");
tvm_ffi_dll_export_typed_func!(
    wrong_defaults,
    add_one,
    arg_names("value"),
    arg_defaults("[1")
);
tvm_ffi_dll_export_typed_func!(make_adder, |amount: i64| {
    Ok(Function::from_typed(move |value: i64| Ok(value + amount)))
});
