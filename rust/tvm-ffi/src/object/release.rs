// SPDX-License-Identifier: Apache-2.0
//! Destruction of nested objects. Long chains of objects do not exhaust the stack.

use std::cell::{Cell, RefCell};
use std::os::raw::c_void;

use super::unsafe_;

/// The maximum number of destructors that run inside each other; C++ has the same limit. An object
/// that is released at a deeper level is destroyed after the outermost destructor has ended.
const MAX_NESTED: usize = 64;

/// A function that destroys an object: its value, its memory or both, according to the flags.
pub(super) type Destroy = unsafe fn(*mut c_void, i32);

struct Waiting {
    object: *mut c_void,
    flags: i32,
    destroy: Destroy,
    /// Whether the entry holds a weak reference, which keeps the memory alive.
    is_held: bool,
}

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether `WAITING` may have entries. Each access to `WAITING` checks whether the destructor
    /// of `WAITING` has run. Access to this flag is cheaper, because a flag has no destructor.
    static IS_WAITING: Cell<bool> = const { Cell::new(false) };
    static WAITING: RefCell<Vec<Waiting>> = const { RefCell::new(Vec::new()) };
}

/// Destroy an object. If `MAX_NESTED` destructors are running on this thread, postpone the
/// destruction until the outermost destructor has ended.
///
/// # Safety
///
/// The conditions are those of a deleter. `frees` says whether `destroy` also frees the memory. If
/// `frees` is false, the caller owns a weak reference.
#[inline]
pub(super) unsafe fn destroy_nested(
    object: *mut c_void,
    flags: i32,
    frees: bool,
    destroy: Destroy,
) {
    let depth = DEPTH.get();
    if depth >= MAX_NESTED {
        let entry = Waiting {
            object,
            flags,
            destroy,
            is_held: !frees,
        };
        // SAFETY: the called function has the same conditions, and the caller meets them.
        if unsafe { put_off(entry) } {
            return;
        }
    }
    DEPTH.set(depth + 1);
    // SAFETY: the called function has the same conditions, and the caller meets them.
    unsafe { destroy(object, flags) };
    if depth == 0 && IS_WAITING.get() {
        destroy_waiting();
    }
    DEPTH.set(depth);
}

/// Add an object to the list of waiting objects. Return false if this thread has already destroyed
/// its list; the caller then destroys the object immediately.
///
/// # Safety
///
/// The conditions are those of `destroy_nested`.
#[cold]
unsafe fn put_off(entry: Waiting) -> bool {
    let (object, is_held) = (entry.object, entry.is_held);
    if WAITING
        .try_with(|list| list.borrow_mut().push(entry))
        .is_err()
    {
        return false;
    }
    IS_WAITING.set(true);
    if is_held {
        // SAFETY: the caller owns a weak reference.
        unsafe { unsafe_::inc_weak(object.cast()) };
    }
    true
}

#[cold]
fn destroy_waiting() {
    let next = || WAITING.try_with(|list| list.borrow_mut().pop());
    while let Ok(Some(entry)) = next() {
        // SAFETY: the entry describes one postponed call of `destroy`. If this call does not free
        // the memory, the entry holds a weak reference.
        unsafe {
            (entry.destroy)(entry.object, entry.flags);
            if entry.is_held {
                unsafe_::dec_weak(entry.object.cast());
            }
        }
    }
    IS_WAITING.set(false);
}
