// SPDX-License-Identifier: Apache-2.0
//! [`List`]: a mutable sequence, shared by its handles.

mod iterator;
mod storage;

use std::marker::PhantomData;
#[cfg(feature = "compat")]
use std::os::raw::c_void;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFITypeIndex};

pub use iterator::ListIterator;
use storage::Storage;

use super::seq::{self, impl_sequence};
use super::{impl_container, wrong_element};
use crate::any::Any;
use crate::error::{Error, Result, INDEX_ERROR};
use crate::object::{Object, ObjectArc, ObjectCore, ObjectRefCore};
use crate::type_traits::{AnyCompatible, ContainerElement};

/// The object of a [`List`]: `size` elements at `data`.
///
/// To read the public fields is not sound: the list may change while the object is borrowed. Use
/// the methods of [`List`]. Without the feature `compat`, the struct has no public fields.
#[cfg(feature = "compat")]
#[repr(C)]
#[non_exhaustive]
pub struct ListObj {
    /// The header.
    pub object: Object,
    /// The address of the first element, a `TVMFFIAny`. Null if no memory is allocated.
    pub data: *mut c_void,
    /// Number of elements.
    pub size: i64,
    /// Number of elements that the allocated memory can hold.
    pub capacity: i64,
    /// Frees `data`.
    pub data_deleter: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// The object of a [`List`].
#[cfg(not(feature = "compat"))]
#[repr(C)]
pub struct ListObj {
    object: Object,
    /// The C struct behind the header, in an `UnsafeCell`, because the list may change while the
    /// object is borrowed.
    _body: std::cell::UnsafeCell<tvm_ffi_sys::TVMFFISeqCell>,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<ListObj>() == 56);

// SAFETY: the first field is the header; the ABI defines the type index and the type key.
unsafe impl ObjectCore for ListObj {
    const TYPE_KEY: &'static str = "ffi.List";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIList as i32
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

/// A mutable sequence of values; clones refer to the same list.
///
/// All methods take `&self`, because the list is shared with other handles and other languages.
/// Other code may change the elements between two calls, even to values that are not a `T`;
/// therefore the methods that read return a `Result`. Several threads may use a list at the same
/// time: each method locks the list, but not against code of other languages, which must not change
/// the list meanwhile.
///
/// ```
/// use tvm_ffi::List;
///
/// let list = List::new();
/// list.push(1i64)?;
/// let other = list.clone();
/// other.push(2)?;
/// assert_eq!(list.iter().collect::<tvm_ffi::Result<Vec<_>>>()?, [1, 2]);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[repr(C)]
pub struct List<T> {
    data: ObjectArc<ListObj>,
    _types: PhantomData<T>,
}

/// Return the error for an index or range outside the list. `what` names the operation, and `reason`
/// has the index and the length.
#[cold]
#[track_caller]
fn out_of_bound(what: &str, reason: &str) -> Error {
    let message = format!("List {what} index out of bound: {reason}");
    Error::at_caller(INDEX_ERROR, &message)
}

impl<T: ContainerElement> List<T> {
    /// Return an empty list.
    pub fn new() -> Self {
        List {
            data: storage::new_object(),
            _types: PhantomData,
        }
    }

    /// Lock the list; return an accessor of the elements.
    fn storage(&self) -> Storage<'_> {
        Storage::new(&self.data)
    }

    /// Return the number of elements.
    pub fn len(&self) -> usize {
        self.storage().len()
    }

    /// Return whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Return the number of elements that the allocated memory can hold.
    pub fn capacity(&self) -> usize {
        self.storage().capacity()
    }

    /// Return element `i`.
    ///
    /// # Errors
    ///
    /// `IndexError` if `i` is past the end; `TypeError` if the element is not a `T`.
    #[track_caller]
    pub fn get(&self, i: usize) -> Result<T> {
        self.read(i, "get")
    }

    /// Return the error for the index `i`, which no element has; `what` names the operation.
    #[cold]
    #[track_caller]
    fn no_element(&self, i: usize, what: &str) -> Error {
        let reason = match self.len() {
            0 if matches!(what, "first" | "last" | "pop") => "the list is empty".to_string(),
            len => format!("the index is {}, the length is {len}", seq::given_index(i)),
        };
        out_of_bound(what, &reason)
    }

