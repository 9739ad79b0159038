// SPDX-License-Identifier: Apache-2.0
//! Tests of classes with one field for each type that a field can have.

use tvm_ffi::dtype::DLDataTypeExt;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::tvm_ffi_sys::{TVMFFIFieldInfo, TVMFFIGetTypeInfo};
use tvm_ffi::{
    def_object_ref, rs_class, Any, Array, BigInt, Bytes, DLDataType, DLDevice, DLDeviceType,
    FieldGetter, Function, List, Map, Object, ObjectCore, Optional, Shape, String, Tensor,
};

#[rs_class("rust_fields.Fields", s_eq_hash_kind = "TreeNode")]
pub struct FieldsObj {
    base: Object,
    array: Array<i64>,
    list: List<String>,
    map: Map<String, Any>,
    maybe_array: Option<Array<i64>>,
    shape: Shape,
    optional: Optional<i64>,
    optional_text: Optional<String>,
    big: BigInt,
    dtype: DLDataType,
    device: DLDevice,
    bytes: Bytes,
    tensor: Option<Tensor>,
    function: Option<Function>,
    byte: u8,
    maybe_float: Option<f32>,
}
def_object_ref!(pub Fields, ObjectRef, FieldsObj);

fn fields() -> Fields {
    FieldsObj::new(
        Object::new(),
        Array::new(vec![1, 2]),
        List::from_iter([String::from("a"), String::from("a long text")]),
        Map::from_iter([(String::from("k"), Any::from(1_i64))]),
        Some(Array::new(vec![3])),
        Shape::from([1, 2]),
        Optional::some(7),
        Optional::some(String::from("a long text")),
        BigInt::from(1_i128 << 80),
        DLDataType::try_from_str("float32").unwrap(),
        DLDevice::new(DLDeviceType::kDLCPU, 0),
        Bytes::from(&b"bytes on the heap"[..]),
        None,
        None,
        9,
        Some(1.5),
    )
    .into()
}

fn reflected() -> &'static [TVMFFIFieldInfo] {
    // SAFETY: the type information lives as long as the process, and its array `fields` has
    // `num_fields` elements.
    unsafe {
        let info = &*TVMFFIGetTypeInfo(FieldsObj::type_index());
        std::slice::from_raw_parts(info.fields, info.num_fields as usize)
    }
}

fn call(name: &str, fields: &Fields) -> Any {
    Function::get_global(name)
        .unwrap()
        .call_tuple((fields,))
        .unwrap()
}

// spec: RUST-R30
#[test]
fn the_runtime_knows_how_fields_lie_in_memory() {
    let indices: Vec<_> = reflected()
        .iter()
        .map(|field| (field.name.as_str(), field.field_static_type_index))
        .collect();
    let expected = [
        ("array", 64),
        ("list", 64),
        ("map", 64),
        ("maybe_array", -1),
        ("shape", 64),
        ("optional", -1),
        ("optional_text", -1),
        ("big", -1),
        ("dtype", 5),
        ("device", 6),
        ("bytes", -1),
        ("tensor", -1),
        ("function", -1),
        ("byte", 1),
        // A field of eight bytes that is not a pointer.
        ("maybe_float", 4),
    ];
    assert_eq!(indices, expected);
}

// spec: RUST-R30
#[test]
fn copies_are_equal_and_deep() {
    let original = fields();
    let copy = Fields::try_from(call("ffi.DeepCopy", &original)).unwrap();
    let equal = Function::get_global("ffi.RecursiveEq").unwrap();
    let is_equal = equal.call_tuple((&original, &copy)).unwrap();
    assert_eq!(is_equal.try_as::<bool>(), Some(true));
    let hash = |fields| call("ffi.RecursiveHash", fields).try_as::<i64>();
    assert_eq!(hash(&original), hash(&copy));
    copy.list.push(String::from("only in the copy")).unwrap();
    assert_eq!((original.list.len(), copy.list.len()), (2, 3));
    let is_equal = equal.call_tuple((&original, &copy)).unwrap();
    assert_eq!(is_equal.try_as::<bool>(), Some(false));
}

// spec: RUST-R30
#[test]
fn json_holds_every_field() {
    let original = fields();
    let to_text = Function::get_global("ffi.ToJSONGraphString").unwrap();
    let text = String::try_from(to_text.call_tuple((&original, ())).unwrap()).unwrap();
    let from_text = Function::get_global("ffi.FromJSONGraphString").unwrap();
    let read = Fields::try_from(from_text.call_tuple((&text,)).unwrap()).unwrap();
    assert_eq!(read.big, original.big);
    assert_eq!(read.optional_text.as_str(), original.optional_text.as_str());
    assert_eq!(
        (read.maybe_float, read.byte, read.optional.get()),
        (Some(1.5), 9, Some(7))
    );
    assert!(read.tensor.is_none() && read.function.is_none());
    let again = String::try_from(to_text.call_tuple((&read, ())).unwrap()).unwrap();
    assert_eq!(text, again);
}

// spec: RUST-R31
#[test]
fn an_object_without_values_shows_none() {
    let index = FieldsObj::type_index();
    let new = Function::from_type_attr(index, "__ffi_new__").unwrap();
    let empty: ObjectRef = new.call_tuple(()).unwrap().try_into().unwrap();
    let node = tvm_ffi::ObjectRefCore::as_node::<Object>(&empty).unwrap();
    for name in [
        "array", "list", "map", "shape", "optional", "big", "bytes", "device", "tensor",
    ] {
        let getter = FieldGetter::new(index, name).unwrap();
        assert_eq!(getter.get_any(node).unwrap().type_index(), 0, "{name}");
    }
}
