// SPDX-License-Identifier: Apache-2.0
//! Borrowed tensors: [`TensorRef`] with a lifetime, and `TensorView` without one.

use std::fmt;
use std::os::raw::c_void;
use std::ptr;

use tvm_ffi_sys::{DLDataType, DLDevice, DLTensor, TVMFFIAny, TVMFFITypeIndex};

use super::{dltensor, Tensor, TensorObj};
use crate::any::AnyView;
use crate::dtype::DLDataTypeExt;
use crate::error::{Error, Result, TYPE_ERROR};

/// A borrowed tensor, which refers to a `DLTensor*` or a [`Tensor`].
///
/// Create the view from a [`Tensor`], or from an argument of a packed function:
///
/// ```
/// use tvm_ffi::{Any, Function, Tensor, TensorRef};
///
/// let sum = Function::from_packed(|args| {
///     let tensor = TensorRef::try_from(args[0])?;
///     Ok(Any::from(tensor.to_vec::<f32>()?.iter().sum::<f32>()))
/// });
/// let tensor = Tensor::from_slice(&[1.0f32, 2.0], &[2])?;
/// assert_eq!(f32::try_from(sum.call_tuple((&tensor,))?)?, 3.0);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TensorRef<'a> {
    tensor: &'a DLTensor,
}

impl<'a> TensorRef<'a> {
    /// Return a view of a C struct.
    ///
    /// # Safety
    ///
    /// The pointer is valid for `'a`, and so are `ndim` extents, `ndim` strides (or null) and the
    /// elements. Other code may change elements only while no Rust code reads them.
    #[inline]
    pub unsafe fn from_raw(tensor: *const DLTensor) -> Self {
        // SAFETY: the caller guarantees that the pointer is valid.
        TensorRef {
            tensor: unsafe { &*tensor },
        }
    }

    /// Return the C struct.
    #[inline]
    pub fn as_raw(&self) -> *const DLTensor {
        self.tensor
    }

    /// Return the C struct as a reference.
    #[inline]
    pub(super) fn dltensor(&self) -> &'a DLTensor {
        self.tensor
    }

    /// Return the start of the allocation. The first element is `byte_offset` bytes after it.
    #[inline]
    pub fn data_ptr(&self) -> *mut c_void {
        self.tensor.data
    }

    /// Return the device that the elements are on.
    #[inline]
    pub fn device(&self) -> DLDevice {
        self.tensor.device
    }

    /// Return the data type of the elements.
    #[inline]
    pub fn dtype(&self) -> DLDataType {
        self.tensor.dtype
    }

    /// Return the number of dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// Return the extents.
    #[inline]
    pub fn shape(&self) -> &'a [i64] {
        // SAFETY: the caller of `from_raw` guaranteed that the shape is valid.
        unsafe { dltensor::shape(self.tensor) }
    }

    /// Return the number of elements; 0 if an extent is negative or the number does not fit
    /// `usize`.
    #[inline]
    pub fn numel(&self) -> usize {
        dltensor::checked_numel(self.shape()).unwrap_or(0)
    }

    /// Return the strides, in elements, or `None` for a compact tensor without strides.
    #[inline]
    pub fn strides(&self) -> Option<&'a [i64]> {
        // SAFETY: the caller of `from_raw` guaranteed that the strides are valid.
        unsafe { dltensor::strides(self.tensor) }
    }

    /// Return the strides, or an empty slice for a compact tensor without strides.
    #[inline]
    pub(super) fn strides_or_empty(&self) -> &'a [i64] {
        self.strides().unwrap_or(&[])
    }

    /// Return whether the elements are in row-major order without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        dltensor::is_contiguous(self.shape(), self.strides())
    }

    /// Write the type, shape and device for `Debug`, without the elements.
    pub(super) fn describe(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dtype = DLDataTypeExt::to_string(&self.dtype());
        f.debug_struct(name)
            .field("shape", &self.shape())
            .field("dtype", &format_args!("{}", &*dtype))
            .field("device", &self.device())
            .finish()
    }
}

impl fmt::Debug for TensorRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe("TensorRef", f)
    }
}

impl<'a> From<&'a Tensor> for TensorRef<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        tensor.as_tensor_ref()
    }
}

impl<'a> TryFrom<AnyView<'a>> for TensorRef<'a> {
    type Error = Error;

    /// Borrow the tensor of a value. The value is a `DLTensor*` or a [`Tensor`].
    #[track_caller]
    fn try_from(value: AnyView<'a>) -> Result<Self> {
        // SAFETY: the view and everything that it refers to are alive for `'a`.
        unsafe {
            let raw = value.as_raw_ffi_any();
            let tensor = tensor_pointer(raw);
            if tensor.is_null() {
                let found = crate::object::type_key_of(raw.type_index);
                let message = format!("Cannot convert from type `{found}` to `DLTensor*`");
                return Err(Error::of_crate(TYPE_ERROR, &message));
            }
            Ok(Self::from_raw(tensor))
        }
    }
}

/// Return the `DLTensor` of a value, or null if the value is not a tensor.
///
/// # Safety
///
/// The value is alive.
pub(super) unsafe fn tensor_pointer(value: &TVMFFIAny) -> *const DLTensor {
    // SAFETY: the type index selects the payload.
    unsafe {
        if value.type_index == TVMFFITypeIndex::kTVMFFIDLTensorPtr as i32 {
            value.data_union.v_ptr.cast()
        } else if value.type_index == TVMFFITypeIndex::kTVMFFITensor as i32 {
            let object = value.data_union.v_obj.cast::<TensorObj>();
            ptr::addr_of!((*object).dltensor)
        } else {
            ptr::null()
        }
    }
}

