// SPDX-License-Identifier: Apache-2.0
// Written by tools/rust_declarations.py from include/dlpack/dlpack.h; do not edit.
//! Declarations of `dlpack/dlpack.h`.

use std::os::raw::{c_char, c_void};

/// Version of the structures that follow it in memory.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DLPackVersion {
    /// The C member `major`.
    pub major: u32,
    /// The C member `minor`.
    pub minor: u32,
}

/// Kind of memory that a tensor lives in; values of 128 and more belong to extensions.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DLDeviceType(pub i32);

impl DLDeviceType {
    /// The C enumerator `kDLCPU`.
    #[allow(non_upper_case_globals)]
    pub const kDLCPU: DLDeviceType = DLDeviceType(1);
    /// The C enumerator `kDLCUDA`.
    #[allow(non_upper_case_globals)]
    pub const kDLCUDA: DLDeviceType = DLDeviceType(2);
    /// The C enumerator `kDLCUDAHost`.
    #[allow(non_upper_case_globals)]
    pub const kDLCUDAHost: DLDeviceType = DLDeviceType(3);
    /// The C enumerator `kDLOpenCL`.
    #[allow(non_upper_case_globals)]
    pub const kDLOpenCL: DLDeviceType = DLDeviceType(4);
    /// The C enumerator `kDLVulkan`.
    #[allow(non_upper_case_globals)]
    pub const kDLVulkan: DLDeviceType = DLDeviceType(7);
    /// The C enumerator `kDLMetal`.
    #[allow(non_upper_case_globals)]
    pub const kDLMetal: DLDeviceType = DLDeviceType(8);
    /// The C enumerator `kDLVPI`.
    #[allow(non_upper_case_globals)]
    pub const kDLVPI: DLDeviceType = DLDeviceType(9);
    /// The C enumerator `kDLROCM`.
    #[allow(non_upper_case_globals)]
    pub const kDLROCM: DLDeviceType = DLDeviceType(10);
    /// The C enumerator `kDLROCMHost`.
    #[allow(non_upper_case_globals)]
    pub const kDLROCMHost: DLDeviceType = DLDeviceType(11);
    /// The C enumerator `kDLExtDev`.
    #[allow(non_upper_case_globals)]
    pub const kDLExtDev: DLDeviceType = DLDeviceType(12);
    /// The C enumerator `kDLCUDAManaged`.
    #[allow(non_upper_case_globals)]
    pub const kDLCUDAManaged: DLDeviceType = DLDeviceType(13);
    /// The C enumerator `kDLOneAPI`.
    #[allow(non_upper_case_globals)]
    pub const kDLOneAPI: DLDeviceType = DLDeviceType(14);
    /// The C enumerator `kDLWebGPU`.
    #[allow(non_upper_case_globals)]
    pub const kDLWebGPU: DLDeviceType = DLDeviceType(15);
    /// The C enumerator `kDLHexagon`.
    #[allow(non_upper_case_globals)]
    pub const kDLHexagon: DLDeviceType = DLDeviceType(16);
    /// The C enumerator `kDLMAIA`.
    #[allow(non_upper_case_globals)]
    pub const kDLMAIA: DLDeviceType = DLDeviceType(17);
    /// The C enumerator `kDLTrn`.
    #[allow(non_upper_case_globals)]
    pub const kDLTrn: DLDeviceType = DLDeviceType(18);
}

/// One device: its kind, and its number among the devices of that kind (from 0).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DLDevice {
    /// The C member `device_type`.
    pub device_type: DLDeviceType,
    /// The C member `device_id`.
    pub device_id: i32,
}

/// Kind of the numbers in an element; DLDataType::bits has their width.
#[allow(non_camel_case_types)]
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DLDataTypeCode {
    /// The C enumerator `kDLInt`.
    kDLInt = 0,
    /// The C enumerator `kDLUInt`.
    kDLUInt = 1,
    /// The C enumerator `kDLFloat`.
    kDLFloat = 2,
    /// The C enumerator `kDLOpaqueHandle`.
    kDLOpaqueHandle = 3,
    /// The C enumerator `kDLBfloat`.
    kDLBfloat = 4,
    /// The C enumerator `kDLComplex`.
    kDLComplex = 5,
    /// The C enumerator `kDLBool`.
    kDLBool = 6,
    /// The C enumerator `kDLFloat8_e3m4`.
    kDLFloat8_e3m4 = 7,
    /// The C enumerator `kDLFloat8_e4m3`.
    kDLFloat8_e4m3 = 8,
    /// The C enumerator `kDLFloat8_e4m3b11fnuz`.
    kDLFloat8_e4m3b11fnuz = 9,
    /// The C enumerator `kDLFloat8_e4m3fn`.
    kDLFloat8_e4m3fn = 10,
    /// The C enumerator `kDLFloat8_e4m3fnuz`.
    kDLFloat8_e4m3fnuz = 11,
    /// The C enumerator `kDLFloat8_e5m2`.
    kDLFloat8_e5m2 = 12,
    /// The C enumerator `kDLFloat8_e5m2fnuz`.
    kDLFloat8_e5m2fnuz = 13,
    /// The C enumerator `kDLFloat8_e8m0fnu`.
    kDLFloat8_e8m0fnu = 14,
    /// The C enumerator `kDLFloat6_e2m3fn`.
    kDLFloat6_e2m3fn = 15,
    /// The C enumerator `kDLFloat6_e3m2fn`.
    kDLFloat6_e3m2fn = 16,
    /// The C enumerator `kDLFloat4_e2m1fn`.
    kDLFloat4_e2m1fn = 17,
}

