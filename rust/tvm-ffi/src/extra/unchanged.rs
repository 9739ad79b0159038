// SPDX-License-Identifier: Apache-2.0
//! [`Unchanged`] and [`UnchangedOr`]: the results of mutations that may leave a value unchanged.

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use crate::any::{is_object_index, Any, AnyView};
use crate::error::Result;
use crate::type_traits::{AnyCompatible, ContainerElement};

const UNCHANGED: i32 = TVMFFITypeIndex::kTVMFFIUnchanged as i32;
const ERROR: i32 = TVMFFITypeIndex::kTVMFFIError as i32;

/// A marker that a mutation returns if it does not change the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Unchanged;

/// Return whether a value is the marker [`Unchanged`].
pub(crate) fn is_marker(value: &Any) -> bool {
    value.type_index() == UNCHANGED
}

fn write_marker(data: &mut TVMFFIAny) {
    *data = TVMFFIAny::new();
    data.type_index = UNCHANGED;
}

// SAFETY: the marker consists only of its type index; there is no payload.
unsafe impl AnyCompatible for Unchanged {
    const MATCH_ANY_EXACT: bool = true;
    fn match_any_exact_type_index() -> i32 {
        UNCHANGED
    }
    unsafe fn copy_to_any_view(_src: &Self, data: &mut TVMFFIAny) {
        write_marker(data);
    }
    unsafe fn move_to_any(_src: Self, data: &mut TVMFFIAny) {
        write_marker(data);
    }
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == UNCHANGED
    }
    unsafe fn copy_from_any_view_after_check(_data: &TVMFFIAny) -> Self {
        Unchanged
    }
    unsafe fn move_from_any_after_check(_data: &mut TVMFFIAny) -> Self {
        Unchanged
    }
    fn type_str() -> String {
        "Unchanged".to_string()
    }
    fn type_schema() -> String {
        crate::type_traits::simple_schema("ffi.Unchanged")
    }
}

crate::impl_try_from_any!(Unchanged);
crate::impl_arg_into_ref!(Unchanged);
crate::impl_into_arg_holder_default!(Unchanged);

/// A new value, or [`Unchanged`].
#[derive(Debug, Clone)]
pub struct UnchangedOr<T = Any> {
    value: Option<T>,
}

impl<T> UnchangedOr<T> {
    /// Return an `UnchangedOr` that says that the value is unchanged.
    pub fn unchanged() -> Self {
        UnchangedOr { value: None }
    }

    /// Return an `UnchangedOr` that contains a new value.
    pub fn changed(value: T) -> Self {
        UnchangedOr { value: Some(value) }
    }

    /// Return whether the value is unchanged.
    pub fn is_unchanged(&self) -> bool {
        self.value.is_none()
    }

    /// Return the new value, if there is one.
    pub fn into_option(self) -> Option<T> {
        self.value
    }

    /// Return the new value, or `original` if there is no new value.
    pub fn value_or(self, original: T) -> T {
        self.value.unwrap_or(original)
    }

    /// Return the new value, or the result of `original` if there is no new value.
    pub fn value_or_else(self, original: impl FnOnce() -> T) -> T {
        self.value.unwrap_or_else(original)
    }

    /// Convert the new value, if there is one.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> UnchangedOr<U> {
        UnchangedOr {
            value: self.value.map(convert),
        }
    }

    /// Convert the new value, if there is one, by a function that may fail.
    ///
    /// # Errors
    ///
    /// The error of `convert`.
    pub fn try_map<U>(self, convert: impl FnOnce(T) -> Result<U>) -> Result<UnchangedOr<U>> {
        let value = self.value.map(convert).transpose()?;
        Ok(UnchangedOr { value })
    }
}

impl<T: ContainerElement> UnchangedOr<T> {
    /// Return whether the value is unchanged, or the new value is the same as `original`. Objects
    /// are the same if they have the same address. Other values are the same if they have the same
    /// type and the same bytes.
    pub fn unchanged_or_same_as(&self, original: &T) -> bool {
        let Some(value) = &self.value else {
            return true;
        };
        same_value(&value.element_as_view(), &original.element_as_view())
    }

