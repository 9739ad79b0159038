// SPDX-License-Identifier: Apache-2.0
//! Tests of `Map` and `Dict`, the immutable and the mutable map.

mod common;

use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Mutex;

use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::set_type_attr;
use tvm_ffi::{bail, def_object_ref, rs_class, Object, Result, TYPE_ERROR, VALUE_ERROR};
use tvm_ffi::{
    Any, AnyCompatible, AnyView, Array, Dict, Function, Map, ObjectCore, ObjectRefCore, String,
};

/// Return a map from the numbers below `count` to their squares.
fn squares(count: i64) -> Map<i64, i64> {
    (0..count).map(|i| (i, i * i)).collect()
}

/// Return the message of the panic of `action`.
fn panic_text<R>(action: impl FnOnce() -> R) -> std::string::String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(action)) else {
        panic!("no panic")
    };
    match (
        panic.downcast_ref::<&str>(),
        panic.downcast_ref::<std::string::String>(),
    ) {
        (Some(text), _) => text.to_string(),
        (_, Some(text)) => text.clone(),
        _ => panic!("the payload is not a text"),
    }
}

// spec: RUST-R18
#[test]
fn lookup_and_order_in_both_layouts() {
    for count in [0, 1, 2, 3, 4, 5, 8, 100, 1000] {
        let map = squares(count);
        assert_eq!(map.len() as i64, count);
        assert_eq!(map.is_empty(), count == 0);
        for i in 0..count {
            assert_eq!(map.get(&i).unwrap(), Some(i * i));
            assert!(map.contains_key(&i));
        }
        assert_eq!(map.get(&count).unwrap(), None);
        assert!(!map.contains_key(&-1));
        assert!(map.keys().eq(0..count));
        assert!(map.values().eq((0..count).map(|i| i * i)));
        assert!(map.iter().eq((0..count).map(|i| (i, i * i))));
        assert_eq!(map.iter().len() as i64, count);
        assert_eq!(map.try_iter().filter(Result::is_ok).count() as i64, count);
    }
}

// spec: RUST-R18
#[test]
fn the_last_of_equal_keys_wins() {
    let map: Map<String, i64> = [("a", 1), ("b", 2), ("a", 3)]
        .map(|(key, value)| (key.into(), value))
        .into();
    assert_eq!(map.len(), 2);
    assert_eq!(map.get(&"a".into()).unwrap(), Some(3));
    assert_eq!(format!("{map:?}"), "Map<String, i64>[2]");
    assert!(Map::<i64, i64>::default().is_empty());
}

// spec: RUST-R18
#[test]
fn conversions_share_or_rebuild() {
    let map = squares(10);
    let any = Any::from(map.clone());
    assert!(Map::<i64, i64>::try_from(any.clone())
        .unwrap()
        .same_as(&map));
    assert!(any.try_as::<Map<i64, f64>>().is_none());
    let floats = Map::<i64, f64>::try_from(any).unwrap();
    assert!(!floats.same_as(&map));
    assert_eq!(floats.get(&3).unwrap(), Some(9.0));
    let dict: Dict<i64, i64> = squares(5).iter().collect();
    let from_dict = Map::<i64, i64>::try_from(Any::from(dict)).unwrap();
    assert!(from_dict.iter().eq(squares(5).iter()));
    let hash_map = HashMap::<i64, i64>::try_from(map.clone()).unwrap();
    assert_eq!(hash_map[&9], 81);
    assert_eq!(Map::from(hash_map).get(&9).unwrap(), Some(81));
}

// spec: RUST-R18
#[test]
fn a_mismatch_names_the_part() {
    let map = Any::from(squares(2));
    let error = Map::<String, i64>::try_from(map.clone()).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `Map[some key is int, V]` to `Map<ffi.String, int>`"
    );
    let error = Map::<i64, String>::try_from(map).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `Map[K, some value is int]` to `Map<int, ffi.String>`"
    );
    let error = Map::<i64, i64>::try_from(Any::from(Array::<i64>::default())).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `ffi.Array` to `Map<int, int>`"
    );
    assert_eq!(
        Map::<String, Any>::type_schema(),
        r#"{"type":"ffi.Map","args":[{"type":"ffi.String"},{"type":"Any"}]}"#
    );
}

