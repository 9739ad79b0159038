// SPDX-License-Identifier: Apache-2.0
//! Attributes of object structs and of their fields.
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Ident, Lit, LitBool, LitInt, LitStr, Meta, Path, Result, Token};

/// Names of the variants of `SEqHashKind`.
const S_EQ_HASH_KINDS: &[&str] = &[
    "Unsupported",
    "TreeNode",
    "FreeVar",
    "DAGNode",
    "ConstTreeNode",
    "UniqueInstance",
];

/// Names of the constants of `FieldFlags`, in lower case.
const FIELD_FLAGS: &[&str] = &[
    "none",
    "writable",
    "seq_hash_ignore",
    "seq_hash_def_pattern",
    "seq_hash_def_simple",
    "repr_off",
    "compare_off",
    "hash_off",
    "init_off",
    "kw_only",
];

/// Options of an object type.
#[derive(Default)]
pub struct TypeOptions {
    pub type_key: Option<LitStr>,
    pub type_index: Option<Expr>,
    pub is_final: bool,
    pub register: Option<Span>,
    pub child_slots: Option<LitInt>,
    pub child_slots_can_overflow: Option<LitBool>,
    pub s_eq_hash_kind: Option<Ident>,
    pub reflection: Option<Path>,
    /// Whether a class of `rs_class` gets a constructor for other languages.
    pub init: Option<LitBool>,
}

/// Check the name of a `SEqHashKind` and return it as an identifier.
pub fn s_eq_hash_kind(text: &LitStr) -> Result<Ident> {
    let name = text.value();
    if S_EQ_HASH_KINDS.contains(&name.as_str()) {
        return Ok(Ident::new(&name, text.span()));
    }
    let known = S_EQ_HASH_KINDS.join("`, `");
    Err(Error::new(
        text.span(),
        format!("unknown kind `{name}`; expected one of `{known}`"),
    ))
}

/// Store the value of an option; refuse an option that is given twice.
pub fn set_once<T>(slot: &mut Option<T>, value: T, span: Span, name: &str) -> Result<()> {
    if slot.replace(value).is_some() {
        return Err(Error::new(
            span,
            format!("`{name}` is given more than once"),
        ));
    }
    Ok(())
}

