// SPDX-License-Identifier: Apache-2.0
//! [`Optional`]: an optional value with the layout of C++ `Optional<T>`, for types `T` that are not
//! references.

use std::fmt;
use std::marker::PhantomData;
use std::os::raw::c_void;

use tvm_ffi_sys::{DLDataType, DLDevice, TVMFFIAny, TVMFFITypeIndex};

use crate::any::Any;
use crate::big_int::BigInt;
use crate::error::{Error, Result};
use crate::string::{Bytes, String};
use crate::type_traits::AnyCompatible;

/// A type that [`Optional`] can hold. Its values are not references to objects.
///
/// # Safety
///
/// The type is [`AnyCompatible`], and C++ stores an optional of the type in 16 bytes, as None or as
/// the value.
#[diagnostic::on_unimplemented(
    message = "`Optional<{Self}>` does not have the layout of the C++ type",
    label = "not a plain value",
    note = "use `Option<{Self}>` for references to objects: one nullable pointer, as in C++"
)]
pub unsafe trait OptionalCompatible: AnyCompatible {}

macro_rules! impl_optional_compatible {
    ($($plain:ty)*) => {$(
        // SAFETY: the type is `AnyCompatible`. C++ stores an optional of the type in 16 bytes, as
        // None or as the value.
        unsafe impl OptionalCompatible for $plain {}
    )*};
}

impl_optional_compatible!(
    bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 *mut c_void DLDataType DLDevice String
    Bytes BigInt
);

// SAFETY: an optional of an optional is also stored as None or as the value.
unsafe impl<T: OptionalCompatible> OptionalCompatible for Option<T> {}

/// None or a value that is not a reference to an object, stored in 16 bytes as in C++. All bytes
/// are zero for None.
///
/// Use this type for fields that C++ code reads; in other places `Option<T>` is simpler.
///
/// ```
/// use tvm_ffi::Optional;
///
/// let mut size = Optional::some(3i64);
/// assert_eq!(size.get(), Some(3));
/// size.set(None);
/// assert!(size.is_none());
/// ```
///
/// References to objects are refused, because C++ stores an optional reference as one pointer:
///
/// ```compile_fail,E0277
/// tvm_ffi::Optional::some(tvm_ffi::Array::new(vec![1i64]));
/// ```
#[repr(transparent)]
pub struct Optional<T: OptionalCompatible> {
    value: Any,
    _type: PhantomData<T>,
}

impl<T: OptionalCompatible> Optional<T> {
    /// Return an optional with a value.
    pub fn some(value: T) -> Self {
        Optional {
            value: Any::from(value),
            _type: PhantomData,
        }
    }

    /// Return an optional without a value.
    pub fn none() -> Self {
        Optional {
            value: Any::new(),
            _type: PhantomData,
        }
    }

    /// Return whether there is a value.
    pub fn has_value(&self) -> bool {
        !self.is_none()
    }

    /// Return whether there is no value.
    pub fn is_none(&self) -> bool {
        self.value.type_index() == TVMFFITypeIndex::kTVMFFINone as i32
    }

    /// Return a copy of the value.
    pub fn get(&self) -> Option<T> {
        if self.is_none() {
            return None;
        }
        // If C++ or Python has written the field, its setter has checked that the value is a `T`.
        self.value.try_as::<T>()
    }

    /// Return the value.
    pub fn into_option(self) -> Option<T> {
        self.get()
    }

    /// Replace the value.
    pub fn set(&mut self, value: Option<T>) {
        *self = value.into();
    }
}

impl Optional<String> {
    /// Return the text as a borrowed string.
    pub fn as_str(&self) -> Option<&str> {
        if self.is_none() {
            return None;
        }
        // SAFETY: both types consist of one value of 16 bytes, and this value is a string.
        Some(unsafe { &*(self as *const Self).cast::<String>() }.as_str())
    }
}

impl<T: OptionalCompatible> Default for Optional<T> {
    fn default() -> Self {
        Self::none()
    }
}

impl<T: OptionalCompatible> Clone for Optional<T> {
    fn clone(&self) -> Self {
        Optional {
            value: self.value.clone(),
            _type: PhantomData,
        }
    }
}

impl<T: OptionalCompatible + PartialEq> PartialEq for Optional<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: OptionalCompatible + Eq> Eq for Optional<T> {}

impl<T: OptionalCompatible> From<Option<T>> for Optional<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::none, Self::some)
    }
}

impl<T: OptionalCompatible> From<Optional<T>> for Option<T> {
    fn from(value: Optional<T>) -> Self {
        value.into_option()
    }
}

impl<T: OptionalCompatible + fmt::Debug> fmt::Debug for Optional<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(value) => f.debug_tuple("Optional::Some").field(&value).finish(),
            None => f.write_str("Optional::None"),
        }
    }
}

// SAFETY: the member is None or a value of `T`; the checks accept only these.
unsafe impl<T: OptionalCompatible> AnyCompatible for Optional<T> {
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        *data = *src.value.raw();
    }

    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        // SAFETY: the ownership of the value moves to `data`.
        *data = unsafe { Any::into_raw_ffi_any(src.value) };
    }

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        // SAFETY: the caller guarantees that `data` is valid.
        unsafe { Option::<T>::check_any_strict(data) }
    }

    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        // SAFETY: the caller checked that `data` holds None or a `T`.
        unsafe { Option::<T>::copy_from_any_view_after_check(data) }.into()
    }

    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
        // SAFETY: the caller checked that `data` is None or a `T`, and gives up its ownership.
        unsafe { Option::<T>::move_from_any_after_check(data) }.into()
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that `data` is valid.
        unsafe { Option::<T>::try_cast_from_any_view(data) }.map(Self::from)
    }

    fn get_mismatch_type_info(data: &TVMFFIAny) -> std::string::String {
        Option::<T>::get_mismatch_type_info(data)
    }

    fn conversion_error(data: &TVMFFIAny) -> Error {
        Option::<T>::conversion_error(data)
    }

    fn type_str() -> std::string::String {
        Option::<T>::type_str()
    }

    fn type_schema() -> std::string::String {
        Option::<T>::type_schema()
    }
}

crate::macros::impl_value!([T: OptionalCompatible] Optional<T>);
