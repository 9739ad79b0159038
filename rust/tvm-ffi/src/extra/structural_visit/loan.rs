// SPDX-License-Identifier: Apache-2.0
//! What a hook may call while it runs: a part of a traversal, lent to the object that the hook gets.

use std::any::Any as Payload;
use std::cell::{Cell, UnsafeCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::NonNull;
use std::thread::{self, ThreadId};

use crate::error::{Error, Result, INTERNAL_ERROR, RUNTIME_ERROR};

/// A reference that ends when the hook has returned. Only the thread of the traversal may use it.
pub(crate) struct Loan<T: ?Sized> {
    thread: ThreadId,
    /// Empty while a call is in progress, and when the hook has returned.
    target: Cell<Option<NonNull<T>>>,
    panic: UnsafeCell<Option<Box<dyn Payload + Send>>>,
}

impl<T: ?Sized> Loan<T> {
    /// Lend a target.
    ///
    /// # Safety
    ///
    /// Nothing else uses the target until [`Loan::end_after`] returns, which the caller calls before
    /// the target ends.
    pub(crate) unsafe fn new(target: NonNull<T>) -> Self {
        Loan {
            thread: thread::current().id(),
            target: Cell::new(Some(target)),
            panic: UnsafeCell::new(None),
        }
    }

    /// Run the hook, then end the loan. If a call panicked, go on with the panic.
    pub(crate) fn end_after<R>(&self, hook: impl FnOnce() -> R) -> R {
        struct End<'a, T: ?Sized>(&'a Loan<T>);
        impl<T: ?Sized> Drop for End<'_, T> {
            fn drop(&mut self) {
                self.0.target.set(None);
            }
        }
        let end = End(self);
        let result = hook();
        drop(end);
        // SAFETY: this is the thread of the traversal, and no call is in progress.
        if let Some(panic) = unsafe { (*self.panic.get()).take() } {
            drop(result);
            resume_unwind(panic);
        }
        result
    }

    /// Call a function with the target. A panic is kept for [`Loan::end_after`].
    pub(crate) fn call<R>(&self, body: impl FnOnce(&mut T) -> Result<R>) -> Result<R> {
        if thread::current().id() != self.thread {
            let message = "A traversal was used on another thread than its own";
            return Err(Error::new(RUNTIME_ERROR, message, ""));
        }
        let Some(mut target) = self.target.take() else {
            let message = "A structural visitor or mutator was used outside of its traversal";
            return Err(Error::new(RUNTIME_ERROR, message, ""));
        };
        // SAFETY: the loan has not ended, and nothing else uses the target while the cell is empty.
        let outcome = catch_unwind(AssertUnwindSafe(|| body(unsafe { target.as_mut() })));
        match outcome {
            Ok(result) => {
                self.target.set(Some(target));
                result
            }
            Err(panic) => {
                // The cell stays empty: the traversal is over.
                // SAFETY: only this thread uses the payload, and no reference to it is alive.
                unsafe { *self.panic.get() = Some(panic) };
                let message = "A callback of the traversal panicked";
                Err(Error::new(INTERNAL_ERROR, message, ""))
            }
        }
    }
}
