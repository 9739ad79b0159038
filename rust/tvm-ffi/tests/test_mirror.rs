// SPDX-License-Identifier: Apache-2.0
//! Structs for classes that another library registers.

use tvm_ffi::derive::{Object, ObjectRef};
use tvm_ffi::object::{ObjectRef, ObjectRefCore};
use tvm_ffi::{
    def_object_ref, rs_class, Any, AnyView, Array, Map, Object, ObjectArc, Optional, String,
    Writable, TYPE_ERROR,
};

#[rs_class("rust.mirror.Base")]
pub struct BaseObj {
    base: Object,
    #[reflect]
    number: i64,
}
def_object_ref!(pub Base, ObjectRef, BaseObj);

#[rs_class("rust.mirror.Item")]
pub struct ItemObj {
    base: BaseObj,
    #[reflect]
    text: String,
    #[reflect]
    list: Array<i64>,
    #[reflect]
    map: Map<String, i64>,
    #[reflect]
    next: Option<Item>,
    #[reflect]
    maybe: Optional<i64>,
}
def_object_ref!(pub Item, Base, ItemObj);

fn item() -> Any {
    let map: Map<String, i64> = [(String::from("one"), 1)].into_iter().collect();
    let list: Array<i64> = [1, 2].into_iter().collect();
    let base = BaseObj::new(Object::new(), 7);
    Any::from(Item::from(ItemObj::new(
        base,
        "text",
        list,
        map,
        None,
        Optional::none(),
    )))
}

/// Define a struct for a class, and references to it.
macro_rules! mirror {
    ($name:ident, $struct:ident, $key:literal, { $($field:ident: $type:ty),* $(,)? }) => {
        #[repr(C)]
        #[derive(Object)]
        #[type_key = $key]
        pub struct $struct {
            $($field: $type),*
        }
        #[repr(C)]
        #[derive(ObjectRef, Clone)]
        pub struct $name {
            data: ObjectArc<$struct>,
        }
    };
}

mirror!(Whole, WholeObj, "rust.mirror.Item", {
    base: BaseObj, text: String, list: Array<i64>, map: Map<String, i64>, next: Option<Whole>,
    maybe: Optional<i64>,
});
mirror!(Renamed, RenamedObj, "rust.mirror.Item", {
    base: BaseObj, title: String, numbers: Array<Any>, names: ObjectRef,
});
mirror!(Empty, EmptyObj, "rust.mirror.Item", { base: BaseObj });
mirror!(MirroredBase, MirroredBaseObj, "rust.mirror.Base", { base: Object, number: i64 });
mirror!(OnMirror, OnMirrorObj, "rust.mirror.Item", { base: MirroredBaseObj, text: String });

// spec: RUST-R40
#[test]
fn a_struct_that_fits_reads_the_fields() {
    let item = item();
    let whole = Whole::try_from(item.clone()).unwrap();
    assert_eq!(whole.data.base.number, 7);
    assert_eq!(
        (whole.data.text.as_str(), whole.data.list.len()),
        ("text", 2)
    );
    assert_eq!((whole.data.map.len(), whole.data.next.is_none()), (1, true));
    assert!(whole.data.maybe.is_none());
    let renamed = Renamed::try_from(item.clone()).unwrap();
    assert_eq!(
        (renamed.data.title.as_str(), renamed.data.numbers.len()),
        ("text", 2)
    );
    assert!(renamed.data.names.as_node::<Object>().is_some());
    assert_eq!(Empty::try_from(item.clone()).unwrap().data.base.number, 7);
    let on_mirror = OnMirror::try_from(item).unwrap();
    assert_eq!(
        (on_mirror.data.base.number, on_mirror.data.text.as_str()),
        (7, "text")
    );
}

