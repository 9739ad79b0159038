// SPDX-License-Identifier: Apache-2.0
//! `#[dispatch(..)]`.
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Error, Expr, FnArg, Ident, ImplItem, ImplItemMethod, ItemImpl, Path, Result};
use syn::{ReturnType, Signature, Token, Type};

use crate::object::crate_path;

/// The operation that the methods belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Walk,
    Visit,
    Map,
    Mutate,
}

impl Kind {
    /// Return the prefix of the names of the methods.
    fn prefix(self) -> &'static str {
        match self {
            Kind::Walk => "walk_",
            Kind::Visit => "visit_",
            Kind::Map => "map_",
            Kind::Mutate => "mutate_",
        }
    }

    /// Return whether a method may take the value as a `MutateValue`.
    fn takes_mutate_value(self) -> bool {
        self == Kind::Mutate
    }

    fn last_parameter(self) -> &'static str {
        match self {
            Kind::Mutate => "`&mut Mutator`",
            _ => "`DefRegionKind`",
        }
    }
}

/// Arguments of the attribute `#[dispatch(..)]`.
struct Arguments {
    kind: Kind,
    policy: Option<Expr>,
    krate: Option<Path>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream) -> Result<Self> {
        let expected = "expected `walk`, `visit`, `map` or `mutate`";
        let name: Ident = input
            .parse()
            .map_err(|error| Error::new(error.span(), expected))?;
        let kind = match name.to_string().as_str() {
            "walk" => Kind::Walk,
            "visit" => Kind::Visit,
            "map" => Kind::Map,
            "mutate" => Kind::Mutate,
            _ => return Err(Error::new(name.span(), expected)),
        };
        let (mut policy, mut krate) = (None, None);
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if input.parse::<Option<Token![crate]>>()?.is_some() {
                input.parse::<Token![=]>()?;
                krate = Some(input.call(Path::parse_mod_style)?);
                continue;
            }
            let option: Ident = input.parse()?;
            if option != "policy" {
                let message = "expected `policy = EXPR` or `crate = PATH`";
                return Err(Error::new(option.span(), message));
            }
            if matches!(kind, Kind::Walk | Kind::Map) {
                let message = "only `visit` and `mutate` take a policy";
                return Err(Error::new(option.span(), message));
            }
            input.parse::<Token![=]>()?;
            policy = Some(input.parse()?);
        }
        if !input.is_empty() {
            return Err(input.error("expected `,`"));
        }
        Ok(Arguments {
            kind,
            policy,
            krate,
        })
    }
}

/// The way in which a method takes the value: by value, as `&N`, as a `&StructuralView`, or as a
/// `MutateValue`.
enum Taken {
    Value(Box<Type>),
    Node(Box<Type>),
    View,
    /// A `MutateValue<'_, T>`; the type is `None` for a `MutateValue` of any type.
    Mutable(Option<Box<Type>>),
}

struct Handler<'a> {
    method: &'a ImplItemMethod,
    taken: Taken,
    has_last: bool,
}

impl Handler<'_> {
    fn takes_all(&self) -> bool {
        matches!(self.taken, Taken::View | Taken::Mutable(None))
    }

    /// Return the `cfg` attributes of the method.
    fn conditions(&self) -> impl Iterator<Item = &Attribute> {
        let attributes = self.method.attrs.iter();
        attributes.filter(|attribute| attribute.path.is_ident("cfg"))
    }
}

/// Return whether `ty` is a path that ends in `name`.
fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|segment| segment.ident == name)
        }
        _ => false,
    }
}

/// Return the type argument of `MutateValue<'_, T>`, if there is one.
fn type_argument(ty: &Type) -> Option<Box<Type>> {
    let Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
    else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) if !is_named(ty, "Any") => Some(Box::new(ty.clone())),
        _ => None,
    })
}

fn taken(kind: Kind, ty: &Type) -> Result<Taken> {
    if let Type::Reference(reference) = ty {
        if reference.mutability.is_some() {
            let message = "a method gets the object by a shared reference, `&N`";
            return Err(Error::new_spanned(ty, message));
        }
        return Ok(match is_named(&reference.elem, "StructuralView") {
            true => Taken::View,
            false => Taken::Node(reference.elem.clone()),
        });
    }
    if kind.takes_mutate_value() && is_named(ty, "MutateValue") {
        return Ok(Taken::Mutable(type_argument(ty)));
    }
    Ok(Taken::Value(Box::new(ty.clone())))
}

