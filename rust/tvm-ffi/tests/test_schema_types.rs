// SPDX-License-Identifier: Apache-2.0
//! Optionals, tuples, variants and typed functions, and the registration of fields.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{EnumDef, EnumEntry};
use tvm_ffi::tvm_ffi_sys::{TVMFFIFieldInfo, TVMFFIGetTypeInfo};
use tvm_ffi::{
    def_object_ref, rs_class, Any, AnyCompatible, Array, Function, List, Map, Object, ObjectCore,
    Optional, String, Tuple, TypedFunction, Variant, KEY_ERROR, OVERFLOW_ERROR, TYPE_ERROR,
    VALUE_ERROR,
};

type Text = Variant<(i64, String)>;

#[test]
fn a_variant_holds_its_alternatives_alone() {
    assert_eq!(size_of::<Text>(), 16);
    let text = Text::try_from(Any::from(String::from("abc"))).unwrap();
    assert_eq!(text.get::<String>().unwrap(), "abc");
    // A value converts to the first alternative that accepts the value.
    assert_eq!(
        Text::try_from(Any::from(true)).unwrap().get::<i64>(),
        Some(1)
    );
    assert!(Text::try_from(Any::new()).is_err());
    assert_eq!(
        Text::try_from(Any::from(1.5)).unwrap_err().kind(),
        TYPE_ERROR
    );
    let list = Array::<Text>::try_from(Any::from(Array::new(vec![Any::from(1), Any::from("x")])));
    assert_eq!(list.unwrap().get(1).unwrap().get::<String>().unwrap(), "x");
    let schema = r#"{"type":"Variant","args":[{"type":"int"},{"type":"ffi.String"}]}"#;
    assert_eq!(Text::type_schema(), schema);
}

#[test]
fn an_optional_variant_is_one_value() {
    assert_eq!(size_of::<Optional<Text>>(), 16);
    assert!(Optional::<Text>::none().get().is_none());
    let some = Optional::<Text>::try_from(Any::from(3)).unwrap();
    assert_eq!(some.get().unwrap().get::<i64>(), Some(3));
}

#[test]
fn values_of_a_variant_are_released() {
    let array = Array::new(vec![1i64]);
    let variant = Variant::<(i64, Array<i64>)>::new(array.clone());
    let copy = variant.clone();
    assert_eq!(variant.as_any().debug_strong_count(), Some(3));
    drop((copy, variant));
    assert_eq!(Any::from(array).debug_strong_count(), Some(1));
}

#[test]
fn a_tuple_is_an_array_of_its_length() {
    let pair = Tuple::from((1i64, String::from("a")));
    assert_eq!(size_of_val(&pair), 8);
    let any = Any::from(pair.clone());
    let same = Tuple::<(i64, String)>::try_from(any.clone()).unwrap();
    assert_eq!(
        Any::from(same).debug_strong_count(),
        Some(3),
        "shared, not copied"
    );
    assert!(Tuple::<(i64,)>::try_from(any.clone()).is_err());
    assert!(Tuple::<(i64, i64)>::try_from(any).is_err());
    // The elements are converted. A list does not convert to a tuple.
    let array = Array::new(vec![Any::from(true), Any::from("b")]);
    let (number, text) = Tuple::<(i64, String)>::try_from(Any::from(array))
        .unwrap()
        .get()
        .unwrap();
    assert_eq!((number, text.as_str()), (1, "b"));
    let list: List<Any> = List::from_iter([Any::from(1), Any::from("b")]);
    assert!(Tuple::<(i64, String)>::try_from(Any::from(list)).is_err());
}

