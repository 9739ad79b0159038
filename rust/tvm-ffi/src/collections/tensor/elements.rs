// SPDX-License-Identifier: Apache-2.0
//! Access to the elements of tensors in CPU memory. The functions check type, device, layout and
//! alignment.

use std::borrow::Cow;
use std::cell::Cell;
use std::marker::PhantomData;

use tvm_ffi_sys::{DLDataType, DLTensor};

use super::{compact_strides, dltensor, Tensor, TensorRef};
use crate::collections::seq;
use crate::dtype::{AsDLDataType, DLDataTypeExt};
use crate::error::{Error, Result, INDEX_ERROR, RUNTIME_ERROR, TYPE_ERROR, VALUE_ERROR};

/// A number type. The elements of a tensor can be read as values of such a type.
///
/// # Safety
///
/// Any bytes are a valid value of the type, and the size of the type is that of its data type.
pub unsafe trait TensorElement: AsDLDataType {}

macro_rules! impl_tensor_element {
    ($($number:ty)*) => {$(
        // SAFETY: any bytes are a valid number.
        unsafe impl TensorElement for $number {}
    )*};
}

impl_tensor_element!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

/// Return the address of the first element. If `numel` is not 0, check that the tensor has data and
/// that the address is aligned.
#[inline]
#[track_caller]
fn first_element<T: AsDLDataType>(tensor: &DLTensor, numel: usize) -> Result<*mut T> {
    let offset = usize::try_from(tensor.byte_offset).unwrap_or(usize::MAX);
    // The first element is inside the allocation, so the address of a valid tensor does not wrap
    // around.
    let first = tensor.data.cast::<u8>().wrapping_add(offset).cast::<T>();
    if numel != 0 {
        if tensor.data.is_null() {
            let message = format!("Tensor with {numel} elements has no data");
            return Err(Error::at_caller(VALUE_ERROR, &message));
        }
        if !first.is_aligned() {
            let align = std::mem::align_of::<T>();
            let message = format!("Tensor data is not aligned to {align} bytes");
            return Err(Error::at_caller(RUNTIME_ERROR, &message));
        }
    }
    Ok(first)
}

/// Check the data type and the device, and return the number of elements.
#[inline]
#[track_caller]
fn check_elements<T: AsDLDataType>(tensor: TensorRef<'_>) -> Result<usize> {
    let (expected, found) = (T::DL_DATA_TYPE, tensor.dtype());
    if expected != found || dltensor::item_bits(expected) != std::mem::size_of::<T>() * 8 {
        return Err(wrong_type(found, expected));
    }
    if tensor.device().device_type != dltensor::CPU.device_type {
        return Err(Error::at_caller(RUNTIME_ERROR, "Tensor is not on CPU"));
    }
    let numel = dltensor::checked_numel(tensor.shape());
    match numel.filter(|&numel| dltensor::checked_bytes(numel, found).is_some()) {
        Some(numel) => Ok(numel),
        None => Err(invalid_shape(tensor.shape())),
    }
}

#[cold]
#[track_caller]
fn wrong_type(found: DLDataType, expected: DLDataType) -> Error {
    let (found, expected) = (
        DLDataTypeExt::to_string(&found),
        DLDataTypeExt::to_string(&expected),
    );
    let message = format!("Tensor has data type {}, expected {}", &*found, &*expected);
    Error::at_caller(TYPE_ERROR, &message)
}

#[cold]
#[track_caller]
fn invalid_shape(shape: &[i64]) -> Error {
    let message = format!("Tensor has an invalid shape {shape:?}");
    Error::at_caller(VALUE_ERROR, &message)
}

/// Return the address and the number of the elements of a contiguous tensor.
#[inline]
#[track_caller]
fn contiguous<T: AsDLDataType>(tensor: TensorRef<'_>) -> Result<(*mut T, usize)> {
    let numel = check_elements::<T>(tensor)?;
    if !tensor.is_contiguous() {
        let message = "Tensor is not contiguous";
        return Err(Error::at_caller(RUNTIME_ERROR, message));
    }
    if numel == 0 {
        return Ok((std::ptr::NonNull::dangling().as_ptr(), 0));
    }
    Ok((first_element(tensor.dltensor(), numel)?, numel))
}