/// Type of an element: `lanes` numbers of the kind `code`, each with `bits` bits.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DLDataType {
    /// The C member `code`.
    pub code: u8,
    /// The C member `bits`.
    pub bits: u8,
    /// The C member `lanes`.
    pub lanes: u16,
}

/// A strided array. The struct does not own the data, the shape or the strides.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DLTensor {
    /// Start of the allocation; the first element is at `data + byte_offset`.
    pub data: *mut c_void,
    /// The C member `device`.
    pub device: DLDevice,
    /// Number of dimensions, 0 for a scalar.
    pub ndim: i32,
    /// The C member `dtype`.
    pub dtype: DLDataType,
    /// `ndim` extents, in elements; may be NULL only when `ndim` is 0.
    pub shape: *mut i64,
    /// `ndim` strides in elements, or NULL for a compact row-major array.
    pub strides: *mut i64,
    /// The C member `byte_offset`.
    pub byte_offset: u64,
}

/// An owned tensor without a version; the holder calls `deleter` once, unless it is NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DLManagedTensor {
    /// The C member `dl_tensor`.
    pub dl_tensor: DLTensor,
    /// The C member `manager_ctx`.
    pub manager_ctx: *mut c_void,
    /// The C member `deleter`.
    pub deleter: Option<unsafe extern "C" fn(this: *mut DLManagedTensor)>,
}

/// An owned tensor with the version of its layout.
///
/// A consumer reads `version` first. If the consumer does not know that major number, it must
/// call `deleter`, and must not use any other member.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DLManagedTensorVersioned {
    /// The C member `version`.
    pub version: DLPackVersion,
    /// The C member `manager_ctx`.
    pub manager_ctx: *mut c_void,
    /// The C member `deleter`.
    pub deleter: Option<unsafe extern "C" fn(this: *mut DLManagedTensorVersioned)>,
    /// Bits DLPACK_FLAG_BITMASK_*.
    pub flags: u64,
    /// The C member `dl_tensor`.
    pub dl_tensor: DLTensor,
}

/// Make an uninitialised tensor.
///
/// * `prototype`: dtype, ndim, shape and device of the wanted tensor; the rest is ignored.
/// * `out`: the new tensor, owned by the caller.
/// * `error_ctx`: passed on to SetError.
/// * `set_error`: called with an error kind and a message before a non-zero return.
///
/// Returns 0, or -1 after SetError was called.
pub type DLPackManagedTensorAllocator = unsafe extern "C" fn(
    prototype: *mut DLTensor,
    out: *mut *mut c_void,
    error_ctx: *mut c_void,
    set_error: unsafe extern "C" fn(
        error_ctx: *mut c_void,
        kind: *const c_char,
        message: *const c_char,
    ),
) -> i32;

/// Export a framework tensor without synchronising streams.
///
/// * `py_object`: a `PyObject*`, borrowed.
/// * `out`: the tensor, owned by the caller.
///
/// Returns 0, or -1 with a Python exception set.
pub type DLPackManagedTensorFromPyObjectNoSync =
    unsafe extern "C" fn(py_object: *mut c_void, out: *mut *mut DLManagedTensorVersioned) -> i32;

/// Build a framework tensor without synchronising streams.
///
/// * `tensor`: the tensor, which the function takes over.
/// * `out_py_object`: a new reference to a `PyObject`.
///
/// Returns 0, or -1 with a Python exception set.
pub type DLPackManagedTensorToPyObjectNoSync = unsafe extern "C" fn(
    tensor: *mut DLManagedTensorVersioned,
    out_py_object: *mut *mut c_void,
) -> i32;

/// Describe a framework tensor in `out`, which is valid as long as `py_object` is alive and
/// unchanged.
///
/// Returns 0, or -1 with a Python exception set.
pub type DLPackDLTensorFromPyObjectNoSync =
    unsafe extern "C" fn(py_object: *mut c_void, out: *mut DLTensor) -> i32;

/// Get the stream on which the framework currently works.
///
/// Returns 0, or -1 with a Python exception set.
pub type DLPackCurrentWorkStream = unsafe extern "C" fn(
    device_type: DLDeviceType,
    device_id: i32,
    out_current_stream: *mut *mut c_void,
) -> i32;

/// First member of an exchange table; `prev_api` is the table of an older major version.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DLPackExchangeAPIHeader {
    /// The C member `version`.
    pub version: DLPackVersion,
    /// The C member `prev_api`.
    pub prev_api: *mut DLPackExchangeAPIHeader,
}

/// The functions of a framework that exchange tensors without Python calls.
///
/// A tensor class has a capsule named `dlpack_exchange_api` in its attribute
/// `__dlpack_c_exchange_api__`. The capsule holds the address of this table, which lives as
/// long as the process. Any member function may be NULL except
/// `managed_tensor_from_py_object_no_sync`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DLPackExchangeAPI {
    /// The C member `header`.
    pub header: DLPackExchangeAPIHeader,
    /// The C member `managed_tensor_allocator`.
    pub managed_tensor_allocator: Option<DLPackManagedTensorAllocator>,
    /// The C member `managed_tensor_from_py_object_no_sync`.
    pub managed_tensor_from_py_object_no_sync: Option<DLPackManagedTensorFromPyObjectNoSync>,
    /// The C member `managed_tensor_to_py_object_no_sync`.
    pub managed_tensor_to_py_object_no_sync: Option<DLPackManagedTensorToPyObjectNoSync>,
    /// The C member `dltensor_from_py_object_no_sync`.
    pub dltensor_from_py_object_no_sync: Option<DLPackDLTensorFromPyObjectNoSync>,
    /// The C member `current_work_stream`.
    pub current_work_stream: Option<DLPackCurrentWorkStream>,
}
