// SPDX-License-Identifier: Apache-2.0
//! Macros for conversions of types.

/// Implement `TryFrom<Any>` and `TryFrom<AnyView>` for types that are `AnyCompatible`.
#[macro_export]
macro_rules! impl_try_from_any {
    ($($type:ty),+ $(,)?) => {$(
        $crate::__impl_try_from!([] $type);
    )+};
}

/// Implement `TryFrom<Any>` and `TryFrom<AnyView>` for a type with parameters, `G<T>` or `G<K, V>`.
#[macro_export]
macro_rules! impl_try_from_any_for_parametric {
    ($name:ident<$($parameter:ident),+>) => {
        $crate::__impl_try_from!(
            [$($parameter: $crate::type_traits::ContainerElement),+] $name<$($parameter),+>
        );
    };
}

/// Implement `TryFrom<Any>` and `TryFrom<AnyView>` for a type with the given parameters.
#[doc(hidden)]
#[macro_export]
macro_rules! __impl_try_from {
    ([$($parameters:tt)*] $type:ty) => {
        $crate::__impl_try_from!(@ [$($parameters)*] $type, $crate::any::Any);
        $crate::__impl_try_from!(@ [$($parameters)*] $type, $crate::any::AnyView<'_>);
    };
    (@ [$($parameters:tt)*] $type:ty, $from:ty) => {
        impl<$($parameters)*> ::std::convert::TryFrom<$from> for $type
        where
            Self: $crate::type_traits::AnyCompatible,
        {
            type Error = $crate::error::Error;
            #[inline]
            #[track_caller]
            fn try_from(value: $from) -> $crate::error::Result<Self> {
                $crate::any::TryFromTemp::<Self>::try_from(value)
                    .map($crate::any::TryFromTemp::into_value)
            }
        }
    };
}

/// Let values of a type, and references to them, be arguments of `Function::call_tuple`.
#[macro_export]
macro_rules! impl_arg_into_ref {
    ($($type:ty),+ $(,)?) => {$(
        $crate::__impl_arg_into_ref!([] $type);
    )+};
}

/// Let values of a type, and references to them, be arguments of closures from `into_typed_fn!`.
#[macro_export]
macro_rules! impl_into_arg_holder_default {
    ($($type:ty),+ $(,)?) => {$(
        $crate::__impl_into_arg_holder!([] $type);
    )+};
}

/// Do the same as `impl_arg_into_ref` for a type with the given parameters.
#[doc(hidden)]
#[macro_export]
macro_rules! __impl_arg_into_ref {
    ([$($parameters:tt)*] $type:ty) => {
        impl<$($parameters)*> $crate::function_internal::ArgIntoRef for $type {
            type Target = $type;
            #[inline]
            fn to_ref(&self) -> &$type {
                self
            }
        }
        impl<$($parameters)*> $crate::function_internal::ArgIntoRef for &$type {
            type Target = $type;
            #[inline]
            fn to_ref(&self) -> &$type {
                self
            }
        }
    };
}

/// Do the same as `impl_into_arg_holder_default` for a type with the given parameters.
#[doc(hidden)]
#[macro_export]
macro_rules! __impl_into_arg_holder {
    ([$($parameters:tt)*] $type:ty) => {
        impl<$($parameters)*> $crate::function_internal::IntoArgHolder for $type {
            type Target = $type;
            #[inline]
            fn into_arg_holder(self) -> $type {
                self
            }
        }
        impl<'a, $($parameters)*> $crate::function_internal::IntoArgHolder for &'a $type {
            type Target = &'a $type;
            #[inline]
            fn into_arg_holder(self) -> &'a $type {
                self
            }
        }
    };
}

/// Implement the conversions of values to a type with the given parameters, and the traits that
/// allow the type, or a reference to it, as an argument of a call.
macro_rules! impl_value {
    ([$($parameters:tt)*] $type:ty) => {
        $crate::__impl_try_from!([$($parameters)*] $type);
        $crate::__impl_arg_into_ref!([$($parameters)*] $type);
        $crate::__impl_into_arg_holder!([$($parameters)*] $type);
    };
}
pub(crate) use impl_value;

/// Define the functions of `AnyCompatible` for a struct that consists of the member `$member`, which
/// has the type `$inner`. `$make` makes the struct of this member.
macro_rules! same_representation {
    ($member:ident: $inner:ty, $make:expr) => {
        #[inline]
        unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
            // SAFETY: the function of the member has the same conditions.
            unsafe { <$inner as AnyCompatible>::copy_to_any_view(&src.$member, data) }
        }

        #[inline]
        unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
            // SAFETY: the function of the member has the same conditions.
            unsafe { <$inner as AnyCompatible>::move_to_any(src.$member, data) }
        }

        #[inline]
        unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
            // SAFETY: the check of this type implies that of the member.
            $make(unsafe { <$inner as AnyCompatible>::copy_from_any_view_after_check(data) })
        }

        #[inline]
        unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
            // SAFETY: the check of this type implies that of the member.
            $make(unsafe { <$inner as AnyCompatible>::move_from_any_after_check(data) })
        }

        unsafe fn is_undefined(field: *const Self) -> bool {
            // SAFETY: the struct consists of the member.
            unsafe { <$inner as AnyCompatible>::is_undefined(std::ptr::addr_of!((*field).$member)) }
        }
    };
}
pub(crate) use same_representation;

