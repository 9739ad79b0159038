// SPDX-License-Identifier: Apache-2.0
//! Object types that count their live values, and functions that use the testing library.
#![allow(dead_code)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once, OnceLock};

use tvm_ffi::object::{unsafe_, ObjectArc};
use tvm_ffi::tvm_ffi_sys::{
    TVMFFIByteArray, TVMFFIObject, TVMFFITestingDummyTarget, TVMFFITypeGetOrAllocIndex,
};
use tvm_ffi::{Function, Object, ObjectCore, ObjectCoreWithExtraItems};

/// Link the testing library, which registers functions and types for tests.
pub fn load_testing() {
    static LOADED: Once = Once::new();
    LOADED.call_once(|| {
        // SAFETY: the function has no arguments.
        assert_eq!(unsafe { TVMFFITestingDummyTarget() }, 0);
    });
    assert!(Function::get_global("testing.echo").is_ok());
}

/// Return a function of the testing library.
pub fn testing_function(name: &str) -> Function {
    load_testing();
    Function::get_global(name).unwrap()
}

/// Return the type index for a type key. The first call registers the type.
pub fn type_index(key: &str, depth: i32, parent: i32) -> i32 {
    // SAFETY: the key is read only during the call.
    let index = unsafe {
        TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::from_str(key), -1, depth, 0, 1, parent)
    };
    assert!(index >= 128, "{key} was not registered");
    index
}

/// The number of live values.
pub type Counter = Arc<AtomicUsize>;

/// Return the number of live values.
pub fn alive(counter: &Counter) -> usize {
    counter.load(Ordering::SeqCst)
}

/// Implement `ObjectCore` for a struct with the given parent and type key.
macro_rules! object_type {
    ($name:ident, $parent:ty, $key:literal) => {
        // SAFETY: the first field is the parent, and the registration uses the same parent.
        unsafe impl ObjectCore for $name {
            const TYPE_KEY: &'static str = $key;
            const TYPE_DEPTH: i32 = <$parent>::TYPE_DEPTH + 1;
            fn type_index() -> i32 {
                static INDEX: OnceLock<i32> = OnceLock::new();
                *INDEX.get_or_init(|| type_index($key, Self::TYPE_DEPTH, <$parent>::type_index()))
            }
            unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
                // SAFETY: the called function has the same conditions, and the caller meets them.
                unsafe { <$parent>::object_header_mut(&mut this.base) }
            }
        }
    };
}

/// An object that is counted while it is alive.
#[repr(C)]
pub struct CountedObj {
    base: Object,
    pub value: i64,
    counter: Counter,
}

object_type!(CountedObj, Object, "rust.test.Counted");

impl CountedObj {
    pub fn new(value: i64, counter: &Counter) -> Self {
        counter.fetch_add(1, Ordering::SeqCst);
        CountedObj {
            base: Object::new(),
            value,
            counter: counter.clone(),
        }
    }
}

impl Drop for CountedObj {
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A reference to a [`CountedObj`].
#[repr(C)]
#[derive(Clone)]
pub struct Counted {
    data: ObjectArc<CountedObj>,
}

tvm_ffi::impl_object_ref!(Counted, CountedObj);

impl Counted {
    pub fn new(value: i64, counter: &Counter) -> Self {
        Counted {
            data: ObjectArc::new(CountedObj::new(value, counter)),
        }
    }

    pub fn value(&self) -> i64 {
        self.data.value
    }

    pub fn strong_count(&self) -> usize {
        ObjectArc::strong_count(&self.data)
    }
}

/// A type derived from [`CountedObj`].
#[repr(C)]
pub struct DerivedObj {
    pub base: CountedObj,
    pub extra: i64,
}

object_type!(DerivedObj, CountedObj, "rust.test.Derived");

/// A reference to a [`DerivedObj`].
#[repr(C)]
#[derive(Clone)]
pub struct Derived {
    data: ObjectArc<DerivedObj>,
}

tvm_ffi::impl_object_ref!(Derived, DerivedObj);
tvm_ffi::impl_object_upcast!(Derived => Counted, Derived => tvm_ffi::object::ObjectRef);

impl Derived {
    pub fn new(value: i64, extra: i64, counter: &Counter) -> Self {
        let base = CountedObj::new(value, counter);
        Derived {
            data: ObjectArc::new(DerivedObj { base, extra }),
        }
    }
}

/// An object that is followed by items.
#[repr(C)]
pub struct ItemsObj {
    base: Object,
    count: usize,
    counter: Counter,
}

object_type!(ItemsObj, Object, "rust.test.Items");

// SAFETY: the count does not change.
unsafe impl ObjectCoreWithExtraItems for ItemsObj {
    type ExtraItem = u32;
    fn extra_items_count(this: &Self) -> usize {
        this.count
    }
}

impl Drop for ItemsObj {
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::SeqCst);
    }
}

impl ItemsObj {
    pub fn new(count: usize, counter: &Counter) -> Self {
        counter.fetch_add(1, Ordering::SeqCst);
        ItemsObj {
            base: Object::new(),
            count,
            counter: counter.clone(),
        }
    }
}

/// Create a second strong reference from the address of the object.
pub fn second_reference<T: ObjectCore>(reference: &ObjectArc<T>) -> ObjectArc<T> {
    // SAFETY: the object is alive; the new reference belongs to the result.
    unsafe {
        let raw = ObjectArc::as_raw(reference);
        unsafe_::inc_ref(raw.cast_mut().cast());
        ObjectArc::from_raw(raw)
    }
}