    /// Convert the new value, if there is one, to another type.
    ///
    /// # Errors
    ///
    /// `TypeError` if the value cannot be converted.
    pub fn try_cast<U: ContainerElement>(self) -> Result<UnchangedOr<U>> {
        self.try_map(|value| U::element_from_any(value.element_into_any()))
    }
}

/// Return whether two values are the same: objects if they have the same address, other values if
/// they have the same type and the same bytes.
pub(crate) fn same_value(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> bool {
    let (lhs, rhs) = (lhs.as_raw_ffi_any(), rhs.as_raw_ffi_any());
    // SAFETY: all eight bytes of every payload are initialized.
    let payloads = unsafe { (lhs.data_union.v_uint64, rhs.data_union.v_uint64) };
    let is_plain = !is_object_index(lhs.type_index);
    lhs.type_index == rhs.type_index
        && payloads.0 == payloads.1
        && (!is_plain || lhs.small_str_len == rhs.small_str_len)
}

impl<T> From<Unchanged> for UnchangedOr<T> {
    fn from(_: Unchanged) -> Self {
        UnchangedOr::unchanged()
    }
}

impl UnchangedOr<Any> {
    /// Convert a value, which may be the marker [`Unchanged`].
    pub(crate) fn from_any(value: Any) -> Self {
        match is_marker(&value) {
            true => UnchangedOr::unchanged(),
            false => UnchangedOr::changed(value),
        }
    }
}

macro_rules! impl_unchanged_or {
    ([$($generics:tt)*] $value:ty, |$data:ident| $check:expr, |$cast:ident| $try:expr) => {
        // SAFETY: the functions write and accept only the marker and values of the type `$value`.
        unsafe impl<$($generics)*> AnyCompatible for UnchangedOr<$value> {
            unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
                match &src.value {
                    Some(value) => *data = *value.element_as_view().as_raw_ffi_any(),
                    None => write_marker(data),
                }
            }
            unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
                match src.value {
                    // SAFETY: the caller releases the result.
                    Some(value) => *data = unsafe { Any::into_raw_ffi_any(value.element_into_any()) },
                    None => write_marker(data),
                }
            }
            unsafe fn check_any_strict($data: &TVMFFIAny) -> bool {
                $data.type_index == UNCHANGED || $check
            }
            unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
                if data.type_index == UNCHANGED {
                    return UnchangedOr::unchanged();
                }
                // SAFETY: the caller guarantees that the value is alive.
                let view = unsafe { AnyView::from_raw_ffi_any(*data) };
                UnchangedOr { value: <$value>::element_from_view(view).ok() }
            }
            unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
                // SAFETY: the caller owns the value.
                let value = unsafe { Any::from_raw_ffi_any(*data) };
                match is_marker(&value) {
                    true => UnchangedOr::unchanged(),
                    false => UnchangedOr { value: <$value>::element_from_any(value).ok() },
                }
            }
            unsafe fn try_cast_from_any_view($cast: &TVMFFIAny) -> Result<Self, ()> {
                if $cast.type_index == UNCHANGED {
                    return Ok(UnchangedOr::unchanged());
                }
                $try
            }
            fn type_str() -> String {
                format!("UnchangedOr<{}>", <$value>::element_type_str())
            }
            fn type_schema() -> String {
                let schema = <$value>::element_type_schema();
                crate::type_traits::schema_with_args("UnchangedOr", &[schema])
            }
        }
    };
}

impl_unchanged_or!(
    [T: AnyCompatible] T,
    // SAFETY: the caller of the method meets its conditions.
    |data| unsafe { T::check_any_strict(data) },
    // SAFETY: the caller of the method meets its conditions.
    |data| unsafe { T::try_cast_from_any_view(data) }.map(UnchangedOr::changed)
);
impl_unchanged_or!([] Any, |data| data.type_index != ERROR, |_data| Err(()));

crate::__impl_try_from!([T] UnchangedOr<T>);
