// SPDX-License-Identifier: Apache-2.0
//! Tests of classes that are defined with `rs_class`.

use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    def_object_ref, get_type_attr, rs_class, Any, AnyView, Function, Object, ObjectArc, ObjectCore,
    ObjectDef, ObjectRefCore, Result, ShallowCopy, String, UnsafeInit, Writable, TYPE_ERROR,
    VALUE_ERROR,
};

/// A point with a label.
#[rs_class("rust_class.Point", s_eq_hash_kind = "TreeNode", child_slots = 4, reflection = point_methods)]
pub struct PointObj {
    base: Object,
    /// The first coordinate.
    x: i64,
    #[reflect(writable, doc = "The second coordinate.", default = 5)]
    y: Writable<i64>,
    #[reflect(kw_only, default = "no label", name = "label")]
    text: String,
    #[reflect(kw_only, default_factory = || None, compare_off, hash_off, seq_hash_ignore)]
    parent: Option<Point>,
}

def_object_ref!(
    /// A reference to a point.
    #[derive(Debug)]
    pub Point,
    ObjectRef,
    PointObj
);

fn point_methods(def: &mut ObjectDef<PointObj>) {
    def.def(
        "scaled",
        |this: Point, factor: i64, offset: i64| Ok(this.x * factor + offset),
        "Return a multiple of x.",
    )
    .arg_names("factor,offset")
    .arg_defaults("[0]")
    .def_static("origin", || Ok(point(0, 0)), "Return the origin.")
    .type_attr("rust_class.tag", 42_i64);
}

fn point(x: i64, y: i64) -> Point {
    PointObj::new(Object::new(), x, y, "p", None).into()
}

#[rs_class("rust_class.Point3", final)]
pub struct Point3Obj {
    base: PointObj,
    z: f64,
}

def_object_ref!(pub Point3, Point, Point3Obj);

fn global(name: &str) -> Function {
    Function::get_global(name).unwrap()
}

fn construct(class: i32, args: &[AnyView<'_>]) -> Result<Any> {
    Function::from_type_attr(class, "__ffi_init__")?.call_packed(args)
}

// spec: RUST-R31
#[test]
fn constructor_deref_and_upcast() {
    let base = PointObj::new(Object::new(), 1, 2, "a", None);
    let deep: Point3 = Point3Obj::new(base, 0.5).into();
    assert_eq!((deep.x, deep.y.get(), deep.z), (1, 2, 0.5));
    assert_eq!(deep.text.as_str(), "a");
    let upcast: Point = deep.clone().into();
    assert!(upcast.same_as(&deep));
    let root: ObjectRef = Point::from(&deep).into();
    assert!(root.as_node::<Point3Obj>().is_some());
    assert_eq!(ObjectArc::strong_count(Point3::data(&deep)), 3);
    assert_eq!(AnyView::from(&deep).type_index(), Point3Obj::type_index());
}

// spec: RUST-R31
#[test]
fn metadata_of_the_class() {
    let index = Point3Obj::type_index();
    // SAFETY: type information lives as long as the process.
    let info = unsafe { &*tvm_ffi::tvm_ffi_sys::TVMFFIGetTypeInfo(PointObj::type_index()) };
    // SAFETY: the metadata lives as long as the process.
    let metadata = unsafe { &*info.metadata };
    assert_eq!(
        metadata.total_size as usize,
        std::mem::size_of::<PointObj>()
    );
    assert_eq!(metadata.structural_eq_hash_kind, 1);
    assert_eq!(metadata.doc.as_str(), "A point with a label.");
    assert!(metadata.creator.is_some());
    // SAFETY: the array has this number of entries.
    let fields = unsafe { std::slice::from_raw_parts(info.fields, info.num_fields as usize) };
    let names: Vec<_> = fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["x", "y", "label", "parent"]);
    assert_eq!(fields[0].doc.as_str(), "The first coordinate.");
    assert_eq!(fields[1].doc.as_str(), "The second coordinate.");
    assert_eq!(fields[0].offset, 24);
    assert_eq!(
        fields[2].metadata.as_str(),
        r#"{"type_schema":"{\"type\":\"ffi.String\"}"}"#
    );
    assert_eq!(
        fields[3].metadata.as_str(),
        r#"{"type_schema":"{\"type\":\"Optional\",\"args\":[{\"type\":\"rust_class.Point\"}]}"}"#
    );
    assert_eq!((fields[0].flags, fields[1].flags), (0, 1 | 2));
    // A class that does not give a kind has the kind of its nearest ancestor.
    // SAFETY: the entry and its metadata live as long as the process.
    let derived = unsafe { &*(*tvm_ffi::tvm_ffi_sys::TVMFFIGetTypeInfo(index)).metadata };
    assert_eq!(derived.structural_eq_hash_kind, 1);
}

