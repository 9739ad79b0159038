// SPDX-License-Identifier: Apache-2.0
//! [`TypedTensorView`] and [`TypedTensor`]: arrays whose data type, number of dimensions, layout and
//! device are checked before a function runs.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use tvm_ffi_sys::{DLDataType, DLDevice, DLDeviceType, TVMFFIAny};

use super::elements::{StridedCells, TensorElement};
use super::rule::{is_object, tensor_of, Order, TensorRule};
use super::{Tensor, TensorRef};
use crate::any::AnyView;
use crate::error::{Error, Result};
use crate::function_internal::PackedArgument;
use crate::type_traits::AnyCompatible;

mod sealed {
    pub trait Sealed {}
}

/// Whether the elements of a typed tensor are only read: [`Read`] or [`Write`].
pub trait Access: sealed::Sealed {
    #[doc(hidden)]
    const IS_CONST: bool;
}

/// The order of the elements of a typed tensor in memory: [`RowMajor`], [`ColumnMajor`],
/// [`InnerContiguous`] or [`Strided`].
pub trait Layout: sealed::Sealed {
    #[doc(hidden)]
    const ORDER: Order;
}

/// A layout without gaps: [`RowMajor`] or [`ColumnMajor`].
pub trait ContiguousLayout: Layout {}

/// The devices on which the elements of a typed tensor may be: [`Cpu`], [`Cuda`], [`Rocm`],
/// [`OnDevice`] or [`AnyDevice`].
pub trait Devices: sealed::Sealed {
    #[doc(hidden)]
    const TYPES: Option<&'static [DLDeviceType]>;
}

