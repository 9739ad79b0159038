// SPDX-License-Identifier: Apache-2.0
//! [`String`]: immutable text of the runtime.

use std::borrow::{Borrow, Cow};
use std::ffi::CStr;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIAnyDataUnion, TVMFFITypeIndex};

use super::cell::{self, StringObj};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, VALUE_ERROR};
use crate::object::ObjectCore;
use crate::type_traits::{mismatch_error, AnyCompatible};

/// An immutable string of the runtime (`ffi.String`). Clones share the content.
///
/// Values that come from other languages are checked for valid UTF-8 when they are converted to
/// this type. A string in a field of a struct is not checked: most methods ignore everything from
/// the first invalid byte on. Use [`String::to_string_lossy`] to read such a string.
#[repr(transparent)]
pub struct String {
    data: TVMFFIAny,
}

cell::impl_cell!(
    String,
    StringObj,
    kTVMFFISmallStr,
    kTVMFFIRawStr,
    "ffi.String"
);

impl String {
    /// Return the text.
    pub fn as_str(&self) -> &str {
        let bytes = self.content();
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // SAFETY: the bytes before `valid_up_to` are UTF-8.
            Err(error) => unsafe { std::str::from_utf8_unchecked(&bytes[..error.valid_up_to()]) },
        }
    }

    /// Return the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.content()
    }

    /// Return the text, with bytes that are not UTF-8 replaced.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        std::string::String::from_utf8_lossy(self.content())
    }

    fn is_valid(bytes: &[u8]) -> bool {
        std::str::from_utf8(bytes).is_ok()
    }

    unsafe fn borrowed_bytes(data: &TVMFFIAny) -> &[u8] {
        // SAFETY: the payload is null or a text that ends with a zero byte.
        unsafe {
            let text = data.data_union.v_c_str;
            if text.is_null() {
                return &[];
            }
            CStr::from_ptr(text.cast()).to_bytes()
        }
    }

    #[track_caller]
    fn content_error(data: &TVMFFIAny) -> Error {
        let index = data.type_index;
        let is_text = index == TVMFFITypeIndex::kTVMFFISmallStr as i32
            || index == TVMFFITypeIndex::kTVMFFIStr as i32
            || index == TVMFFITypeIndex::kTVMFFIRawStr as i32;
        if is_text {
            return Error::at_caller(VALUE_ERROR, "The string is not valid UTF-8");
        }
        mismatch_error::<Self>(data)
    }
}

impl Deref for String {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<T: AsRef<str>> From<T> for String {
    #[inline]
    fn from(text: T) -> Self {
        Self::make(text.as_ref().as_bytes())
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for String {
    #[inline]
    fn eq(&self, other: &T) -> bool {
        self.content() == other.as_ref().as_bytes()
    }
}

impl PartialEq for String {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.content() == other.content()
    }
}

impl PartialEq<String> for str {
    #[inline]
    fn eq(&self, other: &String) -> bool {
        other == self
    }
}

impl PartialEq<String> for &str {
    #[inline]
    fn eq(&self, other: &String) -> bool {
        other == *self
    }
}

impl PartialEq<String> for std::string::String {
    #[inline]
    fn eq(&self, other: &String) -> bool {
        other == self
    }
}

/// A map with keys of type `String` can be searched with a `str`.
impl Borrow<str> for String {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl Hash for String {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl std::fmt::Display for String {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.to_string_lossy(), f)
    }
}

impl std::fmt::Debug for String {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ffi.String")
            .field("data", &self.to_string_lossy())
            .finish()
    }
}

impl From<String> for std::string::String {
    #[inline]
    fn from(text: String) -> Self {
        text.as_str().to_string()
    }
}

impl TryFrom<Any> for std::string::String {
    type Error = Error;
    #[track_caller]
    fn try_from(value: Any) -> Result<Self> {
        String::try_from(value).map(Self::from)
    }
}

impl TryFrom<AnyView<'_>> for std::string::String {
    type Error = Error;
    #[track_caller]
    fn try_from(value: AnyView<'_>) -> Result<Self> {
        String::try_from(value).map(Self::from)
    }
}