    /// Return element `i`; `what` names the operation in the error.
    #[track_caller]
    fn read(&self, i: usize, what: &str) -> Result<T> {
        match self.element(i) {
            Some(element) => element,
            None => Err(self.no_element(i, what)),
        }
    }

    /// Return element `i`, or `None` if `i` is past the end.
    #[track_caller]
    fn element(&self, i: usize) -> Option<Result<T>> {
        let element = self.storage().get(i)?;
        Some(T::element_from_any(element).map_err(|error| wrong_element::<T>(i, &error)))
    }

    /// Return the first element.
    ///
    /// # Errors
    ///
    /// `IndexError` if the list is empty; `TypeError` if the element is not a `T`.
    #[track_caller]
    pub fn first(&self) -> Result<T> {
        self.read(0, "first")
    }

    /// Return the last element.
    ///
    /// # Errors
    ///
    /// `IndexError` if the list is empty; `TypeError` if the element is not a `T`.
    #[track_caller]
    pub fn last(&self) -> Result<T> {
        self.read(self.len().wrapping_sub(1), "last")
    }

    /// Replace element `i`.
    ///
    /// # Errors
    ///
    /// `IndexError` if `i` is past the end.
    #[track_caller]
    pub fn set(&self, i: usize, value: T) -> Result<()> {
        let former = self.storage().replace(i, value.element_into_any());
        match former {
            // The destructor of the former element may use the list, so it runs after the change.
            Ok(former) => drop(former),
            Err(_) => return Err(self.no_element(i, "set")),
        }
        Ok(())
    }

    /// Append an element.
    ///
    /// # Errors
    ///
    /// The error of the runtime if there is not enough memory.
    #[track_caller]
    pub fn push(&self, value: T) -> Result<()> {
        let value = value.element_into_any();
        let storage = self.storage();
        storage.reserve(1)?;
        storage.push(value);
        Ok(())
    }

    /// Insert an element before element `i`, or at the end.
    ///
    /// # Errors
    ///
    /// `IndexError` if `i` is larger than the length.
    #[track_caller]
    pub fn insert(&self, i: usize, value: T) -> Result<()> {
        self.insert_checked(i, vec![value.element_into_any()], "insert")
    }

    /// Insert elements before element `i`, or at the end.
    ///
    /// # Errors
    ///
    /// `IndexError` if `i` is larger than the length.
    #[track_caller]
    pub fn insert_many<I: IntoIterator<Item = T>>(&self, i: usize, values: I) -> Result<()> {
        // The iterator may change the list, so collect all its values before reading the length of
        // the list.
        let values = values.into_iter().map(T::element_into_any).collect();
        self.insert_checked(i, values, "insert_many")
    }

    /// Insert values that are already converted; `what` names the operation in errors.
    #[track_caller]
    fn insert_checked(&self, i: usize, values: Vec<Any>, what: &str) -> Result<()> {
        let storage = self.storage();
        let len = storage.len();
        if i > len {
            let i = seq::given_index(i);
            let reason = format!("the index is {i}, and may be at most the length {len}");
            return Err(out_of_bound(what, &reason));
        }
        storage.reserve(values.len())?;
        storage.insert(i, values);
        Ok(())
    }

    /// Remove element `i` and return it.
    ///
    /// # Errors
    ///
    /// `IndexError` if `i` is past the end; `TypeError` if the element is not a `T`. After an
    /// error, the list is unchanged.
    #[track_caller]
    pub fn remove(&self, i: usize) -> Result<T> {
        self.take(Some(i), "remove")
    }

    /// Remove the last element and return it.
    ///
    /// # Errors
    ///
    /// `IndexError` if the list is empty; `TypeError` if the element is not a `T`. After an error,
    /// the list is unchanged.
    #[track_caller]
    pub fn pop(&self) -> Result<T> {
        self.take(None, "pop")
    }

