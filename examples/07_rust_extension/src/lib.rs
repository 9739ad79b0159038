// SPDX-License-Identifier: Apache-2.0
//! A kernel, and the classes of a small language of expressions.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    def_object_ref, ensure, match_any, rs_class, static_init_block, Array, Function, Object,
    ObjectCore, ObjectDef, Result, String, Tensor, VALUE_ERROR,
};

/// out = alpha * x + y
fn axpy(alpha: f32, x: Tensor, y: Tensor, out: Tensor) -> Result<()> {
    for (name, tensor) in [("y", &y), ("out", &out)] {
        ensure!(
            tensor.shape() == x.shape(),
            VALUE_ERROR,
            "{name}: expected the shape of x, {:?}, got {:?}",
            x.shape(),
            tensor.shape()
        );
    }
    // Use `Cell` elements, because `out` may be the same tensor as `x` or `y`.
    let (x, y, out) = (
        x.as_cells::<f32>()?,
        y.as_cells::<f32>()?,
        out.as_cells::<f32>()?,
    );
    for ((out, x), y) in out.iter().zip(x).zip(y) {
        out.set(alpha * x.get() + y.get());
    }
    Ok(())
}

/// The parent of all expressions.
#[rs_class("rust_tools.Expr", s_eq_hash_kind = "TreeNode", child_slots = 8)]
pub struct ExprObj {
    base: Object,
}

/// A variable.
#[rs_class("rust_tools.Var", s_eq_hash_kind = "FreeVar", final)]
pub struct VarObj {
    base: ExprObj,
    /// The name, which structural equality ignores.
    #[reflect(default = "x", seq_hash_ignore)]
    name: String,
}

/// The sum of two expressions.
#[rs_class("rust_tools.Add", s_eq_hash_kind = "TreeNode", final, reflection = add_methods)]
pub struct AddObj {
    base: ExprObj,
    /// The left operand.
    lhs: Expr,
    /// The right operand.
    rhs: Expr,
}

def_object_ref!(pub Expr, ObjectRef, ExprObj);
def_object_ref!(pub Var, Expr, VarObj);
def_object_ref!(pub Add, Expr, AddObj);

fn add_methods(def: &mut ObjectDef<AddObj>) {
    def.def(
        "swapped",
        swapped,
        "Return the sum with its operands exchanged.",
    );
}

fn swapped(this: Add) -> Result<Add> {
    let base = ExprObj::new(Object::new());
    Ok(AddObj::new(base, this.rhs.clone(), this.lhs.clone()).into())
}

/// Append the names of the variables in an expression to `names`, from left to right.
fn collect_names(expr: &Expr, names: &mut Vec<String>) -> Result<()> {
    match_any! { *expr {
        Var(var) => names.push(var.name.clone()),
        Add(add) => {
            collect_names(&add.lhs, names)?;
            collect_names(&add.rhs, names)?;
        },
        _ => {}
    } }
    Ok(())
}

fn names(expr: Expr) -> Result<Array<String>> {
    let mut names = Vec::new();
    collect_names(&expr, &mut names)?;
    Ok(Array::new(names))
}

static_init_block! {
    VarObj::type_index();
    AddObj::type_index();
    Function::register_global_typed("rust_tools.axpy", axpy, "Store alpha * x + y in out.")?;
    Function::register_global_typed("rust_tools.names", names, "Return the names of variables.")
}
