// SPDX-License-Identifier: Apache-2.0
//! `Debug` of values, which is the text of Python's `repr`.

use super::Function;
use crate::any::AnyView;

impl std::fmt::Debug for AnyView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&repr(self))
    }
}

/// Return the text of Python's `repr`, or the type key in angle brackets if `repr` fails.
fn repr(view: &AnyView<'_>) -> String {
    let shown = Function::get_global("ffi.ReprPrint")
        .and_then(|print| print.call_packed(&[*view]))
        .and_then(crate::string::String::try_from);
    match shown {
        Ok(text) => text.as_str().to_string(),
        Err(_) => format!("<{}>", crate::object::type_key_of(view.type_index())),
    }
}
