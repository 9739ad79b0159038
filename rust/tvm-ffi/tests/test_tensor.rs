// SPDX-License-Identifier: Apache-2.0
//! Tensors: allocation, elements, and exchange through DLPack.

mod common;

use std::os::raw::{c_char, c_void};
use std::panic::catch_unwind;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use tvm_ffi::collections::tensor::DLTensorExt;
use tvm_ffi::tvm_ffi_sys::{
    DLManagedTensor, DLManagedTensorVersioned, DLPackManagedTensorAllocator, DLPackVersion,
    DLTensor, TVMFFIEnvSetDLPackManagedTensorAllocator,
};
use tvm_ffi::{
    Any, CPUNDAlloc, DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, Function, NDAllocator,
    Tensor, INDEX_ERROR, OVERFLOW_ERROR, RUNTIME_ERROR, TYPE_ERROR, VALUE_ERROR,
};

const CPU: DLDevice = DLDevice::new(DLDeviceType::kDLCPU, 0);
const CUDA: DLDevice = DLDevice::new(DLDeviceType::kDLCUDA, 0);
const FLOAT32: DLDataType = DLDataType::new(DLDataTypeCode::kDLFloat, 32, 1);
const INT32: DLDataType = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);

// spec: RUST-R20
#[test]
fn a_tensor_of_a_slice() {
    let tensor = Tensor::from_slice(&[1i32, 2, 3, 4, 5, 6], &[2, 3]).unwrap();
    assert_eq!(tensor.shape(), [2, 3]);
    assert_eq!(tensor.strides(), [3, 1]);
    assert_eq!((tensor.ndim(), tensor.numel()), (2, 6));
    assert_eq!((tensor.dtype(), tensor.device()), (INT32, CPU));
    assert!(tensor.is_contiguous());
    assert_eq!(tensor.data_ptr() as usize % CPUNDAlloc::MIN_ALIGN, 0);
    assert_eq!(tensor.to_vec::<i32>().unwrap(), [1, 2, 3, 4, 5, 6]);
    let error = Tensor::from_slice(&[1i32], &[2]).unwrap_err();
    assert_eq!(error.kind(), VALUE_ERROR);
    assert!(
        error.message().starts_with("Slice length mismatch"),
        "{}",
        error.message()
    );
    let text = format!("{tensor:?}");
    assert!(
        text.starts_with("Tensor { shape: [2, 3], dtype: int32, device: "),
        "{text}"
    );
}

// spec: RUST-R19, RUST-R20
#[test]
fn scalars_and_empty_tensors() {
    let scalar = Tensor::from_slice(&[7.5f64], &[]).unwrap();
    assert_eq!((scalar.ndim(), scalar.numel()), (0, 1));
    assert_eq!(
        (scalar.shape(), scalar.strides()),
        (&[] as &[i64], &[] as &[i64])
    );
    assert_eq!(scalar.as_cells::<f64>().unwrap()[0].get(), 7.5);
    assert_eq!(scalar.strided::<f64>().unwrap().get(&[]).unwrap(), 7.5);
    let empty = Tensor::from_slice::<u8>(&[], &[3, 0, 2]).unwrap();
    assert_eq!(empty.numel(), 0);
    assert!(empty.is_contiguous());
    assert!(empty.as_cells::<u8>().unwrap().is_empty());
    assert!(empty.to_vec::<u8>().unwrap().is_empty());
    assert_eq!(
        empty
            .strided::<u8>()
            .unwrap()
            .get(&[0, 0, 0])
            .unwrap_err()
            .kind(),
        INDEX_ERROR
    );
}

// spec: RUST-R40
#[test]
fn invalid_extents_are_errors() {
    let allocate =
        |shape: &[i64]| Tensor::try_from_nd_alloc(CPUNDAlloc {}, shape, FLOAT32, CPU).unwrap_err();
    let error = allocate(&[2, -1]);
    assert_eq!(error.kind(), VALUE_ERROR);
    assert_eq!(error.message(), "Extent -1 of dimension 1 is negative");
    assert_eq!(allocate(&[0, i64::MIN]).kind(), VALUE_ERROR);
    assert_eq!(allocate(&[i64::MAX, 2]).kind(), OVERFLOW_ERROR);
    assert_eq!(allocate(&[1 << 40, 1 << 40]).kind(), OVERFLOW_ERROR);
    // The size in bytes fits in an `isize`, but the system has less memory.
    assert_eq!(allocate(&[1 << 60]).kind(), RUNTIME_ERROR);
    assert!(catch_unwind(|| Tensor::from_nd_alloc(CPUNDAlloc {}, &[-1], FLOAT32, CPU)).is_err());
    assert_eq!(
        Tensor::from_slice::<u8>(&[], &[-1]).unwrap_err().kind(),
        VALUE_ERROR
    );
    assert_eq!(
        Tensor::from_env_alloc(&[-1], FLOAT32, CPU)
            .unwrap_err()
            .kind(),
        VALUE_ERROR
    );
}

