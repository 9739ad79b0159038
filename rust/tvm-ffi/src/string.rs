// SPDX-License-Identifier: Apache-2.0
//! [`String`] and [`Bytes`]: text and bytes that cross languages. Up to 7 bytes are stored inline.

mod bytes;
mod cell;
mod text;

pub use bytes::Bytes;
pub use cell::{BytesObj, StringObj};
pub use text::String;
