// SPDX-License-Identifier: Apache-2.0
//! A closure that is not `Send`, in a function that any thread may call.
use std::rc::Rc;
use tvm_ffi::{Any, Function};

fn packed() -> Function {
    let shared = Rc::new(1_i64);
    Function::from_packed(move |_| Ok(Any::from(*shared))) //~ `Rc<i64>` cannot be sent between threads
}
