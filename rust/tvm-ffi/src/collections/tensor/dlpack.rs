// SPDX-License-Identifier: Apache-2.0
//! Exchange of tensors with other frameworks through DLPack.

use std::ptr;

use tvm_ffi_sys::{
    DLManagedTensor, DLManagedTensorVersioned, TVMFFIObjectHandle, TVMFFITensorFromDLPack,
    TVMFFITensorFromDLPackVersioned, TVMFFITensorToDLPack, TVMFFITensorToDLPackVersioned,
};

use super::Tensor;
use crate::error::Result;
use crate::object::ObjectArc;

impl Tensor {
    /// Wrap a tensor of another framework without copying.
    ///
    /// `require_alignment` is a number of bytes; 0 turns the check off. The function takes
    /// ownership of `managed` only on success: after an error, the caller must still call the
    /// deleter.
    ///
    /// # Safety
    ///
    /// `managed` is a valid tensor that the caller owns. Its elements stay valid until its deleter
    /// is called. The deleter works on any thread.
    ///
    /// # Errors
    ///
    /// `RuntimeError` if the data is not aligned, not contiguous or padded; `ValueError` if a
    /// member is malformed.
    pub unsafe fn from_dlpack_versioned(
        managed: *mut DLManagedTensorVersioned,
        require_alignment: i32,
        require_contiguous: bool,
    ) -> Result<Self> {
        let mut out: TVMFFIObjectHandle = ptr::null_mut();
        // SAFETY: the caller guarantees that the tensor is valid; the call overwrites `out`.
        crate::check_safe_call!(unsafe {
            TVMFFITensorFromDLPackVersioned(
                managed.cast(),
                require_alignment,
                i32::from(require_contiguous),
                &mut out,
            )
        })?;
        // SAFETY: on success `out` owns a tensor object.
        Ok(unsafe { Self::from_owned_handle(out) })
    }

    /// Wrap a tensor of another framework that uses the struct without a version. See
    /// [`Tensor::from_dlpack_versioned`].
    ///
    /// # Safety
    ///
    /// The conditions are those of [`Tensor::from_dlpack_versioned`].
    ///
    /// # Errors
    ///
    /// The errors are those of [`Tensor::from_dlpack_versioned`].
    pub unsafe fn from_dlpack(
        managed: *mut DLManagedTensor,
        require_alignment: i32,
        require_contiguous: bool,
    ) -> Result<Self> {
        let mut out: TVMFFIObjectHandle = ptr::null_mut();
        // SAFETY: the caller guarantees that the tensor is valid; the call overwrites `out`.
        crate::check_safe_call!(unsafe {
            TVMFFITensorFromDLPack(
                managed.cast(),
                require_alignment,
                i32::from(require_contiguous),
                &mut out,
            )
        })?;
        // SAFETY: on success `out` owns a tensor object.
        Ok(unsafe { Self::from_owned_handle(out) })
    }

    /// Share the tensor with another framework.
    ///
    /// The receiver must call the deleter of the result once. Until then, the result keeps this
    /// tensor alive.
    ///
    /// # Errors
    ///
    /// The error of the runtime.
    pub fn to_dlpack_versioned(&self) -> Result<*mut DLManagedTensorVersioned> {
        let mut out = ptr::null_mut();
        // SAFETY: the object is alive; the call overwrites `out`.
        crate::check_safe_call!(unsafe { TVMFFITensorToDLPackVersioned(self.handle(), &mut out) })?;
        Ok(out.cast())
    }

    /// Share the tensor with a framework that knows only the struct without a version.
    ///
    /// The receiver must call the deleter of the result once. Until then, the result keeps this
    /// tensor alive.
    ///
    /// # Errors
    ///
    /// The error of the runtime.
    pub fn to_dlpack(&self) -> Result<*mut DLManagedTensor> {
        let mut out = ptr::null_mut();
        // SAFETY: the object is alive; the call overwrites `out`.
        crate::check_safe_call!(unsafe { TVMFFITensorToDLPack(self.handle(), &mut out) })?;
        Ok(out.cast())
    }

    /// Return the address of the object, borrowed.
    fn handle(&self) -> TVMFFIObjectHandle {
        // SAFETY: the address is used while `self` keeps the object alive.
        unsafe { ObjectArc::as_raw(&self.data) }.cast_mut().cast()
    }
}
