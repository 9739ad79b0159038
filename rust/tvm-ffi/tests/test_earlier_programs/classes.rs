// SPDX-License-Identifier: Apache-2.0
//! Classes and references to them.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::tvm_ffi_sys::TVMFFIAny;
use tvm_ffi::{def_object_ref, derive, get_type_attr, rs_class};
use tvm_ffi::{Any, AnyCompatible, Error, FieldGetter, Function, Object, ObjectArc, ObjectCore};
use tvm_ffi::{ObjectDef, ObjectRefCore, Result};

#[rs_class("rust.earlier.Base")]
pub struct BaseObj {
    base: Object,
    data: i64,
}
def_object_ref!(pub Base, ObjectRef, BaseObj);

#[rs_class("rust.earlier.Child")]
pub struct ChildObj {
    base: BaseObj,
    next: Base,
}
def_object_ref!(pub Child, Base, ChildObj);

fn child() -> Child {
    let base: Base = BaseObj::new(Object::new(), 1).into();
    // The parameter `next` accepts a reference to a `Base`.
    ChildObj::new(BaseObj::new(Object::new(), 2), &base).into()
}

fn data_of(base: &BaseObj) -> i64 {
    base.data
}

// spec: RUST-R45
#[test]
#[allow(clippy::explicit_auto_deref)] // programs spell the deref out
fn a_reference_gives_its_object_and_the_object_of_the_parent() {
    let child = child();
    assert_eq!(data_of(&*child.base), 2);
    assert_eq!((child.data, child.next.data), (2, 1));
}

#[repr(C)]
#[derive(derive::Object)]
#[type_key = "rust.earlier.Plain"]
#[type_register]
struct PlainObj {
    base: Object,
}

#[repr(C)]
#[derive(derive::ObjectRef, Clone)]
struct Plain {
    arc: ObjectArc<PlainObj>,
}

// spec: RUST-R45
#[test]
fn a_reference_converts_from_a_borrowed_one() {
    let arc = ObjectArc::new(PlainObj {
        base: Object::new(),
    });
    let plain = Plain { arc };
    assert!(Plain::from(&plain).same_as(&plain));
    let root = ObjectRef::from(&child().next);
    assert!(ObjectRef::from(&root).same_as(&root));
}

// spec: RUST-R45
#[test]
fn a_cast_of_a_view_accepts_an_object_of_a_derived_class() {
    let child = child();
    let mut view = TVMFFIAny::new();
    // SAFETY: `child` outlives the view.
    let base = unsafe {
        Child::copy_to_any_view(&child, &mut view);
        Base::try_cast_from_any_view(&view).unwrap()
    };
    assert!(base.same_as(&child) && base.as_node::<ChildObj>().is_some());
}

fn read<T: TryFrom<Any, Error = Error>>(object: &BaseObj, field: &str) -> Result<T> {
    FieldGetter::new(BaseObj::type_index(), field)?.get(object)
}

// spec: RUST-R45
#[test]
fn a_generic_function_reads_fields() -> Result<()> {
    assert_eq!(read::<i64>(&child().next, "data")?, 1);
    Ok(())
}

#[rs_class("rust.earlier.OwnInit", reflection = own_init)]
pub struct OwnInitObj {
    base: Object,
    value: i64,
}
def_object_ref!(pub OwnInit, ObjectRef, OwnInitObj);

fn own_init(def: &mut ObjectDef<OwnInitObj>) {
    let double = |value: i64| Ok(OwnInit::from(OwnInitObj::new(Object::new(), 2 * value)));
    def.def_static("__ffi_init__", double, "");
}

// spec: RUST-R45
#[test]
fn a_class_with_its_own_constructor_gets_no_other() -> Result<()> {
    let index = OwnInitObj::type_index();
    assert!(get_type_attr(index, "__ffi_init__").is_none());
    assert!(get_type_attr(index, "__ffi_new__").is_some());
    let init = Function::from_type_method(index, "__ffi_init__")?;
    let made: OwnInit = init.call_tuple((4i64,))?.try_into()?;
    assert_eq!(made.value, 8);
    Ok(())
}
