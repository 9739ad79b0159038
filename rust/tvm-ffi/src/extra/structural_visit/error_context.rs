// SPDX-License-Identifier: Apache-2.0
//! The objects that enclose the place of an error in a traversal.

use crate::any::{Any, AnyView};
use crate::collections::list::List;
use crate::derive::{Object, ObjectRef};
use crate::error::Error;
use crate::object::{type_key_of, Object, ObjectArc, ObjectRef, ObjectRefCast, ObjectRefCore};

/// Content of a `ffi.VisitErrorContext`.
#[repr(C)]
#[derive(Object)]
#[type_key = "ffi.VisitErrorContext"]
#[type_final]
pub struct VisitErrorContextObj {
    base: Object,
    /// The objects that enclose the place of the error, the innermost object first.
    pub reverse_visit_pattern: List<ObjectRef>,
    /// The extra context that the error had before.
    pub prev_error_context: Option<ObjectRef>,
}

/// The extra context of an error in a traversal, which lists the enclosing objects.
#[repr(C)]
#[derive(ObjectRef, Clone)]
pub struct VisitErrorContext {
    data: ObjectArc<VisitErrorContextObj>,
}

crate::impl_object_upcast!(VisitErrorContext => ObjectRef);
crate::impl_debug_by_repr!(VisitErrorContext);

impl std::ops::Deref for VisitErrorContext {
    type Target = VisitErrorContextObj;
    fn deref(&self) -> &VisitErrorContextObj {
        &self.data
    }
}

impl VisitErrorContext {
    /// Return the `VisitErrorContext` of an error, if the error has one.
    pub fn try_get_from_error(error: &Error) -> Option<Self> {
        error.extra_context()?.try_cast().ok()
    }

    fn new(nodes: List<ObjectRef>, previous: Option<ObjectRef>) -> Self {
        VisitErrorContext {
            data: ObjectArc::new(VisitErrorContextObj {
                base: Object::new(),
                reverse_visit_pattern: nodes,
                prev_error_context: previous,
            }),
        }
    }

    /// Return whether only the error, which has no other reference either, and this reference lead
    /// to the context.
    fn belongs_to(&self, error: &Error) -> bool {
        ObjectArc::is_unique(Error::data(error))
            && ObjectArc::strong_count(&self.data) == 2
            && ObjectArc::is_unique(List::data(&self.reverse_visit_pattern))
    }
}

/// Return a copy of a list. Other code may have stored values that are not objects.
fn copy_of(nodes: &List<ObjectRef>) -> List<ObjectRef> {
    // SAFETY: every list is a `List<Any>`. The methods of the result check the types of elements.
    unsafe {
        let nodes: List<Any> = List::from_data(List::data(nodes).clone());
        let copy: List<Any> = nodes.iter().flatten().collect();
        List::from_data(List::into_data(copy))
    }
}

/// If the value is an object, record it in the context and the backtrace of the error.
pub(crate) fn record_object(error: Error, value: AnyView<'_>, line: &str) -> Error {
    let Some(node) = value.try_as::<ObjectRef>() else {
        return error;
    };
    let line = format!("{line} object `{}`\n", type_key_of(value.type_index()));
    let error = match VisitErrorContext::try_get_from_error(&error) {
        Some(context) if context.belongs_to(&error) => {
            // Without memory for the record, the error has the former records only.
            drop(context.reverse_visit_pattern.push(node));
            error
        }
        former => {
            let (nodes, previous) = match former {
                Some(context) => (
                    copy_of(&context.reverse_visit_pattern),
                    context.prev_error_context.clone(),
                ),
                None => (List::new(), error.extra_context()),
            };
            drop(nodes.push(node));
            let context = VisitErrorContext::new(nodes, previous);
            Error::with_extra_context(error, context.into())
        }
    };
    Error::with_appended_backtrace(error, &line)
}

/// Record a field in the backtrace of an error.
pub(crate) fn record_field(error: Error, field: &str, line: &str) -> Error {
    Error::with_appended_backtrace(error, &format!("{line} field `{field}`\n"))
}
