// SPDX-License-Identifier: Apache-2.0
//! A lock that its holder may take again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

thread_local! {
    /// Its address identifies the thread.
    static THREAD: u8 = const { 0 };
}

/// A lock that guards no data, for steps that may run foreign code which comes back here.
pub(crate) struct ReentrantLock {
    mutex: Mutex<()>,
    /// The holder; 0 when there is none.
    owner: AtomicUsize,
}

impl ReentrantLock {
    pub(crate) const fn new() -> Self {
        ReentrantLock {
            mutex: Mutex::new(()),
            owner: AtomicUsize::new(0),
        }
    }

    pub(crate) fn lock(&self) -> ReentrantGuard<'_> {
        let thread = THREAD.with(|byte| std::ptr::from_ref(byte) as usize);
        // Only this thread writes its own address, so the comparison needs no order.
        if self.owner.load(Ordering::Relaxed) == thread {
            return ReentrantGuard {
                lock: self,
                outermost: None,
            };
        }
        // The lock guards no data, so a panic of its holder does not matter.
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.owner.store(thread, Ordering::Relaxed);
        ReentrantGuard {
            lock: self,
            outermost: Some(guard),
        }
    }
}

/// Releases the lock at its end, unless an outer guard of the thread holds it.
pub(crate) struct ReentrantGuard<'a> {
    lock: &'a ReentrantLock,
    outermost: Option<MutexGuard<'a, ()>>,
}

impl Drop for ReentrantGuard<'_> {
    fn drop(&mut self) {
        if self.outermost.is_some() {
            self.lock.owner.store(0, Ordering::Relaxed);
        }
    }
}
