// SPDX-License-Identifier: Apache-2.0
//! Types that may move between threads, and reference counts that several threads change.
// The tests check constants on purpose.
#![allow(clippy::assertions_on_constants)]

mod common;

use std::sync::Barrier;
use std::thread;

use common::{alive, CountedObj, Counter};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{Any, AnyView, Bytes, Error, Function, ObjectArc, String, VALUE_ERROR};

/// Provides `SHARED`, which is true if `T` is `Send` and `Sync`: in this case the inherent constant
/// hides the constant of the trait `Not`.
struct Probe<T>(std::marker::PhantomData<T>);
trait Not {
    const SHARED: bool = false;
}
impl<T> Not for Probe<T> {}
impl<T: Send + Sync> Probe<T> {
    const SHARED: bool = true;
}

// spec: RUST-R40
#[test]
fn only_types_whose_content_allows_it_are_shared() {
    assert!(Probe::<String>::SHARED);
    assert!(Probe::<Bytes>::SHARED);
    assert!(Probe::<Error>::SHARED);
    assert!(Probe::<Function>::SHARED);
    assert!(!Probe::<Any>::SHARED);
    assert!(!Probe::<AnyView>::SHARED);
    assert!(!Probe::<ObjectRef>::SHARED);
    assert!(!Probe::<ObjectArc<CountedObj>>::SHARED);
}

// spec: RUST-R44
#[test]
fn threads_share_strings_errors_and_functions() {
    let text = String::from("a text on the heap");
    let error = Error::new(VALUE_ERROR, "bad", "");
    let f = Function::from_typed(|n: i64| Ok(n + 1));
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        for i in 0..4 {
            let (text, error, f, barrier) = (&text, &error, &f, &barrier);
            scope.spawn(move || {
                barrier.wait();
                for n in 0..200 {
                    let (text, error, f) = (text.clone(), error.clone(), f.clone());
                    assert_eq!((text.len(), error.message()), (18, "bad"));
                    assert_eq!(
                        i64::try_from(f.call_tuple((n + i,)).unwrap()).unwrap(),
                        n + i + 1
                    );
                }
            });
        }
    });
    assert_eq!(AnyView::from(&text).debug_strong_count(), Some(1));
    assert_eq!(AnyView::from(&error).debug_strong_count(), Some(1));
    assert_eq!(AnyView::from(&f).debug_strong_count(), Some(1));
}

#[test]
fn weak_references_race_with_the_last_drop() {
    /// A wrapper that makes the references of this test `Send`.
    struct Shared<T>(T);
    // SAFETY: the objects of this test contain an atomic counter and a number, which threads may
    // share.
    unsafe impl<T> Send for Shared<T> {}
    impl<T> Shared<T> {
        fn get(&self) -> &T {
            &self.0
        }
        fn into(self) -> T {
            self.0
        }
    }
    for _ in 0..200 {
        let counter = Counter::default();
        let object = ObjectArc::new(CountedObj::new(7, &counter));
        let weak = Shared(ObjectArc::downgrade(&object));
        let object = Shared(object);
        let barrier = &Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(move || {
                barrier.wait();
                drop(object.into());
            });
            scope.spawn(move || {
                barrier.wait();
                if let Some(object) = weak.get().upgrade() {
                    assert_eq!(object.value, 7);
                }
            });
        });
        assert_eq!(alive(&counter), 0);
    }
}
