// SPDX-License-Identifier: Apache-2.0
//! `derive(Object)`, and the parts that `rs_class` shares with it.
use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    parse_quote, Attribute, Data, DeriveInput, Error, Field, Fields, FieldsNamed, GenericArgument,
    Ident, Path, PathArguments, Result, Type,
};

use crate::attributes::{doc_comment, FieldDefault, FieldOptions, TypeOptions};

/// A field of an object struct, other than the parent's object.
pub struct ObjectField {
    pub ident: Ident,
    pub ty: Type,
    /// The options of `#[reflect]`; `None` if the field is not reflected.
    pub reflect: Option<FieldOptions>,
    pub doc: String,
}

/// An object struct with the options of its attributes.
pub struct ObjectStruct {
    pub krate: TokenStream,
    pub ident: Ident,
    pub parent_field: Ident,
    pub parent: Type,
    pub fields: Vec<ObjectField>,
    pub options: TypeOptions,
    pub doc: String,
    /// Whether other languages can create an empty object of the type (classes of `rs_class`).
    pub has_creator: bool,
}

/// Return the path that expansions use for the crate `tvm-ffi`.
pub fn crate_path(path: Option<&Path>) -> TokenStream {
    path.map_or_else(|| quote!(::tvm_ffi), |path| quote!(#path))
}

/// Expand `derive(Object)`.
pub fn derive(mut input: DeriveInput) -> Result<TokenStream> {
    let errors = replace_recursive_fields(&mut input, &crate_path(None));
    let input = &input;
    let fields = named_fields(input, "derive(Object)")?;
    if !has_repr_c(&input.attrs) {
        let message = "derive(Object) needs `#[repr(C)]`: the first field is the object header";
        return Err(Error::new_spanned(&input.ident, message));
    }
    let options = TypeOptions::from_attributes(&input.attrs)?;
    let mut object = ObjectStruct::new(input, fields, options, crate_path(None), false)?;
    object.check()?;
    if !errors.is_empty() {
        object.forget_reflection();
    }
    let mut expanded = object.object_core()?;
    expanded.extend(errors);
    if object.is_reflected() {
        expanded.extend(object.shallow_copy());
    }
    Ok(expanded)
}

/// Return the fields of a struct with named fields and without generic parameters.
pub fn named_fields<'a>(input: &'a DeriveInput, who: &str) -> Result<&'a FieldsNamed> {
    if !input.generics.params.is_empty() {
        let message = format!("{who} does not support parameters: a type key names one type");
        return Err(Error::new_spanned(&input.generics, message));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(fields),
            other => {
                let span = if other.is_empty() {
                    input.ident.span()
                } else {
                    other.span()
                };
                Err(Error::new(
                    span,
                    format!("{who} needs a struct with named fields"),
                ))
            }
        },
        _ => Err(Error::new_spanned(
            &input.ident,
            format!("{who} needs a struct"),
        )),
    }
}

fn has_repr_c(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .filter(|a| a.path.is_ident("repr"))
        .any(|attribute| {
            let parser =
                syn::punctuated::Punctuated::<syn::NestedMeta, syn::Token![,]>::parse_terminated;
            attribute.parse_args_with(parser).is_ok_and(|list| {
                list.iter().any(|meta| match meta {
                    syn::NestedMeta::Meta(meta) => meta.path().is_ident("C"),
                    syn::NestedMeta::Lit(_) => false,
                })
            })
        })
}

/// Return whether a type is a scalar of Rust. Literals have these types without a conversion.
pub fn is_scalar(ty: &Type) -> bool {
    const SCALARS: &[&str] = &[
        "bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f32",
        "f64",
    ];
    match ty {
        Type::Path(path) if path.qself.is_none() => path
            .path
            .get_ident()
            .is_some_and(|name| SCALARS.contains(&name.to_string().as_str())),
        _ => false,
    }
}