macro_rules! markers {
    ($($(#[$doc:meta])+ $name:ident: $trait:ident { $constant:ident: $ty:ty = $value:expr })+) => {$(
        $(#[$doc])+
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl $trait for $name {
            const $constant: $ty = $value;
        }
    )+};
}

markers! {
    /// The elements are only read; read-only arrays are accepted.
    Read: Access { IS_CONST: bool = true }
    /// The elements are read and written.
    Write: Access { IS_CONST: bool = false }
    /// Contiguous in row-major order (C); strides of dimensions with one element do not count, nor
    /// those of arrays without elements.
    RowMajor: Layout { ORDER: Order = Order::RowMajor }
    /// Contiguous in column-major order (Fortran).
    ColumnMajor: Layout { ORDER: Order = Order::ColumnMajor }
    /// The elements of the last dimension lie one after the other.
    InnerContiguous: Layout { ORDER: Order = Order::InnerContiguous }
    /// Any strides.
    Strided: Layout { ORDER: Order = Order::Strided }
    /// Memory of the CPU, also memory that is pinned for a GPU.
    Cpu: Devices {
        TYPES: Option<&'static [DLDeviceType]> = Some(&[
            DLDeviceType::kDLCPU,
            DLDeviceType::kDLCUDAHost,
            DLDeviceType::kDLROCMHost,
        ])
    }
    /// Memory of a CUDA device, also managed memory.
    Cuda: Devices {
        TYPES: Option<&'static [DLDeviceType]> =
            Some(&[DLDeviceType::kDLCUDA, DLDeviceType::kDLCUDAManaged])
    }
    /// Memory of a ROCm device.
    Rocm: Devices {
        TYPES: Option<&'static [DLDeviceType]> = Some(&[DLDeviceType::kDLROCM])
    }
    /// Memory on any device.
    AnyDevice: Devices { TYPES: Option<&'static [DLDeviceType]> = None }
}

impl ContiguousLayout for RowMajor {}
impl ContiguousLayout for ColumnMajor {}

/// Memory on devices of one type: `OnDevice<{ DLDeviceType::kDLVulkan.0 }>`.
pub struct OnDevice<const TYPE: i32>;
impl<const TYPE: i32> sealed::Sealed for OnDevice<TYPE> {}
impl<const TYPE: i32> Devices for OnDevice<TYPE> {
    const TYPES: Option<&'static [DLDeviceType]> = Some(&[DLDeviceType(TYPE)]);
}

/// In place of the number of dimensions: any number.
pub const ANY_RANK: usize = usize::MAX;

const fn rule<T: TensorElement, const N: usize, A: Access, L: Layout, D: Devices>() -> TensorRule {
    TensorRule {
        dtype: T::DL_DATA_TYPE,
        alignment: std::mem::align_of::<T>(),
        is_const: A::IS_CONST,
        rank: if N == ANY_RANK { None } else { Some(N) },
        order: L::ORDER,
        devices: D::TYPES,
    }
}

/// A borrowed array with elements of the type `T`, `N` dimensions ([`ANY_RANK`] for any), a layout
/// and devices that are checked. The view only reads the elements; [`TypedTensorViewMut`] also
/// writes.
///
/// A parameter of an exported function can be a view. The check runs before the function, and the
/// caller gets the error; the metadata of the function contains the declaration:
///
/// ```
/// use tvm_ffi::{tvm_ffi_dll_export_typed_func, Result, TypedTensorView, TypedTensorViewMut};
///
/// fn add(x: TypedTensorView<f32, 1>, y: TypedTensorViewMut<f32, 1>) -> Result<()> {
///     for (value, element) in x.iter().zip(y.as_cells()) {
///         element.set(element.get() + value);
///     }
///     Ok(())
/// }
/// tvm_ffi_dll_export_typed_func!(add, add);
/// ```
///
/// Elsewhere, make a view from a value, a [`TensorRef`] or a [`Tensor`] with `try_from`. A view
/// cannot be a parameter of a closure that becomes a function object, because such a closure could
/// keep the view; use [`TypedTensor`] there.
///
/// Unlike the declarations of C++, those of Rust have no extents, names of extents, lists of element
/// types, `SameDevice` or `Aligned`.
///
/// # Aliasing
///
/// Two arguments of a call may be the same array. So safe functions never return `&[T]` or
/// `&mut [T]`: they copy elements out, or return cells, which may alias. A view is not `Send`,
/// because cells must not be written while another thread reads them:
///
/// ```compile_fail,E0277
/// fn sum(x: tvm_ffi::TypedTensorView<f32, 1>) {
///     std::thread::scope(|scope| scope.spawn(move || x.iter().sum::<f32>()).join()).unwrap();
/// }
/// ```
pub struct TypedTensorView<'a, T, const N: usize, A = Read, L = RowMajor, D = Cpu> {
    tensor: TensorRef<'a>,
    declaration: PhantomData<(*const T, A, L, D)>,
}

/// A [`TypedTensorView`] that reads and writes elements. Read-only arrays are refused.
pub type TypedTensorViewMut<'a, T, const N: usize, L = RowMajor, D = Cpu> =
    TypedTensorView<'a, T, N, Write, L, D>;

impl<T, const N: usize, A, L, D> Clone for TypedTensorView<'_, T, N, A, L, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize, A, L, D> Copy for TypedTensorView<'_, T, N, A, L, D> {}

impl<T, const N: usize, A, L, D> fmt::Debug for TypedTensorView<'_, T, N, A, L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tensor.describe("TypedTensorView", f)
    }
}

