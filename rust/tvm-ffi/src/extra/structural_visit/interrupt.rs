// SPDX-License-Identifier: Apache-2.0
//! The interrupt that stops a visit, and the values that callbacks of visits return.

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use super::VisitResult;
use crate::any::{Any, AnyView};
use crate::derive::{Object, ObjectRef};
use crate::error::{Error, Result, TYPE_ERROR};
use crate::object::{type_key_of, Object, ObjectArc};

/// Content of a `ffi.VisitInterrupt`.
#[repr(C)]
#[derive(Object)]
#[type_key = "ffi.VisitInterrupt"]
#[type_index(TVMFFITypeIndex::kTVMFFIVisitInterrupt as i32)]
#[type_final]
pub struct VisitInterruptObj {
    base: Object,
    /// The value with which a callback stopped the visit.
    pub value: Any,
}

/// A reference to a [`VisitInterruptObj`].
#[repr(C)]
#[derive(ObjectRef, Clone)]
struct InterruptRef {
    data: ObjectArc<VisitInterruptObj>,
}

/// The result of a traversal that a callback has stopped.
#[derive(Debug, Clone, Default)]
pub struct VisitInterrupt {
    /// The value with which the callback stopped the traversal.
    pub value: Any,
}

impl VisitInterrupt {
    /// Return an interrupt with a value.
    pub fn with(value: impl Into<Any>) -> Self {
        VisitInterrupt {
            value: value.into(),
        }
    }
}

/// Convert an interrupt to its object.
impl From<VisitInterrupt> for Any {
    fn from(interrupt: VisitInterrupt) -> Self {
        let base = Object::new();
        let value = interrupt.value;
        Any::from(InterruptRef {
            data: ObjectArc::new(VisitInterruptObj { base, value }),
        })
    }
}

/// A type that a callback of a visit may return.
pub trait IntoVisitResult {
    /// Convert to the result of a visit.
    fn into_visit_result(self) -> VisitResult;
}

impl IntoVisitResult for () {
    fn into_visit_result(self) -> VisitResult {
        Ok(None)
    }
}

impl IntoVisitResult for Option<VisitInterrupt> {
    fn into_visit_result(self) -> VisitResult {
        Ok(self)
    }
}

impl<T: IntoVisitResult> IntoVisitResult for Result<T> {
    fn into_visit_result(self) -> VisitResult {
        self.and_then(T::into_visit_result)
    }
}

/// Convert the result of a visit to an owned C value: None, an interrupt or an error.
pub(super) fn into_raw(result: VisitResult) -> TVMFFIAny {
    let value = match result {
        Ok(None) => Any::new(),
        Ok(Some(interrupt)) => Any::from(interrupt),
        Err(error) => Any::from(error),
    };
    // SAFETY: the caller takes ownership of the result.
    unsafe { Any::into_raw_ffi_any(value) }
}

/// Convert the value that a hook returned to the result of a visit.
pub(super) fn from_any(value: Any) -> VisitResult {
    if value.type_index() == TVMFFITypeIndex::kTVMFFINone as i32 {
        return Ok(None);
    }
    if let Some(interrupt) = value.try_as::<InterruptRef>() {
        let value = interrupt.data.value.clone();
        return Ok(Some(VisitInterrupt { value }));
    }
    if let Some(error) = value.try_as::<Error>() {
        return Err(error);
    }
    let message = format!(
        "CallExpected: result type mismatch, expected Optional<ffi.VisitInterrupt>, but got {}",
        type_key_of(AnyView::from(&value).type_index())
    );
    Err(Error::of_crate(TYPE_ERROR, &message))
}
