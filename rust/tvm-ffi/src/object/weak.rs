// SPDX-License-Identifier: Apache-2.0
//! References that do not keep the value alive.

use std::ptr::NonNull;

use super::{unsafe_, ObjectArc, ObjectCore};

/// A weak reference: the memory of the object stays, but its value is dropped with the last strong
/// reference.
pub struct ObjectWeak<T: ObjectCore> {
    ptr: NonNull<T>,
}

impl<T: ObjectCore> ObjectWeak<T> {
    pub(super) fn new(reference: &ObjectArc<T>) -> Self {
        // SAFETY: the reference is strong.
        unsafe { unsafe_::inc_weak(ObjectArc::as_header(reference)) };
        ObjectWeak { ptr: reference.ptr }
    }

    /// Return a strong reference, or `None` if the value was dropped.
    pub fn upgrade(&self) -> Option<ObjectArc<T>> {
        // SAFETY: this reference is weak; with the lock the value is alive.
        unsafe {
            unsafe_::try_lock(self.ptr.as_ptr().cast())
                .then(|| ObjectArc::from_raw(self.ptr.as_ptr()))
        }
    }
}

impl<T: ObjectCore> Clone for ObjectWeak<T> {
    fn clone(&self) -> Self {
        // SAFETY: this reference is weak.
        unsafe { unsafe_::inc_weak(self.ptr.as_ptr().cast()) };
        ObjectWeak { ptr: self.ptr }
    }
}

impl<T: ObjectCore> Drop for ObjectWeak<T> {
    fn drop(&mut self) {
        // SAFETY: this reference is weak and not used again.
        unsafe { unsafe_::dec_weak(self.ptr.as_ptr().cast()) };
    }
}
