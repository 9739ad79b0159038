// SPDX-License-Identifier: Apache-2.0
//! Fields that other code assigns while Rust code uses the object.

use std::os::raw::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tvm_ffi::extra::structural::{recursive_hash, repr, structural_hash};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::reflection::{get_type_attr, set_type_attr};
use tvm_ffi::tvm_ffi_sys::{TVMFFIAny, TVMFFIByteArray, TVMFFIFieldInfo, TVMFFIFieldSetter};
use tvm_ffi::tvm_ffi_sys::{TVMFFIGetTypeInfo, TVMFFITypeRegisterField};
use tvm_ffi::{
    def_object_ref, rs_class, Any, AnyView, Function, Object, ObjectArc, ObjectCore, ObjectRefCast,
    ObjectRefCore, Shape, String, Writable,
};

#[rs_class("rust.test.writable.Cells", s_eq_hash_kind = "TreeNode")]
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
fn assign(object: &impl ObjectRefCore, name: &str, value: impl Into<Any>) {
    let index = CellsObj::type_index();
    // SAFETY: the type is registered; its fields are in the array.
    let fields = unsafe {
        let info = &*TVMFFIGetTypeInfo(index);
        std::slice::from_raw_parts(info.fields, info.num_fields as usize)
    };
    let field = fields.iter().find(|f| f.name.as_str() == name).unwrap();
    let address = ObjectArc::as_header(ObjectRefCore::data(object)).cast::<u8>();
    let value = value.into();
    // SAFETY: the field has a setter with this signature.
    let status = unsafe {
        let setter: TVMFFIFieldSetter = std::mem::transmute(field.setter);
        let address = address.add(field.offset as usize);
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

/// Let four threads use the fields of an object that is a type attribute.
fn use_on_threads(name: &str, object: Cells) {
    let (index, type_index) = (
        CellsObj::type_index(),
        Any::from(object.clone()).type_index(),
    );
    let copy_hook = Function::from_type_attr(type_index, "__ffi_shallow_copy__").unwrap();
    set_type_attr(index, name, &Any::from(object)).unwrap();
    let step = |thread, i| {
        let object = Cells::try_from(get_type_attr(index, name).unwrap()).unwrap();
        let is_text = |value: &str| assert!(value.contains("text"), "{value}");
        let written = String::from(format!("the text number {i}"));
        match (thread + i) % 8 {
            0 => object.text.set(written),
            1 => assign(&object, "text", written),
            2 => is_text(&object.text.get()),
            3 => object.any.set(text(i)),
            4 => object
                .shape
                .set((i % 2 == 0).then(|| Shape::from(vec![i, i]))),
            5 => is_text(&repr(&object).unwrap()),
            6 => drop(structural_hash(&object)),
            _ => {
                let copy: Cells = copy_hook
                    .call_tuple((&object,))
                    .unwrap()
                    .try_into()
                    .unwrap();
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

// spec: RUST-R40
#[test]
fn threads_assign_and_read_the_fields_of_an_object() {
    use_on_threads("rust.test.writable.own", cells());
}

// spec: RUST-R40
#[test]
fn threads_use_the_fields_of_a_class_in_python_that_derives_from_the_class() {
    let call = |name: &str| Function::get_global(name).unwrap();
    let parent = CellsObj::type_index();
    let derived = call("ffi._PyClassOpen").call_tuple(("rust.test.writable.Derived", parent));
    let derived: i32 = derived.unwrap().try_into().unwrap();
    let define = call("ffi._PyClassRegisterTypeAttrColumns");
    define
        .call_tuple((derived, size_of::<CellsObj>() as i64))
        .unwrap();
    let create = Function::from_type_attr(derived, "__ffi_new__").unwrap();
    let object: ObjectRef = create.call_tuple(()).unwrap().try_into().unwrap();
    assign(&object, "text", String::from("a text"));
    assign(&object, "any", text(0));
    use_on_threads("rust.test.writable.derived", object.try_cast().unwrap());
}

static READ: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn read_number(field: *mut c_void, result: *mut TVMFFIAny) -> i32 {
    READ.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the runtime passes the address of the field, and a place for the result.
    unsafe { result.write(Any::into_raw_ffi_any(Any::from(*field.cast::<i64>()))) };
    0
}

unsafe extern "C" fn write_number(field: *mut c_void, value: *const TVMFFIAny) -> i32 {
    // SAFETY: the runtime passes the address of the field and a value, which is a number here.
    unsafe { *field.cast::<i64>() = (*value).data_union.v_int64 };
    0
}

/// A copy that read the memory of the field could read half of an assignment.
#[test]
fn the_runtime_copies_a_locked_field_with_its_getter() {
    let key = "rust.test.writable.Raw";
    let call = |name: &str| Function::get_global(name).unwrap();
    let index = call("ffi._PyClassOpen").call_tuple((key, Object::type_index()));
    let index: i32 = index.unwrap().try_into().unwrap();
    let bytes = |text: &str| TVMFFIByteArray::new(text.as_ptr(), text.len());
    let setter: TVMFFIFieldSetter = write_number;
    let field = TVMFFIFieldInfo {
        name: bytes("number"),
        doc: bytes(""),
        metadata: bytes(r#"{"is_locked":true,"type_schema":"{\"type\":\"int\"}"}"#),
        flags: 1,
        size: 8,
        alignment: 8,
        offset: 24,
        getter: Some(read_number),
        setter: setter as *mut c_void,
        default_value_or_factory: TVMFFIAny::new(),
        field_static_type_index: 1,
    };
    // SAFETY: the texts live during the call.
    assert_eq!(unsafe { TVMFFITypeRegisterField(index, &field) }, 0);
    let define = call("ffi._PyClassRegisterTypeAttrColumns");
    define.call_tuple((index, 32)).unwrap();
    let attribute = |name: &str| Function::from_type_attr(index, name).unwrap();
    let object = attribute("__ffi_new__").call_tuple(()).unwrap();
    let copy = attribute("__ffi_shallow_copy__");
    drop(copy.call_packed(&[AnyView::from(&object)]).unwrap());
    assert_eq!(READ.load(Ordering::Relaxed), 1);
    recursive_hash(&object).unwrap();
    assert_eq!(READ.load(Ordering::Relaxed), 2);
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