// spec: RUST-R40
#[test]
fn new_memory_is_zero() {
    for _ in 0..8 {
        let tensor = Tensor::from_nd_alloc(CPUNDAlloc {}, &[5, 1000], FLOAT32, CPU);
        assert!(tensor
            .as_cells::<f32>()
            .unwrap()
            .iter()
            .all(|element| element.get() == 0.0));
        tensor
            .as_cells::<f32>()
            .unwrap()
            .iter()
            .for_each(|element| element.set(1.0));
    }
}

// spec: RUST-R20
#[test]
fn elements_need_the_right_type_device_and_layout() {
    let tensor = Tensor::from_slice(&[1i32, 2], &[2]).unwrap();
    let error = tensor.as_cells::<f32>().unwrap_err();
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Tensor has data type int32, expected float32"
    );
    assert_eq!(tensor.as_cells::<i64>().unwrap_err().kind(), TYPE_ERROR);
    let remote = Tensor::from_nd_alloc(CPUNDAlloc {}, &[2], INT32, CUDA);
    let error = remote.as_cells::<i32>().unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (RUNTIME_ERROR, "Tensor is not on CPU")
    );
    assert_eq!(
        remote.strided::<i32>().map(drop).unwrap_err().kind(),
        RUNTIME_ERROR
    );
    let lanes = DLDataType::new(DLDataTypeCode::kDLInt, 32, 4);
    let vectors = Tensor::from_nd_alloc(CPUNDAlloc {}, &[2], lanes, CPU);
    assert_eq!(vectors.as_cells::<i32>().unwrap_err().kind(), TYPE_ERROR);
}

/// Copy the elements, and import the copy through DLPack as a tensor with these strides and offset.
fn foreign<T: Clone + 'static>(
    elements: &[T],
    dtype: DLDataType,
    shape: &[i64],
    strides: Option<&[i64]>,
    byte_offset: u64,
) -> tvm_ffi::Result<Tensor> {
    struct Holder<T> {
        managed: DLManagedTensorVersioned,
        _elements: Vec<T>,
        _shape: Vec<i64>,
        _strides: Option<Vec<i64>>,
    }
    unsafe extern "C" fn delete<T>(managed: *mut DLManagedTensorVersioned) {
        // SAFETY: the context is the box that `foreign` has leaked.
        drop(unsafe { Box::from_raw((*managed).manager_ctx.cast::<Holder<T>>()) });
    }
    let mut elements = elements.to_vec();
    let mut shape = shape.to_vec();
    let mut strides = strides.map(<[i64]>::to_vec);
    let dl_tensor = DLTensor {
        data: elements.as_mut_ptr().cast(),
        device: CPU,
        ndim: shape.len() as i32,
        dtype,
        shape: shape.as_mut_ptr(),
        strides: strides
            .as_mut()
            .map_or(ptr::null_mut(), |strides| strides.as_mut_ptr()),
        byte_offset,
    };
    let managed = DLManagedTensorVersioned {
        version: DLPackVersion { major: 1, minor: 0 },
        manager_ctx: ptr::null_mut(),
        deleter: Some(delete::<T>),
        flags: 0,
        dl_tensor,
    };
    let holder = Box::new(Holder {
        managed,
        _elements: elements,
        _shape: shape,
        _strides: strides,
    });
    let holder = Box::into_raw(holder);
    // SAFETY: the box is valid. The tensor takes ownership of the box; after an error, `delete`
    // drops the box.
    unsafe {
        (*holder).managed.manager_ctx = holder.cast();
        let managed = ptr::addr_of_mut!((*holder).managed);
        let tensor = Tensor::from_dlpack_versioned(managed, 0, false);
        if tensor.is_err() {
            delete::<T>(managed);
        }
        tensor
    }
}

