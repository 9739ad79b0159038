// SPDX-License-Identifier: Apache-2.0
//! The `ffi.StructuralVisitor` object that hooks get.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, Ordering};

use tvm_ffi_sys::TVMFFIAny;

use super::{enter, interrupt, DefRegionKind, Hook, Loan, StructuralView, VisitFn, VisitResult};
use crate::any::{Any, AnyView};
use crate::object::{impl_unchecked_mirror, Object, ObjectArc};

/// The C++ struct `StructuralVisitorVTable`.
#[repr(C)]
struct VTable {
    visit: unsafe extern "C" fn(*mut VisitorObj, TVMFFIAny) -> TVMFFIAny,
}

static VTABLE: VTable = VTable { visit };

/// A visitor that calls a Rust function. The C++ headers define the offsets of the first three
/// members.
#[repr(C)]
pub(super) struct VisitorObj {
    base: Object,
    vtable: &'static VTable,
    /// The definition region of the values that the hook visits next. Hooks that are written in C++
    /// change this member directly: the C++ headers define its offset.
    def_region_mode: AtomicI32,
    visit: Loan<VisitFn<'static>>,
}

// SAFETY: the struct begins with the members of C++.
impl_unchecked_mirror!(VisitorObj, "ffi.StructuralVisitor", false);

const _: () = {
    assert!(std::mem::offset_of!(VisitorObj, vtable) == 24);
    assert!(std::mem::offset_of!(VisitorObj, def_region_mode) == 32);
};

/// Call the hook of a value with a new visitor object. If the hook visits a value, the visitor
/// object calls `visit`.
pub(super) fn call_hook(
    hook: &Hook,
    attribute: &Any,
    value: &StructuralView,
    kind: DefRegionKind,
    visit: &mut VisitFn<'_>,
) -> VisitResult {
    // SAFETY: the cast only changes the lifetime, and the loan ends below.
    let visit = unsafe {
        let visit: NonNull<VisitFn<'static>> = std::mem::transmute(NonNull::from(visit));
        Loan::new(visit)
    };
    let visitor = ObjectArc::new(VisitorObj {
        base: Object::new(),
        vtable: &VTABLE,
        def_region_mode: AtomicI32::new(kind as i32),
        visit,
    });
    let call = || hook.call(attribute, &visitor, AnyView::from(value));
    interrupt::from_any(visitor.visit.end_after(call)?)
}

/// Visit a value. Hooks call this function.
///
/// # Safety
///
/// The visitor is alive, and the value is valid during the call.
unsafe extern "C" fn visit(visitor: *mut VisitorObj, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller meets the conditions of this function.
    let (visitor, value) = unsafe { (&*visitor, AnyView::from_raw_ffi_any(value)) };
    let kind = DefRegionKind::from_raw(visitor.def_region_mode.load(Ordering::Relaxed));
    let value = StructuralView::of(&value);
    interrupt::into_raw(visitor.visit.call(|visit| enter(value, kind, visit)))
}
