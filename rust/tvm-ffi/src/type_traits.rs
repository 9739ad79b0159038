// SPDX-License-Identifier: Apache-2.0
//! Traits of the types that an [`Any`] can hold.

mod option;
mod scalars;

use tvm_ffi_sys::TVMFFIAny;

use crate::any::{Any, AnyView, TryFromTemp};
use crate::error::{Error, Result, TYPE_ERROR};

/// A type that an [`Any`] can hold.
///
/// # Safety
///
/// The functions are consistent: if `check_any_strict` returns true, the value can be copied and
/// moved out. `move_to_any` writes an owned value. `copy_to_any_view` writes a value that is valid
/// while `src` is borrowed.
#[diagnostic::on_unimplemented(
    message = "an `Any` cannot hold a value of the type `{Self}`",
    note = "for an object struct (`ShapeObj`), use its reference type (`Shape`), which \
            `def_object_ref!` defines; for text, use `tvm_ffi::String`"
)]
pub unsafe trait AnyCompatible: Sized {
    /// Whether this type has exactly one type index, which no other type has.
    #[doc(hidden)]
    const MATCH_ANY_EXACT: bool = false;
    /// Return the type index that stands for this type, if `MATCH_ANY_EXACT` is true.
    #[doc(hidden)]
    fn match_any_exact_type_index() -> i32 {
        tvm_ffi_sys::TVMFFITypeIndex::kTVMFFINone as i32
    }
    /// Whether a field of this type has the representation of the C++ type with the same schema.
    #[doc(hidden)]
    const HAS_C_LAYOUT: bool = true;
    /// Check the structs of the objects to which a field of this type refers.
    #[doc(hidden)]
    fn check_layout(_reached: &mut crate::object::Reached) -> Result<(), &'static str> {
        Ok(())
    }
    /// Write `src` to `data` as a borrowed value.
    ///
    /// # Safety
    ///
    /// The caller uses the result only while `src` is borrowed. The function does not release the
    /// former value of `data`.
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny);
    /// Move `src` to `data` as an owned value.
    ///
    /// # Safety
    ///
    /// The caller releases the result. The function does not release the former value of `data`.
    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny);
    /// Return whether the value is of this type, without conversion.
    ///
    /// # Safety
    ///
    /// The value is valid.
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool;
    /// Return a copy of the value.
    ///
    /// # Safety
    ///
    /// `check_any_strict` returned true.
    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self;
    /// Move the value out of `data`. The caller must not release `data` afterwards.
    ///
    /// # Safety
    ///
    /// `check_any_strict` returned true, and the caller owns the value.
    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self;
    /// Convert a value for which `check_any_strict` returned false. The default is for types that
    /// do not convert from other types; it returns a copy of a value of this type.
    ///
    /// # Safety
    ///
    /// The value is valid.
    #[allow(clippy::result_unit_err)]
    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that the value is valid; it is copied after the check.
        unsafe {
            match Self::check_any_strict(data) {
                true => Ok(Self::copy_from_any_view_after_check(data)),
                false => Err(()),
            }
        }
    }
    /// Return whether a field is undefined: its object was created from zero bytes, and no code has
    /// set the field.
    ///
    /// # Safety
    ///
    /// The pointer is the address of a field of this type, or of zero bytes of the same size.
    unsafe fn is_undefined(_field: *const Self) -> bool {
        false
    }
    /// Describe, for messages, the type of a value that is not a `Self`.
    fn get_mismatch_type_info(data: &TVMFFIAny) -> String {
        crate::object::type_key_of(data.type_index)
    }
    /// Whether the error about an argument of this type has the form of C++.
    #[doc(hidden)]
    const REFUSES_LIKE_CPP: bool = false;
    /// Return the error for a value that cannot be converted.
    #[doc(hidden)]
    #[track_caller]
    fn conversion_error(data: &TVMFFIAny) -> Error {
        mismatch_error::<Self>(data)
    }
    /// Return the name of the type, for messages.
    fn type_str() -> String;
    /// Return the type schema as JSON.
    fn type_schema() -> String {
        simple_schema(&Self::type_str())
    }
    /// Return a copy of the value as an owned value.
    fn to_any(&self) -> Any {
        Any::from(AnyView::from(self))
    }
}

/// Return the error for a value whose type does not convert to `T`.
#[track_caller]
pub(crate) fn mismatch_error<T: AnyCompatible>(data: &TVMFFIAny) -> Error {
    let from = T::get_mismatch_type_info(data);
    let message = format!("Cannot convert from type `{from}` to `{}`", T::type_str());
    Error::of_crate(TYPE_ERROR, &message)
}