impl<'a> TensorRef<'a> {
    /// Return the elements in row-major order.
    ///
    /// The elements are cells, because all references to the tensor share them.
    ///
    /// # Errors
    ///
    /// `TypeError` if the data type of the tensor is not that of `T`; `RuntimeError` if the tensor
    /// is not on the CPU, not contiguous or not aligned.
    #[track_caller]
    pub fn as_cells<T: TensorElement>(&self) -> Result<&'a [Cell<T>]> {
        let (first, numel) = contiguous::<T>(*self)?;
        // SAFETY: the caller of `from_raw` guaranteed that the elements are valid. Address, size
        // and alignment were checked, any bytes are a `T`, and a cell has the layout of its value.
        Ok(unsafe { std::slice::from_raw_parts(first.cast(), numel) })
    }

    /// Return an accessor of the elements by index, for any strides.
    ///
    /// # Errors
    ///
    /// `TypeError` if the data type of the tensor is not that of `T`; `RuntimeError` if the tensor
    /// is not on the CPU or not aligned.
    #[track_caller]
    pub fn strided<T: TensorElement>(&self) -> Result<StridedCells<'a, T>> {
        let numel = check_elements::<T>(*self)?;
        let first = first_element(self.dltensor(), numel)?;
        Ok(StridedCells::trusted(first, *self))
    }

    /// Copy the elements in row-major order, for any strides.
    ///
    /// # Errors
    ///
    /// The errors are those of [`TensorRef::strided`].
    #[track_caller]
    pub fn to_vec<T: TensorElement>(&self) -> Result<Vec<T>> {
        if self.is_contiguous() {
            return Ok(self.as_cells()?.iter().map(Cell::get).collect());
        }
        self.strided()?.to_vec()
    }
}

impl Tensor {
    /// Return the elements in row-major order; see [`TensorRef::as_cells`].
    ///
    /// # Errors
    ///
    /// The errors are those of [`TensorRef::as_cells`].
    #[track_caller]
    pub fn as_cells<T: TensorElement>(&self) -> Result<&[Cell<T>]> {
        self.as_tensor_ref().as_cells()
    }

    /// Return an accessor of the elements by index, for any strides; see [`TensorRef::strided`].
    ///
    /// # Errors
    ///
    /// The errors are those of [`TensorRef::strided`].
    #[track_caller]
    pub fn strided<T: TensorElement>(&self) -> Result<StridedCells<'_, T>> {
        self.as_tensor_ref().strided()
    }

    /// Copy the elements in row-major order, for any strides; see [`TensorRef::to_vec`].
    ///
    /// # Errors
    ///
    /// The errors are those of [`TensorRef::to_vec`].
    #[track_caller]
    pub fn to_vec<T: TensorElement>(&self) -> Result<Vec<T>> {
        self.as_tensor_ref().to_vec()
    }

    /// Return the elements in row-major order.
    ///
    /// Not sound: other references to the tensor may write elements during the borrow, and the
    /// bytes of an element may not be a valid `T`. The sound alternatives are [`Tensor::as_cells`]
    /// and [`Tensor::to_vec`].
    ///
    /// # Errors
    ///
    /// The errors are those of [`TensorRef::as_cells`].
    #[cfg(feature = "compat")]
    #[track_caller]
    pub fn data_as_slice<T: AsDLDataType>(&self) -> Result<&[T]> {
        let (first, numel) = contiguous::<T>(self.as_tensor_ref())?;
        // SAFETY: `contiguous` has checked address, size and alignment. The documentation requires
        // that the caller meets the other conditions.
        Ok(unsafe { std::slice::from_raw_parts(first, numel) })
    }

    /// Return the elements in row-major order as a mutable slice.
    ///
    /// Not sound: other references to the elements may exist. The sound alternative is
    /// [`Tensor::as_cells`].
    ///
    /// # Errors
    ///
    /// The errors are those of [`TensorRef::as_cells`].
    #[cfg(feature = "compat")]
    #[allow(clippy::mut_from_ref)]
    #[track_caller]
    pub fn data_as_slice_mut<T: AsDLDataType>(&self) -> Result<&mut [T]> {
        let (first, numel) = contiguous::<T>(self.as_tensor_ref())?;
        // SAFETY: `contiguous` has checked address, size and alignment. The documentation requires
        // that the caller meets the other conditions.
        Ok(unsafe { std::slice::from_raw_parts_mut(first, numel) })
    }
}

