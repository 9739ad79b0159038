// SPDX-License-Identifier: Apache-2.0
//! Checks whether this thread has enough stack left for more recursion over nested values.

use std::cell::Cell;

use crate::error::{Error, Result, VALUE_ERROR};

/// Number of bytes of the stack that stay free: for the deepest call, and for unwinding.
const MARGIN: usize = 256 * 1024;
/// The largest number of bytes of a stack to use, even if the stack is larger or unlimited.
const MAX_SIZE: usize = 64 << 20;

/// The range of addresses of the stack that a thread may use.
#[derive(Clone, Copy)]
struct StackRange {
    limit: usize,
    top: usize,
}

thread_local! {
    static RANGE: Cell<Option<StackRange>> = const { Cell::new(None) };
}

#[cfg(target_os = "linux")]
fn ask() -> Option<(usize, usize)> {
    use std::os::raw::{c_int, c_void};

    /// Memory that is at least as large as `pthread_attr_t` of every Linux target.
    #[repr(C, align(16))]
    struct Attributes([u8; 128]);

    extern "C" {
        fn pthread_self() -> usize;
        fn pthread_getattr_np(thread: usize, attributes: *mut Attributes) -> c_int;
        fn pthread_attr_getstack(
            attributes: *const Attributes,
            low: *mut *mut c_void,
            size: *mut usize,
        ) -> c_int;
        fn pthread_attr_destroy(attributes: *mut Attributes) -> c_int;
    }

    let mut attributes = Attributes([0; 128]);
    let (mut low, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes belong to this thread, and are destroyed once.
    unsafe {
        if pthread_getattr_np(pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let status = pthread_attr_getstack(&attributes, &mut low, &mut size);
        pthread_attr_destroy(&mut attributes);
        (status == 0).then(|| (low as usize, (low as usize).saturating_add(size)))
    }
}

#[cfg(target_os = "macos")]
fn ask() -> Option<(usize, usize)> {
    extern "C" {
        fn pthread_self() -> usize;
        fn pthread_get_stackaddr_np(thread: usize) -> usize;
        fn pthread_get_stacksize_np(thread: usize) -> usize;
    }
    // SAFETY: the functions return properties of this thread.
    let (top, size) = unsafe {
        let thread = pthread_self();
        (
            pthread_get_stackaddr_np(thread),
            pthread_get_stacksize_np(thread),
        )
    };
    Some((top.saturating_sub(size), top))
}

#[cfg(windows)]
fn ask() -> Option<(usize, usize)> {
    extern "system" {
        fn GetCurrentThreadStackLimits(low: *mut usize, high: *mut usize);
    }
    let (mut low, mut high) = (0, 0);
    // SAFETY: both addresses are writable.
    unsafe { GetCurrentThreadStackLimits(&mut low, &mut high) };
    Some((low, high))
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn ask() -> Option<(usize, usize)> {
    None
}

/// Find the range of this thread's stack. If the system does not report the range, assume that
/// 512 KiB are left.
#[cold]
fn find_range(here: usize) -> StackRange {
    let (low, top) = ask().unwrap_or((here.saturating_sub(512 * 1024), here));
    let low = low.max(top.saturating_sub(MAX_SIZE));
    let range = StackRange {
        limit: low + MARGIN.min((top - low) / 2),
        top,
    };
    RANGE.set(Some(range));
    range
}

/// Return whether there is space for more recursion. The result is also true on a stack with
/// unknown bounds, for example the stack of a coroutine.
fn has_space() -> bool {
    let local = 0u8;
    let here = std::ptr::from_ref(&local) as usize;
    let range = RANGE.get().unwrap_or_else(|| find_range(here));
    let is_elsewhere = here > range.top || here.saturating_add(MARGIN) < range.limit;
    is_elsewhere || here > range.limit
}

/// Return an error if the stack does not have space for more recursion. `operation` is for the
/// message.
pub(crate) fn check_space(operation: &str) -> Result<()> {
    if has_space() {
        return Ok(());
    }
    let message = format!(
        "{operation}: callbacks or hooks are nested too deeply, the C stack is nearly used up"
    );
    Err(Error::new(VALUE_ERROR, &message, ""))
}
