// SPDX-License-Identifier: Apache-2.0
//! Safe programs whose threads use the same objects.
//!
//! Each program ends with an intact heap; Valgrind and the sanitizers check that too.

use std::sync::Barrier;
use std::thread;

use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{get_type_attr, set_type_attr, EnumDef};
use tvm_ffi::{
    def_object_ref, rs_class, Any, Dict, Error, Function, List, Object, ObjectCore, ObjectDef,
    ObjectRefCast, String, VALUE_ERROR,
};

const THREADS: i64 = 4;

/// The number of steps of each thread.
const STEPS: i64 = 1_000;

/// Run `step` on four threads that start at the same time, with the numbers of thread and step.
fn on_threads(step: impl Fn(i64, i64) + Sync) {
    let barrier = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (step, barrier) = (&step, &barrier);
            scope.spawn(move || {
                barrier.wait();
                (0..STEPS).for_each(|i| step(thread, i));
            });
        }
    });
}

#[rs_class("rust.test.sound.Unit", final, reflection = unit_methods)]
pub struct UnitObj {
    base: Object,
    seen: List<Any>,
    names: Dict<String, Any>,
}

def_object_ref!(pub Unit, ObjectRef, UnitObj);

fn unit_methods(def: &mut ObjectDef<UnitObj>) {
    def.as_enum();
}

/// A value with a reference count.
fn text(i: i64) -> Any {
    Any::from(String::from(format!("the text of number {i}")))
}

/// Do one of the operations that change or read a list. The threads may see any elements, but each
/// element is a text.
fn use_list(list: &List<Any>, thread: i64, i: i64) {
    let is_text = |value: Any| assert!(value.try_as::<String>().is_some());
    match (thread + i) % 12 {
        0..=3 => list.push(text(i)).unwrap(),
        4 => list.pop().map_or((), is_text),
        5 => list.get(0).map_or((), is_text),
        6 => list
            .iter()
            .take(20)
            .for_each(|value| is_text(value.unwrap())),
        7 => drop(list.insert(0, text(i))),
        8 => list.extend([text(i), text(i + 1)]).unwrap(),
        9 => list.reverse(),
        10 if list.len() > 200 => list.truncate(100),
        10 => drop(list.remove(list.len() / 2)),
        _ => {
            drop(list.set(0, text(i)));
            let typed = List::<String>::try_from(Any::from(list.clone())).unwrap();
            drop(typed.last());
        }
    }
}

/// Do one of the operations that change or read a dict.
fn use_dict(dict: &Dict<String, Any>, thread: i64, i: i64) {
    let key = String::from(format!("the key {}", i % 50));
    let is_text = |value: Any| assert!(value.try_as::<String>().is_some());
    match (thread + i) % 10 {
        0..=4 => dict.set(key, text(i)).unwrap(),
        5 => dict.get(&key).unwrap().map_or((), is_text),
        6 => dict.remove(&key).unwrap().map_or((), is_text),
        7 => dict.values().for_each(|value| is_text(value.unwrap())),
        8 if i % 100 == 8 => dict.clear().unwrap(),
        8 => assert!(dict.len() <= 50),
        _ => drop(Dict::<String, String>::try_from(Any::from(dict.clone())).unwrap()),
    }
}

// spec: RUST-R40
#[test]
fn threads_change_the_containers_of_an_enum_entry() {
    let unit = Unit::from(UnitObj::new(Object::new(), List::new(), Dict::new()));
    EnumDef::add("A", unit).unwrap();
    on_threads(|thread, i| {
        let unit = EnumDef::<Unit>::get("A").unwrap();
        use_list(&unit.seen, thread, i);
        use_dict(&unit.names, thread, i);
    });
}

// spec: RUST-R40
#[test]
fn threads_change_a_list_that_is_a_type_attribute() {
    let index = UnitObj::type_index();
    set_type_attr(
        index,
        "rust.test.sound.list",
        &Any::from(List::<Any>::new()),
    )
    .unwrap();
    on_threads(|thread, i| {
        let list = get_type_attr(index, "rust.test.sound.list").unwrap();
        use_list(&list.try_into().unwrap(), thread, i);
    });
}

// spec: RUST-R40
#[test]
fn threads_change_the_context_of_an_error() {
    let context = ObjectRef::from(List::<Any>::new());
    let error =
        Error::new_with_cause_and_extra_context(VALUE_ERROR, "bad", "", None, Some(&context));
    drop(context);
    on_threads(|thread, i| {
        let list: List<Any> = error.extra_context().unwrap().try_cast().unwrap();
        use_list(&list, thread, i);
    });
}

// spec: RUST-R40
#[test]
fn two_functions_change_a_list_at_the_same_time() {
    let push = Function::from_typed(|list: List<Any>| {
        (0..20).for_each(|i| list.push(text(i)).unwrap());
        Ok(())
    });
    let pop = Function::from_typed(|list: List<Any>| {
        (0..40).for_each(|_| drop(list.pop()));
        Ok(())
    });
    let name = "rust.test.sound.shared";
    let index = UnitObj::type_index();
    set_type_attr(index, name, &Any::from(List::<Any>::new())).unwrap();
    on_threads(|thread, _| {
        let list = get_type_attr(index, name).unwrap();
        let function = if thread % 2 == 0 { &push } else { &pop };
        function.call_packed(&[(&list).into()]).unwrap();
    });
}

// spec: RUST-R40
#[cfg(unix)]
#[test]
fn a_forked_process_frees_the_locks_that_threads_leaked() {
    use std::sync::atomic::{AtomicBool, Ordering};
    extern "C" {
        fn alarm(seconds: u32) -> u32;
        fn fork() -> i32;
        fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
        fn _exit(status: i32) -> !;
    }
    let is_over = AtomicBool::new(false);
    let mut statuses = Vec::new();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let list: List<i64> = (0..10_000).collect();
                while !is_over.load(Ordering::Relaxed) {
                    list.reverse();
                }
            });
        }
        for _ in 0..20 {
            thread::sleep(std::time::Duration::from_millis(1));
            // SAFETY: the child only uses lists of its own, and ends.
            unsafe {
                let child = fork();
                if child == 0 {
                    alarm(10);
                    let lists: Vec<List<i64>> = (0..1_000).map(|_| List::new()).collect();
                    lists.iter().for_each(|list| list.push(1).unwrap());
                    _exit(0);
                }
                let mut status = -1;
                waitpid(child, &mut status, 0);
                statuses.push(status);
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(statuses, [0; 20]);
}