/// Implement `From<Sub>` and `From<&Sub>` for Base, without a copy of the object.
///
/// Every object of the type `Sub` must also be an object of the type `Base`. If the object struct of
/// `Sub` has `derive(Object)` or `rs_class`, the compiler checks its first field. The first
/// conversion compares the registered types, and panics if `Sub` does not derive from `Base`.
#[macro_export]
macro_rules! impl_object_upcast {
    ($($sub:ty => $base:ty),+ $(,)?) => {$(
        impl ::std::convert::From<$sub> for $base {
            fn from(value: $sub) -> Self {
                static UPCAST: $crate::object::Upcast<$sub, $base> =
                    $crate::object::Upcast::new(::std::concat!(
                        "an object of `", ::std::stringify!($sub), "` is not an object of `",
                        ::std::stringify!($base), "`: the first field of its struct is an object ",
                        "of another class"
                    ));
                UPCAST.apply(value)
            }
        }
        impl ::std::convert::From<&$sub> for $base {
            fn from(value: &$sub) -> Self {
                <$base>::from(::std::clone::Clone::clone(value))
            }
        }
    )+};
}

/// Implement `Debug` with the text of Python's `repr`.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_debug_by_repr {
    ($($type:ty),+ $(,)?) => {$(
        impl ::std::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Debug::fmt(&$crate::any::AnyView::from(self), f)
            }
        }
    )+};
}

/// Implement the traits of references for a struct with one field of type `ObjectArc<Obj>`. The
/// field has the name `data` or the given name.
///
/// `derive(ObjectRef)` expands to this macro.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_object_ref {
    ($name:ident, $obj:ty) => {
        $crate::impl_object_ref!($name, $obj, data);
    };
    ($name:ident, $obj:ty, $member:tt) => {
        // SAFETY: the struct consists of one `ObjectArc`.
        unsafe impl $crate::object::ObjectRefCore for $name {
            type ContainerType = $obj;
            #[inline]
            fn data(this: &Self) -> &$crate::object::ObjectArc<$obj> {
                &this.$member
            }
            #[inline]
            fn into_data(this: Self) -> $crate::object::ObjectArc<$obj> {
                this.$member
            }
            unsafe fn from_data(data: $crate::object::ObjectArc<$obj>) -> Self {
                $name { $member: data }
            }
        }

        impl ::std::convert::From<&$name> for $name {
            #[inline]
            fn from(value: &$name) -> Self {
                ::std::clone::Clone::clone(value)
            }
        }

        // SAFETY: an object value consists of the type index of the object and one strong
        // reference.
        unsafe impl $crate::type_traits::AnyCompatible for $name {
            const MATCH_ANY_EXACT: bool = <$obj as $crate::object::ObjectCore>::TYPE_FINAL;
            fn match_any_exact_type_index() -> i32 {
                <$obj as $crate::object::ObjectCore>::readable_type_index()
            }
            fn check_layout(
                reached: &mut $crate::object::Reached,
            ) -> ::std::result::Result<(), &'static str> {
                <$obj as $crate::object::ObjectCore>::check_layout(reached)
            }
            fn conversion_error(data: &$crate::tvm_ffi_sys::TVMFFIAny) -> $crate::error::Error {
                $crate::reflection::reference_error::<Self, $obj>(data)
            }
            #[inline]
            unsafe fn copy_to_any_view(src: &Self, data: &mut $crate::tvm_ffi_sys::TVMFFIAny) {
                $crate::object::write_object(&src.$member, data);
            }
            #[inline]
            unsafe fn move_to_any(src: Self, data: &mut $crate::tvm_ffi_sys::TVMFFIAny) {
                $crate::object::write_object(&src.$member, data);
                ::std::mem::forget(src);
            }
            #[inline]
            unsafe fn check_any_strict(data: &$crate::tvm_ffi_sys::TVMFFIAny) -> bool {
                // SAFETY: the caller guarantees that the value is valid.
                unsafe { $crate::object::is_object::<$obj>(data) }
            }
            #[inline]
            unsafe fn copy_from_any_view_after_check(
                data: &$crate::tvm_ffi_sys::TVMFFIAny,
            ) -> Self {
                // SAFETY: the caller has called `check_any_strict`, so the payload is an object of
                // type `$obj`.
                unsafe {
                    $name {
                        $member: $crate::object::copy_object(data),
                    }
                }
            }
            #[inline]
            unsafe fn move_from_any_after_check(data: &mut $crate::tvm_ffi_sys::TVMFFIAny) -> Self {
                // SAFETY: the caller has called `check_any_strict`, so the payload is an object of
                // type `$obj`. The caller owns the reference.
                unsafe {
                    let object = data.data_union.v_obj.cast::<$obj>();
                    $name {
                        $member: $crate::object::ObjectArc::from_raw(object),
                    }
                }
            }
            unsafe fn is_undefined(field: *const Self) -> bool {
                // SAFETY: the caller passes the address of a reference, or of zero bytes of the
                // same size.
                unsafe {
                    $crate::object::ObjectArc::is_null(::std::ptr::addr_of!((*field).$member))
                }
            }
            fn type_str() -> ::std::string::String {
                <$obj as $crate::object::ObjectCore>::TYPE_KEY.to_string()
            }
        }

        $crate::impl_try_from_any!($name);
        $crate::impl_arg_into_ref!($name);
        $crate::impl_into_arg_holder_default!($name);
    };
}
