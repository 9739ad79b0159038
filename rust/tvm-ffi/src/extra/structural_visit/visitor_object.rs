// SPDX-License-Identifier: Apache-2.0
//! The `ffi.StructuralVisitor` that hooks get.

use std::any::Any as Payload;
use std::cell::{Cell, UnsafeCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread::{self, ThreadId};

use tvm_ffi_sys::TVMFFIAny;

use super::{enter, interrupt, DefRegionKind, Hook, StructuralView, VisitFn, VisitResult};
use crate::any::{Any, AnyView};
use crate::derive::Object;
use crate::error::{Error, Result, INTERNAL_ERROR, RUNTIME_ERROR};
use crate::object::{Object, ObjectArc};

/// `StructuralVisitorVTable` of C++.
#[repr(C)]
struct VTable {
    visit: unsafe extern "C" fn(*mut VisitorObj, TVMFFIAny) -> TVMFFIAny,
}

static VTABLE: VTable = VTable { visit };

/// A visitor that calls a function of Rust. The first three members are those of C++.
#[repr(C)]
#[derive(Object)]
#[type_key = "ffi.StructuralVisitor"]
pub(super) struct VisitorObj {
    base: Object,
    vtable: &'static VTable,
    /// The region, which hooks change through inline code of C++.
    def_region_mode: AtomicI32,
    state: State,
}

const _: () = {
    assert!(std::mem::offset_of!(VisitorObj, vtable) == 24);
    assert!(std::mem::offset_of!(VisitorObj, def_region_mode) == 32);
};

/// What only the thread of the traversal may use.
struct State {
    thread: ThreadId,
    /// Empty while the function runs, and when the hook has returned.
    visit: Cell<Option<NonNull<VisitFn<'static>>>>,
    panic: UnsafeCell<Option<Box<dyn Payload + Send>>>,
}

/// Call the hook of a value with a new visitor that visits by `visit`.
pub(super) fn call_hook(
    hook: &Hook,
    attribute: &Any,
    value: &StructuralView,
    kind: DefRegionKind,
    visit: &mut VisitFn<'_>,
) -> VisitResult {
    // SAFETY: only the lifetime changes; the pointer is removed before this function returns.
    let visit: NonNull<VisitFn<'static>> = unsafe { std::mem::transmute(NonNull::from(visit)) };
    let visitor = ObjectArc::new(VisitorObj {
        base: Object::new(),
        vtable: &VTABLE,
        def_region_mode: AtomicI32::new(kind as i32),
        state: State {
            thread: thread::current().id(),
            visit: Cell::new(Some(visit)),
            panic: UnsafeCell::new(None),
        },
    });
    // The hook is foreign code and does not unwind, so the next line runs in every case.
    let result = hook.call(attribute, &visitor, AnyView::from(value));
    visitor.state.visit.set(None);
    // SAFETY: this thread made the visitor, and no call of `visit` is in progress.
    if let Some(panic) = unsafe { (*visitor.state.panic.get()).take() } {
        drop(result);
        resume_unwind(panic);
    }
    interrupt::from_any(result?)
}

/// Visit a value for a hook.
///
/// # Safety
///
/// The visitor is alive, and the value is valid during the call.
unsafe extern "C" fn visit(visitor: *mut VisitorObj, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: as the caller promises.
    let (visitor, value) = unsafe { (&*visitor, AnyView::from_raw_ffi_any(value)) };
    let kind = DefRegionKind::from_raw(visitor.def_region_mode.load(Ordering::Relaxed));
    interrupt::into_raw(visit_guarded(
        &visitor.state,
        StructuralView::of(&value),
        kind,
    ))
}

fn visit_guarded(state: &State, value: &StructuralView, kind: DefRegionKind) -> VisitResult {
    if thread::current().id() != state.thread {
        let message = "A structural visitor was used on another thread than that of the traversal";
        return Err(Error::new(RUNTIME_ERROR, message, ""));
    }
    let Some(mut function) = state.visit.take() else {
        let message = "A structural visitor was used outside of its traversal";
        return Err(Error::new(RUNTIME_ERROR, message, ""));
    };
    // SAFETY: `call_hook` is in progress on this thread, and nothing else uses the function while
    // the cell is empty.
    let body = || enter(value, kind, unsafe { function.as_mut() });
    let outcome = catch_unwind(AssertUnwindSafe(body));
    match outcome {
        Ok(result) => {
            state.visit.set(Some(function));
            result
        }
        Err(panic) => {
            // The cell stays empty: the traversal is over, the panic goes on after the hook.
            // SAFETY: only this thread uses the payload, and no reference to it is alive.
            unsafe { *state.panic.get() = Some(panic) };
            stopped_by_panic()
        }
    }
}

fn stopped_by_panic<T>() -> Result<T> {
    let message = "A callback of the structural visit panicked";
    Err(Error::new(INTERNAL_ERROR, message, ""))
}
