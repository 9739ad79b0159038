// SPDX-License-Identifier: Apache-2.0
//! [`TypedFunction`]: a function with the types of its parameters and its result.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use tvm_ffi_sys::TVMFFIAny;

use super::Function;
use crate::any::AnyView;
use crate::error::Result;
use crate::function_internal::{
    function_schema, wrong_result, AsPackedCallable, PackedArgument, PackedResult,
};
use crate::optional::OptionalCompatible;
use crate::type_traits::{AnyCompatible, ContainerElement};

// SAFETY: C++ stores an optional typed function in 16 bytes, as None or as the function.
unsafe impl<F: Signature> OptionalCompatible for TypedFunction<F> {}

mod sealed {
    pub trait Sealed {}
}

/// The types of the parameters and of the result of a [`TypedFunction`], as a function pointer type
/// with 0 to 8 parameters.
pub trait Signature: sealed::Sealed + 'static {
    /// The tuple of the parameter types.
    type Parameters;
    /// The type of the result.
    type Output;
    /// Call a function.
    #[doc(hidden)]
    #[track_caller]
    fn call(function: &Function, arguments: Self::Parameters) -> Result<Self::Output>;
    #[doc(hidden)]
    fn schema() -> String;
}

/// A [`Function`] with types, like `TypedFunction` of C++. The types are part of the type schema of
/// fields and functions. Arguments and results are checked only when the function is called.
///
/// ```
/// use tvm_ffi::TypedFunction;
///
/// let double = TypedFunction::<fn(i64) -> i64>::new(|x: i64| Ok(2 * x));
/// assert_eq!(double.call((4,))?, 8);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[repr(transparent)]
pub struct TypedFunction<F> {
    function: Function,
    _signature: PhantomData<F>,
}

impl<F: Signature> TypedFunction<F> {
    /// Create a function from a closure that returns a `Result` of the output type.
    pub fn new<C>(closure: C) -> Self
    where
        C: AsPackedCallable<F::Parameters, F::Output> + 'static,
    {
        Self::from(Function::from_typed(closure))
    }

    /// Call the function.
    ///
    /// # Errors
    ///
    /// Any error that the function raises. `TypeError` if the result has another type.
    #[track_caller]
    pub fn call(&self, arguments: F::Parameters) -> Result<F::Output> {
        F::call(&self.function, arguments)
    }
}

impl<F> From<Function> for TypedFunction<F> {
    fn from(function: Function) -> Self {
        TypedFunction {
            function,
            _signature: PhantomData,
        }
    }
}

impl<F> From<TypedFunction<F>> for Function {
    fn from(typed: TypedFunction<F>) -> Self {
        typed.function
    }
}

impl<F> Deref for TypedFunction<F> {
    type Target = Function;

    fn deref(&self) -> &Function {
        &self.function
    }
}

impl<F> Clone for TypedFunction<F> {
    fn clone(&self) -> Self {
        Self::from(self.function.clone())
    }
}

impl<F> fmt::Debug for TypedFunction<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.function.fmt(f)
    }
}

// SAFETY: the struct consists of one `Function`, and each method below calls the method of
// `Function` with the same name, which meets the requirements.
unsafe impl<F: Signature> AnyCompatible for TypedFunction<F> {
    crate::macros::same_representation!(function: Function, Self::from);

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        // SAFETY: `Function` has the same conditions, and the caller meets them.
        unsafe { Function::check_any_strict(data) }
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: `Function` has the same conditions, and the caller meets them.
        unsafe { Function::try_cast_from_any_view(data) }.map(Self::from)
    }

    fn type_str() -> String {
        Function::type_str()
    }

    fn type_schema() -> String {
        F::schema()
    }
}

crate::macros::impl_value!([F: Signature] TypedFunction<F>);

macro_rules! impl_signature {
    ($($name:ident $index:tt),*) => {
        impl<Out: 'static, $($name: 'static),*> sealed::Sealed for fn($($name),*) -> Out {}

        impl<Out, $($name),*> Signature for fn($($name),*) -> Out
        where
            Out: PackedResult + for<'x> PackedArgument<'x> + 'static,
            $($name: for<'x> PackedArgument<'x> + ContainerElement + 'static,)*
        {
            type Parameters = ($($name,)*);
            type Output = Out;

            #[track_caller]
            fn call(function: &Function, _arguments: Self::Parameters) -> Result<Out> {
                let result = function.call_packed(&[$(_arguments.$index.element_as_view()),*])?;
                Out::from_argument(AnyView::from(&result)).map_err(|error| wrong_result(&error))
            }

            fn schema() -> String {
                function_schema(&Out::result_schema(), &[$($name::argument_schema()),*])
            }
        }
    };
}

impl_signature!();
impl_signature!(A 0);
impl_signature!(A 0, B 1);
impl_signature!(A 0, B 1, C 2);
impl_signature!(A 0, B 1, C 2, D 3);
impl_signature!(A 0, B 1, C 2, D 3, E 4);
impl_signature!(A 0, B 1, C 2, D 3, E 4, F 5);
impl_signature!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
impl_signature!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
