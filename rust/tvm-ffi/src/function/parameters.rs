// SPDX-License-Identifier: Apache-2.0
//! Names and defaults of the parameters of a function.

use super::Function;
use crate::any::AnyView;
use crate::error::{Error, Result, VALUE_ERROR};
use crate::function_internal::{metadata_text, ExportedCallable};

/// The names and defaults of the parameters of a function, as texts of its metadata.
#[derive(Default)]
pub struct Parameters {
    names: Option<String>,
    defaults: Option<String>,
}

impl Parameters {
    /// Set the names: separated by commas.
    pub fn arg_names(self, names: &str) -> Self {
        Parameters {
            names: Some(names.to_string()),
            ..self
        }
    }

    /// Set the defaults of the trailing parameters: the text of a JSON array.
    pub fn arg_defaults(self, values: &str) -> Self {
        Parameters {
            defaults: Some(values.to_string()),
            ..self
        }
    }

    /// Return the metadata of the function `name`: its type schema, names and defaults. `count` is
    /// the number of parameters, without the receiver of a method.
    ///
    /// # Errors
    ///
    /// `ValueError` if the names or defaults do not fit the function.
    #[track_caller]
    pub(crate) fn metadata(&self, name: &str, schema: &str, count: usize) -> Result<String> {
        self.check(name, count)?;
        Ok(metadata_with(
            schema,
            self.names.as_deref(),
            self.defaults.as_deref(),
        ))
    }

    #[track_caller]
    fn check(&self, function: &str, count: usize) -> Result<()> {
        if let Some(text) = &self.names {
            if let Some(fault) = fault_of_names(text, count) {
                return Err(unfit(function, "arg_names", text, &fault));
            }
        }
        if let Some(text) = &self.defaults {
            let fault = match self.names {
                Some(_) => fault_of_defaults(text, count),
                None => Some("expected arg_names too: defaults need names".to_string()),
            };
            if let Some(fault) = fault {
                return Err(unfit(function, "arg_defaults", text, &fault));
            }
        }
        Ok(())
    }
}

/// The names and defaults of the parameters of an exported function, which the compiler checks.
#[derive(Clone, Copy)]
pub struct ExportParameters {
    names: Option<&'static str>,
    defaults: Option<&'static str>,
}

impl ExportParameters {
    /// Create a description without names and defaults.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        ExportParameters {
            names: None,
            defaults: None,
        }
    }

    /// Set the names: separated by commas.
    pub const fn arg_names(mut self, names: &'static str) -> Self {
        self.names = Some(names);
        self
    }

    /// Set the defaults of the trailing parameters: the text of a JSON array.
    pub const fn arg_defaults(mut self, values: &'static str) -> Self {
        self.defaults = Some(values);
        self
    }

    /// Check the number of names when the compiler evaluates a constant. Nothing calls `callable`,
    /// which only names the type `F`.
    ///
    /// # Panics
    ///
    /// Panics if the number of names is not the number of parameters, or if there are defaults
    /// without names.
    #[track_caller]
    pub const fn check<F, I, O>(self, _callable: fn() -> F)
    where
        F: ExportedCallable<'static, I, O>,
    {
        match self.names {
            Some(names) if count_of_names(names) != F::PARAMETER_COUNT => {
                panic!("arg_names: expected one name for each parameter, separated by commas")
            }
            None if self.defaults.is_some() => {
                panic!("arg_defaults: expected arg_names too, because defaults need names")
            }
            _ => {}
        }
    }

    /// Return the metadata of the exported callable. Language bindings check the defaults when they
    /// read the metadata.
    #[track_caller]
    pub fn metadata<F, I, O>(self, _callable: &F) -> String
    where
        F: ExportedCallable<'static, I, O>,
    {
        metadata_with(&F::exported_schema(), self.names, self.defaults)
    }
}

/// Return the number of names that are separated by commas.
const fn count_of_names(names: &str) -> usize {
    let text = names.as_bytes();
    let mut count = if text.is_empty() { 0 } else { 1 };
    let mut i = 0;
    while i < text.len() {
        if text[i] == b',' {
            count += 1;
        }
        i += 1;
    }
    count
}

fn metadata_with(schema: &str, names: Option<&str>, defaults: Option<&str>) -> String {
    let entries = [("arg_names", names), ("arg_defaults", defaults)];
    let given = entries
        .into_iter()
        .filter_map(|(key, text)| Some((key, text?.to_string())));
    metadata_text(schema, &given.collect::<Vec<_>>())
}

#[track_caller]
fn unfit(function: &str, option: &str, text: &str, fault: &str) -> Error {
    let message = format!("{option}({text:?}) of `{function}`: {fault}");
    Error::at_caller(VALUE_ERROR, &message)
}

/// Return why the names do not fit a function with `count` parameters; `None` if they fit.
fn fault_of_names(text: &str, count: usize) -> Option<String> {
    let names: Vec<&str> = match text {
        "" => Vec::new(),
        _ => text.split(',').map(str::trim).collect(),
    };
    if names.len() != count {
        let plural = if count == 1 { "" } else { "s" };
        let given = names.len();
        return Some(format!(
            "expected {count} name{plural}, one for each parameter (the receiver of a method has \
             none), got {given}"
        ));
    }
    for (position, name) in names.iter().enumerate() {
        if !is_identifier(name) {
            return Some(format!("expected identifiers, got `{name}`"));
        }
        if names[..position].contains(name) {
            return Some(format!("expected different names, got `{name}` twice"));
        }
    }
    None
}

fn is_identifier(name: &str) -> bool {
    let is_part = |character: char| character == '_' || character.is_alphanumeric();
    name.chars().all(is_part)
        && !name.starts_with(|first: char| first.is_numeric())
        && !name.is_empty()
}

/// Return why the defaults do not fit a function with `count` parameters; `None` if they fit.
fn fault_of_defaults(text: &str, count: usize) -> Option<String> {
    let expected = "expected the text of a JSON array";
    let text = crate::string::String::from(text);
    let call = |name, argument| Function::get_global(name)?.call_packed(&[argument]);
    let values = match call("ffi.json.Parse", AnyView::from(&text)) {
        Ok(values) => values,
        Err(error) => return Some(format!("{expected}, got invalid JSON: {}", error.message())),
    };
    let size = call("ffi.ArraySize", AnyView::from(&values)).and_then(i64::try_from);
    let Ok(given) = size else {
        return Some(format!("{expected}, got another JSON value"));
    };
    let given = given as usize;
    (given > count).then(|| {
        let plural = if count == 1 { "" } else { "s" };
        format!("expected at most {count} value{plural}, one for each parameter, got {given}")
    })
}