fn check_receiver(signature: &Signature) -> Result<()> {
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver))
            if receiver.reference.is_some() && receiver.mutability.is_some() =>
        {
            Ok(())
        }
        _ => Err(Error::new_spanned(
            &signature.ident,
            "the first parameter of a method is `&mut self`",
        )),
    }
}

fn handler(kind: Kind, method: &ImplItemMethod) -> Result<Handler<'_>> {
    let signature = &method.sig;
    check_receiver(signature)?;
    if let Some(word) = &signature.asyncness {
        return Err(Error::new_spanned(word, "a method cannot be `async`"));
    }
    let types: Vec<&Type> = signature
        .inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        })
        .collect();
    let (&[value] | &[value, _]) = types.as_slice() else {
        let message = format!(
            "a method takes `&mut self`, the value, and optionally {}",
            kind.last_parameter()
        );
        return Err(Error::new_spanned(&signature.ident, message));
    };
    if kind != Kind::Visit && matches!(signature.output, ReturnType::Default) {
        let message = "this method must return what becomes of the value";
        return Err(Error::new_spanned(&signature.ident, message));
    }
    Ok(Handler {
        method,
        taken: taken(kind, value)?,
        has_last: types.len() == 2,
    })
}

/// Check that no method follows a method that accepts all values. If the method that accepts all
/// values has a `cfg` attribute, which may remove it, another such method may follow.
fn check_order(handlers: &[Handler<'_>]) -> Result<()> {
    let end = handlers.iter().position(Handler::takes_all);
    let Some(end) = end else { return Ok(()) };
    for (index, handler) in handlers.iter().enumerate().skip(end + 1) {
        let is_alternative =
            handler.takes_all() && handlers[index - 1].conditions().next().is_some();
        if !is_alternative {
            let message = format!(
                "this method is never called, because `{}` before it takes all values",
                handlers[index - 1].method.sig.ident
            );
            return Err(Error::new_spanned(&handler.method.sig.ident, message));
        }
    }
    Ok(())
}

/// Expand `#[dispatch(..)]`.
pub fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let Arguments {
        kind,
        policy,
        krate,
    } = Arguments::parse.parse2(arguments)?;
    let block: ItemImpl = syn::parse2(item)?;
    if let Some((_, path, _)) = &block.trait_ {
        let message = "`dispatch` belongs on an `impl` without a trait";
        return Err(Error::new_spanned(path, message));
    }
    let mut handlers = Vec::new();
    for item in &block.items {
        match item {
            ImplItem::Method(method) if method.sig.ident.to_string().starts_with(kind.prefix()) => {
                handlers.push(handler(kind, method)?);
            }
            _ => (),
        }
    }
    if handlers.is_empty() {
        let message = format!("no method has a name that begins with `{}`", kind.prefix());
        return Err(Error::new_spanned(&block.self_ty, message));
    }
    check_order(&handlers)?;
    let krate = crate_path(krate.as_ref());
    let arms: Vec<_> = handlers
        .iter()
        .map(|handler| arm(kind, handler, &krate))
        .collect();
    let implementation = implementation(kind, &block, &arms, policy.as_ref(), &krate);
    Ok(quote! {
        #block
        #implementation
    })
}