mirror!(Swapped, SwappedObj, "rust.mirror.Item", {
    base: BaseObj, list: Array<i64>, text: String,
});
mirror!(InFront, InFrontObj, "rust.mirror.Item", {
    base: BaseObj, flags: i64, text: String, list: Array<i64>,
});
mirror!(OtherClass, OtherClassObj, "rust.mirror.Item", {
    base: BaseObj, text: String, list: Map<String, i64>,
});
mirror!(Narrow, NarrowObj, "rust.mirror.Base", { base: Object, number: i32 });
mirror!(NotOptional, NotOptionalObj, "rust.mirror.Item", {
    base: BaseObj, text: String, list: Array<i64>, map: Map<String, i64>, next: Whole,
});
mirror!(RustOption, RustOptionObj, "rust.mirror.Item", {
    base: BaseObj, text: String, list: Array<i64>, map: Map<String, i64>, next: Option<Whole>,
    maybe: Option<i64>,
});
mirror!(NoParent, NoParentObj, "rust.mirror.Item", { base: Object, number: i64, text: String });
mirror!(Long, LongObj, "rust.mirror.Base", { base: Object, number: i64, more: i64 });
mirror!(WrongBase, WrongBaseObj, "rust.mirror.Base", { base: Object, number: f64 });
mirror!(OnWrongBase, OnWrongBaseObj, "rust.mirror.Item", { base: WrongBaseObj, text: String });
mirror!(ThroughField, ThroughFieldObj, "rust.mirror.Item", {
    base: BaseObj, text: String, list: Array<i64>, map: Map<String, i64>, next: Option<Swapped>,
});
mirror!(There, ThereObj, "rust.mirror.Item", {
    base: BaseObj, text: String, list: Array<i64>, map: Map<String, i64>, next: Option<AndBack>,
});
mirror!(AndBack, AndBackObj, "rust.mirror.Item", {
    base: BaseObj, text: String, list: Array<i64>, map: Map<i64, i64>, next: Option<There>,
    maybe: i64,
});

/// Return the error for a struct that does not fit.
fn refusal<R>(value: &Any) -> std::string::String
where
    R: for<'a> TryFrom<AnyView<'a>, Error = tvm_ffi::Error>,
{
    let error = R::try_from(AnyView::from(value))
        .err()
        .expect("the struct is refused");
    assert_eq!(error.kind(), TYPE_ERROR);
    error.message().to_string()
}

// spec: RUST-R40
#[test]
fn a_struct_that_does_not_fit_is_an_error_and_reads_nothing() {
    let item = item();
    let base = Any::from(Base::from(BaseObj::new(Object::new(), 7)));
    let cases = [
        (
            refusal::<Swapped>(&item),
            "`list` is 8 bytes at offset 32, `list` is 8 bytes at offset 48",
        ),
        (
            refusal::<InFront>(&item),
            "`flags` is 8 bytes at offset 32, `text` is 16 bytes",
        ),
        (
            refusal::<OtherClass>(&item),
            "the field `list` has the type",
        ),
        (
            refusal::<Narrow>(&base),
            "`number` is 4 bytes at offset 24, `number` is 8 bytes",
        ),
        (
            refusal::<NotOptional>(&item),
            "the field `next` has the type",
        ),
        (
            refusal::<RustOption>(&item),
            "the field `maybe` needs `Optional` instead of `Option`",
        ),
        (
            refusal::<NoParent>(&item),
            "its parent is `rust.mirror.Base`, not `ffi.Object`",
        ),
        (
            refusal::<Long>(&base),
            "the objects have 32 bytes, the struct has 40",
        ),
        (
            refusal::<WrongBase>(&item),
            "the field `number` has the type",
        ),
        (
            refusal::<OnWrongBase>(&item),
            "class `rust.mirror.Base` of the loaded library",
        ),
        (
            refusal::<ThroughField>(&item),
            "`list` is 8 bytes at offset 32",
        ),
        (refusal::<There>(&item), "the field `maybe`"),
        (refusal::<AndBack>(&item), "the field `maybe`"),
    ];
    for (message, part) in cases {
        assert!(
            message.contains(part),
            "{message}\n does not contain: {part}"
        );
    }
}

// spec: RUST-R40
#[test]
fn the_error_shows_both_layouts() {
    let base = Any::from(Base::from(BaseObj::new(Object::new(), 7)));
    assert_eq!(
        refusal::<Narrow>(&base),
        "the struct of this crate does not fit the class `rust.mirror.Base` of the loaded library: \
         the field `number` is 4 bytes at offset 24, `number` is 8 bytes at offset 24. The struct is \
         {number: int at 24}, 32 bytes; the class is {number: int at 24}, 32 bytes. Build this crate against the loaded library; run tvm-ffi-stubgen again if it \
         wrote the struct"
    );
    let error = Narrow::try_from(Any::from(1)).err().unwrap();
    assert_eq!(
        error.message(),
        "Cannot convert from type `int` to `rust.mirror.Base`"
    );
}

// spec: RUST-R40
#[test]
fn a_reference_does_not_become_a_struct_that_does_not_fit() {
    let base: ObjectRef = Base::from(BaseObj::new(Object::new(), 7)).into();
    assert!(base
        .as_node::<MirroredBaseObj>()
        .is_some_and(|base| base.number == 7));
    assert!(base.as_node::<NarrowObj>().is_none());
    let item: ObjectRef = item().try_into().unwrap();
    assert!(item.as_node::<WrongBaseObj>().is_none() && item.as_node::<SwappedObj>().is_none());
}

