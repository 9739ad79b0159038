// SPDX-License-Identifier: Apache-2.0
//! Iteration over the entries of a map or dict. In the small layout, the entries are an array; in
//! the dense layout, they are a hash table. Both layouts are part of the ABI
//! (`docs/reference/container-layout.md`).

use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::shared_lock;

/// The C struct behind the header of a map or dict.
#[repr(C)]
struct MapCell {
    data: *mut u8,
    size: u64,
    slots: u64,
    data_deleter: *mut u8,
}

/// The C struct behind the header of a map or dict in the dense layout.
#[repr(C)]
struct DenseMapCell {
    base: MapCell,
    fib_shift: u32,
    list_head: u64,
    list_tail: u64,
}

/// An entry of the small layout. An entry of the dense layout is a `DenseEntry`, which also has the
/// positions of the previous and the next entry in iteration order.
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

/// The bit of `slots` that marks the small layout.
const SMALL: u64 = 1 << 63;
/// The number of entries in a block of the dense layout. A block begins with one metadata byte per
/// entry.
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
    // SAFETY: the C struct follows the header.
    unsafe { (*object.add(1).cast::<MapCell>()).size as usize }
}

/// A position in a map or dict. The map or dict must not change while the cursor is used.
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
        // SAFETY: the C struct follows the header; the `SMALL` bit of `slots` distinguishes the
        // layouts.
        unsafe {
            let cell = object.add(1).cast::<MapCell>();
            let dense = (*cell).slots & SMALL == 0;
            // Do not read `list_head` of a dense map without entries: the map may have no table.
            let head = if dense && (*cell).size != 0 {
                (*cell.cast::<DenseMapCell>()).list_head
            } else {
                0
            };
            Cursor { position: head }
        }
    }

    /// Return views of key and value of the current entry, and move to the next entry.
    ///
    /// # Safety
    ///
    /// `object` is the map or dict that the cursor was created for. The object stays alive and
    /// unchanged as long as the views are used. The caller calls this function at most once per
    /// entry.
    #[inline]
    pub(super) unsafe fn next<'a>(
        &mut self,
        object: *const TVMFFIObject,
    ) -> (AnyView<'a>, AnyView<'a>) {
        // SAFETY: the caller guarantees that there is an entry at the position.
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

/// Return whether `check` holds for every entry. `check` must not run foreign code. It gets copies of
/// the entries of a dict, because it may lock dicts that are values.
///
/// # Safety
///
/// `object` is a live map or dict.
pub(super) unsafe fn all(
    object: *const TVMFFIObject,
    mut check: impl FnMut(AnyView<'_>, AnyView<'_>) -> bool,
) -> bool {
    // SAFETY: the caller guarantees that the object is alive. Nothing changes the entries of a map.
    unsafe {
        if (*object).type_index == TVMFFITypeIndex::kTVMFFIDict as i32 {
            let entries = entries(object);
            return entries
                .iter()
                .all(|(key, value)| check(key.into(), value.into()));
        }
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
    // SAFETY: a dict is locked, and copying a value does not run foreign code, so nothing changes the
    // entries.
    unsafe {
        let _guard = shared_lock::lock(object);
        let mut cursor = Cursor::first(object);
        let entry = |_| {
            let (key, value) = cursor.next(object);
            (Any::from(key), Any::from(value))
        };
        (0..len(object)).map(entry).collect()
    }
}
