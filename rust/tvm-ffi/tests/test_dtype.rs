// SPDX-License-Identifier: Apache-2.0
//! Tests of data types and their text forms.

use tvm_ffi::dtype::{AsDLDataType, DLDataTypeExt};
use tvm_ffi::{Any, DLDataType, DLDataTypeCode, Function, String, TYPE_ERROR, VALUE_ERROR};

fn dtype(code: DLDataTypeCode, bits: u8, lanes: u16) -> DLDataType {
    DLDataType::new(code, bits, lanes)
}

// spec: RUST-R14
#[test]
fn text_both_ways() {
    let cases = [
        ("int32", dtype(DLDataTypeCode::kDLInt, 32, 1)),
        ("uint8x4", dtype(DLDataTypeCode::kDLUInt, 8, 4)),
        ("float16", dtype(DLDataTypeCode::kDLFloat, 16, 1)),
        ("bfloat16x2", dtype(DLDataTypeCode::kDLBfloat, 16, 2)),
        ("bool", dtype(DLDataTypeCode::kDLBool, 8, 1)),
        ("handle", dtype(DLDataTypeCode::kDLOpaqueHandle, 64, 1)),
        (
            "float8_e4m3fn",
            dtype(DLDataTypeCode::kDLFloat8_e4m3fn, 8, 1),
        ),
        (
            "float4_e2m1fnx2",
            dtype(DLDataTypeCode::kDLFloat4_e2m1fn, 4, 2),
        ),
        (
            "float32xvscalex4",
            dtype(DLDataTypeCode::kDLFloat, 32, 65532),
        ),
        ("", dtype(DLDataTypeCode::kDLOpaqueHandle, 0, 0)),
    ];
    for (text, value) in cases {
        assert_eq!(DLDataTypeExt::to_string(&value), text);
        assert_eq!(DLDataType::try_from_str(text).unwrap(), value, "{text}");
    }
    assert_eq!(DLDataType::try_from_str("f16").unwrap(), cases[2].1);
}

// spec: RUST-R14
#[test]
fn bad_texts_are_errors() {
    for text in ["float99999", "int8x0", "nonsense", "int32 ", "float8_e9m9"] {
        let error = DLDataType::try_from_str(text).unwrap_err();
        assert_eq!(error.kind(), VALUE_ERROR, "{text}");
        assert!(error.message().contains(text), "{}", error.message());
    }
    let unknown = DLDataType {
        code: 99,
        bits: 8,
        lanes: 1,
    };
    assert_eq!(
        DLDataTypeExt::to_string(&unknown),
        "unknown(code=99, bits=8, lanes=1)"
    );
}

// spec: RUST-R14
#[test]
fn a_string_is_an_argument_for_a_dtype() {
    let bits = Function::from_typed(|dtype: DLDataType| Ok(i64::from(dtype.bits)));
    assert_eq!(
        i64::try_from(bits.call_tuple(("int16",)).unwrap()).unwrap(),
        16
    );
    let long = String::from("float32xvscalex4");
    assert_eq!(
        i64::try_from(bits.call_tuple((long,)).unwrap()).unwrap(),
        32
    );
    assert_eq!(
        i64::try_from(bits.call_tuple((f64::DL_DATA_TYPE,)).unwrap()).unwrap(),
        64
    );
    let error = bits.call_tuple(("nonsense",)).unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    let message = "Argument #0: Cannot convert from type `ffi.String` to `DataType`";
    assert!(error.message().starts_with(message), "{error}");
}

// spec: RUST-R08
#[test]
fn a_value_holds_a_dtype() {
    let value = dtype(DLDataTypeCode::kDLFloat, 32, 4);
    let any = Any::from(value);
    assert_eq!(any.type_index(), tvm_ffi::TypeIndex::kTVMFFIDataType as i32);
    assert_eq!(any.try_as::<DLDataType>(), Some(value));
    let text = Any::from(String::from("int8"));
    assert_eq!(text.try_as::<DLDataType>(), None);
    assert_eq!(DLDataType::try_from(text).unwrap(), i8::DL_DATA_TYPE);
    let error = DLDataType::try_from(Any::new()).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `None` to `DataType`"
    );
}

#[test]
fn rust_numbers_have_a_dtype() {
    let texts = [
        (i8::DL_DATA_TYPE, "int8"),
        (i16::DL_DATA_TYPE, "int16"),
        (i32::DL_DATA_TYPE, "int32"),
        (i64::DL_DATA_TYPE, "int64"),
        (u8::DL_DATA_TYPE, "uint8"),
        (u16::DL_DATA_TYPE, "uint16"),
        (u32::DL_DATA_TYPE, "uint32"),
        (u64::DL_DATA_TYPE, "uint64"),
        (f32::DL_DATA_TYPE, "float32"),
        (f64::DL_DATA_TYPE, "float64"),
    ];
    for (value, text) in texts {
        assert_eq!(DLDataTypeExt::to_string(&value), text);
    }
}
