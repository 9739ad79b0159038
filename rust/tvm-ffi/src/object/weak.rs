// SPDX-License-Identifier: Apache-2.0
//! [`ObjectWeak`]: a reference that does not keep the value alive.

use std::ptr::NonNull;

use super::{unsafe_, ObjectArc, ObjectCore};

/// A weak reference. It keeps the memory of the object allocated, but it does not keep the value
/// alive: the value is dropped when the last strong reference is released.
pub struct ObjectWeak<T: ObjectCore> {
    ptr: NonNull<T>,
}

impl<T: ObjectCore> ObjectWeak<T> {
    pub(super) fn new(reference: &ObjectArc<T>) -> Self {
        // SAFETY: `reference` is a strong reference.
        unsafe { unsafe_::inc_weak(ObjectArc::as_header(reference)) };
        ObjectWeak { ptr: reference.ptr }
    }

    /// Return a strong reference, or `None` if the value was dropped.
    pub fn upgrade(&self) -> Option<ObjectArc<T>> {
        // SAFETY: `self` is a weak reference. If `try_lock` returns true, the value is alive.
        unsafe {
            unsafe_::try_lock(self.ptr.as_ptr().cast())
                .then(|| ObjectArc::from_raw(self.ptr.as_ptr()))
        }
    }
}

impl<T: ObjectCore> Clone for ObjectWeak<T> {
    fn clone(&self) -> Self {
        // SAFETY: `self` is a weak reference.
        unsafe { unsafe_::inc_weak(self.ptr.as_ptr().cast()) };
        ObjectWeak { ptr: self.ptr }
    }
}

impl<T: ObjectCore> Drop for ObjectWeak<T> {
    fn drop(&mut self) {
        // SAFETY: `self` is a weak reference, and is not used again.
        unsafe { unsafe_::dec_weak(self.ptr.as_ptr().cast()) };
    }
}

impl<T: ObjectCore> std::fmt::Debug for ObjectWeak<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(Weak)")
    }
}
