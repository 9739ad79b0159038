// SPDX-License-Identifier: Apache-2.0
//! Lookup and registration of type indices on first use.

use std::collections::BTreeMap;
use std::mem::size_of;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use tvm_ffi_sys::{TVMFFITypeGetOrAllocIndex, TVMFFITypeInfo, TVMFFITypeKeyToIndex};

use super::field::ancestors;
use super::{bytes_of, get_type_attr, set_type_attr};
use crate::any::Any;
use crate::error::{Error, Result, TYPE_ERROR};
use crate::object::{type_info, ObjectCore};
use crate::reentrant::ReentrantLock;

/// A number that is not the index of an object type.
const UNKNOWN: i32 = 0;

/// Serializes the registrations of types by this library. The lock is reentrant, because the
/// registration of a type may first register another type, such as the parent.
static REGISTRATION: ReentrantLock = ReentrantLock::new();

/// The parameters of the registration of a type.
pub struct TypeRegistration {
    /// Returns the type index of the parent; registers the parent first if necessary.
    pub parent_type_index: fn() -> i32,
    /// Number of type indices to reserve for derived types.
    pub child_slots: i32,
    /// Whether more than `child_slots` types may derive from the type.
    pub child_slots_can_overflow: bool,
    /// The name, offset and Rust type of each field that is not reflected.
    pub hidden: fn() -> Vec<(&'static str, usize, &'static str)>,
    /// Registers fields, methods and attributes of the type.
    pub define: Option<fn(i32) -> Result<()>>,
}

/// The cached index of one type.
pub struct LazyTypeIndex {
    /// `UNKNOWN` until the type is registered completely.
    index: AtomicI32,
    /// The index while the type is being registered. Only code that holds the lock `REGISTRATION`
    /// reads this index.
    pending: AtomicI32,
    /// The text of the error if the registration failed.
    failure: OnceLock<String>,
}

impl LazyTypeIndex {
    /// Create an empty cache.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        LazyTypeIndex {
            index: AtomicI32::new(UNKNOWN),
            pending: AtomicI32::new(UNKNOWN),
            failure: OnceLock::new(),
        }
    }

    /// Return the index for a type key that another library registers.
    ///
    /// # Panics
    ///
    /// Panics if the type key is not registered.
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
        match self.try_look_up(type_key) {
            Ok(index) => index,
            Err(error) => panic!("{}", error.message()),
        }
    }

    /// Return the index for a type key that another library registers.
    ///
    /// # Errors
    ///
    /// `TypeError` if the type key is not registered.
    #[track_caller]
    pub fn try_look_up(&self, type_key: &'static str) -> Result<i32> {
        let known = self.index.load(Ordering::Acquire);
        if known != UNKNOWN {
            return Ok(known);
        }
        let Some(index) = index_of(type_key) else {
            let message = format!(
                "Type key {type_key} is not registered: load the library that defines it first, \
                 or add #[type_register] if this crate defines it"
            );
            return Err(Error::at_caller(TYPE_ERROR, &message));
        };
        self.index.store(index, Ordering::Release);
        Ok(index)
    }

    /// Return the index of a type of this library. Register the type first if necessary.
    ///
    /// # Panics
    ///
    /// Panics if the runtime refuses the type or a part of its definition.
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
        let is_known = index_of(T::TYPE_KEY).is_some();
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
        check_size::<T>(index)?;
        check_hidden::<T>(index, is_known, (registration.hidden)())?;
        if let Some(define) = registration.define {
            crate::panics::record_places();
            define(index)?;
        }
        Ok(index)
    }
}

/// Return the index for a type key, if it is registered.
pub(super) fn index_of(type_key: &str) -> Option<i32> {
    let mut index = UNKNOWN;
    // SAFETY: the text and the variable for the result are valid during the call.
    let status = unsafe { TVMFFITypeKeyToIndex(&bytes_of(type_key), &mut index) };
    if status != 0 {
        crate::error::discard_raised();
    }
    (status == 0).then_some(index)
}

/// Return an error if the type key was already registered for a struct with other fields that are not
/// reflected. A type attribute describes these fields.
fn check_hidden<T: ObjectCore>(
    index: i32,
    is_known: bool,
    fields: Vec<(&str, usize, &str)>,
) -> Result<()> {
    const ATTRIBUTE: &str = "__rust_hidden_fields__";
    let field = |(name, offset, ty)| format!("{name}: {ty} at {offset}");
    let text = fields.into_iter().map(field).collect::<Vec<_>>().join(", ");
    let known = get_type_attr(index, ATTRIBUTE).and_then(|known| known.try_as::<crate::String>());
    match known {
        Some(known) if known.as_str() == text => Ok(()),
        Some(known) => Err(other_layout::<T>(&format!(
            "{{{known}}} instead of {{{text}}}"
        ))),
        None if text.is_empty() || is_known && cfg!(feature = "compat") => Ok(()),
        None if is_known => Err(other_layout::<T>(&format!("it does not have {{{text}}}"))),
        None => set_type_attr(index, ATTRIBUTE, &Any::from(crate::String::from(text))),
    }
}

/// Return the size of the objects of a class, if it is registered.
pub(super) fn total_size(info: &TVMFFITypeInfo) -> Option<usize> {
    // SAFETY: metadata that is set lives as long as the process.
    let metadata = unsafe { info.metadata.as_ref() }?;
    let size = usize::try_from(metadata.total_size).ok()?;
    (size != 0).then_some(size)
}

/// Return an error if the type key was already registered for a struct of another size. The runtime
/// knows the sizes of types with reflection; for the others, this library remembers its own.
fn check_size<T: ObjectCore>(index: i32) -> Result<()> {
    static SIZES: Mutex<BTreeMap<i32, usize>> = Mutex::new(BTreeMap::new());
    let size = size_of::<T>();
    let known = type_info(index).and_then(total_size).unwrap_or_else(|| {
        let mut sizes = SIZES.lock().unwrap_or_else(PoisonError::into_inner);
        *sizes.entry(index).or_insert(size)
    });
    if known == size {
        return Ok(());
    }
    Err(other_layout::<T>(&format!(
        "{known} bytes instead of {size}"
    )))
}

/// Return the error for a type key whose objects have another layout than the struct `T`.
pub(super) fn other_layout<T: ObjectCore>(difference: &str) -> Error {
    let message = format!(
        "Type key {} is already registered for objects with another layout: {difference}. \
         Give this struct a key of its own",
        T::TYPE_KEY
    );
    Error::new(crate::error::TYPE_ERROR, &message, "")
}

/// Return an error if the type key was already registered with another parent.
fn check_parent<T: ObjectCore>(index: i32, parent: i32) -> Result<()> {
    let Some(info) = type_info(index) else {
        return Ok(());
    };
    let registered = ancestors(info).next().map(|info| info.type_index);
    if info.type_depth == T::TYPE_DEPTH && registered == Some(parent) {
        return Ok(());
    }
    let message = format!(
        "Type key {} is registered under another parent",
        T::TYPE_KEY
    );
    Err(Error::new(crate::error::TYPE_ERROR, &message, ""))
}
