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

use super::{map_layout, seq};
use crate::any::{Any, AnyView};
use crate::error::{out_of_range, Error, Result, TYPE_ERROR};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectRefCore};
use crate::type_traits::{mismatch_error, schema_with_args, AnyCompatible, ContainerElement};

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
    _entry: PhantomData<(K, V)>,
}

/// Call the constructor of a map or dict. The arguments alternate between the key and the value of
/// each entry.
pub(super) fn construct(
    constructor: &crate::function::Function,
    entries: &[(Any, Any)],
) -> Result<Any> {
    let views: Vec<AnyView<'_>> = entries
        .iter()
        .flat_map(|(key, value)| [key.into(), value.into()])
        .collect();
    constructor.call_packed(&views)
}

/// Convert the key and the value of an entry.
pub(super) fn convert_entry<K: ContainerElement, V: ContainerElement>(
    (key, value): (Any, Any),
) -> Result<(K, V)> {
    Ok((K::element_from_any(key)?, V::element_from_any(value)?))
}

/// Return the converted entries of a map or dict, or `None` if the value is neither.
///
/// # Safety
///
/// The value is alive.
pub(super) unsafe fn converted_entries<K: ContainerElement, V: ContainerElement>(
    data: &TVMFFIAny,
) -> Option<Result<Vec<(Any, Any)>>> {
    let map = TVMFFITypeIndex::kTVMFFIMap as i32;
    let dict = TVMFFITypeIndex::kTVMFFIDict as i32;
    if data.type_index != map && data.type_index != dict {
        return None;
    }
    // SAFETY: the type index says that the payload is a map or dict. The entries are copied first,
    // because a conversion may run foreign code, which may change a dict.
    let entries = unsafe { map_layout::entries(data.data_union.v_obj) };
    let convert = |entry| {
        let (key, value) = convert_entry::<K, V>(entry)?;
        Ok((key.element_into_any(), value.element_into_any()))
    };
    Some(entries.into_iter().map(convert).collect())
}

/// Return a description of a map or dict that does not convert, such as
/// `Map[K, some value is int]`.
///
/// # Safety
///
/// The value is alive.
pub(super) unsafe fn mismatch<K: ContainerElement, V: ContainerElement>(
    data: &TVMFFIAny,
) -> Option<String> {
    let name = match data.type_index {
        index if index == TVMFFITypeIndex::kTVMFFIMap as i32 => "Map",
        index if index == TVMFFITypeIndex::kTVMFFIDict as i32 => "Dict",
        _ => return None,
    };
    // SAFETY: the type index says that the payload is a map or dict.
    let entries = unsafe { map_layout::entries(data.data_union.v_obj) };
    entries.iter().find_map(|(key, value)| {
        let (key, value) = (AnyView::from(key), AnyView::from(value));
        if K::element_from_view(key).is_err() {
            Some(format!(
                "{name}[some key is {}, V]",
                K::element_mismatch(&key)
            ))
        } else if V::element_from_view(value).is_err() {
            Some(format!(
                "{name}[K, some value is {}]",
                V::element_mismatch(&value)
            ))
        } else {
            None
        }
    })
}

/// Return the error of the first key or value that does not convert, or `None` if this error is a
/// `TypeError`.
///
/// # Safety
///
/// The value is alive.
#[track_caller]
pub(super) unsafe fn entry_error<K: ContainerElement, V: ContainerElement>(
    data: &TVMFFIAny,
    name: &str,
) -> Option<Error> {
    // SAFETY: the caller guarantees that the value is valid.
    let (error, place) = unsafe { refused_part::<K, V>(data) }?;
    out_of_range(&error, name, &place)
        .or_else(|| seq::value_error(error, "key or value of an entry"))
}

/// Return the error of the first key or value that does not convert, and a text that names this key
/// or value for the message.
#[track_caller]
unsafe fn refused_part<K: ContainerElement, V: ContainerElement>(
    data: &TVMFFIAny,
) -> Option<(Error, String)> {
    let map = TVMFFITypeIndex::kTVMFFIMap as i32;
    let dict = TVMFFITypeIndex::kTVMFFIDict as i32;
    if ![map, dict].contains(&data.type_index) {
        return None;
    }
    // SAFETY: the type index says that the payload is a map or dict, which the caller keeps alive.
    for (key, value) in unsafe { map_layout::entries(data.data_union.v_obj) } {
        let key = AnyView::from(&key);
        if let Err(error) = K::element_from_view(key) {
            return Some((error, "some key: ".to_string()));
        }
        if let Err(error) = V::element_from_any(value) {
            return Some((error, format!("some value{}: ", at_key(&key))));
        }
    }
    None
}

