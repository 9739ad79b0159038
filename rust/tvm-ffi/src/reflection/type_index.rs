// SPDX-License-Identifier: Apache-2.0
//! Type indices that are looked up or registered when they are first needed.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::OnceLock;

use tvm_ffi_sys::{TVMFFITypeGetOrAllocIndex, TVMFFITypeKeyToIndex};

use super::bytes_of;
use crate::error::{Error, Result};
use crate::object::{type_info, ObjectCore};
use crate::reentrant::ReentrantLock;

/// Not an index of an object type.
const UNKNOWN: i32 = 0;

/// Serializes the registrations of this library. A registration may need the index of another type.
static REGISTRATION: ReentrantLock = ReentrantLock::new();

/// What a type says about its registration.
pub struct TypeRegistration {
    /// Return the index of the parent, and register the parent first.
    pub parent_type_index: fn() -> i32,
    /// Number of indices to reserve for derived types.
    pub child_slots: i32,
    /// Whether more types than that may derive.
    pub child_slots_can_overflow: bool,
    /// Describe the type to the runtime.
    pub define: Option<fn(i32) -> Result<()>>,
}

/// The cached type index of one type.
pub struct LazyTypeIndex {
    /// `UNKNOWN` until the type is registered completely.
    index: AtomicI32,
    /// The index while the type is being registered; read only under the lock.
    pending: AtomicI32,
    /// Why the registration failed.
    failure: OnceLock<String>,
}

impl LazyTypeIndex {
    /// Make a cell that does not know the index yet.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        LazyTypeIndex {
            index: AtomicI32::new(UNKNOWN),
            pending: AtomicI32::new(UNKNOWN),
            failure: OnceLock::new(),
        }
    }

    /// Return the index of a key that another library registers.
    ///
    /// # Panics
    ///
    /// If the key is not registered.
    #[inline]
    pub fn look_up(&self, type_key: &'static str) -> i32 {
        let known = self.index.load(Ordering::Acquire);
        if known != UNKNOWN {
            return known;
        }
        self.look_up_first(type_key)
    }

    #[cold]
    fn look_up_first(&self, type_key: &'static str) -> i32 {
        let mut index = UNKNOWN;
        // SAFETY: the text and the result are valid during the call.
        let status = unsafe { TVMFFITypeKeyToIndex(&bytes_of(type_key), &mut index) };
        if status != 0 {
            crate::error::discard_raised();
            panic!(
                "Type key {type_key} is not registered: load the library that defines it first, \
                 or add #[type_register] if this crate defines it"
            );
        }
        self.index.store(index, Ordering::Release);
        index
    }

    /// Return the index of a type of this library, and register the type if that is needed.
    ///
    /// # Panics
    ///
    /// If the runtime refuses the type or a part of its definition.
    #[inline]
    pub fn register<T: ObjectCore>(&self, registration: &TypeRegistration) -> i32 {
        let known = self.index.load(Ordering::Acquire);
        if known != UNKNOWN {
            return known;
        }
        self.register_first::<T>(registration)
    }

    #[cold]
    fn register_first<T: ObjectCore>(&self, registration: &TypeRegistration) -> i32 {
        let _guard = REGISTRATION.lock();
        for cell in [&self.index, &self.pending] {
            let known = cell.load(Ordering::Acquire);
            if known != UNKNOWN {
                return known;
            }
        }
        if let Some(failure) = self.failure.get() {
            panic!("{failure}");
        }
        match self.register_locked::<T>(registration) {
            Ok(index) => {
                self.index.store(index, Ordering::Release);
                index
            }
            Err(error) => {
                self.pending.store(UNKNOWN, Ordering::Release);
                let failure = error.message().to_string();
                panic!("{}", self.failure.get_or_init(|| failure));
            }
        }
    }

    fn register_locked<T: ObjectCore>(&self, registration: &TypeRegistration) -> Result<i32> {
        let parent = (registration.parent_type_index)();
        // SAFETY: the text is valid during the call.
        let index = unsafe {
            TVMFFITypeGetOrAllocIndex(
                &bytes_of(T::TYPE_KEY),
                -1,
                T::TYPE_DEPTH,
                registration.child_slots,
                i32::from(registration.child_slots_can_overflow),
                parent,
            )
        };
        if index < 0 {
            return Err(Error::from_raised());
        }
        self.pending.store(index, Ordering::Release);
        check_parent::<T>(index, parent)?;
        if let Some(define) = registration.define {
            crate::panics::record_places();
            let is_described = type_info(index).is_some_and(|info| !info.metadata.is_null());
            if !is_described {
                define(index)?;
            }
        }
        Ok(index)
    }
}

/// Refuse a key that is registered under another parent.
fn check_parent<T: ObjectCore>(index: i32, parent: i32) -> Result<()> {
    let Some(info) = type_info(index) else {
        return Ok(());
    };
    let depth = info.type_depth;
    let is_child = depth == T::TYPE_DEPTH
        && depth > 0
        // SAFETY: the array has `type_depth` entries, which live as long as the process.
        && unsafe { (**info.type_acenstors.add(depth as usize - 1)).type_index } == parent;
    if is_child {
        return Ok(());
    }
    let message = format!(
        "Type key {} is registered under another parent",
        T::TYPE_KEY
    );
    Err(Error::new(crate::error::TYPE_ERROR, &message, ""))
}
