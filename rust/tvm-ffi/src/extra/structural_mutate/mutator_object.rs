// SPDX-License-Identifier: Apache-2.0
//! The `ffi.StructuralMutator` object that hooks get.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, Ordering};

use tvm_ffi_sys::TVMFFIAny;

use super::descent::{enter, Engine};
use crate::any::{Any, AnyView};
use crate::error::Result;
use crate::extra::structural_visit::{DefRegionKind, Hook, Loan, StructuralView};
use crate::object::{impl_unchecked_mirror, Object, ObjectArc};

type Mutate = unsafe extern "C" fn(*mut MutatorObj, TVMFFIAny) -> TVMFFIAny;

/// The C++ struct `StructuralMutatorVTable`.
#[repr(C)]
struct VTable {
    mutate: Mutate,
    maybe_inplace_mutate: Mutate,
    var_remap_get: Mutate,
    var_remap_set: unsafe extern "C" fn(*mut MutatorObj, TVMFFIAny, TVMFFIAny) -> TVMFFIAny,
}

static VTABLE: VTable = VTable {
    mutate: mutate::<false>,
    maybe_inplace_mutate: mutate::<true>,
    var_remap_get,
    var_remap_set,
};

/// A mutator that calls an [`Engine`]. The C++ headers define the offsets of the first three
/// members.
#[repr(C)]
pub(super) struct MutatorObj {
    base: Object,
    vtable: &'static VTable,
    /// The definition region of the values that the hook mutates next. Hooks that are written in
    /// C++ change this member directly: the C++ headers define its offset.
    def_region_mode: AtomicI32,
    engine: Loan<dyn Engine + 'static>,
}

// SAFETY: the struct begins with the members of C++.
impl_unchecked_mirror!(MutatorObj, "ffi.StructuralMutator", false);

const _: () = {
    assert!(std::mem::offset_of!(MutatorObj, vtable) == 24);
    assert!(std::mem::offset_of!(MutatorObj, def_region_mode) == 32);
};

/// Call the hook of a value with a new mutator object. If the hook mutates a value, the mutator
/// object calls `engine`.
pub(super) fn call_hook(
    hook: &Hook,
    attribute: &Any,
    value: &StructuralView,
    kind: DefRegionKind,
    engine: &mut (dyn Engine + '_),
) -> Result<Any> {
    // SAFETY: the cast only changes the lifetime, and the loan ends before this function returns.
    let engine = unsafe {
        let engine: NonNull<dyn Engine + 'static> = std::mem::transmute(NonNull::from(engine));
        Loan::new(engine)
    };
    let mutator = ObjectArc::new(MutatorObj {
        base: Object::new(),
        vtable: &VTABLE,
        def_region_mode: AtomicI32::new(kind as i32),
        engine,
    });
    let call = || hook.call(attribute, &mutator, AnyView::from(value));
    mutator.engine.end_after(call)
}

/// Call `body` with the engine and the region of a mutator. Return the result or the error of
/// `body` as a C value.
///
/// # Safety
///
/// The mutator is alive.
unsafe fn with_engine(
    mutator: *mut MutatorObj,
    body: impl FnOnce(&mut (dyn Engine + 'static), DefRegionKind) -> Result<Any>,
) -> TVMFFIAny {
    // SAFETY: the caller meets the conditions of this function.
    let mutator = unsafe { &*mutator };
    let kind = DefRegionKind::from_raw(mutator.def_region_mode.load(Ordering::Relaxed));
    let result = mutator.engine.call(|engine| body(engine, kind));
    let value = result.unwrap_or_else(Any::from);
    // SAFETY: the receiver takes ownership of the value.
    unsafe { Any::into_raw_ffi_any(value) }
}

/// Mutate a value. Hooks call this function.
///
/// # Safety
///
/// The mutator is alive, and the value is valid during the call.
unsafe extern "C" fn mutate<const INPLACE: bool>(
    mutator: *mut MutatorObj,
    value: TVMFFIAny,
) -> TVMFFIAny {
    // SAFETY: the caller meets the conditions of this function.
    unsafe {
        let value = AnyView::from_raw_ffi_any(value);
        with_engine(mutator, |engine, kind| {
            enter(StructuralView::of(&value), kind, INPLACE, engine)
        })
    }
}

/// Return the recorded replacement of a variable, or None. Hooks call this function.
///
/// # Safety
///
/// The conditions are those of `mutate`.
unsafe extern "C" fn var_remap_get(mutator: *mut MutatorObj, var: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller meets the conditions of this function.
    unsafe {
        let var = AnyView::from_raw_ffi_any(var);
        with_engine(mutator, |engine, _| {
            let found = engine.var_remap_get(StructuralView::of(&var))?;
            Ok(found.unwrap_or_default())
        })
    }
}

/// Record the replacement of a variable. Hooks call this function.
///
/// # Safety
///
/// The conditions are those of `mutate`.
unsafe extern "C" fn var_remap_set(
    mutator: *mut MutatorObj,
    var: TVMFFIAny,
    mapped: TVMFFIAny,
) -> TVMFFIAny {
    // SAFETY: the caller meets the conditions of this function.
    unsafe {
        let var = AnyView::from_raw_ffi_any(var);
        let mapped = AnyView::from_raw_ffi_any(mapped);
        with_engine(mutator, |engine, _| {
            engine.var_remap_set(StructuralView::of(&var), &mapped.to_any()?)?;
            Ok(Any::new())
        })
    }
}
