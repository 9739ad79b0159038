// SPDX-License-Identifier: Apache-2.0
//! Macros for errors.

/// Return the path of the function that contains the macro call.
#[macro_export]
macro_rules! function_name {
    () => {{
        fn here() {}
        $crate::error::name_of_function(::std::any::type_name_of_val(&here))
    }};
}

/// Return a backtrace line for the place of the macro call.
#[doc(hidden)]
#[macro_export]
macro_rules! __backtrace_line {
    () => {
        $crate::error::backtrace_line(file!(), line!(), $crate::function_name!())
    };
}

/// Return from the function with an error: `bail!(VALUE_ERROR, "cannot use {}", value)`.
#[macro_export]
macro_rules! bail {
    ($kind:expr, $($arguments:tt)+) => {
        return ::std::result::Result::Err($crate::error::new_at(
            $kind,
            ::std::format_args!($($arguments)+),
            ::std::concat!("  File \"", ::std::file!(), "\", line ", ::std::line!(), ", in "),
            $crate::function_name!(),
        ))
    };
}

/// Return from the function with an error unless a condition holds:
/// `ensure!(n > 0, VALUE_ERROR, "n is {n}")`.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $kind:expr, $($arguments:tt)+) => {
        if !$condition {
            $crate::bail!($kind, $($arguments)+);
        }
    };
}

/// If a result is an error, append a backtrace line for the place of the macro call to the error.
#[macro_export]
macro_rules! attach_context {
    ($result:expr) => {
        match $result {
            ::std::result::Result::Ok(value) => ::std::result::Result::Ok(value),
            ::std::result::Result::Err(error) => ::std::result::Result::Err(
                $crate::error::Error::with_appended_backtrace(error, &$crate::__backtrace_line!()),
            ),
        }
    };
}

/// Convert the status of a C function to a result.
#[macro_export]
macro_rules! check_safe_call {
    ($status:expr) => {
        if $status == 0 {
            $crate::error::Result::<()>::Ok(())
        } else {
            $crate::error::Result::<()>::Err($crate::error::Error::from_raised())
        }
    };
}
