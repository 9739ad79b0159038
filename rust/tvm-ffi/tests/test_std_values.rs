// SPDX-License-Identifier: Apache-2.0
//! `Vec`, `HashMap`, tuples and `std::string::String` as values, parameters and results.

use std::collections::HashMap;

use tvm_ffi::function_internal::type_schema_of;
use tvm_ffi::{Any, Array, Dict, Function, List, Map, String as FfiString};
use tvm_ffi::{Result, OVERFLOW_ERROR, TYPE_ERROR};

fn message<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("no error"),
        Err(error) => {
            assert_eq!(error.kind(), TYPE_ERROR);
            error.message().to_string()
        }
    }
}

#[test]
fn vectors_are_arrays() {
    let any = Any::from(vec![1i64, 2]);
    assert_eq!(any.type_index(), tvm_ffi::TypeIndex::kTVMFFIArray as i32);
    assert_eq!(Vec::<i64>::try_from(any).unwrap(), [1, 2]);
    let nested = Any::from(vec![vec!["a".to_string()], vec![]]);
    assert_eq!(
        Vec::<Vec<String>>::try_from(nested).unwrap(),
        [vec!["a".to_string()], vec![]]
    );
    let list = Any::from(List::from([true, false]));
    assert_eq!(Vec::<i64>::try_from(list).unwrap(), [1, 0]);
}

#[test]
fn hash_maps_are_maps() {
    let any = Any::from(HashMap::from([("a".to_string(), vec![1.5f64])]));
    assert_eq!(any.type_index(), tvm_ffi::TypeIndex::kTVMFFIMap as i32);
    let map = HashMap::<String, Vec<f64>>::try_from(any).unwrap();
    assert_eq!(map["a"], [1.5]);
    let dict = Any::from(Dict::<i64, i64>::from([(1, 2)]));
    assert_eq!(HashMap::<i64, i64>::try_from(dict).unwrap()[&1], 2);
}

#[test]
fn tuples_are_arrays_of_fixed_length() {
    let any = Any::from((1i64, "x".to_string(), vec![2.5f64]));
    let array = any.try_as::<Array<Any>>().unwrap();
    assert_eq!(array.len(), 3);
    let (number, text, floats) = <(i64, String, Vec<f64>)>::try_from(any.clone()).unwrap();
    assert_eq!(
        (number, text.as_str(), floats.as_slice()),
        (1, "x", &[2.5] as &[f64])
    );
    assert_eq!(
        message(<(i64, String)>::try_from(any)),
        "Cannot convert from type `ffi.Array` to `Tuple<int, ffi.String>`"
    );
    let list = Any::from(List::from([1i64, 2]));
    assert!(message(<(i64, i64)>::try_from(list)).ends_with("to `Tuple<int, int>`"));
}

#[test]
fn texts_are_copied() {
    assert_eq!(String::try_from(Any::from("text")).unwrap(), "text");
    assert_eq!(
        Any::from("a longer text".to_string()).debug_strong_count(),
        Some(1)
    );
    assert_eq!(
        message(String::try_from(Any::from(1i64))),
        "Cannot convert from type `int` to `ffi.String`"
    );
}

#[test]
fn mismatches_name_the_part() {
    let mixed = Any::from((1i64, vec![Any::from(1i64), Any::from("x")]));
    assert_eq!(
        message(<(i64, Vec<i64>)>::try_from(mixed)),
        "Cannot convert from type `Array[index 1: Array[index 1: ffi.SmallStr]]` \
         to `Tuple<int, Array<int>>`"
    );
    let map = Any::from(Map::<i64, i64>::from([(1, 2)]));
    assert_eq!(
        message(HashMap::<String, i64>::try_from(map.clone())),
        "Cannot convert from type `Map[some key is int, V]` to `Map<ffi.String, int>`"
    );
    assert_eq!(
        message(HashMap::<i64, String>::try_from(map)),
        "Cannot convert from type `Map[K, some value is int]` to `Map<int, ffi.String>`"
    );
    assert_eq!(
        message(Vec::<i64>::try_from(Any::from(1i64))),
        "Cannot convert from type `int` to `Array<int>`"
    );
    let error = Vec::<u8>::try_from(Any::from(vec![300i64])).unwrap_err();
    assert_eq!(error.kind(), OVERFLOW_ERROR);
}

// spec: RUST-R23
#[test]
fn functions_take_and_return_them() {
    let count_words = |text: String, skipped: Vec<String>, least: (i64, i64)| {
        let mut counts = HashMap::<String, i64>::new();
        for word in text
            .split(' ')
            .filter(|word| !skipped.iter().any(|skip| skip == word))
        {
            *counts.entry(word.to_string()).or_default() += 1;
        }
        counts.retain(|_, count| (least.0..=least.1).contains(count));
        Ok(counts)
    };
    assert_eq!(
        type_schema_of(&count_words),
        concat!(
            r#"{"type":"ffi.Function","named_args":{"return":[{"type":"ffi.Map","args":"#,
            r#"[{"type":"ffi.String"},{"type":"int"}]}],"params":[{"type":"ffi.String"},"#,
            r#"{"type":"ffi.Array","args":[{"type":"ffi.String"}]},"#,
            r#"{"type":"Tuple","args":[{"type":"int"},{"type":"int"}]}]}}"#
        )
    );
    let function = Function::from_typed(count_words);
    let skipped = vec!["the".to_string()];
    let counts = function
        .call_tuple(("the cat and the dog and", skipped, (2i64, 9i64)))
        .unwrap();
    let counts = HashMap::<FfiString, i64>::try_from(counts).unwrap();
    assert_eq!(counts, HashMap::from([("and".into(), 2)]));
    let result = function.call_tuple(("x", 1i64, (1i64, 2i64)));
    let message = message(result);
    let expected = "Argument #1: Cannot convert from type `int` to `Array<ffi.String>`";
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn signatures_in_errors_have_the_types_of_the_runtime() {
    let f = Function::from_typed(|words: Vec<FfiString>, _: HashMap<FfiString, (i64, f64)>| {
        Ok((words, 1.5))
    });
    let error = f.call_tuple(()).unwrap_err();
    let signature = "(0: Array<ffi.String>, 1: Map<ffi.String, Tuple<int, float>>) -> \
                     Tuple<Array<ffi.String>, float>`";
    assert!(error.message().ends_with(signature), "{error}");
}
