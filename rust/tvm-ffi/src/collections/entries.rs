// SPDX-License-Identifier: Apache-2.0
//! Functions for maps and dicts, which read and convert the entries, and what both types have.

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFITypeIndex};

use super::{map_layout, seq};
use crate::any::{Any, AnyView};
use crate::error::{out_of_range, Error, Result};
use crate::type_traits::ContainerElement;

/// Return the object of a map or dict, or `None` if the value is neither.
fn object_of(value: &TVMFFIAny) -> Option<*const TVMFFIObject> {
    let map = TVMFFITypeIndex::kTVMFFIMap as i32;
    let dict = TVMFFITypeIndex::kTVMFFIDict as i32;
    // SAFETY: the type index says that the payload is an object.
    [map, dict]
        .contains(&value.type_index)
        .then(|| unsafe { value.data_union.v_obj }.cast_const())
}

/// Return whether every entry of a map or dict has the types `K` and `V`, without conversion.
///
/// # Safety
///
/// The value is alive.
pub(super) unsafe fn is_strict<K: ContainerElement, V: ContainerElement>(
    value: &TVMFFIAny,
) -> bool {
    if K::HOLDS_ALL && V::HOLDS_ALL {
        return true;
    }
    let strict = |key: AnyView<'_>, value: AnyView<'_>| {
        K::element_check_strict(&key) && V::element_check_strict(&value)
    };
    // SAFETY: the caller guarantees that the value is alive; a strict check does not run foreign
    // code.
    object_of(value).is_some_and(|object| unsafe { map_layout::all(object, strict) })
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
pub(super) unsafe fn converted<K: ContainerElement, V: ContainerElement>(
    value: &TVMFFIAny,
) -> Option<Result<Vec<(Any, Any)>>> {
    // SAFETY: the caller guarantees that the value is alive. The entries are copied first, because a
    // conversion may run foreign code, which may change a dict.
    let entries = unsafe { map_layout::entries(object_of(value)?) };
    let convert = |entry| {
        let (key, value) = convert_entry::<K, V>(entry)?;
        Ok((key.element_into_any(), value.element_into_any()))
    };
    Some(entries.into_iter().map(convert).collect())
}

/// The key or value of an entry that does not convert.
struct Refused {
    error: Error,
    key: Any,
    /// The value, or `None` if the key does not convert.
    value: Option<Any>,
}

/// Return the first key or value that does not convert.
///
/// # Safety
///
/// The value is alive.
#[track_caller]
unsafe fn refused<K: ContainerElement, V: ContainerElement>(value: &TVMFFIAny) -> Option<Refused> {
    // SAFETY: the caller guarantees that the value is alive.
    for (key, value) in unsafe { map_layout::entries(object_of(value)?) } {
        if let Err(error) = K::element_from_view((&key).into()) {
            let value = None;
            return Some(Refused { error, key, value });
        }
        if let Err(error) = V::element_from_view((&value).into()) {
            let value = Some(value);
            return Some(Refused { error, key, value });
        }
    }
    None
}

/// Return a description of a map or dict that does not convert, such as
/// `Map[K, some value is int]`.
///
/// # Safety
///
/// The value is alive.
pub(super) unsafe fn mismatch<K: ContainerElement, V: ContainerElement>(
    value: &TVMFFIAny,
) -> Option<String> {
    let is_map = value.type_index == TVMFFITypeIndex::kTVMFFIMap as i32;
    let name = if is_map { "Map" } else { "Dict" };
    // SAFETY: the caller guarantees that the value is alive.
    let Refused { key, value, .. } = unsafe { refused::<K, V>(value) }?;
    Some(match value {
        None => format!(
            "{name}[some key is {}, V]",
            K::element_mismatch(&(&key).into())
        ),
        Some(value) => {
            let found = V::element_mismatch(&(&value).into());
            format!("{name}[K, some value is {found}]")
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
pub(super) unsafe fn refusal<K: ContainerElement, V: ContainerElement>(
    value: &TVMFFIAny,
    name: &str,
) -> Option<Error> {
    // SAFETY: the caller guarantees that the value is alive.
    let Refused { error, key, value } = unsafe { refused::<K, V>(value) }?;
    let place = match value {
        None => "some key: ".to_string(),
        Some(_) => format!("some value{}: ", at_key(&(&key).into())),
    };
    out_of_range(&error, name, &place)
        .or_else(|| seq::value_error(error, "key or value of an entry"))
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
#[inline]
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
    #[inline]
    pub(super) fn is(&self, value: &Any) -> bool {
        // Reading the type index and the length of a small text together, just after they were
        // written one by one, would wait for these writes.
        // SAFETY: the eight bytes of every payload are initialized, and are only compared.
        value.type_index() == self.0.type_index()
            && unsafe { value.raw().data_union.v_uint64 == self.0.raw().data_union.v_uint64 }
    }
}

/// Implement the methods and traits that maps and dicts have, besides those of all containers. The
/// method `find` returns the stored value of a key.
macro_rules! impl_mapping {
    ($name:ident, $obj:ident, $iterator:ident, $constructor:literal) => {
        impl<K: ContainerElement, V: ContainerElement> $name<K, V> {
            /// Create an empty container.
            pub fn new() -> Self {
                Self::from_iter([])
            }

            /// Create a container of entries whose types are already checked.
            fn of_converted(entries: Vec<(Any, Any)>) -> Result<Self> {
                let constructor = crate::cached_global_func!($constructor);
                let object = entries::construct(constructor, &entries)?;
                assert_eq!(object.type_index(), $obj::type_index());
                // SAFETY: the value owns one reference to a container of these entries.
                unsafe {
                    let object = Any::into_raw_ffi_any(object).data_union.v_obj;
                    Ok(Self::from_data(ObjectArc::from_raw(object.cast::<$obj>())))
                }
            }

            /// Create a container. If two entries have equal keys, it gets the value of the later
            /// entry.
            ///
            /// # Errors
            ///
            /// Any error of a hook that hashes or compares keys.
            pub fn try_from_entries<I: IntoIterator<Item = (K, V)>>(entries: I) -> Result<Self> {
                let convert = |(key, value): (K, V)| {
                    (key.element_into_any(), value.element_into_any())
                };
                Self::of_converted(entries.into_iter().map(convert).collect())
            }

            /// Return the address of the object.
            fn header(&self) -> *const TVMFFIObject {
                ObjectArc::as_header(&self.data)
            }

            /// Return a view of the container.
            fn as_view(&self) -> AnyView<'_> {
                AnyView::from(self)
            }

            /// Return whether there are no entries.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Return whether there is an entry with this key.
            ///
            /// The result is false if a hook that hashes or compares keys fails.
            ///
            /// # Panics
            ///
            /// Debug builds panic if a `Map` has keys of another type. Such keys exist only after a
            /// wrong `unsafe` conversion, because other conversions check the keys.
            pub fn contains_key(&self, key: &K) -> bool {
                matches!(self.find(key), Ok(Some(_)))
            }

            /// Return the value of a key.
            ///
            /// # Errors
            ///
            /// `TypeError` if the value is not a `V`, and any error of a hook that hashes or
            /// compares keys.
            ///
            /// # Panics
            ///
            /// Panics in the same case as `contains_key`.
            #[track_caller]
            pub fn get(&self, key: &K) -> Result<Option<V>> {
                match self.find(key)? {
                    Some(value) => V::element_from_any(value).map(Some),
                    None => Ok(None),
                }
            }
        }

        impl<V: ContainerElement> $name<crate::string::String, V> {
            /// Return the value of a key, like `get`.
            ///
            /// # Errors
            ///
            /// `TypeError` if the value is not a `V`.
            #[track_caller]
            pub fn get_str(&self, key: &str) -> Result<Option<V>> {
                self.get(&key.into())
            }

            /// Return whether there is an entry with this key, like `contains_key`.
            pub fn contains_str(&self, key: &str) -> bool {
                self.contains_key(&key.into())
            }
        }

        impl<K: ContainerElement, V: ContainerElement> Default for $name<K, V> {
            fn default() -> Self {
                Self::new()
            }
        }

        /// Panics if a hook that hashes or compares keys fails; `try_from_entries` returns the
        /// error.
        impl<K: ContainerElement, V: ContainerElement> FromIterator<(K, V)> for $name<K, V> {
            fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
                Self::try_from_entries(entries).unwrap_or_else(|error| panic!("{}", error.message()))
            }
        }

        impl<K: ContainerElement, V: ContainerElement, const N: usize> From<[(K, V); N]>
            for $name<K, V>
        {
            fn from(entries: [(K, V); N]) -> Self {
                entries.into_iter().collect()
            }
        }

        impl<K: ContainerElement, V: ContainerElement, S> From<HashMap<K, V, S>> for $name<K, V> {
            fn from(entries: HashMap<K, V, S>) -> Self {
                entries.into_iter().collect()
            }
        }

        impl<K, V, S> TryFrom<$name<K, V>> for HashMap<K, V, S>
        where
            K: ContainerElement + Eq + Hash,
            V: ContainerElement,
            S: std::hash::BuildHasher + Default,
        {
            type Error = Error;

            fn try_from(mapping: $name<K, V>) -> Result<Self> {
                mapping.try_iter().collect()
            }
        }

        impl<K: ContainerElement, V: ContainerElement> IntoIterator for &$name<K, V> {
            type Item = <$iterator<K, V> as Iterator>::Item;
            type IntoIter = $iterator<K, V>;

            fn into_iter(self) -> $iterator<K, V> {
                self.iter()
            }
        }

        impl<K: ContainerElement, V: ContainerElement> IntoIterator for $name<K, V> {
            type Item = <$iterator<K, V> as Iterator>::Item;
            type IntoIter = $iterator<K, V>;

            fn into_iter(self) -> $iterator<K, V> {
                self.iter()
            }
        }

        /// The order of the entries does not matter. A value of another type than `V` is not equal
        /// to anything.
        impl<K: ContainerElement, V: ContainerElement + PartialEq> PartialEq for $name<K, V> {
            fn eq(&self, other: &Self) -> bool {
                let has_equal = |entry: Result<(K, V)>| {
                    entry.is_ok_and(|(key, value)| {
                        matches!(other.get(&key), Ok(Some(found)) if found == value)
                    })
                };
                self.len() == other.len() && self.try_iter().all(has_equal)
            }
        }

        impl<K: ContainerElement, V: ContainerElement + Eq> Eq for $name<K, V> {}
    };
}
pub(super) use impl_mapping;
