// SPDX-License-Identifier: Apache-2.0
//! Data types of tensor elements: their text form, and the Rust types that have a data type.

use tvm_ffi_sys::{
    DLDataType, DLDataTypeCode, TVMFFIAny, TVMFFIByteArray, TVMFFIDataTypeFromString,
    TVMFFIDataTypeToString, TVMFFITypeIndex,
};

use crate::any::{Any, AnyView};
use crate::error::{Error, Result};
use crate::string::String;
use crate::type_traits::AnyCompatible;

/// Conversion of a [`DLDataType`] to and from text, such as `float32x4`.
pub trait DLDataTypeExt: Sized {
    /// Return the text form of the data type. For a type code without a name, the text is
    /// `unknown(code=C, bits=B, lanes=L)`.
    fn to_string(&self) -> String;

    /// Parse a text such as `int32`, `f16`, `bool` or `float8_e4m3fn`.
    ///
    /// # Errors
    ///
    /// `ValueError` if the text is not a data type; the message names the wrong part.
    fn try_from_str(text: &str) -> Result<Self>;
}

impl DLDataTypeExt for DLDataType {
    fn to_string(&self) -> String {
        let mut out = TVMFFIAny::new();
        // SAFETY: `self` is a data type; the call overwrites `out`.
        if unsafe { TVMFFIDataTypeToString(self, &mut out) } != 0 {
            // Empty the error slot of this thread, so that no later call reports the error.
            let _unknown_code = Error::from_raised();
            let DLDataType { code, bits, lanes } = self;
            return format!("unknown(code={code}, bits={bits}, lanes={lanes})").into();
        }
        // SAFETY: on success `out` owns a string.
        let text = unsafe { Any::from_raw_ffi_any(out) };
        text.try_as::<String>().unwrap_or_default()
    }

    fn try_from_str(text: &str) -> Result<Self> {
        let mut out = DLDataType {
            code: 0,
            bits: 0,
            lanes: 0,
        };
        // SAFETY: the view is used during the call only; the call overwrites `out`.
        crate::check_safe_call!(unsafe {
            TVMFFIDataTypeFromString(&TVMFFIByteArray::from_str(text), &mut out)
        })?;
        Ok(out)
    }
}

/// A Rust number type that corresponds to a data type with one lane.
///
/// The trait is implemented for the integers of 8 to 64 bits, `f32` and `f64`. Any bytes are a
/// valid value of these types.
pub trait AsDLDataType: Copy {
    /// The data type.
    const DL_DATA_TYPE: DLDataType;
}

macro_rules! impl_as_dl_data_type {
    ($($number:ty: $code:ident $bits:literal,)*) => {$(
        impl AsDLDataType for $number {
            const DL_DATA_TYPE: DLDataType = DLDataType::new(DLDataTypeCode::$code, $bits, 1);
        }
    )*};
}

impl_as_dl_data_type!(
    i8: kDLInt 8,
    i16: kDLInt 16,
    i32: kDLInt 32,
    i64: kDLInt 64,
    u8: kDLUInt 8,
    u16: kDLUInt 16,
    u32: kDLUInt 32,
    u64: kDLUInt 64,
    f32: kDLFloat 32,
    f64: kDLFloat 64,
);

// SAFETY: a data type does not own anything; `kTVMFFIDataType` is the type index of data types.
unsafe impl AnyCompatible for DLDataType {
    #[inline]
    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        *data = TVMFFIAny::new();
        data.type_index = TVMFFITypeIndex::kTVMFFIDataType as i32;
        data.data_union.v_dtype = *src;
    }

    #[inline]
    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        // SAFETY: the value does not own anything, so a view of it is also an owned value.
        unsafe { Self::copy_to_any_view(&src, data) };
    }

    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == TVMFFITypeIndex::kTVMFFIDataType as i32
    }

    #[inline]
    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        // SAFETY: the caller checked that the payload is a data type.
        unsafe { data.data_union.v_dtype }
    }

    #[inline]
    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Self::copy_from_any_view_after_check(data) }
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that `data` is valid; the view is used only during the
        // call.
        let text = String::try_from(unsafe { AnyView::from_raw_ffi_any(*data) }).map_err(|_| ())?;
        Self::try_from_str(&text).map_err(|_| ())
    }

    fn type_str() -> std::string::String {
        "DataType".to_string()
    }
}

crate::impl_try_from_any!(DLDataType);
crate::impl_arg_into_ref!(DLDataType);
crate::impl_into_arg_holder_default!(DLDataType);