// spec: RUST-R20
#[test]
fn strided_elements() {
    let elements: Vec<i32> = (0..12).collect();
    // The elements are the rows of a 3 x 4 matrix; the tensor is the transpose of this matrix.
    let tensor = foreign(&elements, INT32, &[4, 3], Some(&[1, 4]), 0).unwrap();
    assert!(!tensor.is_contiguous());
    let error = tensor.as_cells::<i32>().unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (RUNTIME_ERROR, "Tensor is not contiguous")
    );
    assert_eq!(
        tensor.to_vec::<i32>().unwrap(),
        [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]
    );
    let cells = tensor.strided::<i32>().unwrap();
    assert_eq!(
        (cells.shape(), cells.strides()),
        (&[4i64, 3] as &[i64], &[1i64, 4] as &[i64])
    );
    cells.set(&[2, 1], 60).unwrap();
    assert_eq!(cells.get(&[2, 1]).unwrap(), 60);
    for index in [
        &[4usize, 0] as &[usize],
        &[0, 3],
        &[0],
        &[0, 0, 0],
        &[usize::MAX, 0],
    ] {
        assert_eq!(
            cells.get(index).unwrap_err().kind(),
            INDEX_ERROR,
            "{index:?}"
        );
    }
    let error = cells.get(&[4, 0]).unwrap_err();
    assert_eq!(
        error.message(),
        "Index [4, 0] is out of bounds of shape [4, 3]"
    );
    let error = cells.get(&[0]).unwrap_err();
    let message = "Index [0] is out of bounds of shape [4, 3]: it has length 1, expected 2, one \
                   number per dimension";
    assert_eq!(error.message(), message);
    // Negative strides reverse the elements; zero strides repeat an element.
    let backwards = foreign(&elements, INT32, &[3], Some(&[-1]), 8).unwrap();
    assert_eq!(backwards.to_vec::<i32>().unwrap(), [2, 1, 0]);
    let repeated = foreign(&elements, INT32, &[2, 2], Some(&[0, 1]), 0).unwrap();
    assert_eq!(repeated.to_vec::<i32>().unwrap(), [0, 1, 0, 1]);
    assert!(!repeated.is_contiguous());
}

// spec: RUST-R20, RUST-R40
#[test]
fn the_byte_offset_is_honoured() {
    let elements: Vec<i32> = (0..6).collect();
    let tensor = foreign(&elements, INT32, &[4], None, 8).unwrap();
    assert_eq!(tensor.byte_offset(), 8);
    let cells: Vec<i32> = tensor
        .as_cells()
        .unwrap()
        .iter()
        .map(std::cell::Cell::get)
        .collect();
    assert_eq!(cells, [2, 3, 4, 5]);
    assert_eq!(tensor.strided::<i32>().unwrap().get(&[1]).unwrap(), 3);
    #[cfg(feature = "compat")]
    assert_eq!(tensor.data_as_slice::<i32>().unwrap(), [2, 3, 4, 5]);
    let unaligned = foreign(&elements, INT32, &[4], None, 2).unwrap();
    let error = unaligned.as_cells::<i32>().unwrap_err();
    assert_eq!(error.kind(), RUNTIME_ERROR);
    assert_eq!(error.message(), "Tensor data is not aligned to 4 bytes");
    assert_eq!(
        unaligned.strided::<i32>().map(drop).unwrap_err().kind(),
        RUNTIME_ERROR
    );
}

// spec: RUST-R20
#[test]
fn extents_of_one_do_not_count_for_contiguity() {
    let elements: Vec<u8> = (0..6).collect();
    let dtype = DLDataType::new(DLDataTypeCode::kDLUInt, 8, 1);
    let tensor = foreign(&elements, dtype, &[2, 1, 3], Some(&[3, 77, 1]), 0).unwrap();
    assert!(tensor.is_contiguous());
    assert_eq!(tensor.as_cells::<u8>().unwrap().len(), 6);
}