// spec: RUST-R18
#[test]
fn an_entry_of_another_type_panics_or_is_an_error() {
    // SAFETY: the test violates the condition intentionally: the values are integers.
    let map = unsafe { Map::<i64, String>::from_data(ObjectRefCore::into_data(squares(2))) };
    assert_eq!(
        panic_text(|| map.iter().count()),
        "map iterator: value does not match the map's value type"
    );
    assert_eq!(map.try_iter().filter(Result::is_err).count(), 2);
    assert_eq!(map.keys().count(), 2);
    assert_eq!(map.get(&1).unwrap_err().kind(), TYPE_ERROR);
}

// spec: RUST-R18
#[cfg(debug_assertions)]
#[test]
fn a_lookup_with_another_key_type_panics_in_debug_builds() {
    // SAFETY: the test violates the condition intentionally: the keys are integers.
    let map = unsafe { Map::<String, i64>::from_data(ObjectRefCore::into_data(squares(2))) };
    for text in [
        panic_text(|| map.get(&"a".into()).is_ok()),
        panic_text(|| map.contains_key(&"a".into())),
    ] {
        assert!(
            text.contains("does not match the map's stored key type"),
            "{text}"
        );
    }
}

// spec: RUST-R06
#[test]
fn maps_made_by_the_runtime_are_read_here() {
    let make = Function::get_global("ffi.Map").unwrap();
    let map = make.call_tuple(("a", 1i64, "b", 2i64)).unwrap();
    let map = Map::<String, i64>::try_from(map).unwrap();
    assert_eq!(map.values().sum::<i64>(), 3);
    // C++ has allocated the object; the address of the struct is a multiple of 8, as Rust requires.
    assert_eq!(std::ops::Deref::deref(&map) as *const _ as usize % 8, 0);
}

#[test]
fn iterators_hold_the_map() {
    let text = String::from("a counted text");
    let any = Any::from(text.clone());
    let map: Map<i64, String> = [(1, text)].into();
    let mut values = map.values();
    drop(map);
    assert_eq!(values.next().unwrap(), "a counted text");
    drop(values);
    assert_eq!(any.debug_strong_count(), Some(1));
}

#[test]
fn keys_of_any_type() {
    let keys = [
        Any::from(1i64),
        Any::from(true),
        Any::from(1.0f64),
        Any::from(String::from("1")),
    ];
    let map: Map<Any, i64> = keys.iter().cloned().zip(0..).collect();
    assert_eq!(map.len(), 4);
    for (key, expected) in keys.iter().zip(0..) {
        assert_eq!(map.get(key).unwrap(), Some(expected));
    }
    // Strings in the heap form (more than 7 bytes) are found by content, not by address.
    let long: Map<String, i64> = [("longer than seven".into(), 1), ("short".into(), 2)].into();
    assert_eq!(long.get(&"longer than seven".into()).unwrap(), Some(1));
}

#[test]
fn a_dict_is_changed_in_place() {
    let dict = Dict::<String, i64>::new();
    let other = dict.clone();
    for i in 0..20 {
        dict.set(format!("key {i}").into(), i).unwrap();
    }
    assert_eq!(other.len(), 20);
    assert_eq!(other.get(&"key 7".into()).unwrap(), Some(7));
    assert_eq!(other.remove(&"key 7".into()).unwrap(), Some(7));
    assert_eq!(dict.remove(&"key 7".into()).unwrap(), None);
    assert!(!dict.contains_key(&"key 7".into()));
    assert_eq!(dict.values().map(Result::unwrap).sum::<i64>(), 190 - 7);
    assert_eq!(dict.keys().len(), 19);
    dict.extend([("key 1".into(), 100)]).unwrap();
    assert_eq!(dict.get(&"key 1".into()).unwrap(), Some(100));
    dict.clear().unwrap();
    assert!(other.is_empty());
    assert_eq!(format!("{dict:?}"), "Dict<String, i64>[0]");
}