// spec: RUST-R31
#[test]
fn automatic_constructor_takes_parent_fields_first() {
    // As in Python, parameters with a default follow parameters without a default.
    let index = Point3Obj::type_index();
    let made = construct(
        index,
        &[
            AnyView::from(&1_i64),
            AnyView::from(&3.5),
            AnyView::from(&2_i64),
        ],
    );
    let made: Point3 = made.unwrap().try_into().unwrap();
    assert_eq!((made.x, made.y.get(), made.z), (1, 2, 3.5));
    assert_eq!(made.text.as_str(), "no label");
    assert!(made.parent.is_none());

    let error = construct(index, &[AnyView::from(&1_i64)]).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert!(
        error.message().contains("missing required argument: 'z'"),
        "{}",
        error.message()
    );
    let text = String::from("one");
    let error = construct(PointObj::type_index(), &[AnyView::from(&text)]).unwrap_err();
    assert!(error.message().contains("'x'"), "{}", error.message());
}

// spec: RUST-R31
#[test]
fn missing_argument_names_the_field() {
    #[rs_class("rust_class.Tagged")]
    struct TaggedObj {
        base: Object,
        tag: String,
    }
    let error = construct(TaggedObj::type_index(), &[]).unwrap_err();
    assert!(
        error
            .message()
            .ends_with("missing required argument: 'tag'"),
        "{}",
        error.message()
    );
    let _ = TaggedObj::new(Object::new(), "x").tag;
}

