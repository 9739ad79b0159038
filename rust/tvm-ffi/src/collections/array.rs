// SPDX-License-Identifier: Apache-2.0
//! [`Array`]: an immutable sequence.

use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::ptr;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFISeqCell, TVMFFITypeIndex};

use super::seq::{self, impl_sequence};
use super::{impl_container, wrong_element};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, INDEX_ERROR};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectCoreWithExtraItems, ObjectRefCore};
use crate::type_traits::{AnyCompatible, ContainerElement};

/// Define the object struct with the given visibility of its fields.
macro_rules! define_array_obj {
    ($visibility:vis) => {
        /// The object of an [`Array`]: `size` elements at `data`, which points behind the struct.
        ///
        /// With the feature `compat` the fields are public. Changing the fields is not sound; use
        /// the methods of [`Array`].
        #[repr(C)]
        #[non_exhaustive]
        pub struct ArrayObj {
            /// The header.
            $visibility object: Object,
            /// The first element, a `TVMFFIAny`.
            $visibility data: *mut c_void,
            /// Number of elements.
            $visibility size: i64,
            /// Number of elements that the allocated memory can hold.
            $visibility capacity: i64,
            /// Frees `data`. Null, because the elements are part of the object.
            $visibility data_deleter: Option<unsafe extern "C" fn(*mut c_void)>,
        }
    };
}

#[cfg(feature = "compat")]
define_array_obj!(pub);
#[cfg(not(feature = "compat"))]
define_array_obj!(pub(crate));

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<ArrayObj>() == 56);

// SAFETY: the first field is the header; the ABI defines the type index and the type key.
unsafe impl ObjectCore for ArrayObj {
    const TYPE_KEY: &'static str = "ffi.Array";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIArray as i32
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

// SAFETY: an object that this module creates has memory for `capacity` elements behind the struct;
// `capacity` does not change. Zero bytes are the value None.
unsafe impl ObjectCoreWithExtraItems for ArrayObj {
    type ExtraItem = TVMFFIAny;

    fn extra_items_count(this: &Self) -> usize {
        this.capacity as usize
    }
}

impl Drop for ArrayObj {
    fn drop(&mut self) {
        let elements = self.data.cast::<Any>();
        for i in 0..self.size.max(0) as usize {
            // SAFETY: the object owns `size` elements, and is being destroyed.
            unsafe { elements.add(i).drop_in_place() };
        }
    }
}

/// A guard that counts the written elements. When dropped, also after a panic, the guard stores the
/// count in the object.
struct Written {
    this: *mut ArrayObj,
    count: usize,
}

impl Drop for Written {
    fn drop(&mut self) {
        // SAFETY: the object is new, and outlives this guard.
        unsafe { (*self.this).size = self.count as i64 };
    }
}

/// Allocate an array and fill it with at most `capacity` elements.
fn allocate(capacity: usize, elements: impl Iterator<Item = Any>) -> ObjectArc<ArrayObj> {
    let mut object = ObjectArc::new_with_raw_items(ArrayObj {
        object: Object::new(),
        data: ptr::null_mut(),
        size: 0,
        capacity: capacity as i64,
        data_deleter: None,
    });
    // SAFETY: the object is new, so nothing else refers to it. Memory for `capacity` elements
    // follows the struct.
    unsafe {
        let this = ObjectArc::as_raw_mut(&mut object);
        let slots = this.add(1).cast::<TVMFFIAny>();
        (*this).data = slots.cast();
        let mut written = Written { this, count: 0 };
        for element in elements.take(capacity) {
            slots
                .add(written.count)
                .write(Any::into_raw_ffi_any(element));
            written.count += 1;
        }
    }
    object
}

#[cold]
#[track_caller]
fn out_of_bound(i: usize, len: usize) -> Error {
    let i = seq::given_index(i);
    let message = format!("Array get index out of bound: the index is {i}, the length is {len}");
    Error::at_caller(INDEX_ERROR, &message)
}

/// An immutable sequence of values. Clones share the elements.
///
/// ```
/// use tvm_ffi::Array;
///
/// let array = Array::new(vec![1i64, 2, 3]);
/// assert_eq!(array.get(2)?, 3);
/// assert_eq!(array.iter().sum::<i64>(), 6);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[repr(C)]
pub struct Array<T> {
    data: ObjectArc<ArrayObj>,
    _types: PhantomData<T>,
}

impl<T: ContainerElement> Array<T> {
    /// Return an array of the elements.
    pub fn new(elements: Vec<T>) -> Self {
        let data = allocate(
            elements.len(),
            elements.into_iter().map(T::element_into_any),
        );
        Array {
            data,
            _types: PhantomData,
        }
    }

    /// Return the C struct with address and size of the elements.
    fn cell(&self) -> *const TVMFFISeqCell {
        // SAFETY: the C struct follows the header; `self` keeps the object alive.
        unsafe { ObjectArc::as_header(&self.data).add(1) }.cast()
    }

