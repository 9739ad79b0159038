// SPDX-License-Identifier: Apache-2.0
//! Tests of reference counts, casts, and identity of objects.

mod common;

use std::collections::HashSet;
use std::mem::size_of;

use common::{
    alive, second_reference, Counted, CountedObj, Counter, Derived, DerivedObj, ItemsObj,
};
use tvm_ffi::object::{is_instance_of, ObjectRef};
use tvm_ffi::{
    Any, AnyView, Error, Function, Object, ObjectArc, ObjectCore, ObjectCoreWithExtraItems,
    ObjectIdentity, ObjectRefCast, ObjectRefCore, TYPE_ERROR,
};

// spec: RUST-R04
#[test]
fn a_new_object_has_one_reference_of_each_kind() {
    let counter = Counter::default();
    let object = ObjectArc::new(CountedObj::new(7, &counter));
    assert_eq!(
        (
            ObjectArc::strong_count(&object),
            ObjectArc::weak_count(&object)
        ),
        (1, 1)
    );
    assert_eq!(object.value, 7);
    assert_eq!(alive(&counter), 1);
    drop(object);
    assert_eq!(alive(&counter), 0);
}

// spec: RUST-R04
#[test]
fn clones_count_and_the_last_drop_destroys_once() {
    let counter = Counter::default();
    let object = ObjectArc::new(CountedObj::new(7, &counter));
    let copy = object.clone();
    let third = second_reference(&object);
    assert_eq!(ObjectArc::strong_count(&copy), 3);
    drop(object);
    drop(third);
    assert_eq!((ObjectArc::strong_count(&copy), alive(&counter)), (1, 1));
    drop(copy);
    assert_eq!(alive(&counter), 0);
}

// spec: RUST-R04
#[test]
fn weak_references_keep_the_memory_but_not_the_value() {
    let counter = Counter::default();
    let object = ObjectArc::new(CountedObj::new(7, &counter));
    let weak = ObjectArc::downgrade(&object);
    let copy = weak.clone();
    assert_eq!(ObjectArc::weak_count(&object), 3);
    assert_eq!(weak.upgrade().map(|object| object.value), Some(7));
    drop(object);
    assert_eq!(alive(&counter), 0);
    assert!(weak.upgrade().is_none());
    drop(weak);
    assert!(copy.upgrade().is_none());
}

// spec: RUST-R04
#[test]
fn items_follow_the_struct_and_outlive_the_value_for_weak_holders() {
    let counter = Counter::default();
    for count in [0, 1, 1000] {
        let mut object = ObjectArc::new_with_extra_items(ItemsObj::new(count, &counter));
        // SAFETY: the code only assigns items, which follow the object.
        let items = unsafe { ItemsObj::extra_items_mut(ObjectArc::get_mut(&mut object).unwrap()) };
        assert!(items.iter().all(|item| *item == 0));
        items.fill(3);
        // SAFETY: `new_with_extra_items` has created the object.
        assert_eq!(unsafe { ItemsObj::extra_items(&object) }, vec![3; count]);
        let weak = ObjectArc::downgrade(&object);
        drop(object);
        assert_eq!(alive(&counter), 0);
        assert!(weak.upgrade().is_none());
    }
}

// spec: RUST-R05
#[test]
fn an_optional_reference_is_one_pointer() {
    assert_eq!(
        size_of::<Option<ObjectArc<CountedObj>>>(),
        size_of::<usize>()
    );
    assert_eq!(size_of::<Option<ObjectRef>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Function>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Error>>(), size_of::<usize>());
}

// spec: RUST-R03
#[test]
fn object_structs_have_the_sizes_of_c() {
    assert_eq!(size_of::<Object>(), 24);
    assert_eq!(size_of::<tvm_ffi::function::FunctionObj>(), 40);
    assert_eq!(size_of::<tvm_ffi::error::ErrorObj>(), 96);
    assert_eq!(size_of::<tvm_ffi::string::StringObj>(), 40);
    assert_eq!(size_of::<tvm_ffi::string::BytesObj>(), 40);
}

