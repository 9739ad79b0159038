// SPDX-License-Identifier: Apache-2.0
//! What a typed tensor requires of an array, the check, and the texts about it. They are those of
//! `include/tvm/ffi/detail/tensor_rule.h`; `tests/rust/test_typed_tensors.py` compares the two.

use tvm_ffi_sys::{DLDataType, DLDevice, DLDeviceType, TVMFFIAny, TVMFFITypeIndex};

use super::dltensor;
use super::TensorRef;
use crate::any::AnyView;
use crate::dtype::DLDataTypeExt;
use crate::error::{Error, TYPE_ERROR, VALUE_ERROR};

/// The order of the elements in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    RowMajor,
    ColumnMajor,
    InnerContiguous,
    Strided,
}

/// What a typed tensor requires of an array.
pub struct TensorRule {
    pub dtype: DLDataType,
    /// The alignment of the first element in bytes.
    pub alignment: usize,
    /// Whether the elements are only read.
    pub is_const: bool,
    /// The number of dimensions, or `None` for any.
    pub rank: Option<usize>,
    pub order: Order,
    /// The types of devices, or `None` for any.
    pub devices: Option<&'static [DLDeviceType]>,
}

/// The checks of a rule, in their order.
enum Check {
    DType,
    Rank,
    Device,
    Extents,
    Order,
    Memory,
    Alignment,
}

impl TensorRule {
    /// Return the first check that an array does not pass.
    #[inline]
    fn failed_check(&self, tensor: TensorRef<'_>) -> Option<Check> {
        let shape = tensor.shape();
        if tensor.dtype() != self.dtype {
            return Some(Check::DType);
        }
        if self.rank.is_some_and(|rank| rank != shape.len()) {
            return Some(Check::Rank);
        }
        let device = tensor.device().device_type;
        if self.devices.is_some_and(|types| !types.contains(&device)) {
            return Some(Check::Device);
        }
        if shape.iter().any(|&extent| extent < 0) {
            return Some(Check::Extents);
        }
        if shape.contains(&0) {
            return None;
        }
        if !self.has_order(shape, tensor.strides()) {
            return Some(Check::Order);
        }
        if tensor.data_ptr().is_null() {
            return Some(Check::Memory);
        }
        // On other devices, `data` may be a handle and not an address.
        let address = match is_direct_address(device) {
            true => tensor.data_ptr() as u64,
            false => 0,
        };
        let position = address.wrapping_add(tensor.dltensor().byte_offset);
        (position % self.alignment as u64 != 0).then_some(Check::Alignment)
    }

    #[inline]
    fn has_order(&self, shape: &[i64], strides: Option<&[i64]>) -> bool {
        match self.order {
            Order::Strided => true,
            Order::RowMajor => dltensor::is_contiguous(shape, strides),
            Order::InnerContiguous => match (shape.last(), strides.and_then(|all| all.last())) {
                (Some(&extent), Some(&stride)) => extent == 1 || stride == 1,
                _ => true,
            },
            Order::ColumnMajor => {
                let mut expected = 1i64;
                shape.iter().enumerate().all(|(i, &extent)| {
                    // An array without strides is row-major. It is also column-major if at most one
                    // extent is above 1.
                    let stride = strides.map_or(1, |strides| strides[i]);
                    let fits = extent == 1 || stride == expected;
                    expected = expected.wrapping_mul(extent);
                    fits
                })
            }
        }
    }

    /// Return whether the array fits.
    #[inline]
    pub fn accepts(&self, tensor: TensorRef<'_>) -> bool {
        self.failed_check(tensor).is_none()
    }

    /// Return the error for an array that does not fit.
    #[cold]
    #[track_caller]
    pub fn refusal(&self, tensor: TensorRef<'_>) -> Error {
        let shape = format!("shape {}", tuple_text(tensor.shape()));
        let mut kind = VALUE_ERROR;
        let given = match self.failed_check(tensor) {
            Some(Check::DType) => {
                kind = TYPE_ERROR;
                let found = DLDataTypeExt::to_string(&tensor.dtype());
                let wanted = self.dtype_name();
                format!(
                    "{}, {shape}: convert it with x.astype(\"{wanted}\")",
                    &*found
                )
            }
            Some(Check::Device) => format!("an array on {}", device_text(tensor.device())),
            Some(Check::Order) => {
                let function = match self.order {
                    Order::ColumnMajor => "asfortranarray",
                    _ => "ascontiguousarray",
                };
                let strides = match tensor.strides() {
                    Some(strides) => format!("strides {}", tuple_text(strides)),
                    None => format!("no strides, and {shape}"),
                };
                format!("{strides}: use numpy.{function}(x)")
            }
            Some(Check::Memory) => format!("no memory (data is NULL), {shape}"),
            Some(Check::Alignment) => {
                let alignment = self.alignment;
                format!("memory that is not aligned to {alignment} bytes: pass a copy")
            }
            Some(Check::Rank | Check::Extents) | None => shape,
        };
        let message = format!("expected {}; got {given}", self.expected());
        Error::of_crate(kind, &message)
    }

