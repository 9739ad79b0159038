// SPDX-License-Identifier: Apache-2.0
//! Marker types for the ways in which callbacks accept values. With a marker as a parameter of the
//! trait, the trait implementations for different closures do not overlap.

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

/// Call a macro once for each tuple length from 1 to 12, with the type parameters and indices of
/// the tuple.
macro_rules! for_each_tuple {
    ($macro:ident) => {
        $crate::extra::structural_visit::link::for_each_tuple! { @ $macro []
            L0 M0 0, L1 M1 1, L2 M2 2, L3 M3 3, L4 M4 4, L5 M5 5,
            L6 M6 6, L7 M7 7, L8 M8 8, L9 M9 9, L10 M10 10, L11 M11 11
        }
    };
    (@ $macro:ident [$($done:tt)*] $link:ident $marker:ident $index:tt
        $(, $links:ident $markers:ident $indices:tt)*) => {
        $macro! { $($done)* $link $marker $index }
        $crate::extra::structural_visit::link::for_each_tuple! { @ $macro [$($done)* $link $marker $index,]
            $($links $markers $indices),* }
    };
    (@ $macro:ident [$($done:tt)*]) => {};
}
pub(crate) use for_each_tuple;
