// SPDX-License-Identifier: Apache-2.0
//! Comparison, hash, copy, text form and JSON form of graphs of values.

use tvm_ffi::extra::{
    deep_copy, from_json_graph, from_json_graph_str, get_first_structural_mismatch, json_parse,
    json_stringify, recursive_eq, recursive_hash, recursive_lt, repr, structural_equal,
    structural_equal_with, structural_hash, structural_hash_with, to_json_graph, to_json_graph_str,
};
use tvm_ffi::{Any, Array, Dict, Function, List, Map, ObjectRefCore, String, Tensor};
use tvm_ffi::{TYPE_ERROR, VALUE_ERROR};

/// Return a graph with every kind of container.
fn graph(last: i64) -> Map<String, Any> {
    [
        ("array".into(), Array::new(vec![1i64, 2, last]).into()),
        ("list".into(), List::from([1.5f64]).into()),
        (
            "dict".into(),
            Dict::<String, i64>::from([("x".into(), 1)]).into(),
        ),
        ("text".into(), String::from("a text of some length").into()),
        ("none".into(), Any::new()),
    ]
    .into()
}

#[test]
fn equality_and_hash_follow_the_structure() {
    let (a, same, other) = (graph(3), graph(3), graph(4));
    assert!(structural_equal(&a, &same).unwrap());
    assert!(!structural_equal(&a, &other).unwrap());
    assert_eq!(
        structural_hash(&a).unwrap(),
        structural_hash(&same).unwrap()
    );
    assert_ne!(
        structural_hash(&a).unwrap(),
        structural_hash(&other).unwrap()
    );
    assert!(structural_equal(&1i64, &1i64).unwrap());
    assert!(!structural_equal(&1i64, &1.0f64).unwrap());
}

#[test]
fn the_first_mismatch_has_a_path_on_each_side() {
    assert!(
        get_first_structural_mismatch(&graph(3), &graph(3), false, false)
            .unwrap()
            .is_none()
    );
    let paths = get_first_structural_mismatch(&graph(3), &graph(4), false, false).unwrap();
    let (left, right) = paths.unwrap();
    let (left, right) = (repr(&left).unwrap(), repr(&right).unwrap());
    assert!(left.contains("array") && left.contains('2'), "{left:?}");
    assert_eq!(left, right);
}

#[test]
fn tensor_content_may_be_skipped() {
    let a = Array::new(vec![Tensor::from_slice(&[1.0f32, 2.0], &[2]).unwrap()]);
    let b = Array::new(vec![Tensor::from_slice(&[1.0f32, 9.0], &[2]).unwrap()]);
    assert!(!structural_equal(&a, &b).unwrap());
    assert!(structural_equal_with(&a, &b, false, true).unwrap());
    let hash = |value| structural_hash_with(value, false, true).unwrap();
    assert_eq!(hash(&a), hash(&b));
    assert_ne!(structural_hash(&a).unwrap(), structural_hash(&b).unwrap());
}

#[test]
fn a_type_without_a_structure_is_an_error() {
    let function = Function::from_typed(|| Ok(1i64));
    assert_eq!(structural_hash(&function).unwrap_err().kind(), TYPE_ERROR);
}

#[test]
fn content_is_compared_and_ordered() {
    let (a, same, larger) = (
        Array::new(vec![1i64, 2]),
        Array::new(vec![1i64, 2]),
        Array::new(vec![1i64, 3]),
    );
    assert!(recursive_eq(&a, &same).unwrap());
    assert!(!recursive_eq(&a, &larger).unwrap());
    assert!(recursive_lt(&a, &larger).unwrap());
    assert_eq!(recursive_hash(&a).unwrap(), recursive_hash(&same).unwrap());
}

#[test]
fn a_copy_shares_nothing_that_changes() {
    let list = List::from([Any::from(List::from([1i64]))]);
    let copy = List::<Any>::try_from(deep_copy(&list).unwrap()).unwrap();
    assert!(!copy.same_as(&list));
    let inner = List::<i64>::try_from(copy.get(0).unwrap()).unwrap();
    inner.push(2).unwrap();
    assert_eq!(
        List::<i64>::try_from(list.get(0).unwrap()).unwrap().len(),
        1
    );
}

#[test]
fn text_is_that_of_python() {
    assert_eq!(repr(&Array::new(vec![1i64, 2])).unwrap(), "(1, 2)");
    assert_eq!(repr(&List::from([String::from("a")])).unwrap(), "[\"a\"]");
    assert_eq!(repr(&Any::new()).unwrap(), "None");
}

#[test]
fn graphs_round_trip_through_json() {
    let value = graph(3);
    let text = to_json_graph_str(&value, &()).unwrap();
    assert!(structural_equal(&from_json_graph_str(&text).unwrap(), &value).unwrap());
    let json = to_json_graph(&value, &String::from("written by a test")).unwrap();
    assert!(structural_equal(&from_json_graph(&json).unwrap(), &value).unwrap());
    assert!(json_stringify(&json, None)
        .unwrap()
        .contains("written by a test"));
    assert!(from_json_graph_str("{}").is_err());
    assert!(from_json_graph_str("not JSON").is_err());
}

#[test]
fn shared_objects_stay_shared_through_json() {
    let inner = List::from([1i64]);
    let outer = Array::new(vec![inner.clone(), inner]);
    let text = to_json_graph_str(&outer, &()).unwrap();
    let again: Array<List<i64>> = from_json_graph_str(&text).unwrap().try_into().unwrap();
    assert!(again.get(0).unwrap().same_as(&again.get(1).unwrap()));
}

#[test]
fn json_text_is_parsed_and_written() {
    let value = json_parse(r#"{"a": [1, 2.5, null, true, "x"]}"#).unwrap();
    let map: Map<String, Array<Any>> = value.clone().try_into().unwrap();
    assert_eq!(map.get(&"a".into()).unwrap().unwrap().len(), 5);
    assert_eq!(
        json_stringify(&value, None).unwrap(),
        r#"{"a":[1,2.5,null,true,"x"]}"#
    );
    assert!(json_stringify(&value, Some(2))
        .unwrap()
        .contains("\n  \"a\""));
    let error = json_parse("{").unwrap_err();
    assert_eq!(error.kind(), VALUE_ERROR);
}
