// SPDX-License-Identifier: Apache-2.0
//! Types and helpers for the tests of `structural_walk` and `structural_visit`.
#![allow(dead_code)]

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    def_object_ref, rs_class, structural_walk, Any, AnyView, DLDevice, DefRegionKind, Error,
    Object, Result, String, StructuralView, VisitInterrupt, WalkOrder, WalkResult, VALUE_ERROR,
};

pub type Text = std::string::String;
pub type VisitResult = Result<Option<VisitInterrupt>>;

/// A pair of values.
#[rs_class("rust.test.visit.Pair", s_eq_hash_kind = "TreeNode")]
pub struct PairObj {
    base: Object,
    pub a: Any,
    pub b: Any,
    #[reflect(seq_hash_ignore)]
    pub ignored: i64,
}
def_object_ref!(pub Pair, ObjectRef, PairObj);

pub fn pair(a: impl Into<Any>, b: impl Into<Any>) -> Pair {
    PairObj::new(Object::new(), a, b, 99).into()
}

/// A pair with one more field.
#[rs_class("rust.test.visit.Triple")]
pub struct TripleObj {
    base: PairObj,
    pub c: i64,
}
def_object_ref!(pub Triple, Pair, TripleObj);

/// A variable with a type.
#[rs_class("rust.test.visit.Var", s_eq_hash_kind = "FreeVar")]
pub struct VarObj {
    base: Object,
    pub ty: i64,
}
def_object_ref!(pub Var, ObjectRef, VarObj);

pub fn var(ty: i64) -> Var {
    VarObj::new(Object::new(), ty).into()
}

/// A node with two fields that define variables in different ways.
#[rs_class("rust.test.visit.Binder", s_eq_hash_kind = "TreeNode")]
pub struct BinderObj {
    base: Object,
    #[reflect(seq_hash_def_simple)]
    pub simple: Any,
    #[reflect(seq_hash_def_pattern)]
    pub pattern: Any,
    pub body: Any,
}
def_object_ref!(pub Binder, ObjectRef, BinderObj);

/// Return the type key of an object; "" for other values.
pub fn type_key(value: &StructuralView) -> Text {
    if value.cast::<ObjectRef>().is_none() {
        return Text::new();
    }
    let error = DLDevice::try_from(AnyView::from(value)).unwrap_err();
    error.message().split('`').nth(1).unwrap().to_string()
}

/// Return a short name of a value, for comparison.
pub fn name(value: &StructuralView) -> Text {
    if let Some(number) = value.cast::<i64>() {
        return number.to_string();
    }
    if let Some(text) = value.cast::<String>() {
        return text.as_str().to_string();
    }
    if value.cast::<()>().is_some() {
        return "None".to_string();
    }
    let key = type_key(value);
    key.rsplit('.').next().unwrap().to_string()
}

/// Return `name/region` of every value that a walk reaches.
pub fn walked<R>(root: &R, order: WalkOrder) -> Text
where
    for<'x> AnyView<'x>: From<&'x R>,
{
    let mut seen = Vec::new();
    let note = |value: &StructuralView, kind: DefRegionKind| {
        seen.push(format!("{}/{}", name(value), kind as i32));
        WalkResult::Advance
    };
    assert!(structural_walk(root, note, order).unwrap().is_none());
    seen.join(" ")
}

pub fn name_of(view: &AnyView<'_>) -> Text {
    let any = view.to_any().unwrap();
    let mut found = Text::new();
    let note = |value: &StructuralView| {
        found = name(value);
        WalkResult::Interrupt
    };
    structural_walk(&any, note, WalkOrder::PreOrder).unwrap();
    found
}

pub fn fail_at(number: i64) -> impl FnMut(i64) -> Result<WalkResult> {
    move |value| match value == number {
        true => Err(Error::new(VALUE_ERROR, "found", "")),
        false => Ok(WalkResult::Advance),
    }
}
