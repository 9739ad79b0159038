// SPDX-License-Identifier: Apache-2.0
// Written by tools/rust_declarations.py from include/tvm/ffi/c_env_api.h; do not edit.
//! Declarations of `tvm/ffi/c_env_api.h`.

use std::os::raw::{c_char, c_void};

use crate::c_api::TVMFFIObjectHandle;
use crate::dlpack::{DLPackManagedTensorAllocator, DLTensor};

/// A device stream of a framework; this library does not create or destroy streams.
pub type TVMFFIStreamHandle = *mut c_void;

extern "C" {
    /// Set the stream of a device for this thread.
    ///
    /// * `opt_out_original_stream`: NULL, or receives the former stream (NULL if it was
    ///   never set).
    pub fn TVMFFIEnvSetStream(
        device_type: i32,
        device_id: i32,
        stream: TVMFFIStreamHandle,
        opt_out_original_stream: *mut TVMFFIStreamHandle,
    ) -> i32;
    /// Return the stream of a device for this thread; NULL if none was set.
    pub fn TVMFFIEnvGetStream(device_type: i32, device_id: i32) -> TVMFFIStreamHandle;
    /// Set the tensor allocator of this thread.
    ///
    /// * `write_to_global_context`: if not 0, also set the allocator of the process.
    /// * `opt_out_original_allocator`: NULL, or receives the previous allocator of this
    ///   thread.
    pub fn TVMFFIEnvSetDLPackManagedTensorAllocator(
        allocator: Option<DLPackManagedTensorAllocator>,
        write_to_global_context: i32,
        opt_out_original_allocator: *mut Option<DLPackManagedTensorAllocator>,
    ) -> i32;
    /// Return the allocator of this thread. If none is set, return the allocator of the
    /// process, or NULL.
    pub fn TVMFFIEnvGetDLPackManagedTensorAllocator() -> Option<DLPackManagedTensorAllocator>;
    /// Make a tensor with the allocator that `TVMFFIEnvGetDLPackManagedTensorAllocator`
    /// returns.
    ///
    /// * `prototype`: dtype, ndim, shape and device of the wanted tensor.
    /// * `out`: the tensor object, owned. If there is no allocator, RuntimeError is raised.
    pub fn TVMFFIEnvTensorAlloc(prototype: *mut DLTensor, out: *mut TVMFFIObjectHandle) -> i32;
    /// Let the language binding handle pending signals.
    ///
    /// Returns 0, or -1 when a signal handler failed. In that case the exception is pending
    /// in the language binding, and this function does not raise an error. The caller must
    /// return an error of kind `EnvErrorAlreadySet`.
    pub fn TVMFFIEnvCheckSignals() -> i32;
    /// Register a function of the language binding with this library.
    ///
    /// * `name`: `PyErr_CheckSignals` (`int()`), `PyGILState_Ensure` (`void*()`) or
    ///   `PyGILState_Release` (`void(void*)`); another name raises ValueError.
    /// * `symbol`: the function, valid for the rest of the process.
    pub fn TVMFFIEnvRegisterCAPI(name: *const c_char, symbol: *mut c_void) -> i32;
    /// Find a function in the imports of a library module, otherwise among the global
    /// functions.
    ///
    /// * `library_ctx`: the value that the loader stored in `__tvm_ffi__library_ctx`.
    /// * `out`: the function, borrowed from the module. An unknown name raises
    ///   RuntimeError.
    pub fn TVMFFIEnvModLookupFromImports(
        library_ctx: TVMFFIObjectHandle,
        func_name: *const c_char,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Register a context symbol. If a library that is loaded afterwards has a variable
    /// `name`, the loader sets that variable to `symbol`.
    pub fn TVMFFIEnvModRegisterContextSymbol(name: *const c_char, symbol: *mut c_void) -> i32;
    /// Register a symbol of the system library: the module of symbols that are linked into
    /// the program. A later symbol of the same name replaces it.
    pub fn TVMFFIEnvModRegisterSystemLibSymbol(name: *const c_char, symbol: *mut c_void) -> i32;
}
