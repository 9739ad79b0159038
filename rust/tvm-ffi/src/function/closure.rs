// SPDX-License-Identifier: Apache-2.0
//! Functions made from closures.

use std::mem::ManuallyDrop;
use std::os::raw::c_void;
use std::thread::{self, ThreadId};

use tvm_ffi_sys::{TVMFFIAny, TVMFFIFunctionCell, TVMFFIObject};

use super::{Function, FunctionObj};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, RUNTIME_ERROR};
use crate::function_internal::{run_closure, AsPackedCallable, LocalPackedCallable};
use crate::object::{Object, ObjectArc, ObjectCore};

/// A function object that contains a closure. The closure follows the function cell.
#[repr(C)]
struct ClosureObj<F> {
    function: FunctionObj,
    closure: F,
}

// SAFETY: the header is at offset 0; the object is a function.
unsafe impl<F: 'static> ObjectCore for ClosureObj<F> {
    const TYPE_KEY: &'static str = FunctionObj::TYPE_KEY;
    const TYPE_DEPTH: i32 = FunctionObj::TYPE_DEPTH;
    const TYPE_FINAL: bool = true;
    fn type_index() -> i32 {
        FunctionObj::type_index()
    }
    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { FunctionObj::object_header_mut(&mut this.function) }
    }
}

unsafe extern "C" fn call_closure<F>(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> i32
where
    F: Fn(&[AnyView<'_>]) -> Result<Any> + 'static,
{
    // SAFETY: `make` has created the object of the handle; the object lives during the call.
    unsafe {
        let closure = &(*handle.cast::<ClosureObj<F>>()).closure;
        run_closure(args, num_args, result, closure)
    }
}

/// Make a function from a closure that need not be `Send` or `Sync`.
fn make<F>(closure: F) -> Function
where
    F: Fn(&[AnyView<'_>]) -> Result<Any> + 'static,
{
    crate::panics::record_places();
    let cell = TVMFFIFunctionCell {
        safe_call: call_closure::<F>,
        cxx_call: std::ptr::null_mut(),
    };
    let object = ObjectArc::new(ClosureObj {
        function: FunctionObj {
            object: Object::new(),
            cell,
        },
        closure,
    });
    // SAFETY: the object starts with a function object.
    unsafe { Function::from_handle(ObjectArc::into_raw(object).cast_mut().cast()) }
}

/// A value that only the thread that created it may use. If another thread drops the value, the
/// value leaks.
struct ThreadBound<T> {
    thread: ThreadId,
    value: ManuallyDrop<T>,
}

impl<T> ThreadBound<T> {
    fn new(value: T) -> Self {
        ThreadBound {
            thread: thread::current().id(),
            value: ManuallyDrop::new(value),
        }
    }

    fn get(&self) -> Result<&T> {
        if self.thread == thread::current().id() {
            return Ok(&self.value);
        }
        let message = "The function is bound to the thread that made it, and was called on another";
        Err(Error::new(RUNTIME_ERROR, message, ""))
    }
}

impl<T> Drop for ThreadBound<T> {
    fn drop(&mut self) {
        if self.thread == thread::current().id() {
            // SAFETY: the value is dropped once.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

impl Function {
    /// Create a function from a closure that gets views of the arguments.
    ///
    /// Any thread may call the function, so the closure must be `Send` and `Sync`:
    ///
    /// ```compile_fail,E0277
    /// let counter = std::rc::Rc::new(0);
    /// tvm_ffi::Function::from_packed(move |_| Ok(tvm_ffi::Any::from(*counter)));
    /// ```
    ///
    /// [`Function::from_packed_local`] accepts closures that are not `Send` or `Sync`.
    pub fn from_packed<F>(closure: F) -> Self
    where
        F: Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static,
    {
        make(closure)
    }

    /// Create a function from a closure with typed arguments. The closure must be `Send` and
    /// `Sync`, as for [`Function::from_packed`].
    ///
    /// ```
    /// use tvm_ffi::Function;
    ///
    /// let repeat = Function::from_typed(|text: String, count: usize| Ok(text.repeat(count)));
    /// let result = String::try_from(repeat.call_tuple(("ab", 3))?)?;
    /// assert_eq!(result, "ababab");
    /// # Ok::<(), tvm_ffi::Error>(())
    /// ```
    ///
    /// ```compile_fail,E0277
    /// let counter = std::rc::Rc::new(0);
    /// tvm_ffi::Function::from_typed(move || Ok(*counter));
    /// ```
    pub fn from_typed<F, I, O>(closure: F) -> Self
    where
        F: AsPackedCallable<I, O> + 'static,
    {
        make(move |args: &[AnyView<'_>]| closure.call_packed(args))
    }

    /// Create a function from a closure with typed arguments. Errors about the arguments of a call
    /// contain `name`.
    pub(crate) fn from_typed_named<F, I, O>(name: &str, closure: F) -> Self
    where
        F: AsPackedCallable<I, O> + 'static,
    {
        let name: Box<str> = name.into();
        make(move |args: &[AnyView<'_>]| closure.call_named(&name, args))
    }

    /// Create a function from a closure, and bind the function to this thread. A call on another
    /// thread returns a `RuntimeError`. If another thread drops the last reference, the closure
    /// leaks.
    pub fn from_packed_local<F>(closure: F) -> Self
    where
        F: Fn(&[AnyView<'_>]) -> Result<Any> + 'static,
    {
        let closure = ThreadBound::new(closure);
        make(move |args: &[AnyView<'_>]| closure.get()?(args))
    }

    /// Create a function from a closure with typed arguments, and bind the function to this thread.
    /// See [`Function::from_packed_local`].
    pub fn from_typed_local<F, I, O>(closure: F) -> Self
    where
        F: LocalPackedCallable<I, O> + 'static,
    {
        let closure = ThreadBound::new(closure);
        make(move |args: &[AnyView<'_>]| closure.get()?.call_packed_local(args))
    }
}
