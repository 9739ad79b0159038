// SPDX-License-Identifier: Apache-2.0
//! Tests of `match_any!` and of its lookup table.

use std::any::TypeId;

use tvm_ffi::match_any_internal::{
    ArmId, LeafLookupTable, LeafPatternMetadata, LeafPatternProbe, Selected,
};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{AccessPath, AccessStep};
use tvm_ffi::{
    def_object_ref, match_any, rs_class, Any, AnyView, Error, Function, Object, ObjectCore, Result,
    String, VALUE_ERROR,
};

#[rs_class("rust_match.Node", child_slots = 40)]
pub struct NodeObj {
    base: Object,
    value: i64,
}
def_object_ref!(pub Node, ObjectRef, NodeObj);

fn node(value: i64) -> Node {
    NodeObj::new(Object::new(), value).into()
}

#[rs_class("rust_match.Sub", final)]
pub struct SubObj {
    base: NodeObj,
}
def_object_ref!(pub Sub, Node, SubObj);

fn sub(value: i64) -> Sub {
    SubObj::new(NodeObj::new(Object::new(), value)).into()
}

// spec: RUST-R33
#[test]
fn arms_are_tried_in_order() {
    let describe = |value: &Any| {
        match_any! { *value {
            Sub(s) if s.value > 10 => format!("large sub {}", s.value),
            Node(n) => format!("node {}", n.value),
            Sub(_) => "never".to_string(),
            Function(f) => format!("function {}", f.call_tuple(()).is_ok()),
            _ => "other".to_string(),
        } }
    };
    assert_eq!(describe(&Any::from(sub(11))), "large sub 11");
    assert_eq!(describe(&Any::from(sub(10))), "node 10");
    assert_eq!(describe(&Any::from(node(11))), "node 11");
    let function = Function::from_typed(|| Ok(1_i64));
    assert_eq!(describe(&Any::from(function)), "function true");
    assert_eq!(describe(&Any::from(AccessPath::root())), "other");
}

// spec: RUST-R33
#[test]
fn values_that_are_not_objects_take_the_last_arm() {
    let is_text = |value: Any| match_any! { value { String(_) => true, _ => false } };
    assert!(is_text(Any::from(String::from("a long text"))));
    assert!(
        !is_text(Any::from(String::from("short"))),
        "held in the value itself"
    );
    assert!(!is_text(Any::new()));
    assert!(!is_text(Any::from(1_i64)));
}

// spec: RUST-R33
#[test]
fn scrutinee_is_evaluated_once_and_borrowed() {
    let mut calls = 0;
    let mut next = || {
        calls += 1;
        node(calls)
    };
    let value = match_any! { next() { Sub(_) => 0, Node(n) => n.value, _ => -1 } };
    assert_eq!((value, calls), (1, 1));
    let reference = node(5);
    let found = match_any! { reference {
        Node(found) => { assert_eq!(found.value, reference.value); found }
        _ => unreachable!(),
    } };
    assert_eq!(
        tvm_ffi::ObjectArc::strong_count(tvm_ffi::ObjectRefCore::data(&reference)),
        2
    );
    drop((found, reference));
    let owner = Any::from(node(6));
    let view = AnyView::from(&owner);
    assert_eq!(match_any! { view { Node(n) => n.value, _ => 0 } }, 6);
}

// spec: RUST-R33
#[test]
fn bodies_may_leave_loops_and_functions() {
    fn sum(values: &[Any]) -> Result<i64> {
        let mut sum = 0;
        for value in values {
            sum += match_any! { *value {
                Sub(s) if s.value < 0 => break,
                Sub(s) if s.value == 0 => continue,
                Node(n) if n.value == 99 => return Ok(-1),
                Node(mut n) => { n = node(n.value + 1); n.value }
                _ => Err(Error::new(VALUE_ERROR, "no node", ""))?,
            } };
        }
        Ok(sum)
    }
    let values = |numbers: &[i64]| {
        numbers
            .iter()
            .map(|n| Any::from(sub(*n)))
            .collect::<Vec<_>>()
    };
    assert_eq!(sum(&values(&[1, 0, 2])).unwrap(), 5);
    assert_eq!(sum(&values(&[1, -1, 2])).unwrap(), 2);
    assert_eq!(sum(&values(&[1, 99])).unwrap(), -1);
    assert_eq!(sum(&[Any::new()]).unwrap_err().kind(), VALUE_ERROR);
}

