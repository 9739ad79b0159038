// SPDX-License-Identifier: Apache-2.0
//! Types that parameters and results of closures may have.

use crate::any::{from_view, Any, AnyView};
use crate::error::Result;
use crate::string::String;
use crate::type_traits::{AnyCompatible, ContainerElement};

/// A type that a parameter of a closure may have: every [`AnyCompatible`] type, [`Any`], and the
/// `String` of `std`. A type that borrows from the argument implements the trait for the lifetime
/// `'a` of the borrow, and can only be a parameter of an exported function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a parameter",
    note = "use a type that is `AnyCompatible`, by value: `tvm_ffi::String` instead of `&str`"
)]
pub trait PackedArgument<'a>: Sized {
    /// Whether the error about an argument of this type has the form of C++.
    #[doc(hidden)]
    const REFUSES_LIKE_CPP: bool = false;
    /// Convert an argument.
    #[track_caller]
    fn from_argument(view: AnyView<'a>) -> Result<Self>;
    /// Convert an argument, passed by reference to avoid a copy of the view.
    #[inline]
    #[track_caller]
    fn from_argument_ref(view: &AnyView<'a>) -> Result<Self> {
        Self::from_argument(*view)
    }
    /// Return the type schema as JSON.
    fn argument_schema() -> std::string::String;
    /// Return the name of the type, for messages.
    fn argument_type() -> std::string::String;
}

/// A type that the result of a closure may have: every [`AnyCompatible`] type, [`Any`], and the
/// `String` of `std`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a result",
    note = "use a type that is `AnyCompatible`, by value: `tvm_ffi::String` instead of `&str`"
)]
pub trait PackedResult: Sized {
    /// Convert the result.
    fn into_result(self) -> Any;
    /// Return the type schema as JSON.
    fn result_schema() -> std::string::String;
    /// Return the name of the type, for messages.
    fn result_type() -> std::string::String;
}

impl<'a, T: AnyCompatible> PackedArgument<'a> for T {
    const REFUSES_LIKE_CPP: bool = T::REFUSES_LIKE_CPP;

    #[inline]
    fn from_argument(view: AnyView<'a>) -> Result<Self> {
        from_view(&view)
    }
    #[inline]
    fn from_argument_ref(view: &AnyView<'a>) -> Result<Self> {
        from_view(view)
    }
    fn argument_schema() -> std::string::String {
        T::type_schema()
    }
    fn argument_type() -> std::string::String {
        T::type_str()
    }
}

impl<T: AnyCompatible> PackedResult for T {
    #[inline]
    fn into_result(self) -> Any {
        Any::from(self)
    }
    fn result_schema() -> std::string::String {
        T::type_schema()
    }
    fn result_type() -> std::string::String {
        T::type_str()
    }
}

impl<'a> PackedArgument<'a> for Any {
    #[inline]
    fn from_argument(view: AnyView<'a>) -> Result<Self> {
        view.to_any()
    }
    fn argument_schema() -> std::string::String {
        Any::element_type_schema()
    }
    fn argument_type() -> std::string::String {
        Any::element_type_str()
    }
}

impl PackedResult for Any {
    #[inline]
    fn into_result(self) -> Any {
        self
    }
    fn result_schema() -> std::string::String {
        Any::element_type_schema()
    }
    fn result_type() -> std::string::String {
        Any::element_type_str()
    }
}

impl<'a> PackedArgument<'a> for std::string::String {
    #[inline]
    fn from_argument(view: AnyView<'a>) -> Result<Self> {
        Self::try_from(view)
    }
    fn argument_schema() -> std::string::String {
        String::type_schema()
    }
    fn argument_type() -> std::string::String {
        String::type_str()
    }
}

impl PackedResult for std::string::String {
    #[inline]
    fn into_result(self) -> Any {
        Any::from(String::from(self))
    }
    fn result_schema() -> std::string::String {
        String::type_schema()
    }
    fn result_type() -> std::string::String {
        String::type_str()
    }
}
