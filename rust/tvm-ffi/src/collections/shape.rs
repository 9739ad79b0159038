// SPDX-License-Identifier: Apache-2.0
//! [`Shape`]: an immutable sequence of extents (sizes of dimensions).

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::ptr;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFITypeIndex};

use crate::collections::seq;
use crate::error::{Error, Result};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectCoreWithExtraItems, ObjectRefCore};
use crate::type_traits::{mismatch_error, AnyCompatible};

/// The object of a [`Shape`]: `size` extents at `data`.
#[repr(C)]
pub struct ShapeObj {
    object: Object,
    data: *const i64,
    size: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<ShapeObj>() == 40);

// SAFETY: the first field is the header; the ABI defines the type index and the type key.
unsafe impl ObjectCore for ShapeObj {
    const TYPE_KEY: &'static str = "ffi.Shape";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIShape as i32
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

// SAFETY: an object that this module creates has `size` extents behind the struct; `size` does not
// change.
unsafe impl ObjectCoreWithExtraItems for ShapeObj {
    type ExtraItem = i64;

    fn extra_items_count(this: &Self) -> usize {
        this.size
    }
}

impl ShapeObj {
    /// Return the extents.
    #[inline]
    fn as_slice(&self) -> &[i64] {
        if self.size == 0 || self.data.is_null() {
            return &[];
        }
        // SAFETY: the object owns `size` extents at `data`, which do not change.
        unsafe { std::slice::from_raw_parts(self.data, self.size) }
    }
}

/// An immutable sequence of extents. Clones share the extents.
#[repr(C)]
#[derive(Clone)]
pub struct Shape {
    data: ObjectArc<ShapeObj>,
}

// SAFETY: the extents are immutable, and the reference count is atomic.
unsafe impl Send for Shape {}
// SAFETY: the extents are immutable, and the reference count is atomic.
unsafe impl Sync for Shape {}

impl Shape {
    /// Return a shape without extents, the shape of a scalar.
    pub fn new() -> Self {
        Self::from(&[])
    }

    /// Return the extents.
    #[inline]
    pub fn as_slice(&self) -> &[i64] {
        self.data.as_slice()
    }

    /// Write the strides, in elements, of a compact row-major tensor of this shape.
    ///
    /// If `strides` is longer than `shape`, the function does not change the surplus elements. A
    /// stride that does not fit `i64` wraps around, so check the size of the tensor first.
    ///
    /// # Panics
    ///
    /// Panics if `strides` is shorter than `shape`.
    pub fn fill_strides_from_shape<T: AsRef<[i64]>>(shape: T, strides: &mut [i64]) {
        let shape = shape.as_ref();
        let mut stride = 1i64;
        for (slot, extent) in strides[..shape.len()].iter_mut().zip(shape).rev() {
            *slot = stride;
            stride = stride.wrapping_mul(*extent);
        }
    }
}

impl Default for Shape {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: AsRef<[i64]>> From<T> for Shape {
    fn from(extents: T) -> Self {
        let extents = extents.as_ref();
        let object = ShapeObj {
            object: Object::new(),
            data: ptr::null(),
            size: extents.len(),
        };
        let mut data = ObjectArc::new_with_extra_items(object);
        // SAFETY: the object is new, so nothing else refers to it. Memory for `size` extents
        // follows the struct.
        unsafe {
            let this = ObjectArc::as_raw_mut(&mut data);
            let items = this.add(1).cast::<i64>();
            ptr::copy_nonoverlapping(extents.as_ptr(), items, extents.len());
            (*this).data = items;
        }
        Shape { data }
    }
}

impl FromIterator<i64> for Shape {
    fn from_iter<I: IntoIterator<Item = i64>>(extents: I) -> Self {
        Self::from(extents.into_iter().collect::<Vec<_>>())
    }
}

impl Deref for Shape {
    type Target = [i64];

    #[inline]
    fn deref(&self) -> &[i64] {
        self.as_slice()
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Shape {}

impl PartialOrd for Shape {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Shape {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_slice().cmp(other.as_slice())
    }
}

impl Hash for Shape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shape")?;
        f.debug_list().entries(self.as_slice()).finish()
    }
}

// SAFETY: the struct is one pointer to a shape.
unsafe impl ObjectRefCore for Shape {
    type ContainerType = ShapeObj;

    fn data(this: &Self) -> &ObjectArc<ShapeObj> {
        &this.data
    }

    fn into_data(this: Self) -> ObjectArc<ShapeObj> {
        this.data
    }

    unsafe fn from_data(data: ObjectArc<ShapeObj>) -> Self {
        Shape { data }
    }
}

// SAFETY: the value is one strong reference to a shape.
unsafe impl AnyCompatible for Shape {
    const MATCH_ANY_EXACT: bool = true;

    fn match_any_exact_type_index() -> i32 {
        ShapeObj::type_index()
    }

    crate::collections::container_functions!(ShapeObj);

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == ShapeObj::type_index()
    }

    /// Convert an array or list of integers to a shape, as C++ does.
    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that `data` is valid and stays alive during the
        // conversion.
        let extents = unsafe { seq::converted::<i64>(data) }.ok_or(())?;
        extents.map(Self::from).map_err(|_| ())
    }

    fn get_mismatch_type_info(data: &TVMFFIAny) -> String {
        // SAFETY: the caller has just tried to convert `data`, so `data` is alive.
        unsafe { seq::mismatch::<i64>(data) }
            .unwrap_or_else(|| crate::object::type_key_of(data.type_index))
    }

    fn conversion_error(data: &TVMFFIAny) -> Error {
        // SAFETY: the caller has just tried to convert `data`, so `data` is alive.
        match unsafe { seq::refusal::<i64>(data, &Self::type_str()) } {
            Some(error) => error,
            None => mismatch_error::<Self>(data),
        }
    }

    fn type_str() -> String {
        ShapeObj::TYPE_KEY.to_string()
    }
}

crate::impl_try_from_any!(Shape);
crate::impl_arg_into_ref!(Shape);
crate::impl_into_arg_holder_default!(Shape);
crate::impl_object_upcast!(Shape => crate::object::ObjectRef);