#[test]
fn a_typed_function_has_a_schema_and_checks_results() {
    let add = TypedFunction::<fn(i64, i64) -> i64>::new(|a: i64, b: i64| Ok(a + b));
    assert_eq!(add.call((1, 2)).unwrap(), 3);
    let wrong = TypedFunction::<fn() -> i64>::from(Function::from_typed(|| Ok(1.5)));
    assert_eq!(wrong.call(()).unwrap_err().kind(), TYPE_ERROR);
    let schema = <TypedFunction<fn(i64) -> bool>>::type_schema();
    assert!(schema.contains(r#""return":[{"type":"bool"}],"params":[{"type":"int"}]"#));
}

/// Convert a value to `T`; return the type and the reason that the overflow error names.
fn refused<T>(value: impl Into<Any>) -> (std::string::String, std::string::String)
where
    T: TryFrom<Any, Error = tvm_ffi::Error>,
{
    let error = T::try_from(value.into()).err().unwrap();
    assert_eq!(error.kind(), OVERFLOW_ERROR);
    let (name, reason) = error.message().split_once("`: ").unwrap();
    let name = name.strip_prefix("Cannot convert to `").unwrap();
    (name.to_string(), reason.to_string())
}

#[test]
fn integers_out_of_range_are_named_with_their_place() {
    let range = "integer 300 out of uint8 range [0, 255]";
    assert_eq!(refused::<u8>(300i64), ("int".into(), range.into()));
    let (name, reason) = refused::<Optional<u8>>(300i64);
    assert_eq!((name.as_str(), reason.as_str()), ("Optional<int>", range));
    let (name, reason) = refused::<Variant<(u8, String)>>(300i64);
    assert_eq!(
        (name.as_str(), reason.as_str()),
        ("Variant<int, ffi.String>", range)
    );
    let array = Array::new(vec![Any::from(1), Any::from(300i64)]);
    let (name, reason) = refused::<List<u8>>(array.clone());
    assert_eq!(
        (name, reason),
        ("List<int>".into(), format!("index 1: {range}"))
    );
    let (name, reason) = refused::<Tuple<(u8, u8)>>(array.clone());
    assert_eq!(
        (name, reason),
        ("Tuple<int, int>".into(), format!("index 1: {range}"))
    );
    let map = Map::from_iter([(String::from("a"), Any::from(array))]);
    let (_, reason) = refused::<Map<String, Array<u8>>>(map);
    assert_eq!(reason, format!("some value at key \"a\": index 1: {range}"));
    let map = Map::from_iter([(300i64, 1i64)]);
    let (_, reason) = refused::<Map<u8, i64>>(map);
    assert_eq!(reason, format!("some key: {range}"));
}

#[rs_class("schema_types.Fields")]
pub struct FieldsObj {
    base: Object,
    #[reflect(default_none)]
    child: ObjectRef,
    #[reflect(metadata = "{\"unit\": \"m\"}")]
    width: i64,
}
def_object_ref!(pub Fields, ObjectRef, FieldsObj);

fn reflected<T: ObjectCore>() -> &'static [TVMFFIFieldInfo] {
    // SAFETY: type information lives as long as the process, and `fields` has `num_fields`
    // elements.
    unsafe {
        let info = &*TVMFFIGetTypeInfo(T::type_index());
        std::slice::from_raw_parts(info.fields, info.num_fields as usize)
    }
}

#[test]
fn fields_register_a_refused_default_and_metadata() {
    let fields = reflected::<FieldsObj>();
    assert_eq!(
        (
            fields[0].flags & 2,
            fields[0].default_value_or_factory.type_index
        ),
        (2, 0)
    );
    assert_eq!(
        fields[1].metadata.as_str(),
        r#"{"type_schema":"{\"type\":\"int\"}","unit": "m"}"#
    );
}

#[rs_class("schema_types.Colour")]
pub struct ColourObj {
    base: Object,
    red: i64,
    #[reflect(default_factory = || String::from("-"))]
    note: String,
}
def_object_ref!(pub Colour, ObjectRef, ColourObj);

#[test]
fn entries_get_values_and_defaults() {
    let red = EnumEntry::<Colour>::new("red")
        .set("red", 255)
        .add()
        .unwrap();
    assert_eq!((red.entry().red, red.entry().note.as_str()), (255, "-"));
    assert_eq!(EnumDef::<Colour>::get("red").unwrap().red, 255);
    let missing = EnumDef::<Colour>::get("blue").err().unwrap();
    assert_eq!(missing.kind(), KEY_ERROR);
    let refused = |entry: EnumEntry<Colour>| entry.add().err().unwrap().kind().to_string();
    assert_eq!(refused(EnumEntry::new("a")), VALUE_ERROR.to_string());
    assert_eq!(
        refused(EnumEntry::new("a").set("red", "x")),
        TYPE_ERROR.to_string()
    );
    assert_eq!(
        refused(EnumEntry::new("a").set("blue", 1)),
        TYPE_ERROR.to_string()
    );
    assert_eq!(
        refused(EnumEntry::new("red").set("red", 1)),
        VALUE_ERROR.to_string()
    );
}
