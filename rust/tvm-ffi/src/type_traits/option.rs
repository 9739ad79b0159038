// SPDX-License-Identifier: Apache-2.0
//! `Option<T>` as a value that may be None.

use std::mem::size_of;

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use super::{schema_with_args, AnyCompatible};
use crate::error::Error;

fn is_none(data: &TVMFFIAny) -> bool {
    data.type_index == TVMFFITypeIndex::kTVMFFINone as i32
}

// SAFETY: the functions handle None, and call the functions of `T` for other values.
unsafe impl<T: AnyCompatible> AnyCompatible for Option<T> {
    /// C++ represents an optional reference as a pointer that may be null.
    const HAS_C_LAYOUT: bool = T::HAS_C_LAYOUT && size_of::<Self>() == size_of::<T>();
    fn check_layout(reached: &mut crate::object::Reached) -> Result<(), &'static str> {
        T::check_layout(reached)
    }
    #[inline]
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        match src {
            // SAFETY: the function of this name in `T` has the same safety conditions as this function.
            Some(value) => unsafe { T::copy_to_any_view(value, data) },
            None => *data = TVMFFIAny::new(),
        }
    }
    #[inline]
    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        match src {
            // SAFETY: the function of this name in `T` has the same safety conditions as this function.
            Some(value) => unsafe { T::move_to_any(value, data) },
            None => *data = TVMFFIAny::new(),
        }
    }
    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        // SAFETY: the function of this name in `T` has the same safety conditions as this function.
        is_none(data) || unsafe { T::check_any_strict(data) }
    }
    #[inline]
    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        if is_none(data) {
            return None;
        }
        // SAFETY: the caller's check returned true. The value is not None, so `T` has accepted it.
        Some(unsafe { T::copy_from_any_view_after_check(data) })
    }
    #[inline]
    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
        if is_none(data) {
            return None;
        }
        // SAFETY: the caller's check returned true. The value is not None, so `T` has accepted it.
        Some(unsafe { T::move_from_any_after_check(data) })
    }
    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        if is_none(data) {
            return Ok(None);
        }
        // SAFETY: the function of this name in `T` has the same safety conditions as this function.
        unsafe { T::try_cast_from_any_view(data) }.map(Some)
    }
    fn get_mismatch_type_info(data: &TVMFFIAny) -> String {
        T::get_mismatch_type_info(data)
    }
    fn conversion_error(data: &TVMFFIAny) -> Error {
        crate::error::renamed_conversion_error::<T>(data, &Self::type_str())
    }
    fn type_str() -> String {
        format!("Optional<{}>", T::type_str())
    }
    fn type_schema() -> String {
        schema_with_args("Optional", &[T::type_schema()])
    }
}

crate::impl_try_from_any_for_parametric!(Option<T>);
crate::__impl_arg_into_ref!([T: AnyCompatible] Option<T>);
crate::__impl_into_arg_holder!([T: AnyCompatible] Option<T>);
