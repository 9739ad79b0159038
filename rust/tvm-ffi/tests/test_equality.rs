// SPDX-License-Identifier: Apache-2.0
//! Tests of the equality of containers, and of `Debug` of references.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{AccessPath, AccessStep, Enum, EnumObj};
use tvm_ffi::{
    def_object_ref, rs_class, Any, Array, Dict, List, Map, Object, ObjectArc, ObjectRefCore,
    String, Tuple,
};

fn key(text: &str) -> String {
    String::from(text)
}

#[test]
fn sequences_with_equal_elements_are_equal() {
    let array = |items: &[i64]| Array::from(items.to_vec());
    assert_eq!(array(&[1, 2]), array(&[1, 2]));
    assert_ne!(array(&[1, 2]), array(&[1, 3]));
    assert_ne!(array(&[1, 2]), array(&[1, 2, 3]));
    let list = List::from([array(&[1]), array(&[])]);
    assert_eq!(list, List::from([array(&[1]), array(&[])]));
    assert_ne!(list, List::from([array(&[1]), array(&[2])]));
    assert_eq!(Tuple::from((1i64, key("a"))), Tuple::from((1i64, key("a"))));
    assert_ne!(Tuple::from((1i64, key("a"))), Tuple::from((1i64, key("b"))));
}

#[test]
fn mappings_with_equal_entries_are_equal_in_any_order() {
    let (one, two) = ((key("one"), 1i64), (key("two"), 2i64));
    let map = Map::from([one.clone(), two.clone()]);
    assert_eq!(map, Map::from([two.clone(), one.clone()]));
    assert_ne!(map, Map::from([one.clone()]));
    assert_ne!(map, Map::from([one.clone(), (key("two"), 3)]));
    assert_ne!(map, Map::from([one.clone(), (key("three"), 2)]));
    let dict = Dict::from([one.clone(), two.clone()]);
    assert_eq!(dict, Dict::from([two, one.clone()]));
    assert_ne!(dict, Dict::from([one]));
}

#[test]
fn elements_of_another_type_are_not_equal() {
    let other = List::from([Any::from("x")]);
    // SAFETY: both types have the same object struct, and the methods check the elements.
    let list: List<i64> = unsafe { ObjectRefCore::from_data(List::into_data(other)) };
    assert_ne!(list, list);
}

#[test]
fn mappings_find_text() {
    let map = Map::from([(key("a"), 1i64), (key("a long key"), 2)]);
    assert_eq!(map.get_str("a").unwrap(), Some(1));
    assert_eq!(map.get_str("a long key").unwrap(), Some(2));
    assert_eq!(map.get_str("b").unwrap(), None);
    assert!(map.contains_str("a") && !map.contains_str("b"));
    let dict = Dict::from([(key("a"), 1i64)]);
    assert_eq!(dict.get_str("a").unwrap(), Some(1));
    assert!(dict.contains_str("a") && !dict.contains_str("b"));
}

#[rs_class("test_equality.Point", final)]
pub struct PointObj {
    base: Object,
    x: i64,
}

def_object_ref!(
    #[derive(Debug)]
    pub Point,
    ObjectRef,
    PointObj
);

#[test]
fn references_have_debug() {
    let point = Point::from(PointObj::new(Object::new(), 3));
    let text = format!("{point:?}");
    assert!(text.contains("test_equality.Point(x=3)"), "{text}");
    assert!(format!("{:?}", Enum::from(EnumObj::default())).starts_with("ffi.Enum"));
    assert_eq!(format!("{:?}", AccessStep::attr("a").kind()), "Some(Attr)");
    assert_eq!(format!("{:?}", AccessPath::root().attr("a")), "<root>.a");
    let weak = ObjectArc::downgrade(Point::data(&point));
    assert_eq!(format!("{weak:?}"), "(Weak)");
}
