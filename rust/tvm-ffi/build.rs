// SPDX-License-Identifier: Apache-2.0
//! Let the tests and examples of this package find the native library.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The build script of `tvm-ffi-sys` sets this variable. If DOCS_RS is set, that script does not
    // link the library and does not set the variable.
    let Some(folder) = env::var_os("DEP_TVM_FFI_LIBDIR") else {
        return;
    };
    let folder = PathBuf::from(folder);
    if env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("unix") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    }
    let variable = match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => "PATH",
        Ok("macos") => "DYLD_LIBRARY_PATH",
        _ => "LD_LIBRARY_PATH",
    };
    println!("cargo:rerun-if-env-changed={variable}");
    let mut folders: Vec<PathBuf> = env::var_os(variable)
        .map(|old| env::split_paths(&old).collect())
        .unwrap_or_default();
    folders.push(folder);
    if let Ok(joined) = env::join_paths(folders) {
        println!("cargo:rustc-env={variable}={}", joined.to_string_lossy());
    }
}
