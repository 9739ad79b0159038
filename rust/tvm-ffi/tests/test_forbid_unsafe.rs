// SPDX-License-Identifier: Apache-2.0
//! The macros of the crate, in a crate that forbids unsafe code.
#![forbid(unsafe_code)]

use tvm_ffi::derive::{Object as DeriveObject, ObjectRef as DeriveRef};
use tvm_ffi::extra::structural_visit::{structural_walk, StructuralView, WalkOrder, WalkResult};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::*;

#[rs_class("rust.forbid.Shape", s_eq_hash_kind = "TreeNode", child_slots = 2)]
pub struct ShapeObj {
    base: Object,
    #[reflect(kw_only, default = "", seq_hash_ignore)]
    label: String,
    #[reflect(default_factory = Array::<i64>::default)]
    items: Array<i64>,
}

#[rs_class("rust.forbid.Circle", final, reflection = circle_methods)]
pub struct CircleObj {
    base: ShapeObj,
    #[reflect(writable)]
    radius: Writable<f64>,
    next: Option<ShapeRef>,
}

def_object_ref!(pub ShapeRef, ObjectRef, ShapeObj);
def_object_ref!(pub CircleRef, ShapeRef, CircleObj);

fn circle_methods(def: &mut ObjectDef<CircleObj>) {
    def.def("area", area, "").arg_names("pi");
}

fn area(this: CircleRef, pi: i64) -> Result<f64> {
    Ok(pi as f64 * this.radius.get() * this.radius.get())
}

fn circle(radius: f64) -> Result<CircleRef> {
    ensure!(radius >= 0.0, VALUE_ERROR, "negative");
    let base = ShapeObj::new(Object::new(), "c", Array::new(vec![1]));
    Ok(CircleObj::new(base, radius, None).into())
}

tvm_ffi_dll_export_typed_func!(
    forbid_circle,
    circle,
    arg_names("radius"),
    arg_defaults("[1.0]")
);
tvm_ffi_dll_export_typed_func_doc!(forbid_circle, "Return a circle.");

#[repr(C)]
#[derive(DeriveObject)]
#[type_key = "rust.forbid.Plain"]
#[type_register]
#[type_s_eq_hash_kind = "TreeNode"]
struct PlainObj {
    base: Object,
    #[reflect(writable, doc = "A number.")]
    value: Writable<i64>,
    #[reflect]
    text: String,
}

#[repr(C)]
#[derive(DeriveObject)]
#[type_key = "ffi.reflection.AccessStep"]
#[type_final]
struct StepObj {
    base: Object,
    kind: i32,
    key: Any,
}

#[derive(DeriveRef, Clone)]
struct Plain(ObjectArc<PlainObj>);

#[derive(DeriveRef, Clone)]
struct Step(ObjectArc<StepObj>);

impl_object_upcast!(Plain => ObjectRef, CircleRef => ObjectRef);

static_init_block! {
    GlobalDef::new().def("rust.forbid.area", area, "").arg_names("this, pi").register()
}

struct Radii(Vec<f64>);

#[dispatch(walk)]
impl Radii {
    fn walk_circle(&mut self, circle: &CircleObj) -> WalkResult {
        self.0.push(circle.radius.get());
        WalkResult::Advance
    }
    fn walk_other(&mut self, _value: &StructuralView) -> WalkResult {
        WalkResult::Advance
    }
}

#[test]
fn every_macro_works_in_a_crate_that_forbids_unsafe_code() {
    tvm_ffi::static_init::run_static_init_blocks().unwrap();
    let circle = attach_context!(circle(2.0)).unwrap();
    let by_name = cached_global_func!("rust.forbid.area");
    let by_name = into_typed_fn!(by_name, Fn(&CircleRef, i64) -> Result<f64>);
    assert_eq!(by_name(&circle, 3).unwrap(), 12.0);
    let area: Result<f64> = call_method!(CircleObj, "area", &circle, &3);
    assert_eq!(area.unwrap(), 12.0);

    let matched = match_any! { circle.clone() {
        Plain(plain) => plain.0.value.get() as f64,
        CircleRef(circle) => circle.radius.get(),
        _ => 0.0,
    } };
    assert_eq!(matched, 2.0);
    let mut radii = Radii(Vec::new());
    structural_walk(&circle, &mut radii, WalkOrder::PreOrder).unwrap();
    assert_eq!(
        (radii.0, circle.items.len(), circle.next.is_none()),
        (vec![2.0], 1, true)
    );

    let base = Object::new();
    let plain = Plain(ObjectArc::new(PlainObj {
        base,
        value: 7.into(),
        text: "t".into(),
    }));
    let root = ObjectRef::from(&plain);
    assert_eq!(
        root.as_node::<PlainObj>().map(|plain| plain.value.get()),
        Some(7)
    );
    let step = Step::try_from(Any::from(reflection::AccessStep::array_item(3))).unwrap();
    assert_eq!((step.0.kind, step.0.key.try_as::<i64>()), (1, Some(3)));
    let _ = (&plain.0.text, function_name!());
}
