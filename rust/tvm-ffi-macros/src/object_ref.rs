// SPDX-License-Identifier: Apache-2.0
//! `derive(ObjectRef)`.
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{
    Data, DeriveInput, Error, Field, Fields, GenericArgument, Index, Path, PathArguments, Result,
    Type,
};

use crate::object::crate_path;

/// Expand `derive(ObjectRef)`.
pub fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let krate = crate_of(input)?;
    if !input.generics.params.is_empty() {
        let message = "derive(ObjectRef) does not support parameters: implement the traits by \
                       hand for a generic reference";
        return Err(Error::new_spanned(&input.generics, message));
    }
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "derive(ObjectRef) needs a struct",
        ));
    };
    let mut fields = data.fields.iter();
    let Some(first) = fields.next() else {
        return Err(Error::new_spanned(&input.ident, expected_arc()));
    };
    if let Some(second) = fields.next() {
        let message = "a reference struct has one field, the `ObjectArc`";
        return Err(Error::new_spanned(second, message));
    }
    let object = object_type(first)?;
    let member = match (&first.ident, &data.fields) {
        (Some(name), Fields::Named(_)) => name.to_token_stream(),
        _ => Index::from(0).to_token_stream(),
    };
    let name = &input.ident;
    Ok(quote! { #krate::impl_object_ref!(#name, #object, #member); })
}

fn crate_of(input: &DeriveInput) -> Result<TokenStream> {
    match input
        .attrs
        .iter()
        .find(|a| a.path.is_ident("tvm_ffi_crate"))
    {
        Some(attribute) => Ok(crate_path(Some(&attribute.parse_args::<Path>()?))),
        None => Ok(crate_path(None)),
    }
}

fn expected_arc() -> &'static str {
    "the first field of a reference struct is an `ObjectArc<XObj>`"
}

/// Return the type `XObj` of a field whose type is `ObjectArc<XObj>`.
fn object_type(field: &Field) -> Result<&Type> {
    let expected = || Error::new_spanned(&field.ty, expected_arc());
    let Type::Path(path) = &field.ty else {
        return Err(expected());
    };
    let Some(last) = path.path.segments.last() else {
        return Err(expected());
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return Err(expected());
    };
    match (arguments.args.len(), arguments.args.first()) {
        (1, Some(GenericArgument::Type(object))) => Ok(object),
        _ => Err(expected()),
    }
}
