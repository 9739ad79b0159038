// SPDX-License-Identifier: Apache-2.0
//! Find the native library and link it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const HELP: &str = "install the Python package of TVM-FFI, or set TVM_FFI_LIBDIR to the \
                    folder of the library";

/// Run a program and return the first line that it prints.
fn first_line(program: &str, arguments: &[&str]) -> Result<String, String> {
    let shown = format!("`{program} {}`", arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{shown} cannot run ({error})"))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        let last = error.lines().last().unwrap_or("").trim().to_string();
        return Err(format!("{shown} failed ({last})"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    match text
        .lines()
        .next()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        Some(line) => Ok(line.to_string()),
        None => Err(format!("{shown} prints nothing")),
    }
}

/// Return the folder of the native library, or an error that lists the places that were tried.
fn find_library() -> Result<PathBuf, String> {
    if let Some(folder) = env::var_os("TVM_FFI_LIBDIR").filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        if folder.is_dir() {
            return Ok(folder);
        }
        return Err(format!(
            "TVM_FFI_LIBDIR is {}, which is not a folder",
            folder.display()
        ));
    }
    let python = env::var("PYTHON").unwrap_or_else(|_| "python3".to_string());
    let programs: [(&str, &[&str]); 3] = [
        ("tvm-ffi-config", &["--libdir"]),
        (&python, &["-m", "tvm_ffi.config", "--libdir"]),
        ("pkg-config", &["--variable=libdir", "tvm-ffi"]),
    ];
    let mut tried = Vec::new();
    for (program, arguments) in programs {
        match first_line(program, arguments) {
            Ok(line) if Path::new(&line).is_dir() => return Ok(PathBuf::from(line)),
            Ok(line) => tried.push(format!("`{program}` prints {line}, which is not a folder")),
            Err(error) => tried.push(error),
        }
    }
    Err(tried.join("; "))
}

fn main() {
    for variable in [
        "TVM_FFI_LIBDIR",
        "PATH",
        "PYTHON",
        "DOCS_RS",
        "PKG_CONFIG_PATH",
        "LD_LIBRARY_PATH",
    ] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("DOCS_RS").is_some() {
        println!("cargo:warning=DOCS_RS is set: the library tvm_ffi is not linked");
        return;
    }
    let folder = match find_library() {
        Ok(folder) => folder,
        Err(error) => panic!("the library tvm_ffi was not found: {HELP}. Tried: {error}"),
    };
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=dylib=tvm_ffi");
    if env::var_os("CARGO_FEATURE_TESTING").is_some() {
        println!("cargo:rustc-link-lib=dylib=tvm_ffi_testing");
    }
    // Build scripts of dependent crates get this value as `DEP_TVM_FFI_LIBDIR`.
    println!("cargo:libdir={}", folder.display());
    rpath(&folder);
    loader_path(&folder);
}

/// Let the tests of this package find the library through an rpath.
fn rpath(folder: &Path) {
    if env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("unix") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    }
}

/// Let `cargo run` and `cargo test` of this package find the library through the search path.
fn loader_path(folder: &Path) {
    let variable = match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => "PATH",
        Ok("macos") => "DYLD_LIBRARY_PATH",
        _ => "LD_LIBRARY_PATH",
    };
    let mut folders: Vec<PathBuf> = env::var_os(variable)
        .map(|old| env::split_paths(&old).collect())
        .unwrap_or_default();
    folders.push(folder.to_path_buf());
    if let Ok(joined) = env::join_paths(folders) {
        println!("cargo:rustc-env={variable}={}", joined.to_string_lossy());
    }
}
