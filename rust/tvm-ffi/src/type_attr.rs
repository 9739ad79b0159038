// SPDX-License-Identifier: Apache-2.0
//! Type attributes.

use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};

use tvm_ffi_sys::{
    TVMFFIAny, TVMFFIByteArray, TVMFFIGetTypeAttrColumn, TVMFFITypeAttrColumn, TVMFFITypeIndex,
    TVMFFITypeRegisterAttr,
};

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, TYPE_ERROR};

/// The values of one type attribute for all types. The runtime keeps the column as long as the
/// process lives.
#[derive(Clone, Copy)]
pub struct TypeAttrColumn {
    column: &'static TVMFFITypeAttrColumn,
}

// SAFETY: the runtime writes the column with atomic stores, and `get` reads with atomic loads.
unsafe impl Send for TypeAttrColumn {}
// SAFETY: the runtime writes the column with atomic stores, and `get` reads with atomic loads.
unsafe impl Sync for TypeAttrColumn {}

impl std::fmt::Debug for TypeAttrColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TypeAttrColumn({:p})", self.column)
    }
}

impl TypeAttrColumn {
    /// Return the column of an attribute, or `None` if the attribute was never set for any type.
    pub fn new(name: &str) -> Option<Self> {
        // SAFETY: the text is valid during the call; a column lives as long as the process.
        let column = unsafe { TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::from_str(name)).as_ref() };
        column.map(|column| TypeAttrColumn { column })
    }

    /// Return the value for exactly this type. Derived types do not inherit values.
    pub fn get(self, type_index: i32) -> Option<Any> {
        let column: *const TVMFFITypeAttrColumn = self.column;
        let offset = i64::from(type_index) - i64::from(self.column.begin_index);
        // SAFETY: the column is alive, and the runtime writes its members with atomic stores. The
        // size is loaded first; the array that is loaded afterwards is at least as long. Arrays and
        // their values live as long as the process.
        let value = unsafe {
            let size =
                (*std::ptr::addr_of!((*column).size).cast::<AtomicI32>()).load(Ordering::Acquire);
            if offset < 0 || offset >= i64::from(size) {
                return None;
            }
            let data = (*std::ptr::addr_of!((*column).data).cast::<AtomicPtr<TVMFFIAny>>())
                .load(Ordering::Acquire);
            AnyView::from_raw_ffi_any(load_cell(data.add(offset as usize)))
        };
        match value.type_index() {
            0 => None,
            _ => value.to_any().ok(),
        }
    }
}

/// Load a value as two words. In one array, the runtime does not replace a value by a value of
/// another kind, so the type index in the first word matches the payload in the second word.
unsafe fn load_cell(cell: *const TVMFFIAny) -> TVMFFIAny {
    const { assert!(size_of::<TVMFFIAny>() == 2 * size_of::<u64>()) };
    let words = cell.cast::<AtomicU64>();
    // SAFETY: the caller passes the address of a value, which is aligned for words.
    unsafe {
        let first = (*words).load(Ordering::Acquire);
        let second = (*words.add(1)).load(Ordering::Acquire);
        // If the value was removed, the type index is 0, but the runtime did not clear the payload.
        std::mem::transmute([first, if first == 0 { 0 } else { second }])
    }
}

/// Return the attribute of a type, or `None` if the type does not have it. Derived types do not
/// inherit values.
pub fn get_type_attr(type_index: i32, name: &str) -> Option<Any> {
    TypeAttrColumn::new(name)?.get(type_index)
}

/// Set an attribute of a type. Another library may have defined the type.
///
/// # Errors
///
/// Any error of the runtime, for example for an unknown type or for a value that the attribute does
/// not accept. Without the feature `compat`, `TypeError` for an address, because the runtime calls the
/// addresses in some attributes.
#[track_caller]
pub fn set_type_attr(type_index: i32, name: &str, value: &Any) -> Result<()> {
    if cfg!(not(feature = "compat"))
        && value.type_index() == TVMFFITypeIndex::kTVMFFIOpaquePtr as i32
    {
        let message =
            format!("The attribute `{name}` cannot be an address; pass a function instead");
        return Err(Error::at_caller(TYPE_ERROR, &message));
    }
    // SAFETY: the value is not an address, or a user of `compat` guarantees that it is right.
    unsafe { set_any_type_attr(type_index, name, value) }
}

/// Set an attribute of a type, which may be an address.
///
/// # Safety
///
/// The runtime and other libraries can use the address as they use the attribute.
pub(crate) unsafe fn set_any_type_attr(type_index: i32, name: &str, value: &Any) -> Result<()> {
    let view = AnyView::from(value);
    // SAFETY: the text is valid until this function returns.
    let name = unsafe { TVMFFIByteArray::from_str(name) };
    // SAFETY: the text is valid during the call, and the runtime adds a reference to the value.
    crate::check_safe_call!(unsafe {
        TVMFFITypeRegisterAttr(type_index, &name, view.as_raw_ffi_any())
    })
}
