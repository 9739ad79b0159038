// SPDX-License-Identifier: Apache-2.0
//! Declarations of the C ABI of TVM FFI.
//!
//! The modules [`c_api`], [`c_env_api`] and [`dlpack`] are generated from the C headers of the same
//! names, with the names, layouts and values of C. The build script finds the native library (see
//! `docs/rust.md`) and passes the folder of the library to dependent crates as
//! `DEP_TVM_FFI_LIBDIR`.
#![deny(missing_docs)]
#![allow(non_snake_case)]

pub mod any;
pub mod c_api;
pub mod c_env_api;
mod constructors;
pub mod dlpack;

pub use any::*;
pub use c_api::*;
pub use c_env_api::*;
pub use dlpack::*;

extern "C" {
    /// The name of [`TVMFFIBacktrace`] in earlier crates.
    #[link_name = "TVMFFIBacktrace"]
    pub fn TVMFFITraceback(
        filename: *const std::os::raw::c_char,
        lineno: i32,
        func: *const std::os::raw::c_char,
        cross_ffi_boundary: i32,
    ) -> *const TVMFFIByteArray;
}

#[cfg(feature = "testing")]
extern "C" {
    /// Return 0. A program calls this function so that the linker does not drop the library
    /// `tvm_ffi_testing`, which has the fixtures of the tests.
    pub fn TVMFFITestingDummyTarget() -> i32;
}
