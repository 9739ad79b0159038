// SPDX-License-Identifier: Apache-2.0
//! Implementation of closures and of calls of functions.

mod arguments;
mod callable;
mod callee;
mod packed;

pub use arguments::{ArgIntoRef, IntoArgHolder, IntoArgHolderTuple, TupleAsPackedArgs};
pub(crate) use callable::function_schema;
pub use callable::{
    call_exported_callable, call_packed_callable, type_schema_of, AsPackedCallable, ByHand,
    ExportByHand, ExportClosure, ExportOther, ExportTag, ExportedCallable, LocalPackedCallable,
};
pub use packed::{PackedArgument, PackedResult};

use tvm_ffi_sys::{TVMFFIAny, TVMFFIByteArray, TVMFFIStringFromByteArray};

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, VALUE_ERROR};
use crate::type_traits::json_string;

/// Return the metadata (JSON) that contains a type schema.
pub fn metadata_of(schema: &str) -> String {
    metadata_text(schema, &[])
}

/// Return the metadata of a field or function: JSON with a type schema and other entries.
pub(crate) fn metadata_text(schema: &str, entries: &[(&str, String)]) -> String {
    let mut text = format!("{{\"type_schema\":{}", json_string(schema));
    for (key, value) in entries {
        text.push_str(&format!(",\"{key}\":{}", json_string(value)));
    }
    text.push('}');
    text
}

/// Convert the result of a call.
#[inline]
#[track_caller]
pub fn convert_result<R>(result: Any) -> Result<R>
where
    R: TryFrom<Any>,
    Error: From<R::Error>,
{
    R::try_from(result).map_err(|error| wrong_result(&Error::from(error)))
}

/// Return the error for a result of a call that does not convert; `error` is the reason.
#[cold]
pub(crate) fn wrong_result(error: &Error) -> Error {
    let message = format!("{} in the result of the call", error.message_lossy());
    error.reworded(error.kind(), &message)
}

/// Return a string that the runtime allocates, because the string may outlive this library.
pub fn runtime_string(text: &str) -> Result<Any> {
    let mut data = TVMFFIAny::new();
    // SAFETY: the text is copied during the call; the result is an owned value.
    unsafe {
        crate::check_safe_call!(TVMFFIStringFromByteArray(
            &TVMFFIByteArray::from_str(text),
            &mut data
        ))?;
        Ok(Any::from_raw_ffi_any(data))
    }
}

/// Run the body of a function that C calls. If the body fails or panics, store the error as the
/// raised error of this thread.
///
/// # Safety
///
/// The arguments are those of `TVMFFISafeCallType`.
#[inline]
pub unsafe fn run_safe_call(
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
    body: impl FnOnce(&[AnyView<'_>]) -> Result<Any>,
) -> i32 {
    crate::panics::record_places();
    // SAFETY: the called function has the same conditions, and the caller meets them.
    unsafe { run_closure(args, num_args, result, body) }
}

/// Do the same as `run_safe_call`, but do not call `record_places`, which installs a panic hook.
/// The code that created the function has already called `record_places`.
///
/// # Safety
///
/// The conditions are those of `run_safe_call`.
#[inline]
pub(crate) unsafe fn run_closure(
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
    body: impl FnOnce(&[AnyView<'_>]) -> Result<Any>,
) -> i32 {
    let outcome = crate::panics::catch(|| {
        let views = match usize::try_from(num_args) {
            Ok(0) => &[],
            // SAFETY: the caller passes `count` views, which have the layout of the C struct.
            Ok(count) if !args.is_null() => unsafe {
                std::slice::from_raw_parts(args.cast::<AnyView<'_>>(), count)
            },
            _ => {
                let message = format!("The call has {num_args} arguments at a null address");
                return Err(Error::new(VALUE_ERROR, &message, ""));
            }
        };
        body(views)
    });
    let error = match outcome {
        Ok(value) => {
            // SAFETY: the caller passes the address of a result slot, which does not own anything.
            unsafe { result.write(Any::into_raw_ffi_any(value)) };
            return 0;
        }
        Err(error) => error,
    };
    Error::set_raised(&error);
    -1
}
