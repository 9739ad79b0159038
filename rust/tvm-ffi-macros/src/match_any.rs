// SPDX-License-Identifier: Apache-2.0
//! Expansion of `match_any!`.
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{braced, parenthesized, Arm, Error, Expr, Ident, Pat, Path, Result};

/// If the number of arms is in this range, a table selects the arm for a value of a final type. The
/// upper limit exists because the list of the arms' types is a nesting of pairs, and the compiler
/// limits the depth of types.
const TABLE_ARMS: std::ops::RangeInclusive<usize> = 20..=100;

/// The arguments of the macro: `($crate) scrutinee { arms }`.
pub struct MatchAny {
    krate: TokenStream,
    scrutinee: Expr,
    arms: Vec<TypedArm>,
    otherwise: Expr,
}

struct TypedArm {
    ty: Path,
    binding: Pat,
    guard: Option<Expr>,
    body: Expr,
}

impl Parse for MatchAny {
    fn parse(input: ParseStream) -> Result<Self> {
        let krate;
        parenthesized!(krate in input);
        let krate = krate.parse()?;
        let scrutinee = Expr::parse_without_eager_brace(input)?;
        let content;
        let brace = braced!(content in input);
        let mut arms = Vec::new();
        while !content.is_empty() {
            arms.push(content.call(Arm::parse)?);
        }
        let Some(last) = arms.pop() else {
            return Err(Error::new(brace.span, MISSING_WILDCARD));
        };
        let otherwise = wildcard(&last)?;
        let arms = arms.into_iter().map(TypedArm::new).collect::<Result<_>>()?;
        Ok(Self {
            krate,
            scrutinee,
            arms,
            otherwise,
        })
    }
}

const MISSING_WILDCARD: &str = "the last arm of `match_any!` is `_ => ..`";

/// Return the body of the last arm, which must be `_` without a guard.
fn wildcard(arm: &Arm) -> Result<Expr> {
    if !matches!(arm.pat, Pat::Wild(_)) {
        return Err(Error::new_spanned(&arm.pat, MISSING_WILDCARD));
    }
    if let Some((_, guard)) = &arm.guard {
        return Err(Error::new_spanned(
            guard,
            "the arm `_` of `match_any!` cannot have a guard",
        ));
    }
    Ok((*arm.body).clone())
}

impl TypedArm {
    fn new(arm: Arm) -> Result<Self> {
        let Arm {
            attrs,
            pat,
            guard,
            body,
            ..
        } = arm;
        if let Some(attribute) = attrs.first() {
            return Err(Error::new_spanned(
                attribute,
                "arms of `match_any!` take no attributes",
            ));
        }
        let (ty, binding) = match pat {
            Pat::TupleStruct(pat) if pat.pat.elems.len() == 1 => {
                let binding = pat
                    .pat
                    .elems
                    .into_iter()
                    .next()
                    .expect("there is one element");
                (pat.path, binding)
            }
            Pat::Wild(wild) => {
                return Err(Error::new_spanned(wild, "the arm `_` must be the last one"));
            }
            other => {
                let message = "expected `Type(binding)`, with one binding; generic types are \
                               written `Array::<i64>(binding)`";
                return Err(Error::new_spanned(other, message));
            }
        };
        let guard = guard.map(|(_, guard)| *guard);
        Ok(Self {
            ty,
            binding,
            guard,
            body: *body,
        })
    }

    /// Return whether the arm accepts every value of its type: it has no guard and no subpattern.
    fn is_simple(&self) -> bool {
        let binding = match &self.binding {
            Pat::Ident(binding) => binding.by_ref.is_none() && binding.subpat.is_none(),
            Pat::Wild(_) => true,
            _ => false,
        };
        binding && self.guard.is_none()
    }
}

/// Expand the macro.
pub fn expand(input: &MatchAny) -> Result<TokenStream> {
    let MatchAny {
        krate,
        scrutinee,
        arms,
        otherwise,
    } = input;
    let value = local("value");
    let view = local("view");
    let selected = local("selected");
    let internal = quote!(#krate::match_any_internal);
    let is_table = TABLE_ARMS.contains(&arms.len()) && arms.iter().all(TypedArm::is_simple);
    let mut expanded = quote!({ #otherwise });
    for (index, arm) in arms.iter().enumerate().rev() {
        let TypedArm {
            ty,
            binding,
            guard,
            body,
        } = arm;
        let guard = guard.as_ref().map(|guard| quote!(if #guard));
        let probe = quote_spanned! {ty.span()=> (&#internal::ArmProbe::<#ty>::new()) };
        let arm_id = index as u32;
        let found = if is_table {
            quote! {
                if #selected.may_be(#arm_id) { #probe.convert(#view) }
                else { ::core::option::Option::None }
            }
        } else {
            quote! { #probe.convert(#view) }
        };
        expanded = quote! {
            match #found {
                ::core::option::Option::Some(#binding) #guard => #body,
                _ => #expanded,
            }
        };
    }
    let select = if is_table {
        let types = arms.iter().rev().fold(quote!(()), |list, arm| {
            let ty = &arm.ty;
            quote!((#ty, #list))
        });
        let count = arms.len();
        quote! {
            let #selected = {
                static TABLE: #internal::LazyLeafTable = #internal::LazyLeafTable::new();
                let probe = &#internal::LeafPatternProbe::<#types>::new();
                TABLE.select(probe.leaf_pattern_list_id(), #view.type_index(), || {
                    let mut indices = [0i32; #count];
                    probe.fill_leaf_type_indices(&mut indices);
                    ::std::vec::Vec::from(indices)
                })
            };
        }
    } else {
        TokenStream::new()
    };
    Ok(quote! {
        match &(#scrutinee) {
            #value => {
                #[allow(unused_imports)]
                use #internal::{ConvertArm as _, LeafPatternMetadata as _};
                let #view = #krate::any::AnyView::from(#value);
                #select
                #expanded
            }
        }
    })
}

fn local(name: &str) -> Ident {
    format_ident!("{}", name, span = Span::mixed_site())
}
