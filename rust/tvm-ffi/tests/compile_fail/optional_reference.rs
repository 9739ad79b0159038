// SPDX-License-Identifier: Apache-2.0
//! `Optional` of a reference type, which C++ stores as one pointer.
use tvm_ffi::{Array, Optional};

fn layout() {
    let _: Optional<Array<i64>> = Optional::none(); //~ does not have the layout of the C++ type
}
