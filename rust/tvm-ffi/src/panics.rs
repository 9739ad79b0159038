// SPDX-License-Identifier: Apache-2.0
//! Panics of callbacks as errors.

use std::any::Any;

use crate::error::Error;

/// Return the error of a caught panic.
pub(crate) fn error_of(panic: Box<dyn Any + Send>) -> Error {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "the payload is not a text",
    };
    crate::function_internal::panic_error(text, "")
}
