// SPDX-License-Identifier: Apache-2.0
//! Access to the buffer of a list through raw pointers.
//!
//! The list is locked as long as its [`Storage`] exists. No function runs foreign code: functions
//! return the elements that they remove, and the caller drops these elements after the storage.

use std::marker::PhantomData;
use std::ptr;

use tvm_ffi_sys::{TVMFFIAny, TVMFFISeqCell};

use super::ListObj;
use crate::any::{Any, AnyView};
use crate::collections::seq;
use crate::error::{Error, Result, OVERFLOW_ERROR};
use crate::object::ObjectArc;
use crate::shared_lock::{self, Guard};

/// Make an empty list.
pub(super) fn new_object() -> ObjectArc<ListObj> {
    let list = match crate::cached_global_func!("ffi.List").call_packed(&[]) {
        Ok(list) => list,
        Err(error) => panic!("{}", error.message()),
    };
    assert_eq!(
        list.type_index(),
        <ListObj as crate::object::ObjectCore>::type_index()
    );
    // SAFETY: the value owns one reference to a list, and gives the reference to the pointer.
    unsafe {
        ObjectArc::from_raw(
            Any::into_raw_ffi_any(list)
                .data_union
                .v_obj
                .cast::<ListObj>(),
        )
    }
}

/// Access to the elements of a list, which is locked; a borrow keeps the list alive during `'a`.
pub(super) struct Storage<'a> {
    object: *mut ListObj,
    _guard: Guard,
    _list: PhantomData<&'a ObjectArc<ListObj>>,
}

impl<'a> Storage<'a> {
    /// Return access to the elements of a list.
    #[inline]
    pub(super) fn new(list: &'a ObjectArc<ListObj>) -> Self {
        Storage {
            object: ObjectArc::as_header(list).cast(),
            // SAFETY: the list is alive.
            _guard: unsafe { shared_lock::lock(ObjectArc::as_header(list)) },
            _list: PhantomData,
        }
    }

    /// Return the C struct with address, size and capacity of the elements.
    #[inline]
    fn cell(&self) -> *mut TVMFFISeqCell {
        // SAFETY: the C struct follows the header.
        unsafe { self.object.cast::<tvm_ffi_sys::TVMFFIObject>().add(1) }.cast()
    }

    /// Return the number of elements.
    #[inline]
    pub(super) fn len(&self) -> usize {
        // SAFETY: the list is alive.
        unsafe { seq::len(self.cell()) }
    }

    /// Return the number of elements that the allocated memory can hold.
    #[inline]
    pub(super) fn capacity(&self) -> usize {
        // SAFETY: the list is alive.
        usize::try_from(unsafe { (*self.cell()).capacity }).unwrap_or(0)
    }

    /// Return a copy of element `i`.
    #[inline]
    pub(super) fn get(&self, i: usize) -> Option<Any> {
        // SAFETY: the list is alive.
        unsafe { seq::view(self.cell(), i) }.map(Any::from)
    }

    /// Return the address of element `i`; `i` must be at most the capacity.
    #[inline]
    fn slot(&self, i: usize) -> *mut TVMFFIAny {
        debug_assert!(i <= self.capacity());
        // SAFETY: there is memory for `capacity` elements.
        unsafe { (*self.cell()).data.cast::<TVMFFIAny>().add(i) }
    }

    /// Set the number of elements.
    ///
    /// # Safety
    ///
    /// The first `len` slots hold owned values.
    #[inline]
    unsafe fn set_len(&self, len: usize) {
        // SAFETY: the list is alive.
        unsafe { (*self.cell()).size = len as i64 };
    }

    /// Replace element `i` and return the former element. If `i` is past the end, return `value` as
    /// the error.
    #[inline]
    pub(super) fn replace(&self, i: usize, value: Any) -> Result<Any, Any> {
        if i >= self.len() {
            return Err(value);
        }
        // SAFETY: the slot holds an owned value.
        Ok(unsafe { self.slot(i).cast::<Any>().replace(value) })
    }

