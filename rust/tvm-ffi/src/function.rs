// SPDX-License-Identifier: Apache-2.0
//! Functions that cross languages.

mod closure;
mod global_def;
mod method;
mod parameters;
mod registry;
mod repr;
mod typed;

pub use global_def::GlobalDef;
#[doc(hidden)]
pub use method::call_method;
#[doc(hidden)]
pub use parameters::ExportParameters;
pub(crate) use parameters::Parameters;
pub use typed::{Signature, TypedFunction};

use std::os::raw::c_void;

use tvm_ffi_sys::{
    TVMFFIAny, TVMFFIFunctionCell, TVMFFIFunctionCreate, TVMFFIObject, TVMFFIObjectHandle,
    TVMFFISafeCallType, TVMFFITypeIndex,
};

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, VALUE_ERROR};
use crate::function_internal::{IntoArgHolderTuple, TupleAsPackedArgs};
use crate::object::{Object, ObjectArc, ObjectCore};

/// Content of a function object.
#[repr(C)]
pub struct FunctionObj {
    object: Object,
    cell: TVMFFIFunctionCell,
}

// SAFETY: the header is at offset 0; `ffi.Function` derives from `ffi.Object`.
unsafe impl ObjectCore for FunctionObj {
    const TYPE_KEY: &'static str = "ffi.Function";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;
    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIFunction as i32
    }
    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

/// A function of any language (`ffi.Function`).
#[repr(C)]
#[derive(Clone)]
pub struct Function {
    data: ObjectArc<FunctionObj>,
}

crate::impl_object_ref!(Function, FunctionObj);
crate::impl_debug_by_repr!(Function);

// SAFETY: closures of this crate are `Send + Sync` or check the thread. The C ABI requires that
// functions of other languages accept calls on any thread.
unsafe impl Send for Function {}
// SAFETY: closures of this crate are `Send + Sync` or check the thread. The C ABI requires that
// functions of other languages accept calls on any thread.
unsafe impl Sync for Function {}

impl Function {
    /// Call the function with views of the arguments.
    ///
    /// # Errors
    ///
    /// The error that the function raises.
    #[inline]
    pub fn call_packed(&self, args: &[AnyView<'_>]) -> Result<Any> {
        let Ok(count) = i32::try_from(args.len()) else {
            let message = format!("A call cannot have {} arguments", args.len());
            return Err(Error::at_caller(VALUE_ERROR, &message));
        };
        let mut result = TVMFFIAny::new();
        let handle = ObjectArc::as_header(&self.data).cast();
        // SAFETY: views have the layout of the C struct; the result is an owned value on success.
        unsafe {
            match (self.data.cell.safe_call)(handle, args.as_ptr().cast(), count, &mut result) {
                0 => Ok(Any::from_raw_ffi_any(result)),
                _ => Err(Error::from_raised()),
            }
        }
    }

    /// Call the function with a tuple of arguments, each by value or by reference.
    ///
    /// # Errors
    ///
    /// The error that the function raises.
    #[inline]
    pub fn call_tuple<T>(&self, args: T) -> Result<Any>
    where
        T: IntoArgHolderTuple,
        T::Target: TupleAsPackedArgs,
    {
        // The array `views` has 8 elements, because no tuple of arguments is longer.
        let args = args.into_arg_holder_tuple();
        let mut views = [AnyView::new(); 8];
        let views = &mut views[..T::Target::LEN];
        args.fill_any_view(views);
        self.call_packed(views)
    }

    /// Call the function with a tuple of `LEN` arguments.
    ///
    /// # Errors
    ///
    /// The error that the function raises, or `ValueError` if the tuple has another length.
    #[track_caller]
    pub fn call_tuple_with_len<const LEN: usize, T>(&self, args: T) -> Result<Any>
    where
        T: IntoArgHolderTuple,
        T::Target: TupleAsPackedArgs,
    {
        if T::Target::LEN != LEN {
            let given = T::Target::LEN;
            let message = format!(
                "Expected {LEN} arguments, got {given} in the tuple of `call_tuple_with_len::<{LEN}, _>`"
            );
            return Err(Error::at_caller(VALUE_ERROR, &message));
        }
        self.call_tuple(args)
    }

    /// Create a function that calls the C function `safe_call` with `handle`.
    ///
    /// # Safety
    ///
    /// `safe_call` follows `TVMFFISafeCallType` and may be called with `handle` on any thread until
    /// `deleter` was called with `handle`.
    pub unsafe fn from_extern_c(
        handle: *mut c_void,
        safe_call: TVMFFISafeCallType,
        deleter: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> Self {
        let mut result: TVMFFIObjectHandle = std::ptr::null_mut();
        // SAFETY: the caller meets the conditions of this function; the result is owned.
        unsafe {
            let status = TVMFFIFunctionCreate(handle, safe_call, deleter, &mut result);
            if status != 0 || result.is_null() {
                std::alloc::handle_alloc_error(std::alloc::Layout::new::<FunctionObj>());
            }
            Self::from_handle(result)
        }
    }

    /// Create a function from an owned handle.
    unsafe fn from_handle(handle: TVMFFIObjectHandle) -> Self {
        // SAFETY: the caller owns a reference to a function.
        Function {
            data: unsafe { ObjectArc::from_raw(handle.cast::<FunctionObj>()) },
        }
    }
}
