// SPDX-License-Identifier: Apache-2.0
//! [`Tensor`]: a strided array with a reference count, and its views and allocators.

mod allocator;
mod dlpack;
mod dltensor;
mod elements;
mod rule;
mod typed;
mod view;

use std::fmt;
use std::os::raw::c_void;
use std::ptr;

use tvm_ffi_sys::{
    DLDataType, DLDevice, DLTensor, TVMFFIEnvTensorAlloc, TVMFFIObject, TVMFFIObjectHandle,
    TVMFFITypeIndex,
};

pub use allocator::{CPUNDAlloc, NDAllocator};
pub use dltensor::DLTensorExt;
pub use elements::{StridedCells, TensorElement};
pub use typed::{Access, ContiguousLayout, Devices, Layout, ANY_RANK};
pub use typed::{AnyDevice, ColumnMajor, Cpu, Cuda, InnerContiguous, OnDevice, Read, Rocm};
pub use typed::{RowMajor, Strided, TypedTensor, TypedTensorView, TypedTensorViewMut, Write};
pub use view::TensorRef;
#[cfg(feature = "compat")]
pub use view::TensorView;

use crate::collections::shape::Shape;
// With `compat`, users who implement `AsDLDataType` guarantee that elements have no unused bytes.
#[cfg(feature = "compat")]
use crate::dtype::AsDLDataType as CopiedElement;
use crate::dtype::DLDataTypeExt;
use crate::error::{Error, Result, OVERFLOW_ERROR, VALUE_ERROR};
use crate::object::{Object, ObjectArc, ObjectCore};
#[cfg(not(feature = "compat"))]
use TensorElement as CopiedElement;

/// The object of a [`Tensor`].
#[repr(C)]
pub struct TensorObj {
    object: Object,
    dltensor: DLTensor,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<TensorObj>() == 72);

// SAFETY: the first field is the header; the ABI defines the type index and the type key.
unsafe impl ObjectCore for TensorObj {
    const TYPE_KEY: &'static str = "ffi.Tensor";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFITensor as i32
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

/// A strided array with shared elements; clones refer to the same object.
///
/// Elements are read and written through [`Tensor::as_cells`] (contiguous tensors) and
/// [`Tensor::strided`] (any layout), which check type, device and alignment. A tensor is not
/// `Send`, because other references may write the shared elements. Nothing locks the elements: if
/// two threads get the same tensor from other code, neither writes elements that the other one
/// reads or writes.
///
/// ```
/// use tvm_ffi::Tensor;
///
/// let tensor = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// tensor.as_cells::<f32>()?[0].set(10.0);
/// assert_eq!(tensor.to_vec::<f32>()?, [10.0, 2.0, 3.0, 4.0]);
/// assert_eq!(tensor.strided::<f32>()?.get(&[1, 0])?, 3.0);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[repr(C)]
#[derive(Clone)]
pub struct Tensor {
    data: ObjectArc<TensorObj>,
}

impl Tensor {
    /// Allocate a compact row-major tensor.
    ///
    /// # Panics
    ///
    /// Panics if [`Tensor::try_from_nd_alloc`] fails.
    #[track_caller]
    pub fn from_nd_alloc<A: NDAllocator>(
        allocator: A,
        shape: &[i64],
        dtype: DLDataType,
        device: DLDevice,
    ) -> Self {
        match Self::try_from_nd_alloc(allocator, shape, dtype, device) {
            Ok(tensor) => tensor,
            Err(error) => panic!("{}", error.message()),
        }
    }

    /// Allocate a compact row-major tensor.
    ///
    /// # Errors
    ///
    /// `ValueError` for a negative extent, `OverflowError` if the size in bytes does not fit
    /// `isize`, `RuntimeError` if the allocator returns null for a tensor with elements.
    #[track_caller]
    pub fn try_from_nd_alloc<A: NDAllocator>(
        allocator: A,
        shape: &[i64],
        dtype: DLDataType,
        device: DLDevice,
    ) -> Result<Self> {
        let bytes = byte_size(shape, dtype)?;
        let data = allocator::allocate(allocator, shape, dtype, device, bytes)?;
        Ok(Tensor { data })
    }

    /// Copy `elements` into a new tensor in CPU memory.
    ///
    /// # Errors
    ///
    /// `ValueError` if a tensor of this shape does not have `elements.len()` elements, and the
    /// errors of [`Tensor::try_from_nd_alloc`].
    #[track_caller]
    pub fn from_slice<T: CopiedElement>(elements: &[T], shape: &[i64]) -> Result<Self> {
        let dtype = T::DL_DATA_TYPE;
        let bytes = byte_size(shape, dtype)?;
        if dltensor::checked_numel(shape) != Some(elements.len()) {
            let given = elements.len();
            let message = format!("Slice length mismatch: {given} elements for shape {shape:?}");
            return Err(Error::at_caller(VALUE_ERROR, &message));
        }
        if std::mem::size_of_val(elements) != bytes {
            let (size, dtype) = (std::mem::size_of::<T>(), DLDataTypeExt::to_string(&dtype));
            let message = format!("A Rust element of {size} bytes does not have data type {dtype}");
            return Err(Error::at_caller(crate::error::TYPE_ERROR, &message));
        }
        let tensor = Self::try_from_nd_alloc(CPUNDAlloc {}, shape, dtype, dltensor::CPU)?;
        let target = tensor.dltensor().data.cast::<T>();
        // SAFETY: the new tensor has `bytes` bytes, aligned to 64. Nothing else refers to the
        // tensor.
        unsafe { ptr::copy_nonoverlapping(elements.as_ptr(), target, elements.len()) };
        Ok(tensor)
    }

