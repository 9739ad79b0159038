// SPDX-License-Identifier: Apache-2.0
//! Compiles programs that must not compile, and checks the messages of the compiler.
//!
//! Each file of `compile_fail` marks each wrong line with a comment `//~ TEXT`. The compiler must
//! report an error at this line, and the message must contain the text. Other errors are not
//! allowed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Return the newest build of the crate's library in `folder` that has the features of this test.
fn crate_library(folder: &Path) -> PathBuf {
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let hash = name
            .strip_prefix("libtvm_ffi-")
            .and_then(|name| name.strip_suffix(".rlib"));
        hash.is_some_and(|hash| has_compat(folder, hash) == cfg!(feature = "compat"))
    };
    let changed = |path: &PathBuf| {
        let metadata = path.metadata().and_then(|metadata| metadata.modified());
        metadata.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let entries = std::fs::read_dir(folder).unwrap();
    let libraries = entries
        .map(|entry| entry.unwrap().path())
        .filter(is_library);
    libraries.max_by_key(changed).expect("the crate is built")
}

/// Return whether a build of the crate has the feature `compat`. Cargo records the features.
fn has_compat(folder: &Path, hash: &str) -> bool {
    let record = format!("../.fingerprint/tvm-ffi-{hash}/lib-tvm_ffi.json");
    let record = std::fs::read_to_string(folder.join(record)).unwrap();
    let (_, features) = record.split_once("\"features\":").unwrap();
    features.split(']').next().unwrap().contains("compat")
}

/// Return the compiler arguments for the folders of the other crates. With `cargo test --target`,
/// macros are in another folder than libraries.
fn dependencies(folder: &Path) -> Vec<String> {
    let host = folder
        .ancestors()
        .nth(3)
        .map(|root| root.join("debug/deps"));
    std::iter::once(folder.to_path_buf())
        .chain(host)
        .map(|folder| format!("-Ldependency={}", folder.display()))
        .collect()
}

/// Compile a program; return the lines of the compiler's output.
fn compile(program: &Path) -> Vec<String> {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap();
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut library = std::ffi::OsString::from("tvm_ffi=");
    library.push(crate_library(folder));
    let output = Command::new(rustc)
        .args([
            "--edition=2021",
            "--crate-type=lib",
            "--emit=metadata",
            "--cap-lints=allow",
        ])
        .arg("--error-format=short")
        .arg("--extern")
        .arg(library)
        .args(dependencies(folder))
        .arg("--out-dir")
        .arg(&out)
        .arg(program)
        .output()
        .expect("rustc runs");
    assert!(!output.status.success(), "{} compiles", program.display());
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    report.lines().map(str::to_string).collect()
}

/// Return the line number and the text of an error that the compiler prints as
/// `FILE:LINE:COLUMN: error..: TEXT`.
fn error_of_line(line: &str) -> Option<(usize, String)> {
    let (place, text) = line.split_once(": error")?;
    let mut parts = place.rsplitn(3, ':');
    let _column = parts.next()?;
    Some((parts.next()?.parse().ok()?, text.to_string()))
}

fn check(name: &str) {
    if std::env::var("RUSTFLAGS").is_ok_and(|flags| flags.contains("sanitizer")) {
        eprintln!("skipped: the programs are not compiled for the sanitizer");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile_fail");
    let program = folder.join(name).with_extension("rs");
    let source = std::fs::read_to_string(&program).unwrap();
    let expected: Vec<(usize, &str)> = source
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, line.split_once("//~ ")?.1.trim())))
        .collect();
    assert!(!expected.is_empty(), "{name} expects nothing");
    let report = compile(&program);
    let errors: Vec<_> = report
        .iter()
        .filter_map(|line| error_of_line(line))
        .collect();
    for (number, text) in &expected {
        let is_reported = errors.iter().any(|(n, t)| n == number && t.contains(text));
        assert!(
            is_reported,
            "no error at {name}:{number} with `{text}`: {report:#?}"
        );
    }
    let lines: BTreeSet<usize> = expected.iter().map(|(number, _)| *number).collect();
    let other: Vec<_> = errors
        .iter()
        .filter(|(number, _)| !lines.contains(number))
        .collect();
    assert!(
        other.is_empty(),
        "errors of {name} that are not expected: {other:#?}"
    );
}

macro_rules! programs {
    ([$($name:ident)*] without compat: [$($sound:ident)*]) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        /// Programs that use interfaces of the feature `compat`.
        $(#[cfg(not(feature = "compat"))] #[test] fn $sound() { check(stringify!($sound)); })*

// spec: RUST-R29, RUST-R31, RUST-R33, RUST-R39
        #[test]
        fn every_program_has_a_test() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile_fail");
            let files: BTreeSet<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into())
                .collect();
            let tests: BTreeSet<String> =
                [$(stringify!($name).to_string(),)* $(stringify!($sound).to_string(),)*].into();
            assert_eq!(files, tests);
        }
    };
}

programs! {
    [
        derive_object
        final_parent
        derive_object_ref
        rs_class
        rs_class_field
        rs_class_parent
        match_any
        dispatch
        escaping_view
        export_names
        optional_reference
        local_closure
        def_object_ref
        recursive_field
        recursive_derive
        calls
        sharing
        upcast
        unsafe_callable
    ]
    without compat: [
        borrowed_backtrace
        thread_bound_member
        unused_bytes
        writable_field
    ]
}