    /// Return the number of elements.
    pub fn len(&self) -> usize {
        // SAFETY: `self` keeps the object alive.
        unsafe { seq::len(self.cell()) }
    }

    /// Return whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Return element `i`.
    ///
    /// # Errors
    ///
    /// `IndexError` if `i` is past the end.
    #[inline]
    #[track_caller]
    pub fn get(&self, i: usize) -> Result<T> {
        // SAFETY: `self` keeps the object alive, and the object does not change.
        let Some(element) = (unsafe { seq::view(self.cell(), i) }) else {
            return Err(out_of_bound(i, self.len()));
        };
        match T::element_from_view(element) {
            Ok(element) => Ok(element),
            Err(reason) => Err(wrong_element::<T>(i, &reason)),
        }
    }

    /// Return a view of element `i`, without conversion.
    ///
    /// The view cannot outlive the array:
    ///
    /// ```compile_fail,E0597
    /// let view = {
    ///     let array = tvm_ffi::Array::new(vec![1i64]);
    ///     array.view(0)
    /// };
    /// assert_eq!(view.try_as::<i64>(), Some(1));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `i` is past the end, like the index operator of a slice.
    #[track_caller]
    pub fn view(&self, i: usize) -> AnyView<'_> {
        // SAFETY: `self` keeps the object alive, and the object does not change.
        match unsafe { seq::view(self.cell(), i) } {
            Some(element) => element,
            None => panic!(
                "index out of bounds: the len is {} but the index is {}",
                self.len(),
                seq::given_index(i)
            ),
        }
    }

    /// Return an iterator over the elements.
    ///
    /// # Panics
    ///
    /// The iterator panics at an element that is not a `T`. Such an element exists only after a
    /// wrong `unsafe` conversion, because other conversions check the elements. [`Array::try_iter`]
    /// returns an error instead.
    pub fn iter(&self) -> ArrayIterator<T> {
        ArrayIterator {
            elements: self.try_iter(),
        }
    }

    /// Return an iterator over the elements. The iterator returns an error for an element that is
    /// not a `T`.
    pub fn try_iter(&self) -> TryArrayIterator<T> {
        TryArrayIterator {
            array: self.clone(),
            next: 0,
            end: self.len(),
        }
    }

    /// Copy the elements into a vector.
    ///
    /// # Errors
    ///
    /// `TypeError` for an element that is not a `T`.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.try_iter().collect()
    }
}

impl<T: ContainerElement> From<Vec<T>> for Array<T> {
    fn from(elements: Vec<T>) -> Self {
        Self::new(elements)
    }
}

impl_sequence!(Array, ArrayIterator);
impl_container!(Array<T>, ArrayObj, seq);

/// Not sound: the index operator returns a view that can be copied and can outlive the array. Use
/// [`Array::view`], which borrows, or [`Array::get`].
#[cfg(feature = "compat")]
impl<T: ContainerElement> std::ops::Index<usize> for Array<T> {
    type Output = AnyView<'static>;

    #[track_caller]
    fn index(&self, i: usize) -> &AnyView<'static> {
        let len = self.len();
        assert!(
            i < len,
            "index out of bounds: the len is {len} but the index is {}",
            seq::given_index(i)
        );
        // SAFETY: the element exists, and a view has the layout of a value. The documentation makes
        // the lifetime the caller's responsibility.
        unsafe { &*(*self.cell()).data.cast::<AnyView<'static>>().add(i) }
    }
}

/// Iterator over the elements of an [`Array`]. It returns an error for an element that is not a
/// `T`.
pub struct TryArrayIterator<T: ContainerElement> {
    array: Array<T>,
    next: usize,
    end: usize,
}

impl<T: ContainerElement> Iterator for TryArrayIterator<T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        if self.next >= self.end {
            return None;
        }
        self.next += 1;
        Some(self.array.get(self.next - 1))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl<T: ContainerElement> DoubleEndedIterator for TryArrayIterator<T> {
    fn next_back(&mut self) -> Option<Result<T>> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        Some(self.array.get(self.end))
    }
}

impl<T: ContainerElement> ExactSizeIterator for TryArrayIterator<T> {}
impl<T: ContainerElement> FusedIterator for TryArrayIterator<T> {}

/// Iterator over the elements of an [`Array`].
pub struct ArrayIterator<T: ContainerElement> {
    elements: TryArrayIterator<T>,
}

/// Return the element, or panic as documented at [`Array::iter`].
fn expect_element<T>(element: Result<T>) -> T {
    match element {
        Ok(element) => element,
        Err(error) => panic!("array iterator: {}", error.message()),
    }
}

impl<T: ContainerElement> Iterator for ArrayIterator<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.elements.next().map(expect_element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<T: ContainerElement> DoubleEndedIterator for ArrayIterator<T> {
    fn next_back(&mut self) -> Option<T> {
        self.elements.next_back().map(expect_element)
    }
}

impl<T: ContainerElement> ExactSizeIterator for ArrayIterator<T> {}
impl<T: ContainerElement> FusedIterator for ArrayIterator<T> {}
