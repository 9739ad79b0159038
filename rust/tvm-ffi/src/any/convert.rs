// SPDX-License-Identifier: Apache-2.0
//! Conversions of values to types.

use std::mem::ManuallyDrop;

use super::{Any, AnyView};
use crate::error::{Error, Result};
use crate::type_traits::AnyCompatible;

/// The result of a conversion, wrapped in a type of this crate. The macros need the wrapper,
/// because a crate can implement `TryFrom` only for types that the crate defines.
pub struct TryFromTemp<T> {
    value: T,
}

impl<T> TryFromTemp<T> {
    /// Wrap the result of a conversion.
    #[inline]
    pub fn new(value: T) -> Self {
        TryFromTemp { value }
    }

    /// Return the value.
    #[inline]
    pub fn into_value(this: Self) -> T {
        this.value
    }
}

/// Convert a view. The view is passed by reference, because a copy of its 16 bytes is slow directly
/// after separate stores have written the parts of the view (7 ns per argument).
#[inline]
#[track_caller]
pub(crate) fn from_view<T: AnyCompatible>(view: &AnyView<'_>) -> Result<T> {
    let data = view.as_raw_ffi_any();
    // SAFETY: the value is alive during the call; the check comes before the copy.
    unsafe {
        if T::check_any_strict(data) {
            return Ok(T::copy_from_any_view_after_check(data));
        }
        match T::try_cast_from_any_view(data) {
            Ok(value) => Ok(value),
            Err(()) => Err(T::conversion_error(data)),
        }
    }
}

impl<T: AnyCompatible> TryFrom<AnyView<'_>> for TryFromTemp<T> {
    type Error = Error;
    #[inline]
    #[track_caller]
    fn try_from(view: AnyView<'_>) -> Result<Self> {
        from_view(&view).map(TryFromTemp::new)
    }
}

impl<T: AnyCompatible> TryFrom<Any> for TryFromTemp<T> {
    type Error = Error;
    #[inline]
    #[track_caller]
    fn try_from(any: Any) -> Result<Self> {
        // SAFETY: the value is owned, and its type is checked before its ownership moves to the
        // result.
        unsafe {
            if T::check_any_strict(any.raw()) {
                let mut any = ManuallyDrop::new(any);
                let data = Any::as_data_ptr(&mut any);
                return Ok(TryFromTemp::new(T::move_from_any_after_check(&mut *data)));
            }
        }
        convert_owned(any)
    }
}

/// Convert a value whose type is not `T`.
#[inline(never)]
#[track_caller]
fn convert_owned<T: AnyCompatible>(any: Any) -> Result<TryFromTemp<T>> {
    TryFromTemp::try_from(AnyView::from(&any))
}
