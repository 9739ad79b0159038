// SPDX-License-Identifier: Apache-2.0
//! Tests of `List`, the mutable sequence.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use tvm_ffi::{Any, Array, Error, Function, List, ObjectRefCore, Result, String};
use tvm_ffi::{AnyCompatible, AnyView, INDEX_ERROR, OVERFLOW_ERROR, TYPE_ERROR};

fn contents(list: &List<i64>) -> Vec<i64> {
    list.iter().map(Result::unwrap).collect()
}

/// Check that the result is an `IndexError` for the operation `what`, with a reason.
fn assert_out_of_bound<T: std::fmt::Debug>(result: Result<T>, what: &str, reason: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), INDEX_ERROR);
    let message = format!("List {what} index out of bound: {reason}");
    assert_eq!(error.message(), message);
}

// spec: RUST-R17
#[test]
fn get_set_and_ends() {
    let list = List::from([1i64, 2, 3]);
    assert_eq!((list.len(), list.is_empty()), (3, false));
    assert_eq!(list.get(1).unwrap(), 2);
    list.set(1, 20).unwrap();
    assert_eq!(contents(&list), [1, 20, 3]);
    assert_eq!((list.first().unwrap(), list.last().unwrap()), (1, 3));
    assert_out_of_bound(list.get(3), "get", "the index is 3, the length is 3");
    assert_out_of_bound(list.set(3, 0), "set", "the index is 3, the length is 3");
    let empty = List::<i64>::new();
    assert_out_of_bound(empty.first(), "first", "the list is empty");
    assert_out_of_bound(empty.last(), "last", "the list is empty");
    assert_out_of_bound(empty.pop(), "pop", "the list is empty");
    assert_eq!(format!("{list:?}"), "List<i64>[3]");
}

// spec: RUST-R17
#[test]
fn push_insert_and_remove() {
    let list = List::default();
    for i in 0..10i64 {
        list.push(i).unwrap();
    }
    assert!(list.capacity() >= 10);
    list.insert(0, -1).unwrap();
    list.insert(11, 10).unwrap();
    assert_out_of_bound(
        list.insert(13, 0),
        "insert",
        "the index is 13, and may be at most the length 12",
    );
    assert_eq!(list.remove(0).unwrap(), -1);
    assert_eq!(list.pop().unwrap(), 10);
    assert_out_of_bound(
        list.remove(10),
        "remove",
        "the index is 10, the length is 10",
    );
    list.insert_many(2, [100, 200]).unwrap();
    assert_out_of_bound(
        list.insert_many(99, [1]),
        "insert_many",
        "the index is 99, and may be at most the length 12",
    );
    assert_eq!(contents(&list), [0, 1, 100, 200, 2, 3, 4, 5, 6, 7, 8, 9]);
    list.remove_range(1, 4).unwrap();
    list.remove_range(9, 9).unwrap();
    assert_out_of_bound(
        list.remove_range(5, 4),
        "remove_range",
        "the range is 5..4, the length is 9",
    );
    assert_out_of_bound(
        list.remove_range(0, 10),
        "remove_range",
        "the range is 0..10, the length is 9",
    );
    list.truncate(4);
    list.truncate(9);
    assert_eq!(contents(&list), [0, 2, 3, 4]);
    list.extend([5, 6]).unwrap();
    list.reverse();
    assert_eq!(contents(&list), [6, 5, 4, 3, 2, 0]);
    list.resize(2, 0).unwrap();
    list.resize(4, 7).unwrap();
    assert_eq!(contents(&list), [6, 5, 7, 7]);
    let capacity = list.capacity();
    list.clear();
    assert_eq!((list.len(), list.capacity()), (0, capacity));
}

// spec: RUST-R17
#[test]
fn growth_doubles_the_memory() {
    let list = List::new();
    let mut capacities = Vec::new();
    for i in 0..100i64 {
        list.push(i).unwrap();
        if capacities.last() != Some(&list.capacity()) {
            capacities.push(list.capacity());
        }
    }
    assert!(
        capacities.windows(2).all(|pair| pair[1] >= 2 * pair[0]),
        "{capacities:?}"
    );
    list.reserve(200).unwrap();
    assert!(list.capacity() >= 300);
    let error = list.reserve(usize::MAX).unwrap_err();
    assert_eq!(error.kind(), OVERFLOW_ERROR);
    let error = list.reserve(isize::MAX as usize / 8).unwrap_err();
    assert_eq!(error.kind(), OVERFLOW_ERROR);
    assert_eq!(list.len(), 100);
}

