// SPDX-License-Identifier: Apache-2.0
//! `#[rs_class(..)]`.
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Ident, LitStr, Path, Result, Token};

use crate::attributes::{s_eq_hash_kind, set_once, FieldOptions, TypeOptions};
use crate::object::{
    crate_path, in_field, is_scalar, named_fields, replace_recursive_fields, value_type,
    ObjectStruct,
};

/// Arguments of `#[rs_class(..)]`.
#[derive(Default)]
struct Arguments {
    options: TypeOptions,
    krate: Option<Path>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut arguments = Self::default();
        if !input.peek(LitStr) {
            let message = "the type key comes first: `#[rs_class(\"my.Type\")]`";
            return Err(Error::new(input.span(), message));
        }
        arguments.options.type_key = Some(input.parse()?);
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            arguments.read(&name, input)?;
        }
        if !input.is_empty() {
            return Err(input.error("expected `,`"));
        }
        Ok(arguments)
    }
}

impl Arguments {
    fn read(&mut self, ident: &Ident, input: ParseStream) -> Result<()> {
        let (name, span) = (ident.to_string(), ident.span());
        let options = &mut self.options;
        if name == "final" {
            options.is_final = true;
            return Ok(());
        }
        if !KNOWN.contains(&name.as_str()) {
            let message = format!(
                "`{name}` is not an option of `rs_class`; expected `final`, `{}`",
                KNOWN.join("`, `")
            );
            return Err(Error::new(span, message));
        }
        input.parse::<Token![=]>()?;
        match name.as_str() {
            "s_eq_hash_kind" => {
                let kind = s_eq_hash_kind(&input.parse()?)?;
                set_once(&mut options.s_eq_hash_kind, kind, span, &name)
            }
            "child_slots" => set_once(&mut options.child_slots, input.parse()?, span, &name),
            "child_slots_can_overflow" => set_once(
                &mut options.child_slots_can_overflow,
                input.parse()?,
                span,
                &name,
            ),
            "reflection" => set_once(&mut options.reflection, input.parse()?, span, &name),
            "init" => set_once(&mut options.init, input.parse()?, span, &name),
            _ => set_once(
                &mut self.krate,
                input.call(Path::parse_mod_style)?,
                span,
                &name,
            ),
        }
    }
}

const KNOWN: &[&str] = &[
    "s_eq_hash_kind",
    "child_slots",
    "child_slots_can_overflow",
    "reflection",
    "init",
    "crate",
];

/// Expand `#[rs_class(..)]`.
pub fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut input: DeriveInput = syn::parse2(item)?;
    let Arguments { mut options, krate } = Arguments::parse.parse2(arguments)?;
    options.register = Some(Span::call_site());
    let krate = crate_path(krate.as_ref());
    let errors = replace_recursive_fields(&mut input, &krate);
    let fields = named_fields(&input, "rs_class")?;
    let mut object = ObjectStruct::new(&input, fields, options, krate, true)?;
    if object.parent_field != "base" {
        let message = "the first field of a class is `base`, the object of the parent";
        return Err(Error::new_spanned(&object.parent_field, message));
    }
    for field in &mut object.fields {
        field.reflect.get_or_insert_with(FieldOptions::default);
    }
    object.check()?;
    let implementations = [
        object.object_core()?,
        object.shallow_copy(),
        object.unsafe_init(),
        constructor(&input, &object),
        deref(&object),
    ];
    clean(&mut input);
    Ok(quote! {
        #errors
        #[repr(C)]
        #input
        #(#implementations)*
    })
}

/// Remove the attributes that belong to `rs_class`.
fn clean(input: &mut DeriveInput) {
    if let Data::Struct(data) = &mut input.data {
        if let Fields::Named(fields) = &mut data.fields {
            for field in &mut fields.named {
                field
                    .attrs
                    .retain(|attribute| !attribute.path.is_ident("reflect"));
            }
        }
    }
}

fn constructor(input: &DeriveInput, object: &ObjectStruct) -> TokenStream {
    let ObjectStruct {
        ident,
        parent_field,
        parent,
        ..
    } = object;
    let visibility = &input.vis;
    let names: Vec<_> = object.fields.iter().map(|field| &field.ident).collect();
    let parameters = object.fields.iter().map(|field| {
        let (name, ty) = (&field.ident, value_type(&field.ty));
        if is_scalar(ty) {
            quote!(#name: #ty)
        } else {
            quote!(#name: impl ::core::convert::Into<#ty>)
        }
    });
    let values = object.fields.iter().map(|field| {
        let (name, ty) = (&field.ident, value_type(&field.ty));
        let value = if is_scalar(ty) {
            quote!(#name)
        } else {
            quote!(::core::convert::Into::<#ty>::into(#name))
        };
        let value = in_field(&field.ty, value);
        quote!(#name: #value)
    });
    // The parameters of `new` are `base` and the fields in their order.
    debug_assert_eq!(names.len(), object.fields.len());
    let doc = format!(
        "Make an object from the object of its parent and its {} fields.",
        names.len()
    );
    let allow = format_ident!("too_many_arguments", span = ident.span());
    quote! {
        impl #ident {
            #[doc = #doc]
            #[allow(clippy::#allow)]
            #visibility fn new(#parent_field: #parent, #(#parameters),*) -> Self {
                Self { #parent_field, #(#values,)* }
            }
        }
    }
}

fn deref(object: &ObjectStruct) -> TokenStream {
    let ObjectStruct {
        ident,
        parent_field,
        parent,
        ..
    } = object;
    let _ = parent.span();
    quote! {
        impl ::core::ops::Deref for #ident {
            type Target = #parent;
            fn deref(&self) -> &#parent {
                &self.#parent_field
            }
        }
    }
}
