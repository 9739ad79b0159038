// SPDX-License-Identifier: Apache-2.0
//! Conversion of `Vec`, `HashMap` and tuples of `std` from and to containers of the runtime, by
//! copying.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use super::array::Array;
use super::map::Map;
use crate::any::{Any, AnyView};
use crate::error::{out_of_range, Error, Result, TYPE_ERROR};
use crate::function_internal::{IntoArgHolder, PackedArgument, PackedResult};
use crate::string::String as FfiString;
use crate::type_traits::{schema_with_args, ContainerElement};

mod sealed {
    pub trait Sealed {}
}

/// A type that an element of a container of `std` may have, if the container is a parameter or
/// result of a function.
///
/// The trait is implemented for every type that a container of this crate may have as element. It
/// is also implemented for `Vec<T>` (an array; this includes `Vec<u8>`, so use `Bytes` for bytes),
/// `HashMap<K, V>` (a map), tuples (an array of fixed length) and `std::string::String`. `Vec`,
/// `HashMap`, tuples and `std::string::String` are copied.
pub trait CallValue: sealed::Sealed + Sized {
    /// Convert to an owned value.
    fn into_value(self) -> Any;
    /// Convert a value.
    #[track_caller]
    fn from_value(view: AnyView<'_>) -> Result<Self>;
    /// Describe the type of a value that does not convert, for messages.
    fn mismatch(view: &AnyView<'_>) -> String;
    /// Return the name of the type, for messages.
    fn type_name() -> String;
    /// Return the type schema as JSON.
    fn value_schema() -> String;
}

impl<T: ContainerElement> sealed::Sealed for T {}

impl<T: ContainerElement> CallValue for T {
    fn into_value(self) -> Any {
        self.element_into_any()
    }

    fn from_value(view: AnyView<'_>) -> Result<Self> {
        T::element_from_view(view)
    }

    fn mismatch(view: &AnyView<'_>) -> String {
        T::element_mismatch(view)
    }

    fn type_name() -> String {
        T::element_type_str()
    }

    fn value_schema() -> String {
        T::element_type_schema()
    }
}

/// Return the error for a value that does not convert to `T`. `part` is the error of a part of the
/// value. If `part` is a `TypeError` or `None`, the result is a new error about the whole value.
#[track_caller]
fn conversion_error<T: CallValue>(view: AnyView<'_>, part: Option<Error>) -> Error {
    match part {
        Some(error) if error.kind() != TYPE_ERROR => {
            out_of_range(&error, &T::type_name(), "").unwrap_or(error)
        }
        _ => {
            let (found, name) = (T::mismatch(&view), T::type_name());
            Error::of_crate(
                TYPE_ERROR,
                &format!("Cannot convert from type `{found}` to `{name}`"),
            )
        }
    }
}

/// Return the error of the element `i`. If the element is an integer that is out of range, add `i`
/// to the message.
fn at_index<T: CallValue>(error: Error, i: usize) -> Error {
    out_of_range(&error, &T::type_name(), &format!("index {i}: ")).unwrap_or(error)
}

/// Return the elements of an array or list.
fn elements(view: AnyView<'_>) -> Option<Vec<Any>> {
    Array::<Any>::try_from(view).ok()?.to_vec().ok()
}

/// Return the entries of a map or dict.
fn entries(view: AnyView<'_>) -> Option<Vec<(Any, Any)>> {
    Some(Map::<Any, Any>::try_from(view).ok()?.iter().collect())
}

/// Return a description of a sequence that does not convert, such as `Array[index 2: int]`. `check`
/// returns the type of an element that does not convert, and otherwise `None`.
fn sequence_mismatch(
    view: &AnyView<'_>,
    check: impl Fn(usize, AnyView<'_>) -> Option<String>,
) -> String {
    let list = view.type_index() == crate::TypeIndex::kTVMFFIList as i32;
    let name = if list { "List" } else { "Array" };
    elements(*view)
        .into_iter()
        .flatten()
        .enumerate()
        .find_map(|(i, element)| {
            Some(format!(
                "{name}[index {i}: {}]",
                check(i, AnyView::from(&element))?
            ))
        })
        .unwrap_or_else(|| crate::object::type_key_of(view.type_index()))
}

/// Return the type of a value that does not convert to `T`, or `None` if the value converts.
fn mismatch_of<T: CallValue>(view: AnyView<'_>) -> Option<String> {
    T::from_value(view).is_err().then(|| T::mismatch(&view))
}

impl<T: CallValue> sealed::Sealed for Vec<T> {}

impl<T: CallValue> CallValue for Vec<T> {
    fn into_value(self) -> Any {
        Any::from(self.into_iter().map(T::into_value).collect::<Array<Any>>())
    }

    fn from_value(view: AnyView<'_>) -> Result<Self> {
        let Some(elements) = elements(view) else {
            return Err(conversion_error::<Self>(view, None));
        };
        let converted = elements
            .iter()
            .enumerate()
            .map(|(i, element)| T::from_value(element.into()).map_err(|e| at_index::<T>(e, i)));
        converted
            .collect::<Result<Self>>()
            .map_err(|error| conversion_error::<Self>(view, Some(error)))
    }

    fn mismatch(view: &AnyView<'_>) -> String {
        sequence_mismatch(view, |_, element| mismatch_of::<T>(element))
    }

    fn type_name() -> String {
        format!("Array<{}>", T::type_name())
    }

    fn value_schema() -> String {
        schema_with_args("ffi.Array", &[T::value_schema()])
    }
}

impl<K, V, S> sealed::Sealed for HashMap<K, V, S> {}

impl<K, V, S> CallValue for HashMap<K, V, S>
where
    K: CallValue + Eq + Hash,
    V: CallValue,
    S: BuildHasher + Default,
{
    fn into_value(self) -> Any {
        let entries = self
            .into_iter()
            .map(|(key, value)| (key.into_value(), value.into_value()));
        Any::from(entries.collect::<Map<Any, Any>>())
    }

    fn from_value(view: AnyView<'_>) -> Result<Self> {
        let Some(entries) = entries(view) else {
            return Err(conversion_error::<Self>(view, None));
        };
        let convert = |(key, value): &(Any, Any)| {
            Ok((K::from_value(key.into())?, V::from_value(value.into())?))
        };
        let converted = entries.iter().map(convert);
        converted
            .collect::<Result<Self>>()
            .map_err(|error| conversion_error::<Self>(view, Some(error)))
    }

    fn mismatch(view: &AnyView<'_>) -> String {
        let dict = view.type_index() == crate::TypeIndex::kTVMFFIDict as i32;
        let name = if dict { "Dict" } else { "Map" };
        let find = |(key, value): (Any, Any)| {
            if let Some(found) = mismatch_of::<K>((&key).into()) {
                return Some(format!("{name}[some key is {found}, V]"));
            }
            let found = mismatch_of::<V>((&value).into())?;
            Some(format!("{name}[K, some value is {found}]"))
        };
        entries(*view)
            .into_iter()
            .flatten()
            .find_map(find)
            .unwrap_or_else(|| crate::object::type_key_of(view.type_index()))
    }

    fn type_name() -> String {
        format!("Map<{}, {}>", K::type_name(), V::type_name())
    }

    fn value_schema() -> String {
        schema_with_args("ffi.Map", &[K::value_schema(), V::value_schema()])
    }
}

impl sealed::Sealed for String {}

impl CallValue for String {
    fn into_value(self) -> Any {
        Any::from(FfiString::from(self))
    }

    fn from_value(view: AnyView<'_>) -> Result<Self> {
        Ok(FfiString::try_from(view)?.as_str().to_string())
    }

    fn mismatch(view: &AnyView<'_>) -> String {
        FfiString::mismatch(view)
    }

    fn type_name() -> String {
        FfiString::type_name()
    }

    fn value_schema() -> String {
        FfiString::value_schema()
    }
}

/// Implement conversions of values to a type of `std`.
macro_rules! impl_conversions {
    ([$($parameters:tt)*] $type:ty) => {
        impl<$($parameters)*> TryFrom<AnyView<'_>> for $type {
            type Error = Error;

            #[track_caller]
            fn try_from(view: AnyView<'_>) -> Result<Self> {
                Self::from_value(view)
            }
        }

        impl<$($parameters)*> TryFrom<Any> for $type {
            type Error = Error;

            #[track_caller]
            fn try_from(value: Any) -> Result<Self> {
                Self::from_value(AnyView::from(&value))
            }
        }

        impl<$($parameters)*> From<$type> for Any {
            fn from(value: $type) -> Any {
                value.into_value()
            }
        }

        impl<'a, $($parameters)*> PackedArgument<'a> for $type {
            fn from_argument(view: AnyView<'a>) -> Result<Self> {
                Self::from_value(view)
            }

            fn argument_schema() -> String {
                Self::value_schema()
            }

            fn argument_type() -> String {
                Self::type_name()
            }
        }

        impl<$($parameters)*> PackedResult for $type {
            fn into_result(self) -> Any {
                self.into_value()
            }

            fn result_schema() -> String {
                Self::value_schema()
            }

            fn result_type() -> String {
                Self::type_name()
            }
        }
    };
}

impl From<String> for Any {
    fn from(text: String) -> Any {
        text.into_value()
    }
}

impl_conversions!([T: CallValue] Vec<T>);
impl_conversions!(
    [K: CallValue + Eq + Hash, V: CallValue, S: BuildHasher + Default] HashMap<K, V, S>
);

impl From<&str> for Any {
    fn from(text: &str) -> Any {
        Any::from(FfiString::from(text))
    }
}

impl<T: CallValue> IntoArgHolder for Vec<T> {
    type Target = Any;

    fn into_arg_holder(self) -> Any {
        self.into_value()
    }
}

impl<K, V, S> IntoArgHolder for HashMap<K, V, S>
where
    K: CallValue + Eq + Hash,
    V: CallValue,
    S: BuildHasher + Default,
{
    type Target = Any;

    fn into_arg_holder(self) -> Any {
        self.into_value()
    }
}

/// Implement `CallValue` for tuples with `$len` elements.
macro_rules! impl_tuple {
    ($len:literal; $($name:ident $index:tt),*) => {
        impl<$($name: CallValue),*> sealed::Sealed for ($($name,)*) {}

        impl<$($name: CallValue),*> CallValue for ($($name,)*) {
            fn into_value(self) -> Any {
                Any::from(Array::new(vec![$(self.$index.into_value()),*]))
            }

            fn from_value(view: AnyView<'_>) -> Result<Self> {
                // As in C++ and Python, an array converts to a tuple; a list does not.
                let array = view.type_index() == crate::TypeIndex::kTVMFFIArray as i32;
                match elements(view) {
                    Some(elements) if array && elements.len() == $len => {
                        let convert = || {
                            Ok(($($name::from_value((&elements[$index]).into())
                                .map_err(|error| at_index::<$name>(error, $index))?,)*))
                        };
                        convert().map_err(|error| conversion_error::<Self>(view, Some(error)))
                    }
                    _ => Err(conversion_error::<Self>(view, None)),
                }
            }

            fn mismatch(view: &AnyView<'_>) -> String {
                sequence_mismatch(view, |i, element| match i {
                    $($index => mismatch_of::<$name>(element),)*
                    _ => None,
                })
            }

            fn type_name() -> String {
                format!("Tuple<{}>", [$($name::type_name()),*].join(", "))
            }

            fn value_schema() -> String {
                schema_with_args("Tuple", &[$($name::value_schema()),*])
            }
        }

        impl_conversions!([$($name: CallValue),*] ($($name,)*));

        impl<$($name: CallValue),*> IntoArgHolder for ($($name,)*) {
            type Target = Any;

            fn into_arg_holder(self) -> Any {
                self.into_value()
            }
        }
    };
}

impl_tuple!(1; A 0);
impl_tuple!(2; A 0, B 1);
impl_tuple!(3; A 0, B 1, C 2);
impl_tuple!(4; A 0, B 1, C 2, D 3);
impl_tuple!(5; A 0, B 1, C 2, D 3, E 4);
impl_tuple!(6; A 0, B 1, C 2, D 3, E 4, F 5);
impl_tuple!(7; A 0, B 1, C 2, D 3, E 4, F 5, G 6);
impl_tuple!(8; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
