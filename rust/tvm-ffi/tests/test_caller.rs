// SPDX-License-Identifier: Apache-2.0
//! Tests that errors and panics of the crate name the place of the caller, never a file of the crate.

use tvm_ffi::error::WithKind;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{Enum, EnumDef, EnumEntry, EnumObj};
use tvm_ffi::{
    def_object_ref, derive, into_typed_fn, rs_class, Any, AnyView, Array, BigInt, Bytes, Dict,
    Error, FieldGetter, Function, GlobalDef, List, Map, Module, Object, ObjectRefCast,
    ObjectRefCore, Optional, Result, Shape, String, Tensor, Tuple, TypedFunction, TypedTensor,
    TypedTensorView, Variant, VALUE_ERROR,
};

/// Call the function of each line, and check that its error has this line.
macro_rules! assert_lines {
    ($($call:expr;)*) => {
        // Inside of the macro, `line!()` is the line of the macro call.
        let mut line = line!();
        $(
            line += 1;
            let error: Error = $call.err().expect("an error");
            let expected = format!("  File \"{}\", line {line}, in <rust>\n", file!());
            assert_eq!(error.backtrace_lossy(), expected, "{}", stringify!($call));
        )*
    };
}

/// Return the container with elements of another type, which its type does not allow.
fn forged<From: ObjectRefCore, To: ObjectRefCore<ContainerType = From::ContainerType>>(
    container: From,
) -> To {
    // SAFETY: the containers have the same object struct, and their methods check the elements.
    unsafe { To::from_data(From::into_data(container)) }
}

// spec: RUST-R27
#[test]
fn errors_of_containers_have_the_line_of_the_caller() {
    let array = Array::new(vec![1i64]);
    let list = List::from([1i64]);
    let texts: List<i64> = forged(List::from([Any::from("x")]));
    let key = String::from("a");
    let map: Map<String, i64> = forged(Map::from_iter([(key.clone(), Any::from("x"))]));
    let dict: Dict<String, i64> = forged(Dict::from_iter([(key.clone(), Any::from("x"))]));
    assert_lines! {
        array.get(3);
        list.get(3);
        list.set(3, 1);
        list.insert(3, 1);
        list.remove(3);
        list.remove_range(3, 1);
        List::<i64>::new().pop();
        texts.get(0);
        texts.pop();
        map.get(&key);
        dict.get(&key);
        dict.remove(&key);
    }
}

// spec: RUST-R27
#[test]
fn errors_of_conversions_have_the_line_of_the_caller() {
    let text = || Any::from("x");
    let function = Function::from_typed(|| Ok(1.5));
    let typed: TypedFunction<fn() -> i64> = function.clone().into();
    assert_lines! {
        i64::try_from(text());
        u8::try_from(AnyView::from(&300i64));
        String::try_from(Any::from(3));
        std::string::String::try_from(Any::from(3));
        Bytes::try_from(Any::from(1));
        BigInt::try_from(text());
        Option::<i64>::try_from(text());
        Optional::<i64>::try_from(text());
        Variant::<(i64, f64)>::try_from(text());
        Vec::<i64>::try_from(text());
        <(i64,)>::try_from(text());
        Array::<i64>::try_from(text());
        Array::<u8>::try_from(Any::from(vec![300i64]));
        Map::<String, i64>::try_from(text());
        Map::<i64, u8>::try_from(Any::from(Map::from_iter([(1i64, 300i64)])));
        Tuple::<(i64,)>::try_from(text());
        Shape::try_from(text());
        Function::try_from(text());
        function.clone().try_cast::<Module>();
        typed.call(());
        into_typed_fn!(function, Fn() -> Result<i64>)();
    }
}

// spec: RUST-R27
#[test]
fn errors_of_tensors_and_lookups_have_the_line_of_the_caller() {
    let tensor = Tensor::from_slice(&[1f32], &[1]).unwrap();
    let elements = tensor.strided::<f32>().unwrap();
    assert_lines! {
        tensor.as_cells::<i32>();
        tensor.to_vec::<i32>();
        elements.get(&[3]);
        Tensor::from_slice(&[1f32], &[2]);
        Tensor::from_slice(&[1f32], &[-2]);
        TypedTensor::<f32, 2>::try_from(tensor.clone());
        TypedTensorView::<f32, 2>::try_from(&tensor);
        TypedTensorView::<f32, 2>::try_from(AnyView::from(&tensor));
        Function::get_global("no such function");
        Function::from_type_method(64, "no such method");
        Function::from_type_attr(64, "no such attribute");
        FieldGetter::new(64, "no such field");
        BigInt::from(1).try_div(&BigInt::from(0));
        BigInt::try_from(f64::NAN);
        BigInt::from(1).try_shl(-1);
        "x".parse::<i64>().with_kind(VALUE_ERROR);
    }
}

#[rs_class("test_caller.Plain", final)]
pub struct PlainObj {
    base: Object,
}
def_object_ref!(pub Plain, ObjectRef, PlainObj);

#[rs_class("test_caller.Colour", final)]
pub struct ColourObj {
    base: EnumObj,
    code: i64,
}
def_object_ref!(pub Colour, Enum, ColourObj);

#[repr(C)]
#[derive(derive::Object)]
#[type_key = "test_caller.Missing"]
pub struct MissingObj {
    base: Object,
}
def_object_ref!(pub Missing, ObjectRef, MissingObj);

// spec: RUST-R27
#[test]
fn errors_of_definitions_have_the_line_of_the_caller() {
    let plain = Plain::from(PlainObj::new(Object::new()));
    let function = |names| {
        GlobalDef::new()
            .def("x", |x: i64| Ok(x), "")
            .arg_names(names)
    };
    assert_lines! {
        EnumDef::<Plain>::add("A", plain);
        EnumDef::<Colour>::get("RED");
        EnumDef::<Missing>::get("RED");
        EnumEntry::<Colour>::new("RED").add();
        EnumEntry::<Colour>::new("RED").set("name", 1).add();
        function("a, b").register();
    }
}

#[test]
fn files_of_the_crate_and_of_the_standard_library_are_not_shown() {
    let text: Result<i64> = Any::from("x").try_into();
    assert_eq!(text.unwrap_err().backtrace_lossy(), "");
    let function = Function::from_typed(|x: i64| Ok(x));
    let error = function.call_tuple(("x",)).unwrap_err();
    assert_eq!(error.backtrace_lossy(), "");
}

#[test]
fn panics_of_the_crate_have_the_line_of_the_caller() {
    let function = Function::from_typed(|i: usize| Ok(Array::new(vec![1i64]).view(i).type_index()));
    let line = line!() - 1;
    let error = function.call_tuple((3,)).unwrap_err();
    let expected = format!("  File \"{}\", line {line}, in <panic>\n", file!());
    assert_eq!(error.backtrace_lossy(), expected);
    let function = Function::from_typed(|x: i64| Ok(BigInt::from(1) / x));
    let error = function.call_tuple((0,)).unwrap_err();
    let line = line!() - 2;
    let expected = format!("  File \"{}\", line {line}, in <panic>\n", file!());
    assert_eq!(error.backtrace_lossy(), expected);
}
