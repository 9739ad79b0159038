// SPDX-License-Identifier: Apache-2.0
//! Blocks that run when the program is loaded.

use tvm_ffi::{run_static_init_blocks, static_init_block, Function, Result};

// The names of the functions do not matter for the blocks.
fn body(name: &str) -> Result<()> {
    Function::register_global_typed(name, |x: i64| Ok(x + 1), "")
}

fn link() -> Result<i64> {
    Ok(1)
}

mod last_statement {
    use super::*;
    static_init_block! {
        body("rust.earlier.last_statement")?;
    }
}

mod with_a_value {
    use super::*;
    static_init_block! {
        if link()? != 1 {
            return Ok(());
        }
        body("rust.earlier.with_a_value")?;
        Ok(())
    }
}

mod without_a_result {
    use super::*;
    static_init_block! {
        body("rust.earlier.without_a_result").unwrap();
    }
}

// spec: RUST-R45
#[test]
fn blocks_end_with_a_value_or_a_statement() -> Result<()> {
    run_static_init_blocks()?;
    for name in ["last_statement", "with_a_value", "without_a_result"] {
        let add_one = Function::get_global(&format!("rust.earlier.{name}"))?;
        assert_eq!(i64::try_from(add_one.call_tuple((1i64,))?)?, 2);
    }
    Ok(())
}
