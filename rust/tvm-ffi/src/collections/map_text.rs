// SPDX-License-Identifier: Apache-2.0
//! Look-ups by `&str` in a map or dict with keys of the type [`String`].

use super::dict::Dict;
use super::map::Map;
use crate::error::Result;
use crate::string::String;
use crate::type_traits::ContainerElement;

macro_rules! impl_text_keys {
    ($($name:ident),+) => {$(
        impl<V: ContainerElement> $name<String, V> {
            /// Return the value of a key, like `get`.
            ///
            /// # Errors
            ///
            /// `TypeError` if the value is not a `V`.
            #[track_caller]
            pub fn get_str(&self, key: &str) -> Result<Option<V>> {
                self.get(&String::from(key))
            }

            /// Return whether there is an entry with this key, like `contains_key`.
            pub fn contains_str(&self, key: &str) -> bool {
                self.contains_key(&String::from(key))
            }
        }
    )+};
}

impl_text_keys!(Map, Dict);