/// A type that converts from `AnyView` but is not `AnyCompatible`.
struct EvenNode(i64);

impl TryFrom<AnyView<'_>> for EvenNode {
    type Error = Error;
    fn try_from(view: AnyView<'_>) -> Result<Self> {
        let node = Node::try_from(view)?;
        match node.value % 2 {
            0 => Ok(EvenNode(node.value)),
            _ => Err(Error::new(VALUE_ERROR, "odd", "")),
        }
    }
}

// spec: RUST-R33
#[test]
fn custom_conversions_are_arms() {
    let halved = |value: Node| {
        match_any! { value { EvenNode(EvenNode(n)) => n / 2, Node(n) => n.value, _ => -1 } }
    };
    assert_eq!((halved(node(8)), halved(node(7))), (4, 7));
}

// spec: RUST-R33
#[test]
fn generic_functions_match_their_parameter() {
    fn is_a<T>(value: &Any) -> bool
    where
        T: for<'a> TryFrom<AnyView<'a>>,
    {
        match_any! { *value { T(_) => true, _ => false } }
    }
    let value = Any::from(sub(1));
    assert!(is_a::<Sub>(&value) && is_a::<Node>(&value) && !is_a::<Function>(&value));
    assert!(is_a::<EvenNode>(&Any::from(node(2))));
}

macro_rules! leaves {
    ($($name:ident $object:ident $key:literal $value:literal;)*) => {
        $(
            #[rs_class($key, final)]
            pub struct $object { base: Object, value: i64 }
            def_object_ref!(pub $name, ObjectRef, $object);
        )*

        /// Add the value of a leaf to the number of its type. With 20 arms, the macro uses a table.
        fn leaf_value(value: &Any) -> i64 {
            match_any! { *value { $($name(leaf) => leaf.value + $value,)* _ => -1 } }
        }

        fn all_leaves(value: i64) -> Vec<Any> {
            vec![$(Any::from($name::from($object::new(Object::new(), value)))),*]
        }

        const LEAVES: &[i64] = &[$($value),*];
    };
}

leaves! {
    L00 L00Obj "rust_match.L00" 0; L01 L01Obj "rust_match.L01" 100; L02 L02Obj "rust_match.L02" 200;
    L03 L03Obj "rust_match.L03" 300; L04 L04Obj "rust_match.L04" 400; L05 L05Obj "rust_match.L05" 500;
    L06 L06Obj "rust_match.L06" 600; L07 L07Obj "rust_match.L07" 700; L08 L08Obj "rust_match.L08" 800;
    L09 L09Obj "rust_match.L09" 900; L10 L10Obj "rust_match.L10" 1000;
    L11 L11Obj "rust_match.L11" 1100; L12 L12Obj "rust_match.L12" 1200;
    L13 L13Obj "rust_match.L13" 1300; L14 L14Obj "rust_match.L14" 1400;
    L15 L15Obj "rust_match.L15" 1500; L16 L16Obj "rust_match.L16" 1600;
    L17 L17Obj "rust_match.L17" 1700; L18 L18Obj "rust_match.L18" 1800;
    L19 L19Obj "rust_match.L19" 1900;
}

// spec: RUST-R33
#[test]
fn twenty_leaf_types_are_found() {
    assert_eq!(LEAVES.len(), 20);
    for round in 0..3 {
        for (leaf, offset) in all_leaves(round).iter().zip(LEAVES) {
            assert_eq!(leaf_value(leaf), round + offset);
        }
    }
    assert_eq!(leaf_value(&Any::from(node(1))), -1);
    assert_eq!(leaf_value(&Any::from(1_i64)), -1);
}