    /// Return the error for a value that is not a tensor.
    #[cold]
    #[track_caller]
    pub fn wrong_kind(&self, value: &TVMFFIAny) -> Error {
        let found = crate::object::type_key_of(value.type_index);
        let message = format!("Expected `{}` but got `{found}`", self.name());
        Error::of_crate(TYPE_ERROR, &message)
    }

    fn dtype_name(&self) -> String {
        DLDataTypeExt::to_string(&self.dtype).to_string()
    }

    /// Return the name of the type in signatures, such as `Tensor[float32, 2]`.
    pub fn name(&self) -> String {
        let rank = self.rank.map(|rank| format!(", {rank}"));
        format!("Tensor[{}{}]", self.dtype_name(), rank.unwrap_or_default())
    }

    /// Return the JSON schema: that of the untyped tensor with the entry `tensor`.
    pub fn schema(&self, untyped: &str) -> String {
        let is_const = if self.is_const { ",\"const\":true" } else { "" };
        let dtype = self.dtype_name();
        let shape = self.rank.map_or(String::new(), |rank| {
            format!(",\"shape\":[{}]", vec!["null"; rank].join(","))
        });
        let layout = match self.order {
            Order::RowMajor => "row_major",
            Order::ColumnMajor => "column_major",
            Order::InnerContiguous => "inner_contiguous",
            Order::Strided => "strided",
        };
        let devices = self.devices.map_or(String::new(), |types| {
            format!(",\"device\":[\"{}\"]", device_names(types).join("\",\""))
        });
        let align = match self.alignment {
            1 => String::new(),
            alignment => format!(",\"align\":{alignment}"),
        };
        format!(
            "{{\"type\":\"{untyped}\"{is_const},\"tensor\":{{\"dtype\":[\"{dtype}\"]{shape},\
             \"layout\":\"{layout}\"{devices}{align}}}}}"
        )
    }

    /// Return all that the rule expects in words.
    fn expected(&self) -> String {
        let name = self.dtype_name();
        let article = if name.starts_with("int") { "an" } else { "a" };
        let rank = match self.rank {
            None => String::new(),
            Some(1) => " of 1 dimension".to_string(),
            Some(rank) => format!(" of {rank} dimensions"),
        };
        let order = match self.order {
            Order::RowMajor => ", C-contiguous",
            Order::ColumnMajor => ", Fortran-contiguous",
            Order::InnerContiguous => ", with a contiguous last dimension",
            Order::Strided => "",
        };
        let devices = self.devices.map_or(String::new(), |types| {
            let mut names = device_names(types);
            names.retain(|name| !name.ends_with("_host"));
            format!(", on {}", names.join(" or "))
        });
        format!("{article} {name} array{rank}{order}{devices}")
    }
}

#[inline]
fn is_direct_address(device: DLDeviceType) -> bool {
    let other = [
        DLDeviceType::kDLCUDAManaged,
        DLDeviceType::kDLROCM,
        DLDeviceType::kDLROCMHost,
    ];
    device.0 <= DLDeviceType::kDLCUDAHost.0 || other.contains(&device)
}

fn tuple_text(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let comma = if numbers.len() == 1 { "," } else { "" };
    format!("({}{comma})", texts.join(", "))
}

/// Return a device as `cuda:1`.
fn device_text(device: DLDevice) -> String {
    format!("{:?}", AnyView::from(&device))
}

fn device_names(types: &[DLDeviceType]) -> Vec<String> {
    let name = |&ty| device_text(DLDevice::new(ty, 0)).replace(":0", "");
    types.iter().map(name).collect()
}

/// Return the array in a value, or `None` if the value is not a tensor.
///
/// # Safety
///
/// The value is alive during `'a`.
#[inline]
pub unsafe fn tensor_of<'a>(value: &TVMFFIAny) -> Option<TensorRef<'a>> {
    // SAFETY: the caller guarantees that the value is alive.
    let tensor = unsafe { super::view::tensor_pointer(value) };
    // SAFETY: the pointer is not null, and the caller guarantees that the tensor is alive.
    (!tensor.is_null()).then(|| unsafe { TensorRef::from_raw(tensor) })
}

/// Return whether a value is a tensor object.
#[inline]
pub fn is_object(value: &TVMFFIAny) -> bool {
    value.type_index == TVMFFITypeIndex::kTVMFFITensor as i32
}