#[test]
fn only_a_unique_object_can_be_written() {
    let counter = Counter::default();
    let mut object = ObjectArc::new(CountedObj::new(7, &counter));
    // SAFETY: the code only assigns one field.
    unsafe { ObjectArc::get_mut(&mut object) }.unwrap().value = 8;
    let copy = object.clone();
    assert!(!ObjectArc::is_unique(&object));
    // SAFETY: here and below, the code does not assign anything.
    assert!(unsafe { ObjectArc::get_mut(&mut object) }.is_none());
    drop(copy);
    let weak = ObjectArc::downgrade(&object);
    assert!(!ObjectArc::is_unique(&object));
    assert!(unsafe { ObjectArc::get_mut(&mut object) }.is_none());
    drop(weak);
    assert!(ObjectArc::is_unique(&object));
    assert_eq!(unsafe { ObjectArc::get_mut(&mut object) }.unwrap().value, 8);
}

#[test]
fn a_panic_in_a_destructor_ends_there() {
    struct Loud;
    impl Drop for Loud {
        fn drop(&mut self) {
            panic!("expected by the test");
        }
    }
    let guard = Loud;
    let function = Function::from_packed(move |_| {
        let _ = &guard;
        Ok(Any::new())
    });
    drop(function);
}

// spec: RUST-R06
#[test]
fn the_runtime_holds_and_frees_objects_of_rust() {
    let counter = Counter::default();
    let array = Function::get_global("ffi.Array").unwrap();
    let object = Counted::new(5, &counter);
    let holder = array.call_tuple((&object, &object)).unwrap();
    assert_eq!(object.strong_count(), 3);
    drop(object);
    assert_eq!(alive(&counter), 1);
    let get = Function::get_global("ffi.ArrayGetItem").unwrap();
    let back = Counted::try_from(get.call_tuple((&holder, 1)).unwrap()).unwrap();
    assert_eq!((back.value(), back.strong_count()), (5, 3));
    drop(holder);
    assert_eq!((back.strong_count(), alive(&counter)), (1, 1));
    drop(back);
    assert_eq!(alive(&counter), 0);
}

// spec: RUST-R06
#[test]
fn rust_holds_and_frees_objects_of_the_runtime() {
    let array = Function::get_global("ffi.Array").unwrap();
    let value = array.call_tuple((1, 2, 3)).unwrap();
    assert_eq!(value.debug_strong_count(), Some(1));
    let reference = ObjectRef::try_from(value).unwrap();
    let copy = reference.clone();
    assert_eq!(ObjectArc::strong_count(ObjectRef::data(&copy)), 2);
    drop(reference);
    assert_eq!(ObjectArc::strong_count(ObjectRef::data(&copy)), 1);
}

// spec: RUST-R07
#[test]
fn instances_are_those_of_the_type_and_of_derived_types() {
    let (base, derived) = (CountedObj::type_index(), DerivedObj::type_index());
    assert!(is_instance_of::<Object>(base) && is_instance_of::<Object>(derived));
    assert!(is_instance_of::<CountedObj>(derived) && !is_instance_of::<DerivedObj>(base));
    assert!(!is_instance_of::<CountedObj>(ItemsObj::type_index()));
    for index in [0, 1, 13, -1, i32::MIN] {
        assert!(!is_instance_of::<Object>(index), "{index}");
    }
    assert!(!is_instance_of::<CountedObj>(i32::MAX));
}

// spec: RUST-R07
#[test]
fn nodes_are_borrowed_without_counting() {
    let counter = Counter::default();
    let object = ObjectRef::from(Derived::new(1, 2, &counter));
    let node = object.as_node::<DerivedObj>().unwrap();
    assert_eq!((node.base.value, node.extra), (1, 2));
    assert_eq!(object.as_node::<CountedObj>().unwrap().value, 1);
    assert!(object.as_node::<ItemsObj>().is_none());
    assert_eq!(ObjectArc::strong_count(ObjectRef::data(&object)), 1);
}

// spec: RUST-R07
#[test]
fn casts_go_up_and_down_without_counting() {
    let counter = Counter::default();
    let derived = Derived::new(1, 2, &counter);
    let base: Counted = derived.try_cast().unwrap();
    assert_eq!(base.strong_count(), 1);
    let derived: Derived = base.try_cast().unwrap();
    assert_eq!(alive(&counter), 1);
    let object: ObjectRef = (&derived).into();
    assert!(object.same_as(&derived));
    assert_eq!(ObjectArc::strong_count(ObjectRef::data(&object)), 2);
}