// spec: RUST-R31
#[test]
fn methods_and_attributes_are_registered() {
    let index = PointObj::type_index();
    let scaled = Function::from_type_method(Point3Obj::type_index(), "scaled").unwrap();
    let result = scaled.call_tuple((point(3, 0), 2_i64, 1_i64)).unwrap();
    assert_eq!(i64::try_from(result).unwrap(), 7);
    let origin = Function::from_type_method(index, "origin").unwrap();
    let origin: Point = origin.call_tuple(()).unwrap().try_into().unwrap();
    assert_eq!((origin.x, origin.y.get()), (0, 0));
    let other = Point3Obj::type_index();
    assert!(
        get_type_attr(other, "rust_class.tag").is_none(),
        "not inherited"
    );
    tvm_ffi::reflection::set_type_attr(other, "rust_class.tag", &Any::from(43_i64)).unwrap();
    assert_eq!(
        get_type_attr(other, "rust_class.tag")
            .unwrap()
            .try_as::<i64>(),
        Some(43)
    );
    assert!(tvm_ffi::reflection::set_type_attr(1 << 29, "rust_class.tag", &Any::new()).is_err());
    assert_eq!(
        get_type_attr(index, "rust_class.tag")
            .unwrap()
            .try_as::<i64>(),
        Some(42)
    );
    // SAFETY: type information lives as long as the process.
    let info = unsafe { &*tvm_ffi::tvm_ffi_sys::TVMFFIGetTypeInfo(index) };
    // SAFETY: the array has this number of entries.
    let methods = unsafe { std::slice::from_raw_parts(info.methods, info.num_methods as usize) };
    let scaled = methods
        .iter()
        .find(|m| m.name.as_str() == "scaled")
        .unwrap();
    assert_eq!(scaled.doc.as_str(), "Return a multiple of x.");
    assert!(scaled
        .metadata
        .as_str()
        .ends_with(r#","arg_names":"factor,offset","arg_defaults":"[0]"}"#));
}

// spec: RUST-R30
#[test]
fn equality_hash_repr_copy_and_json() {
    let (a, b, c) = (point(1, 2), point(1, 2), point(1, 3));
    let equal = |name: &str, other: &Point| {
        bool::try_from(global(name).call_tuple((&a, other)).unwrap()).unwrap()
    };
    assert!(equal("ffi.RecursiveEq", &b) && !equal("ffi.RecursiveEq", &c));
    let structural = |other: &Point| {
        let equal = global("ffi.StructuralEqual");
        bool::try_from(equal.call_tuple((&a, other, false, false)).unwrap()).unwrap()
    };
    assert!(structural(&b) && !structural(&c));
    let hash =
        |p: &Point| i64::try_from(global("ffi.RecursiveHash").call_tuple((p,)).unwrap()).unwrap();
    assert_eq!(hash(&a), hash(&b));
    assert_ne!(hash(&a), hash(&c));

    let text = format!("{a:?}");
    assert!(text.contains("Point"), "{text}");
    let repr = global("ffi.ReprPrint").call_tuple((&a,)).unwrap();
    let repr = String::try_from(repr).unwrap();
    for part in ["rust_class.Point", "x=1", "y=2", "label=\"p\""] {
        assert!(repr.as_str().contains(part), "{}", repr.as_str());
    }

    let child: Point = PointObj::new(Object::new(), 9, 9, "child", Some(a.clone())).into();
    let copy = global("ffi.DeepCopy").call_tuple((&child,)).unwrap();
    let copy: Point = copy.try_into().unwrap();
    assert!(!copy.same_as(&child));
    assert!(!copy.parent.as_ref().unwrap().same_as(&a));
    assert_eq!(copy.parent.as_ref().unwrap().x, 1);

    let json = global("ffi.ToJSONGraphString")
        .call_tuple((&child, ()))
        .unwrap();
    let json = String::try_from(json).unwrap();
    let back = global("ffi.FromJSONGraphString")
        .call_tuple((&json,))
        .unwrap();
    let back: Point = back.try_into().unwrap();
    assert_eq!((back.x, back.text.as_str()), (9, "child"));
    assert_eq!(back.parent.as_ref().unwrap().text.as_str(), "p");
}

#[test]
fn setters_convert_and_drop_the_former_value() {
    let holder = construct(PointObj::type_index(), &[AnyView::from(&true)]).unwrap();
    let holder: Point = holder.try_into().unwrap();
    assert_eq!(holder.x, 1, "a boolean converts to an integer");
    let set = |name: &str, value: &Any| {
        // SAFETY: type information lives as long as the process.
        let info = unsafe { &*tvm_ffi::tvm_ffi_sys::TVMFFIGetTypeInfo(PointObj::type_index()) };
        // SAFETY: the array has this number of entries.
        let fields = unsafe { std::slice::from_raw_parts(info.fields, info.num_fields as usize) };
        let field = fields.iter().find(|f| f.name.as_str() == name).unwrap();
        // SAFETY: the field has a setter with this signature, and nothing else uses the object.
        unsafe {
            let setter: tvm_ffi::tvm_ffi_sys::TVMFFIFieldSetter = std::mem::transmute(field.setter);
            let object = ObjectArc::as_raw(Point::data(&holder))
                .cast::<u8>()
                .cast_mut();
            let address = object.add(field.offset as usize).cast();
            setter(address, AnyView::from(value).as_raw_ffi_any())
        }
    };
    let former = point(7, 7);
    assert_eq!(set("parent", &Any::from(former.clone())), 0);
    assert_eq!(ObjectArc::strong_count(Point::data(&former)), 2);
    assert_eq!(set("parent", &Any::new()), 0);
    assert_eq!(ObjectArc::strong_count(Point::data(&former)), 1);
    assert_eq!(set("label", &Any::from(1_i64)), -1);
    let error = tvm_ffi::Error::from_raised();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(holder.text.as_str(), "no label", "the field is unchanged");
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

#[rs_class("rust_class.Noisy")]
struct NoisyObj {
    base: Object,
    name: String,
    other: Point,
}

impl Drop for NoisyObj {
    fn drop(&mut self) {
        assert!(self.name.as_str().len() < 100 && self.other.x >= 0);
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

// spec: RUST-R31
#[test]
fn objects_without_values_can_be_dropped_but_not_copied() {
    let index = NoisyObj::type_index();
    let new = Function::from_type_attr(index, "__ffi_new__").unwrap();
    let empty = new.call_tuple(()).unwrap();
    let copy = Function::from_type_attr(index, "__ffi_shallow_copy__").unwrap();
    let error = copy.call_packed(&[AnyView::from(&empty)]).unwrap_err();
    assert_eq!(error.kind(), VALUE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot copy a `rust_class.Noisy`: field `name` is not set"
    );
    let name = tvm_ffi::FieldGetter::new(index, "name").unwrap();
    let reference: ObjectRef = empty.try_into().unwrap();
    let node: &Object = reference.as_node().unwrap();
    assert_eq!(
        name.get_any(node).unwrap().type_index(),
        0,
        "an unset field is None"
    );
    drop(reference);
    assert_eq!(
        DROPPED.load(Ordering::Relaxed),
        0,
        "the destructor needs all fields"
    );

    let target = point(1, 1);
    let name = String::from("a name on the heap");
    let made = construct(index, &[AnyView::from(&name), AnyView::from(&target)]).unwrap();
    assert_eq!(ObjectArc::strong_count(Point::data(&target)), 2);
    drop(made);
    assert_eq!(DROPPED.load(Ordering::Relaxed), 1);
    assert_eq!(ObjectArc::strong_count(Point::data(&target)), 1);
}

#[test]
fn unsafe_init_is_usable_directly() {
    // SAFETY: no code reads the object as a `PointObj`.
    let object = unsafe { tvm_ffi::reflection::unsafe_init::<PointObj>() };
    assert!(object.as_node::<Point3Obj>().is_none());
    let mut value =
        std::mem::ManuallyDrop::new(PointObj::new(Object::new(), 1, 2, "heap string", None));
    // SAFETY: the fields are dropped once.
    unsafe { PointObj::drop_defined_fields(&mut *value) };
}

#[test]
fn shallow_copy_shares_references() {
    let inner = point(1, 1);
    let outer = PointObj::new(Object::new(), 1, 2, "o", Some(inner.clone()));
    let copy = outer.shallow_copy();
    assert!(copy.parent.as_ref().unwrap().same_as(&inner));
    assert_eq!(ObjectArc::strong_count(Point::data(&inner)), 3);
}

// spec: RUST-R31
#[test]
fn init_off_needs_a_value() {
    #[rs_class("rust_class.InitOff")]
    struct InitOffObj {
        base: Object,
        #[reflect(init_off)]
        name: String,
    }
    #[rs_class("rust_class.InitOffZero")]
    struct InitOffZeroObj {
        base: Object,
        #[reflect(init_off)]
        count: i64,
        #[reflect(init_off, default = "some")]
        name: String,
    }
    let panic = std::panic::catch_unwind(InitOffObj::type_index).unwrap_err();
    let text = panic.downcast_ref::<std::string::String>().unwrap();
    assert!(
        text.starts_with("`init_off` field `name` of `rust_class.InitOff` "),
        "{text}"
    );
    let made = construct(InitOffZeroObj::type_index(), &[]).unwrap();
    let made: ObjectRef = made.try_into().unwrap();
    let node: &InitOffZeroObj = made.as_node().unwrap();
    assert_eq!((node.count, node.name.as_str()), (0, "some"));
    drop(InitOffObj::new(Object::new(), "x").name);
    drop(InitOffZeroObj::new(Object::new(), 1, "x"));
}

// spec: RUST-R31
#[test]
fn explicit_constructor_replaces_the_automatic_one() {
    #[rs_class("rust_class.Squared", reflection = squared_methods)]
    struct SquaredObj {
        base: Object,
        value: i64,
    }
    def_object_ref!(Squared, ObjectRef, SquaredObj);
    fn squared_methods(def: &mut ObjectDef<SquaredObj>) {
        let make = |x: i64| Ok(Squared::from(SquaredObj::new(Object::new(), x * x)));
        def.def_static("__ffi_init__", make, "Square a number.")
            .arg_names("x");
    }
    let init = Function::from_type_method(SquaredObj::type_index(), "__ffi_init__").unwrap();
    let made = init.call_tuple((3_i64,)).unwrap();
    assert_eq!(Squared::try_from(made).unwrap().value, 9);
}

/// Register a class with a method `grow(receiver, by)`; return the text of the panic.
macro_rules! fault_of_method {
    ($key:literal, $($options:tt)*) => {{
        #[rs_class($key, reflection = wrong_methods)]
        struct WrongObj {
            base: Object,
            value: i64,
        }
        def_object_ref!(Wrong, ObjectRef, WrongObj);
        fn wrong_methods(def: &mut ObjectDef<WrongObj>) {
            let grow = |this: Wrong, by: i64| Ok(this.value + by);
            def.def("grow", grow, "Add a number.")$($options)*;
        }
        let _ = |value: WrongObj| value.base;
        let panic = std::panic::catch_unwind(WrongObj::type_index).unwrap_err();
        panic.downcast_ref::<std::string::String>().unwrap().clone()
    }};
}

#[test]
fn names_and_defaults_of_methods_must_fit() {
    let text = fault_of_method!("rust_class.WrongNames", .arg_names("x, y"));
    let expected = "arg_names(\"x, y\") of `rust_class.WrongNames.grow`: expected 1 name, ";
    assert!(text.starts_with(expected), "{text}");
    let text = fault_of_method!("rust_class.WrongJson", .arg_names("by").arg_defaults("[1"));
    let expected = "arg_defaults(\"[1\") of `rust_class.WrongJson.grow`: expected the text of a ";
    assert!(text.starts_with(expected), "{text}");
    let text = fault_of_method!("rust_class.WrongCount", .arg_names("by").arg_defaults("[1, 2]"));
    let expected = "arg_defaults(\"[1, 2]\") of `rust_class.WrongCount.grow`: expected at most 1 ";
    assert!(text.starts_with(expected), "{text}");
}

mod renamed {
    pub use tvm_ffi as framework;
}

// spec: RUST-R31
#[test]
fn the_crate_can_be_renamed() {
    #[rs_class("rust_class.Renamed", crate = crate::renamed::framework)]
    struct RenamedObj {
        base: Object,
        value: u8,
    }
    def_object_ref!(
        Renamed,
        crate::renamed::framework::object::ObjectRef,
        RenamedObj,
        crate = crate::renamed::framework
    );
    let renamed = Renamed::from(RenamedObj::new(Object::new(), 200));
    assert_eq!(renamed.value, 200);
    let large = AnyView::from(&300_i64);
    let error = construct(RenamedObj::type_index(), &[large]).unwrap_err();
    assert!(error.message().contains("300"), "{}", error.message());
}

#[repr(C)]
#[derive(tvm_ffi::derive::Object)]
#[type_key = "testing.TestObjectBase"]
struct TestObjectBaseObj {
    base: Object,
    v_i64: Writable<i64>,
    v_f64: f64,
    v_str: Writable<String>,
}

// SAFETY: each field that is defined is dropped once.
unsafe impl UnsafeInit for TestObjectBaseObj {
    unsafe fn drop_defined_fields(this: *mut Self) {
        // SAFETY: the caller meets the conditions of this function.
        unsafe {
            Object::drop_defined_fields(std::ptr::addr_of_mut!((*this).base));
            tvm_ffi::reflection::drop_if_defined(std::ptr::addr_of_mut!((*this).v_str));
        }
    }
}

impl ShallowCopy for TestObjectBaseObj {
    fn shallow_copy(&self) -> Self {
        TestObjectBaseObj {
            base: self.base.shallow_copy(),
            v_i64: self.v_i64.clone(),
            v_f64: self.v_f64,
            v_str: self.v_str.clone(),
        }
    }
}

#[rs_class("rust_class.FromCxx")]
struct FromCxxObj {
    base: TestObjectBaseObj,
    extra: String,
}

// spec: RUST-R31
#[test]
fn a_class_may_derive_from_a_cxx_class() {
    tvm_ffi_testing();
    let index = FromCxxObj::type_index();
    let (text, extra) = (
        String::from("a string on the heap"),
        String::from("extra string"),
    );
    let arguments = [
        AnyView::from(&extra),
        AnyView::from(&11_i64),
        AnyView::from(&0.5_f64),
        AnyView::from(&text),
    ];
    let made = construct(index, &arguments).unwrap();
    // Call a C++ method with the Rust object.
    let add = Function::from_type_method(index, "add_i64").unwrap();
    let sum = add
        .call_packed(&[AnyView::from(&made), AnyView::from(&1_i64)])
        .unwrap();
    assert_eq!(i64::try_from(sum).unwrap(), 12);
    let copy = global("ffi.DeepCopy")
        .call_packed(&[AnyView::from(&made)])
        .unwrap();
    let made: ObjectRef = copy.try_into().unwrap();
    let node: &FromCxxObj = made.as_node().unwrap();
    assert_eq!(
        (node.v_i64.get(), node.v_str.get().as_str()),
        (11, "a string on the heap")
    );
    assert_eq!((node.v_f64, node.extra.as_str()), (0.5, "extra string"));
    assert!(made.as_node::<TestObjectBaseObj>().is_some());
}

/// Load the testing library unless it is loaded already.
fn tvm_ffi_testing() {
    if Function::get_global("testing.echo").is_err() {
        let path = String::from("libtvm_ffi_testing.so");
        global("ffi.ModuleLoadFromFile")
            .call_tuple((&path,))
            .unwrap();
    }
}

#[test]
fn copies_of_any_field_types() {
    #[rs_class("rust_class.Mixed")]
    struct MixedObj {
        base: Object,
        any: Any,
        small: u8,
        ratio: f32,
        maybe: Option<f32>,
        maybe_int: Option<i64>,
        function: Option<Function>,
    }
    let object = MixedObj::new(Object::new(), 1_i64, 2, 0.5, Some(1.5), Some(-1), None);
    let index = MixedObj::type_index();
    let object = ObjectArc::new(object);
    let read = |name: &str| {
        tvm_ffi::FieldGetter::new(index, name)
            .unwrap()
            .get_any(&*object)
            .unwrap()
    };
    assert_eq!(read("any").try_as::<i64>(), Some(1));
    assert_eq!(read("small").try_as::<i64>(), Some(2));
    assert_eq!(read("maybe").try_as::<f64>(), Some(1.5));
    assert_eq!(read("maybe_int").try_as::<i64>(), Some(-1));
    assert_eq!(read("ratio").try_as::<f64>(), Some(0.5));
    assert_eq!(read("function").type_index(), 0);
    // The runtime does not know the layouts of the fields, so it calls their getters.
    // SAFETY: the new reference takes over the reference of `object`.
    let reference = unsafe {
        ObjectRef::from_data(ObjectArc::from_raw(
            ObjectArc::into_raw(object).cast::<Object>(),
        ))
    };
    let copy = global("ffi.DeepCopy").call_tuple((&reference,)).unwrap();
    let equal = global("ffi.RecursiveEq");
    let is_equal = equal
        .call_packed(&[AnyView::from(&reference), AnyView::from(&copy)])
        .unwrap();
    assert_eq!(is_equal.try_as::<bool>(), Some(true));
    let json = global("ffi.ToJSONGraphString")
        .call_tuple((&reference, ()))
        .unwrap();
    let json = String::try_from(json).unwrap();
    let back = global("ffi.FromJSONGraphString")
        .call_tuple((&json,))
        .unwrap();
    let back: ObjectRef = back.try_into().unwrap();
    let node: &MixedObj = back.as_node().unwrap();
    assert_eq!(
        (node.small, node.maybe, node.maybe_int),
        (2, Some(1.5), Some(-1))
    );
    assert!(node.function.is_none() && node.ratio == 0.5);
    assert_eq!(node.any.try_as::<i64>(), Some(1));
}

#[test]
fn enums_have_named_singletons() {
    use tvm_ffi::reflection::EnumDef;

    #[rs_class("rust_class.Color", final, reflection = color_methods)]
    struct ColorObj {
        base: Object,
        code: i64,
    }
    def_object_ref!(Color, ObjectRef, ColorObj);
    fn color_methods(def: &mut ObjectDef<ColorObj>) {
        def.as_enum();
    }
    let color = |code: i64| Color::from(ColorObj::new(Object::new(), code));
    assert!(EnumDef::<Color>::find("RED").unwrap().is_none());
    let red = EnumDef::add("RED", color(1))
        .unwrap()
        .set_attr("is_warm", true)
        .unwrap();
    EnumDef::add_with_number("BLUE", 7, color(2)).unwrap();
    assert!(EnumDef::<Color>::find("RED")
        .unwrap()
        .unwrap()
        .same_as(red.entry()));
    assert_eq!(EnumDef::<Color>::find_number(7).unwrap().unwrap().code, 2);
    assert!(EnumDef::<Color>::find_number(3).unwrap().is_none());
    let error = EnumDef::add("RED", color(3)).err().unwrap();
    assert_eq!(error.kind(), VALUE_ERROR);
    let error = EnumDef::add("", color(4)).err().unwrap();
    assert_eq!(error.kind(), VALUE_ERROR);
    assert_eq!(
        error.message(),
        "Enum `rust_class.Color` cannot have an entry with an empty name"
    );
    let column = String::from("is_warm");
    let index = ColorObj::type_index();
    let get = global("ffi.EnumGetAttr");
    let value = get.call_tuple((index, &column, red.entry(), true)).unwrap();
    assert_eq!(value.try_as::<bool>(), Some(true));
}

#[test]
fn a_class_that_is_not_an_enum_has_no_entries() {
    use tvm_ffi::reflection::EnumDef;

    let point = Point::from(PointObj::new(Object::new(), 1, 2, "a", None));
    let error = EnumDef::add("A", point.clone()).err().unwrap();
    assert_eq!(error.kind(), TYPE_ERROR);
    let start = "`rust_class.Point` is not an enum: let the object derive from `EnumObj`";
    assert!(error.message().starts_with(start), "{}", error.message());
    let error = EnumDef::add_with_number("A", 3, point).err().unwrap();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert!(EnumDef::<Point>::find("A").unwrap().is_none());
}

#[test]
fn enum_objects_know_name_and_number() {
    use tvm_ffi::reflection::{Enum, EnumDef, EnumObj, IntEnum, IntEnumObj};

    #[rs_class("rust_class.Op", final)]
    struct OpObj {
        base: IntEnumObj,
    }
    def_object_ref!(Op, IntEnum, OpObj);
    let op = || Op::from(OpObj::new(IntEnumObj::default()));
    EnumDef::add_with_number("ADD", 1, op()).unwrap();
    EnumDef::add_with_number("MUL", 40, op()).unwrap();
    let found = EnumDef::<Op>::find_number(40).unwrap().unwrap();
    assert_eq!((found.name(), found.number()), ("MUL", 40));
    let base = Enum::from(IntEnum::from(found));
    assert_eq!(base.name(), "MUL");
    assert_eq!(EnumObj::TYPE_DEPTH, 1);
    let json = global("ffi.ToJSONGraphString")
        .call_tuple((&base, ()))
        .unwrap();
    let json = String::try_from(json).unwrap();
    let back = global("ffi.FromJSONGraphString")
        .call_tuple((&json,))
        .unwrap();
    assert!(
        Op::try_from(back).unwrap().same_as(&base),
        "entries are singletons"
    );
}

#[test]
fn a_class_may_do_without_a_constructor() {
    #[rs_class("rust_class.Unmade", init = false)]
    struct UnmadeObj {
        base: Object,
        x: i64,
    }
    let index = UnmadeObj::type_index();
    assert!(get_type_attr(index, "__ffi_new__").is_some());
    assert!(get_type_attr(index, "__ffi_init__").is_none());
    assert_eq!(UnmadeObj::new(Object::new(), 3).x, 3);
}
