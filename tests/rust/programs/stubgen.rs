// SPDX-License-Identifier: Apache-2.0
//! Use the modules that `tvm-ffi-stubgen` has generated for the types of libtvm_ffi_testing.

use demo::testing::{
    SchemaAllTypes, TestCxxClassBase, TestCxxClassDerived, TestDeepCopyEdges, TestIntPair,
    TestObjectBase, TestObjectDerived, TestObjectPtrHolder,
};
use tvm_ffi::dtype::AsDLDataType;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    Any, Array, Function, Map, Module, ObjectArc, ObjectRefCast, ObjectRefCore, Result, Shape,
    String,
};

/// Read the fields of an object that C++ has made, as fields of a generated struct.
fn read_objects_of_cpp() -> Result<()> {
    let create = Function::from_type_key_method("testing.TestIntPair", "__ffi_init__")?;
    let pair: TestIntPair = create.call_tuple((3, 4))?.try_into()?;
    assert_eq!((pair.a, pair.b), (3, 4));
    let error = TestObjectBase::try_from(create.call_tuple((3, 4))?).err();
    assert!(error.is_some_and(|error| error.kind().as_str() == "TypeError"));
    Ok(())
}

/// Let C++ call methods of an object that Rust has allocated.
fn make_objects_in_rust() -> Result<()> {
    let pair = TestIntPair::new(20, 22);
    let sum = Function::get_global("testing.TestIntPairSum")?;
    let result: i64 = sum.call_tuple((&pair,))?.try_into()?;
    assert_eq!(result, 42);
    assert_eq!(ObjectArc::strong_count(TestIntPair::data(&pair)), 1);
    Ok(())
}

/// Convert references to a parent type, and back with a check. Fields of the ancestors are also
/// fields of the struct.
fn convert_between_parents_and_children() -> Result<()> {
    let shared = Shape::from([1, 2]);
    let array = Array::new(vec![Any::from(shared.clone()), Any::from(7)]);
    let map: Map<Any, Any> = Map::from_iter([(Any::from("key"), Any::from(1))]);
    let child = TestObjectDerived::new(1, 2.5, "text", map, array);
    assert_eq!(
        (child.v_i64.get(), child.v_f64, child.v_str.get().as_str()),
        (1, 2.5, "text")
    );
    assert_eq!((child.v_map.get().len(), child.v_array.get().len()), (1, 2));

    let parent = TestObjectBase::from(child.clone());
    assert!(parent.same_as(&child));
    let add = Function::from_type_key_method("testing.TestObjectBase", "add_i64")?;
    let result: i64 = add.call_tuple((&parent, 41))?.try_into()?;
    assert_eq!(result, 42);
    drop(child);
    let child: TestObjectDerived = parent.try_cast()?;
    assert_eq!(ObjectArc::strong_count(TestObjectDerived::data(&child)), 1);
    assert_eq!(ObjectArc::strong_count(Shape::data(&shared)), 2);
    drop(child);
    assert_eq!(ObjectArc::strong_count(Shape::data(&shared)), 1);

    let derived = TestCxxClassDerived::new(1, 2, 3.0, 4.0);
    assert_eq!(
        (
            derived.v_i64.get(),
            derived.v_i32.get(),
            derived.v_f64.get(),
            derived.v_f32.get()
        ),
        (1, 2, 3.0, 4.0)
    );
    let base = TestCxxClassBase::from(derived);
    assert!(base.try_cast::<TestObjectBase>().is_err());
    Ok(())
}

/// Check that each field owns its reference, even if the field is optional.
fn hold_references() -> Result<()> {
    let value = TestObjectBase::new(1, 1.0, "one");
    let holder = TestObjectPtrHolder::new(value.clone(), None);
    assert!(holder.value.get().same_as(&value) && holder.optional_value.get().is_none());
    let full = TestObjectPtrHolder::new(value.clone(), Some(value.clone()));
    assert!(full
        .optional_value
        .get()
        .is_some_and(|other| other.same_as(&value)));
    assert_eq!(ObjectArc::strong_count(TestObjectBase::data(&value)), 4);
    drop((holder, full));
    assert_eq!(ObjectArc::strong_count(TestObjectBase::data(&value)), 1);

    let edges = TestDeepCopyEdges::new(5, value.clone().try_cast::<ObjectRef>()?);
    assert_eq!(edges.v_any.get().try_as::<i64>(), Some(5));
    assert!(edges.v_obj.get().same_as(&value));
    Ok(())
}

/// Read fields of a type with an unknown layout, by generated methods.
fn read_fields_by_name() -> Result<()> {
    let create = Function::from_type_key_method("testing.SchemaAllTypes", "make_with")?;
    let object: SchemaAllTypes = create.call_tuple((5, 0.5, "text"))?.try_into()?;
    assert_eq!((object.v_int()?, object.v_float()?), (5, 0.5));
    assert_eq!(object.v_string()?.as_str(), "text");
    assert_eq!(object.v_dtype()?, f32::DL_DATA_TYPE);
    assert!(object.v_arr_int()?.is_empty());
    assert!(object.v_map_str_arr_int()?.is_empty());
    assert!(object.v_opt_int()?.is_none());
    let variant: String = object.v_variant()?.try_into()?;
    assert_eq!(variant.as_str(), "v");
    Ok(())
}

fn main() -> Result<()> {
    let library = std::env::args().nth(1).expect("the path of the library");
    let _library = Module::load_from_file(&library)?;
    read_objects_of_cpp()?;
    make_objects_in_rust()?;
    convert_between_parents_and_children()?;
    hold_references()?;
    read_fields_by_name()?;
    println!("done");
    Ok(())
}
