// SPDX-License-Identifier: Apache-2.0
//! The borrowed value.

use std::marker::PhantomData;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIAnyViewToOwnedAny, TVMFFITypeIndex};

use super::{is_object_index, Any};
use crate::error::{Error, Result};
use crate::object::unsafe_;
use crate::type_traits::AnyCompatible;

const FIRST_VIEW_ONLY: i32 = TVMFFITypeIndex::kTVMFFIRawStr as i32;
const LAST_VIEW_ONLY: i32 = TVMFFITypeIndex::kTVMFFIObjectRValueRef as i32;

/// A borrowed value of any type.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct AnyView<'a> {
    data: TVMFFIAny,
    borrow: PhantomData<&'a ()>,
}

impl<'a> AnyView<'a> {
    /// Return None.
    #[inline]
    pub const fn new() -> Self {
        AnyView {
            data: TVMFFIAny::new(),
            borrow: PhantomData,
        }
    }

    /// Return a view of a C value.
    ///
    /// # Safety
    ///
    /// Everything that the value refers to must live during `'a`.
    #[inline]
    pub unsafe fn from_raw_ffi_any(data: TVMFFIAny) -> Self {
        AnyView {
            data,
            borrow: PhantomData,
        }
    }

    /// Return the type index of the value.
    #[inline]
    pub fn type_index(&self) -> i32 {
        self.data.type_index
    }

    /// Return the value if its type is `T`; do not convert values of other types.
    pub fn try_as<T: AnyCompatible>(&self) -> Option<T> {
        // SAFETY: the value is alive during the borrow; the check comes first.
        unsafe {
            T::check_any_strict(&self.data).then(|| T::copy_from_any_view_after_check(&self.data))
        }
    }

    /// Return the number of strong references to the object, or `None` if the value is not an
    /// object.
    pub fn debug_strong_count(&self) -> Option<usize> {
        if !is_object_index(self.data.type_index) {
            return None;
        }
        // SAFETY: the type index says that the payload is an object, which is alive.
        let header = unsafe { self.data.data_union.v_obj.as_ref()? };
        let count = header
            .combined_ref_count
            .load(std::sync::atomic::Ordering::Relaxed);
        Some((count & tvm_ffi_sys::COMBINED_REF_COUNT_MASK_U32) as usize)
    }

    /// Return an owned value.
    ///
    /// # Errors
    ///
    /// `InternalError` if the view is a moved argument whose reference another conversion has
    /// taken.
    #[inline]
    pub fn to_any(&self) -> Result<Any> {
        let index = self.data.type_index;
        if (FIRST_VIEW_ONLY..=LAST_VIEW_ONLY).contains(&index) {
            let mut data = TVMFFIAny::new();
            // SAFETY: the view is valid; `data` becomes an owned value on success.
            return unsafe {
                match TVMFFIAnyViewToOwnedAny(&self.data, &mut data) {
                    0 => Ok(Any::from_raw_ffi_any(data)),
                    _ => Err(Error::from_raised()),
                }
            };
        }
        if is_object_index(index) {
            // SAFETY: the type index says that the payload is an object, which is alive.
            unsafe {
                let object = self.data.data_union.v_obj;
                if !object.is_null() {
                    unsafe_::inc_ref(object);
                }
            }
        }
        // SAFETY: the code above has added the reference.
        Ok(unsafe { Any::from_raw_ffi_any(self.data) })
    }

    /// Return the C value, which stays borrowed.
    #[inline]
    pub fn as_raw_ffi_any(&self) -> &TVMFFIAny {
        &self.data
    }

    /// Return whether both values have the same bytes: the same object, or the same small value.
    pub(crate) fn is_same(&self, other: &AnyView<'_>) -> bool {
        // SAFETY: all bytes of a value are initialized, and are only compared.
        let words = |view: &AnyView<'_>| unsafe {
            std::mem::transmute::<TVMFFIAny, [u64; 2]>(*view.as_raw_ffi_any())
        };
        words(self) == words(other)
    }
}

impl Default for AnyView<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, T: AnyCompatible> From<&'a T> for AnyView<'a> {
    #[inline]
    fn from(value: &'a T) -> Self {
        let mut data = TVMFFIAny::new();
        // SAFETY: the view borrows from `value`.
        unsafe { T::copy_to_any_view(value, &mut data) };
        AnyView {
            data,
            borrow: PhantomData,
        }
    }
}

impl<'a> From<&'a Any> for AnyView<'a> {
    #[inline]
    fn from(value: &'a Any) -> Self {
        AnyView {
            data: *value.raw(),
            borrow: PhantomData,
        }
    }
}

impl<'a> From<&AnyView<'a>> for AnyView<'a> {
    #[inline]
    fn from(value: &AnyView<'a>) -> Self {
        *value
    }
}