/// Return ` at key K` if the key is an integer or a string, otherwise an empty string.
fn at_key(key: &AnyView<'_>) -> String {
    const LONGEST: usize = 60;
    if let Some(number) = key.try_as::<i64>() {
        return format!(" at key {number}");
    }
    let Some(text) = key.try_as::<crate::string::String>() else {
        return String::new();
    };
    let shown: String = text.chars().take(LONGEST).collect();
    let more = if shown.len() < text.len() { "..." } else { "" };
    format!(" at key \"{shown}{more}\"")
}

/// Return the object that the runtime returns as the value of a missing key.
pub(super) fn missing() -> &'static MissingValue {
    static MISSING: std::sync::OnceLock<MissingValue> = std::sync::OnceLock::new();
    MISSING.get_or_init(|| {
        let object = crate::cached_global_func!("ffi.GetInvalidObject").call_packed(&[]);
        MissingValue(object.unwrap_or_else(|error| panic!("{}", error.message())))
    })
}

/// The object that stands for a missing value. It has no content and lives until the process ends.
pub(super) struct MissingValue(Any);

// SAFETY: all threads only compare the address of the object, which has no content.
unsafe impl Send for MissingValue {}
// SAFETY: all threads only compare the address of the object, which has no content.
unsafe impl Sync for MissingValue {}

impl MissingValue {
    /// Return whether `value` is the object that stands for a missing value.
    pub(super) fn is(&self, value: &Any) -> bool {
        AnyView::from(value).is_same(&AnyView::from(&self.0))
    }
}

impl<K: ContainerElement, V: ContainerElement> Map<K, V> {
    /// Return an empty map.
    pub fn new() -> Self {
        Self::from_entries(&[]).unwrap_or_else(|error| panic!("{}", error.message()))
    }

    /// Create a map from entries whose types are already checked.
    fn from_entries(entries: &[(Any, Any)]) -> Result<Self> {
        let map = construct(crate::cached_global_func!("ffi.Map"), entries)?;
        if map.type_index() != MapObj::type_index() {
            return Err(Error::new(TYPE_ERROR, "ffi.Map did not return a map", ""));
        }
        // SAFETY: the value owns one reference to a map of these entries.
        unsafe {
            let object = Any::into_raw_ffi_any(map).data_union.v_obj;
            Ok(Self::from_data(ObjectArc::from_raw(
                object.cast::<MapObj>(),
            )))
        }
    }

    /// Create a map. If two entries have equal keys, the map gets the value of the later entry.
    ///
    /// # Errors
    ///
    /// Any error of a hook that hashes or compares keys.
    pub fn try_from_entries<I: IntoIterator<Item = (K, V)>>(entries: I) -> Result<Self> {
        let entries: Vec<(Any, Any)> = entries
            .into_iter()
            .map(|(key, value)| (key.element_into_any(), value.element_into_any()))
            .collect();
        Self::from_entries(&entries)
    }

    /// Return the address of the object.
    fn header(&self) -> *const TVMFFIObject {
        ObjectArc::as_header(&self.data)
    }

