// SPDX-License-Identifier: Apache-2.0
//! Expansion of `def_object_ref!`.
use proc_macro2::TokenStream;
use quote::{format_ident, quote, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::{parse_quote, Attribute, Error, Ident, Path, Result, Token, Type, Visibility};

use crate::object::{crate_path, reference_name};

/// The arguments of the macro: `#[attrs] pub Name, ParentRef, XObj [, crate = path]`.
#[derive(Clone)]
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
        comma(input)?;
        let parent = input.parse()?;
        comma(input)?;
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

const EXPECTED: &str = "expected `def_object_ref!(pub Name, ParentRef, NameObj)`: the name of the \
                        new reference type, the reference type of the parent, and the object \
                        struct";

fn comma(input: ParseStream) -> Result<()> {
    match input.parse::<Token![,]>() {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::new(error.span(), EXPECTED)),
    }
}

/// Return the last name of a path; `None` for types of another form.
fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// Return the declaration with its arguments in the right order; `None` if the order may be right.
/// The macro knows only the names, so it changes the order only if these leave no doubt. For other
/// mistakes, the compiler reports the traits that are missing.
fn reordered(declaration: &Declaration) -> Option<Declaration> {
    let [first, second, third] = [
        Some(declaration.name.to_string()),
        last_name(&declaration.parent),
        last_name(&declaration.object),
    ];
    let is_object_of = |object: &Option<String>, reference: &Option<String>| {
        reference.is_some() && object.as_deref().and_then(reference_name) == *reference
    };
    let is_root = |name: &Option<String>| name.as_deref() == Some("ObjectRef");
    let mut right = declaration.clone();
    if is_root(&first) && is_object_of(&third, &second) {
        let name = &declaration.name;
        right.name = format_ident!("{}", second?, span = name.span());
        right.parent = parse_quote!(#name);
        return Some(right);
    }
    let is_swapped = is_object_of(&second, &first) && !is_object_of(&third, &first);
    if is_swapped || is_root(&third) && !is_root(&second) {
        std::mem::swap(&mut right.parent, &mut right.object);
        return Some(right);
    }
    None
}

/// Return the error for arguments in the wrong order, and the expansion for the right order. The
/// expansion avoids other errors about the reference type.
fn expand_reordered(declaration: &Declaration, right: &Declaration) -> TokenStream {
    let text = |ty: &Type| ty.to_token_stream().to_string().replace(' ', "");
    let (name, second, third) = (&right.name, text(&right.parent), text(&right.object));
    let message = format!(
        "the arguments are in the wrong order: {EXPECTED}. Did you mean `{name}, {second}, \
         {third}`?"
    );
    let error = Error::new_spanned(&declaration.parent, message).to_compile_error();
    let expanded = expand_checked(right);
    quote! { #error #expanded }
}

/// Expand `def_object_ref!`.
pub fn expand(declaration: &Declaration) -> TokenStream {
    match reordered(declaration) {
        Some(right) => expand_reordered(declaration, &right),
        None => expand_checked(declaration),
    }
}

fn expand_checked(declaration: &Declaration) -> TokenStream {
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
    quote! {
        #(#attributes)*
        #[repr(C)]
        #[derive(::core::clone::Clone, #krate::derive::ObjectRef)]
        #given
        #visibility struct #name {
            base: #krate::object::ObjectArc<#object>,
        }

        impl ::core::ops::Deref for #name {
            type Target = #object;
            fn deref(&self) -> &#object {
                &self.base
            }
        }

        impl ::core::convert::From<#object> for #name {
            fn from(object: #object) -> Self {
                Self { base: #krate::object::ObjectArc::new(object) }
            }
        }

        #krate::impl_object_upcast!(#name => #parent);
    }
}