mirror!(Shape, ShapeObj, "ffi.Shape", { base: Object, text: String });

/// Programs for earlier crates use the key of a foreign class for their own struct.
#[cfg(feature = "compat")]
// spec: RUST-R40
#[test]
fn objects_that_this_crate_creates_are_read_with_any_struct() {
    let base = Object::new();
    let own = Narrow {
        data: ObjectArc::new(NarrowObj { base, number: 3 }),
    };
    let any = Any::from(own);
    assert_eq!(Narrow::try_from(any.clone()).unwrap().data.number, 3);
    let reference: ObjectRef = any.try_into().unwrap();
    assert_eq!(reference.as_node::<NarrowObj>().unwrap().number, 3);
}

#[cfg(not(feature = "compat"))]
// spec: RUST-R40
#[test]
fn only_a_struct_that_is_complete_creates_objects() {
    let created = |create: fn()| {
        let panic = std::panic::catch_unwind(create).err();
        panic.and_then(|panic| panic.downcast_ref::<std::string::String>().cloned())
    };
    let text = created(|| {
        let base = Object::new();
        drop(ObjectArc::new(NarrowObj { base, number: 3 }));
    });
    assert!(text.unwrap().contains("`number` is 4 bytes at offset 24"));
    let text = created(|| {
        let base = BaseObj::new(Object::new(), 1);
        drop(ObjectArc::new(EmptyObj { base }));
    });
    assert!(text
        .unwrap()
        .contains("cannot create objects of the class `rust.mirror.Item`"));
    let base = Object::new();
    assert_eq!(
        ObjectArc::new(MirroredBaseObj { base, number: 3 }).number,
        3
    );
}

#[cfg(not(feature = "compat"))]
// spec: RUST-R40
#[test]
fn a_field_that_the_class_does_not_register_is_refused() {
    let shape = Any::from(tvm_ffi::Shape::from([1_i64, 2]));
    let message = refusal::<Shape>(&shape);
    assert!(
        message.contains("does not register the field `text` at offset 24"),
        "{message}"
    );
}

#[rs_class("rust.mirror.Assigned")]
pub struct AssignedObj {
    base: Object,
    #[reflect(writable)]
    text: Writable<String>,
    number: Writable<i64>,
    fixed: i64,
}
def_object_ref!(pub Assigned, ObjectRef, AssignedObj);

fn assigned() -> Any {
    let object = AssignedObj::new(Object::new(), "text", 1, 2);
    Any::from(Assigned::from(object))
}

mirror!(Same, SameObj, "rust.mirror.Assigned", {
    base: Object, text: Writable<String>, number: Writable<i64>, fixed: i64,
});

#[test]
fn a_writable_field_is_mirrored_by_a_writable_field() {
    let object = Same::try_from(assigned()).unwrap();
    object.data.text.set(String::from("other"));
    assert_eq!(object.data.text.get().as_str(), "other");
    assert_eq!((object.data.number.get(), object.data.fixed), (1, 2));
}

#[cfg(not(feature = "compat"))]
mod assigned {
    use super::*;

    mirror!(Plain, PlainObj, "rust.mirror.Assigned", { base: Object, text: String });
    mirror!(AnyValue, AnyValueObj, "rust.mirror.Assigned", { base: Object, text: Writable<Any> });
    mirror!(OfRust, OfRustObj, "rust.mirror.Assigned", {
        base: Object, text: Writable<String>, number: i64,
    });
    mirror!(Fixed, FixedObj, "rust.mirror.Assigned", {
        base: Object, text: Writable<String>, number: Writable<i64>, fixed: Writable<i64>,
    });

    // spec: RUST-R40
    #[test]
    fn a_field_that_other_code_assigns_is_not_borrowed_and_keeps_its_type() {
        let object = assigned();
        let is_assigned = "`text` must be a `Writable`, because other code may assign `text`";
        assert!(refusal::<Plain>(&object).contains(is_assigned));
        let is_assigned = "`number` must be a `Writable`, because other code may assign `number`";
        assert!(refusal::<OfRust>(&object).contains(is_assigned));
        let is_fixed = "`fixed` must not be a `Writable`, because `fixed` is not assigned";
        assert!(refusal::<Fixed>(&object).contains(is_fixed));
        let other_type = "the field `text` has the type Any, `text` has the type ffi.String";
        assert!(refusal::<AnyValue>(&object).contains(other_type));
    }
}
