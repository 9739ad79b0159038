// SPDX-License-Identifier: Apache-2.0
//! [`GlobalDef`]: registration of global functions with names and defaults of their parameters.

use super::registry::register;
use super::Function;
use super::Parameters;
use crate::error::Result;
use crate::function_internal::AsPackedCallable;

struct Definition {
    name: String,
    doc: String,
    function: Function,
    schema: String,
    parameter_count: usize,
    parameters: Parameters,
}

/// Registers global functions with their documentation and the names and defaults of their
/// parameters, like `GlobalDef` of C++.
///
/// ```
/// use tvm_ffi::{Function, GlobalDef, Result};
///
/// fn main() -> Result<()> {
///     GlobalDef::new()
///         .def("my_library.scale", |x: f64, factor: f64| Ok(x * factor), "Scale a number.")
///         .arg_names("x, factor")
///         .arg_defaults("[2.0]")
///         .def("my_library.negate", |x: f64| Ok(-x), "Negate a number.")
///         .register()?;
///     assert!(Function::get_global("my_library.scale").is_ok());
///     Ok(())
/// }
/// ```
#[derive(Default)]
#[must_use = "`register` registers the functions"]
pub struct GlobalDef {
    definitions: Vec<Definition>,
}

impl GlobalDef {
    /// Create a definition without functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Add a closure with typed arguments, and its documentation.
    pub fn def<F, I, O>(mut self, name: &str, closure: F, doc: &str) -> Self
    where
        F: AsPackedCallable<I, O> + 'static,
    {
        self.definitions.push(Definition {
            name: name.to_string(),
            doc: doc.to_string(),
            function: Function::from_typed_named(name, closure),
            schema: F::type_schema(),
            parameter_count: F::PARAMETER_COUNT,
            parameters: Parameters::default(),
        });
        self
    }

    /// Set the names of the parameters of the function that was added last: separated by commas.
    /// Language bindings (such as the Python extension) show the names and accept them as keywords.
    pub fn arg_names(self, names: &str) -> Self {
        self.set_parameters(|parameters| parameters.arg_names(names))
    }

    /// Set the defaults of the trailing parameters of the function that was added last. `values` is
    /// the text of a JSON array. The defaults do not apply to calls from Rust.
    pub fn arg_defaults(self, values: &str) -> Self {
        self.set_parameters(|parameters| parameters.arg_defaults(values))
    }

    /// Register the functions.
    ///
    /// # Errors
    ///
    /// `ValueError` if the names or defaults of a function do not fit its parameters; in that case
    /// no function is registered. `RuntimeError` if a name is already registered.
    #[track_caller]
    pub fn register(self) -> Result<()> {
        let mut metadata = Vec::new();
        for found in &self.definitions {
            let (name, schema) = (&found.name, &found.schema);
            metadata.push(
                found
                    .parameters
                    .metadata(name, schema, found.parameter_count)?,
            );
        }
        for (found, metadata) in self.definitions.iter().zip(&metadata) {
            register(&found.name, &found.function, metadata, &found.doc)?;
        }
        Ok(())
    }

    fn set_parameters(mut self, set: impl FnOnce(Parameters) -> Parameters) -> Self {
        if let Some(last) = self.definitions.last_mut() {
            last.parameters = set(std::mem::take(&mut last.parameters));
        }
        self
    }
}