    /// Return a view of the map.
    fn as_view(&self) -> AnyView<'_> {
        AnyView::from(self)
    }

    /// Return the number of entries.
    pub fn len(&self) -> usize {
        // SAFETY: `self` keeps the object alive.
        unsafe { map_layout::len(self.header()) }
    }

    /// Return whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Return the stored value of a key.
    fn find(&self, key: &K) -> Result<Option<Any>> {
        let function = crate::cached_global_func!("ffi.MapGetItemOrMissing");
        let value = function.call_packed(&[self.as_view(), key.element_as_view()])?;
        if !missing().is(&value) {
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

    /// Return whether there is an entry with this key.
    ///
    /// The result is false if a hook that hashes or compares keys fails.
    ///
    /// # Panics
    ///
    /// Debug builds panic if the map has keys of another type. Such keys exist only after a wrong
    /// `unsafe` conversion, because other conversions check the keys.
    pub fn contains_key(&self, key: &K) -> bool {
        matches!(self.find(key), Ok(Some(_)))
    }

    /// Return the value of a key.
    ///
    /// # Errors
    ///
    /// `TypeError` if the value is not a `V`, and any error of a hook that hashes or compares keys.
    ///
    /// # Panics
    ///
    /// Panics in the same case as [`Map::contains_key`].
    #[track_caller]
    pub fn get(&self, key: &K) -> Result<Option<V>> {
        match self.find(key)? {
            Some(value) => V::element_from_any(value).map(Some),
            None => Ok(None),
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

impl<K, V> Clone for Map<K, V> {
    fn clone(&self) -> Self {
        Map {
            data: self.data.clone(),
            _entry: PhantomData,
        }
    }
}

impl<K: ContainerElement, V: ContainerElement> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: ContainerElement, V: ContainerElement> Deref for Map<K, V> {
    type Target = MapObj;

    fn deref(&self) -> &MapObj {
        &self.data
    }
}

/// Panics if a hook that hashes or compares keys fails; [`Map::try_from_entries`] returns the
/// error.
impl<K: ContainerElement, V: ContainerElement> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::try_from_entries(entries).unwrap_or_else(|error| panic!("{}", error.message()))
    }
}

impl<K: ContainerElement, V: ContainerElement, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: ContainerElement, V: ContainerElement, S> From<HashMap<K, V, S>> for Map<K, V> {
    fn from(entries: HashMap<K, V, S>) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V, S> TryFrom<Map<K, V>> for HashMap<K, V, S>
where
    K: ContainerElement + Eq + Hash,
    V: ContainerElement,
    S: std::hash::BuildHasher + Default,
{
    type Error = Error;

    fn try_from(map: Map<K, V>) -> Result<Self> {
        map.try_iter().collect()
    }
}

impl<K: ContainerElement, V: ContainerElement> IntoIterator for &Map<K, V> {
    type Item = (K, V);
    type IntoIter = MapIterator<K, V>;

    fn into_iter(self) -> MapIterator<K, V> {
        self.iter()
    }
}

impl<K: ContainerElement, V: ContainerElement> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = MapIterator<K, V>;

    fn into_iter(self) -> MapIterator<K, V> {
        self.iter()
    }
}

impl<K: ContainerElement, V: ContainerElement> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, value) = (seq::short_type_name::<K>(), seq::short_type_name::<V>());
        write!(f, "Map<{key}, {value}>[{}]", self.len())
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

impl_iterator!(TryMapIterator<K, V>, Result<(K, V)>, convert_entry::<K, V>);

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

// SAFETY: the struct is one pointer to a map.
unsafe impl<K, V> ObjectRefCore for Map<K, V> {
    type ContainerType = MapObj;

    fn data(this: &Self) -> &ObjectArc<MapObj> {
        &this.data
    }

    fn into_data(this: Self) -> ObjectArc<MapObj> {
        this.data
    }

    unsafe fn from_data(data: ObjectArc<MapObj>) -> Self {
        Map {
            data,
            _entry: PhantomData,
        }
    }
}

// SAFETY: the value is one strong reference to a map; the checks accept only maps from `K` to `V`.
unsafe impl<K: ContainerElement, V: ContainerElement> AnyCompatible for Map<K, V> {
    crate::collections::container_functions!(MapObj);

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        let strict = |key: AnyView<'_>, value: AnyView<'_>| {
            K::element_check_strict(&key) && V::element_check_strict(&value)
        };
        // SAFETY: the caller guarantees that `data` is valid; a strict check does not run foreign
        // code.
        data.type_index == MapObj::type_index()
            && unsafe { map_layout::all(data.data_union.v_obj, strict) }
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that `data` is valid.
        let entries = unsafe { converted_entries::<K, V>(data) }.ok_or(())?;
        entries
            .and_then(|entries| Self::from_entries(&entries))
            .map_err(|_| ())
    }

    fn get_mismatch_type_info(data: &TVMFFIAny) -> String {
        // SAFETY: `data` is alive, because a conversion has just refused it.
        unsafe { mismatch::<K, V>(data) }
            .unwrap_or_else(|| crate::object::type_key_of(data.type_index))
    }

    fn conversion_error(data: &TVMFFIAny) -> Error {
        // SAFETY: `data` is alive, because a conversion has just refused it.
        match unsafe { entry_error::<K, V>(data, &Self::type_str()) } {
            Some(error) => error,
            None => mismatch_error::<Self>(data),
        }
    }

    fn type_str() -> String {
        format!("Map<{}, {}>", K::element_type_str(), V::element_type_str())
    }

    fn type_schema() -> String {
        schema_with_args(
            "ffi.Map",
            &[K::element_type_schema(), V::element_type_schema()],
        )
    }
}

crate::impl_try_from_any_for_parametric!(Map<K, V>);
crate::collections::impl_container_arguments!(Map<K, V>);
crate::collections::impl_container_upcast!(Map<K, V>);