/// Return the statement that calls the method of `handler` if the method accepts the value.
fn arm(kind: Kind, handler: &Handler<'_>, krate: &TokenStream) -> TokenStream {
    let method = &handler.method.sig.ident;
    let conditions = handler.conditions();
    let view = quote!(#krate::extra::structural_visit::StructuralView);
    let (some, ok) = (
        quote!(::core::option::Option::Some(__taken)),
        quote!(::core::result::Result::Ok(__taken)),
    );
    let value = match kind {
        Kind::Mutate => quote!(__value.as_value()),
        _ => quote!(__value),
    };
    let condition = match &handler.taken {
        Taken::Value(ty) => quote!(if let #some = #view::cast_element::<#ty>(#value)),
        Taken::Node(ty) => quote!(if let #some = #view::as_node::<#ty>(#value)),
        Taken::Mutable(Some(ty)) => quote!(if let #ok = __value.reborrow().try_cast::<#ty>()),
        Taken::View | Taken::Mutable(None) => TokenStream::new(),
    };
    let taken = match &handler.taken {
        Taken::View => quote!(let __taken = #value;),
        Taken::Mutable(None) => quote!(let __taken = __value.reborrow();),
        _ => TokenStream::new(),
    };
    let last = match (handler.has_last, kind) {
        (false, _) => TokenStream::new(),
        (true, Kind::Mutate) => quote!(, __mutator),
        (true, _) => quote!(, __kind),
    };
    let call = quote!(Self::#method(self, __taken #last));
    let result = match kind {
        Kind::Walk => {
            let convert = quote!(#krate::extra::structural_visit::IntoWalkResult);
            quote!(::core::option::Option::Some(#convert::into_walk_result(#call)))
        }
        Kind::Visit => {
            let convert = quote!(#krate::extra::structural_visit::IntoVisitResult);
            quote!(#convert::into_visit_result(#call))
        }
        Kind::Map | Kind::Mutate => {
            let convert = quote!(#krate::extra::structural_mutate::IntoMutateResult);
            quote!(::core::option::Option::Some(#convert::into_mutate_result(#call)))
        }
    };
    quote! {
        #(#conditions)*
        #condition {
            #taken
            return #result;
        }
    }
}

fn implementation(
    kind: Kind,
    block: &ItemImpl,
    arms: &[TokenStream],
    policy: Option<&Expr>,
    krate: &TokenStream,
) -> TokenStream {
    let (generics, _, condition) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    let conditions = block
        .attrs
        .iter()
        .filter(|attribute| attribute.path.is_ident("cfg"));
    let visit = quote!(#krate::extra::structural_visit);
    let mutate = quote!(#krate::extra::structural_mutate);
    let dispatch = quote!(#krate::extra::dispatch);
    let any_result = quote!(#krate::error::Result<#krate::any::Any>);
    let parameters = quote! {
        &mut self,
        __value: &#visit::StructuralView,
        __kind: #visit::DefRegionKind,
    };
    let allow = quote!(#[allow(unreachable_code, unused_mut, unused_variables)]);
    let (name, content) = match kind {
        Kind::Walk => (
            quote!(#dispatch::WalkDispatch),
            quote! {
                #allow
                fn dispatch_walk(
                    #parameters
                ) -> ::core::option::Option<#krate::error::Result<#visit::WalkResult>> {
                    #(#arms)*
                    ::core::option::Option::None
                }
            },
        ),
        Kind::Visit => {
            let visit_result = quote! {
                #krate::error::Result<::core::option::Option<#visit::VisitInterrupt>>
            };
            let default = policy.map(|policy| {
                quote! {
                    fn default_visit_children(#parameters) -> #visit_result {
                        #visit::visit_by_policy(&(#policy), self, __value, __kind)
                    }
                }
            });
            (
                quote!(#visit::StructuralVisitor),
                quote! {
                    #allow
                    fn visit(#parameters) -> #visit_result {
                        #(#arms)*
                        #visit::StructuralVisitor::default_visit_children(self, __value, __kind)
                    }
                    #default
                },
            )
        }
        Kind::Map => (
            quote!(#dispatch::MapDispatch),
            quote! {
                #allow
                fn dispatch_map(#parameters) -> ::core::option::Option<#any_result> {
                    #(#arms)*
                    ::core::option::Option::None
                }
            },
        ),
        Kind::Mutate => {
            let default = policy.map(|policy| {
                quote! {
                    fn on_default_mutate(
                        &mut self,
                        __value: #mutate::MutateValue<'_>,
                        __kind: #visit::DefRegionKind,
                    ) -> #any_result {
                        #mutate::mutate_by_policy(&(#policy), self, __value, __kind)
                    }
                }
            });
            (
                quote!(#dispatch::MutateDispatch),
                quote! {
                    fn dispatch_mutate(
                        &mut self,
                        __value: &#visit::StructuralView,
                        __mutator: &mut #mutate::Mutator<'_>,
                    ) -> ::core::option::Option<#any_result> {
                        let __value = #mutate::MutateValue::borrowed(__value);
                        #dispatch::MutateDispatch::dispatch_mutate_value(self, __value, __mutator)
                    }
                    #allow
                    fn dispatch_mutate_value(
                        &mut self,
                        mut __value: #mutate::MutateValue<'_>,
                        __mutator: &mut #mutate::Mutator<'_>,
                    ) -> ::core::option::Option<#any_result> {
                        #(#arms)*
                        ::core::option::Option::None
                    }
                    #default
                },
            )
        }
    };
    quote! {
        #(#conditions)*
        impl #generics #name for #ty #condition {
            #content
        }
    }
}