// spec: RUST-R17
#[test]
fn clones_and_the_runtime_share_the_list() {
    let list = List::from([1i64]);
    let other = list.clone();
    let append = Function::get_global("ffi.ListAppend").unwrap();
    append.call_tuple((&list, 2i64)).unwrap();
    assert_eq!(contents(&other), [1, 2]);
    let any = Any::from(list.clone());
    let again = List::<i64>::try_from(any).unwrap();
    assert!(again.same_as(&list));
    let pop = Function::get_global("ffi.ListPop").unwrap();
    assert_eq!(
        i64::try_from(pop.call_tuple((&again, 1i64)).unwrap()).unwrap(),
        2
    );
    assert_eq!(contents(&list), [1]);
}

// spec: RUST-R17
#[test]
fn other_elements_are_converted_into_a_new_list() {
    let array = Array::new(vec![1i64, 2]);
    let list = List::<i64>::try_from(Any::from(array)).unwrap();
    assert_eq!(contents(&list), [1, 2]);
    let mixed = List::from([Any::from(true), Any::from(4i64)]);
    let converted = List::<i64>::try_from(Any::from(mixed.clone())).unwrap();
    assert!(!converted.same_as(&mixed));
    assert_eq!(contents(&converted), [1, 4]);
    mixed.push(Any::from(String::from("no"))).unwrap();
    let error = List::<i64>::try_from(Any::from(mixed)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `List[index 2: ffi.SmallStr]` to `List<int>`"
    );
    assert_eq!(Vec::try_from(converted).unwrap(), [1, 4]);
    assert_eq!(
        List::<f32>::type_schema(),
        r#"{"type":"ffi.List","args":[{"type":"float"}]}"#
    );
}

// spec: RUST-R17
#[test]
fn an_element_of_another_type_stays_in_the_list() {
    let list = List::from([1i64, 2]);
    let view = List::<Any>::try_from(Any::from(list.clone())).unwrap();
    view.push(Any::from(2.5f64)).unwrap();
    assert_eq!(list.pop().unwrap_err().kind(), TYPE_ERROR);
    assert_eq!(list.remove(2).unwrap_err().kind(), TYPE_ERROR);
    let error = list.get(2).unwrap_err();
    let message = "Failed to cast element at 2 to int: Cannot convert from type `float` to `int`";
    assert_eq!(error.message(), message);
    assert_eq!(list.len(), 3);
    assert_eq!(list.iter().filter(Result::is_err).count(), 1);
    // A boolean converts to an integer, so `pop` accepts it.
    view.push(Any::from(true)).unwrap();
    assert_eq!(list.pop().unwrap(), 1);
    assert_eq!(list.len(), 3);
}

// spec: RUST-R17
#[test]
fn iteration_sees_changes() {
    let list = List::from([1i64, 2, 3]);
    let mut seen = Vec::new();
    for element in &list {
        let element = element.unwrap();
        seen.push(element);
        if list.len() < 6 {
            list.push(element * 10).unwrap();
        }
    }
    assert_eq!(seen, [1, 2, 3, 10, 20, 30]);
    let mut elements = list.iter();
    assert_eq!(elements.next().unwrap().unwrap(), 1);
    list.truncate(1);
    assert!(elements.next().is_none());
}

// spec: RUST-R17
#[test]
fn iteration_from_the_back_pins_the_end() {
    let list = List::from([1i64, 2, 3]);
    let mut elements = list.iter().rev();
    assert_eq!(elements.next().unwrap().unwrap(), 3);
    list.push(4).unwrap();
    assert_eq!(elements.next().unwrap().unwrap(), 2);
    list.truncate(1);
    assert_eq!(elements.next().unwrap().unwrap(), 1);
    assert!(elements.next().is_none());
    let mut both = List::from([1i64, 2, 3]).iter();
    assert_eq!(both.next_back().unwrap().unwrap(), 3);
    assert_eq!(both.next().unwrap().unwrap(), 1);
    assert_eq!(both.next().unwrap().unwrap(), 2);
    assert!(both.next().is_none() && both.next_back().is_none());
}

/// The state of a closure that is an element of a list; `list` is the address of this list. When
/// the state is dropped, it pushes a new element onto the list.
struct PushOnDrop {
    list: usize,
    dropped: Arc<AtomicUsize>,
}

impl Drop for PushOnDrop {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the tests keep the list alive, and drop the elements on the same thread.
        let list = unsafe { &*(self.list as *const List<Any>) };
        list.push(Any::from(1i64)).unwrap();
    }
}

