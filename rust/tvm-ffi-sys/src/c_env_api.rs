// SPDX-License-Identifier: Apache-2.0
// Written by tools/rust_declarations.py from include/tvm/ffi/c_env_api.h; do not edit.
//! Declarations of `tvm/ffi/c_env_api.h`.

use std::os::raw::{c_char, c_void};

use crate::c_api::TVMFFIObjectHandle;
use crate::dlpack::{DLPackManagedTensorAllocator, DLTensor};

/// A device stream of some framework; never created or destroyed here.
pub type TVMFFIStreamHandle = *mut c_void;

extern "C" {
    /// Set this thread's stream of a device.
    ///
    /// * `opt_out_original_stream`: NULL, or where the stream before goes (NULL if never
    ///   set).
    pub fn TVMFFIEnvSetStream(
        device_type: i32,
        device_id: i32,
        stream: TVMFFIStreamHandle,
        opt_out_original_stream: *mut TVMFFIStreamHandle,
    ) -> i32;
    /// This thread's stream of a device, or NULL.
    pub fn TVMFFIEnvGetStream(device_type: i32, device_id: i32) -> TVMFFIStreamHandle;
    /// Set this thread's tensor allocator, and with `write_to_global_context` the
    /// process's.
    ///
    /// * `opt_out_original_allocator`: NULL, or receives the previous allocator of this
    ///   thread.
    pub fn TVMFFIEnvSetDLPackManagedTensorAllocator(
        allocator: Option<DLPackManagedTensorAllocator>,
        write_to_global_context: i32,
        opt_out_original_allocator: *mut Option<DLPackManagedTensorAllocator>,
    ) -> i32;
    /// This thread's allocator, else the process's, else NULL.
    pub fn TVMFFIEnvGetDLPackManagedTensorAllocator() -> Option<DLPackManagedTensorAllocator>;
    /// Make a tensor with that allocator.
    ///
    /// * `prototype`: dtype, ndim, shape and device of the wanted tensor.
    /// * `out`: the tensor object, owned. Without an allocator RuntimeError is raised.
    pub fn TVMFFIEnvTensorAlloc(prototype: *mut DLTensor, out: *mut TVMFFIObjectHandle) -> i32;
    /// Let the frontend handle pending signals.
    ///
    /// Returns 0; -1 when its handler failed: the frontend's exception is pending and
    /// nothing is raised here. The caller returns an error of kind `EnvErrorAlreadySet`.
    pub fn TVMFFIEnvCheckSignals() -> i32;
    /// Tell the library a function of the frontend.
    ///
    /// * `name`: `PyErr_CheckSignals` (`int()`), `PyGILState_Ensure` (`void*()`) or
    ///   `PyGILState_Release` (`void(void*)`); another name raises ValueError.
    /// * `symbol`: the function, valid for the rest of the process.
    pub fn TVMFFIEnvRegisterCAPI(name: *const c_char, symbol: *mut c_void) -> i32;
    /// Find a function in the imports of a library module, else among the global functions.
    ///
    /// * `library_ctx`: what the loader put into `__tvm_ffi__library_ctx`.
    /// * `out`: borrowed from the module. Not found: RuntimeError.
    pub fn TVMFFIEnvModLookupFromImports(
        library_ctx: TVMFFIObjectHandle,
        func_name: *const c_char,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Add a symbol that is written into every library that has a variable of that name.
    pub fn TVMFFIEnvModRegisterContextSymbol(name: *const c_char, symbol: *mut c_void) -> i32;
    /// Add a symbol of the system library; a later one of the same name replaces it.
    pub fn TVMFFIEnvModRegisterSystemLibSymbol(name: *const c_char, symbol: *mut c_void) -> i32;
}
