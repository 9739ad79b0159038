// SPDX-License-Identifier: Apache-2.0
//! Tests of the access to fields, attributes and methods by name.

use tvm_ffi::derive::{Object, ObjectRef};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{AccessKind, AccessPath, AccessStep};
use tvm_ffi::tvm_ffi_sys::{TVMFFIFieldInfo, TVMFFIGetTypeInfo, TVMFFITypeInfo};
use tvm_ffi::{
    get_type_attr, Any, AnyView, Error, FieldFlags, FieldGetter, Function, Object, ObjectArc,
    ObjectCore, ObjectDef, SEqHashKind, ShallowCopy, String, TypeAttrColumn, Writable,
    ATTRIBUTE_ERROR, TYPE_ERROR,
};

/// A type whose fields have all the flags.
#[repr(C)]
#[derive(Object)]
#[type_key = "rust_reflection.Flags"]
#[type_register]
#[type_s_eq_hash_kind = "DAGNode"]
#[type_reflection(describe)]
struct FlagsObj {
    base: Object,
    #[reflect(writable, kw_only, doc = "From the attribute.")]
    a: Writable<i64>,
    /// From the comment,
    /// in two lines.
    #[reflect(seq_hash_ignore, repr_off, compare_off, hash_off)]
    b: f64,
    #[reflect(seq_hash_def_simple, name = "see")]
    c: Option<Flags>,
    #[reflect(seq_hash_def_pattern, init_off)]
    d: Any,
    /// This field is not reflected.
    hidden: Vec<u8>,
}

#[repr(C)]
#[derive(ObjectRef, Clone)]
struct Flags {
    data: ObjectArc<FlagsObj>,
}

fn describe(def: &mut ObjectDef<FlagsObj>) {
    def.def(
        "sum",
        |this: Flags, x: f64| Ok(this.data.b + x),
        "Add to b.",
    )
    .def_static("kind", || Ok(String::from("flags")), "");
}

fn flags(a: i64, b: f64, c: Option<Flags>) -> Flags {
    let (base, d) = (
        Object::new(),
        Any::from(String::from("a long text in a field")),
    );
    let hidden = vec![1, 2, 3];
    Flags {
        data: ObjectArc::new(FlagsObj {
            base,
            a: a.into(),
            b,
            c,
            d,
            hidden,
        }),
    }
}

fn info_of(type_index: i32) -> &'static TVMFFITypeInfo {
    // SAFETY: type information lives as long as the process.
    unsafe { &*TVMFFIGetTypeInfo(type_index) }
}

fn fields_of(type_index: i32) -> &'static [TVMFFIFieldInfo] {
    let info = info_of(type_index);
    // SAFETY: the array has this number of entries.
    unsafe { std::slice::from_raw_parts(info.fields, info.num_fields as usize) }
}

// spec: RUST-R30
#[test]
fn fields_are_described() {
    let fields = fields_of(FlagsObj::type_index());
    let names: Vec<_> = fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "see", "d"]);
    let docs: Vec<_> = fields.iter().map(|f| f.doc.as_str()).collect();
    assert_eq!(
        docs,
        [
            "From the attribute.",
            "From the comment,\nin two lines.",
            "",
            ""
        ]
    );
    let flags: Vec<_> = fields.iter().map(|f| f.flags).collect();
    let (ignore, off) = (FieldFlags::SEQ_HASH_IGNORE, FieldFlags::REPR_OFF);
    let expected = [
        FieldFlags::WRITABLE | FieldFlags::KW_ONLY,
        ignore | off | FieldFlags::COMPARE_OFF | FieldFlags::HASH_OFF,
        FieldFlags::SEQ_HASH_DEF_SIMPLE,
        FieldFlags::SEQ_HASH_DEF_PATTERN | FieldFlags::INIT_OFF,
    ];
    assert_eq!(flags, expected.map(FieldFlags::bits));
    let places: Vec<_> = fields
        .iter()
        .map(|f| (f.offset, f.size, f.alignment))
        .collect();
    assert_eq!(places, [(24, 8, 8), (32, 8, 8), (40, 8, 8), (48, 16, 8)]);
    let types: Vec<_> = fields.iter().map(|f| f.field_static_type_index).collect();
    assert_eq!(types, [1, 3, -1, -1]);
    for field in fields {
        assert!(
            field.getter.is_some() && !field.setter.is_null(),
            "always present"
        );
    }
    // The runtime reads a field without its getter only if the type schema is the first member.
    assert_eq!(
        fields[0].metadata.as_str(),
        r#"{"is_locked":true,"type_schema":"{\"type\":\"int\"}"}"#
    );
    assert_eq!(
        fields[3].metadata.as_str(),
        r#"{"type_schema":"{\"type\":\"Any\"}"}"#
    );
}

