// SPDX-License-Identifier: Apache-2.0
//! References to objects by type, and casts between them.

use tvm_ffi_sys::TVMFFIAny;

use super::{is_instance_of, Object, ObjectArc, ObjectCore};
use crate::any::Any;
use crate::error::Result;
use crate::type_traits::AnyCompatible;

/// A struct that is one strong reference to an object.
///
/// # Safety
///
/// The struct has the representation of its [`ObjectArc`]: one pointer, not null.
pub unsafe trait ObjectRefCore: Sized + Clone {
    /// The object struct.
    type ContainerType: ObjectCore;
    /// Return the pointer.
    fn data(this: &Self) -> &ObjectArc<Self::ContainerType>;
    /// Give the pointer to the caller.
    fn into_data(this: Self) -> ObjectArc<Self::ContainerType>;
    /// Make a reference of a pointer.
    ///
    /// # Safety
    ///
    /// The object meets what the reference type promises beyond the type of the object, for example
    /// the types of the elements of a container.
    unsafe fn from_data(data: ObjectArc<Self::ContainerType>) -> Self;
    /// Return whether two references are to the same object.
    fn same_as<O: ObjectRefCore>(&self, other: &O) -> bool {
        ObjectArc::as_header(Self::data(self)) == ObjectArc::as_header(O::data(other))
    }
    /// Return the object as an `N`, if it is one. Counts are not touched.
    fn as_node<N: ObjectCore>(&self) -> Option<&N> {
        let data = Self::data(self);
        if !is_instance_of::<N>(ObjectArc::dynamic_type_index(data)) {
            return None;
        }
        // SAFETY: the object is an `N`, and this reference keeps it alive.
        Some(unsafe { &*ObjectArc::as_header(data).cast::<N>() })
    }
}

/// Casts between reference types.
pub trait ObjectRefCast: ObjectRefCore + AnyCompatible {
    /// Return the same object as a `B`, without touching counts.
    ///
    /// # Errors
    ///
    /// `TypeError` if the object is not a `B`; `self` is dropped.
    fn try_cast<B: ObjectRefCore + AnyCompatible>(self) -> Result<B> {
        let mut data = TVMFFIAny::new();
        // SAFETY: the value is moved into `data`, and from there after the check or into an `Any`.
        unsafe {
            Self::move_to_any(self, &mut data);
            if B::check_any_strict(&data) {
                return Ok(B::move_from_any_after_check(&mut data));
            }
            let owner = Any::from_raw_ffi_any(data);
            let error = B::conversion_error(&data);
            drop(owner);
            Err(error)
        }
    }
}

impl<T: ObjectRefCore + AnyCompatible> ObjectRefCast for T {}

/// A reference to any object.
#[repr(C)]
#[derive(Clone)]
pub struct ObjectRef {
    data: ObjectArc<Object>,
}

crate::impl_object_ref!(ObjectRef, Object);
crate::impl_debug_by_repr!(ObjectRef);
