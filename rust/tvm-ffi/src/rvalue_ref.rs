// SPDX-License-Identifier: Apache-2.0
//! [`RValueRef`]: an argument whose reference moves to the callee.

use std::cell::Cell;
use std::marker::PhantomData;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFITypeIndex};

use crate::any::{AnyView, TryFromTemp};
use crate::error::{Error, TYPE_ERROR};
use crate::function_internal::{ArgIntoRef, IntoArgHolder};
use crate::object::{unsafe_, ObjectArc, ObjectRefCore};
use crate::type_traits::{schema_with_args, AnyCompatible};

const RVALUE_REF: i32 = TVMFFITypeIndex::kTVMFFIObjectRValueRef as i32;

/// A reference that moves to the callee. If the caller has the only reference to an object, the
/// callee gets the only reference.
pub struct RValueRef<T: ObjectRefCore + AnyCompatible> {
    /// The reference, or null after the callee has taken it.
    slot: Cell<*mut TVMFFIObject>,
    kind: PhantomData<T>,
}

impl<T: ObjectRefCore + AnyCompatible> RValueRef<T> {
    /// Wrap a reference.
    pub fn new(value: T) -> Self {
        // SAFETY: from here on, `slot` owns the reference.
        let object = unsafe { ObjectArc::into_raw(T::into_data(value)) };
        RValueRef {
            slot: Cell::new(object.cast_mut().cast()),
            kind: PhantomData,
        }
    }

    /// Return the reference.
    ///
    /// # Panics
    ///
    /// Panics if a callee has taken the reference. This can only happen if the `RValueRef` was an
    /// argument of a call.
    pub fn into_inner(self) -> T {
        let object = self.slot.replace(std::ptr::null_mut());
        assert!(!object.is_null(), "the reference was already moved");
        // SAFETY: the slot owned a reference to an object, which is a `T`.
        unsafe { T::from_data(ObjectArc::from_raw(object.cast())) }
    }
}

impl<T: ObjectRefCore + AnyCompatible> From<T> for RValueRef<T> {
    fn from(value: T) -> Self {
        RValueRef::new(value)
    }
}

impl<T: ObjectRefCore + AnyCompatible> TryFrom<AnyView<'_>> for RValueRef<T> {
    type Error = Error;
    #[track_caller]
    fn try_from(view: AnyView<'_>) -> Result<Self, Error> {
        TryFromTemp::<Self>::try_from(view).map(TryFromTemp::into_value)
    }
}

impl<T: ObjectRefCore + AnyCompatible> Drop for RValueRef<T> {
    fn drop(&mut self) {
        let object = self.slot.get();
        if !object.is_null() {
            // SAFETY: the slot owns the reference.
            unsafe { unsafe_::dec_ref(object) };
        }
    }
}

/// Return the address of the caller's slot, or `None` if the value is not a moved argument.
unsafe fn slot_of(data: &TVMFFIAny) -> Option<*mut *mut TVMFFIObject> {
    // SAFETY: the type index selects the payload.
    (data.type_index == RVALUE_REF).then(|| unsafe { data.data_union.v_ptr.cast() })
}

/// Return an object as a C value. The reference count does not change.
unsafe fn object_value(object: *mut TVMFFIObject) -> TVMFFIAny {
    let mut value = TVMFFIAny::new();
    // SAFETY: the object is alive.
    value.type_index = unsafe { (*object).type_index };
    value.data_union.v_obj = object;
    value
}

// SAFETY: a view contains the address of the slot, which lives as long as the borrow. An owned
// value contains the reference.
unsafe impl<T: ObjectRefCore + AnyCompatible> AnyCompatible for RValueRef<T> {
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        *data = TVMFFIAny::new();
        data.type_index = RVALUE_REF;
        data.data_union.v_ptr = src.slot.as_ptr().cast();
    }
    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { T::move_to_any(src.into_inner(), data) };
    }
    unsafe fn check_any_strict(_data: &TVMFFIAny) -> bool {
        // Only `try_cast_from_any_view` may take the reference out of the slot, so the strict check
        // does not accept any value.
        false
    }
    unsafe fn copy_from_any_view_after_check(_data: &TVMFFIAny) -> Self {
        unreachable!("the check is never true")
    }
    unsafe fn move_from_any_after_check(_data: &mut TVMFFIAny) -> Self {
        unreachable!("the check is never true")
    }
    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the slot lives during the call and owns its reference.
        unsafe {
            if let Some(slot) = slot_of(data) {
                let object = slot.read();
                if object.is_null() {
                    return Err(());
                }
                let mut value = object_value(object);
                if T::check_any_strict(&value) {
                    slot.write(std::ptr::null_mut());
                    return Ok(RValueRef::new(T::move_from_any_after_check(&mut value)));
                }
                return T::try_cast_from_any_view(&value).map(RValueRef::new);
            }
            if T::check_any_strict(data) {
                return Ok(RValueRef::new(T::copy_from_any_view_after_check(data)));
            }
            T::try_cast_from_any_view(data).map(RValueRef::new)
        }
    }
    fn get_mismatch_type_info(data: &TVMFFIAny) -> String {
        // SAFETY: the value is valid.
        unsafe {
            match slot_of(data) {
                Some(slot) if (*slot).is_null() => "an already-moved RValueRef".to_string(),
                Some(slot) => T::get_mismatch_type_info(&object_value(*slot)),
                None => T::get_mismatch_type_info(data),
            }
        }
    }
    fn conversion_error(data: &TVMFFIAny) -> Error {
        let from = Self::get_mismatch_type_info(data);
        let message = format!("Cannot convert from type `{from}` to `{}`", T::type_str());
        Error::of_crate(TYPE_ERROR, &message)
    }
    fn type_str() -> String {
        "ObjectRValueRef".to_string()
    }
    fn type_schema() -> String {
        schema_with_args("ObjectRValueRef", &[T::type_schema()])
    }
}

impl<T: ObjectRefCore + AnyCompatible> ArgIntoRef for RValueRef<T> {
    type Target = Self;
    fn to_ref(&self) -> &Self {
        self
    }
}

impl<T: ObjectRefCore + AnyCompatible> IntoArgHolder for RValueRef<T> {
    type Target = Self;
    fn into_arg_holder(self) -> Self {
        self
    }
}