// spec: RUST-R33
#[test]
fn many_arms_of_other_types_are_tried_one_by_one() {
    let value = |value: &Any| {
        match_any! { *value {
            L00(_) => 0, L01(_) => 1, L02(_) => 2, L03(_) => 3, L04(_) => 4, L05(_) => 5, L06(_) => 6,
            L07(_) => 7, L08(_) => 8, L09(_) => 9, L10(_) => 10, L11(_) => 11, L12(_) => 12,
            L13(_) => 13, L14(_) => 14, L15(_) => 15, L16(_) => 16, L17(_) => 17, L18(_) => 18,
            EvenNode(_) => 19, Node(_) => 20, L19(_) => 21, _ => -1,
        } }
    };
    let found: Vec<i32> = all_leaves(0).iter().map(value).collect();
    let expected: Vec<i32> = (0..19).chain([21]).collect();
    assert_eq!(found, expected);
    assert_eq!(
        (value(&Any::from(node(2))), value(&Any::from(sub(1)))),
        (19, 20)
    );
}

// spec: RUST-R33
#[test]
fn generic_instances_share_a_table_safely() {
    fn first_or<T>(value: &Any) -> i32
    where
        T: tvm_ffi::AnyCompatible + 'static,
    {
        match_any! { *value {
            T(_) => 100, L01(_) => 1, L02(_) => 2, L03(_) => 3, L04(_) => 4, L05(_) => 5,
            L06(_) => 6, L07(_) => 7, L08(_) => 8, L09(_) => 9, L10(_) => 10, L11(_) => 11,
            L12(_) => 12, L13(_) => 13, L14(_) => 14, L15(_) => 15, L16(_) => 16, L17(_) => 17,
            L18(_) => 18, L19(_) => 19, _ => -1,
        } }
    }
    let leaves = all_leaves(0);
    assert_eq!(first_or::<L00>(&leaves[0]), 100);
    assert_eq!(first_or::<L05>(&leaves[5]), 100);
    assert_eq!(first_or::<L00>(&leaves[5]), 5);
    assert_eq!(first_or::<L05>(&leaves[0]), -1);
    assert_eq!(first_or::<Node>(&Any::from(sub(1))), 100);
    assert_eq!(first_or::<Node>(&leaves[7]), 7);
}

// spec: RUST-R33
#[test]
fn tables_answer_for_their_list_only() {
    let (list, other) = (TypeId::of::<(u8,)>(), TypeId::of::<(u16,)>());
    let table = LeafLookupTable::build(list, &[300, 200, 300, 250]);
    assert_eq!(
        table.lookup(list, 300),
        Ok(Some(0 as ArmId)),
        "the first arm wins"
    );
    assert_eq!(table.lookup(list, 200), Ok(Some(1)));
    assert_eq!(table.lookup(list, 250), Ok(Some(3)));
    assert_eq!(table.lookup(list, 299), Ok(None));
    assert_eq!(table.lookup(other, 300), Err(()));
    assert!(Selected::Any.may_be(7) && !Selected::None.may_be(7));
}

// spec: RUST-R33
#[test]
fn lists_of_final_types_have_an_identity() {
    let exact = LeafPatternProbe::<(L00, (L01, ()))>::new();
    assert_eq!(
        exact.leaf_pattern_list_id(),
        Some(TypeId::of::<(L00, (L01, ()))>())
    );
    let mut indices = [0; 2];
    exact.fill_leaf_type_indices(&mut indices);
    assert_eq!(indices, [L00Obj::type_index(), L01Obj::type_index()]);
    let open = LeafPatternProbe::<(L00, (Node, ()))>::new();
    assert_eq!(open.leaf_pattern_list_id(), None);
    let step = LeafPatternProbe::<(AccessStep, ())>::new();
    assert!(step.leaf_pattern_list_id().is_some());
    let custom = LeafPatternProbe::<(EvenNode, ())>::new();
    assert_eq!((&custom).leaf_pattern_list_id(), None);
    assert_eq!(EvenNode::try_from(AnyView::from(&node(2))).unwrap().0, 2);
}
