// SPDX-License-Identifier: Apache-2.0
//! Destruction of objects inside one another, on a bounded part of the stack.

use std::cell::{Cell, RefCell};
use std::os::raw::c_void;

use super::unsafe_;

/// That many destructors run inside one another, as in C++; what they release then waits until the
/// outermost has ended.
const MAX_NESTED: usize = 64;

/// Destroys an object, as the flags say.
pub(super) type Destroy = unsafe fn(*mut c_void, i32);

struct Waiting {
    object: *mut c_void,
    flags: i32,
    destroy: Destroy,
    /// Whether the entry holds a weak reference, which keeps the memory.
    is_held: bool,
}

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether `WAITING` may have entries. Unlike the list, it needs no destructor, which every
    /// access would check.
    static IS_WAITING: Cell<bool> = const { Cell::new(false) };
    static WAITING: RefCell<Vec<Waiting>> = const { RefCell::new(Vec::new()) };
}

/// Destroy an object now, or when the destructors that are running have ended.
///
/// # Safety
///
/// As for a deleter. `frees` says whether the memory goes, too; if not, the caller owns a weak
/// reference.
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
        // SAFETY: passed on.
        if unsafe { put_off(entry) } {
            return;
        }
    }
    DEPTH.set(depth + 1);
    // SAFETY: passed on.
    unsafe { destroy(object, flags) };
    if depth == 0 && IS_WAITING.get() {
        destroy_waiting();
    }
    DEPTH.set(depth);
}

/// Keep an object for later; false after the end of the thread's list, where the stack has to do.
///
/// # Safety
///
/// As for `destroy_nested`.
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
        // SAFETY: the entry stands for a call of the deleter that was put off; without the memory's
        // flag it holds a weak reference.
        unsafe {
            (entry.destroy)(entry.object, entry.flags);
            if entry.is_held {
                unsafe_::dec_weak(entry.object.cast());
            }
        }
    }
    IS_WAITING.set(false);
}
