// SPDX-License-Identifier: Apache-2.0
//! Text and bytes that cross languages, inline up to 7 bytes.

mod bytes;
mod cell;
mod text;

pub use bytes::Bytes;
pub use cell::{BytesObj, StringObj};
pub use text::String;