fn literal<T>(attribute: &Attribute, name: &str, example: &str) -> Result<T>
where
    T: Parse,
{
    let expected = || Error::new_spanned(attribute, format!("expected `#[{name} = {example}]`"));
    match attribute.parse_meta() {
        Ok(Meta::NameValue(pair)) => {
            let lit: &Lit = &pair.lit;
            syn::parse2(quote::quote!(#lit)).map_err(|_| expected())
        }
        _ => Err(expected()),
    }
}

impl TypeOptions {
    /// Read the attributes of `derive(Object)`.
    pub fn from_attributes(attributes: &[Attribute]) -> Result<Self> {
        let mut options = Self::default();
        for attribute in attributes {
            if let Some(name) = attribute.path.get_ident() {
                options.read(attribute, &name.to_string(), name.span())?;
            }
        }
        Ok(options)
    }

    fn read(&mut self, attribute: &Attribute, name: &str, span: Span) -> Result<()> {
        match name {
            "type_key" => {
                let key = literal(attribute, name, "\"my.Type\"")?;
                set_once(&mut self.type_key, key, span, name)
            }
            "type_index" => {
                let index = attribute.parse_args()?;
                set_once(&mut self.type_index, index, span, name)
            }
            "type_final" => {
                self.is_final = true;
                expect_no_arguments(attribute)
            }
            "type_register" => {
                self.register = Some(span);
                expect_no_arguments(attribute)
            }
            "type_child_slots" => {
                let slots = literal(attribute, name, "4")?;
                set_once(&mut self.child_slots, slots, span, name)
            }
            "type_child_slots_can_overflow" => {
                let allowed = literal(attribute, name, "false")?;
                set_once(&mut self.child_slots_can_overflow, allowed, span, name)
            }
            "type_s_eq_hash_kind" => {
                let text: LitStr = literal(attribute, name, "\"TreeNode\"")?;
                set_once(&mut self.s_eq_hash_kind, s_eq_hash_kind(&text)?, span, name)
            }
            "type_reflection" => {
                let path = attribute.parse_args()?;
                set_once(&mut self.reflection, path, span, name)
            }
            _ => Ok(()),
        }
    }
}

fn expect_no_arguments(attribute: &Attribute) -> Result<()> {
    if attribute.tokens.is_empty() {
        return Ok(());
    }
    Err(Error::new_spanned(
        &attribute.tokens,
        "this attribute takes no arguments",
    ))
}

/// The default of a reflected field.
pub enum FieldDefault {
    /// A value that is created once; all objects share it.
    Value(Expr),
    /// A callable without arguments, which creates a value for each object.
    Factory(Expr),
    /// The value None. Using this default is an error if the field's type does not accept None.
    None,
}

/// The content of `#[reflect(..)]`.
#[derive(Default)]
pub struct FieldOptions {
    /// Names of constants of `FieldFlags`, in upper case.
    pub flags: Vec<Ident>,
    pub name: Option<LitStr>,
    pub doc: Option<LitStr>,
    pub metadata: Option<LitStr>,
    pub default: Option<FieldDefault>,
}

impl FieldOptions {
    /// Read the attribute `reflect` of a field; return `None` if the field does not have it.
    pub fn from_attributes(attributes: &[Attribute]) -> Result<Option<Self>> {
        let mut found = None;
        for attribute in attributes.iter().filter(|a| a.path.is_ident("reflect")) {
            if found.is_some() {
                return Err(Error::new_spanned(
                    attribute,
                    "`reflect` is given more than once",
                ));
            }
            let mut options = Self::default();
            if !attribute.tokens.is_empty() {
                let items = attribute
                    .parse_args_with(Punctuated::<FieldItem, Token![,]>::parse_terminated)?;
                for item in items {
                    options.add(item)?;
                }
            }
            found = Some(options);
        }
        Ok(found)
    }

    fn add(&mut self, item: FieldItem) -> Result<()> {
        let span = item.name.span();
        let name = item.name.to_string();
        match (name.as_str(), item.value) {
            ("name", Some(value)) => set_once(&mut self.name, text_of(&value)?, span, &name),
            ("doc", Some(value)) => set_once(&mut self.doc, text_of(&value)?, span, &name),
            ("metadata", Some(value)) => {
                set_once(&mut self.metadata, text_of(&value)?, span, &name)
            }
            ("default_none", None) => {
                set_once(&mut self.default, FieldDefault::None, span, "default")
            }
            ("default", Some(value)) => set_once(
                &mut self.default,
                FieldDefault::Value(value),
                span,
                "default",
            ),
            ("default_factory", Some(value)) => set_once(
                &mut self.default,
                FieldDefault::Factory(value),
                span,
                "default",
            ),
            (flag, None) if FIELD_FLAGS.contains(&flag) => {
                self.flags.push(Ident::new(&flag.to_uppercase(), span));
                Ok(())
            }
            (other, _) => Err(Error::new(span, unknown_item(other))),
        }
    }
}

fn unknown_item(name: &str) -> String {
    let lower = name.to_lowercase();
    if FIELD_FLAGS.contains(&lower.as_str()) {
        return format!("`{name}` is not an option of a field; did you mean the flag `{lower}`?");
    }
    format!(
        "`{name}` is not an option of a field; expected a flag (`{}`), `name = \"..\"`, \
         `doc = \"..\"`, `metadata = \"JSON\"`, `default = VALUE`, \
         `default_factory = CALLABLE` or `default_none`",
        FIELD_FLAGS.join("`, `")
    )
}

fn text_of(value: &Expr) -> Result<LitStr> {
    match value {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Ok(text.clone()),
            other => Err(Error::new_spanned(other, "expected a string literal")),
        },
        other => Err(Error::new_spanned(other, "expected a string literal")),
    }
}

struct FieldItem {
    name: Ident,
    value: Option<Expr>,
}

impl Parse for FieldItem {
    fn parse(input: ParseStream) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { name, value })
    }
}

/// Return the text of the `///` comments among the attributes, without the space after `///`.
pub fn doc_comment(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|a| a.path.is_ident("doc")) {
        if let Ok(Meta::NameValue(pair)) = attribute.parse_meta() {
            if let Lit::Str(text) = &pair.lit {
                let text = text.value();
                lines.push(
                    text.strip_prefix(' ')
                        .unwrap_or(&text)
                        .trim_end()
                        .to_string(),
                );
            }
        }
    }
    lines.join("\n").trim().to_string()
}