// spec: RUST-R07
#[test]
fn a_failed_cast_names_both_types_and_drops_the_reference() {
    let counter = Counter::default();
    let error = Counted::new(1, &counter)
        .try_cast::<Derived>()
        .err()
        .unwrap();
    assert_eq!(error.kind(), TYPE_ERROR);
    let message = "Cannot convert from type `rust.test.Counted` to `rust.test.Derived`";
    assert_eq!(error.message(), message);
    assert_eq!(alive(&counter), 0);
}

#[derive(tvm_ffi::derive::ObjectRef, Clone)]
struct Items(ObjectArc<ItemsObj>);

// The structs implement `ObjectCore` themselves, so the compiler does not know their ancestors.
tvm_ffi::impl_object_upcast!(Counted => Items);

#[test]
fn an_upcast_to_an_unrelated_class_panics_before_the_object_is_read() {
    let counter = Counter::default();
    for _ in 0..2 {
        let counted = Counted::new(1, &counter);
        let failure = std::panic::catch_unwind(|| Items::from(&counted)).err();
        let text = *failure.unwrap().downcast::<std::string::String>().unwrap();
        let expected =
            "`rust.test.Counted` is not registered as a type that derives from `rust.test.Items`";
        assert_eq!(text, expected);
    }
    assert_eq!(alive(&counter), 0);
}

// spec: RUST-R12
#[test]
fn an_unknown_type_index_is_an_error() {
    let mut raw = tvm_ffi::TVMFFIAny::new();
    for index in [33, 100, 1_000_000] {
        raw.type_index = index;
        // SAFETY: no code reads the payload of the value.
        let view = unsafe { AnyView::from_raw_ffi_any(raw) };
        let error = i64::try_from(view).unwrap_err();
        let message = format!("Cannot convert from type `<unknown type index {index}>` to `int`");
        assert_eq!(
            (error.kind(), error.message()),
            (TYPE_ERROR, message.as_str())
        );
        assert!(Counted::try_from(view).is_err());
    }
}

#[test]
fn identities_are_keys_by_address() {
    let counter = Counter::default();
    let (a, b) = (Counted::new(1, &counter), Counted::new(1, &counter));
    let keys: HashSet<_> = [&a, &b, &a.clone()]
        .into_iter()
        .map(ObjectIdentity::of::<Counted>)
        .collect();
    assert_eq!((keys.len(), a.strong_count()), (2, 2));
    drop((a, b));
    assert_eq!(alive(&counter), 2);
    drop(keys);
    assert_eq!(alive(&counter), 0);
}

/// One link of a chain, in which each link owns the next one.
#[repr(C)]
#[derive(tvm_ffi::derive::Object)]
#[type_key = "rust.test.Link"]
#[type_register]
struct LinkObj {
    base: Object,
    next: Option<ObjectArc<LinkObj>>,
    counter: common::Counter,
}

impl Drop for LinkObj {
    fn drop(&mut self) {
        self.counter
            .fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

fn chain_of(length: usize, counter: &common::Counter) -> ObjectArc<LinkObj> {
    let mut next = None;
    for _ in 0..length {
        next = Some(ObjectArc::new(LinkObj {
            base: Object::new(),
            next: next.take(),
            counter: counter.clone(),
        }));
    }
    next.unwrap()
}

// In an earlier version, the release of a long chain overflowed the stack.
#[test]
fn a_long_chain_is_released_on_a_small_stack() {
    let counter = common::Counter::default();
    let links = 300_000;
    let dropped = counter.clone();
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || {
            let mut chain = chain_of(links, &dropped);
            // Hold weak references to the first 200 links. Some of these links are released late.
            let mut weak = Vec::new();
            let mut link = &chain;
            for _ in 0..200 {
                weak.push(ObjectArc::downgrade(link));
                link = link.next.as_ref().unwrap();
            }
            drop(std::mem::replace(&mut chain, chain_of(1, &dropped)));
            assert!(weak.iter().all(|link| link.upgrade().is_none()));
        })
        .unwrap()
        .join()
        .unwrap();
    assert_eq!(common::alive(&counter), links + 1);
}