    /// Append a value. The caller has already called [`Storage::reserve`].
    #[inline]
    pub(super) fn push(&self, value: Any) {
        let len = self.len();
        assert!(len < self.capacity(), "the capacity is too small");
        // SAFETY: the slot is unused memory of the list, directly after the last element.
        unsafe {
            self.slot(len).cast::<Any>().write(value);
            self.set_len(len + 1);
        }
    }

    /// Insert values before element `i`. The caller has already called [`Storage::reserve`].
    pub(super) fn insert(&self, i: usize, mut values: Vec<Any>) {
        let (len, count) = (self.len(), values.len());
        assert!(
            i <= len && count <= self.capacity().saturating_sub(len),
            "the capacity is too small"
        );
        if count == 0 {
            return;
        }
        // SAFETY: all slots up to the capacity are memory of the list. The tail moves up, and the
        // values move into the gap; the vector does not drop the values.
        unsafe {
            ptr::copy(self.slot(i), self.slot(i + count), len - i);
            ptr::copy_nonoverlapping(values.as_ptr().cast(), self.slot(i), count);
            values.set_len(0);
            self.set_len(len + count);
        }
    }

    /// Return whether element `i` exists and is the value `value` itself.
    pub(super) fn is_at(&self, i: usize, value: &Any) -> bool {
        // SAFETY: the list is alive and locked.
        unsafe { seq::view(self.cell(), i) }.is_some_and(|element| element.is_same(&value.into()))
    }

    /// Remove and return the elements from `start` (included) to `end` (excluded). The range must
    /// be inside the list.
    pub(super) fn remove(&self, start: usize, end: usize) -> Vec<Any> {
        let len = self.len();
        assert!(start <= end && end <= len, "the range is not in the list");
        let count = end - start;
        let mut removed = Vec::<Any>::with_capacity(count);
        if count == 0 {
            return removed;
        }
        // SAFETY: the elements move into the vector, and the tail moves down.
        unsafe {
            ptr::copy_nonoverlapping(self.slot(start).cast(), removed.as_mut_ptr(), count);
            removed.set_len(count);
            ptr::copy(self.slot(end), self.slot(start), len - end);
            self.set_len(len - count);
        }
        removed
    }

    /// Reverse the order of the elements.
    pub(super) fn reverse(&self) {
        let len = self.len();
        for i in 0..len / 2 {
            // SAFETY: both slots hold values, and they are not the same.
            unsafe { ptr::swap(self.slot(i), self.slot(len - 1 - i)) };
        }
    }

    /// Reserve memory for `additional` elements.
    #[inline]
    #[track_caller]
    pub(super) fn reserve(&self, additional: usize) -> Result<()> {
        if additional <= self.capacity().saturating_sub(self.len()) {
            return Ok(());
        }
        self.grow(additional)
    }

    /// Let the runtime grow the buffer, because the runtime has allocated it.
    #[cold]
    #[track_caller]
    fn grow(&self, additional: usize) -> Result<()> {
        let (len, capacity) = (self.len(), self.capacity());
        let needed = len
            .checked_add(additional)
            .map(|needed| needed.max(capacity * 2));
        // If the address space cannot hold that many elements, fail without calling the runtime.
        let limit = isize::MAX as usize / std::mem::size_of::<TVMFFIAny>();
        let Some(needed) = needed.filter(|&needed| needed <= limit) else {
            let message = format!("A list cannot have {len} + {additional} elements");
            return Err(Error::at_caller(OVERFLOW_ERROR, &message));
        };
        let mut this = TVMFFIAny::new();
        this.type_index = <ListObj as crate::object::ObjectCore>::type_index();
        this.data_union.v_obj = self.object.cast();
        // SAFETY: the list is alive during the call.
        let this = unsafe { AnyView::from_raw_ffi_any(this) };
        let needed = needed as i64;
        crate::cached_global_func!("ffi.ListReserve")
            .call_packed(&[this, AnyView::from(&needed)])?;
        Ok(())
    }
}
