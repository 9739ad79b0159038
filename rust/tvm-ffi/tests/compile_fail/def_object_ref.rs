// SPDX-License-Identifier: Apache-2.0
//! Wrong uses of `def_object_ref!`. Arguments in the wrong order are one error.
use tvm_ffi::object::ObjectRef;
use tvm_ffi::{def_object_ref, rs_class, Object};

#[rs_class("fail.Shape")]
pub struct ShapeObj {
    base: Object,
    value: i64,
}

def_object_ref!(pub Shape, ShapeObj, ObjectRef); //~ wrong order: expected `def_object_ref!(pub Name, ParentRef, NameObj)`

#[rs_class("fail.Circle")]
pub struct CircleObj {
    base: ShapeObj,
}

def_object_ref!(pub Circle, CircleObj, Shape); //~ Did you mean `Circle, Shape, CircleObj`?

#[rs_class("fail.Square")]
pub struct SquareObj {
    base: ShapeObj,
}

def_object_ref!(ObjectRef, Square, SquareObj); //~ Did you mean `Square, ObjectRef, SquareObj`?

#[rs_class("fail.Line")]
pub struct LineObj {
    base: ShapeObj,
}

def_object_ref!(pub Line, ShapeObj, LineObj); //~ `ShapeObj` is not a reference type

#[rs_class("fail.Point")]
pub struct PointObj {
    base: Object,
}

def_object_ref!(pub Point, Object, PointObj); //~ `Object` is not a reference type

def_object_ref!(pub Two, ObjectRef); //~ expected `def_object_ref!(pub Name, ParentRef, NameObj)`

// A correct program, in which names are similar to those of wrong ones.
#[rs_class("fail.Tree")]
pub struct TreeObj {
    base: TreeNodeObj,
}

#[rs_class("fail.TreeNode")]
pub struct TreeNodeObj {
    base: ShapeObj,
}

def_object_ref!(pub TreeNode, Shape, TreeNodeObj);
def_object_ref!(pub Tree, TreeNode, TreeObj);

// The types above are defined, so their uses are not errors.
pub fn sum(shape: Shape, circle: &Circle, square: Square) -> i64 {
    shape.value + circle.value + square.value
}
