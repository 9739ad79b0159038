// SPDX-License-Identifier: Apache-2.0
//! [`Writable`]: a field that other code may assign.

use std::cell::UnsafeCell;
use std::fmt;

use super::field::FieldValue;
use crate::shared_lock::{lock_field, Guard};
use crate::type_traits::ContainerElement;

/// A field of an object that other code may assign while Rust code uses the object.
///
/// It has the layout of a `T`. A `&T` would change under its holder, so [`get`](Writable::get)
/// returns a copy, and [`set`](Writable::set) replaces the value. Both, and the getter and the
/// setter that other languages call, lock the field.
///
/// ```
/// use tvm_ffi::{rs_class, Object, String, Writable};
///
/// #[rs_class("my_library.Counter")]
/// struct CounterObj {
///     base: Object,
///     /// Python can assign this field too.
///     #[reflect(writable, default = "none")]
///     label: Writable<String>,
///     /// Only Rust code assigns this field.
///     count: Writable<i64>,
/// }
///
/// let counter = CounterObj::new(Object::new(), "red", 1);
/// counter.count.set(counter.count.get() + 1);
/// assert_eq!((counter.label.get().as_str(), counter.count.get()), ("red", 2));
/// ```
///
/// A class of C++ or Python does not lock its fields. It must not assign a field while Rust code on
/// another thread calls `get` or `set`.
#[repr(transparent)]
pub struct Writable<T>(UnsafeCell<T>);

impl<T> Writable<T> {
    /// Make a field with this value.
    pub const fn new(value: T) -> Self {
        Writable(UnsafeCell::new(value))
    }

    /// Return the value of a field that is not shared.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }

    /// Return the value of a field that is not shared.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }

    fn lock(&self) -> Guard {
        lock_field(self.0.get().cast())
    }
}

impl<T: FieldValue<Value = T>> Writable<T> {
    /// Return a copy of the value.
    #[inline]
    pub fn get(&self) -> T {
        let _guard = self.lock();
        // SAFETY: all code that uses the field holds the lock. `copy` does not use the field again.
        unsafe { (*self.0.get()).copy() }
    }

    /// Replace the value.
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Replace the value, and return the former one.
    pub fn replace(&self, value: T) -> T {
        let _guard = self.lock();
        // SAFETY: all code that uses the field holds the lock.
        unsafe { self.0.get().replace(value) }
    }
}

// SAFETY: the struct is `repr(transparent)`, and `locked` locks.
unsafe impl<T: FieldValue<Value = T> + ContainerElement> FieldValue for Writable<T> {
    type Value = T;
    const IS_LOCKED: bool = true;
    unsafe fn is_undefined(field: *const Self) -> bool {
        // SAFETY: the caller meets the conditions of this function.
        unsafe { T::is_undefined(field.cast()) }
    }
    fn copy(&self) -> T {
        self.get()
    }
    fn into_value(self) -> T {
        self.into_inner()
    }
    fn locked<R>(field: *const Self, run: impl FnOnce() -> R) -> R {
        let _guard = lock_field(field.cast());
        run()
    }
}

impl<T> From<T> for Writable<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for Writable<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: FieldValue<Value = T>> Clone for Writable<T> {
    fn clone(&self) -> Self {
        Self::new(self.get())
    }
}

impl<T: FieldValue<Value = T> + fmt::Debug> fmt::Debug for Writable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A type that a field with the flag `writable` may have: [`Writable`]. With the feature `compat`,
/// every type of a reflected field.
///
/// # Safety
///
/// Code that holds a reference to a field of the type does not notice an assignment.
#[diagnostic::on_unimplemented(
    message = "a writable field of an object cannot be a plain `{Self}`, because other code may assign it \
               while Rust code borrows it: declare it as `tvm_ffi::Writable<{Self}>`",
    note = "`Writable` has the methods `get`, which copies the value, and `set`"
)]
pub unsafe trait WritableField {}

#[cfg(not(feature = "compat"))]
// SAFETY: the type is `Writable`.
unsafe impl<T> WritableField for Writable<T> {}

#[cfg(feature = "compat")]
// SAFETY: the feature leaves this condition to the program.
unsafe impl<T: FieldValue> WritableField for T {}