/// Return a function whose destructor pushes an element onto the list.
fn push_on_drop(list: &List<Any>, dropped: &Arc<AtomicUsize>) -> Any {
    let state = PushOnDrop {
        list: list as *const _ as usize,
        dropped: dropped.clone(),
    };
    Any::from(Function::from_packed(move |_: &[AnyView]| {
        let state = &state;
        Ok(Any::from(state.list as i64))
    }))
}

// spec: RUST-R17
#[test]
fn destructors_of_elements_may_use_the_list() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let list = List::<Any>::new();
    let fill = || {
        list.clear();
        list.clear();
        for _ in 0..4 {
            list.push(push_on_drop(&list, &dropped)).unwrap();
        }
    };
    /// A name, and a function that drops elements.
    type Action = (&'static str, fn(&List<Any>));
    let actions: [Action; 6] = [
        ("clear", |list| list.clear()),
        ("truncate", |list| list.truncate(1)),
        ("set", |list| list.set(2, Any::new()).unwrap()),
        ("remove", |list| drop(list.remove(0).unwrap())),
        ("pop", |list| drop(list.pop().unwrap())),
        ("remove_range", |list| list.remove_range(1, 3).unwrap()),
    ];
    for (name, action) in actions {
        fill();
        let before = dropped.load(Ordering::Relaxed);
        action(&list);
        let count = dropped.load(Ordering::Relaxed) - before;
        assert!(count > 0, "{name} drops elements");
        let pushed = list
            .iter()
            .filter(|e| e.as_ref().unwrap().try_as::<i64>() == Some(1));
        assert_eq!(pushed.count(), count, "after {name}");
    }
    list.clear();
    list.clear();
    assert!(list.is_empty());
}

// spec: RUST-R17
#[test]
fn an_iterator_that_changes_the_list_is_finished_before_the_insertion() {
    let list = List::from([1i64, 2]);
    let other = list.clone();
    let values = (0..3).inspect(|i| other.push(i * 100).unwrap());
    list.insert_many(1, values).unwrap();
    assert_eq!(contents(&list), [1, 0, 1, 2, 2, 0, 100, 200]);
}

#[test]
fn elements_are_released() {
    let text = String::from("a counted text");
    let any = Any::from(text.clone());
    let before = any.debug_strong_count().unwrap();
    let list = List::from(vec![text.clone(); 5]);
    drop(list.remove(0));
    drop(list.pop());
    list.set(0, String::from("b")).unwrap();
    assert_eq!(any.debug_strong_count(), Some(before + 2));
    list.reverse();
    list.truncate(1);
    assert_eq!(any.debug_strong_count(), Some(before + 1));
    drop(list);
    assert_eq!(any.debug_strong_count(), Some(before));
}

#[test]
fn errors_are_values() -> Result<(), Error> {
    let list = List::from([1i64]);
    let sum: i64 = list.iter().sum::<Result<i64>>()?;
    assert_eq!(sum, 1);
    Ok(())
}

/// Return the next number of a linear congruential generator.
fn random(state: &mut u64, below: usize) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize % below
}

#[test]
fn random_operations_equal_those_of_a_vector() {
    let mut state = 5;
    let (list, mut model) = (List::<i64>::new(), Vec::new());
    for step in 0..20_000i64 {
        let i = random(&mut state, model.len() + 1);
        let j = i + random(&mut state, model.len() - i + 1);
        match random(&mut state, 8) {
            0 | 1 => {
                list.push(step).unwrap();
                model.push(step);
            }
            2 => {
                list.insert(i, step).unwrap();
                model.insert(i, step);
            }
            3 => {
                list.insert_many(i, [step, -step]).unwrap();
                model.splice(i..i, [step, -step]);
            }
            4 if i < model.len() => assert_eq!(list.remove(i).unwrap(), model.remove(i)),
            5 => assert_eq!(list.pop().ok(), model.pop()),
            6 if j - i < 5 => {
                list.remove_range(i, j).unwrap();
                model.drain(i..j);
            }
            7 if i < model.len() => {
                list.set(i, step).unwrap();
                model[i] = step;
            }
            _ => {
                list.reverse();
                model.reverse();
            }
        }
        assert_eq!(list.len(), model.len());
        if step % 500 == 0 {
            assert_eq!(list.to_vec().unwrap(), model);
        }
    }
    assert_eq!(contents(&list), model);
}
