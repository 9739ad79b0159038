// SPDX-License-Identifier: Apache-2.0
//! Expansion of `paste!`, which joins identifiers.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Replace each `[<a b ..>]` in the tokens, also inside groups.
pub fn expand(input: TokenStream) -> TokenStream {
    input
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => replace(group),
            other => other,
        })
        .collect()
}

fn replace(group: Group) -> TokenTree {
    if group.delimiter() == Delimiter::Bracket {
        if let Some(identifier) = joined(group.stream()) {
            return TokenTree::Ident(identifier);
        }
    }
    let mut result = Group::new(group.delimiter(), expand(group.stream()));
    result.set_span(group.span());
    TokenTree::Group(result)
}

/// Return the identifier for the tokens `<a b ..>`, or `None` for other tokens.
fn joined(tokens: TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |token: &TokenTree, wanted: char| match token {
        TokenTree::Punct(punct) => punct.as_char() == wanted,
        _ => false,
    };
    if tokens.len() < 3 || !is(&tokens[0], '<') || !is(&tokens[tokens.len() - 1], '>') {
        return None;
    }
    let mut name = String::new();
    let mut span: Option<Span> = None;
    if !append(&tokens[1..tokens.len() - 1], &mut name, &mut span) {
        return None;
    }
    Some(Ident::new(&name, span.unwrap_or_else(Span::call_site)))
}

fn append(tokens: &[TokenTree], name: &mut String, span: &mut Option<Span>) -> bool {
    for token in tokens {
        match token {
            TokenTree::Ident(part) => {
                name.push_str(part.to_string().trim_start_matches("r#"));
                *span = span.or(Some(part.span()));
            }
            TokenTree::Literal(part) => name.push_str(part.to_string().trim_matches('"')),
            // A declarative macro passes its fragments in groups without delimiters.
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                if !append(&inner, name, span) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}