#[test]
fn flags_have_the_bits_of_the_interface() {
    assert_eq!(FieldFlags::NONE.bits(), 0);
    let bits = [
        (FieldFlags::WRITABLE, 0),
        (FieldFlags::SEQ_HASH_IGNORE, 3),
        (FieldFlags::SEQ_HASH_DEF_PATTERN, 4),
        (FieldFlags::REPR_OFF, 6),
        (FieldFlags::COMPARE_OFF, 7),
        (FieldFlags::HASH_OFF, 8),
        (FieldFlags::INIT_OFF, 9),
        (FieldFlags::KW_ONLY, 10),
        (FieldFlags::SEQ_HASH_DEF_SIMPLE, 12),
    ];
    for (flag, bit) in bits {
        assert_eq!(flag.bits(), 1 << bit);
    }
    assert_eq!(SEqHashKind::UniqueInstance as i32, 5);
}

// spec: RUST-R30
#[test]
fn metadata_and_attributes_are_registered() {
    let index = FlagsObj::type_index();
    // SAFETY: metadata that is set lives as long as the process.
    let metadata = unsafe { &*info_of(index).metadata };
    assert_eq!(
        metadata.structural_eq_hash_kind,
        SEqHashKind::DAGNode as i32
    );
    assert_eq!(
        metadata.total_size as usize,
        std::mem::size_of::<FlagsObj>()
    );
    assert!(metadata.creator.is_none());
    assert_eq!(
        metadata.doc.as_str(),
        "A type whose fields have all the flags."
    );
    assert!(get_type_attr(index, "__ffi_shallow_copy__").is_some());
    assert!(get_type_attr(index, "__ffi_new__").is_none());
    assert!(get_type_attr(index, "__ffi_init__").is_none());
}

// spec: RUST-R30
#[test]
fn getters_read_and_check_the_type() {
    let object = flags(7, 0.5, Some(flags(1, 1.0, None)));
    let index = FlagsObj::type_index();
    let a = FieldGetter::new(index, "a").unwrap();
    assert_eq!(a.get::<_, i64>(&*object.data).unwrap(), 7);
    assert_eq!(a.get::<_, f64>(&*object.data).unwrap(), 7.0, "converted");
    let error = a.get::<_, String>(&*object.data).unwrap_err();
    let message =
        "Cannot convert from type `int` to `ffi.String` in field `a` of `rust_reflection.Flags`";
    assert_eq!((error.kind(), error.message()), (TYPE_ERROR, message));
    let see = FieldGetter::new(index, "see").unwrap();
    let inner: Flags = see.get(&*object.data).unwrap();
    assert_eq!(see.get_any(&*inner.data).unwrap().type_index(), 0);
    let d = FieldGetter::new(index, "d").unwrap();
    let text = String::try_from(d.get_any(&*inner.data).unwrap()).unwrap();
    assert_eq!(text.as_str(), "a long text in a field");

    let error = FieldGetter::new(index, "hidden").err().unwrap();
    assert_eq!(error.kind(), ATTRIBUTE_ERROR);
    let message = "Type `rust_reflection.Flags` does not have field `hidden`; its fields are `a`, ";
    assert!(error.message().starts_with(message), "{error}");
    let error = FieldGetter::new(index, "se").err().unwrap();
    assert!(
        error.message().ends_with("; did you mean `see`?"),
        "{error}"
    );
    let error = FieldGetter::new(1 << 30, "a").err().unwrap();
    assert_eq!(error.kind(), TYPE_ERROR);
    let step = AccessStep::attr("x");
    let error = a.get_any(&*step).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert!(
        error.message().contains("ffi.reflection.AccessStep"),
        "{}",
        error.message()
    );
}

#[test]
fn methods_are_called_by_name() {
    let index = FlagsObj::type_index();
    let sum = Function::from_type_method(index, "sum").unwrap();
    let object = flags(1, 0.5, None);
    let result = sum
        .call_packed(&[AnyView::from(&object), AnyView::from(&2_i64)])
        .unwrap();
    assert_eq!(f64::try_from(result).unwrap(), 2.5);
    let kind = Function::from_type_key_method("rust_reflection.Flags", "kind").unwrap();
    let kind = String::try_from(kind.call_tuple(()).unwrap()).unwrap();
    assert_eq!(kind.as_str(), "flags");
    let error = sum
        .call_packed(&[AnyView::from(&1_i64), AnyView::from(&1_i64)])
        .unwrap_err();
    assert!(
        error.message().starts_with("Argument #0: "),
        "{}",
        error.message()
    );
    let error = sum.call_packed(&[]).unwrap_err();
    let signature = "`rust_reflection.Flags.sum(0: rust_reflection.Flags, 1: float) -> float`";
    assert!(error.message().ends_with(signature), "{error}");
}

