// SPDX-License-Identifier: Apache-2.0
//! Macros for functions.

/// Return a global function: `cached_global_func!("my.function")`. Each place in the source looks
/// the function up only once.
///
/// # Panics
///
/// Panics if there is no such function.
#[macro_export]
macro_rules! cached_global_func {
    ($name:expr) => {{
        static __FUNCTION: ::std::sync::OnceLock<$crate::function::Function> =
            ::std::sync::OnceLock::new();
        __FUNCTION.get_or_init(|| match $crate::function::Function::get_global($name) {
            ::std::result::Result::Ok(function) => function,
            ::std::result::Result::Err(error) => ::std::panic!("{}", error.message()),
        })
    }};
}

/// Return a closure with typed arguments that calls a function:
/// `into_typed_fn!(function, Fn(i64, &Tensor) -> Result<i64>)`.
#[macro_export]
macro_rules! into_typed_fn {
    ($function:expr, $trait:ident($($argument:ty),* $(,)?) -> $result:ty) => {
        $crate::into_typed_fn!(@name $function, $result, (), ($($argument,)*), (a b c d e f g h))
    };
    (@name $function:expr, $result:ty, ($($done:tt)*), ($argument:ty, $($rest:ty,)*),
     ($name:ident $($names:ident)*)) => {
        $crate::into_typed_fn!(
            @name $function, $result, ($($done)* ($name $argument)), ($($rest,)*), ($($names)*)
        )
    };
    (@name $function:expr, $result:ty, ($(($name:ident $argument:ty))*), (), ($($names:ident)*)) => {{
        let function = $function;
        move |$($name: $argument),*| -> $result {
            use $crate::function_internal::IntoArgHolder as _;
            let result = function.call_tuple(($($name.into_arg_holder(),)*))?;
            $crate::function_internal::convert_result(result)
        }
    }};
}

/// Call a method of an object type by its name: `call_method!(PointObj, "scaled", &point, &2)`. The
/// first argument of a method, except for a static method, is the receiver. All arguments are
/// references. After a semicolon may follow a slice with the views of further arguments. The macro
/// returns a `Result` of any type that an `Any` converts to. Each place in the source looks the
/// method up only once.
///
/// ```
/// use tvm_ffi::object::ObjectRef;
/// use tvm_ffi::{call_method, def_object_ref, rs_class, AnyView, Object, ObjectDef, Result};
///
/// #[rs_class("my_library.Length", reflection = methods)]
/// pub struct LengthObj {
///     base: Object,
///     metres: i64,
/// }
/// def_object_ref!(pub Length, ObjectRef, LengthObj);
///
/// fn methods(def: &mut ObjectDef<LengthObj>) {
///     def.def("times", |this: Length, factor: i64| Ok(this.metres * factor), "");
/// }
///
/// let length = Length::from(LengthObj::new(Object::new(), 3));
/// let times = |factor: i64| -> Result<i64> { call_method!(LengthObj, "times", &length, &factor) };
/// assert_eq!((times(2)?, times(5)?), (6, 15));
/// let views = [AnyView::from(&7)];
/// let result: i64 = call_method!(LengthObj, "times", &length; &views)?;
/// assert_eq!(result, 21);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[macro_export]
macro_rules! call_method {
    ($object:ty, $name:expr $(, $argument:expr)* $(,)?) => {{
        static __METHOD: ::std::sync::OnceLock<$crate::function::Function> =
            ::std::sync::OnceLock::new();
        $crate::function::call_method::<$object, _>(
            &__METHOD,
            $name,
            &[$($crate::any::AnyView::from($argument)),*],
        )
    }};
    ($object:ty, $name:expr $(, $argument:expr)*; $rest:expr) => {{
        static __METHOD: ::std::sync::OnceLock<$crate::function::Function> =
            ::std::sync::OnceLock::new();
        let first = [$($crate::any::AnyView::from($argument)),*];
        $crate::function::call_method::<$object, _>(
            &__METHOD,
            $name,
            &[&first[..], $rest].concat(),
        )
    }};
}

