// SPDX-License-Identifier: Apache-2.0
//! Macros of the crate `tvm-ffi`; use them through that crate.
#![deny(missing_docs)]

mod attributes;
mod def_object_ref;
mod dispatch;
mod match_any;
mod object;
mod object_ref;
mod paste;
mod rs_class;

use proc_macro::TokenStream;

/// Replace each `[<a b ..>]` in the input by one identifier, made by joining the parts.
///
/// A part is an identifier or a literal.
#[proc_macro]
pub fn paste(input: TokenStream) -> TokenStream {
    paste::expand(input)
}

/// Return the expansion, or a compile error at the source position that caused the error.
fn tokens(result: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    result
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Implement `ObjectCore` for a `#[repr(C)]` struct whose first field is the object of its parent.
///
/// Attributes of the struct:
///
/// - `#[type_key = "my.Type"]`: the registered name; required.
/// - `#[type_index(EXPR)]`: a static type index, for types that the runtime defines.
/// - `#[type_final]`: no other type may derive from this type.
/// - `#[type_register]`: register the type key when the type index is first needed. Without this
///   attribute, the library that defines the type must register it.
/// - `#[type_child_slots = N]`: reserve N type indices for derived types.
/// - `#[type_child_slots_can_overflow = false]`: refuse more than N derived types.
/// - `#[type_s_eq_hash_kind = "TreeNode"]`: name of a `SEqHashKind`.
/// - `#[type_reflection(path)]`: function `fn(&mut ObjectDef<Self>)` that registers methods.
///
/// Reflected fields have the attribute `#[reflect]` or
/// `#[reflect(FLAG, .., name = "..", doc = "..", default = EXPR, default_factory = EXPR)]`, where
/// each FLAG is a constant of `FieldFlags` in lower case, such as `writable` or `kw_only`.
#[proc_macro_derive(
    Object,
    attributes(
        type_key,
        type_index,
        type_final,
        type_register,
        type_child_slots,
        type_child_slots_can_overflow,
        type_s_eq_hash_kind,
        type_reflection,
        reflect
    )
)]
pub fn derive_object(input: TokenStream) -> TokenStream {
    tokens(syn::parse(input).and_then(object::derive))
}

/// Implement `ObjectRefCore`, `AnyCompatible` and the conversions from `Any` for a struct whose
/// first field is an `ObjectArc<XObj>`.
///
/// The helper attribute `#[tvm_ffi_crate(path)]` gives the path of the crate if it is not
/// `::tvm_ffi`.
#[proc_macro_derive(ObjectRef, attributes(tvm_ffi_crate))]
pub fn derive_object_ref(input: TokenStream) -> TokenStream {
    tokens(syn::parse(input).and_then(|input| object_ref::derive(&input)))
}

/// Define an object class in Rust: `#[rs_class("my.Type", OPTIONS..)]` on a struct with named
/// fields, the first of which is `base`, the object of the parent.
///
/// Options: `final`, `s_eq_hash_kind = "TreeNode"`, `child_slots = N`,
/// `child_slots_can_overflow = false`, `reflection = path`, `init = false` (no constructor for
/// other languages), `crate = path`. Every other field is reflected, and may have the attribute
/// `#[reflect(..)]` of `derive(Object)`.
///
/// The macro adds `repr(C)`, the constructor `new`, `Deref` to the parent's object, `UnsafeInit`,
/// and the function that creates an empty object for the constructor `__ffi_init__`.
#[proc_macro_attribute]
pub fn rs_class(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tokens(rs_class::expand(arguments.into(), item.into()))
}

/// Define the reference type of an object struct:
/// `def_object_ref!(#[attrs] pub Name, ParentRef, XObj [, crate = path])`.
///
/// The reference has `Clone`, `derive(ObjectRef)`, `Deref` to the object, and conversions from the
/// object and into `ParentRef`.
#[proc_macro]
pub fn def_object_ref(input: TokenStream) -> TokenStream {
    tokens(syn::parse(input).map(|input| def_object_ref::expand(&input)))
}

/// Choose a method by the type of a value in a traversal: `#[dispatch(walk)]`,
/// `#[dispatch(visit)]`, `#[dispatch(map)]` or `#[dispatch(mutate)]` on an `impl` without a trait.
///
/// The methods whose names begin with `walk_` (`visit_`, `map_`, `mutate_`) are tried in source
/// order. The first parameter is `&mut self`. The second parameter is the value: `T` by value, or
/// `&N` for an object struct, or `&StructuralView`, which accepts all values. A method with
/// `&StructuralView` must be the last method. A third parameter may be the definition region,
/// `DefRegionKind`.
///
/// The methods of `mutate` may also take the value as a `MutateValue<'_, T>`. Their third parameter
/// may be `&mut Mutator` instead of the region.
///
/// The macro implements `WalkDispatch` (`StructuralVisitor`, `MapDispatch`, `MutateDispatch`).
/// `policy = EXPR`, for `visit` and `mutate`, is the policy for the values that no method accepts.
/// `crate = PATH` gives the path of the crate if it is not `::tvm_ffi`.
#[proc_macro_attribute]
pub fn dispatch(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tokens(dispatch::expand(arguments.into(), item.into()))
}

/// Expand `tvm_ffi::match_any!`. The input begins with the `$crate` of that macro, in parentheses.
#[doc(hidden)]
#[proc_macro]
pub fn __match_any(input: TokenStream) -> TokenStream {
    tokens(syn::parse(input).and_then(|input| match_any::expand(&input)))
}
