// SPDX-License-Identifier: Apache-2.0
//! Fields that other code assigns while Rust code uses the object.

use std::thread;

use tvm_ffi::extra::structural::{repr, structural_hash};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{get_type_attr, set_type_attr};
use tvm_ffi::tvm_ffi_sys::{TVMFFIFieldSetter, TVMFFIGetTypeInfo};
use tvm_ffi::{
    def_object_ref, rs_class, Any, AnyView, Object, ObjectCore, ShallowCopy, Shape, String,
    Writable,
};

#[rs_class("rust.test.writable.Cells", s_eq_hash_kind = "TreeNode", final)]
pub struct CellsObj {
    base: Object,
    #[reflect(writable, default = "no text")]
    text: Writable<String>,
    #[reflect(writable)]
    any: Writable<Any>,
    #[reflect(writable)]
    shape: Writable<Option<Shape>>,
    number: Writable<u8>,
}

def_object_ref!(pub Cells, ObjectRef, CellsObj);

fn cells() -> Cells {
    let shape = Shape::from(vec![1, 2]);
    CellsObj::new(
        Object::new(),
        "a text that is not small",
        text(0),
        Some(shape),
        1,
    )
    .into()
}

/// A value with a reference count.
fn text(i: i64) -> Any {
    Any::from(String::from(format!("the text of number {i}")))
}

/// Call the setter of a field, as other languages do.
fn assign(object: &Cells, name: &str, value: impl Into<Any>) {
    let index = CellsObj::type_index();
    // SAFETY: the type is registered; its fields are in the array.
    let fields = unsafe {
        let info = &*TVMFFIGetTypeInfo(index);
        std::slice::from_raw_parts(info.fields, info.num_fields as usize)
    };
    let field = fields.iter().find(|f| f.name.as_str() == name).unwrap();
    let address = (&**object as *const CellsObj).cast::<u8>();
    let value = value.into();
    // SAFETY: the field has a setter with this signature.
    let status = unsafe {
        let setter: TVMFFIFieldSetter = std::mem::transmute(field.setter);
        let address = address.add(field.offset as usize).cast_mut();
        setter(address.cast(), AnyView::from(&value).as_raw_ffi_any())
    };
    assert_eq!(status, 0);
}

#[test]
fn a_value_stays_while_other_code_assigns_its_field() {
    let object = cells();
    let (text, shape) = (object.text.get(), object.shape.get().unwrap());
    assign(&object, "text", String::from("another text, not small"));
    assign(&object, "shape", Any::new());
    assert_eq!(text.as_str(), "a text that is not small");
    assert_eq!(shape.as_slice(), [1, 2]);
    assert_eq!(object.text.get().as_str(), "another text, not small");
    assert!(object.shape.get().is_none());
    object.number.set(object.number.get() + 1);
    assert_eq!(object.number.replace(7), 2);
}

// spec: RUST-R40
#[test]
fn threads_assign_and_read_the_fields_of_an_object() {
    let (index, name) = (CellsObj::type_index(), "rust.test.writable.cells");
    set_type_attr(index, name, &Any::from(cells())).unwrap();
    let step = |thread, i| {
        let object = Cells::try_from(get_type_attr(index, name).unwrap()).unwrap();
        let is_text = |value: &str| assert!(value.contains("text"), "{value}");
        match (thread + i) % 8 {
            0 => object
                .text
                .set(String::from(format!("the text number {i}"))),
            1 => assign(
                &object,
                "text",
                String::from(format!("text number {i} of Python")),
            ),
            2 => is_text(&object.text.get()),
            3 => object.any.set(text(i)),
            4 => object
                .shape
                .set((i % 2 == 0).then(|| Shape::from(vec![i, i]))),
            5 => is_text(&repr(&object).unwrap()),
            6 => {
                structural_hash(&object).unwrap();
            }
            _ => {
                let copy = object.shallow_copy();
                is_text(&copy.any.get().try_as::<String>().unwrap());
                assert!(copy.shape.get().is_none_or(|shape| shape.len() == 2));
            }
        }
    };
    thread::scope(|scope| {
        for thread in 0..4 {
            let step = &step;
            scope.spawn(move || (0..10_000).for_each(|i| step(thread, i)));
        }
    });
}

/// The members that earlier crates accept.
#[cfg(feature = "compat")]
#[test]
fn earlier_members_of_objects_compile_with_compat() {
    #[repr(C)]
    #[derive(tvm_ffi::derive::Object)]
    #[type_key = "rust.test.writable.Earlier"]
    #[type_register]
    struct EarlierObj {
        base: Object,
        #[reflect(writable)]
        number: i64,
        calls: std::cell::Cell<i64>,
    }
    let object = tvm_ffi::ObjectArc::new(EarlierObj {
        base: Object::new(),
        number: 3,
        calls: 0.into(),
    });
    let number = tvm_ffi::FieldGetter::new(EarlierObj::type_index(), "number").unwrap();
    assert_eq!(number.get::<_, i64>(&*object).unwrap(), object.number);
    object.calls.set(1);
}
