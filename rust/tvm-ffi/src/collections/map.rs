// SPDX-License-Identifier: Apache-2.0
//! [`Map`]: an immutable map.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Deref;
use std::os::raw::c_void;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFITypeIndex};

use super::entries::{self, impl_mapping};
use super::{impl_container, map_layout, seq};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectRefCore};
use crate::type_traits::{AnyCompatible, ContainerElement};

/// Define the object struct with the given visibility of its fields.
macro_rules! define_map_obj {
    ($visibility:vis) => {
        /// The object of a [`Map`]. The struct has the layout of C++; only the runtime creates and
        /// changes it.
        ///
        /// With the feature `compat` the fields are public. Changing the fields is not sound; use
        /// the methods of [`Map`].
        #[repr(C)]
        pub struct MapObj {
            /// The header.
            $visibility object: Object,
            /// The entries.
            $visibility data: *mut c_void,
            /// Number of entries.
            $visibility size: u64,
            /// Number of entries that the memory can hold. The highest bit marks the small layout
            /// (an array of entries; the other layout is a hash table).
            $visibility slots: u64,
            /// Frees `data`.
            data_deleter: Option<unsafe extern "C" fn(*mut c_void)>,
        }
    };
}

#[cfg(feature = "compat")]
define_map_obj!(pub);
#[cfg(not(feature = "compat"))]
define_map_obj!(pub(crate));

impl fmt::Debug for MapObj {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frees = self.data_deleter.is_some();
        write!(
            f,
            "MapObj[{} in {:p}, slots {:#x}, frees {frees}]",
            self.size, self.data, self.slots
        )
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<MapObj>() == 56);

// SAFETY: the first field is the header; the ABI defines the type index and the type key.
unsafe impl ObjectCore for MapObj {
    const TYPE_KEY: &'static str = "ffi.Map";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIMap as i32
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

/// An immutable map from keys to values in the order of insertion. Clones share the entries.
///
/// ```
/// use tvm_ffi::{Map, String};
///
/// let map: Map<String, i64> = [("a".into(), 1), ("b".into(), 2)].into_iter().collect();
/// assert_eq!(map.get(&"b".into())?, Some(2));
/// assert_eq!(map.values().sum::<i64>(), 3);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[repr(C)]
pub struct Map<K, V> {
    data: ObjectArc<MapObj>,
    _types: PhantomData<(K, V)>,
}

impl<K: ContainerElement, V: ContainerElement> Map<K, V> {
    /// Return the number of entries.
    pub fn len(&self) -> usize {
        // SAFETY: `self` keeps the object alive.
        unsafe { map_layout::len(self.header()) }
    }

    /// Return the stored value of a key.
    fn find(&self, key: &K) -> Result<Option<Any>> {
        let function = crate::cached_global_func!("ffi.MapGetItemOrMissing");
        let value = function.call_packed(&[self.as_view(), key.element_as_view()])?;
        if !entries::missing().is(&value) {
            return Ok(Some(value));
        }
        self.check_key_type();
        Ok(None)
    }

    /// In debug builds, panic if the first key is not a `K`. Only a wrong `unsafe` conversion can
    /// create a map with such keys, and lookups with a `K` never find these keys.
    fn check_key_type(&self) {
        if cfg!(debug_assertions) && !self.is_empty() {
            // SAFETY: `self` keeps the map alive; the map does not change, and has at least one
            // entry.
            let (key, _) = unsafe { map_layout::Cursor::first(self.header()).next(self.header()) };
            assert!(
                K::element_check_strict(&key),
                "the key type `{}` of the lookup does not match the map's stored key type",
                K::element_type_str()
            );
        }
    }

    /// Return an iterator over the entries.
    ///
    /// # Panics
    ///
    /// The iterator panics at an entry that is not a `K` and a `V`. Such an entry exists only after
    /// a wrong `unsafe` conversion, because other conversions check the entries. [`Map::try_iter`]
    /// returns an error instead.
    pub fn iter(&self) -> MapIterator<K, V> {
        MapIterator {
            entries: self.raw_iter(),
            _entry: PhantomData,
        }
    }