#[cfg(feature = "compat")]
mod compat {
    use super::*;
    use crate::any::TryFromTemp;
    use crate::type_traits::AnyCompatible;

    /// A `DLTensor*` without a lifetime, for the parameters of functions.
    ///
    /// Not sound: the tensor must outlive the view, and nothing checks this. A view that is a
    /// parameter of an exported function is valid during the call. The sound alternatives are
    /// [`TensorRef`], which has a lifetime, and [`Tensor`], which keeps the elements alive. A view
    /// can only be an argument; it cannot be stored in an `Any`.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub struct TensorView {
        tensor: *const DLTensor,
    }

    impl TensorView {
        /// Return a view of a C struct.
        ///
        /// # Safety
        ///
        /// The struct, its shape, its strides and its elements outlive every use of the view.
        #[inline]
        pub unsafe fn from_raw(tensor: *const DLTensor) -> Self {
            TensorView { tensor }
        }

        /// Return the C struct.
        #[inline]
        pub fn as_raw(&self) -> *const DLTensor {
            self.tensor
        }

        /// Return the view with a lifetime.
        pub fn as_tensor_ref(&self) -> TensorRef<'_> {
            // SAFETY: the caller of `from_raw` guaranteed that the tensor outlives the view.
            unsafe { TensorRef::from_raw(self.tensor) }
        }

        /// Return the start of the allocation. The first element is `byte_offset` bytes after it.
        #[inline]
        pub fn data_ptr(&self) -> *mut c_void {
            self.as_tensor_ref().data_ptr()
        }

        /// Return the device that the elements are on.
        #[inline]
        pub fn device(&self) -> DLDevice {
            self.as_tensor_ref().device()
        }

        /// Return the data type of the elements.
        #[inline]
        pub fn dtype(&self) -> DLDataType {
            self.as_tensor_ref().dtype()
        }

        /// Return the number of dimensions.
        #[inline]
        pub fn ndim(&self) -> usize {
            self.as_tensor_ref().ndim()
        }

        /// Return the extents.
        #[inline]
        pub fn shape(&self) -> &[i64] {
            self.as_tensor_ref().shape()
        }

        /// Return the number of elements; 0 if an extent is negative or the number does not fit
        /// `usize`.
        #[inline]
        pub fn numel(&self) -> usize {
            self.as_tensor_ref().numel()
        }

        /// Return the strides, in elements.
        ///
        /// # Panics
        ///
        /// Panics if the tensor has dimensions but no strides. [`TensorRef::strides`] returns
        /// `None` then.
        #[inline]
        pub fn strides(&self) -> &[i64] {
            let tensor = self.as_tensor_ref();
            match tensor.strides() {
                Some(strides) => strides,
                None if tensor.ndim() == 0 => &[],
                None => panic!("TensorView::strides of a DLTensor with null strides"),
            }
        }

        /// Return whether the elements are in row-major order without gaps.
        #[inline]
        pub fn is_contiguous(&self) -> bool {
            self.as_tensor_ref().is_contiguous()
        }
    }

    impl From<&Tensor> for TensorView {
        fn from(tensor: &Tensor) -> Self {
            TensorView {
                tensor: tensor.as_dltensor_ptr(),
            }
        }
    }

    // SAFETY: the value is a `DLTensor*`; the checks accept only tensors.
    unsafe impl AnyCompatible for TensorView {
        unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
            *data = TVMFFIAny::new();
            data.type_index = TVMFFITypeIndex::kTVMFFIDLTensorPtr as i32;
            data.data_union.v_ptr = src.tensor.cast_mut().cast();
        }

        unsafe fn move_to_any(_src: Self, _data: &mut TVMFFIAny) {
            panic!(
                "DLTensor* cannot be held in Any as it does not retain ownership, use Tensor instead"
            );
        }

        unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
            // SAFETY: the type index selects the payload.
            data.type_index == TVMFFITypeIndex::kTVMFFIDLTensorPtr as i32
                && unsafe { !data.data_union.v_ptr.is_null() }
        }

        unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
            // SAFETY: the caller checked the type index.
            TensorView {
                tensor: unsafe { data.data_union.v_ptr }.cast_const().cast(),
            }
        }

        unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
            // SAFETY: the caller checked the type index; the value does not own anything.
            unsafe { Self::copy_from_any_view_after_check(data) }
        }

        unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
            // SAFETY: the caller guarantees that `data` is valid.
            let tensor = unsafe { tensor_pointer(data) };
            if tensor.is_null() {
                return Err(());
            }
            Ok(TensorView { tensor })
        }

        fn type_str() -> String {
            "DLTensor*".to_string()
        }
    }

    impl TryFrom<AnyView<'_>> for TensorView {
        type Error = Error;

        #[track_caller]
        fn try_from(value: AnyView<'_>) -> Result<Self> {
            TryFromTemp::<Self>::try_from(value).map(TryFromTemp::into_value)
        }
    }

    crate::impl_arg_into_ref!(TensorView);
    crate::impl_into_arg_holder_default!(TensorView);
}

#[cfg(feature = "compat")]
pub use compat::TensorView;