impl<'a, T, const N: usize, A, L, D> TypedTensorView<'a, T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    const RULE: TensorRule = rule::<T, N, A, L, D>();

    #[inline]
    fn trusted(tensor: TensorRef<'a>) -> Self {
        TypedTensorView {
            tensor,
            declaration: PhantomData,
        }
    }

    #[inline]
    #[track_caller]
    fn check(tensor: TensorRef<'a>) -> Result<Self> {
        match Self::RULE.accepts(tensor) {
            true => Ok(Self::trusted(tensor)),
            false => Err(Self::RULE.refusal(tensor)),
        }
    }

    /// Return the extents.
    #[inline]
    pub fn shape(&self) -> &'a [i64] {
        self.tensor.shape()
    }

    /// Return the strides, in elements, or `None` for a row-major array without strides.
    #[inline]
    pub fn strides(&self) -> Option<&'a [i64]> {
        self.tensor.strides()
    }

    /// Return the number of dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.tensor.ndim()
    }

    /// Return the number of elements.
    #[inline]
    pub fn numel(&self) -> usize {
        self.tensor.numel()
    }

    /// Return the data type of the elements.
    #[inline]
    pub fn dtype(&self) -> DLDataType {
        self.tensor.dtype()
    }

    /// Return the device that the elements are on.
    #[inline]
    pub fn device(&self) -> DLDevice {
        self.tensor.device()
    }

    /// Return the address of the first element, which may be on another device.
    #[inline]
    pub fn data_ptr(&self) -> *const T {
        self.first()
    }

    #[inline]
    fn first(&self) -> *mut T {
        let tensor = self.tensor.dltensor();
        let data = tensor.data.cast::<u8>();
        data.wrapping_add(tensor.byte_offset as usize).cast()
    }
}

// Only arrays in memory of the CPU have the functions below.

impl<'a, T, const N: usize, A, L> TypedTensorView<'a, T, N, A, L, Cpu>
where
    T: TensorElement,
    A: Access,
    L: Layout,
{
    #[inline]
    fn strided(&self) -> StridedCells<'a, T> {
        StridedCells::trusted(self.first(), self.tensor)
    }

    /// Return the element at an index. The index has one number per dimension: `x.get(&[i, j])`.
    ///
    /// # Errors
    ///
    /// `IndexError` if the index has another length or is outside the shape.
    #[inline]
    #[track_caller]
    pub fn get(&self, index: &[usize]) -> Result<T> {
        self.strided().get(index)
    }

    /// Copy the elements in row-major order.
    ///
    /// # Errors
    ///
    /// `ValueError` if a stride is larger than the address space.
    #[track_caller]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.strided().to_vec()
    }
}

impl<'a, T, const N: usize, A, L> TypedTensorView<'a, T, N, A, L, Cpu>
where
    T: TensorElement + 'a,
    A: Access,
    L: ContiguousLayout,
{
    #[inline]
    fn cells(&self) -> &'a [Cell<T>] {
        let (first, numel) = match self.numel() {
            0 => (std::ptr::NonNull::dangling().as_ptr(), 0),
            numel => (self.first().cast(), numel),
        };
        // SAFETY: the creator of the `TensorRef` guarantees that the elements are valid during `'a`.
        // Data type, device, layout and alignment were checked, any bytes are a `T`, and a cell has
        // the layout of its value.
        unsafe { std::slice::from_raw_parts(first, numel) }
    }

    /// Return copies of the elements, in the order of memory.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + 'a {
        self.cells().iter().map(Cell::get)
    }

    /// Return the elements as a slice, in the order of memory.
    ///
    /// # Safety
    ///
    /// Nothing writes the elements while the slice is used: not through a view of another argument,
    /// not in a callback, and not on another thread.
    #[inline]
    pub unsafe fn as_slice(&self) -> &'a [T] {
        let cells = self.cells();
        // SAFETY: a cell has the layout of its value, and the caller guarantees that nothing writes.
        unsafe { std::slice::from_raw_parts(cells.as_ptr().cast(), cells.len()) }
    }
}

impl<'a, T, const N: usize, L, D> TypedTensorView<'a, T, N, Write, L, D>
where
    T: TensorElement,
    L: Layout,
    D: Devices,
{
    /// Return the address of the first element, which may be on another device.
    #[inline]
    pub fn data_ptr_mut(&self) -> *mut T {
        self.first()
    }

    /// Return the same array without its type.
    #[inline]
    pub fn untyped(&self) -> TensorRef<'a> {
        self.tensor
    }
}