impl ObjectStruct {
    /// Read a struct; the first field is the parent's object.
    pub fn new(
        input: &DeriveInput,
        fields: &FieldsNamed,
        options: TypeOptions,
        krate: TokenStream,
        has_creator: bool,
    ) -> Result<Self> {
        let mut fields = fields.named.iter();
        let Some(parent) = fields.next() else {
            let message = "an object struct needs the parent's object as its first field, for \
                           example `base: Object`";
            return Err(Error::new_spanned(&input.ident, message));
        };
        if FieldOptions::from_attributes(&parent.attrs)?.is_some() {
            let message = "the first field, the parent's object, cannot be reflected";
            return Err(Error::new_spanned(parent, message));
        }
        let mut members = Vec::new();
        for field in fields {
            members.push(ObjectField {
                ident: field.ident.clone().expect("the fields are named"),
                ty: field.ty.clone(),
                reflect: FieldOptions::from_attributes(&field.attrs)?,
                doc: doc_comment(&field.attrs),
            });
        }
        Ok(Self {
            krate,
            ident: input.ident.clone(),
            parent_field: parent.ident.clone().expect("the fields are named"),
            parent: parent.ty.clone(),
            fields: members,
            options,
            doc: doc_comment(&input.attrs),
            has_creator,
        })
    }

    /// Refuse options that contradict each other.
    pub fn check(&self) -> Result<()> {
        let options = &self.options;
        if let (Some(register), Some(_)) = (options.register, &options.type_index) {
            let message = "`type_register` does not go with `type_index`: a static type index \
                           belongs to a type that is registered already";
            return Err(Error::new(register, message));
        }
        if let Some((what, span)) = self.reflection_attribute() {
            if options.type_index.is_some() {
                let message = format!(
                    "`{what}` does not go with `type_index`: the library that defines the type \
                     registers its fields"
                );
                return Err(Error::new(span, message));
            }
            if options.register.is_none() {
                let message = format!("`{what}` needs the attribute `#[type_register]`");
                return Err(Error::new(span, message));
            }
        }
        self.check_names()
    }

    fn reflection_attribute(&self) -> Option<(&'static str, Span)> {
        let field = self.fields.iter().find(|field| field.reflect.is_some());
        let options = &self.options;
        field
            .map(|field| ("reflect", field.ident.span()))
            .or_else(|| {
                options
                    .s_eq_hash_kind
                    .as_ref()
                    .map(|k| ("type_s_eq_hash_kind", k.span()))
            })
            .or_else(|| {
                options
                    .reflection
                    .as_ref()
                    .map(|path| ("type_reflection", path.span()))
            })
    }

    /// Remove what needs the types of the fields, because these have errors.
    fn forget_reflection(&mut self) {
        self.fields.clear();
        self.options.s_eq_hash_kind = None;
        self.options.reflection = None;
    }

    fn is_reflected(&self) -> bool {
        self.has_creator || self.reflection_attribute().is_some()
    }

    fn check_names(&self) -> Result<()> {
        let mut names = HashSet::new();
        for field in &self.fields {
            let Some(options) = &field.reflect else {
                continue;
            };
            let (name, span) = reflected_name(field, options);
            if !names.insert(name.clone()) {
                return Err(Error::new(span, format!("duplicate field `{name}`")));
            }
        }
        Ok(())
    }

