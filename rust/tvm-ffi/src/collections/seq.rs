// SPDX-License-Identifier: Apache-2.0
//! What arrays and lists share: reading and converting the elements of a `TVMFFISeqCell`.
//!
//! The size of a list is read again for every element, and elements are copied before foreign code
//! may run: that code may change the list.

use tvm_ffi_sys::{TVMFFIAny, TVMFFISeqCell, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::error::{out_of_range, Error, Result, TYPE_ERROR};
use crate::type_traits::ContainerElement;

/// Return the body of an array or list, or `None` for another value.
///
/// # Safety
///
/// The value is alive, and the body is used only while it is.
#[inline]
pub(crate) unsafe fn cell_of(value: &TVMFFIAny) -> Option<*const TVMFFISeqCell> {
    let array = TVMFFITypeIndex::kTVMFFIArray as i32;
    let list = TVMFFITypeIndex::kTVMFFIList as i32;
    if value.type_index != array && value.type_index != list {
        return None;
    }
    // SAFETY: the tag says that the payload is a sequence, whose body follows the header.
    Some(unsafe { value.data_union.v_obj.add(1) }.cast())
}

/// Return the number of elements.
///
/// # Safety
///
/// `cell` is the body of a live sequence.
#[inline]
pub(crate) unsafe fn len(cell: *const TVMFFISeqCell) -> usize {
    // SAFETY: the caller vouches for the body.
    usize::try_from(unsafe { (*cell).size }).unwrap_or(0)
}

/// Return element `i`, borrowed, or `None` behind the end.
///
/// # Safety
///
/// `cell` is the body of a live sequence, which does not change during `'a`.
#[inline]
pub(crate) unsafe fn view<'a>(cell: *const TVMFFISeqCell, i: usize) -> Option<AnyView<'a>> {
    // SAFETY: the caller vouches for the body; there are `len` elements at `data`.
    unsafe {
        if i >= len(cell) {
            return None;
        }
        Some(AnyView::from_raw_ffi_any(
            *(*cell).data.cast::<TVMFFIAny>().add(i),
        ))
    }
}

/// Return a copy of element `i`, or `None` behind the end.
///
/// # Safety
///
/// `cell` is the body of a live sequence.
#[inline]
pub(crate) unsafe fn get(cell: *const TVMFFISeqCell, i: usize) -> Option<Any> {
    // SAFETY: nothing runs between the read and the copy.
    unsafe { view(cell, i) }.map(Any::from)
}

/// Return whether every element is a `T` without conversion.
///
/// # Safety
///
/// `cell` is the body of a live sequence.
pub(crate) unsafe fn all_strict<T: ContainerElement>(cell: *const TVMFFISeqCell) -> bool {
    // SAFETY: a strict check does not run foreign code.
    let mut views = (0..).map_while(|i| unsafe { view(cell, i) });
    views.all(|element| T::element_check_strict(&element))
}

/// Convert every element, one after the other.
///
/// # Safety
///
/// `cell` is the body of a sequence that is alive until the iterator is dropped.
pub(crate) unsafe fn converted<T: ContainerElement>(
    cell: *const TVMFFISeqCell,
) -> impl Iterator<Item = Result<T>> {
    // SAFETY: the caller vouches for the body.
    (0..)
        .map_while(move |i| unsafe { get(cell, i) })
        .map(T::element_from_any)
}

/// Return the name of the type of a sequence for messages, such as `Array[index 2: ffi.SmallStr]`.
///
/// `None` if every element converts to `T`, or the value is not a sequence.
///
/// # Safety
///
/// The value is alive.
pub(crate) unsafe fn mismatch<T: ContainerElement>(value: &TVMFFIAny) -> Option<String> {
    // SAFETY: the caller vouches for the value.
    let cell = unsafe { cell_of(value) }?;
    let list = value.type_index == TVMFFITypeIndex::kTVMFFIList as i32;
    let name = if list { "List" } else { "Array" };
    // SAFETY: as above.
    let mut elements = (0..).map_while(|i| unsafe { get(cell, i) }).enumerate();
    elements.find_map(|(i, element)| {
        T::element_from_view(AnyView::from(&element)).err()?;
        let found = T::element_mismatch(&AnyView::from(&element));
        Some(format!("{name}[index {i}: {found}]"))
    })
}

/// Return the error of the first element that does not convert, if that is not its type: a number
/// that is out of range, for example. `name` is the type of the sequence.
///
/// # Safety
///
/// The value is alive.
pub(crate) unsafe fn element_error<T: ContainerElement>(
    value: &TVMFFIAny,
    name: &str,
) -> Option<Error> {
    // SAFETY: the caller vouches for the value.
    let cell = unsafe { cell_of(value) }?;
    // SAFETY: as above.
    let mut elements = unsafe { converted::<T>(cell) }.enumerate();
    let (i, error) = elements.find_map(|(i, element)| Some((i, element.err()?)))?;
    out_of_range(&error, name, &format!("index {i}: "))
        .or_else(|| value_error(error, &format!("element {i}")))
}

/// Return the error of a part of a container with the place of the part, unless it is a
/// `TypeError`: the type of the container describes that one.
pub(crate) fn value_error(error: Error, place: &str) -> Option<Error> {
    if error.kind() == TYPE_ERROR {
        return None;
    }
    let message = format!("{} ({place})", error.message_lossy());
    Some(Error::new(error.kind(), &message, error.backtrace()))
}

/// Return a name without the paths of its parts: `i64`, `Array<String>`.
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