#[test]
fn iteration_over_a_dict_does_not_see_changes() {
    let dict: Dict<i64, i64> = [(1, 10), (2, 20)].into();
    for entry in &dict {
        let (key, value) = entry.unwrap();
        dict.set(key + 100, value).unwrap();
        dict.remove(&key).unwrap();
    }
    let mut keys: Vec<i64> = dict.keys().map(Result::unwrap).collect();
    keys.sort();
    assert_eq!(keys, [101, 102]);
    assert_eq!(dict.iter().rev().count(), 2);
}

#[test]
fn a_value_of_another_type_stays_in_the_dict() {
    let dict: Dict<i64, Any> = Dict::new();
    dict.set(1, Any::from(1i64)).unwrap();
    let numbers = Dict::<i64, i64>::try_from(Any::from(dict.clone())).unwrap();
    assert!(numbers.same_as(&dict));
    dict.set(1, Any::from(String::from("text"))).unwrap();
    assert_eq!(numbers.get(&1).unwrap_err().kind(), TYPE_ERROR);
    assert_eq!(numbers.remove(&1).unwrap_err().kind(), TYPE_ERROR);
    assert_eq!(numbers.len(), 1);
    assert!(numbers.iter().next().unwrap().is_err());
    let error = Dict::<i64, i64>::try_from(Any::from(dict)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `Dict[K, some value is ffi.SmallStr]` to `Dict<int, int>`"
    );
}

#[test]
fn dicts_and_maps_as_arguments() {
    let size = Function::get_global("ffi.MapSize").unwrap();
    assert_eq!(
        i64::try_from(size.call_tuple((squares(3),)).unwrap()).unwrap(),
        3
    );
    let count = Function::from_typed(|dict: Dict<i64, i64>| Ok(dict.len() as i64));
    let dict: Dict<i64, i64> = squares(7).iter().collect();
    assert_eq!(
        i64::try_from(count.call_tuple((&dict,)).unwrap()).unwrap(),
        7
    );
    let views = [AnyView::from(&dict)];
    assert_eq!(views[0].debug_strong_count(), Some(1));
    assert_eq!(HashMap::<i64, i64>::try_from(dict).unwrap().len(), 7);
}

/// Return the next number of a linear congruential generator.
fn random(state: &mut u64, below: u64) -> u64 {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) % below
}

#[test]
fn random_operations_equal_those_of_a_hash_map() {
    let mut state = 11;
    for keys in [3, 5, 20, 300] {
        let (dict, mut model) = (Dict::<i64, i64>::new(), HashMap::new());
        for step in 0..3000 {
            let key = random(&mut state, keys) as i64;
            if random(&mut state, 3) == 0 {
                assert_eq!(dict.remove(&key).unwrap(), model.remove(&key));
            } else {
                dict.set(key, step).unwrap();
                model.insert(key, step);
            }
            assert_eq!(dict.len(), model.len());
            assert_eq!(dict.get(&key).unwrap(), model.get(&key).copied());
            if step % 100 == 0 {
                assert_eq!(HashMap::try_from(dict.clone()).unwrap(), model);
                let map = Map::<i64, i64>::try_from(Any::from(dict.clone())).unwrap();
                assert!(map.iter().eq(dict.iter().map(Result::unwrap)));
            }
        }
        // A new key is added at the end.
        dict.set(-1, 0).unwrap();
        assert_eq!(dict.keys().last().unwrap().unwrap(), -1);
    }
}