    /// Remove element `i`, or the last element; `what` names the operation in the error.
    #[track_caller]
    fn take(&self, i: Option<usize>, what: &str) -> Result<T> {
        loop {
            let (i, element) = {
                let storage = self.storage();
                let i = i.unwrap_or(storage.len().wrapping_sub(1));
                (i, storage.get(i))
            };
            let Some(element) = element else {
                return Err(self.no_element(i, what));
            };
            // The conversion may run foreign code, so the list is not locked.
            let value = T::element_from_any(element.clone());
            let value = value.map_err(|error| wrong_element::<T>(i, &error))?;
            let storage = self.storage();
            if storage.is_at(i, &element) {
                let removed = storage.remove(i, i + 1);
                drop(storage);
                drop(removed);
                return Ok(value);
            }
        }
    }

    /// Remove all elements.
    pub fn clear(&self) {
        self.truncate(0);
    }

    /// Shorten the list to its first `len` elements.
    pub fn truncate(&self, len: usize) {
        let storage = self.storage();
        let removed = storage.remove(len.min(storage.len()), storage.len());
        // Destructors of elements may use the list, so the list is unlocked first.
        drop(storage);
        drop(removed);
    }

    /// Remove the elements from `start` (included) to `end` (excluded).
    ///
    /// # Errors
    ///
    /// `IndexError` if `start` is larger than `end`, or `end` is larger than the length.
    #[track_caller]
    pub fn remove_range(&self, start: usize, end: usize) -> Result<()> {
        let storage = self.storage();
        let len = storage.len();
        if start > end || end > len {
            let (start, end) = (seq::given_index(start), seq::given_index(end));
            let reason = format!("the range is {start}..{end}, the length is {len}");
            return Err(out_of_bound("remove_range", &reason));
        }
        let removed = storage.remove(start, end);
        drop(storage);
        drop(removed);
        Ok(())
    }

    /// Reserve memory for `additional` elements. If the memory grows, its size at least doubles.
    ///
    /// # Errors
    ///
    /// `OverflowError` if the size is too large, or another error of the runtime.
    #[track_caller]
    pub fn reserve(&self, additional: usize) -> Result<()> {
        self.storage().reserve(additional)
    }

    /// Append elements.
    ///
    /// # Errors
    ///
    /// The error of the runtime if there is not enough memory.
    #[track_caller]
    pub fn extend<I: IntoIterator<Item = T>>(&self, values: I) -> Result<()> {
        let values: Vec<Any> = values.into_iter().map(T::element_into_any).collect();
        let storage = self.storage();
        storage.reserve(values.len())?;
        storage.insert(storage.len(), values);
        Ok(())
    }

    /// Change the number of elements to `len`: remove elements at the end, or append copies of
    /// `value`.
    ///
    /// # Errors
    ///
    /// `OverflowError` if `len` is too large, or another error of the runtime.
    #[track_caller]
    pub fn resize(&self, len: usize, value: T) -> Result<()> {
        self.truncate(len);
        let value = value.element_into_any();
        let storage = self.storage();
        let missing = len - storage.len().min(len);
        storage.reserve(missing)?;
        storage.insert(storage.len(), vec![value; missing]);
        Ok(())
    }

    /// Reverse the order of the elements.
    pub fn reverse(&self) {
        self.storage().reverse();
    }

    /// Return an iterator over the elements.
    ///
    /// Other code may change the list during the iteration: each step reads the length again. The
    /// first step from the back fixes the end, so elements that are appended later are not visited.
    pub fn iter(&self) -> ListIterator<T> {
        ListIterator::new(self.clone())
    }

    /// Return the same iterator as [`List::iter`]: the iterator returns an error for an element
    /// that is not a `T`.
    pub fn try_iter(&self) -> ListIterator<T> {
        self.iter()
    }

    /// Copy the elements into a vector.
    ///
    /// # Errors
    ///
    /// `TypeError` for an element that is not a `T`.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.iter().collect()
    }
}

impl<T: ContainerElement> From<Vec<T>> for List<T> {
    fn from(elements: Vec<T>) -> Self {
        let list = Self::new();
        if let Err(error) = list.extend(elements) {
            panic!("{}", error.message());
        }
        list
    }
}

impl_sequence!(List, ListIterator);
impl_container!(List<T>, ListObj, seq);
