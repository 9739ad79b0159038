// SPDX-License-Identifier: Apache-2.0
//! The derive macros of the stand-in crate: just what generated code needs to be compiled.

extern crate proc_macro;
use proc_macro::{TokenStream, TokenTree};

/// The name of the structure, and the text of its `type_key`.
fn read(input: TokenStream) -> (String, String) {
    let (mut name, mut key, mut last) = (String::new(), String::new(), String::new());
    for tree in input {
        match &tree {
            TokenTree::Ident(word) if last == "struct" => name = word.to_string(),
            TokenTree::Group(group) => {
                let text = group.stream().to_string();
                if let Some(rest) = text.strip_prefix("type_key = ") {
                    key = rest.to_string();
                }
            }
            _ => {}
        }
        last = tree.to_string();
    }
    (name, key)
}

#[proc_macro_derive(Object, attributes(type_key, type_final))]
pub fn object(input: TokenStream) -> TokenStream {
    let (name, key) = read(input);
    format!("unsafe impl tvm_ffi::ObjectCore for {name} {{ const TYPE_KEY: &'static str = {key}; }}")
        .parse()
        .unwrap()
}

#[proc_macro_derive(ObjectRef)]
pub fn object_ref(input: TokenStream) -> TokenStream {
    let (name, _) = read(input);
    format!("unsafe impl tvm_ffi::object::ObjectRefCore for {name} {{}}").parse().unwrap()
}