impl<'a, T, const N: usize, L> TypedTensorView<'a, T, N, Write, L, Cpu>
where
    T: TensorElement,
    L: Layout,
{
    /// Return the element at an index as a cell.
    ///
    /// # Errors
    ///
    /// The errors are those of [`TypedTensorView::get`].
    #[inline]
    #[track_caller]
    pub fn cell(&self, index: &[usize]) -> Result<&'a Cell<T>> {
        self.strided().cell(index)
    }

    /// Replace the element at an index.
    ///
    /// # Errors
    ///
    /// The errors are those of [`TypedTensorView::get`].
    #[inline]
    #[track_caller]
    pub fn set(&self, index: &[usize], value: T) -> Result<()> {
        self.strided().set(index, value)
    }
}

impl<'a, T, const N: usize, L> TypedTensorView<'a, T, N, Write, L, Cpu>
where
    T: TensorElement,
    L: ContiguousLayout,
{
    /// Return the elements as cells, in the order of memory.
    #[inline]
    pub fn as_cells(&self) -> &'a [Cell<T>] {
        self.cells()
    }

    /// Return the elements as a mutable slice, in the order of memory.
    ///
    /// # Safety
    ///
    /// Nothing else reads or writes the elements while the slice is used: not through a view of
    /// another argument, not in a callback, and not on another thread.
    #[allow(clippy::mut_from_ref)]
    #[inline]
    pub unsafe fn as_mut_slice(&self) -> &'a mut [T] {
        let cells = self.cells();
        // SAFETY: a cell has the layout of its value, and permits writes. The caller guarantees that
        // there is no other access.
        unsafe { std::slice::from_raw_parts_mut(cells.as_ptr().cast_mut().cast(), cells.len()) }
    }
}

impl<'a, T, const N: usize, L, D> From<TypedTensorView<'a, T, N, Write, L, D>>
    for TypedTensorView<'a, T, N, Read, L, D>
{
    fn from(view: TypedTensorView<'a, T, N, Write, L, D>) -> Self {
        TypedTensorView {
            tensor: view.tensor,
            declaration: PhantomData,
        }
    }
}

impl<'a, T, const N: usize, A, L, D> TryFrom<TensorRef<'a>> for TypedTensorView<'a, T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    type Error = Error;

    #[track_caller]
    fn try_from(tensor: TensorRef<'a>) -> Result<Self> {
        Self::check(tensor)
    }
}

impl<'a, T, const N: usize, A, L, D> TryFrom<&'a Tensor> for TypedTensorView<'a, T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    type Error = Error;

    #[track_caller]
    fn try_from(tensor: &'a Tensor) -> Result<Self> {
        Self::check(tensor.as_tensor_ref())
    }
}

impl<'a, T, const N: usize, A, L, D> TryFrom<AnyView<'a>> for TypedTensorView<'a, T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    type Error = Error;

    #[inline]
    #[track_caller]
    fn try_from(value: AnyView<'a>) -> Result<Self> {
        Self::from_argument_ref(&value)
    }
}

impl<'a, T, const N: usize, A, L, D> PackedArgument<'a> for TypedTensorView<'a, T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    const REFUSES_LIKE_CPP: bool = true;

    #[inline]
    fn from_argument(view: AnyView<'a>) -> Result<Self> {
        Self::from_argument_ref(&view)
    }
    #[inline]
    fn from_argument_ref(view: &AnyView<'a>) -> Result<Self> {
        let value = view.as_raw_ffi_any();
        // SAFETY: the value is alive during `'a`.
        match unsafe { tensor_of(value) } {
            Some(tensor) => Self::check(tensor),
            None => Err(Self::RULE.wrong_kind(value)),
        }
    }
    fn argument_schema() -> String {
        Self::RULE.schema("DLTensor*")
    }
    fn argument_type() -> String {
        Self::RULE.name()
    }
}

