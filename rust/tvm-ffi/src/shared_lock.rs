// SPDX-License-Identifier: Apache-2.0
//! The locks of lists, dicts and writable fields. An object does not have space for a lock, so
//! objects share a table of locks, and all libraries of the process with this crate share the table.
//!
//! While the lock of a list or a field is held, only code of this crate and of the runtime runs, so
//! a thread that waits for it continues soon. While the lock of a dict is held, hooks of its keys
//! may run; a thread may lock a dict again. In a forked process, the locks of threads that do not
//! exist there are free.

use std::array::from_fn as array;
use std::os::raw::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use tvm_ffi_sys::{TVMFFIObject, TVMFFITypeIndex};

use crate::any::Any;
use crate::object::{Object, ObjectCore};
use crate::type_attr::{get_type_attr, set_any_type_attr};

const COUNT: usize = 64;

/// One lock: the number of the thread that holds it, or 0. Each has its own cache line.
#[repr(align(64))]
struct Lock {
    owner: AtomicUsize,
}

/// The memory that the libraries share: the locks of lists, of dicts and of fields. Another layout
/// needs another name of the type attribute.
type Table = [[Lock; COUNT]; 3];

const LISTS: usize = 0;
const DICTS: usize = 1;
const FIELDS: usize = 2;

const ATTRIBUTE: &str = "__rust_locks__";

/// The table, or null before its first use. Threads find it without a lock: a process that is forked
/// while another thread holds a lock waits for that thread forever.
static TABLE: AtomicPtr<Table> = AtomicPtr::new(null_mut());

#[inline]
fn table() -> &'static Table {
    let known = TABLE.load(Ordering::Acquire);
    // SAFETY: a table that was published is never freed.
    unsafe { known.as_ref() }.unwrap_or_else(find_table)
}

/// Find or make the table. The first library publishes its address as a type attribute of
/// `ffi.Object`. Several threads may do this at the same time, and find the same table.
#[cold]
fn find_table() -> &'static Table {
    // This comes first: a lock that is held during a fork is free in the forked process only if the
    // handler was registered before.
    #[cfg(unix)]
    free_in_forked_processes();
    let root = Object::type_index();
    let published = || get_type_attr(root, ATTRIBUTE)?.try_as::<*mut c_void>();
    let address = published().or_else(|| {
        let free = |_| Lock {
            owner: AtomicUsize::new(0),
        };
        let own: *mut Table = Box::into_raw(Box::new(array(|_| array(free))));
        // Another thread or library may publish its table first, so read the attribute again.
        // SAFETY: the table is freed only if it was not published.
        let status =
            unsafe { set_any_type_attr(root, ATTRIBUTE, &Any::from(own.cast::<c_void>())) };
        let found = published();
        if status.is_err() && found.is_some() {
            // SAFETY: there is no other reference to this table.
            drop(unsafe { Box::from_raw(own) });
        }
        found
    });
    let address = address.expect("the table of locks is published");
    TABLE.store(address.cast(), Ordering::Release);
    // SAFETY: a table that was published is never freed.
    unsafe { &*address.cast::<Table>() }
}

/// After each fork, free the locks of other threads. Each library does this, because the one that
/// made the table may be unloaded.
#[cfg(unix)]
fn free_in_forked_processes() {
    type Handler = Option<extern "C" fn()>;
    extern "C" {
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler)
            -> std::os::raw::c_int;
    }
    extern "C" fn free() {
        let thread = this_thread();
        // SAFETY: a table that was published is never freed.
        let table = unsafe { TABLE.load(Ordering::Relaxed).as_ref() };
        for Lock { owner } in table.into_iter().flatten().flatten() {
            if owner.load(Ordering::Relaxed) != thread {
                owner.store(0, Ordering::Relaxed);
            }
        }
    }
    // SAFETY: the handler only changes numbers. Without memory, the system refuses, and a forked
    // process may wait for a lock that another thread held.
    unsafe { pthread_atfork(None, None, Some(free)) };
}

/// Return a number that identifies this thread for all libraries of the process.
#[inline]
fn this_thread() -> usize {
    #[cfg(unix)]
    extern "C" {
        fn pthread_self() -> usize;
    }
    #[cfg(unix)]
    // SAFETY: the function only returns the number.
    return unsafe { pthread_self() };
    #[cfg(windows)]
    extern "system" {
        fn GetCurrentThreadId() -> u32;
    }
    #[cfg(windows)]
    // SAFETY: the function only returns the number.
    return unsafe { GetCurrentThreadId() } as usize;
}

/// Holds a lock until it is dropped.
pub(crate) struct Guard {
    /// `None` if an outer guard of this thread holds the lock.
    held: Option<&'static AtomicUsize>,
}

impl Drop for Guard {
    #[inline]
    fn drop(&mut self) {
        if let Some(owner) = self.held {
            owner.store(0, Ordering::Release);
        }
    }
}

/// Lock a list or a dict, or do nothing for an object of another type.
///
/// # Safety
///
/// The object is alive.
#[inline]
pub(crate) unsafe fn lock(object: *const TVMFFIObject) -> Guard {
    const LIST: i32 = TVMFFITypeIndex::kTVMFFIList as i32;
    const DICT: i32 = TVMFFITypeIndex::kTVMFFIDict as i32;
    // SAFETY: the caller guarantees that the object is alive.
    let group = match unsafe { (*object).type_index } {
        LIST => LISTS,
        DICT => DICTS,
        _ => return Guard { held: None },
    };
    acquire(group, object as usize)
}

/// Lock the field of an object at this address.
#[inline]
pub(crate) fn lock_field(address: *const c_void) -> Guard {
    acquire(FIELDS, address as usize)
}

#[inline]
fn acquire(group: usize, address: usize) -> Guard {
    let hash = (address as u64 >> 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let owner = &table()[group][(hash >> 58) as usize % COUNT].owner;
    let thread = this_thread();
    let free = owner.compare_exchange(0, thread, Ordering::Acquire, Ordering::Relaxed);
    match free {
        Ok(_) => Guard { held: Some(owner) },
        Err(holder) if holder == thread => Guard { held: None },
        Err(_) => wait(owner, thread),
    }
}

#[cold]
fn wait(owner: &'static AtomicUsize, thread: usize) -> Guard {
    const SPINS: u32 = 64;
    for round in 0u32.. {
        if round < SPINS {
            std::hint::spin_loop();
        } else if round < 4 * SPINS {
            std::thread::yield_now();
        } else {
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
        let is_free = owner.load(Ordering::Relaxed) == 0;
        let change = (Ordering::Acquire, Ordering::Relaxed);
        if is_free
            && owner
                .compare_exchange(0, thread, change.0, change.1)
                .is_ok()
        {
            break;
        }
    }
    Guard { held: Some(owner) }
}
