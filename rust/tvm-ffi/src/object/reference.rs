// SPDX-License-Identifier: Apache-2.0
//! Typed references to objects, and casts between reference types.

use tvm_ffi_sys::TVMFFIAny;

use super::{is_object, write_object, Object, ObjectArc, ObjectCore};
use crate::any::Any;
use crate::error::Result;
use crate::type_traits::AnyCompatible;

/// A struct that consists of one strong reference to an object.
///
/// # Safety
///
/// The struct has the representation of an [`ObjectArc`]: one pointer that is not null.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reference type",
    note = "expected a type that `def_object_ref!` or `derive(ObjectRef)` defines (`Shape`), or \
            `tvm_ffi::object::ObjectRef`; an object struct (`ShapeObj`) is not a reference"
)]
pub unsafe trait ObjectRefCore: Sized + Clone {
    /// The object struct.
    type ContainerType: ObjectCore;
    /// Return the pointer in the struct.
    fn data(this: &Self) -> &ObjectArc<Self::ContainerType>;
    /// Convert the struct to the pointer in it.
    fn into_data(this: Self) -> ObjectArc<Self::ContainerType>;
    /// Create a reference from a pointer.
    ///
    /// # Safety
    ///
    /// The object has all properties that the reference type guarantees, for example the types of
    /// the elements of a container.
    unsafe fn from_data(data: ObjectArc<Self::ContainerType>) -> Self;
    /// Return whether two references refer to the same object.
    fn same_as<O: ObjectRefCore>(&self, other: &O) -> bool {
        ObjectArc::as_header(Self::data(self)) == ObjectArc::as_header(O::data(other))
    }
    /// Return the object as an `N` if its type is `N` or derives from `N`. The reference count does
    /// not change.
    fn as_node<N: ObjectCore>(&self) -> Option<&N> {
        let data = Self::data(self);
        let mut value = TVMFFIAny::new();
        write_object(data, &mut value);
        // SAFETY: the value is an object, and this reference keeps it alive.
        unsafe { is_object::<N>(&value).then(|| &*ObjectArc::as_header(data).cast::<N>()) }
    }
}

/// Casts between reference types.
pub trait ObjectRefCast: ObjectRefCore + AnyCompatible {
    /// Convert to a reference of type `B` to the same object. The reference count does not change.
    ///
    /// # Errors
    ///
    /// `TypeError` if the object is not a `B`; `self` is dropped.
    #[track_caller]
    fn try_cast<B: ObjectRefCore + AnyCompatible>(self) -> Result<B> {
        let mut data = TVMFFIAny::new();
        // SAFETY: `self` moves into `data`. From there, the value moves into the result after the
        // check, or into an `Any`.
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
