// SPDX-License-Identifier: Apache-2.0
//! Panics of callbacks as errors.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe};
use std::sync::Once;

use crate::error::{backtrace_line, Error, Result, INTERNAL_ERROR};

thread_local! {
    /// Where the last panic of this thread was.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

static INSTALLED: Once = Once::new();

/// Record the places of panics. The former hook still runs, so that programs keep their output.
///
/// Whoever makes a function or describes a type calls this, so that calls and field accesses need
/// not.
#[inline]
pub(crate) fn record_places() {
    if !INSTALLED.is_completed() {
        install_hook();
    }
}

#[cold]
fn install_hook() {
    if std::thread::panicking() {
        // A thread that panics must not change the hook.
        return;
    }
    INSTALLED.call_once(|| {
        let former = take_hook();
        set_hook(Box::new(move |info| {
            let line = info
                .location()
                .map(|at| backtrace_line(at.file(), at.line(), "<panic>"));
            // The thread may be at its end, where thread-local variables are gone.
            let _ = PLACE.try_with(|place| {
                if let Ok(mut place) = place.try_borrow_mut() {
                    *place = line;
                }
            });
            former(info);
        }));
    });
}

/// Run a function; a panic is an `InternalError` with its text, and its place in the backtrace if
/// `record_places` was called.
#[inline]
pub(crate) fn catch<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(panic) => Err(error_of(panic)),
    }
}

/// Run a destructor; a panic ends here.
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

/// Drop the payload of a panic, whose destructor may panic too: the second payload leaks.
fn drop_payload(panic: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(second);
    }
}

/// Run the body of a C function; raise its error or panic, and return the status.
pub(crate) fn guarded(body: impl FnOnce() -> Result<()>) -> i32 {
    match catch(body) {
        Ok(()) => 0,
        Err(error) => {
            Error::set_raised(&error);
            -1
        }
    }
}