/// Access to the elements of a tensor by index, for any strides.
pub struct StridedCells<'a, T> {
    first: *mut T,
    shape: &'a [i64],
    strides: Cow<'a, [i64]>,
    elements: PhantomData<&'a Cell<T>>,
}

impl<'a, T: TensorElement> StridedCells<'a, T> {
    /// Return an accessor. The caller has checked the data type, the device and the alignment of
    /// the tensor, whose first element has the address `first`.
    #[inline]
    pub(super) fn trusted(first: *mut T, tensor: TensorRef<'a>) -> Self {
        let shape = tensor.shape();
        StridedCells {
            first,
            shape,
            strides: match tensor.strides() {
                Some(strides) => Cow::Borrowed(strides),
                None => Cow::Owned(compact_strides(shape)),
            },
            elements: PhantomData,
        }
    }

    /// Return the extents.
    pub fn shape(&self) -> &'a [i64] {
        self.shape
    }

    /// Return the strides, in elements.
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// Return the element at an index. The index has one number per dimension.
    ///
    /// # Errors
    ///
    /// `IndexError` if the index has another length or is outside the shape.
    #[track_caller]
    pub fn get(&self, index: &[usize]) -> Result<T> {
        Ok(self.cell(index)?.get())
    }

    /// Replace the element at an index.
    ///
    /// # Errors
    ///
    /// The errors are those of [`StridedCells::get`].
    #[track_caller]
    pub fn set(&self, index: &[usize], value: T) -> Result<()> {
        self.cell(index)?.set(value);
        Ok(())
    }

    /// Return the element at an index as a cell.
    ///
    /// # Errors
    ///
    /// The errors are those of [`StridedCells::get`].
    #[track_caller]
    pub fn cell(&self, index: &[usize]) -> Result<&'a Cell<T>> {
        let inside = index.len() == self.shape.len()
            && index
                .iter()
                .zip(self.shape)
                .all(|(&i, &extent)| (i as u64) < extent as u64);
        if !inside {
            return Err(self.outside(index));
        }
        let offset = index
            .iter()
            .zip(self.strides.iter())
            .try_fold(0i64, |sum, (&i, &stride)| {
                sum.checked_add((i as i64).checked_mul(stride)?)
            })
            .and_then(|offset| isize::try_from(offset).ok());
        match offset {
            // SAFETY: the index is inside the shape, and the creator of the tensor guarantees that
            // the strides lead to elements.
            Some(offset) => Ok(unsafe { &*self.first.offset(offset).cast::<Cell<T>>() }),
            None => {
                let message = format!("Strides {:?} lead outside of memory", self.strides);
                Err(Error::at_caller(VALUE_ERROR, &message))
            }
        }
    }

    #[cold]
    #[track_caller]
    fn outside(&self, index: &[usize]) -> Error {
        let (given, expected) = (index.len(), self.shape.len());
        let reason = if given == expected {
            String::new()
        } else {
            format!(": it has length {given}, expected {expected}, one number per dimension")
        };
        let shape = self.shape;
        let index: Vec<isize> = index.iter().map(|&i| seq::given_index(i)).collect();
        let message = format!("Index {index:?} is out of bounds of shape {shape:?}{reason}");
        Error::at_caller(INDEX_ERROR, &message)
    }

    /// Copy the elements in row-major order.
    ///
    /// # Errors
    ///
    /// `ValueError` if a stride is larger than the address space.
    #[track_caller]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let numel = dltensor::checked_numel(self.shape).unwrap_or(0);
        let mut index = vec![0usize; self.shape.len()];
        let mut elements = Vec::new();
        for _ in 0..numel {
            elements.push(self.get(&index)?);
            for (i, &extent) in index.iter_mut().zip(self.shape).rev() {
                *i += 1;
                if (*i as u64) < extent as u64 {
                    break;
                }
                *i = 0;
            }
        }
        Ok(elements)
    }
}