    /// Return an iterator over the entries. The iterator returns an error for an entry that is not
    /// a `K` and a `V`.
    pub fn try_iter(&self) -> TryMapIterator<K, V> {
        TryMapIterator {
            entries: self.raw_iter(),
            _entry: PhantomData,
        }
    }

    /// Return an iterator over the keys. It panics in the same case as [`Map::iter`].
    pub fn keys(&self) -> MapKeys<K> {
        MapKeys {
            entries: self.raw_iter(),
            _key: PhantomData,
        }
    }

    /// Return an iterator over the values. It panics in the same case as [`Map::iter`].
    pub fn values(&self) -> MapValues<V> {
        MapValues {
            entries: self.raw_iter(),
            _value: PhantomData,
        }
    }

    /// Return an iterator over the stored entries.
    fn raw_iter(&self) -> RawIterator {
        // SAFETY: `self` keeps the object alive.
        let cursor = unsafe { map_layout::Cursor::first(self.header()) };
        RawIterator {
            map: self.data.clone(),
            cursor,
            remaining: self.len(),
        }
    }
}

impl_mapping!(Map, MapObj, MapIterator, "ffi.Map");
impl_container!(Map<K, V>, MapObj, entries);

impl<K: ContainerElement, V: ContainerElement> Deref for Map<K, V> {
    type Target = MapObj;

    fn deref(&self) -> &MapObj {
        &self.data
    }
}

/// Iterator over the stored entries. The iterator keeps the map alive.
struct RawIterator {
    map: ObjectArc<MapObj>,
    cursor: map_layout::Cursor,
    remaining: usize,
}

impl RawIterator {
    /// Return copies of the key and value of the next entry.
    fn next(&mut self) -> Option<(Any, Any)> {
        self.remaining = self.remaining.checked_sub(1)?;
        // SAFETY: the map is alive and does not change; `remaining` was not 0, so there is another
        // entry.
        let (key, value) = unsafe { self.cursor.next(ObjectArc::as_header(&self.map)) };
        Some((Any::from(key), Any::from(value)))
    }
}

/// Return the converted element, or panic as [`Map::iter`] documents.
fn expect_element<T: ContainerElement>(element: Any, what: &str) -> T {
    match T::element_from_any(element) {
        Ok(element) => element,
        Err(_) => panic!("map iterator: {what} does not match the map's {what} type"),
    }
}

/// Implement an iterator that converts entries of type `Any`.
macro_rules! impl_iterator {
    ($name:ident<$($parameter:ident),+>, $item:ty, $convert:expr) => {
        impl<$($parameter: ContainerElement),+> Iterator for $name<$($parameter),+> {
            type Item = $item;

            fn next(&mut self) -> Option<$item> {
                self.entries.next().map($convert)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.entries.remaining, Some(self.entries.remaining))
            }
        }

        impl<$($parameter: ContainerElement),+> ExactSizeIterator for $name<$($parameter),+> {}
        impl<$($parameter: ContainerElement),+> FusedIterator for $name<$($parameter),+> {}
    };
}

/// Iterator over the entries of a [`Map`].
pub struct MapIterator<K, V> {
    entries: RawIterator,
    _entry: PhantomData<(K, V)>,
}

impl_iterator!(MapIterator<K, V>, (K, V), |(key, value)| (
    expect_element(key, "key"),
    expect_element(value, "value")
));

/// Iterator over the entries of a [`Map`]. It returns an error for an entry that is not a `K` and a
/// `V`.
pub struct TryMapIterator<K, V> {
    entries: RawIterator,
    _entry: PhantomData<(K, V)>,
}

impl_iterator!(TryMapIterator<K, V>, Result<(K, V)>, entries::convert_entry::<K, V>);

/// Iterator over the keys of a [`Map`].
pub struct MapKeys<K> {
    entries: RawIterator,
    _key: PhantomData<K>,
}

impl_iterator!(MapKeys<K>, K, |(key, _)| expect_element(key, "key"));

/// Iterator over the values of a [`Map`].
pub struct MapValues<V> {
    entries: RawIterator,
    _value: PhantomData<V>,
}

impl_iterator!(MapValues<V>, V, |(_, value)| expect_element(value, "value"));
