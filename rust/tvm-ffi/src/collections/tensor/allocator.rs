// SPDX-License-Identifier: Apache-2.0
//! Tensors in memory of a Rust allocator.

use std::alloc::{alloc_zeroed, dealloc, Layout};
use std::os::raw::c_void;
use std::ptr;

use tvm_ffi_sys::{DLDataType, DLDevice, DLTensor, TVMFFIObject};

use super::{compact_strides, dimensions, dltensor, DLTensorExt, TensorObj};
use crate::error::{Error, Result, RUNTIME_ERROR};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectCoreWithExtraItems};

/// Allocates and frees the elements of tensors.
///
/// # Safety
///
/// `alloc_data` returns null, or memory for all elements of the prototype (row-major, no gaps). The
/// memory is aligned to `MIN_ALIGN`, and lives until `free_data` is called. Memory of CPU tensors
/// is initialised. Both functions work on any thread. `free_data` may run on another thread than
/// `alloc_data` did.
pub unsafe trait NDAllocator: 'static {
    /// Alignment of the memory in bytes.
    const MIN_ALIGN: usize;

    /// Allocate the elements of a tensor; return null if the allocation fails.
    ///
    /// # Safety
    ///
    /// Device, type and shape of `prototype` are valid, and the size of the tensor in bytes fits
    /// `isize`.
    unsafe fn alloc_data(&mut self, prototype: &DLTensor) -> *mut c_void;

    /// Free the elements of a tensor. The function is not called if `alloc_data` returned null.
    ///
    /// # Safety
    ///
    /// `tensor` has the memory that `alloc_data` returned, and nothing uses this memory any more.
    unsafe fn free_data(&mut self, tensor: &DLTensor);
}

/// Allocates zeroed memory with the global allocator.
#[derive(Debug, Clone, Copy, Default)]
pub struct CPUNDAlloc {}

impl CPUNDAlloc {
    /// Return the memory layout of the elements. The size of the layout is at least one byte, so
    /// that empty tensors have an address.
    ///
    /// # Safety
    ///
    /// The shape of the tensor is valid.
    unsafe fn layout(tensor: &DLTensor) -> Option<Layout> {
        // SAFETY: the caller guarantees that the shape is valid.
        let numel = unsafe { tensor.checked_numel() }?;
        let bytes = dltensor::checked_bytes(numel, tensor.dtype)?;
        Layout::from_size_align(bytes.max(1), Self::MIN_ALIGN).ok()
    }
}

// SAFETY: `alloc_zeroed` returns zeroed and aligned memory, and all threads share the global
// allocator. Both functions compute the size from the same shape.
unsafe impl NDAllocator for CPUNDAlloc {
    const MIN_ALIGN: usize = 64;

    unsafe fn alloc_data(&mut self, prototype: &DLTensor) -> *mut c_void {
        // SAFETY: the caller guarantees that the prototype is valid; the layout is not empty.
        match unsafe { Self::layout(prototype) } {
            Some(layout) => unsafe { alloc_zeroed(layout).cast() },
            None => ptr::null_mut(),
        }
    }

    unsafe fn free_data(&mut self, tensor: &DLTensor) {
        // SAFETY: the caller guarantees that the memory came from `alloc_data` with the same shape.
        unsafe {
            if let Some(layout) = Self::layout(tensor) {
                dealloc(tensor.data.cast(), layout);
            }
        }
    }
}

/// A tensor object with its allocator. In memory, `ndim` extents and `ndim` strides follow the
/// struct.
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
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { TensorObj::object_header_mut(&mut this.tensor) }
    }
}

// SAFETY: `ndim` does not change, so the number of items is constant; zero bytes are a valid `i64`.
unsafe impl<A: NDAllocator> ObjectCoreWithExtraItems for AllocatedTensorObj<A> {
    type ExtraItem = i64;

    fn extra_items_count(this: &Self) -> usize {
        this.tensor.dltensor.ndim as usize * 2
    }
}

impl<A: NDAllocator> Drop for AllocatedTensorObj<A> {
    fn drop(&mut self) {
        if !self.tensor.dltensor.data.is_null() {
            // SAFETY: the memory came from this allocator; the object is being destroyed.
            unsafe { self.allocator.free_data(&self.tensor.dltensor) };
        }
    }
}

/// Create a tensor object with elements from `allocator`. `bytes` is the checked size of the
/// elements.
#[track_caller]
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
    // SAFETY: the object is new, so nothing else refers to it. Memory for `2 * ndim` numbers
    // follows the struct.
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
        let (kind, id) = (device.device_type.0, device.device_id);
        let message =
            format!("The allocator returned no memory for {bytes} bytes on device ({kind}, {id})");
        return Err(Error::at_caller(RUNTIME_ERROR, &message));
    }
    // SAFETY: the object starts with a tensor object; the deleter frees the whole object.
    Ok(unsafe { ObjectArc::from_raw(ObjectArc::into_raw(object).cast()) })
}