    /// Allocate a tensor with the allocator that a framework has set (`TVMFFIEnvTensorAlloc`). If
    /// none is set, memory of the CPU comes from the runtime.
    ///
    /// The elements are not initialised.
    ///
    /// # Errors
    ///
    /// `RuntimeError` if no allocator is set for another device, the error of the allocator, and
    /// the errors of [`Tensor::try_from_nd_alloc`].
    #[track_caller]
    pub fn from_env_alloc(shape: &[i64], dtype: DLDataType, device: DLDevice) -> Result<Self> {
        byte_size(shape, dtype)?;
        let mut prototype = DLTensor {
            data: ptr::null_mut(),
            device,
            ndim: dimensions(shape)?,
            dtype,
            shape: shape.as_ptr().cast_mut(),
            strides: ptr::null_mut(),
            byte_offset: 0,
        };
        let mut out: TVMFFIObjectHandle = ptr::null_mut();
        // SAFETY: the allocator reads the prototype only during the call.
        crate::check_safe_call!(unsafe { TVMFFIEnvTensorAlloc(&mut prototype, &mut out) })?;
        // SAFETY: on success `out` owns a tensor object.
        Ok(unsafe { Self::from_owned_handle(out) })
    }

    /// Take ownership of a strong reference to a tensor object.
    ///
    /// # Safety
    ///
    /// `handle` is an owned reference to a live `ffi.Tensor`.
    unsafe fn from_owned_handle(handle: TVMFFIObjectHandle) -> Self {
        // SAFETY: the caller gives up its reference.
        Tensor {
            data: unsafe { ObjectArc::from_raw(handle.cast::<TensorObj>().cast_const()) },
        }
    }

    /// Return the C struct.
    #[inline]
    fn dltensor(&self) -> &DLTensor {
        &self.data.dltensor
    }

    /// Return the C struct, for functions of other libraries.
    ///
    /// The pointer is valid as long as the object is alive.
    #[inline]
    pub fn as_dltensor_ptr(&self) -> *const DLTensor {
        self.dltensor()
    }

    /// Return the start of the allocation. The first element is [`Tensor::byte_offset`] bytes after
    /// it.
    #[inline]
    pub fn data_ptr(&self) -> *const c_void {
        self.dltensor().data
    }

    /// Return the start of the allocation.
    #[inline]
    pub fn data_ptr_mut(&mut self) -> *mut c_void {
        self.dltensor().data
    }

    /// Return the distance in bytes from [`Tensor::data_ptr`] to the first element.
    #[inline]
    pub fn byte_offset(&self) -> u64 {
        self.dltensor().byte_offset
    }

    /// Return whether the elements are in row-major order without gaps.
    ///
    /// The result is true if an extent is 0. Strides of dimensions with extent 1 are ignored.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.as_tensor_ref().is_contiguous()
    }

    /// Return the extents.
    #[inline]
    pub fn shape(&self) -> &[i64] {
        self.as_tensor_ref().shape()
    }

    /// Return the strides, in elements.
    #[inline]
    pub fn strides(&self) -> &[i64] {
        self.as_tensor_ref().strides_or_empty()
    }

    /// Return the number of dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// Return the number of elements; 0 if the number does not fit `usize`.
    #[inline]
    pub fn numel(&self) -> usize {
        self.as_tensor_ref().numel()
    }

    /// Return the data type of the elements.
    #[inline]
    pub fn dtype(&self) -> DLDataType {
        self.dltensor().dtype
    }

    /// Return the device that the elements are on.
    #[inline]
    pub fn device(&self) -> DLDevice {
        self.dltensor().device
    }

    /// Borrow the tensor as a view. This conversion has no cost.
    #[inline]
    pub fn as_tensor_ref(&self) -> TensorRef<'_> {
        // SAFETY: shape and strides live as long as the object, which `self` keeps alive.
        unsafe { TensorRef::from_raw(self.dltensor()) }
    }
}

/// Return the size in bytes of a tensor without gaps.
#[track_caller]
fn byte_size(shape: &[i64], dtype: DLDataType) -> Result<usize> {
    dimensions(shape)?;
    if let Some(i) = shape.iter().position(|&extent| extent < 0) {
        let message = format!("Extent {} of dimension {i} is negative", shape[i]);
        return Err(Error::at_caller(VALUE_ERROR, &message));
    }
    let numel = dltensor::checked_numel(shape);
    let bytes = numel.and_then(|numel| dltensor::checked_bytes(numel, dtype));
    match bytes {
        Some(bytes) => Ok(bytes),
        None => {
            let dtype = DLDataTypeExt::to_string(&dtype);
            let message = format!("The size of a tensor of {} {shape:?} does not fit", &*dtype);
            Err(Error::at_caller(OVERFLOW_ERROR, &message))
        }
    }
}

/// Return the number of dimensions as the C struct stores it, or an error if there are too many.
#[track_caller]
fn dimensions(shape: &[i64]) -> Result<i32> {
    match i32::try_from(shape.len()) {
        Ok(ndim) => Ok(ndim),
        Err(_) => {
            let message = format!("A tensor cannot have {} dimensions", shape.len());
            Err(Error::at_caller(VALUE_ERROR, &message))
        }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_tensor_ref().describe("Tensor", f)
    }
}

/// Return the row-major strides of a shape. The caller has checked the size of the tensor.
fn compact_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![0; shape.len()];
    Shape::fill_strides_from_shape(shape, &mut strides);
    strides
}

crate::impl_object_ref!(Tensor, TensorObj);
crate::impl_object_upcast!(Tensor => crate::object::ObjectRef);
