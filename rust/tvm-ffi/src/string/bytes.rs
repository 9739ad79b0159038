// SPDX-License-Identifier: Apache-2.0
//! [`Bytes`]: immutable bytes of the runtime.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIAnyDataUnion, TVMFFIByteArray, TVMFFITypeIndex};

use super::cell::{self, BytesObj};
use crate::error::{Error, Result};
use crate::object::ObjectCore;
use crate::type_traits::{mismatch_error, AnyCompatible};

/// Immutable bytes of the runtime (`ffi.Bytes`). Clones share the content.
#[repr(transparent)]
pub struct Bytes {
    data: TVMFFIAny,
}

cell::impl_cell!(
    Bytes,
    BytesObj,
    kTVMFFISmallBytes,
    kTVMFFIByteArrayPtr,
    "ffi.Bytes"
);

impl Bytes {
    /// Return the bytes.
    pub fn as_slice(&self) -> &[u8] {
        self.content()
    }

    fn is_valid(_bytes: &[u8]) -> bool {
        true
    }

    unsafe fn borrowed_bytes(data: &TVMFFIAny) -> &[u8] {
        // SAFETY: the payload is null or the address of a byte array, which is alive.
        unsafe {
            match data.data_union.v_ptr.cast::<TVMFFIByteArray>().as_ref() {
                Some(array) => array.as_bytes(),
                None => &[],
            }
        }
    }

    #[track_caller]
    fn content_error(data: &TVMFFIAny) -> Error {
        mismatch_error::<Self>(data)
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.content()
    }
}

impl<T: AsRef<[u8]>> From<T> for Bytes {
    #[inline]
    fn from(bytes: T) -> Self {
        Self::make(bytes.as_ref())
    }
}

impl<T: AsRef<[u8]> + ?Sized> PartialEq<T> for Bytes {
    #[inline]
    fn eq(&self, other: &T) -> bool {
        self.content() == other.as_ref()
    }
}

impl PartialEq for Bytes {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.content() == other.content()
    }
}

impl PartialEq<Bytes> for [u8] {
    #[inline]
    fn eq(&self, other: &Bytes) -> bool {
        other == self
    }
}

impl PartialEq<Bytes> for Vec<u8> {
    #[inline]
    fn eq(&self, other: &Bytes) -> bool {
        other == self
    }
}

/// A map with keys of type `Bytes` can be searched with a slice.
impl Borrow<[u8]> for Bytes {
    fn borrow(&self) -> &[u8] {
        self.content()
    }
}

impl Hash for Bytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.content().hash(state);
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ffi.Bytes")
            .field("data", &self.content())
            .finish()
    }
}

impl From<Bytes> for Vec<u8> {
    #[inline]
    fn from(bytes: Bytes) -> Self {
        bytes.to_vec()
    }
}
