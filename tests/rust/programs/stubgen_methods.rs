// SPDX-License-Identifier: Apache-2.0
//! Use the module that `tvm-ffi-stubgen` has generated for the types of stubgen_methods.cc.

use std::collections::HashMap;

use demo::stubs::{odd_names, r#type, FineGauge, Gauge, Mode};
use tvm_ffi::dtype::AsDLDataType;
use tvm_ffi::reflection::{Enum, EnumDef};
use tvm_ffi::{
    Any, Array, Bytes, DLDevice, DLDeviceType, Dict, Function, Module, ObjectArc, ObjectRefCore,
    Result, Shape, String, Tensor, Tuple, KEY_ERROR, TYPE_ERROR, VALUE_ERROR,
};

/// Call functions of types that no library has registered yet.
fn call_before_the_library_is_loaded() {
    let text = "Type key stubs.Gauge is not registered: load the library that defines it first";
    let error = Gauge::init(1).err().expect("an error");
    assert_eq!(error.kind(), TYPE_ERROR);
    assert!(error.message().starts_with(text), "{}", error.message());
    let error = Mode::fast().err().expect("an error");
    assert_eq!(error.kind(), TYPE_ERROR);
    assert!(error.message().contains("stubs.Mode is not registered"));
}

fn call_methods() -> Result<()> {
    let gauge = Gauge::init(5)?;
    assert_eq!((gauge.level()?, gauge.raise(2)?, gauge.read()?), (5, 7, 7));
    assert_eq!(gauge.level_()?, 700);
    assert_eq!(Gauge::of_text("four")?.level()?, 4);
    assert_eq!(ObjectArc::strong_count(Gauge::data(&gauge)), 1);
    Ok(())
}

/// A method of a child hides the method of its parent. The other methods are inherited.
fn call_inherited_methods() -> Result<()> {
    let fine = FineGauge::init(1)?;
    assert_eq!((fine.raise(2)?, fine.read()?), (21, 21));
    assert_eq!(FineGauge::of_text("abc")?.level()?, 3);
    let gauge = Gauge::from(&fine);
    assert_eq!((gauge.raise(2)?, fine.level()?), (23, 23));
    Ok(())
}

fn call_methods_with_odd_names() -> Result<()> {
    let odd = odd_names::init()?;
    let numbers = [
        odd.r#type()?,
        odd.self_()?,
        odd.clone_()?,
        odd.a_b_()?,
        odd.a_b__()?,
        odd.a_b()?,
        odd.plus_sign()?,
        odd._1st()?,
        odd.camelCase()?,
        odd.double__underscore()?,
        odd.new_()?,
        odd.init_()?,
        odd.try_into_()?,
        odd.données()?,
        odd.from_x()?,
        odd.greek_small_letter_alpha()?,
    ];
    assert!(numbers.into_iter().eq(0..16), "{numbers:?}");
    assert_eq!(odd.sum(1, 2, 3, 4)?, 1234);
    let copy: odd_names = odd.clone();
    assert!(copy.same_as(&odd));
    Ok(())
}

fn call_overloads() -> Result<()> {
    let object = r#type::init(1)?;
    assert_eq!(object.twice(4)?, 8);
    assert_eq!(object.twice_("ab")?.as_str(), "abab");
    object.count_up()
}

fn pass_values_of_many_types() -> Result<()> {
    assert_eq!(r#type::any(5)?.try_as::<i64>(), Some(5));
    let gauge = Gauge::init(5)?;
    assert!(r#type::object(gauge.clone())?.same_as(&gauge));
    assert_eq!(r#type::object(1).unwrap_err().kind(), TYPE_ERROR);
    assert!(r#type::maybe_object(gauge.clone())? && !r#type::maybe_object(())?);
    assert_eq!(String::try_from(r#type::variant("x")?)?.as_str(), "x");
    assert_eq!(r#type::variant(1.5).unwrap_err().kind(), TYPE_ERROR);
    let (number, text) = r#type::tuple((1, String::from("a")))?.get()?;
    assert_eq!((number, text.as_str()), (1, "a"));
    assert_eq!(r#type::single(Tuple::from((7,)))?.get()?, (7,));
    let dict = r#type::dict(Dict::from(HashMap::from([(String::from("a"), 1)])))?;
    assert_eq!(dict.len(), 1);
    assert_eq!(r#type::bare(Array::new(vec![Any::from(1)]))?.len(), 1);
    assert!(r#type::maybe(None)?.is_none());
    let maybe = r#type::maybe(Array::new(vec![Some(1), None]))?.expect("an array");
    assert_eq!(maybe.to_vec()?, [Some(1), None]);
    assert_eq!(r#type::bytes(Bytes::from(b"ab"))?.as_slice(), b"ab");
    let device = DLDevice::new(DLDeviceType::kDLCPU, 3);
    assert_eq!(r#type::device(device)?.device_id, 3);
    assert_eq!(r#type::dtype(f32::DL_DATA_TYPE)?, f32::DL_DATA_TYPE);
    assert_eq!(r#type::shape(Shape::from([1, 2]))?.as_slice(), [1, 2]);
    let tensor = r#type::tensor(Tensor::from_slice(&[1.0f32, 2.0], &[2])?)?;
    assert_eq!(tensor.to_vec::<f32>()?, [1.0, 2.0]);
    assert_eq!(
        r#type::apply(Function::from_typed(|x: i64| Ok(x + 1)), 3)?,
        4
    );
    assert_eq!(r#type::many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)?, 55);
    let gauges = Array::new(vec![gauge.clone(), gauge.clone()]);
    assert!(r#type::gauges(gauges)?.same_as(&gauge));
    r#type::fail(false)?;
    let error = r#type::fail(true).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (VALUE_ERROR, "the flag is set")
    );
    assert_eq!(ObjectArc::strong_count(Gauge::data(&gauge)), 1);
    Ok(())
}

/// Each entry is one object, which has the name that C++ has registered.
fn find_entries_of_an_enum() -> Result<()> {
    let entries = [
        (Mode::fast()?, "fast"),
        (Mode::r#type()?, "type"),
        (Mode::name_()?, "name"),
        (Mode::a_b_()?, "a-b"),
        (Mode::a_b()?, "a_b"),
        (Mode::plus_sign()?, "+"),
        (Mode::index_()?, "index"),
        (Mode::ReLU()?, "ReLU"),
        (Mode::__()?, ""),
        (Mode::default()?, "default"),
    ];
    for (number, (entry, name)) in entries.iter().enumerate() {
        assert_eq!((entry.name(), entry.number()), (*name, number as i64));
        assert_eq!(entry.index()?, number as i64);
    }
    assert!(Mode::fast()?.same_as(&Mode::fast()?));
    assert!(r#type::mode(Mode::ReLU()?)?.same_as(&Mode::ReLU()?));
    assert_eq!(Enum::from(Mode::fast()?).name(), "fast");
    let error = EnumDef::<Mode>::get("slow").err().expect("an error");
    assert_eq!(error.kind(), KEY_ERROR);
    Ok(())
}

fn main() -> Result<()> {
    call_before_the_library_is_loaded();
    let library = std::env::args().nth(1).expect("the path of the library");
    let _library = Module::load_from_file(&library)?;
    call_methods()?;
    call_inherited_methods()?;
    call_methods_with_odd_names()?;
    call_overloads()?;
    pass_values_of_many_types()?;
    find_entries_of_an_enum()?;
    println!("done");
    Ok(())
}
