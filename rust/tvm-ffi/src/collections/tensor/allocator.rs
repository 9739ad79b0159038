// SPDX-License-Identifier: Apache-2.0
//! Tensors whose memory a Rust allocator provides.

use std::alloc::{alloc_zeroed, dealloc, Layout};
use std::os::raw::c_void;
use std::ptr;

use tvm_ffi_sys::{DLDataType, DLDevice, DLTensor, TVMFFIObject};

use super::{compact_strides, dimensions, dltensor, DLTensorExt, TensorObj};
use crate::error::{Result, RUNTIME_ERROR};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectCoreWithExtraItems};

/// Allocates and frees the elements of tensors.
///
/// # Safety
///
/// `alloc_data` returns null, or memory aligned to `MIN_ALIGN` for all elements of the prototype
/// (row-major, without gaps) that lives until `free_data`. Memory of CPU tensors is initialised.
/// Both functions may be called from any thread; a tensor may be freed by another thread than made
/// it.
pub unsafe trait NDAllocator: 'static {
    /// Alignment of the memory in bytes.
    const MIN_ALIGN: usize;

    /// Allocate the elements of a tensor; null if that fails.
    ///
    /// # Safety
    ///
    /// `prototype` has valid device, type and shape; its size in bytes fits `isize`.
    unsafe fn alloc_data(&mut self, prototype: &DLTensor) -> *mut c_void;

    /// Free the elements of a tensor. Not called if `alloc_data` returned null.
    ///
    /// # Safety
    ///
    /// `tensor` has the memory that `alloc_data` returned for it, and nothing uses it any more.
    unsafe fn free_data(&mut self, tensor: &DLTensor);
}

/// Allocates zeroed memory of the process.
#[derive(Debug, Clone, Copy, Default)]
pub struct CPUNDAlloc {}

impl CPUNDAlloc {
    /// Return the layout of the elements; at least one byte, so that empty tensors have an address.
    ///
    /// # Safety
    ///
    /// The shape of the tensor is valid.
    unsafe fn layout(tensor: &DLTensor) -> Option<Layout> {
        // SAFETY: the caller vouches for the shape.
        let numel = unsafe { tensor.checked_numel() }?;
        let bytes = dltensor::checked_bytes(numel, tensor.dtype)?;
        Layout::from_size_align(bytes.max(1), Self::MIN_ALIGN).ok()
    }
}

// SAFETY: the memory comes zeroed and aligned from the allocator of the process, which all threads
// share; the size is computed from the same shape in both functions.
unsafe impl NDAllocator for CPUNDAlloc {
    const MIN_ALIGN: usize = 64;

    unsafe fn alloc_data(&mut self, prototype: &DLTensor) -> *mut c_void {
        // SAFETY: the caller vouches for the prototype; the layout is not empty.
        match unsafe { Self::layout(prototype) } {
            Some(layout) => unsafe { alloc_zeroed(layout).cast() },
            None => ptr::null_mut(),
        }
    }

    unsafe fn free_data(&mut self, tensor: &DLTensor) {
        // SAFETY: the caller vouches that the memory came from `alloc_data` with this shape.
        unsafe {
            if let Some(layout) = Self::layout(tensor) {
                dealloc(tensor.data.cast(), layout);
            }
        }
    }
}

/// A tensor object with its allocator; `ndim` extents and `ndim` strides follow.
#[repr(C)]
struct AllocatedTensorObj<A: NDAllocator> {
    tensor: TensorObj,
    allocator: A,
}

// SAFETY: the first field is a tensor object.
unsafe impl<A: NDAllocator> ObjectCore for AllocatedTensorObj<A> {
    const TYPE_KEY: &'static str = TensorObj::TYPE_KEY;
    const TYPE_DEPTH: i32 = TensorObj::TYPE_DEPTH;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TensorObj::type_index()
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the caller's obligation is the same.
        unsafe { TensorObj::object_header_mut(&mut this.tensor) }
    }
}

// SAFETY: the number of dimensions does not change; zero bytes are an extent.
unsafe impl<A: NDAllocator> ObjectCoreWithExtraItems for AllocatedTensorObj<A> {
    type ExtraItem = i64;

    fn extra_items_count(this: &Self) -> usize {
        this.tensor.dltensor.ndim as usize * 2
    }
}

impl<A: NDAllocator> Drop for AllocatedTensorObj<A> {
    fn drop(&mut self) {
        if !self.tensor.dltensor.data.is_null() {
            // SAFETY: the memory came from this allocator; the object is going away.
            unsafe { self.allocator.free_data(&self.tensor.dltensor) };
        }
    }
}

/// Make a tensor object with elements from `allocator`; `bytes` is their checked size.
pub(super) fn allocate<A: NDAllocator>(
    allocator: A,
    shape: &[i64],
    dtype: DLDataType,
    device: DLDevice,
    bytes: usize,
) -> Result<ObjectArc<TensorObj>> {
    let dltensor = DLTensor {
        data: ptr::null_mut(),
        device,
        ndim: dimensions(shape)?,
        dtype,
        shape: ptr::null_mut(),
        strides: ptr::null_mut(),
        byte_offset: 0,
    };
    let tensor = TensorObj {
        object: Object::new(),
        dltensor,
    };
    let mut object = ObjectArc::new_with_extra_items(AllocatedTensorObj { tensor, allocator });
    let strides = compact_strides(shape);
    // SAFETY: the object is new, so nothing else refers to it; twice `ndim` numbers lie behind it.
    let data = unsafe {
        let this = ObjectArc::as_raw_mut(&mut object);
        let items = this.add(1).cast::<i64>();
        ptr::copy_nonoverlapping(shape.as_ptr(), items, shape.len());
        ptr::copy_nonoverlapping(strides.as_ptr(), items.add(shape.len()), shape.len());
        (*this).tensor.dltensor.shape = items;
        (*this).tensor.dltensor.strides = items.add(shape.len());
        let prototype = (*this).tensor.dltensor;
        (*this).tensor.dltensor.data = (*this).allocator.alloc_data(&prototype);
        (*this).tensor.dltensor.data
    };
    if data.is_null() && bytes != 0 {
        crate::bail!(
            RUNTIME_ERROR,
            "The allocator returned no memory for {} bytes on device ({}, {})",
            bytes,
            device.device_type.0,
            device.device_id
        );
    }
    // SAFETY: the object starts with a tensor object; the deleter frees all of it.
    Ok(unsafe { ObjectArc::from_raw(ObjectArc::into_raw(object).cast()) })
}
