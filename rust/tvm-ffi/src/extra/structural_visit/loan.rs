// SPDX-License-Identifier: Apache-2.0
//! A pointer to the traversal, stored in the object that a hook gets. The pointer is valid while
//! the hook runs.

use std::any::Any as Payload;
use std::cell::{Cell, UnsafeCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::NonNull;
use std::thread::{self, ThreadId};

use crate::error::{Error, Result, INTERNAL_ERROR, RUNTIME_ERROR};

/// A reference to `T` that becomes invalid when the hook returns. On every thread except the thread
/// of the traversal, each use returns an error.
pub(crate) struct Loan<T: ?Sized> {
    thread: ThreadId,
    /// `None` while a call uses the target, and after the hook has returned.
    target: Cell<Option<NonNull<T>>>,
    panic: UnsafeCell<Option<Box<dyn Payload + Send>>>,
}

impl<T: ?Sized> Loan<T> {
    /// Create a loan of `target`.
    ///
    /// # Safety
    ///
    /// The caller calls [`Loan::end_after`] while the target is alive. Until that call returns,
    /// other code does not use the target.
    pub(crate) unsafe fn new(target: NonNull<T>) -> Self {
        Loan {
            thread: thread::current().id(),
            target: Cell::new(Some(target)),
            panic: UnsafeCell::new(None),
        }
    }

    /// Run the hook, then end the loan. If a call of [`Loan::call`] panicked, continue this panic.
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
        // SAFETY: only the thread of the traversal uses the member `panic`. This code runs on that
        // thread, and no call of `Loan::call` is in progress.
        if let Some(panic) = unsafe { (*self.panic.get()).take() } {
            drop(result);
            resume_unwind(panic);
        }
        result
    }

    /// Call a function with the target. If the function panics, store the panic for
    /// [`Loan::end_after`].
    pub(crate) fn call<R>(&self, body: impl FnOnce(&mut T) -> Result<R>) -> Result<R> {
        if thread::current().id() != self.thread {
            let message = "A traversal was used on another thread than its own";
            return Err(Error::new(RUNTIME_ERROR, message, ""));
        }
        let Some(mut target) = self.target.take() else {
            let message = "A structural visitor or mutator was used outside of its traversal";
            return Err(Error::new(RUNTIME_ERROR, message, ""));
        };
        // SAFETY: the loan has not ended, and no other code uses the target while the cell is
        // `None`.
        let outcome = catch_unwind(AssertUnwindSafe(|| body(unsafe { target.as_mut() })));
        match outcome {
            Ok(result) => {
                self.target.set(Some(target));
                result
            }
            Err(panic) => {
                // The cell stays `None`, because the traversal cannot continue.
                // SAFETY: only this thread uses the member `panic`, and no reference to the member
                // is alive.
                unsafe { *self.panic.get() = Some(panic) };
                let message = "A callback of the traversal panicked";
                Err(Error::new(INTERNAL_ERROR, message, ""))
            }
        }
    }
}
