// SPDX-License-Identifier: Apache-2.0
//! Types and helpers for the tests of `structural_map` and `structural_mutate`.
#![allow(dead_code)]

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    def_object_ref, rs_class, Any, MutContextPolicy, MutateContext, MutateValue, Object, ObjectArc,
    ObjectRefCore, Result, UnchangedOr, WalkOrder,
};

pub type Text = std::string::String;

/// A pair of values.
#[rs_class("rust.test.mutate.Pair", s_eq_hash_kind = "TreeNode")]
pub struct PairObj {
    base: Object,
    pub a: Any,
    pub b: Any,
    #[reflect(seq_hash_ignore, repr_off)]
    pub ignored: i64,
}
def_object_ref!(pub Pair, ObjectRef, PairObj);

pub fn pair(a: impl Into<Any>, b: impl Into<Any>) -> Pair {
    PairObj::new(Object::new(), a, b, 7).into()
}

/// A variable with a type.
#[rs_class("rust.test.mutate.Var", s_eq_hash_kind = "FreeVar")]
pub struct VarObj {
    base: Object,
    pub ty: Any,
}
def_object_ref!(pub Var, ObjectRef, VarObj);

pub fn var(ty: impl Into<Any>) -> Var {
    VarObj::new(Object::new(), ty).into()
}

/// A node of the structural kind DAG.
#[rs_class("rust.test.mutate.Dag", s_eq_hash_kind = "DAGNode")]
pub struct DagObj {
    base: Object,
    pub a: Any,
}
def_object_ref!(pub Dag, ObjectRef, DagObj);

/// A node whose field `params` defines variables.
#[rs_class("rust.test.mutate.Lambda", s_eq_hash_kind = "TreeNode")]
pub struct LambdaObj {
    base: Object,
    #[reflect(seq_hash_def_pattern)]
    pub params: Any,
    pub body: Any,
}
def_object_ref!(pub Lambda, ObjectRef, LambdaObj);

pub fn text(value: impl Into<Any>) -> Text {
    format!("{:?}", value.into())
}

pub fn same(result: &Any, object: &impl ObjectRefCore) -> bool {
    let result: ObjectRef = result.try_as().unwrap();
    result.same_as(object)
}

/// Return the address of an object. A change in place does not change the address.
pub fn address<T: ObjectRefCore>(reference: &T) -> usize {
    ObjectArc::as_header(T::data(reference)) as usize
}

pub const PRE: WalkOrder = WalkOrder::PreOrder;
pub const POST: WalkOrder = WalkOrder::PostOrder;

pub fn increment(value: i64) -> i64 {
    value + 1
}

/// A policy that does not mutate the parts of pairs.
pub struct NotPairs;

impl<S> MutContextPolicy<S> for NotPairs {
    fn default_mutate(
        &self,
        value: MutateValue<'_>,
        context: &mut MutateContext<'_, S>,
    ) -> Result<UnchangedOr<Any>> {
        match value.as_node::<PairObj>() {
            Some(_) => Ok(UnchangedOr::unchanged()),
            None => context.default_maybe_inplace_mutate_result(value),
        }
    }
}
