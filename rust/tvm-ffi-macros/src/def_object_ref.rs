// SPDX-License-Identifier: Apache-2.0
//! Expansion of `def_object_ref!`.
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Path, Result, Token, Type, Visibility};

use crate::object::crate_path;

/// The arguments of the macro: `#[attrs] pub Name, ParentRef, XObj [, crate = path]`.
pub struct Declaration {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    parent: Type,
    object: Type,
    krate: Option<Path>,
}

impl Parse for Declaration {
    fn parse(input: ParseStream) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let name = input.parse()?;
        input.parse::<Token![,]>()?;
        let parent = input.parse()?;
        input.parse::<Token![,]>()?;
        let object = input.parse()?;
        let mut krate = None;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            krate = Some(input.call(Path::parse_mod_style)?);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Self {
            attributes,
            visibility,
            name,
            parent,
            object,
            krate,
        })
    }
}

/// Expand `def_object_ref!`.
pub fn expand(declaration: &Declaration) -> Result<TokenStream> {
    let Declaration {
        attributes,
        visibility,
        name,
        parent,
        object,
        krate,
    } = declaration;
    let given = krate
        .as_ref()
        .map(|path| quote! { #[tvm_ffi_crate(#path)] });
    let krate = crate_path(krate.as_ref());
    Ok(quote! {
        #(#attributes)*
        #[repr(C)]
        #[derive(::core::clone::Clone, #krate::derive::ObjectRef)]
        #given
        #visibility struct #name {
            data: #krate::object::ObjectArc<#object>,
        }

        impl ::core::ops::Deref for #name {
            type Target = #object;
            fn deref(&self) -> &#object {
                &self.data
            }
        }

        impl ::core::convert::From<#object> for #name {
            fn from(object: #object) -> Self {
                Self { data: #krate::object::ObjectArc::new(object) }
            }
        }

        #krate::impl_object_upcast!(#name => #parent);
    })
}
