// SPDX-License-Identifier: Apache-2.0
//! Functions for arrays and lists, which read and convert the elements of a `TVMFFISeqCell`.
//!
//! Foreign code and other threads may change a list. Therefore functions read the size of a list
//! again for every element, and copy an element while the list is locked, before they run other code.

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFISeqCell, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::error::{out_of_range, Error, Result, TYPE_ERROR};
use crate::shared_lock::{self, Guard};
use crate::type_traits::ContainerElement;

/// Return the C struct with address and size of the elements. Return `None` if the value is neither
/// an array nor a list.
///
/// # Safety
///
/// The value is alive as long as the C struct is used.
#[inline]
pub(crate) unsafe fn cell_of(value: &TVMFFIAny) -> Option<*const TVMFFISeqCell> {
    let array = TVMFFITypeIndex::kTVMFFIArray as i32;
    let list = TVMFFITypeIndex::kTVMFFIList as i32;
    if value.type_index != array && value.type_index != list {
        return None;
    }
    // SAFETY: the type index says that the payload is a sequence, and the C struct follows its
    // header.
    Some(unsafe { value.data_union.v_obj.add(1) }.cast())
}

/// Return the number of elements.
///
/// # Safety
///
/// `cell` belongs to a live sequence.
#[inline]
pub(crate) unsafe fn len(cell: *const TVMFFISeqCell) -> usize {
    // SAFETY: the caller guarantees that `cell` is valid.
    usize::try_from(unsafe { (*cell).size }).unwrap_or(0)
}

/// Return a view of element `i`, or `None` if `i` is past the end.
///
/// # Safety
///
/// `cell` belongs to a live sequence, which does not change during `'a`.
#[inline]
pub(crate) unsafe fn view<'a>(cell: *const TVMFFISeqCell, i: usize) -> Option<AnyView<'a>> {
    // SAFETY: the caller guarantees that `cell` is valid; there are `len` elements at `data`.
    unsafe {
        if i >= len(cell) {
            return None;
        }
        Some(AnyView::from_raw_ffi_any(
            *(*cell).data.cast::<TVMFFIAny>().add(i),
        ))
    }
}

/// Lock a list; for an array, do nothing.
///
/// # Safety
///
/// `cell` belongs to a live sequence.
#[inline]
unsafe fn lock(cell: *const TVMFFISeqCell) -> Guard {
    // SAFETY: the header is in front of the C struct.
    unsafe { shared_lock::lock(cell.cast::<TVMFFIObject>().sub(1)) }
}

/// Return a copy of element `i`, or `None` if `i` is past the end.
///
/// # Safety
///
/// `cell` belongs to a live sequence.
#[inline]
pub(crate) unsafe fn get(cell: *const TVMFFISeqCell, i: usize) -> Option<Any> {
    // SAFETY: nothing changes the sequence between the read and the copy.
    unsafe {
        let _guard = lock(cell);
        view(cell, i).map(Any::from)
    }
}

/// Return whether every element of a sequence has the type `T`, without conversion.
///
/// # Safety
///
/// The value is alive.
pub(crate) unsafe fn is_strict<T: ContainerElement>(value: &TVMFFIAny) -> bool {
    // SAFETY: the caller guarantees that the value is alive.
    unsafe { cell_of(value).is_some_and(|cell| all_strict::<T>(cell)) }
}

unsafe fn all_strict<T: ContainerElement>(cell: *const TVMFFISeqCell) -> bool {
    if T::HOLDS_ALL {
        return true;
    }
    // SAFETY: the caller guarantees that `cell` is valid. An array does not change. The elements of a
    // list are copied, because the check may lock lists that are elements.
    unsafe {
        if (*cell.cast::<TVMFFIObject>().sub(1)).type_index == TVMFFITypeIndex::kTVMFFIArray as i32
        {
            let mut views = (0..).map_while(|i| view(cell, i));
            return views.all(|element| T::element_check_strict(&element));
        }
        let elements = {
            let _guard = lock(cell);
            let views = (0..).map_while(|i| view(cell, i));
            views.map(Any::from).collect::<Vec<Any>>()
        };
        elements
            .iter()
            .all(|element| T::element_check_strict(&AnyView::from(element)))
    }
}

/// Return the converted elements, or `None` if the value is not a sequence.
///
/// # Safety
///
/// The value is alive.
pub(crate) unsafe fn converted<T: ContainerElement>(value: &TVMFFIAny) -> Option<Result<Vec<T>>> {
    // SAFETY: the caller guarantees that the value is alive.
    let cell = unsafe { cell_of(value) }?;
    // SAFETY: `cell` belongs to the value.
    let elements = (0..).map_while(|i| unsafe { get(cell, i) });
    Some(elements.map(T::element_from_any).collect())
}

