// SPDX-License-Identifier: Apache-2.0
//! The structural hooks of a type. A hook is a C function or a Function in a type attribute.

use std::os::raw::c_void;
use std::sync::OnceLock;

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, TYPE_ERROR};
use crate::function::Function;
use crate::object::{ObjectArc, ObjectCore};
use crate::reflection::TypeAttrColumn;

/// A C function that gets the visitor or mutator object and a value. The caller owns the result.
type NativeHook = unsafe extern "C" fn(*mut c_void, TVMFFIAny) -> TVMFFIAny;

/// One kind of hook, for example `__s_visit__`.
pub(crate) struct Hook {
    name: &'static str,
    /// The error message for an attribute that is neither a C function nor a Function.
    mismatch: &'static str,
    column: OnceLock<TypeAttrColumn>,
}

impl Hook {
    pub(crate) const fn new(name: &'static str, mismatch: &'static str) -> Self {
        Hook {
            name,
            mismatch,
            column: OnceLock::new(),
        }
    }

    /// Return the value of the type attribute, if the type has this hook.
    pub(crate) fn find(&self, type_index: i32) -> Option<Any> {
        let column = match self.column.get() {
            Some(column) => *column,
            None => {
                let column = TypeAttrColumn::new(self.name)?;
                *self.column.get_or_init(|| column)
            }
        };
        column.get(type_index)
    }

    /// Call a hook. If the value that the hook returns is an error object, return it as `Err`.
    pub(crate) fn call<O: ObjectCore>(
        &self,
        attribute: &Any,
        traversal: &ObjectArc<O>,
        value: AnyView<'_>,
    ) -> Result<Any> {
        let result = if let Some(function) = attribute.try_as::<Function>() {
            let mut data = TVMFFIAny::new();
            crate::object::write_object(traversal, &mut data);
            // SAFETY: `traversal` keeps the object alive during the call.
            let object = unsafe { AnyView::from_raw_ffi_any(data) };
            function.call_packed(&[object, value])?
        } else {
            let native = self.native(attribute)?;
            // SAFETY: `native` has the signature `NativeHook` and does not unwind, and the caller
            // owns its result. `traversal` keeps the object alive during the call.
            unsafe {
                let object = ObjectArc::as_header(traversal).cast();
                Any::from_raw_ffi_any(native(object, *value.as_raw_ffi_any()))
            }
        };
        match result.try_as::<Error>() {
            Some(error) => Err(error),
            None => Ok(result),
        }
    }

    fn native(&self, attribute: &Any) -> Result<NativeHook> {
        let raw = attribute.raw();
        if raw.type_index == TVMFFITypeIndex::kTVMFFIOpaquePtr as i32 {
            // SAFETY: the type index says that the payload is an address. The address is NULL,
            // which becomes `None`, or a function with the signature `NativeHook`.
            let native: Option<NativeHook> = unsafe { std::mem::transmute(raw.data_union.v_ptr) };
            if let Some(native) = native {
                return Ok(native);
            }
        }
        Err(Error::new(TYPE_ERROR, self.mismatch, ""))
    }
}
