// SPDX-License-Identifier: Apache-2.0
//! Conversion of panics to errors.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe};
use std::sync::Once;

use crate::error::{line_of, Error, Result, INTERNAL_ERROR};

thread_local! {
    /// The place of the last panic of this thread, as a backtrace line.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

static INSTALLED: Once = Once::new();

/// Install a panic hook that records the places of panics. The hook also calls the former hook, so
/// that the message of each panic is still printed.
///
/// Code that creates a function or registers a type calls `record_places`. Calls of the function
/// and accesses to fields of the type come later, so they need not call `record_places`.
#[inline]
pub(crate) fn record_places() {
    if !INSTALLED.is_completed() {
        install_hook();
    }
}

#[cold]
fn install_hook() {
    if std::thread::panicking() {
        // A thread must not change the hook while it panics.
        return;
    }
    INSTALLED.call_once(|| {
        let former = take_hook();
        set_hook(Box::new(move |info| {
            let line = info.location().map(|at| line_of(at, "<panic>"));
            // Ignore the error: if the thread is exiting, `PLACE` may be destroyed already.
            let _ = PLACE.try_with(|place| {
                if let Ok(mut place) = place.try_borrow_mut() {
                    *place = line;
                }
            });
            former(info);
        }));
    });
}

/// Run a function, and convert a panic to an `InternalError` with the text of the panic. If
/// `record_places` was called before, the backtrace has the place of the panic.
#[inline]
pub(crate) fn catch<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(panic) => Err(error_of(panic)),
    }
}

/// Run a destructor, and discard its panic.
pub(crate) fn ignore(body: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(body)) {
        drop_payload(panic);
    }
}

#[cold]
fn error_of(panic: Box<dyn Any + Send>) -> Error {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "the payload is not a text",
    };
    let place = PLACE.take().unwrap_or_default();
    let error = Error::new(INTERNAL_ERROR, &format!("panicked: {text}"), &place);
    drop_payload(panic);
    error
}

/// Drop the payload of a panic. If the destructor of the payload panics too, the second payload
/// leaks.
fn drop_payload(panic: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(second);
    }
}

/// Run the body of a C function and return the status. If the body fails or panics, store the error
/// as the raised error of this thread.
pub(crate) fn guarded(body: impl FnOnce() -> Result<()>) -> i32 {
    match catch(body) {
        Ok(()) => 0,
        Err(error) => {
            Error::set_raised(&error);
            -1
        }
    }
}