/// Return a description of a sequence that does not convert, such as
/// `Array[index 2: ffi.SmallStr]`.
///
/// Return `None` if every element converts to `T`, or if the value is not a sequence.
///
/// # Safety
///
/// The value is alive.
pub(crate) unsafe fn mismatch<T: ContainerElement>(value: &TVMFFIAny) -> Option<String> {
    // SAFETY: the caller guarantees that the value is alive.
    let cell = unsafe { cell_of(value) }?;
    let list = value.type_index == TVMFFITypeIndex::kTVMFFIList as i32;
    let name = if list { "List" } else { "Array" };
    // SAFETY: `cell` belongs to the value.
    let mut elements = (0..).map_while(|i| unsafe { get(cell, i) }).enumerate();
    elements.find_map(|(i, element)| {
        T::element_from_view(AnyView::from(&element)).err()?;
        let found = T::element_mismatch(&AnyView::from(&element));
        Some(format!("{name}[index {i}: {found}]"))
    })
}

/// Return the error of the first element that does not convert, for example because a number is out
/// of range. Return `None` if the error is a `TypeError`. `name` is the type of the sequence.
///
/// # Safety
///
/// The value is alive.
#[track_caller]
pub(crate) unsafe fn refusal<T: ContainerElement>(value: &TVMFFIAny, name: &str) -> Option<Error> {
    // SAFETY: the caller guarantees that the value is alive.
    let cell = unsafe { cell_of(value) }?;
    let mut i = 0;
    let error = loop {
        // SAFETY: `cell` belongs to the value.
        match T::element_from_any(unsafe { get(cell, i) }?) {
            Ok(_) => i += 1,
            Err(error) => break error,
        }
    };
    out_of_range(&error, name, &format!("index {i}: "))
        .or_else(|| value_error(error, &format!("element {i}")))
}

/// Return the error with `place` added to its message. Return `None` for a `TypeError`, because the
/// caller reports the type of the whole container instead.
pub(crate) fn value_error(error: Error, place: &str) -> Option<Error> {
    if error.kind() == TYPE_ERROR {
        return None;
    }
    let message = format!("{} ({place})", error.message_lossy());
    Some(error.reworded(error.kind(), &message))
}

/// Return an index as the caller gave it, for messages. A number that is larger than any sequence was
/// converted from a negative one.
pub(crate) fn given_index(i: usize) -> isize {
    i as isize
}

/// Return the name of a type without module paths, for example `Array<String>`.
pub(crate) fn short_type_name<T>() -> String {
    let full = std::any::type_name::<T>();
    let mut short = String::new();
    let mut part = String::new();
    for character in full.chars() {
        if character.is_alphanumeric() || character == '_' {
            part.push(character);
        } else if character == ':' {
            part.clear();
        } else {
            short.push_str(&part);
            part.clear();
            short.push(character);
        }
    }
    short + &part
}

/// Implement the traits of a sequence. `From<Vec<T>>` is implemented for each one.
macro_rules! impl_sequence {
    ($name:ident, $iterator:ident) => {
        impl<T: ContainerElement> $name<T> {
            fn of_converted(elements: Vec<T>) -> Result<Self> {
                Ok(Self::from(elements))
            }
        }

        impl<T: ContainerElement> Default for $name<T> {
            fn default() -> Self {
                Self::from(Vec::new())
            }
        }

        impl<T: ContainerElement, const N: usize> From<[T; N]> for $name<T> {
            fn from(elements: [T; N]) -> Self {
                Self::from(Vec::from(elements))
            }
        }

        impl<T: ContainerElement> FromIterator<T> for $name<T> {
            fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
                Self::from(Vec::from_iter(elements))
            }
        }

        impl<T: ContainerElement> TryFrom<$name<T>> for Vec<T> {
            type Error = Error;

            fn try_from(sequence: $name<T>) -> Result<Self> {
                sequence.to_vec()
            }
        }

        impl<T: ContainerElement> IntoIterator for &$name<T> {
            type Item = <$iterator<T> as Iterator>::Item;
            type IntoIter = $iterator<T>;

            fn into_iter(self) -> $iterator<T> {
                self.iter()
            }
        }

        impl<T: ContainerElement> IntoIterator for $name<T> {
            type Item = <$iterator<T> as Iterator>::Item;
            type IntoIter = $iterator<T>;

            fn into_iter(self) -> $iterator<T> {
                self.iter()
            }
        }

        /// An element of another type than `T` is not equal to anything.
        impl<T: ContainerElement + PartialEq> PartialEq for $name<T> {
            fn eq(&self, other: &Self) -> bool {
                self.len() == other.len()
                    && matches!((self.to_vec(), other.to_vec()), (Ok(a), Ok(b)) if a == b)
            }
        }

        impl<T: ContainerElement + Eq> Eq for $name<T> {}
    };
}
pub(super) use impl_sequence;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_have_no_paths() {
        assert_eq!(short_type_name::<i64>(), "i64");
        assert_eq!(
            short_type_name::<Option<Vec<String>>>(),
            "Option<Vec<String>>"
        );
        assert_eq!(short_type_name::<(u8, std::rc::Rc<str>)>(), "(u8, Rc<str>)");
    }
}
