// SPDX-License-Identifier: Apache-2.0
//! Containers of values: [`mod@array`], [`list`], [`map`], [`dict`], [`shape`], [`mod@tuple`] and
//! [`tensor`].

pub mod array;
pub mod dict;
mod entries;
pub mod list;
pub mod map;
mod map_layout;
mod seq;
pub mod shape;
mod std_values;
pub mod tensor;
pub mod tuple;

pub use std_values::CallValue;

use crate::error::{Error, TYPE_ERROR};
use crate::type_traits::ContainerElement;

/// Return the error for element `i`, which is not a `T`; `reason` is the error of the conversion.
#[cold]
fn wrong_element<T: ContainerElement>(i: usize, reason: &Error) -> Error {
    let (name, why) = (T::element_type_str(), reason.message_lossy());
    let message = format!("Failed to cast element at {i} to {name}: {why}");
    Error::new(TYPE_ERROR, &message, &reason.backtrace_lossy()).marked()
}

/// Define the functions of `AnyCompatible` that are the same for all containers.
macro_rules! container_functions {
    ($obj:ty) => {
        #[inline]
        unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
            crate::object::write_object(&src.data, data);
        }

        #[inline]
        unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
            crate::object::write_object(&src.data, data);
            std::mem::forget(src);
        }

        #[inline]
        unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
            // SAFETY: the caller checked that the payload is an object of type `$obj`.
            unsafe { Self::from_data(crate::object::copy_object::<$obj>(data)) }
        }

        #[inline]
        unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
            // SAFETY: the payload is an object of type `$obj`; the caller gives up its reference.
            unsafe { Self::from_data(ObjectArc::from_raw(data.data_union.v_obj.cast::<$obj>())) }
        }

        unsafe fn is_undefined(field: *const Self) -> bool {
            // SAFETY: the container consists of one `ObjectArc`.
            unsafe { ObjectArc::is_null(field.cast::<ObjectArc<$obj>>()) }
        }
    };
}
pub(crate) use container_functions;

/// Implement the traits of a container, a struct with the members `data: ObjectArc<$obj>` and
/// `_types`. The functions of the module `$contents` read and convert the contents.
macro_rules! impl_container {
    ($name:ident<$($parameter:ident),+>, $obj:ident, $contents:ident) => {
        impl<$($parameter),+> Clone for $name<$($parameter),+> {
            fn clone(&self) -> Self {
                $name {
                    data: self.data.clone(),
                    _types: PhantomData,
                }
            }
        }

        impl<$($parameter: ContainerElement),+> std::fmt::Debug for $name<$($parameter),+> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let types = [$(seq::short_type_name::<$parameter>()),+].join(", ");
                write!(f, "{}<{types}>[{}]", stringify!($name), self.len())
            }
        }

        // SAFETY: the struct is one pointer to an object.
        unsafe impl<$($parameter),+> ObjectRefCore for $name<$($parameter),+> {
            type ContainerType = $obj;

            fn data(this: &Self) -> &ObjectArc<$obj> {
                &this.data
            }

            fn into_data(this: Self) -> ObjectArc<$obj> {
                this.data
            }

            unsafe fn from_data(data: ObjectArc<$obj>) -> Self {
                $name {
                    data,
                    _types: PhantomData,
                }
            }
        }

        // SAFETY: the value is one strong reference to a container; the checks accept only
        // containers with contents of the types. Other handles may later store values of other
        // types in a list or dict, so its methods check the types.
        unsafe impl<$($parameter: ContainerElement),+> AnyCompatible for $name<$($parameter),+> {
            crate::collections::container_functions!($obj);

            unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
                // SAFETY: the caller guarantees that `data` is valid.
                data.type_index == $obj::type_index()
                    && unsafe { $contents::is_strict::<$($parameter),+>(data) }
            }

            unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
                // SAFETY: the caller guarantees that `data` is valid and stays alive during the
                // conversion.
                let contents = unsafe { $contents::converted::<$($parameter),+>(data) }.ok_or(())?;
                contents.and_then(Self::of_converted).map_err(|_| ())
            }

            fn get_mismatch_type_info(data: &TVMFFIAny) -> String {
                // SAFETY: `data` is alive, because a conversion has just refused it.
                unsafe { $contents::mismatch::<$($parameter),+>(data) }
                    .unwrap_or_else(|| crate::object::type_key_of(data.type_index))
            }

            fn conversion_error(data: &TVMFFIAny) -> Error {
                let name = Self::type_str();
                // SAFETY: `data` is alive, because a conversion has just refused it.
                match unsafe { $contents::refusal::<$($parameter),+>(data, &name) } {
                    Some(error) => error,
                    None => crate::type_traits::mismatch_error::<Self>(data),
                }
            }

            fn type_str() -> String {
                let types = [$($parameter::element_type_str()),+].join(", ");
                format!("{}<{types}>", stringify!($name))
            }

            fn type_schema() -> String {
                let types = [$($parameter::element_type_schema()),+];
                crate::type_traits::schema_with_args($obj::TYPE_KEY, &types)
            }
        }

        impl<$($parameter),+> From<$name<$($parameter),+>> for crate::object::ObjectRef {
            fn from(container: $name<$($parameter),+>) -> Self {
                // SAFETY: every container is an object.
                unsafe {
                    let object = ObjectArc::into_raw(container.data);
                    Self::from_data(ObjectArc::from_raw(object.cast()))
                }
            }
        }

        impl<$($parameter),+> From<&$name<$($parameter),+>> for crate::object::ObjectRef {
            fn from(container: &$name<$($parameter),+>) -> Self {
                Self::from(container.clone())
            }
        }

        crate::macros::impl_value!(
            [$($parameter: ContainerElement),+] $name<$($parameter),+>
        );
    };
}
pub(crate) use impl_container;
