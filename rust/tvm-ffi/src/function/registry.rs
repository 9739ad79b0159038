// SPDX-License-Identifier: Apache-2.0
//! Lookup and registration of global functions, and lookup of methods of types.

use tvm_ffi_sys::{
    TVMFFIAny, TVMFFIByteArray, TVMFFIFunctionGetGlobal, TVMFFIFunctionSetGlobalFromMethodInfo,
    TVMFFIMethodInfo, TVMFFIObjectHandle, TVMFFITypeKeyToIndex,
};

use super::Function;
use crate::any::AnyView;
use crate::error::{Error, Result, RUNTIME_ERROR, TYPE_ERROR};
use crate::function_internal::{metadata_of, AsPackedCallable};
use crate::object::{type_info, type_key_of};
use crate::similar_name;
use crate::type_attr::get_type_attr;
use crate::type_traits::{simple_schema, AnyCompatible};

impl Function {
    /// Return a global function.
    ///
    /// # Errors
    ///
    /// `RuntimeError` if no function has this name.
    #[track_caller]
    pub fn get_global(name: &str) -> Result<Function> {
        let mut handle: TVMFFIObjectHandle = std::ptr::null_mut();
        // SAFETY: the name is read only during the call; the result is null or an owned function.
        unsafe {
            crate::check_safe_call!(TVMFFIFunctionGetGlobal(
                &TVMFFIByteArray::from_str(name),
                &mut handle
            ))?;
            if handle.is_null() {
                return Err(not_found(name));
            }
            Ok(Function::from_handle(handle))
        }
    }

    /// Register a global function.
    ///
    /// # Errors
    ///
    /// `RuntimeError` if the name is already registered.
    pub fn register_global(name: &str, function: Function) -> Result<()> {
        let metadata = metadata_of(&simple_schema("ffi.Function"));
        register(name, &function, &metadata, "")
    }

    /// Register a closure with typed arguments as a global function, with its type schema and its
    /// documentation. [`GlobalDef`](super::GlobalDef) also sets the names of parameters.
    ///
    /// # Errors
    ///
    /// `RuntimeError` if the name is already registered.
    pub fn register_global_typed<F, I, O>(name: &str, closure: F, doc: &str) -> Result<()>
    where
        F: AsPackedCallable<I, O> + 'static,
    {
        let metadata = metadata_of(&F::type_schema());
        let function = Function::from_typed_named(name, closure);
        register(name, &function, &metadata, doc)
    }

    /// Return the method `name` of a type, or of its nearest ancestor that has such a method.
    ///
    /// # Errors
    ///
    /// `TypeError` if there is no such method.
    #[track_caller]
    pub fn from_type_method(type_index: i32, name: &str) -> Result<Function> {
        if let Some(method) = methods(type_index).find(|method| method.name.as_str() == name) {
            // SAFETY: the runtime owns the value, and the value lives during the call.
            let view = unsafe { AnyView::from_raw_ffi_any(method.method) };
            return Function::try_from(view);
        }
        let known: Vec<&str> = methods(type_index).map(|m| m.name.as_str()).collect();
        let key = type_key_of(type_index);
        let hint = similar_name::hint(name, &known, "its methods");
        let message = format!("Cannot find method `{name}` of type `{key}`{hint}");
        Err(Error::at_caller(TYPE_ERROR, &message))
    }

    /// Return a method of the type that has the type key `type_key`.
    ///
    /// # Errors
    ///
    /// The errors of [`Function::from_type_method`], and an error if the type key is not
    /// registered.
    #[track_caller]
    pub fn from_type_key_method(type_key: &str, name: &str) -> Result<Function> {
        let mut index = 0;
        // SAFETY: the key is read only during the call.
        unsafe {
            let key = TVMFFIByteArray::from_str(type_key);
            crate::check_safe_call!(TVMFFITypeKeyToIndex(&key, &mut index))?;
        }
        Self::from_type_method(index, name)
    }

    /// Return the function that is the value of a type attribute.
    ///
    /// # Errors
    ///
    /// `TypeError` if the type has no such attribute, or if the attribute is not a function.
    #[track_caller]
    pub fn from_type_attr(type_index: i32, attr: &str) -> Result<Function> {
        if let Some(value) = get_type_attr(type_index, attr) {
            return Function::try_from(value);
        }
        let key = type_key_of(type_index);
        let message = format!("Cannot find attribute `{attr}` of type `{key}`");
        Err(Error::at_caller(TYPE_ERROR, &message))
    }
}

/// Return the methods of a type and of its ancestors, beginning with the type itself.
fn methods(type_index: i32) -> impl Iterator<Item = &'static TVMFFIMethodInfo> {
    let types = std::iter::successors(type_info(type_index), |info| {
        (info.type_depth > 0).then(|| {
            // SAFETY: the array has `type_depth` entries, the last of which is the parent.
            unsafe { &**info.type_acenstors.add(info.type_depth as usize - 1) }
        })
    });
    types.flat_map(|info| {
        let count = usize::try_from(info.num_methods).unwrap_or(0);
        // SAFETY: the array has `num_methods` entries, which live as long as the process.
        (0..count).map(move |i| unsafe { &*info.methods.add(i) })
    })
}

/// Return the error for an unknown global function, with a hint of the runtime.
#[cold]
#[track_caller]
fn not_found(name: &str) -> Error {
    const HINT: &str = "ffi._GlobalFunctionHint";
    // The hint has no hint of its own.
    let about = (name != HINT).then(|| Function::get_global(HINT).ok());
    let hint = about.flatten().and_then(|about| {
        let hint = about.call_tuple((name,)).ok()?;
        std::string::String::try_from(hint).ok()
    });
    let message = format!("Function {name} not found{}", hint.unwrap_or_default());
    Error::at_caller(RUNTIME_ERROR, &message)
}

/// Register a global function with its metadata (JSON) and its documentation.
pub(super) fn register(name: &str, function: &Function, metadata: &str, doc: &str) -> Result<()> {
    let mut method = TVMFFIAny::new();
    // SAFETY: the texts and the function live during the call, and the runtime copies them.
    unsafe {
        Function::copy_to_any_view(function, &mut method);
        let info = TVMFFIMethodInfo {
            name: TVMFFIByteArray::from_str(name),
            doc: TVMFFIByteArray::from_str(doc),
            metadata: TVMFFIByteArray::from_str(metadata),
            flags: 0,
            method,
        };
        crate::check_safe_call!(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0))
    }
}
