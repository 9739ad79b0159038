// SPDX-License-Identifier: Apache-2.0
//! [`Variant`]: a value of one of several types, with the layout of C++ `Variant`.

use std::fmt;
use std::marker::PhantomData;

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::error::{out_of_range, Error, Result, TYPE_ERROR};
use crate::optional::OptionalCompatible;
use crate::type_traits::{mismatch_error, schema_with_args, AnyCompatible};

mod sealed {
    pub trait Sealed {}
}

/// The alternatives of a [`Variant`]: a tuple of 2 to 8 types that are [`AnyCompatible`].
pub trait Alternatives: sealed::Sealed + 'static {
    /// Return whether the type of a value is one of the alternatives, without conversion.
    #[doc(hidden)]
    fn check(view: &AnyView<'_>) -> bool;
    /// Convert the value to the first alternative that accepts the value. The caller has already
    /// checked that the type of the value is not one of the alternatives.
    #[doc(hidden)]
    fn convert(view: &AnyView<'_>) -> Option<Any>;
    /// Compute the conversion error of each alternative. Return the first one that is not a
    /// `TypeError`.
    #[doc(hidden)]
    fn value_error(view: &AnyView<'_>) -> Option<Error>;
    #[doc(hidden)]
    fn names() -> Vec<String>;
    #[doc(hidden)]
    fn schemas() -> Vec<String>;
}

/// The position of a type among the alternatives. The compiler infers the position.
pub struct Place<const INDEX: usize>;

/// A type that is one of the alternatives `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one of the alternatives `{T}`",
    note = "a `Variant` holds exactly its alternatives: write `3i64` or `String::from(\"text\")`"
)]
pub trait OneOf<T, P>: AnyCompatible {}

/// A value of one of the types of the tuple `T`, in 16 bytes as in C++.
///
/// ```
/// use tvm_ffi::{String, Variant};
///
/// type Text = Variant<(i64, String)>;
/// let number = Text::new(3i64);
/// assert_eq!(number.get::<i64>(), Some(3));
/// assert_eq!(number.get::<String>(), None);
/// assert_eq!(Text::new(String::from("x")).get::<String>().unwrap(), "x");
/// ```
///
/// The compiler refuses a value of another type. The conversion from an `Any` returns an error for
/// a value of another type:
///
/// ```compile_fail,E0277
/// tvm_ffi::Variant::<(i64, tvm_ffi::String)>::new(1.5f64);
/// ```
///
/// ```
/// use tvm_ffi::{Any, String, Variant};
///
/// let refused = Variant::<(i64, String)>::try_from(Any::from(1.5)).unwrap_err();
/// let text = "Cannot convert from type `float` to `Variant<int, ffi.String>`";
/// assert_eq!(refused.message(), text);
/// ```
#[repr(transparent)]
pub struct Variant<T> {
    value: Any,
    _types: PhantomData<T>,
}

impl<T: Alternatives> Variant<T> {
    /// Return a variant that holds a value.
    pub fn new<V: OneOf<T, P>, P>(value: V) -> Self {
        Self::of_any(Any::from(value))
    }

    /// Return the value if its type is `V`; do not convert values of other types.
    pub fn get<V: AnyCompatible>(&self) -> Option<V> {
        self.value.try_as()
    }

    /// Return the value.
    pub fn as_any(&self) -> &Any {
        &self.value
    }

    /// Consume `self` and return the value.
    pub fn into_any(self) -> Any {
        self.value
    }

    fn of_any(value: Any) -> Self {
        Variant {
            value,
            _types: PhantomData,
        }
    }
}

