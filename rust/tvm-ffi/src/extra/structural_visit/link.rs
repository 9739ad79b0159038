// SPDX-License-Identifier: Apache-2.0
//! The ways in which callbacks of traversals accept values: marker types, and macros that implement
//! the traits of callbacks. With a marker as a parameter of the trait, the trait implementations for
//! different closures do not overlap.

use std::marker::PhantomData;

/// The callback takes the value as a `T`.
pub struct ByValue<T, R>(PhantomData<fn(T) -> R>);
/// The callback takes a reference to an object struct, `&N`.
pub struct ByNode<N, R>(PhantomData<fn(&N) -> R>);
/// The callback takes every value, as a `&StructuralView`.
pub struct ByView<R>(PhantomData<fn() -> R>);
/// The callback takes a value that may be changed in place, `MutateValue<T>`.
pub struct ByMutateValue<T, R>(PhantomData<fn(T) -> R>);
/// The callback also takes the definition region.
pub struct WithKind<M>(PhantomData<fn() -> M>);
/// Marker for a tuple of callbacks.
pub struct Tuple<M>(PhantomData<fn() -> M>);
/// Marker for callbacks without state.
pub struct ByLinks<M>(PhantomData<fn() -> M>);
/// Marker for a type that implements a dispatch trait.
pub struct ByDispatch;
/// Marker for a visitor or mutator that is passed by value.
pub struct ByOwned;
/// Marker for callbacks with a policy.
pub struct ByPolicy<M>(PhantomData<fn() -> M>);

/// Call a macro once for each tuple length from 1 to 12, with the given arguments, and with the type
/// parameters and indices of the tuple.
macro_rules! for_each_tuple {
    ($macro:ident $arguments:tt) => {
        $crate::extra::structural_visit::link::for_each_tuple! { @ $macro $arguments []
            L0 M0 0, L1 M1 1, L2 M2 2, L3 M3 3, L4 M4 4, L5 M5 5,
            L6 M6 6, L7 M7 7, L8 M8 8, L9 M9 9, L10 M10 10, L11 M11 11
        }
    };
    (@ $macro:ident $arguments:tt [$($done:tt)*] $link:ident $marker:ident $index:tt
        $(, $links:ident $markers:ident $indices:tt)*) => {
        $crate::extra::structural_visit::link::$macro! {
            $arguments $($done)* $link $marker $index
        }
        $crate::extra::structural_visit::link::for_each_tuple! {
            @ $macro $arguments [$($done)* $link $marker $index,] $($links $markers $indices),*
        }
    };
    (@ $macro:ident $arguments:tt [$($done:tt)*]) => {};
}
pub(crate) use for_each_tuple;

/// Implement the trait of callbacks of a walk or map: for closures that take a value, optionally
/// with the definition region, for references to a dispatcher, and for tuples of these.
macro_rules! impl_links {
    ($trait:ident::$call:ident -> $step:ty, $result:ident::$convert:ident,
        $dispatch:ident::$dispatch_call:ident) => {
        $crate::extra::structural_visit::link::impl_links! {
            @ $trait::$call -> $step, $result::$convert;
            [T: ContainerElement] ByValue<T, R>, T, |value| value.cast_element::<T>()?;
            [N: ObjectCore] ByNode<N, R>, &N, |value| value.as_node::<N>()?;
            [] ByView<R>, &StructuralView, |value| value;
        }

        impl<W: $dispatch> $trait<ByDispatch> for &mut W {
            fn $call(&mut self, value: &StructuralView, kind: DefRegionKind) -> $step {
                self.$dispatch_call(value, kind)
            }
        }

        $crate::extra::structural_visit::link::for_each_tuple!(
            impl_link_of_tuple [$trait::$call -> $step]
        );
    };
    (@ $trait:ident::$call:ident -> $step:ty, $result:ident::$convert:ident;
        $([$($parameters:tt)*] $marker:ty, $argument:ty, |$value:ident| $cast:expr;)*) => {$(
        impl<F, R: $result, $($parameters)*> $trait<$marker> for F
        where
            F: FnMut($argument) -> R,
        {
            fn $call(&mut self, $value: &StructuralView, _kind: DefRegionKind) -> $step {
                let value = $cast;
                Some(self(value).$convert())
            }
        }

        impl<F, R: $result, $($parameters)*> $trait<WithKind<$marker>> for F
        where
            F: FnMut($argument, DefRegionKind) -> R,
        {
            fn $call(&mut self, $value: &StructuralView, kind: DefRegionKind) -> $step {
                let value = $cast;
                Some(self(value, kind).$convert())
            }
        }
    )*};
}
pub(crate) use impl_links;

macro_rules! impl_link_of_tuple {
    ([$trait:ident::$call:ident -> $step:ty] $($link:ident $marker:ident $index:tt),+) => {
        impl<$($link: $trait<$marker>, $marker),+> $trait<Tuple<($($marker,)+)>> for ($($link,)+) {
            fn $call(&mut self, value: &StructuralView, kind: DefRegionKind) -> $step {
                $(if let Some(result) = self.$index.$call(value, kind) {
                    return Some(result);
                })+
                None
            }
        }
    };
}
pub(crate) use impl_link_of_tuple;

/// Implement the trait of callbacks of a visit or mutation, for closures that take a value and the
/// context, and for tuples of these.
macro_rules! impl_context_links {
    ($trait:ident::$call:ident($reached:ty, $context:ident) -> $step:ty,
        $result:ident::$convert:ident) => {
        $crate::extra::structural_visit::link::impl_context_links! {
            @ $trait::$call($reached, $context) -> $step, $result::$convert;
            [T: ContainerElement] ByValue<T, R>, T, |value| value.cast_element::<T>()?;
            [N: ObjectCore] ByNode<N, R>, &N, |value| value.as_node::<N>()?;
            [] ByView<R>, &StructuralView, |value| value;
        }

        $crate::extra::structural_visit::link::for_each_tuple!(
            impl_context_link_of_tuple [$trait::$call($reached, $context) -> $step]
        );
    };
    (@ $trait:ident::$call:ident($reached:ty, $context:ident) -> $step:ty,
        $result:ident::$convert:ident;
        $([$($parameters:tt)*] $marker:ty, $argument:ty, |$value:ident| $cast:expr;)*) => {$(
        impl<S, F, R: $result, $($parameters)*> $trait<S, $marker> for F
        where
            F: Fn($argument, &mut $context<'_, S>) -> R,
        {
            fn $call(&self, $value: $reached, context: &mut $context<'_, S>) -> $step {
                let value = $cast;
                Some(self(value, context).$convert())
            }
        }
    )*};
}
pub(crate) use impl_context_links;

macro_rules! impl_context_link_of_tuple {
    ([$trait:ident::$call:ident($reached:ty, $context:ident) -> $step:ty]
        $($link:ident $marker:ident $index:tt),+) => {
        impl<S, $($link: $trait<S, $marker>, $marker),+> $trait<S, Tuple<($($marker,)+)>>
            for ($($link,)+)
        {
            fn $call(&self, value: $reached, context: &mut $context<'_, S>) -> $step {
                $(if let Some(result) = self.$index.$call(value, context) {
                    return Some(result);
                })+
                None
            }
        }
    };
}
pub(crate) use impl_context_link_of_tuple;
