// SPDX-License-Identifier: Apache-2.0
//! Static init blocks of a program: order, errors, identity, and one run per process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

use tvm_ffi::static_init::{run_static_init_blocks, StaticInitBlock, STATIC_INIT_BLOCKS};
use tvm_ffi::{bail, static_init_block, Any, Error, Function, Result, INTERNAL_ERROR, VALUE_ERROR};

static ORDER: Mutex<Vec<&str>> = Mutex::new(Vec::new());

mod zeta {
    tvm_ffi::static_init_block! {
        crate::ORDER.lock().unwrap().push("zeta");
    }
}

mod alpha {
    tvm_ffi::static_init_block! {
        crate::ORDER.lock().unwrap().push("alpha 1");
        tvm_ffi::Function::register_global_typed(
            "rust_static_init.add_one",
            |x: i64| Ok(x + 1),
            "Add one.",
        )?;
        Ok(())
    }
    tvm_ffi::static_init_block! {
        crate::ORDER.lock().unwrap().push("alpha 2");
        if crate::ORDER.lock().unwrap().len() > 100 {
            return Ok(());
        }
        crate::ORDER.lock().unwrap().push("alpha 2 again");
    }
}

mod failing {
    tvm_ffi::static_init_block! {
        tvm_ffi::bail!(tvm_ffi::VALUE_ERROR, "the first failure")
    }
    tvm_ffi::static_init_block! {
        if tvm_ffi::Function::get_global("rust_static_init.none").is_err() {
            panic!("the second failure");
        }
    }
}

static_init_block! {
    ORDER.lock().unwrap().push("root");
    Result::<()>::Ok(())
}

// spec: RUST-R32
#[test]
fn blocks_run_before_main_in_order() {
    let order = ORDER.lock().unwrap().clone();
    assert_eq!(
        order,
        ["root", "alpha 1", "alpha 2", "alpha 2 again", "zeta"]
    );
    let add_one = Function::get_global("rust_static_init.add_one").unwrap();
    assert_eq!(
        i64::try_from(add_one.call_tuple((1_i64,)).unwrap()).unwrap(),
        2
    );
    let modules: Vec<_> = STATIC_INIT_BLOCKS
        .iter()
        .map(|block| block.identity().split('@').next().unwrap().to_string())
        .collect();
    assert_eq!(modules.len(), 6);
    let mut sorted = modules.clone();
    sorted.sort_by_key(|place| {
        place
            .rsplit_once(':')
            .map(|(m, n)| (m.to_string(), n.parse::<u32>().unwrap()))
    });
    assert_eq!(modules, sorted);
    assert!(modules[0].starts_with("test_static_init:"), "{modules:?}");
}

// spec: RUST-R32
#[test]
fn failures_are_kept_and_listed_once() {
    let error = run_static_init_blocks().unwrap_err();
    let lines: Vec<_> = error.message().lines().collect();
    assert_eq!(error.kind(), INTERNAL_ERROR);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[0], "2 static init blocks failed:");
    let is_line = |line: &str, text: &str| {
        line.starts_with("  test_static_init::failing:") && line.ends_with(text)
    };
    assert!(
        is_line(lines[1], ": ValueError: the first failure"),
        "{lines:?}"
    );
    assert!(
        is_line(lines[2], ": InternalError: panicked: the second failure"),
        "{lines:?}"
    );
    // The two failed blocks do not run again.
    let again = run_static_init_blocks().unwrap_err();
    assert_eq!(again.message(), error.message());
}

// spec: RUST-R32
#[test]
fn identity_ignores_white_space_but_not_the_text() {
    fn body() -> Result<()> {
        Ok(())
    }
    let block = StaticInitBlock::__new("my::module", 7, "1.2.3", "let x = 1;", body);
    let spaced = StaticInitBlock::__new("my::module", 7, "1.2.3", "let  x\n=1 ;", body);
    let other = StaticInitBlock::__new("my::module", 7, "1.2.3", "let x = 2;", body);
    assert_eq!(block.identity(), spaced.identity());
    assert_ne!(block.identity(), other.identity());
    // The identity ends with the FNV-1a hash of the text without white space.
    assert_eq!(
        block.identity(),
        format!("my::module:7@1.2.3#{:016x}", fnv1a(b"letx=1;"))
    );
    assert_eq!(
        block.marker(),
        format!("ffi.static_init_block.{}", block.identity())
    );
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(14_695_981_039_346_656_037, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211)
    })
}

// spec: RUST-R32
#[test]
fn a_block_runs_once_per_process() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    fn body() -> Result<()> {
        RUNS.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    let block = StaticInitBlock::__new("test_once", 1, "0", "text", body);
    assert!(Function::get_global(&block.marker()).is_err());
    block.run().unwrap();
    block.run().unwrap();
    assert!(Function::get_global(&block.marker()).is_ok());
    // Another library may contain the same block: the block does not run again.
    let second = StaticInitBlock::__new("test_once", 1, "0", "text", body);
    second.run().unwrap();
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    // A block does not run if code in another language has registered its marker.
    let third = StaticInitBlock::__new("test_once", 2, "0", "text", body);
    let mark = Function::from_packed(|_| Ok(Any::new()));
    Function::register_global(&third.marker(), mark).unwrap();
    third.run().unwrap();
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);
}

// spec: RUST-R32
#[test]
fn a_later_error_names_the_block() {
    fn body() -> Result<()> {
        bail!(VALUE_ERROR, "no luck")
    }
    let block = StaticInitBlock::__new("test_later", 12, "0", "text", body);
    let first = block.run().unwrap_err();
    assert_eq!((first.kind(), first.message()), (VALUE_ERROR, "no luck"));
    let later = block.run().unwrap_err();
    assert_eq!(later.kind(), INTERNAL_ERROR);
    assert_eq!(
        later.message(),
        "The static init block at test_later:12 failed: ValueError: no luck"
    );
    assert!(Function::get_global(&block.marker()).is_err());
}

#[test]
fn a_block_may_run_the_others() {
    fn body() -> Result<()> {
        RECURSIVE.run()?;
        Err(Error::new(VALUE_ERROR, "after the inner run", ""))
    }
    static RECURSIVE: StaticInitBlock =
        StaticInitBlock::__new("test_recursive", 1, "0", "text", body);
    assert_eq!(
        RECURSIVE.run().unwrap_err().message(),
        "after the inner run"
    );
}