impl<T> Clone for Variant<T> {
    fn clone(&self) -> Self {
        Variant {
            value: self.value.clone(),
            _types: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Variant<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

// SAFETY: the member is a value of one of the types; the checks accept only these.
unsafe impl<T: Alternatives> AnyCompatible for Variant<T> {
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        *data = *src.value.raw();
    }

    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        // SAFETY: the ownership of the value moves to `data`.
        *data = unsafe { Any::into_raw_ffi_any(src.value) };
    }

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        // SAFETY: the caller guarantees that `data` is valid.
        T::check(&unsafe { AnyView::from_raw_ffi_any(*data) })
    }

    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        // SAFETY: the caller guarantees that `data` is valid; a value of an alternative can be
        // copied.
        Self::of_any(Any::from(unsafe { AnyView::from_raw_ffi_any(*data) }))
    }

    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
        // SAFETY: the caller gives up its ownership of `data`.
        Self::of_any(unsafe { Any::from_raw_ffi_any(*data) })
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that `data` is valid.
        let view = unsafe { AnyView::from_raw_ffi_any(*data) };
        T::convert(&view).map(Self::of_any).ok_or(())
    }

    unsafe fn is_undefined(field: *const Self) -> bool {
        // SAFETY: the field is a variant or consists of zero bytes, which are a valid `Any` (None).
        let value = unsafe { &(*field).value };
        value.type_index() == TVMFFITypeIndex::kTVMFFINone as i32
            && !T::check(&AnyView::from(value))
    }

    fn conversion_error(data: &TVMFFIAny) -> Error {
        // SAFETY: the caller has just tried to convert `data`, so `data` is alive.
        let view = unsafe { AnyView::from_raw_ffi_any(*data) };
        match T::value_error(&view) {
            Some(error) => out_of_range(&error, &Self::type_str(), "").unwrap_or(error),
            None => mismatch_error::<Self>(data),
        }
    }

    fn type_str() -> String {
        format!("Variant<{}>", T::names().join(", "))
    }

    fn type_schema() -> String {
        schema_with_args("Variant", &T::schemas())
    }
}

// SAFETY: C++ stores an optional variant in 16 bytes, as None or as the value of the variant.
unsafe impl<T: Alternatives> OptionalCompatible for Variant<T> {}

crate::macros::impl_value!([T: Alternatives] Variant<T>);

macro_rules! impl_alternatives {
    ($($name:ident)*; $($index:literal $one:ident [$($all:ident)*])*) => {
        impl<$($name: AnyCompatible + 'static),*> sealed::Sealed for ($($name,)*) {}

        impl<$($name: AnyCompatible + 'static),*> Alternatives for ($($name,)*) {
            fn check(view: &AnyView<'_>) -> bool {
                let data = view.as_raw_ffi_any();
                // SAFETY: the view refers to a live value.
                unsafe { false $(|| $name::check_any_strict(data))* }
            }

            fn convert(view: &AnyView<'_>) -> Option<Any> {
                let data = view.as_raw_ffi_any();
                // SAFETY: the view refers to a live value.
                $(if let Ok(value) = unsafe { $name::try_cast_from_any_view(data) } {
                    return Some(Any::from(value));
                })*
                None
            }

            fn value_error(view: &AnyView<'_>) -> Option<Error> {
                $(let error = $name::conversion_error(view.as_raw_ffi_any());
                if error.kind() != TYPE_ERROR {
                    return Some(error);
                })*
                None
            }

            fn names() -> Vec<String> {
                vec![$($name::type_str()),*]
            }

            fn schemas() -> Vec<String> {
                vec![$($name::type_schema()),*]
            }
        }

        $(impl<$($all: AnyCompatible + 'static),*> OneOf<($($all,)*), Place<$index>> for $one {})*
    };
}

impl_alternatives!(A B; 0 A [A B] 1 B [A B]);
impl_alternatives!(A B C; 0 A [A B C] 1 B [A B C] 2 C [A B C]);
impl_alternatives!(A B C D; 0 A [A B C D] 1 B [A B C D] 2 C [A B C D] 3 D [A B C D]);
impl_alternatives!(
    A B C D E;
    0 A [A B C D E] 1 B [A B C D E] 2 C [A B C D E] 3 D [A B C D E] 4 E [A B C D E]
);
impl_alternatives!(
    A B C D E F;
    0 A [A B C D E F] 1 B [A B C D E F] 2 C [A B C D E F] 3 D [A B C D E F] 4 E [A B C D E F]
    5 F [A B C D E F]
);
impl_alternatives!(
    A B C D E F G;
    0 A [A B C D E F G] 1 B [A B C D E F G] 2 C [A B C D E F G] 3 D [A B C D E F G]
    4 E [A B C D E F G] 5 F [A B C D E F G] 6 G [A B C D E F G]
);
impl_alternatives!(
    A B C D E F G H;
    0 A [A B C D E F G H] 1 B [A B C D E F G H] 2 C [A B C D E F G H] 3 D [A B C D E F G H]
    4 E [A B C D E F G H] 5 F [A B C D E F G H] 6 G [A B C D E F G H] 7 H [A B C D E F G H]
);
