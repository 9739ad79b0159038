// SPDX-License-Identifier: Apache-2.0
//! [`Dict`]: a mutable map, shared by its handles.

use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::iter::FusedIterator;
use std::marker::PhantomData;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFITypeIndex};

use super::entries::{self, impl_mapping};
use super::{impl_container, map_layout, seq};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectRefCore};
use crate::shared_lock::{self, Guard};
use crate::type_traits::{AnyCompatible, ContainerElement};

/// The object of a [`Dict`]. The struct has the layout of C++; only the runtime creates and changes
/// it.
#[repr(C)]
pub struct DictObj {
    object: Object,
    /// The bytes behind the header, in an `UnsafeCell`, because the runtime changes these bytes
    /// while the object is borrowed.
    _body: UnsafeCell<[u64; 4]>,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<DictObj>() == 56);

// SAFETY: the first field is the header; the ABI defines the type index and the type key.
unsafe impl ObjectCore for DictObj {
    const TYPE_KEY: &'static str = "ffi.Dict";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIDict as i32
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

/// A mutable map from keys to values in the order of insertion; clones refer to the same dict.
///
/// All methods take `&self`, because the dict is shared with other handles and other languages.
/// Other code may change the entries between two calls, even to values that are not a `V`;
/// therefore the methods that read return a `Result`. Several threads may use a dict at the same
/// time: each method locks the dict, but not against code of other languages, which must not change
/// the dict meanwhile. Hooks that hash or compare keys run while the dict is locked; they must not
/// wait for another thread.
///
/// ```
/// use tvm_ffi::{Dict, String};
///
/// let dict: Dict<String, i64> = Dict::new();
/// dict.set("a".into(), 1)?;
/// assert_eq!(dict.clone().get(&"a".into())?, Some(1));
/// assert_eq!(dict.remove(&"a".into())?, Some(1));
/// assert!(dict.is_empty());
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[repr(C)]
pub struct Dict<K, V> {
    data: ObjectArc<DictObj>,
    _types: PhantomData<(K, V)>,
}

impl<K: ContainerElement, V: ContainerElement> Dict<K, V> {
    /// Lock the dict. Values that are replaced or removed must be dropped after the guard.
    fn lock(&self) -> Guard {
        // SAFETY: `self` keeps the object alive.
        unsafe { shared_lock::lock(self.header()) }
    }

    /// Return the number of entries.
    pub fn len(&self) -> usize {
        let _guard = self.lock();
        // SAFETY: `self` keeps the object alive.
        unsafe { map_layout::len(self.header()) }
    }

    /// Return the stored value of a key.
    fn find(&self, key: &K) -> Result<Option<Any>> {
        let _guard = self.lock();
        let function = crate::cached_global_func!("ffi.DictGetItemOrMissing");
        let value = function.call_packed(&[self.as_view(), key.element_as_view()])?;
        Ok((!entries::missing().is(&value)).then_some(value))
    }

    /// Set the value of a key.
    ///
    /// # Errors
    ///
    /// Any error of a hook that hashes or compares keys.
    pub fn set(&self, key: K, value: V) -> Result<()> {
        let function = crate::cached_global_func!("ffi.DictSetItem");
        let args = [
            self.as_view(),
            key.element_as_view(),
            value.element_as_view(),
        ];
        let guard = self.lock();
        let former = self.find(&key);
        let result = function.call_packed(&args);
        drop(guard);
        drop(former);
        result.map(drop)
    }

    /// Remove the entry of a key, and return the value of the entry.
    ///
    /// # Errors
    ///
    /// `TypeError` if the value is not a `V` (the dict is not changed), and any error of a hook
    /// that hashes or compares keys.
    #[track_caller]
    pub fn remove(&self, key: &K) -> Result<Option<V>> {
        let function = crate::cached_global_func!("ffi.DictErase");
        loop {
            let Some(found) = self.find(key)? else {
                return Ok(None);
            };
            // The conversion may run foreign code, so the dict is not locked.
            let value = V::element_from_any(found.clone())?;
            let guard = self.lock();
            let current = self.find(key);
            let erased = match &current {
                Ok(Some(value)) if AnyView::from(value).is_same(&AnyView::from(&found)) => {
                    Some(function.call_packed(&[self.as_view(), key.element_as_view()]))
                }
                _ => None,
            };
            drop(guard);
            current?;
            if let Some(erased) = erased {
                return erased.map(|_| Some(value));
            }
        }
    }

    /// Remove all entries.
    ///
    /// # Errors
    ///
    /// The error of the runtime.
    pub fn clear(&self) -> Result<()> {
        let guard = self.lock();
        let former = self.raw_entries();
        let result = crate::cached_global_func!("ffi.DictClear").call_packed(&[self.as_view()]);
        drop(guard);
        drop(former);
        result.map(drop)
    }

    /// Set the values of several keys.
    ///
    /// # Errors
    ///
    /// The first error of [`Dict::set`]. The dict then has the values before the failing entry.
    pub fn extend<I: IntoIterator<Item = (K, V)>>(&self, entries: I) -> Result<()> {
        entries
            .into_iter()
            .try_for_each(|(key, value)| self.set(key, value))
    }

    /// Return an iterator over the current entries. The iterator does not see later changes of the
    /// dict.
    pub fn iter(&self) -> DictIterator<K, V> {
        // SAFETY: `self` keeps the object alive.
        let entries = unsafe { map_layout::entries(self.header()) };
        DictIterator {
            entries: entries.into_iter(),
            _types: PhantomData,
        }
    }

    /// Return the same iterator as [`Dict::iter`]: the iterator returns an error for an entry that
    /// is not a `K` and a `V`.
    pub fn try_iter(&self) -> DictIterator<K, V> {
        self.iter()
    }

    /// Return an iterator over the current keys.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = Result<K>> + FusedIterator {
        self.raw_entries().map(|(key, _)| K::element_from_any(key))
    }

    /// Return an iterator over the current values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Result<V>> + FusedIterator {
        self.raw_entries()
            .map(|(_, value)| V::element_from_any(value))
    }

    /// Return an iterator over copies of the entries.
    fn raw_entries(&self) -> std::vec::IntoIter<(Any, Any)> {
        self.iter().entries
    }
}

impl_mapping!(Dict, DictObj, DictIterator, "ffi.Dict");
impl_container!(Dict<K, V>, DictObj, entries);

/// Iterator over the entries that a [`Dict`] had when the iterator was created.
pub struct DictIterator<K, V> {
    entries: std::vec::IntoIter<(Any, Any)>,
    _types: PhantomData<(K, V)>,
}

impl<K: ContainerElement, V: ContainerElement> Iterator for DictIterator<K, V> {
    type Item = Result<(K, V)>;

    fn next(&mut self) -> Option<Result<(K, V)>> {
        self.entries.next().map(entries::convert_entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl<K: ContainerElement, V: ContainerElement> DoubleEndedIterator for DictIterator<K, V> {
    fn next_back(&mut self) -> Option<Result<(K, V)>> {
        self.entries.next_back().map(entries::convert_entry)
    }
}

impl<K: ContainerElement, V: ContainerElement> ExactSizeIterator for DictIterator<K, V> {}
impl<K: ContainerElement, V: ContainerElement> FusedIterator for DictIterator<K, V> {}