#[cfg(feature = "compat")]
#[test]
fn slices_for_reading_and_writing() {
    let tensor = Tensor::from_slice(&[1.0f32, 2.0], &[2]).unwrap();
    tensor.data_as_slice_mut::<f32>().unwrap()[1] = 5.0;
    assert_eq!(tensor.data_as_slice::<f32>().unwrap(), [1.0, 5.0]);
    assert_eq!(
        tensor.data_as_slice::<f64>().unwrap_err().kind(),
        TYPE_ERROR
    );
    let empty = Tensor::from_slice::<f32>(&[], &[0]).unwrap();
    assert!(empty.data_as_slice::<f32>().unwrap().is_empty());
}

/// An allocator that counts its live tensors in `live`, and returns null if `fail` is set.
struct CountingAlloc {
    allocator: CPUNDAlloc,
    live: Arc<AtomicUsize>,
    fail: bool,
}

// SAFETY: `CPUNDAlloc` allocates the memory.
unsafe impl NDAllocator for CountingAlloc {
    const MIN_ALIGN: usize = CPUNDAlloc::MIN_ALIGN;

    unsafe fn alloc_data(&mut self, prototype: &DLTensor) -> *mut c_void {
        if self.fail {
            return ptr::null_mut();
        }
        self.live.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller guarantees that the prototype is valid.
        unsafe {
            assert_eq!(prototype.checked_numel(), Some(15));
            assert_eq!(prototype.item_size(), 4);
            self.allocator.alloc_data(prototype)
        }
    }

    unsafe fn free_data(&mut self, tensor: &DLTensor) {
        self.live.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: the caller guarantees that the tensor is valid.
        unsafe { self.allocator.free_data(tensor) };
    }
}

// spec: RUST-R20
#[test]
fn allocators_free_what_they_allocated() {
    let live = Arc::new(AtomicUsize::new(0));
    let make = |fail| {
        let allocator = CountingAlloc {
            allocator: CPUNDAlloc {},
            live: live.clone(),
            fail,
        };
        Tensor::try_from_nd_alloc(allocator, &[3, 5], FLOAT32, CPU)
    };
    let tensor = make(false).unwrap();
    let any = Any::from(tensor.clone());
    drop(tensor);
    assert_eq!(
        (live.load(Ordering::Relaxed), any.debug_strong_count()),
        (1, Some(1))
    );
    drop(any);
    assert_eq!(live.load(Ordering::Relaxed), 0);
    let error = make(true).unwrap_err();
    assert_eq!(error.kind(), RUNTIME_ERROR);
    assert_eq!(
        error.message(),
        "The allocator returned no memory for 60 bytes on device (1, 0)"
    );
    assert_eq!(live.load(Ordering::Relaxed), 0);
    assert_eq!(Arc::strong_count(&live), 1);
}

// spec: RUST-R06
#[test]
fn the_runtime_reads_tensors_made_here() {
    let tensor = Tensor::from_slice(&[1.0f32, 2.0, 3.0], &[3]).unwrap();
    let id = common::testing_function("testing.schema_id_tensor");
    let same = Tensor::try_from(id.call_tuple((&tensor,)).unwrap()).unwrap();
    assert_eq!(same.data_ptr(), tensor.data_ptr());
    let hash = tvm_ffi::extra::structural_hash(&tensor).unwrap();
    let equal = Tensor::from_slice(&[1.0f32, 2.0, 3.0], &[3]).unwrap();
    assert_eq!(tvm_ffi::extra::structural_hash(&equal).unwrap(), hash);
    assert!(tvm_ffi::extra::structural_equal(&tensor, &equal).unwrap());
    let error = Tensor::try_from(Any::from(1i64)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `int` to `ffi.Tensor`"
    );
}

#[test]
fn exchange_through_dlpack_shares_the_elements() {
    let tensor = Tensor::from_slice(&[1i64, 2, 3, 4], &[2, 2]).unwrap();
    let any = Any::from(tensor.clone());
    let exported = tensor.to_dlpack_versioned().unwrap();
    assert_eq!(any.debug_strong_count(), Some(3));
    // SAFETY: the exported tensor is valid, and the call takes ownership of it.
    let imported = unsafe {
        assert_eq!((*exported).dl_tensor.data.cast_const(), tensor.data_ptr());
        Tensor::from_dlpack_versioned(exported, 64, true).unwrap()
    };
    imported.as_cells::<i64>().unwrap()[3].set(40);
    assert_eq!(tensor.to_vec::<i64>().unwrap(), [1, 2, 3, 40]);
    drop(imported);
    assert_eq!(any.debug_strong_count(), Some(2));
    let exported: *mut DLManagedTensor = tensor.to_dlpack().unwrap();
    // SAFETY: the exported tensor is valid, and the call takes ownership of it.
    let imported = unsafe { Tensor::from_dlpack(exported, 0, false).unwrap() };
    assert_eq!(imported.to_vec::<i64>().unwrap(), [1, 2, 3, 40]);
    drop((imported, tensor));
    assert_eq!(any.debug_strong_count(), Some(1));
}

