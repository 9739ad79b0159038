// SPDX-License-Identifier: Apache-2.0
//! Creation of objects without values for their fields.

use std::alloc::{alloc_zeroed, dealloc, handle_alloc_error, Layout};
use std::os::raw::c_void;
use std::sync::atomic::AtomicU64;

use tvm_ffi_sys::{
    TVMFFIObject, TVMFFIObjectDeleterFlagBitMask, TVMFFIObjectHandle, COMBINED_REF_COUNT_BOTH_ONE,
};

use super::field::FieldValue;
use crate::object::{drop_value, Object, ObjectArc, ObjectCore, ObjectRef, ObjectRefCore};

const STRONG: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskStrong as i32;
const WEAK: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskWeak as i32;

/// An object struct that can be created from zero bytes. Its fields are set later.
///
/// # Safety
///
/// `drop_defined_fields` drops each field once, except undefined fields
/// (`AnyCompatible::is_undefined`). It does not drop the struct itself.
#[diagnostic::on_unimplemented(
    message = "objects of `{Self}` cannot be made before their fields have values",
    note = "`rs_class` needs a parent that implements `UnsafeInit`, as `Object` and other classes do"
)]
pub unsafe trait UnsafeInit: ObjectCore {
    /// Drop the fields that have values.
    ///
    /// # Safety
    ///
    /// Each field of the struct has a value or is undefined; the struct is not used afterwards.
    unsafe fn drop_defined_fields(this: *mut Self);

    /// Return which fields have values.
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

// SAFETY: the header does not have a field that must be dropped.
unsafe impl UnsafeInit for Object {
    unsafe fn drop_defined_fields(_this: *mut Self) {}
    unsafe fn defined_fields(_this: *const Self) -> DefinedFields {
        DefinedFields::All
    }
}

/// Information about which fields of an object have values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinedFields {
    /// The type does not give this information.
    Unknown,
    /// All fields have a value.
    All,
    /// This field has no value.
    Without(&'static str),
}

impl DefinedFields {
    /// Combine `self` with the information about one more field.
    ///
    /// # Safety
    ///
    /// The field has a value or is undefined.
    pub unsafe fn and<F: FieldValue>(self, name: &'static str, field: *const F) -> Self {
        // SAFETY: the caller meets the conditions of this function.
        let is_undefined = || F::locked(field, || unsafe { F::is_undefined(field) });
        if self == DefinedFields::All && is_undefined() {
            return DefinedFields::Without(name);
        }
        self
    }
}

/// Drop a field unless it is undefined.
///
/// # Safety
///
/// The field has a value or is undefined, and is not used afterwards.
pub unsafe fn drop_if_defined<F: FieldValue>(field: *mut F) {
    // SAFETY: the caller meets the conditions of this function.
    unsafe {
        if !F::is_undefined(field) {
            field.drop_in_place();
        }
    }
}

unsafe extern "C" fn delete<T: UnsafeInit>(this: *mut c_void, flags: i32) {
    let object = this.cast::<T>();
    // SAFETY: the runtime calls the deleter once per flag, first with `STRONG`. `unsafe_init` has
    // allocated the memory with the same layout.
    unsafe {
        if flags & STRONG != 0 {
            // Catch the panic of a destructor, because the caller may be C.
            crate::panics::ignore(|| match T::defined_fields(object) {
                DefinedFields::All => drop_value(object),
                _ => T::drop_defined_fields(object),
            });
        }
        if flags & WEAK != 0 {
            dealloc(this.cast(), Layout::new::<T>());
        }
    }
}

/// Create an object from zero bytes. The caller must set its fields.
///
/// # Safety
///
/// No code reads the object as a `T` before the setters have set every undefined field.
pub unsafe fn unsafe_init<T: UnsafeInit>() -> ObjectRef {
    let type_index = T::type_index();
    let layout = Layout::new::<T>();
    // SAFETY: the layout is at least as large as the header; the memory is new.
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

/// Create an object with [`unsafe_init`] and store its handle in `result`. The function has the
/// signature `TVMFFIObjectCreator`.
///
/// # Safety
///
/// The conditions are those of [`unsafe_init`], and `result` is writable.
pub unsafe extern "C" fn unsafe_init_creator<T: UnsafeInit>(
    result: *mut TVMFFIObjectHandle,
) -> i32 {
    crate::panics::guarded(|| {
        // SAFETY: the caller meets the conditions of this function.
        unsafe {
            let object = ObjectRef::into_data(unsafe_init::<T>());
            result.write(ObjectArc::into_raw(object) as *mut c_void);
        }
        Ok(())
    })
}
