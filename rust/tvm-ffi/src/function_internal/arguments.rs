// SPDX-License-Identifier: Apache-2.0
//! Traits for the arguments of calls.

use crate::any::{Any, AnyView};
use crate::string::{Bytes, String};

/// An argument of the type `Target`, or a reference to such an argument.
pub trait ArgIntoRef {
    /// The type of the argument without references.
    type Target;
    /// Return a reference to the argument.
    fn to_ref(&self) -> &Self::Target;
}

/// An argument that may have to be converted to a value of the runtime before the call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a call",
    note = "expected a type that an `Any` can hold, a reference to one, `&str` or `&[u8]`; for an \
            object struct (`ShapeObj`), use its reference type (`Shape`)"
)]
pub trait IntoArgHolder {
    /// The type of the converted argument. It is `Self` if the argument needs no conversion.
    type Target;
    /// Convert the argument.
    fn into_arg_holder(self) -> Self::Target;
}

crate::impl_arg_into_ref!(Any);
crate::impl_into_arg_holder_default!(Any);

macro_rules! converted {
    ($($from:ty => $to:ty),+) => {$(
        impl IntoArgHolder for $from {
            type Target = $to;
            #[inline]
            fn into_arg_holder(self) -> $to {
                <$to>::from(self)
            }
        }
    )+};
}

converted!(&str => String, std::string::String => String, &std::string::String => String);
converted!(&[u8] => Bytes);

impl<const N: usize> IntoArgHolder for &[u8; N] {
    type Target = Bytes;
    #[inline]
    fn into_arg_holder(self) -> Bytes {
        Bytes::from(self)
    }
}

/// Convert a view to an owned value.
impl IntoArgHolder for AnyView<'_> {
    type Target = Any;
    #[inline]
    fn into_arg_holder(self) -> Any {
        Any::from(self)
    }
}

/// A tuple of arguments that are converted together.
#[diagnostic::on_unimplemented(
    message = "the arguments of a call are a tuple, not `{Self}`",
    note = "expected a tuple of at most 8 arguments: `(x,)` for one argument, `()` for none"
)]
pub trait IntoArgHolderTuple {
    /// The tuple of the converted arguments.
    type Target;
    /// Convert the arguments.
    fn into_arg_holder_tuple(self) -> Self::Target;
}

/// A tuple of arguments that can be passed as views.
pub trait TupleAsPackedArgs {
    /// Number of arguments.
    const LEN: usize;
    /// Write one view per argument.
    fn fill_any_view<'a>(&'a self, views: &mut [AnyView<'a>]);
}

macro_rules! impl_tuple {
    ($len:literal; $($name:ident $index:tt),*) => {
        impl<$($name: IntoArgHolder),*> IntoArgHolderTuple for ($($name,)*) {
            type Target = ($($name::Target,)*);
            #[allow(clippy::unused_unit)]
            #[inline]
            fn into_arg_holder_tuple(self) -> Self::Target {
                ($(self.$index.into_arg_holder(),)*)
            }
        }

        impl<$($name),*> TupleAsPackedArgs for ($($name,)*)
        where
            $($name: ArgIntoRef, for<'x> AnyView<'x>: From<&'x $name::Target>,)*
        {
            const LEN: usize = $len;
            #[inline]
            fn fill_any_view<'a>(&'a self, _views: &mut [AnyView<'a>]) {
                $(_views[$index] = AnyView::from(self.$index.to_ref());)*
            }
        }
    };
}

impl_tuple!(0;);
impl_tuple!(1; A 0);
impl_tuple!(2; A 0, B 1);
impl_tuple!(3; A 0, B 1, C 2);
impl_tuple!(4; A 0, B 1, C 2, D 3);
impl_tuple!(5; A 0, B 1, C 2, D 3, E 4);
impl_tuple!(6; A 0, B 1, C 2, D 3, E 4, F 5);
impl_tuple!(7; A 0, B 1, C 2, D 3, E 4, F 5, G 6);
impl_tuple!(8; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
