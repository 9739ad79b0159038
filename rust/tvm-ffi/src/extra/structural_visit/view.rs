// SPDX-License-Identifier: Apache-2.0
//! [`StructuralView`]: the value that a callback of a traversal gets.

use tvm_ffi_sys::TVMFFIAny;

use crate::any::{Any, AnyView};
use crate::object::{is_object, ObjectCore};
use crate::type_traits::{AnyCompatible, ContainerElement};

/// A value that a traversal has reached. Programs can only borrow it.
#[repr(transparent)]
pub struct StructuralView {
    data: TVMFFIAny,
}

impl StructuralView {
    /// Convert a borrowed `AnyView` to a borrowed `StructuralView`.
    pub(crate) fn of<'v>(view: &'v AnyView<'_>) -> &'v StructuralView {
        // SAFETY: both structs consist of one C value, which lives as long as the borrow of the
        // view.
        unsafe { &*std::ptr::from_ref(view.as_raw_ffi_any()).cast::<StructuralView>() }
    }

    /// Return the value as an owned `Any`.
    pub fn to_owned(&self) -> Any {
        Any::from(AnyView::from(self))
    }

    /// Return the value if its type is `R`; do not convert values of other types.
    pub fn cast<R: AnyCompatible>(&self) -> Option<R> {
        AnyView::from(self).try_as()
    }

    /// Do the same as `cast`, but `R` may also be [`Any`], which accepts every value.
    #[doc(hidden)]
    pub fn cast_element<R: ContainerElement>(&self) -> Option<R> {
        let view = AnyView::from(self);
        match R::element_check_strict(&view) {
            true => R::element_from_view(view).ok(),
            false => None,
        }
    }

    /// Return the type index of the value.
    pub fn type_index(&self) -> i32 {
        self.data.type_index
    }

    /// Return the object as an `N` if its type is `N` or derives from `N`. The reference count does
    /// not change.
    pub fn as_node<N: ObjectCore>(&self) -> Option<&N> {
        // SAFETY: the value is valid, and stays alive while the view is borrowed.
        unsafe {
            let object = self.data.data_union.v_obj.cast::<N>();
            is_object::<N>(&self.data).then(|| &*object)
        }
    }

    /// Return the C value; `self` keeps the ownership.
    pub(crate) fn raw(&self) -> &TVMFFIAny {
        &self.data
    }
}

impl<'a> From<&'a StructuralView> for AnyView<'a> {
    fn from(value: &'a StructuralView) -> Self {
        // SAFETY: the value lives as long as the borrow.
        unsafe { AnyView::from_raw_ffi_any(value.data) }
    }
}

impl From<&StructuralView> for Any {
    fn from(value: &StructuralView) -> Self {
        value.to_owned()
    }
}

impl std::fmt::Debug for StructuralView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        AnyView::from(self).fmt(f)
    }
}

/// Call a function with the view of a value.
pub(crate) fn with_view<T, R>(value: &T, body: impl FnOnce(&StructuralView) -> R) -> R
where
    for<'x> AnyView<'x>: From<&'x T>,
{
    let view = AnyView::from(value);
    body(StructuralView::of(&view))
}

/// Convert an owned value to a borrowed `StructuralView`.
pub(crate) fn owned(value: &Any) -> &StructuralView {
    // SAFETY: both structs consist of one C value, which lives as long as the borrow.
    unsafe { &*std::ptr::from_ref(value.raw()).cast::<StructuralView>() }
}