#[test]
fn shallow_copies_share_and_keep_what_is_not_reflected() {
    let inner = flags(1, 1.0, None);
    let object = flags(7, 0.5, Some(inner.clone()));
    let copy = object.data.shallow_copy();
    assert_eq!(
        (copy.a.get(), copy.b, copy.hidden.as_slice()),
        (7, 0.5, &[1, 2, 3][..])
    );
    assert_eq!(ObjectArc::strong_count(&inner.data), 3);
    drop((copy, object));
    assert_eq!(ObjectArc::strong_count(&inner.data), 1);

    let hook = Function::from_type_attr(FlagsObj::type_index(), "__ffi_shallow_copy__").unwrap();
    let copy = hook.call_packed(&[AnyView::from(&inner)]).unwrap();
    let copy = Flags::try_from(copy).unwrap();
    assert_eq!((copy.data.a.get(), copy.data.hidden.len()), (1, 3));
    assert_eq!(ObjectArc::strong_count(&copy.data), 1);
    for arguments in [
        &[][..],
        &[AnyView::from(&1_i64)],
        &[AnyView::from(&AccessStep::attr("x"))],
    ] {
        assert_eq!(hook.call_packed(arguments).unwrap_err().kind(), TYPE_ERROR);
    }
}

#[test]
fn attribute_columns_are_read_by_type() {
    let column = TypeAttrColumn::new("__ffi_shallow_copy__").unwrap();
    let index = FlagsObj::type_index();
    assert_eq!(column.get(index).unwrap().type_index(), 68, "a function");
    for absent in [i32::MIN, -1, 0, 1 << 29, i32::MAX] {
        assert!(column.get(absent).is_none());
    }
    assert!(TypeAttrColumn::new("no such attribute").is_none());
    let copy = std::thread::spawn(move || column.get(index).is_some());
    assert!(copy.join().unwrap());
}

#[test]
fn getters_and_setters_report_errors_through_c() {
    let field = &fields_of(FlagsObj::type_index())[0];
    let object = flags(7, 0.5, None);
    let text = String::from("seven");
    // SAFETY: the field has a setter with this signature, and nothing else uses the object.
    let status = unsafe {
        let setter: tvm_ffi::tvm_ffi_sys::TVMFFIFieldSetter = std::mem::transmute(field.setter);
        let start = ObjectArc::as_raw(&object.data).cast::<u8>().cast_mut();
        let view = AnyView::from(&text);
        setter(
            start.add(field.offset as usize).cast(),
            view.as_raw_ffi_any(),
        )
    };
    assert_eq!(status, -1);
    assert_eq!(Error::from_raised().kind(), TYPE_ERROR);
    assert_eq!(object.data.a.get(), 7);
}

#[test]
fn access_paths_are_those_of_the_runtime() {
    let path = AccessPath::root()
        .attr("body")
        .array_item(2)
        .map_item(String::from("key"));
    assert_eq!(path.depth(), 3);
    let kinds: Vec<_> = path.to_steps().iter().map(|step| step.kind()).collect();
    let expected = [AccessKind::Attr, AccessKind::ArrayItem, AccessKind::MapItem];
    assert_eq!(kinds, expected.map(Some));
    assert_eq!(
        path.parent().unwrap().step().unwrap().key.try_as::<i64>(),
        Some(2)
    );
    let same = AccessPath::root()
        .attr("body")
        .array_item(2)
        .map_item(String::from("key"));
    let method =
        Function::from_type_key_method("ffi.reflection.AccessPath", "_path_equal").unwrap();
    let equal = |a: &AccessPath, b: &AccessPath| {
        let result = method.call_packed(&[AnyView::from(a), AnyView::from(b)]);
        bool::try_from(result.unwrap()).unwrap()
    };
    assert!(equal(&path, &same) && !equal(&path, path.parent().unwrap()));
    let any = Any::from(path);
    let back = AccessPath::try_from(any.clone()).unwrap();
    assert_eq!(
        ObjectRef::try_from(any).unwrap().debug_key(),
        "ffi.reflection.AccessPath"
    );
    drop(back);
    // A long path is dropped without recursion.
    let mut long = AccessPath::root();
    for i in 0..200_000 {
        long = long.array_item(i);
    }
    assert_eq!(long.depth(), 200_000);
}

/// Returns the type key of the object to which a reference refers.
trait DebugKey {
    fn debug_key(&self) -> &'static str;
}

impl DebugKey for ObjectRef {
    fn debug_key(&self) -> &'static str {
        let index = Any::from(self.clone()).type_index();
        info_of(index).type_key.as_str()
    }
}

#[test]
fn structural_mismatches_give_access_paths() {
    let (a, b) = (flags(1, 0.0, None), flags(2, 9.0, None));
    let find = Function::get_global("ffi.GetFirstStructuralMismatch").unwrap();
    let found = find.call_tuple((&a, &b, false, false)).unwrap();
    let getter = Function::get_global("ffi.ArrayGetItem").unwrap();
    let first = getter
        .call_packed(&[AnyView::from(&found), AnyView::from(&0_i64)])
        .unwrap();
    let first = AccessPath::try_from(first).unwrap();
    let steps = first.to_steps();
    assert_eq!(steps.len(), 1, "b is ignored");
    assert_eq!(steps[0].key.try_as::<String>().unwrap().as_str(), "a");
}
