// SPDX-License-Identifier: Apache-2.0
//! Sizes and layout of a `DLTensor`.

use tvm_ffi_sys::{DLDataType, DLDevice, DLDeviceType, DLTensor};

/// The CPU device.
pub(super) const CPU: DLDevice = DLDevice::new(DLDeviceType::kDLCPU, 0);

/// Number and size of the elements of a [`DLTensor`].
pub trait DLTensorExt {
    /// Return the number of elements; 0 if an extent is negative or the number does not fit
    /// `usize`.
    ///
    /// Not sound: the caller must make sure that `shape` points at `ndim` extents. The sound
    /// alternatives are [`DLTensorExt::checked_numel`], [`crate::Tensor::numel`] and
    /// [`TensorRef::numel`](super::TensorRef::numel).
    #[cfg(feature = "compat")]
    fn numel(&self) -> usize;

    /// Return the number of elements, or `None` if an extent is negative or the number does not fit
    /// `usize`.
    ///
    /// # Safety
    ///
    /// `shape` points at `ndim` extents.
    unsafe fn checked_numel(&self) -> Option<usize>;

    /// Return the size of one element in bytes: the number of bits times the number of lanes,
    /// rounded up to bytes.
    fn item_size(&self) -> usize;
}

impl DLTensorExt for DLTensor {
    #[cfg(feature = "compat")]
    fn numel(&self) -> usize {
        // SAFETY: the documentation requires that the caller provides a valid shape.
        unsafe { self.checked_numel() }.unwrap_or(0)
    }

    #[inline]
    unsafe fn checked_numel(&self) -> Option<usize> {
        // SAFETY: the caller guarantees that the shape is valid.
        checked_numel(unsafe { shape(self) })
    }

    #[inline]
    fn item_size(&self) -> usize {
        item_bits(self.dtype).div_ceil(8)
    }
}

/// Return the extents.
///
/// # Safety
///
/// `shape` is null or points at `ndim` extents that live and do not change during the borrow.
#[inline]
pub(super) unsafe fn shape(tensor: &DLTensor) -> &[i64] {
    if tensor.shape.is_null() || tensor.ndim <= 0 {
        return &[];
    }
    // SAFETY: the pointer is not null, and the caller guarantees that it points at `ndim` extents.
    unsafe { std::slice::from_raw_parts(tensor.shape, tensor.ndim as usize) }
}

/// Return the strides, or `None` if `strides` is null: then the tensor is compact.
///
/// # Safety
///
/// `strides` is null or points at `ndim` strides that live and do not change during the borrow.
#[inline]
pub(super) unsafe fn strides(tensor: &DLTensor) -> Option<&[i64]> {
    if tensor.strides.is_null() {
        return None;
    }
    if tensor.ndim <= 0 {
        return Some(&[]);
    }
    // SAFETY: the pointer is not null, and the caller guarantees that it points at `ndim` strides.
    Some(unsafe { std::slice::from_raw_parts(tensor.strides, tensor.ndim as usize) })
}

/// Return the number of elements, or `None` if an extent is negative or the number does not fit
/// `usize`.
#[inline]
pub(super) fn checked_numel(shape: &[i64]) -> Option<usize> {
    let (mut product, mut is_empty, mut fits) = (1usize, false, true);
    for &extent in shape {
        if extent < 0 {
            return None;
        }
        is_empty |= extent == 0;
        let Ok(extent) = usize::try_from(extent) else {
            fits = false;
            continue;
        };
        let (next, overflows) = product.overflowing_mul(extent);
        product = next;
        fits &= !overflows;
    }
    // If an extent is 0, the number of elements is 0, even if the product of the other extents
    // overflows.
    if is_empty {
        return Some(0);
    }
    fits.then_some(product)
}

/// Return the size of `numel` elements in bytes, or `None` if it is larger than the address space.
///
/// Elements that are smaller than a byte are packed.
#[inline]
pub(super) fn checked_bytes(numel: usize, dtype: DLDataType) -> Option<usize> {
    // Both factors have at most 64 bits, so the product fits 128 bits.
    let bytes = (numel as u128 * item_bits(dtype) as u128).div_ceil(8);
    isize::try_from(bytes).ok()?;
    usize::try_from(bytes).ok()
}

/// Return the size of one element in bits.
#[inline]
pub(super) fn item_bits(dtype: DLDataType) -> usize {
    usize::from(dtype.bits) * usize::from(dtype.lanes)
}

/// Return whether a tensor with this shape and these strides is row-major without gaps.
#[inline]
pub(super) fn is_contiguous(shape: &[i64], strides: Option<&[i64]>) -> bool {
    let Some(strides) = strides else { return true };
    let mut expected = 1i64;
    for (&extent, &stride) in shape.iter().zip(strides).rev() {
        if extent == 1 {
            continue;
        }
        if stride != expected {
            return shape.contains(&0);
        }
        expected = expected.wrapping_mul(extent);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_elements_is_checked() {
        assert_eq!(checked_numel(&[]), Some(1));
        assert_eq!(checked_numel(&[2, 3]), Some(6));
        assert_eq!(checked_numel(&[i64::MAX, i64::MAX, 0]), Some(0));
        assert_eq!(checked_numel(&[i64::MAX, i64::MAX]), None);
        assert_eq!(checked_numel(&[0, -1]), None);
    }

    #[test]
    fn contiguity_ignores_extents_of_one_and_empty_tensors() {
        assert!(is_contiguous(&[2, 3], None));
        assert!(is_contiguous(&[2, 3], Some(&[3, 1])));
        assert!(!is_contiguous(&[2, 3], Some(&[1, 2])));
        assert!(is_contiguous(&[2, 1, 3], Some(&[3, 77, 1])));
        assert!(is_contiguous(&[2, 0], Some(&[5, 5])));
        assert!(is_contiguous(&[], Some(&[])));
    }

    #[test]
    fn sizes_round_up_to_bytes() {
        let int4 = DLDataType {
            code: 0,
            bits: 4,
            lanes: 1,
        };
        assert_eq!(checked_bytes(3, int4), Some(2));
        let float32x4 = DLDataType {
            code: 2,
            bits: 32,
            lanes: 4,
        };
        assert_eq!(checked_bytes(3, float32x4), Some(48));
        assert_eq!(checked_bytes(usize::MAX / 8, float32x4), None);
    }
}
