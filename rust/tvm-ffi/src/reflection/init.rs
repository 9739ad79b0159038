// SPDX-License-Identifier: Apache-2.0
//! Objects that are made without values for their fields.

use std::alloc::{alloc_zeroed, dealloc, handle_alloc_error, Layout};
use std::os::raw::c_void;
use std::sync::atomic::AtomicU64;

use tvm_ffi_sys::{
    TVMFFIObject, TVMFFIObjectDeleterFlagBitMask, TVMFFIObjectHandle, COMBINED_REF_COUNT_BOTH_ONE,
};

use super::field::FieldValue;
use crate::object::{Object, ObjectArc, ObjectCore, ObjectRef, ObjectRefCore};

const STRONG: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskStrong as i32;
const WEAK: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskWeak as i32;

/// An object struct that can be made of zero bytes, the fields to be set later.
///
/// # Safety
///
/// `drop_defined_fields` drops each field once, except those that are undefined
/// (`AnyCompatible::is_undefined`), and does not drop the struct itself.
#[diagnostic::on_unimplemented(
    message = "objects of `{Self}` cannot be made before their fields have values",
    note = "`rs_class` needs a parent that implements `UnsafeInit`, as `Object` and other classes do"
)]
pub unsafe trait UnsafeInit: ObjectCore {
    /// Drop the fields that have been set.
    ///
    /// # Safety
    ///
    /// Each field of the struct has a value or is undefined; the struct is not used afterwards.
    unsafe fn drop_defined_fields(this: *mut Self);

    /// Return which fields have been set.
    ///
    /// # Safety
    ///
    /// Each field of the struct has a value or is undefined.
    #[doc(hidden)]
    unsafe fn defined_fields(this: *const Self) -> DefinedFields {
        let _ = this;
        DefinedFields::Unknown
    }
}

// SAFETY: the header has no field that needs to be dropped.
unsafe impl UnsafeInit for Object {
    unsafe fn drop_defined_fields(_this: *mut Self) {}
    unsafe fn defined_fields(_this: *const Self) -> DefinedFields {
        DefinedFields::All
    }
}

/// Which fields of an object have been set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinedFields {
    /// The type does not say.
    Unknown,
    /// All fields have a value.
    All,
    /// This field has no value.
    Without(&'static str),
}

impl DefinedFields {
    /// Add a field to the fields of `self`.
    ///
    /// # Safety
    ///
    /// The field has a value or is undefined.
    pub unsafe fn and<F: FieldValue>(self, name: &'static str, field: *const F) -> Self {
        // SAFETY: as the caller promises.
        if self == DefinedFields::All && unsafe { F::is_undefined(field) } {
            return DefinedFields::Without(name);
        }
        self
    }
}

/// Drop a field unless it is undefined.
///
/// # Safety
///
/// The field has a value or is undefined; it is not used afterwards.
pub unsafe fn drop_if_defined<F: FieldValue>(field: *mut F) {
    // SAFETY: as the caller promises.
    unsafe {
        if !F::is_undefined(field) {
            field.drop_in_place();
        }
    }
}

unsafe extern "C" fn delete<T: UnsafeInit>(this: *mut c_void, flags: i32) {
    let object = this.cast::<T>();
    // SAFETY: the runtime calls once per flag, destructor first; the layout is that of `unsafe_init`.
    unsafe {
        if flags & STRONG != 0 {
            // A panic of a destructor ends here, because the caller may be C.
            crate::panics::ignore(|| match T::defined_fields(object) {
                DefinedFields::All => object.drop_in_place(),
                _ => T::drop_defined_fields(object),
            });
        }
        if flags & WEAK != 0 {
            dealloc(this.cast(), Layout::new::<T>());
        }
    }
}

/// Make an object of zero bytes whose fields have to be set.
///
/// # Safety
///
/// Until every field that is undefined has been set through its setter, nothing reads the object
/// as a `T`.
pub unsafe fn unsafe_init<T: UnsafeInit>() -> ObjectRef {
    let type_index = T::type_index();
    let layout = Layout::new::<T>();
    // SAFETY: the layout holds at least the header; the memory is new.
    unsafe {
        let memory = alloc_zeroed(layout);
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        memory.cast::<TVMFFIObject>().write(TVMFFIObject {
            combined_ref_count: AtomicU64::new(COMBINED_REF_COUNT_BOTH_ONE),
            type_index,
            deleter: Some(delete::<T>),
            ..TVMFFIObject::new()
        });
        ObjectRef::from_data(ObjectArc::from_raw(memory.cast::<Object>()))
    }
}

/// `TVMFFIObjectCreator` of a type.
///
/// # Safety
///
/// As for [`unsafe_init`]; `result` is writable.
pub unsafe extern "C" fn unsafe_init_creator<T: UnsafeInit>(
    result: *mut TVMFFIObjectHandle,
) -> i32 {
    crate::panics::guarded(|| {
        // SAFETY: as the caller promises.
        unsafe {
            let object = ObjectRef::into_data(unsafe_init::<T>());
            result.write(ObjectArc::into_raw(object) as *mut c_void);
        }
        Ok(())
    })
}
