// SPDX-License-Identifier: Apache-2.0
//! A library that `tvm_ffi.load_module` opens: functions with types, documentation and errors.

use tvm_ffi::collections::tensor::{
    AnyDevice, ColumnMajor, Cuda, InnerContiguous, Read, Rocm, RowMajor, Strided, ANY_RANK,
};
use tvm_ffi::{
    bail, ensure, tvm_ffi_dll_export_typed_func, tvm_ffi_dll_export_typed_func_doc, Any, Error,
    Function, GlobalDef, Result, String, TypedFunction, TypedTensor, TypedTensorView,
    TypedTensorViewMut, TYPE_ERROR, VALUE_ERROR,
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

fn add_to(x: TypedTensorView<f32, 1>, y: TypedTensorViewMut<f32, 1>) -> Result<()> {
    for (value, element) in x.iter().zip(y.as_cells()) {
        element.set(element.get() + value);
    }
    Ok(())
}

fn twice(x: TypedTensor<f32, 2>) -> Result<TypedTensor<f32, 2>> {
    let twice: Vec<f32> = x.view().iter().map(|value| 2.0 * value).collect();
    TypedTensor::from_slice(&twice, x.view().shape())
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
tvm_ffi_dll_export_typed_func!(add_to, add_to);
tvm_ffi_dll_export_typed_func!(twice, twice);
tvm_ffi_dll_export_typed_func!(row_major, |x: TypedTensorView<f32, 1>| Ok(x.numel()));
tvm_ffi_dll_export_typed_func!(column_major, |x: TypedTensorView<
    i32,
    2,
    Read,
    ColumnMajor,
>| Ok(x.numel()));
tvm_ffi_dll_export_typed_func!(inner_contiguous, |x: TypedTensorView<
    u8,
    ANY_RANK,
    Read,
    InnerContiguous,
>| Ok(x.numel()));
tvm_ffi_dll_export_typed_func!(strided, |x: TypedTensorViewMut<f64, 2, Strided>| Ok(
    x.numel()
));
tvm_ffi_dll_export_typed_func!(on_cuda, |x: TypedTensorView<
    i64,
    1,
    Read,
    RowMajor,
    Cuda,
>| Ok(x.numel()));
tvm_ffi_dll_export_typed_func!(on_rocm, |x: TypedTensorView<
    i8,
    0,
    Read,
    RowMajor,
    Rocm,
>| Ok(x.numel()));
tvm_ffi_dll_export_typed_func!(anywhere, |x: TypedTensorView<
    u16,
    3,
    Read,
    RowMajor,
    AnyDevice,
>| Ok(x.numel()));
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
