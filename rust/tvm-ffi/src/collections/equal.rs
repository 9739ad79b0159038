// SPDX-License-Identifier: Apache-2.0
//! Equality of containers, which compares the elements. Elements of another type than that of the
//! container are not equal to anything.

use super::array::Array;
use super::dict::Dict;
use super::list::List;
use super::map::Map;
use super::tuple::{Elements, Tuple};
use crate::error::Result;
use crate::type_traits::ContainerElement;

/// Return whether two containers have equal contents.
fn is_equal<T: PartialEq>(a: Result<T>, b: Result<T>) -> bool {
    matches!((a, b), (Ok(a), Ok(b)) if a == b)
}

macro_rules! impl_sequence {
    ($($name:ident),+) => {$(
        impl<T: ContainerElement + PartialEq> PartialEq for $name<T> {
            fn eq(&self, other: &Self) -> bool {
                self.len() == other.len() && is_equal(self.to_vec(), other.to_vec())
            }
        }

        impl<T: ContainerElement + Eq> Eq for $name<T> {}
    )+};
}

impl_sequence!(Array, List);

macro_rules! impl_mapping {
    ($($name:ident),+) => {$(
        /// The order of the entries does not matter.
        impl<K: ContainerElement, V: ContainerElement + PartialEq> PartialEq for $name<K, V> {
            fn eq(&self, other: &Self) -> bool {
                let has_equal = |entry: Result<(K, V)>| {
                    entry.is_ok_and(|(key, value)| is_equal(other.get(&key), Ok(Some(value))))
                };
                self.len() == other.len() && self.try_iter().all(has_equal)
            }
        }

        impl<K: ContainerElement, V: ContainerElement + Eq> Eq for $name<K, V> {}
    )+};
}

impl_mapping!(Map, Dict);

impl<T: Elements + PartialEq> PartialEq for Tuple<T> {
    fn eq(&self, other: &Self) -> bool {
        is_equal(self.get(), other.get())
    }
}

impl<T: Elements + Eq> Eq for Tuple<T> {}
