// SPDX-License-Identifier: Apache-2.0
//! Traits for closures with typed arguments.

use std::marker::PhantomData;

use super::callee::Callee;
use super::packed::{PackedArgument, PackedResult};
use crate::any::{Any, AnyView};
use crate::error::Result;
use crate::type_traits::simple_schema;

/// A closure of 0 to 8 typed arguments that any thread may call.
///
/// `I` is the tuple of the argument types; the closure returns a `Result` of `O`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become a function of other languages",
    note = "expected at most 8 parameters, a result of the type `tvm_ffi::Result`, and types that \
            an `Any` can hold: use `tvm_ffi::String` for `&str`, and the reference class for the \
            struct of an object, and `TypedTensor` for a view"
)]
pub trait AsPackedCallable<I, O>: Send + Sync {
    /// The number of parameters that can have names; 0 for a callable that does not state it.
    const PARAMETER_COUNT: usize = 0;
    /// Convert the arguments, call the closure, and convert the result.
    fn call_packed(&self, args: &[AnyView<'_>]) -> Result<Any>;
    /// Do the same as `call_packed`. Errors about the arguments contain `name`, the name under which
    /// other code knows the function.
    #[doc(hidden)]
    #[inline]
    fn call_named(&self, _name: &str, args: &[AnyView<'_>]) -> Result<Any> {
        self.call_packed(args)
    }
    /// Return the type schema of the function.
    fn type_schema() -> String {
        simple_schema("ffi.Function")
    }
}

/// A closure of 0 to 8 typed arguments that need not be `Send` or `Sync`.
pub trait LocalPackedCallable<I, O> {
    /// Convert the arguments, call the closure, and convert the result.
    fn call_packed_local(&self, args: &[AnyView<'_>]) -> Result<Any>;
    /// Do the same as `call_packed_local`. Errors about the arguments contain `name`.
    #[doc(hidden)]
    #[inline]
    fn call_named_local(&self, _name: &str, args: &[AnyView<'_>]) -> Result<Any> {
        self.call_packed_local(args)
    }
    /// Return the type schema of the function.
    fn local_type_schema() -> String;
}

/// A closure of 0 to 8 typed arguments that may borrow from the arguments of a call, which live
/// during `'a`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become a function of other languages",
    note = "expected at most 8 parameters, a result of the type `tvm_ffi::Result`, and types that \
            an `Any` can hold: use `tvm_ffi::String` for `&str`, and the reference class for the \
            struct of an object"
)]
pub trait ExportedCallable<'a, I, O> {
    /// The number of parameters.
    const PARAMETER_COUNT: usize;
    /// Convert the arguments, call the closure, and convert the result. Errors about the arguments
    /// contain `name`.
    fn call_exported(&self, name: &str, args: &[AnyView<'a>]) -> Result<Any>;
    /// Return the type schema of the function.
    fn exported_schema() -> String;
}

/// A callable that implements [`AsPackedCallable`] by hand, as an exported callable.
pub struct ByHand<F>(F);

impl<I, O, F: AsPackedCallable<I, O>> ExportedCallable<'_, I, O> for ByHand<F> {
    const PARAMETER_COUNT: usize = F::PARAMETER_COUNT;
    fn call_exported(&self, name: &str, args: &[AnyView<'_>]) -> Result<Any> {
        self.0.call_named(name, args)
    }
    fn exported_schema() -> String {
        F::type_schema()
    }
}

/// The type of a callable. Method resolution on `&&&ExportTag` selects the first of the following
/// three traits that accepts the type: closures stay as they are, other callables become
/// [`ByHand`], and a type that is not callable stays as it is, for the message of the compiler.
pub struct ExportTag<F>(PhantomData<F>);

impl<F> ExportTag<F> {
    /// Return the type of a callable.
    pub const fn of(_callable: &F) -> Self {
        ExportTag(PhantomData)
    }
}

/// Exports closures.
pub trait ExportClosure<I, O> {
    /// The type of the closure.
    type Callable;
    /// Return the closure.
    fn export(&self, callable: Self::Callable) -> Self::Callable {
        callable
    }
}
impl<F: ExportedCallable<'static, I, O>, I, O> ExportClosure<I, O> for &&ExportTag<F> {
    type Callable = F;
}

/// Exports types that implement [`AsPackedCallable`] by hand.
pub trait ExportByHand<I, O> {
    /// The type of the callable.
    type Callable;
    /// Return the callable with its adapter.
    fn export(&self, callable: Self::Callable) -> ByHand<Self::Callable> {
        ByHand(callable)
    }
}
impl<F: AsPackedCallable<I, O>, I, O> ExportByHand<I, O> for &ExportTag<F> {
    type Callable = F;
}

/// Passes on types that cannot be exported.
pub trait ExportOther {
    /// The type.
    type Callable;
    /// Return the value.
    fn export(&self, callable: Self::Callable) -> Self::Callable {
        callable
    }
}
impl<F> ExportOther for ExportTag<F> {
    type Callable = F;
}

/// Return a callable for export.
#[doc(hidden)]
#[macro_export]
macro_rules! __exported {
    ($callable:expr) => {{
        #[allow(unused_imports)]
        use $crate::function_internal::{ExportByHand as _, ExportClosure as _, ExportOther as _};
        let callable = $callable;
        let tag = $crate::function_internal::ExportTag::of(&callable);
        (&&&tag).export(callable)
    }};
}

/// Convert the arguments, call a closure, and convert its result.
#[inline]
pub fn call_packed_callable<F, I, O>(callable: F, args: &[AnyView<'_>]) -> Result<Any>
where
    F: AsPackedCallable<I, O>,
{
    callable.call_packed(args)
}

/// Do the same as `call_packed_callable` for a callable that is exported as `name`.
#[inline]
pub fn call_exported_callable<'a, F, I, O>(
    name: &str,
    callable: F,
    args: &[AnyView<'a>],
) -> Result<Any>
where
    F: ExportedCallable<'a, I, O>,
{
    callable.call_exported(name, args)
}

/// Return the type schema of a closure.
pub fn type_schema_of<F, I, O>(_callable: &F) -> String
where
    F: AsPackedCallable<I, O>,
{
    F::type_schema()
}

/// Return the type schema of a function from the schemas of its result and of its parameters.
pub(crate) fn function_schema(result: &str, parameters: &[String]) -> String {
    let parameters = parameters.join(",");
    format!(
        "{{\"type\":\"ffi.Function\",\
         \"named_args\":{{\"return\":[{result}],\"params\":[{parameters}]}}}}"
    )
}

macro_rules! impl_callable {
    ($len:literal; $($name:ident $index:tt),*) => {
        impl<'a, Func, Out, $($name),*> ExportedCallable<'a, ($($name,)*), Out> for Func
        where
            Func: Fn($($name),*) -> Result<Out> + 'static,
            Out: PackedResult,
            $($name: PackedArgument<'a>,)*
        {
            const PARAMETER_COUNT: usize = $len;
            #[inline]
            fn call_exported(&self, name: &str, args: &[AnyView<'a>]) -> Result<Any> {
                let callee = || Callee {
                    name,
                    rust_name: std::any::type_name::<Func>,
                    parameters: &[$($name::argument_type),*],
                    result: Out::result_type,
                };
                if args.len() != $len {
                    return Err(callee().count_error(args.len()));
                }
                self($(match $name::from_argument_ref(&args[$index]) {
                    Ok(argument) => argument,
                    Err(error) => {
                        return Err(callee().argument_error::<$name>(error, $index));
                    }
                }),*)
                .map(Out::into_result)
            }
            fn exported_schema() -> String {
                function_schema(&Out::result_schema(), &[$($name::argument_schema()),*])
            }
        }

        impl<Func, Out, $($name),*> LocalPackedCallable<($($name,)*), Out> for Func
        where
            Func: Fn($($name),*) -> Result<Out> + 'static,
            Out: PackedResult,
            $($name: for<'x> PackedArgument<'x>,)*
        {
            #[inline]
            fn call_packed_local(&self, args: &[AnyView<'_>]) -> Result<Any> {
                self.call_exported("", args)
            }
            #[inline]
            fn call_named_local(&self, name: &str, args: &[AnyView<'_>]) -> Result<Any> {
                self.call_exported(name, args)
            }
            fn local_type_schema() -> String {
                Func::exported_schema()
            }
        }

        impl<Func, Out, $($name),*> AsPackedCallable<($($name,)*), Out> for Func
        where
            Func: Fn($($name),*) -> Result<Out> + Send + Sync + 'static,
            Out: PackedResult,
            $($name: for<'x> PackedArgument<'x>,)*
        {
            const PARAMETER_COUNT: usize = $len;
            #[inline]
            fn call_packed(&self, args: &[AnyView<'_>]) -> Result<Any> {
                self.call_named_local("", args)
            }
            #[inline]
            fn call_named(&self, name: &str, args: &[AnyView<'_>]) -> Result<Any> {
                self.call_named_local(name, args)
            }
            fn type_schema() -> String {
                Self::local_type_schema()
            }
        }
    };
}

impl_callable!(0;);
impl_callable!(1; A 0);
impl_callable!(2; A 0, B 1);
impl_callable!(3; A 0, B 1, C 2);
impl_callable!(4; A 0, B 1, C 2, D 3);
impl_callable!(5; A 0, B 1, C 2, D 3, E 4);
impl_callable!(6; A 0, B 1, C 2, D 3, E 4, F 5);
impl_callable!(7; A 0, B 1, C 2, D 3, E 4, F 5, G 6);
impl_callable!(8; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