/// Export a callable as `__tvm_ffi_NAME`, which `tvm_ffi.load_module` finds:
/// `tvm_ffi_dll_export_typed_func!(add_one, add_one)`. With the feature `export-metadata` of
/// `tvm-ffi`, the type schema of the callable is exported too.
///
/// Options after the callable set the names of the parameters, separated by commas, and the
/// defaults of the trailing parameters, the text of a JSON array:
/// `tvm_ffi_dll_export_typed_func!(scale, scale, arg_names("x, factor"), arg_defaults("[2.0]"))`.
/// Language bindings (such as the Python extension) show the names and accept them as keywords. A
/// wrong number of names does not compile. If the defaults do not fit, Python ignores the names and
/// defaults, and the error of a call with keywords states the reason.
#[macro_export]
macro_rules! tvm_ffi_dll_export_typed_func {
    ($name:ident, $callable:expr $(, $option:ident($text:expr))* $(,)?) => {
        $crate::macros::paste! {
            /// Call the exported callable.
            ///
            /// # Safety
            ///
            /// The arguments are those of `TVMFFISafeCallType`.
            #[no_mangle]
            pub unsafe extern "C" fn [<__tvm_ffi_ $name>](
                _handle: *mut ::std::ffi::c_void,
                args: *const $crate::tvm_ffi_sys::TVMFFIAny,
                num_args: i32,
                result: *mut $crate::tvm_ffi_sys::TVMFFIAny,
            ) -> i32 {
                // The callable is an expression of the user, so it stands outside of the unsafe block.
                let call = |args: &[$crate::any::AnyView<'_>]| {
                    $crate::function_internal::call_exported_callable(
                        ::std::stringify!($name),
                        $crate::__exported!($callable),
                        args,
                    )
                };
                // SAFETY: the caller guarantees that the arguments are valid.
                unsafe {
                    $crate::function_internal::run_safe_call(args, num_args, result, call)
                }
            }
            $crate::__export_metadata!(
                [<__tvm_ffi__metadata_ $name>], $callable $(, $option($text))*
            );
        }
        const _: () = $crate::function::ExportParameters::new()
            $(.$option($text))*
            .check(|| $crate::__exported!($callable));
    };
}

/// Export the type schema of a callable, and the names and defaults of its parameters.
#[cfg(feature = "export-metadata")]
#[doc(hidden)]
#[macro_export]
macro_rules! __export_metadata {
    ($symbol:ident, $callable:expr $(, $option:ident($text:expr))*) => {
        /// Return the metadata of the exported callable.
        ///
        /// # Safety
        ///
        /// The arguments are those of `TVMFFISafeCallType`.
        #[no_mangle]
        pub unsafe extern "C" fn $symbol(
            _handle: *mut ::std::ffi::c_void,
            args: *const $crate::tvm_ffi_sys::TVMFFIAny,
            num_args: i32,
            result: *mut $crate::tvm_ffi_sys::TVMFFIAny,
        ) -> i32 {
            let metadata = |_: &[$crate::any::AnyView<'_>]| {
                const __PARAMETERS: $crate::function::ExportParameters =
                    $crate::function::ExportParameters::new()$(.$option($text))*;
                $crate::function_internal::runtime_string(&__PARAMETERS.metadata(&$crate::__exported!($callable)))
            };
            // SAFETY: the caller guarantees that the arguments are valid.
            unsafe {
                $crate::function_internal::run_safe_call(args, num_args, result, metadata)
            }
        }
    };
}

/// Do not export anything, because the feature `export-metadata` is off.
#[cfg(not(feature = "export-metadata"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __export_metadata {
    ($symbol:ident, $callable:expr $(, $option:ident($text:expr))*) => {};
}

/// Export the documentation of a function: `tvm_ffi_dll_export_typed_func_doc!(add_one, "Add 1.")`.
/// Without the feature `export-metadata` of `tvm-ffi`, the macro only checks that the text is a
/// constant.
#[cfg(feature = "export-metadata")]
#[macro_export]
macro_rules! tvm_ffi_dll_export_typed_func_doc {
    ($name:ident, $doc:expr) => {
        $crate::macros::paste! {
            /// Return the documentation of the exported function.
            ///
            /// # Safety
            ///
            /// The arguments are those of `TVMFFISafeCallType`.
            #[no_mangle]
            pub unsafe extern "C" fn [<__tvm_ffi__doc_ $name>](
                _handle: *mut ::std::ffi::c_void,
                args: *const $crate::tvm_ffi_sys::TVMFFIAny,
                num_args: i32,
                result: *mut $crate::tvm_ffi_sys::TVMFFIAny,
            ) -> i32 {
                const __DOC: &str = $doc;
                // SAFETY: the caller guarantees that the arguments are valid.
                unsafe {
                    $crate::function_internal::run_safe_call(args, num_args, result, |_| {
                        $crate::function_internal::runtime_string(__DOC)
                    })
                }
            }
        }
    };
}

/// Check that a documentation text is a constant. The text is exported only with the feature
/// `export-metadata`.
#[cfg(not(feature = "export-metadata"))]
#[macro_export]
macro_rules! tvm_ffi_dll_export_typed_func_doc {
    ($name:ident, $doc:expr) => {
        const _: &str = $doc;
    };
}
