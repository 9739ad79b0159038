// SPDX-License-Identifier: Apache-2.0
//! Tests of `Optional`, which has the layout of C++.

use std::os::raw::c_void;

use tvm_ffi::{Any, AnyCompatible, BigInt, Bytes, DLDataType, DLDevice, DLDeviceType, Function};
use tvm_ffi::{Optional, OptionalCompatible, String, TypeIndex, TYPE_ERROR};

/// Return the 16 bytes of an optional.
fn image<T: OptionalCompatible>(value: &Optional<T>) -> [u8; 16] {
    // SAFETY: an optional consists of 16 initialised bytes.
    unsafe { *(value as *const Optional<T>).cast() }
}

/// Return the 16 bytes of a value: type index, length of small strings, payload.
fn expected(type_index: TypeIndex, length: u32, payload: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&(type_index as i32).to_le_bytes());
    bytes[4..8].copy_from_slice(&length.to_le_bytes());
    bytes[8..].copy_from_slice(&payload.to_le_bytes());
    bytes
}

// spec: RUST-R10
#[test]
fn none_is_sixteen_zero_bytes() {
    assert_eq!(std::mem::size_of::<Optional<i64>>(), 16);
    assert_eq!(image(&Optional::<i64>::none()), [0; 16]);
    assert_eq!(image(&Optional::<String>::default()), [0; 16]);
    assert_eq!(image(&Optional::<DLDevice>::from(None)), [0; 16]);
}

// spec: RUST-R10
#[test]
fn images_of_values() {
    assert_eq!(
        image(&Optional::some(-1i64)),
        expected(TypeIndex::kTVMFFIInt, 0, u64::MAX)
    );
    assert_eq!(
        image(&Optional::some(7u8)),
        expected(TypeIndex::kTVMFFIInt, 0, 7)
    );
    assert_eq!(
        image(&Optional::some(true)),
        expected(TypeIndex::kTVMFFIBool, 0, 1)
    );
    assert_eq!(
        image(&Optional::some(1.5f32)),
        expected(TypeIndex::kTVMFFIFloat, 0, 1.5f64.to_bits())
    );
    assert_eq!(
        image(&Optional::some(String::from("ab"))),
        expected(
            TypeIndex::kTVMFFISmallStr,
            2,
            u64::from(u16::from_le_bytes(*b"ab"))
        )
    );
    assert_eq!(
        image(&Optional::some(Bytes::from(b"\0"))),
        expected(TypeIndex::kTVMFFISmallBytes, 1, 0)
    );
    assert_eq!(
        image(&Optional::some(DLDevice::new(DLDeviceType::kDLCUDA, 3))),
        expected(TypeIndex::kTVMFFIDevice, 0, 2 | 3 << 32)
    );
    let dtype = DLDataType {
        code: 2,
        bits: 32,
        lanes: 4,
    };
    assert_eq!(
        image(&Optional::some(dtype)),
        expected(TypeIndex::kTVMFFIDataType, 0, 2 | 32 << 8 | 4 << 16)
    );
    let pointer = 8 as *mut c_void;
    assert_eq!(
        image(&Optional::some(pointer)),
        expected(TypeIndex::kTVMFFIOpaquePtr, 0, 8)
    );
    let text = image(&Optional::some(String::from("12345678")));
    assert_eq!(text[..8], expected(TypeIndex::kTVMFFIStr, 0, 0)[..8]);
    assert_eq!(
        image(&Optional::some(Some(1i64))),
        image(&Optional::some(1i64))
    );
    assert_eq!(image(&Optional::some(None::<i64>)), [0; 16]);
}

#[test]
fn values_are_read_and_replaced() {
    let mut value = Optional::some(3i64);
    assert!(value.has_value() && !value.is_none());
    assert_eq!(value.get(), Some(3));
    value.set(Some(4));
    assert_eq!(value.clone().into_option(), Some(4));
    value.set(None);
    assert!(value.is_none());
    assert_eq!(value.get(), None);
    assert_eq!(Option::<i64>::from(value), None);
}

#[test]
fn numbers_of_all_widths_round_trip() {
    assert_eq!(Optional::some(u64::MAX).get(), Some(u64::MAX));
    assert_eq!(Optional::some(i8::MIN).get(), Some(i8::MIN));
    assert_eq!(Optional::some(usize::MAX).get(), Some(usize::MAX));
    assert_eq!(Optional::some(f32::MAX).get(), Some(f32::MAX));
    assert_eq!(
        Optional::some(BigInt::from(1) << 99).get(),
        Some(BigInt::from(1) << 99)
    );
}

#[test]
fn strings_are_borrowed() {
    let short = Optional::some(String::from("short"));
    let long = Optional::some(String::from("longer than seven"));
    assert_eq!(short.as_str(), Some("short"));
    assert_eq!(long.as_str(), Some("longer than seven"));
    assert_eq!(Optional::<String>::none().as_str(), None);
}

#[test]
fn objects_are_counted() {
    let text = String::from("a counted text");
    let any = Any::from(text.clone());
    let optional = Optional::some(text);
    let copy = optional.clone();
    assert_eq!(any.debug_strong_count(), Some(3));
    drop((optional, copy));
    assert_eq!(any.debug_strong_count(), Some(1));
}

#[test]
fn equality_and_text() {
    assert_eq!(Optional::some(String::from("a")), Some("a".into()).into());
    assert_ne!(Optional::some(1i64), Optional::none());
    assert_eq!(format!("{:?}", Optional::some(1i64)), "Optional::Some(1)");
    assert_eq!(format!("{:?}", Optional::<i64>::none()), "Optional::None");
}

// spec: RUST-R08
#[test]
fn conversions_from_values() {
    assert_eq!(
        Optional::<i64>::try_from(Any::new()).unwrap(),
        Optional::none()
    );
    assert_eq!(
        Optional::<i64>::try_from(Any::from(true)).unwrap(),
        Optional::some(1)
    );
    assert_eq!(Any::from(Optional::some(5i64)).try_as::<i64>(), Some(5));
    let error = Optional::<i64>::try_from(Any::from(1.5f64)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `float` to `Optional<int>`"
    );
    assert_eq!(
        Optional::<BigInt>::type_schema(),
        r#"{"type":"Optional","args":[{"type":"ffi.BigInt"}]}"#
    );
}

// spec: RUST-R23
#[test]
fn an_optional_is_an_argument() {
    let or_zero = Function::from_typed(|value: Optional<i64>| Ok(value.get().unwrap_or(0)));
    let call = |value: Optional<i64>| i64::try_from(or_zero.call_tuple((&value,)).unwrap());
    assert_eq!(call(Optional::some(7)).unwrap(), 7);
    assert_eq!(call(Optional::none()).unwrap(), 0);
}