/// A reference to a tensor object whose properties are checked, for parameters and results of
/// closures, fields and elements of containers. The type parameters are those of
/// [`TypedTensorView`].
///
/// ```
/// use tvm_ffi::{Function, Tensor, TypedTensor};
///
/// let twice = Function::from_typed(|x: TypedTensor<f32, 1>| {
///     let twice: Vec<f32> = x.view().iter().map(|value| 2.0 * value).collect();
///     TypedTensor::<f32, 1>::from_slice(&twice, x.view().shape())
/// });
/// let x = Tensor::from_slice(&[1.0f32, 2.0], &[2])?;
/// let result = TypedTensor::<f32, 1>::try_from(twice.call_tuple((&x,))?)?;
/// assert_eq!(result.view().get(&[1])?, 4.0);
///
/// let wrong = Tensor::from_slice(&[1i8], &[1])?;
/// let error = twice.call_tuple((&wrong,)).unwrap_err();
/// assert!(error.message().ends_with("got int8, shape (1,): convert it with x.astype(\"float32\")"));
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
pub struct TypedTensor<T, const N: usize, A = Write, L = RowMajor, D = Cpu> {
    tensor: Tensor,
    declaration: PhantomData<(*const T, A, L, D)>,
}

impl<T, const N: usize, A, L, D> Clone for TypedTensor<T, N, A, L, D> {
    fn clone(&self) -> Self {
        Self::trusted(self.tensor.clone())
    }
}

impl<T, const N: usize, A, L, D> TypedTensor<T, N, A, L, D> {
    /// Return a tensor that fits the type.
    fn trusted(tensor: Tensor) -> Self {
        TypedTensor {
            tensor,
            declaration: PhantomData,
        }
    }
}

impl<T, const N: usize, A, L, D> fmt::Debug for TypedTensor<T, N, A, L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tensor.as_tensor_ref().describe("TypedTensor", f)
    }
}

impl<T, const N: usize, A, L, D> TypedTensor<T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    const RULE: TensorRule = rule::<T, N, A, L, D>();

    /// Create a tensor on the CPU with a copy of the elements, in row-major order.
    ///
    /// # Errors
    ///
    /// `ValueError` if the number of elements is not that of the shape, or if the shape does not
    /// fit the type.
    #[track_caller]
    pub fn from_slice(elements: &[T], shape: &[i64]) -> Result<Self> {
        Self::try_from(Tensor::from_slice(elements, shape)?)
    }

    /// Borrow the tensor as a view. This conversion has no cost.
    #[inline]
    pub fn view(&self) -> TypedTensorView<'_, T, N, A, L, D> {
        TypedTensorView::trusted(self.tensor.as_tensor_ref())
    }
}

impl<T, const N: usize, L, D> From<TypedTensor<T, N, Write, L, D>> for Tensor {
    fn from(typed: TypedTensor<T, N, Write, L, D>) -> Self {
        typed.tensor
    }
}

impl<T, const N: usize, A, L, D> TryFrom<Tensor> for TypedTensor<T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    type Error = Error;

    #[track_caller]
    fn try_from(tensor: Tensor) -> Result<Self> {
        match Self::RULE.accepts(tensor.as_tensor_ref()) {
            true => Ok(Self::trusted(tensor)),
            false => Err(Self::RULE.refusal(tensor.as_tensor_ref())),
        }
    }
}

// SAFETY: the value is a tensor object; the checks accept only tensor objects that fit.
unsafe impl<T, const N: usize, A, L, D> AnyCompatible for TypedTensor<T, N, A, L, D>
where
    T: TensorElement,
    A: Access,
    L: Layout,
    D: Devices,
{
    const REFUSES_LIKE_CPP: bool = true;

    crate::macros::same_representation!(tensor: Tensor, Self::trusted);

    #[inline]
    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        // SAFETY: the caller guarantees that the value is valid.
        is_object(data) && unsafe { tensor_of(data) }.is_some_and(|x| Self::RULE.accepts(x))
    }
    fn conversion_error(data: &TVMFFIAny) -> Error {
        // SAFETY: the value is valid during the call.
        match unsafe { tensor_of(data) } {
            Some(tensor) if is_object(data) => Self::RULE.refusal(tensor),
            _ => Self::RULE.wrong_kind(data),
        }
    }
    fn type_str() -> String {
        Self::RULE.name()
    }
    fn type_schema() -> String {
        Self::RULE.schema("ffi.Tensor")
    }
}

crate::macros::impl_value!([T, const N: usize, A, L, D] TypedTensor<T, N, A, L, D>);