/// Return the JSON type schema `{"type":"NAME"}`.
pub fn simple_schema(name: &str) -> String {
    format!("{{\"type\":{}}}", json_string(name))
}

/// Return the JSON type schema `{"type":"NAME","args":[..]}`.
pub fn schema_with_args(name: &str, args: &[String]) -> String {
    format!(
        "{{\"type\":{},\"args\":[{}]}}",
        json_string(name),
        args.join(",")
    )
}

/// Return a text as a JSON string, as the runtime writes it: `/` is escaped, and control characters
/// are `\u00xx`.
pub fn json_string(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '/' => result.push_str("\\/"),
            '\u{8}' => result.push_str("\\b"),
            '\u{c}' => result.push_str("\\f"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}' => {
                result.push_str(&format!("\\u{:04x}", character as u32));
            }
            other => result.push(other),
        }
    }
    result.push('"');
    result
}

mod sealed {
    pub trait Sealed {}
    impl<T: super::AnyCompatible> Sealed for T {}
    impl Sealed for super::Any {}
}

/// A type that an element of a container may have: every [`AnyCompatible`] type, and [`Any`].
#[diagnostic::on_unimplemented(
    message = "a container cannot have elements of the type `{Self}`",
    note = "for an object struct (`ShapeObj`), use its reference type (`Shape`), which \
            `def_object_ref!` defines; for text, use `tvm_ffi::String`"
)]
#[doc(hidden)]
pub trait ContainerElement: sealed::Sealed + Sized {
    /// Convert to an owned value.
    fn element_into_any(self) -> Any;
    /// Return a view of the element.
    fn element_as_view(&self) -> AnyView<'_>;
    /// Whether every value is of this type.
    const HOLDS_ALL: bool = false;
    /// Return whether the value is of this type, without conversion.
    fn element_check_strict(view: &AnyView<'_>) -> bool;
    /// Convert a value.
    #[track_caller]
    fn element_from_view(view: AnyView<'_>) -> Result<Self>;
    /// Convert an owned value.
    #[track_caller]
    fn element_from_any(any: Any) -> Result<Self>;
    /// Describe, for messages, the type of a value that is not a `Self`.
    fn element_mismatch(view: &AnyView<'_>) -> String;
    /// Return the name of the type, for messages.
    fn element_type_str() -> String;
    /// Return the type schema as JSON.
    fn element_type_schema() -> String;
}

impl<T: AnyCompatible> ContainerElement for T {
    #[inline]
    fn element_into_any(self) -> Any {
        Any::from(self)
    }
    #[inline]
    fn element_as_view(&self) -> AnyView<'_> {
        AnyView::from(self)
    }
    #[inline]
    fn element_check_strict(view: &AnyView<'_>) -> bool {
        // SAFETY: the view refers to a live value.
        unsafe { T::check_any_strict(view.as_raw_ffi_any()) }
    }
    #[inline]
    fn element_from_view(view: AnyView<'_>) -> Result<Self> {
        TryFromTemp::<T>::try_from(view).map(TryFromTemp::into_value)
    }
    #[inline]
    fn element_from_any(any: Any) -> Result<Self> {
        TryFromTemp::<T>::try_from(any).map(TryFromTemp::into_value)
    }
    fn element_mismatch(view: &AnyView<'_>) -> String {
        T::get_mismatch_type_info(view.as_raw_ffi_any())
    }
    fn element_type_str() -> String {
        T::type_str()
    }
    fn element_type_schema() -> String {
        T::type_schema()
    }
}

impl ContainerElement for Any {
    const HOLDS_ALL: bool = true;
    #[inline]
    fn element_into_any(self) -> Any {
        self
    }
    #[inline]
    fn element_as_view(&self) -> AnyView<'_> {
        AnyView::from(self)
    }
    #[inline]
    fn element_check_strict(_view: &AnyView<'_>) -> bool {
        true
    }
    #[inline]
    fn element_from_view(view: AnyView<'_>) -> Result<Self> {
        view.to_any()
    }
    #[inline]
    fn element_from_any(any: Any) -> Result<Self> {
        Ok(any)
    }
    fn element_mismatch(view: &AnyView<'_>) -> String {
        crate::object::type_key_of(view.type_index())
    }
    fn element_type_str() -> String {
        "Any".to_string()
    }
    fn element_type_schema() -> String {
        simple_schema("Any")
    }
}
