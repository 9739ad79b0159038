// SPDX-License-Identifier: Apache-2.0
//! Iteration over the entries of maps and dicts by their layout, which is part of the ABI.

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject};

use crate::any::{Any, AnyView};

/// Body of a map or dict, behind the header.
#[repr(C)]
struct MapCell {
    data: *mut u8,
    size: u64,
    slots: u64,
    data_deleter: *mut u8,
}

/// What the dense layout adds.
#[repr(C)]
struct DenseMapCell {
    base: MapCell,
    fib_shift: u32,
    list_head: u64,
    list_tail: u64,
}

/// An entry; the dense layout adds the positions of its neighbours.
#[repr(C)]
struct Entry {
    key: TVMFFIAny,
    value: TVMFFIAny,
}

#[repr(C)]
struct DenseEntry {
    entry: Entry,
    previous: u64,
    next: u64,
}

/// Set in `slots` for the small layout.
const SMALL: u64 = 1 << 63;
/// The dense layout has blocks of so many metadata bytes, followed by as many entries.
const BLOCK_SLOTS: u64 = 16;
const BLOCK_SIZE: u64 = BLOCK_SLOTS + BLOCK_SLOTS * std::mem::size_of::<DenseEntry>() as u64;

const _: () = {
    assert!(std::mem::size_of::<Entry>() == 32);
    assert!(std::mem::size_of::<DenseEntry>() == 48);
    assert!(std::mem::size_of::<DenseMapCell>() + std::mem::size_of::<TVMFFIObject>() == 80);
};

/// Return the number of entries.
///
/// # Safety
///
/// `object` is a live map or dict.
#[inline]
pub(super) unsafe fn len(object: *const TVMFFIObject) -> usize {
    // SAFETY: the body follows the header.
    unsafe { (*object.add(1).cast::<MapCell>()).size as usize }
}

/// Position in a map or dict that does not change meanwhile.
pub(super) struct Cursor {
    position: u64,
}

impl Cursor {
    /// Return the position of the first entry.
    ///
    /// # Safety
    ///
    /// `object` is a live map or dict.
    #[inline]
    pub(super) unsafe fn first(object: *const TVMFFIObject) -> Self {
        // SAFETY: the body follows the header; the tag tells the layout.
        unsafe {
            let cell = object.add(1).cast::<MapCell>();
            let dense = (*cell).slots & SMALL == 0;
            // A dense map without entries may have no table, so its links are not read.
            let head = if dense && (*cell).size != 0 {
                (*cell.cast::<DenseMapCell>()).list_head
            } else {
                0
            };
            Cursor { position: head }
        }
    }

    /// Return the entry, and move on to the next one.
    ///
    /// # Safety
    ///
    /// `object` is the map or dict of the cursor, alive and unchanged; the cursor has moved less
    /// often than there are entries. The views are used while that is so.
    #[inline]
    pub(super) unsafe fn next<'a>(
        &mut self,
        object: *const TVMFFIObject,
    ) -> (AnyView<'a>, AnyView<'a>) {
        // SAFETY: the caller vouches for the position, so there is an entry at it.
        unsafe {
            let cell = object.add(1).cast::<MapCell>();
            let data = (*cell).data;
            let entry = if (*cell).slots & SMALL != 0 {
                self.position += 1;
                data.cast::<Entry>().add(self.position as usize - 1)
            } else {
                let block = data.add((self.position / BLOCK_SLOTS * BLOCK_SIZE) as usize);
                let entries = block.add(BLOCK_SLOTS as usize).cast::<DenseEntry>();
                let entry = entries.add((self.position % BLOCK_SLOTS) as usize);
                self.position = (*entry).next;
                entry.cast::<Entry>()
            };
            (
                AnyView::from_raw_ffi_any((*entry).key),
                AnyView::from_raw_ffi_any((*entry).value),
            )
        }
    }
}

/// Return whether `check` holds for every entry. `check` must not run foreign code.
///
/// # Safety
///
/// `object` is a live map or dict.
pub(super) unsafe fn all(
    object: *const TVMFFIObject,
    mut check: impl FnMut(AnyView<'_>, AnyView<'_>) -> bool,
) -> bool {
    // SAFETY: nothing changes the entries meanwhile.
    unsafe {
        let mut cursor = Cursor::first(object);
        (0..len(object)).all(|_| {
            let (key, value) = cursor.next(object);
            check(key, value)
        })
    }
}

/// Return a copy of the entries, in order.
///
/// # Safety
///
/// `object` is a live map or dict.
pub(super) unsafe fn entries(object: *const TVMFFIObject) -> Vec<(Any, Any)> {
    // SAFETY: a copy of a value does not run foreign code, so nothing changes the entries.
    unsafe {
        let mut cursor = Cursor::first(object);
        let entry = |_| {
            let (key, value) = cursor.next(object);
            (Any::from(key), Any::from(value))
        };
        (0..len(object)).map(entry).collect()
    }
}
