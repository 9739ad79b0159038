// SPDX-License-Identifier: Apache-2.0
//! The text of a backtrace is copied, because other code may replace it.

use tvm_ffi::Error;

pub fn length(error: &Error) -> usize {
    error.backtrace().len() //~ no method named `backtrace` found
}
