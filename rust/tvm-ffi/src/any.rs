// SPDX-License-Identifier: Apache-2.0
//! Values of any type: the owned value, the borrowed view, and conversions from both.

mod convert;
mod view;

pub(crate) use convert::from_view;
pub use convert::TryFromTemp;
pub use view::AnyView;

use std::mem::ManuallyDrop;

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use crate::object::unsafe_;
use crate::type_traits::AnyCompatible;

/// Return whether values with this type index refer to an object.
#[inline]
pub(crate) fn is_object_index(type_index: i32) -> bool {
    type_index >= TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32
}

/// An owned value of any type.
#[repr(transparent)]
pub struct Any {
    data: TVMFFIAny,
}

impl Any {
    /// Return None.
    #[inline]
    pub const fn new() -> Self {
        Any {
            data: TVMFFIAny::new(),
        }
    }

    /// Return the type index of the value.
    #[inline]
    pub fn type_index(&self) -> i32 {
        self.data.type_index
    }

    /// Return the value if its type is `T`; do not convert values of other types.
    pub fn try_as<T: AnyCompatible>(&self) -> Option<T> {
        AnyView::from(self).try_as()
    }

    /// Return the number of strong references to the object, or `None` if the value is not an
    /// object.
    pub fn debug_strong_count(&self) -> Option<usize> {
        AnyView::from(self).debug_strong_count()
    }

    /// Return the address of the C value.
    ///
    /// # Safety
    ///
    /// Code that writes through the address must release the former value and leave an owned value.
    #[inline]
    pub unsafe fn as_data_ptr(&mut self) -> *mut TVMFFIAny {
        &mut self.data
    }

    /// Return the C value and give its ownership to the caller.
    ///
    /// # Safety
    ///
    /// The caller must release the value, for example with [`Any::from_raw_ffi_any`].
    #[inline]
    pub unsafe fn into_raw_ffi_any(this: Self) -> TVMFFIAny {
        ManuallyDrop::new(this).data
    }

    /// Take ownership of a C value.
    ///
    /// # Safety
    ///
    /// The caller must own the value. The result takes over the ownership.
    #[inline]
    pub unsafe fn from_raw_ffi_any(data: TVMFFIAny) -> Self {
        Any { data }
    }

    /// Return the C value, which stays owned by `self`.
    #[inline]
    pub(crate) fn raw(&self) -> &TVMFFIAny {
        &self.data
    }
}

impl Default for Any {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Any {
    #[inline]
    fn drop(&mut self) {
        if is_object_index(self.data.type_index) {
            // SAFETY: the value owns one strong reference, and is not used after the drop.
            unsafe { release_object(&self.data) };
        }
    }
}

/// Release the reference that an object value owns.
#[inline]
unsafe fn release_object(data: &TVMFFIAny) {
    // SAFETY: the type index says that the payload is an object.
    unsafe {
        let object = data.data_union.v_obj;
        if !object.is_null() {
            unsafe_::dec_ref(object);
        }
    }
}

impl Clone for Any {
    #[inline]
    fn clone(&self) -> Self {
        if is_object_index(self.data.type_index) {
            // SAFETY: the type index says that the payload is an object, which `self` keeps alive.
            unsafe {
                let object = self.data.data_union.v_obj;
                if !object.is_null() {
                    unsafe_::inc_ref(object);
                }
            }
        }
        Any { data: self.data }
    }
}

impl<T: AnyCompatible> From<T> for Any {
    #[inline]
    fn from(value: T) -> Self {
        let mut data = TVMFFIAny::new();
        // SAFETY: `data` holds None, so nothing leaks. The returned Any releases the moved value.
        unsafe { T::move_to_any(value, &mut data) };
        Any { data }
    }
}

/// Copy the value, or return None if the view is a moved argument whose reference another
/// conversion has taken. [`AnyView::to_any`] returns an error in that case.
impl From<AnyView<'_>> for Any {
    fn from(view: AnyView<'_>) -> Self {
        view.to_any().unwrap_or_default()
    }
}

impl std::fmt::Debug for Any {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        AnyView::from(self).fmt(f)
    }
}
