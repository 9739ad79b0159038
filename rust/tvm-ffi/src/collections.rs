// SPDX-License-Identifier: Apache-2.0
//! Containers of values: [`mod@array`], [`list`], [`map`], [`dict`], [`shape`], [`mod@tuple`] and
//! [`tensor`].

pub mod array;
pub mod dict;
mod equal;
pub mod list;
pub mod map;
mod map_layout;
mod map_text;
mod seq;
pub mod shape;
pub mod tensor;
pub mod tuple;

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

/// Define conversions of a container to [`ObjectRef`](crate::object::ObjectRef). The conversions do
/// not copy the elements.
macro_rules! impl_container_upcast {
    ($name:ident<$($parameter:ident),+>) => {
        impl<$($parameter),+> From<$name<$($parameter),+>>
            for crate::object::ObjectRef
        {
            fn from(container: $name<$($parameter),+>) -> Self {
                // SAFETY: every container is an object.
                unsafe {
                    let object = ObjectArc::into_raw(container.data);
                    Self::from_data(ObjectArc::from_raw(object.cast()))
                }
            }
        }

        impl<$($parameter),+> From<&$name<$($parameter),+>>
            for crate::object::ObjectRef
        {
            fn from(container: &$name<$($parameter),+>) -> Self {
                Self::from(container.clone())
            }
        }
    };
}
pub(crate) use impl_container_upcast;

/// Implement the traits that allow a container, or a reference to it, as an argument of a call.
macro_rules! impl_container_arguments {
    ($name:ident<$($parameter:ident),+>) => {
        impl<$($parameter: ContainerElement),+> crate::function_internal::ArgIntoRef
            for $name<$($parameter),+>
        {
            type Target = Self;

            fn to_ref(&self) -> &Self {
                self
            }
        }

        impl<$($parameter: ContainerElement),+> crate::function_internal::ArgIntoRef
            for &$name<$($parameter),+>
        {
            type Target = $name<$($parameter),+>;

            fn to_ref(&self) -> &Self::Target {
                self
            }
        }

        impl<$($parameter: ContainerElement),+> crate::function_internal::IntoArgHolder
            for $name<$($parameter),+>
        {
            type Target = Self;

            fn into_arg_holder(self) -> Self {
                self
            }
        }

        impl<'a, $($parameter: ContainerElement),+> crate::function_internal::IntoArgHolder
            for &'a $name<$($parameter),+>
        {
            type Target = Self;

            fn into_arg_holder(self) -> Self {
                self
            }
        }
    };
}
pub(crate) use impl_container_arguments;
