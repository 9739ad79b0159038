// SPDX-License-Identifier: Apache-2.0
//! Kinds of errors. A kind is the name of a Python exception class.

/// The kind of an error, for example `ValueError`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ErrorKind<'a> {
    name: &'a str,
}

impl<'a> ErrorKind<'a> {
    /// Return a new kind. Python raises the class that is registered for the name.
    pub const fn new(name: &'a str) -> Self {
        ErrorKind { name }
    }

    /// Return the name.
    pub const fn as_str(&self) -> &'a str {
        self.name
    }
}

impl std::fmt::Display for ErrorKind<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// An attribute does not exist.
pub const ATTRIBUTE_ERROR: ErrorKind<'static> = ErrorKind::new("AttributeError");
/// An index is out of bounds.
pub const INDEX_ERROR: ErrorKind<'static> = ErrorKind::new("IndexError");
/// The program has a defect.
pub const INTERNAL_ERROR: ErrorKind<'static> = ErrorKind::new("InternalError");
/// A key does not exist.
pub const KEY_ERROR: ErrorKind<'static> = ErrorKind::new("KeyError");
/// A number is out of range.
pub const OVERFLOW_ERROR: ErrorKind<'static> = ErrorKind::new("OverflowError");
/// An error that no other kind describes.
pub const RUNTIME_ERROR: ErrorKind<'static> = ErrorKind::new("RuntimeError");
/// A value has the wrong type.
pub const TYPE_ERROR: ErrorKind<'static> = ErrorKind::new("TypeError");
/// A value has the right type, but is not valid.
pub const VALUE_ERROR: ErrorKind<'static> = ErrorKind::new("ValueError");
/// A number is divided by zero.
pub const ZERO_DIVISION_ERROR: ErrorKind<'static> = ErrorKind::new("ZeroDivisionError");
