// SPDX-License-Identifier: Apache-2.0
//! Strings and bytes: inline and heap form, comparison, and sharing.
// The tests compare with owned values on purpose.
#![allow(clippy::cmp_owned)]

use std::collections::{BTreeSet, HashMap};
use std::mem::size_of;

use tvm_ffi::tvm_ffi_sys::{TVMFFIByteArray, TVMFFIStringFromByteArray};
use tvm_ffi::{Any, AnyView, Bytes, Function, String, TVMFFIAny};

/// Return the 16 bytes of a value.
fn image(any: &Any) -> [u8; 16] {
    assert_eq!(size_of::<Any>(), 16);
    // SAFETY: the value has 16 initialised bytes.
    unsafe { std::ptr::from_ref(any).cast::<[u8; 16]>().read() }
}

// spec: RUST-R10
#[test]
fn small_strings_have_the_bytes_of_c() {
    assert_eq!(
        image(&Any::from(String::new())),
        [11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    );
    let abc = [11, 0, 0, 0, 3, 0, 0, 0, b'a', b'b', b'c', 0, 0, 0, 0, 0];
    assert_eq!(image(&Any::from(String::from("abc"))), abc);
    let seven = [12, 0, 0, 0, 7, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 0];
    assert_eq!(image(&Any::from(Bytes::from([1, 2, 3, 4, 5, 6, 7]))), seven);
    assert_eq!((size_of::<String>(), size_of::<Bytes>()), (16, 16));
}

// spec: RUST-R10
#[test]
fn eight_bytes_are_a_heap_object() {
    let (small, heap) = (String::from("1234567"), String::from("12345678"));
    assert_eq!(
        (
            Any::from(small).type_index(),
            Any::from(heap.clone()).type_index()
        ),
        (11, 65)
    );
    assert_eq!(Any::from(Bytes::from(b"12345678")).type_index(), 66);
    assert_eq!(heap.len(), 8);
    // SAFETY: the heap form ends with a zero byte.
    assert_eq!(unsafe { *heap.as_bytes().as_ptr().add(8) }, 0);
}

#[test]
fn clones_share_the_heap_form() {
    let text = String::from("a text on the heap");
    let copy = text.clone();
    assert_eq!(text.as_bytes().as_ptr(), copy.as_bytes().as_ptr());
    assert_eq!(AnyView::from(&copy).debug_strong_count(), Some(2));
    drop(text);
    assert_eq!(AnyView::from(&copy).debug_strong_count(), Some(1));
    assert_eq!(copy, "a text on the heap");
}

#[test]
fn texts_compare_with_texts_of_both_languages() {
    let text = String::from("abc");
    assert!(
        text == "abc" && text == *"abc" && text == "abc".to_string() && text == String::from("abc")
    );
    assert!(text != "abd" && text < String::from("abd") && text.starts_with("ab"));
    assert_eq!(
        (text.len(), text.is_empty(), String::default().is_empty()),
        (3, false, true)
    );
    let bytes = Bytes::from(vec![1u8, 2]);
    assert!(
        bytes == [1, 2] && bytes == vec![1u8, 2] && bytes != b"ab" && bytes == Bytes::from([1, 2])
    );
    assert_eq!(
        (bytes.as_slice(), bytes[1], bytes.iter().count()),
        (&[1u8, 2][..], 2, 2)
    );
}

#[test]
fn texts_are_keys() {
    let long = "a text on the heap";
    let map = HashMap::from([(String::from("a"), 1), (String::from(long), 2)]);
    assert_eq!((map[&String::from("a")], map[&String::from(long)]), (1, 2));
    assert_eq!(
        (map.get("a"), map.get(long), map.get("b")),
        (Some(&1), Some(&2), None)
    );
    assert!("a" == String::from("a") && *"a" == String::from("a"));
    let set = BTreeSet::from([String::from("b"), String::from("a"), String::from("b")]);
    assert_eq!(
        set.iter().map(|text| text.as_str()).collect::<Vec<_>>(),
        ["a", "b"]
    );
}

#[test]
fn a_heap_form_of_the_runtime_is_equal_to_the_small_form() {
    // The runtime returns the name of a data type in the heap form, even if the name is short.
    let mut raw = TVMFFIAny::new();
    // SAFETY: the pointers are valid during the calls, and `raw` owns the string that it receives.
    let any = unsafe {
        let array = TVMFFIByteArray::from_str("int32");
        let mut dtype = tvm_ffi::DLDataType::new(tvm_ffi::DLDataTypeCode::kDLInt, 0, 0);
        assert_eq!(
            tvm_ffi::tvm_ffi_sys::TVMFFIDataTypeFromString(&array, &mut dtype),
            0
        );
        assert_eq!(
            tvm_ffi::tvm_ffi_sys::TVMFFIDataTypeToString(&dtype, &mut raw),
            0
        );
        Any::from_raw_ffi_any(raw)
    };
    assert_eq!(any.type_index(), 65);
    let text = any.try_as::<String>().unwrap();
    assert_eq!(
        (text.as_str(), text == String::from("int32")),
        ("int32", true)
    );
}

#[test]
fn display_is_the_text_and_debug_names_the_type() {
    let text = String::from("a \"b\"");
    assert_eq!(format!("{text}"), "a \"b\"");
    assert_eq!(format!("{text:>7}|{text:<7}"), "  a \"b\"|a \"b\"  ");
    assert_eq!(format!("{text:?}"), r#"ffi.String { data: "a \"b\"" }"#);
    assert_eq!(
        format!("{:?}", Bytes::from([1, 2])),
        "ffi.Bytes { data: [1, 2] }"
    );
}

#[test]
fn zero_bytes_are_part_of_a_text() {
    let text = String::from("a\0b");
    assert_eq!((text.len(), text.as_str()), (3, "a\0b"));
    let echo = Function::from_typed(|text: String| Ok(text));
    let back = String::try_from(echo.call_tuple(("a\0b and more",)).unwrap()).unwrap();
    assert_eq!(back, "a\0b and more");
}

// spec: RUST-R40
#[test]
fn a_field_that_is_not_utf8_is_no_panic() {
    let bytes = b"good \xff rest";
    let mut raw = TVMFFIAny::new();
    // SAFETY: the runtime copies the bytes. A `String` has the same representation as a `TVMFFIAny`
    // and takes over the reference in `raw`.
    let text = unsafe {
        let array = TVMFFIByteArray::new(bytes.as_ptr(), bytes.len());
        assert_eq!(TVMFFIStringFromByteArray(&array, &mut raw), 0);
        std::mem::transmute::<TVMFFIAny, String>(raw)
    };
    assert_eq!((text.as_str(), text.len()), ("good ", bytes.len()));
    assert_eq!(text.to_string_lossy(), "good \u{fffd} rest");
}
