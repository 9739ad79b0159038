// SPDX-License-Identifier: Apache-2.0
//! Errors about the arguments of a call, which contain the signature of the called function.

use super::packed::PackedArgument;
use crate::error::{Error, VALUE_ERROR};

/// The called function, for messages. Values of this type are created only after an error.
pub(super) struct Callee<'a> {
    /// The name under which other code knows the function; empty if it has no name.
    pub name: &'a str,
    /// Returns the path of the function or closure in the Rust program.
    pub rust_name: fn() -> &'static str,
    /// Return the types of the parameters.
    pub parameters: &'a [fn() -> String],
    /// Returns the type of the result.
    pub result: fn() -> String,
}

impl Callee<'_> {
    /// Return the error for a call with the wrong number of arguments.
    #[cold]
    pub fn count_error(&self, given: usize) -> Error {
        let expected = self.parameters.len();
        let call = self.signature();
        let message = format!("Expected {expected} arguments, got {given} when calling: `{call}`");
        Error::of_crate(VALUE_ERROR, &message)
    }

    /// Return the error for argument `index`, which does not convert to `A`. `error` is the reason.
    #[cold]
    pub fn argument_error<'a, A: PackedArgument<'a>>(&self, error: Error, index: usize) -> Error {
        let (reason, call) = (error.message_lossy(), self.signature());
        let message = match A::REFUSES_LIKE_CPP {
            true => {
                format!("Mismatched type on argument #{index} when calling: `{call}`. {reason}")
            }
            false => format!("Argument #{index}: {reason} when calling: `{call}`"),
        };
        Error::new(error.kind(), &message, &error.backtrace_lossy()).marked()
    }

    /// Return the signature in the form of C++: `add(0: int, 1: int) -> int`.
    fn signature(&self) -> String {
        let types = self.parameters.iter().enumerate();
        let parameters: Vec<String> = types.map(|(i, ty)| format!("{i}: {}", ty())).collect();
        let result = (self.result)();
        format!("{}({}) -> {result}", self.name(), parameters.join(", "))
    }

    /// Return the name, or else the path in the Rust program. Closures inside closures have the path
    /// of the outermost one.
    fn name(&self) -> &str {
        const CLOSURE: &str = "::{{closure}}";
        if !self.name.is_empty() {
            return self.name;
        }
        let mut path = (self.rust_name)();
        while let Some(outer) = path.strip_suffix(CLOSURE).filter(|o| o.ends_with(CLOSURE)) {
            path = outer;
        }
        // The type of a function pointer has no path: its name is a signature.
        match path.contains('(') {
            true => "",
            false => path,
        }
    }
}
