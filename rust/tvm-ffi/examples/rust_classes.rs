// SPDX-License-Identifier: Apache-2.0
//! A library with classes that are defined in Rust. `tests/rust/test_classes.py` loads it.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::EnumDef;
use tvm_ffi::{
    bail, def_object_ref, rs_class, static_init_block, tvm_ffi_dll_export_typed_func, Any,
    Function, Object, ObjectCore, ObjectDef, Result, String, Writable, VALUE_ERROR,
};

/// A point of the plane.
#[rs_class(
    "rust_classes.Point",
    s_eq_hash_kind = "TreeNode",
    child_slots = 2,
    reflection = point_methods
)]
pub struct PointObj {
    base: Object,
    /// The first coordinate.
    #[reflect(writable)]
    x: Writable<i64>,
    /// The second coordinate.
    #[reflect(writable, default = 0)]
    y: Writable<i64>,
    /// The text that is shown beside the point.
    #[reflect(kw_only, default = "a point")]
    label: String,
    /// Anything; a new list for each point.
    #[reflect(kw_only, default_factory = new_list, compare_off, hash_off, repr_off, seq_hash_ignore)]
    tags: Any,
}

def_object_ref!(
    /// A reference to a point.
    pub Point,
    ObjectRef,
    PointObj
);

fn new_list() -> Any {
    let list = Function::get_global("ffi.List").and_then(|list| list.call_packed(&[]));
    list.unwrap_or_default()
}

fn point_methods(def: &mut ObjectDef<PointObj>) {
    def.def("scaled", scaled, "Return a multiple of the point.")
        .arg_names("factor,shift")
        .arg_defaults("[0]")
        .def("fail", fail, "Raise an error.")
        .def("panic", panic, "Panic.")
        .def_static("origin", || Ok(point(0, 0)), "Return the origin.");
}

fn point(x: i64, y: i64) -> Point {
    PointObj::new(Object::new(), x, y, "made in Rust", new_list()).into()
}

fn scaled(this: Point, factor: i64, shift: i64) -> Result<Point> {
    Ok(point(
        this.x.get() * factor + shift,
        this.y.get() * factor + shift,
    ))
}

fn fail(this: Point, text: String) -> Result<()> {
    bail!(VALUE_ERROR, "{} at {}", text.as_str(), this.x.get())
}

fn panic(this: Point) -> Result<()> {
    panic!("the point {} is out of reach", this.x.get())
}

/// A point of space.
#[rs_class("rust_classes.Point3", final)]
pub struct Point3Obj {
    base: PointObj,
    z: f64,
    next: Option<Point>,
}

def_object_ref!(
    /// A reference to a point of space.
    pub Point3,
    Point,
    Point3Obj
);

/// A color with a code.
#[rs_class("rust_classes.Color", final, reflection = color_methods)]
pub struct ColorObj {
    base: Object,
    code: i64,
}

def_object_ref!(
    /// A reference to a color.
    pub Color,
    ObjectRef,
    ColorObj
);

fn color_methods(def: &mut ObjectDef<ColorObj>) {
    def.as_enum();
}

fn define_colors() -> Result<()> {
    let color = |code: i64| Color::from(ColorObj::new(Object::new(), code));
    EnumDef::add("RED", color(0xff0000))?.set_attr("is_warm", true)?;
    EnumDef::add("BLUE", color(0x0000ff))?.set_attr("is_warm", false)?;
    Ok(())
}

fn norm1(point: Point) -> Result<i64> {
    Ok(point.x.get().abs() + point.y.get().abs())
}

tvm_ffi_dll_export_typed_func!(norm1, norm1);

static_init_block! {
    if std::env::var_os("RUST_CLASSES_FAIL").is_some() {
        bail!(VALUE_ERROR, "the library was asked to fail");
    }
    Point3Obj::type_index();
    define_colors()?;
    // Fails if the name is already registered, for example if the block runs twice.
    Function::register_global_typed("rust_classes.norm1", norm1, "Return the sum of the sizes.")
}