// spec: RUST-R40
#[test]
fn a_hook_that_fails_to_hash_a_key_is_an_error() {
    let counter = common::Counter::default();
    let keys: Vec<_> = (0..6).map(|i| common::Counted::new(i, &counter)).collect();
    let hash =
        Function::from_packed(|_: &[AnyView]| -> Result<Any> { bail!(VALUE_ERROR, "no hash") });
    let type_index = <common::Counted as ObjectRefCore>::ContainerType::type_index();
    let attribute = tvm_ffi::tvm_ffi_sys::TVMFFIByteArray::new(b"__any_hash__".as_ptr(), 12);
    // SAFETY: the name and the value are read only during the call.
    let code = unsafe {
        let hash = AnyView::from(&hash);
        tvm_ffi::tvm_ffi_sys::TVMFFITypeRegisterAttr(type_index, &attribute, hash.as_raw_ffi_any())
    };
    assert_eq!(code, 0);
    let entries = || keys.iter().cloned().zip(0i64..);
    let error = Map::try_from_entries(entries()).unwrap_err();
    assert_eq!((error.kind(), error.message()), (VALUE_ERROR, "no hash"));
    assert_eq!(
        panic_text(|| entries().collect::<Map<_, _>>().len()),
        "no hash"
    );
    assert_eq!(
        Dict::try_from_entries(entries()).unwrap_err().kind(),
        VALUE_ERROR
    );
    let dict = Dict::new();
    assert_eq!(dict.extend(entries()).unwrap_err().kind(), VALUE_ERROR);
    assert_eq!(dict.len(), 4, "a small dict does not hash its keys");
    let numbers: Dict<i64, i64> = (0..10).map(|i| (i, i)).collect();
    let numbers = Dict::<Any, i64>::try_from(Any::from(numbers)).unwrap();
    let key = Any::from(keys[0].clone());
    assert_eq!(numbers.get(&key).unwrap_err().kind(), VALUE_ERROR);
    assert!(!numbers.contains_key(&key));
    assert_eq!(numbers.remove(&key).unwrap_err().kind(), VALUE_ERROR);
    assert_eq!(numbers.len(), 10);
    drop((dict, key, keys));
    assert_eq!(common::alive(&counter), 0);
}

#[rs_class("rust.map.Key")]
struct KeyObj {
    base: Object,
    value: i64,
}
def_object_ref!(Key, ObjectRef, KeyObj);

/// The iteration that the next hash of a key runs to its end.
static ITERATION: Mutex<Option<Function>> = Mutex::new(None);

/// Several threads may call the function of an iteration, and a hook of a key may call it again.
#[test]
fn a_hook_that_calls_its_iteration_does_not_move_it_beyond_the_end() {
    const ADVANCE: i32 = 2;
    let hash = Function::from_typed(|key: Key| {
        let iteration = ITERATION.lock().unwrap().take();
        while let Some(iteration) = &iteration {
            if !bool::try_from(iteration.call_tuple((ADVANCE,))?)? {
                break;
            }
        }
        Ok(key.value)
    });
    set_type_attr(KeyObj::type_index(), "__any_hash__", &Any::from(hash)).unwrap();
    let keys: Vec<Key> = (0..10)
        .map(|i| KeyObj::new(Object::new(), i).into())
        .collect();
    let dict = Dict::from_iter(keys.iter().cloned().zip(0..));
    let iteration = Function::get_global("ffi.DictForwardIterFunctor").unwrap();
    let iteration: Function = iteration.call_tuple((&dict,)).unwrap().try_into().unwrap();
    for key in &keys[1..9] {
        dict.remove(key).unwrap();
    }
    *ITERATION.lock().unwrap() = Some(iteration.clone());
    assert!(bool::try_from(iteration.call_tuple((ADVANCE,)).unwrap()).unwrap());
    let last: i64 = iteration.call_tuple((1,)).unwrap().try_into().unwrap();
    assert_eq!(last, 9);
    assert!(!bool::try_from(iteration.call_tuple((ADVANCE,)).unwrap()).unwrap());
    assert!(iteration.call_tuple((0,)).is_err());
}