    /// Implement `ObjectCore`.
    pub fn object_core(&self) -> Result<TokenStream> {
        let Self {
            krate,
            ident,
            parent_field,
            parent,
            options,
            ..
        } = self;
        let Some(type_key) = &options.type_key else {
            let message = "the attribute `#[type_key = \"..\"]` is missing";
            return Err(Error::new_spanned(ident, message));
        };
        if type_key.value().is_empty() {
            return Err(Error::new_spanned(type_key, "a type key cannot be empty"));
        }
        let is_final = options.is_final;
        let type_index = self.type_index();
        let try_type_index = self.try_type_index();
        let (mirror, mirror_functions) = self.mirror();
        let final_message = format!("`{ident}` cannot derive from a final type");
        let final_check = quote_spanned! {parent.span()=>
            const _: () = ::core::assert!(
                !<#parent as #krate::object::ObjectCore>::TYPE_FINAL,
                #final_message
            );
        };
        let members = self.check_members();
        let defined = self.fields.iter().map(|field| {
            let ObjectField {
                ident: name, ty, ..
            } = field;
            quote_spanned! {ty.span()=>
                && #krate::__is_defined!(#ty, ::core::ptr::addr_of!((*this).#name))
            }
        });
        let implementation = quote! {
            // SAFETY: the struct is `repr(C)`, and its first field is an object itself.
            unsafe impl #krate::object::ObjectCore for #ident {
                const TYPE_KEY: &'static str = #type_key;
                const TYPE_DEPTH: i32 = <#parent as #krate::object::ObjectCore>::TYPE_DEPTH + 1;
                const TYPE_FINAL: bool = #is_final;
                const ANCESTORS: #krate::object::Ancestors = #krate::object::Ancestors::Parent(
                    <#parent as #krate::object::ObjectCore>::TYPE_KEY,
                    &<#parent as #krate::object::ObjectCore>::ANCESTORS,
                );
                #[inline]
                fn type_index() -> i32 {
                    #type_index
                }
                #try_type_index
                #mirror_functions
                #[inline]
                #[allow(unused_unsafe)]
                unsafe fn is_defined(this: *const Self) -> bool {
                    // SAFETY: the caller guarantees that the object is alive.
                    unsafe {
                        <#parent as #krate::object::ObjectCore>::is_defined(
                            ::core::ptr::addr_of!((*this).#parent_field),
                        ) #(#defined)*
                    }
                }
                unsafe fn object_header_mut(
                    this: &mut Self,
                ) -> &mut #krate::tvm_ffi_sys::TVMFFIObject {
                    // SAFETY: the caller meets the conditions of this function.
                    unsafe {
                        <#parent as #krate::object::ObjectCore>::object_header_mut(
                            &mut this.#parent_field,
                        )
                    }
                }
            }
        };
        // The functions share the static variable.
        Ok(quote! {
            #final_check
            #members
            const _: () = {
                #mirror
                #implementation
            };
        })
    }

    /// Return, for a class that another library registers, the static variable that compares the
    /// class with the struct, and the functions that use it.
    fn mirror(&self) -> (TokenStream, TokenStream) {
        let Self {
            krate,
            ident,
            parent,
            ..
        } = self;
        if self.options.register.is_some() {
            let has_creator = self.has_creator;
            let functions = quote! { const CHECKS_FIELDS: bool = #has_creator; };
            return (TokenStream::new(), functions);
        }
        let fields = self.fields.iter().map(|field| {
            let ObjectField {
                ident: name, ty, ..
            } = field;
            let text = plain_name(name);
            quote_spanned! {ty.span()=> #krate::__declared_field!(#ident, #name, #text, #ty) }
        });
        let variable = quote! {
            static MIRROR: #krate::reflection::Mirror = #krate::reflection::Mirror::new(
                <#parent as #krate::object::ObjectCore>::check_layout,
                || ::std::vec![#(#fields),*],
            );
        };
        let functions = quote! {
            const CHECKS_FIELDS: bool = #krate::object::CHECKS_FOREIGN_FIELDS;
            #[inline]
            fn readable_type_index() -> i32 {
                MIRROR.readable::<Self>()
            }
            #[inline]
            fn creatable_type_index() -> i32 {
                MIRROR.creatable::<Self>()
            }
            fn check_layout(
                reached: &mut #krate::reflection::Reached,
            ) -> ::core::result::Result<(), &'static str> {
                MIRROR.check::<Self>(reached)
            }
        };
        (variable, functions)
    }

    /// Return code that compiles only if several threads may use the members that are not reflected.
    fn check_members(&self) -> TokenStream {
        let krate = &self.krate;
        let hidden = self.fields.iter().filter(|field| field.reflect.is_none());
        let checks: Vec<_> = hidden
            .map(|ObjectField { ty, .. }| {
                quote_spanned! { ty.span()=> (&__member::<#ty>()).check(); }
            })
            .collect();
        if checks.is_empty() {
            return TokenStream::new();
        }
        quote! {
            const _: () = {
                #[allow(dead_code, unused_imports)]
                fn check_members() {
                    use #krate::reflection::member::{
                        member as __member, Shared as _, Unshared as _,
                    };
                    #(#checks)*
                }
            };
        }
    }

    /// Return the function `try_type_index` of a type that another library registers.
    fn try_type_index(&self) -> TokenStream {
        let Self { krate, options, .. } = self;
        if options.type_index.is_some() || options.register.is_some() {
            return TokenStream::new();
        }
        quote! {
            fn try_type_index() -> #krate::error::Result<i32> {
                static INDEX: #krate::reflection::LazyTypeIndex =
                    #krate::reflection::LazyTypeIndex::new();
                INDEX.try_look_up(<Self as #krate::object::ObjectCore>::TYPE_KEY)
            }
        }
    }

    fn type_index(&self) -> TokenStream {
        let Self {
            krate,
            parent,
            options,
            ..
        } = self;
        if let Some(index) = &options.type_index {
            return quote! { (#index) as i32 };
        }
        let cell = quote! {
            static INDEX: #krate::reflection::LazyTypeIndex =
                #krate::reflection::LazyTypeIndex::new();
        };
        if options.register.is_none() {
            return quote! { #cell INDEX.look_up(<Self as #krate::object::ObjectCore>::TYPE_KEY) };
        }
        let hidden = self.fields.iter().filter(|field| field.reflect.is_none());
        let hidden = hidden.map(
            |ObjectField {
                 ident: name, ty, ..
             }| {
                let (text, ident) = (plain_name(name), &self.ident);
                quote_spanned! {ty.span()=>
                    (#text, ::core::mem::offset_of!(#ident, #name), ::core::any::type_name::<#ty>())
                }
            },
        );
        let slots = options
            .child_slots
            .as_ref()
            .map_or_else(|| quote!(0), |n| quote!(#n));
        let overflow = options
            .child_slots_can_overflow
            .as_ref()
            .map_or_else(|| quote!(true), |b| quote!(#b));
        let define = if self.is_reflected() {
            let index = format_ident!("index", span = Span::mixed_site());
            let define = self.define(&index);
            quote! { ::core::option::Option::Some(|#index: i32| #define) }
        } else {
            quote! { ::core::option::Option::None }
        };
        quote! {
            #cell
            INDEX.register::<Self>(&#krate::reflection::TypeRegistration {
                parent_type_index: <#parent as #krate::object::ObjectCore>::creatable_type_index,
                child_slots: #slots,
                child_slots_can_overflow: #overflow,
                hidden: || ::std::vec![#(#hidden),*],
                define: #define,
            })
        }
    }

    /// Return the expression that registers the type under a type index.
    fn define(&self, index: &Ident) -> TokenStream {
        let Self {
            krate,
            options,
            doc,
            ..
        } = self;
        let kind = match &options.s_eq_hash_kind {
            Some(kind) => {
                quote!(::core::option::Option::Some(#krate::reflection::SEqHashKind::#kind))
            }
            None => quote!(::core::option::Option::None),
        };
        let (begin, copy) = match self.has_creator {
            true => (quote!(with_creator), quote!(checked_shallow_copy)),
            false => (quote!(new), quote!(shallow_copy)),
        };
        let fields = self.fields.iter().map(|field| self.define_field(field));
        let methods = options
            .reflection
            .as_ref()
            .map(|path| quote! { .methods(#path)? });
        let init = options.init.as_ref().is_none_or(|init| init.value);
        let creator = self.has_creator.then(|| quote! { .creator(#init)? });
        quote! {
            #krate::reflection::TypeDefinition::<Self>::#begin(#index, #kind, #doc)?
                #(#fields)*
                .#copy()?
                #methods
                #creator
                .finish()
        }
    }

    fn define_field(&self, field: &ObjectField) -> TokenStream {
        let Self { krate, .. } = self;
        let Some(options) = &field.reflect else {
            return TokenStream::new();
        };
        let ObjectField { ident, ty, .. } = field;
        let (name, _) = reflected_name(field, options);
        let doc = options
            .doc
            .as_ref()
            .map_or_else(|| field.doc.clone(), |doc| doc.value());
        let (writable, flags): (Vec<_>, Vec<_>) =
            options.flags.iter().partition(|flag| *flag == "WRITABLE");
        let writable = (!writable.is_empty()).then(|| quote_spanned! { ty.span()=> .writable() });
        let default = match &options.default {
            None => TokenStream::new(),
            Some(FieldDefault::Value(value)) => {
                let value = converted(ty, quote!(#value));
                quote! { .default(#value) }
            }
            Some(FieldDefault::None) => quote! { .default_none() },
            Some(FieldDefault::Factory(make)) => {
                let value = converted(ty, quote!((#make)()));
                quote! { .default_factory(|| #value) }
            }
        };
        let metadata = options
            .metadata
            .as_ref()
            .map(|text| quote! { .metadata(#text) });
        // The parentheses have the span of the field, where the compiler reports a wrong type.
        quote_spanned! {ty.span()=>
            .field(
                (#krate::__field_definition!(#name, #ident, #ty))
                .doc(#doc)
                #writable
                #(.flags(#krate::reflection::FieldFlags::#flags))*
                #metadata
                #default
            )?
        }
    }

    /// Implement `ShallowCopy`.
    pub fn shallow_copy(&self) -> TokenStream {
        let Self {
            krate,
            ident,
            parent_field,
            parent,
            ..
        } = self;
        let fields = self.fields.iter().map(|field| {
            let (name, ty) = (&field.ident, &field.ty);
            quote_spanned! {ty.span()=>
                #name: <#ty as ::core::clone::Clone>::clone(&self.#name)
            }
        });
        quote! {
            impl #krate::reflection::ShallowCopy for #ident {
                fn shallow_copy(&self) -> Self {
                    Self {
                        #parent_field: <#parent as #krate::reflection::ShallowCopy>::shallow_copy(
                            &self.#parent_field,
                        ),
                        #(#fields,)*
                    }
                }
            }
        }
    }

    /// Implement `UnsafeInit`.
    pub fn unsafe_init(&self) -> TokenStream {
        let Self {
            krate,
            ident,
            parent_field,
            parent,
            ..
        } = self;
        let this = format_ident!("this", span = Span::mixed_site());
        // The generated code has the span of the field's type, so that the compiler reports errors
        // at the field.
        let drops = self.fields.iter().map(|ObjectField { ident, ty, .. }| {
            quote_spanned! {ty.span()=>
                #krate::reflection::drop_if_defined(::core::ptr::addr_of_mut!((*#this).#ident));
            }
        });
        let defined = self.fields.iter().map(|ObjectField { ident, ty, .. }| {
            let name = plain_name(ident);
            quote_spanned! {ty.span()=>
                let defined = defined.and(#name, ::core::ptr::addr_of!((*#this).#ident));
            }
        });
        quote! {
            // SAFETY: each field that is defined is dropped once.
            unsafe impl #krate::reflection::UnsafeInit for #ident {
                unsafe fn drop_defined_fields(#this: *mut Self) {
                    // SAFETY: the caller meets the conditions of this function; the fields are
                    // inside the object.
                    unsafe {
                        <#parent as #krate::reflection::UnsafeInit>::drop_defined_fields(
                            ::core::ptr::addr_of_mut!((*#this).#parent_field),
                        );
                        #(#drops)*
                    }
                }
                unsafe fn defined_fields(
                    #this: *const Self,
                ) -> #krate::reflection::DefinedFields {
                    // SAFETY: the caller meets the conditions of this function; the fields are
                    // inside the object.
                    unsafe {
                        let defined =
                            <#parent as #krate::reflection::UnsafeInit>::defined_fields(
                                ::core::ptr::addr_of!((*#this).#parent_field),
                            );
                        #(#defined)*
                        defined
                    }
                }
            }
        }
    }
}

/// Return the usual name of the references to an object struct: `Shape` for `ShapeObj` and for
/// `ShapeNode`.
pub fn reference_name(object: &str) -> Option<String> {
    let name = object
        .strip_suffix("Obj")
        .or_else(|| object.strip_suffix("Node"))?;
    (!name.is_empty()).then(|| name.to_string())
}

/// Return whether a value of the type `ty`, or of an `Option` of it, contains the struct `ident`.
fn contains(ty: &Type, ident: &Ident) -> bool {
    let path = match ty {
        Type::Paren(inner) => return contains(&inner.elem, ident),
        Type::Path(path) if path.qself.is_none() => &path.path,
        _ => return false,
    };
    if path.is_ident(ident) || path.is_ident("Self") {
        return true;
    }
    match path.segments.last() {
        Some(last) if last.ident == "Option" => match &last.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(
                |argument| matches!(argument, GenericArgument::Type(ty) if contains(ty, ident)),
            ),
            _ => false,
        },
        _ => false,
    }
}

/// Return the error for a field that contains an object of its own class.
fn recursive_field(field: &Field, object: &Ident) -> Error {
    let reference = reference_name(&object.to_string());
    let reference = reference.unwrap_or_else(|| format!("{object}Ref"));
    let message = format!(
        "a field cannot contain an object of its own class: use the reference type, \
         `Option<{reference}>`, where `def_object_ref!(pub {reference}, .., {object})` defines \
         `{reference}`"
    );
    Error::new_spanned(&field.ty, message)
}

/// Return compile errors about the fields that contain an object of their own class. Give these
/// fields another type, so that the expansion has no other errors about them.
pub fn replace_recursive_fields(input: &mut DeriveInput, krate: &TokenStream) -> TokenStream {
    let Data::Struct(data) = &mut input.data else {
        return TokenStream::new();
    };
    let mut errors = TokenStream::new();
    for field in &mut data.fields {
        if contains(&field.ty, &input.ident) {
            errors.extend(recursive_field(field, &input.ident).to_compile_error());
            field.ty = parse_quote!(::core::option::Option<#krate::object::ObjectRef>);
        }
    }
    errors
}

/// Return the name of a field without `r#`.
pub fn plain_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_string()
}

fn reflected_name(field: &ObjectField, options: &FieldOptions) -> (String, Span) {
    match &options.name {
        Some(name) => (name.value(), name.span()),
        None => (plain_name(&field.ident), field.ident.span()),
    }
}

/// Return the type `T` of a field `Writable<T>`, or the type itself.
pub fn value_type(ty: &Type) -> &Type {
    let Type::Path(path) = ty else {
        return ty;
    };
    match path.path.segments.last() {
        Some(last) if last.ident == "Writable" => match &last.arguments {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(GenericArgument::Type(value)) => value,
                _ => ty,
            },
            _ => ty,
        },
        _ => ty,
    }
}

/// Return an expression that converts `value` to the type of a field. Scalars are not converted;
/// other types use `From`.
fn converted(ty: &Type, value: TokenStream) -> TokenStream {
    let value_type = value_type(ty);
    let value = if is_scalar(value_type) {
        quote!({ let value: #value_type = #value; value })
    } else {
        quote!(<#value_type as ::core::convert::From<_>>::from(#value))
    };
    in_field(ty, value)
}

/// Return an expression that makes the content of a field from its value.
pub fn in_field(ty: &Type, value: TokenStream) -> TokenStream {
    if value_type(ty) == ty {
        value
    } else {
        quote!(<#ty>::new(#value))
    }
}
