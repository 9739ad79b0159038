// SPDX-License-Identifier: Apache-2.0
//! A lock that a thread may lock again while it holds the lock.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

thread_local! {
    /// The address of this variable identifies the thread.
    static THREAD: u8 = const { 0 };
}

/// A lock that does not guard data. The code that runs while the lock is held may call foreign
/// code, which may lock the same lock again.
pub(crate) struct ReentrantLock {
    mutex: Mutex<()>,
    /// The address that identifies the holding thread, or 0.
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
        // Only this thread stores its own address, so a relaxed load is enough.
        if self.owner.load(Ordering::Relaxed) == thread {
            return ReentrantGuard {
                lock: self,
                outermost: None,
            };
        }
        // The lock does not guard data, so the panic of another holder does not matter.
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.owner.store(thread, Ordering::Relaxed);
        ReentrantGuard {
            lock: self,
            outermost: Some(guard),
        }
    }
}

/// Releases the lock when dropped, unless an outer guard of the same thread holds the lock.
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