#[test]
fn dlpack_tensors_are_checked() {
    let tensor = Tensor::from_slice(&[1u8, 2, 3], &[3]).unwrap();
    let any = Any::from(tensor.clone());
    let exported = tensor.to_dlpack_versioned().unwrap();
    // SAFETY: the exported tensor is valid; after an error, this test still owns it.
    unsafe {
        (*exported).dl_tensor.byte_offset = 1;
        let error = Tensor::from_dlpack_versioned(exported, 64, false).unwrap_err();
        assert_eq!(error.kind(), RUNTIME_ERROR);
        (*exported).deleter.unwrap()(exported);
    }
    assert_eq!(any.debug_strong_count(), Some(2));
}

/// Allocate a tensor in the memory of a vector, like the allocator of a framework. Set an error for
/// element types with 64 bits.
unsafe extern "C" fn framework_allocator(
    prototype: *mut DLTensor,
    out: *mut *mut c_void,
    error_ctx: *mut c_void,
    set_error: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char),
) -> i32 {
    // SAFETY: the runtime passes valid pointers.
    unsafe {
        let prototype = &*prototype;
        if prototype.dtype.bits == 64 {
            set_error(
                error_ctx,
                c"ValueError".as_ptr(),
                c"no doubles here".as_ptr(),
            );
            return -1;
        }
        let shape = std::slice::from_raw_parts(prototype.shape, prototype.ndim as usize);
        let elements = vec![7i32; prototype.checked_numel().unwrap()];
        let tensor = foreign(&elements, prototype.dtype, shape, None, 0).unwrap();
        *out = tensor.to_dlpack_versioned().unwrap().cast();
    }
    0
}

// spec: RUST-R20
#[test]
fn the_allocator_of_a_framework_makes_tensors() {
    let error = Tensor::from_env_alloc(&[2], INT32, CUDA).unwrap_err();
    assert_eq!(error.kind(), RUNTIME_ERROR);
    // Without an allocator, memory of the CPU comes from the runtime.
    assert_eq!(
        Tensor::from_env_alloc(&[2, 3], INT32, CPU).unwrap().numel(),
        6
    );
    let set = |allocator: Option<DLPackManagedTensorAllocator>| {
        // SAFETY: the function exists as long as the process. The call sets the allocator of this
        // thread only.
        let code =
            unsafe { TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, 0, ptr::null_mut()) };
        assert_eq!(code, 0);
    };
    set(Some(framework_allocator));
    let tensor = Tensor::from_env_alloc(&[2, 3], INT32, CPU).unwrap();
    assert_eq!(
        (tensor.shape(), tensor.dtype()),
        (&[2i64, 3] as &[i64], INT32)
    );
    assert_eq!(tensor.to_vec::<i32>().unwrap(), [7; 6]);
    let float64 = DLDataType::new(DLDataTypeCode::kDLFloat, 64, 1);
    let error = Tensor::from_env_alloc(&[2], float64, CPU).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (VALUE_ERROR, "no doubles here")
    );
    set(None);
}

#[test]
fn a_function_of_tensors() {
    let scale = Function::from_typed(|tensor: Tensor, factor: f32| {
        for element in tensor.as_cells::<f32>()? {
            element.set(element.get() * factor);
        }
        Ok(())
    });
    let tensor = Tensor::from_slice(&[1.0f32, 2.0], &[2]).unwrap();
    scale.call_tuple((&tensor, 3.0f64)).unwrap();
    assert_eq!(tensor.to_vec::<f32>().unwrap(), [3.0, 6.0]);
    let integers = Tensor::from_slice(&[1i32], &[1]).unwrap();
    assert_eq!(
        scale.call_tuple((&integers, 3.0f64)).unwrap_err().kind(),
        TYPE_ERROR
    );
}
