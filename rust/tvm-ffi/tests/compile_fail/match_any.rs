// SPDX-License-Identifier: Apache-2.0
//! Wrong uses of `match_any!`.
use tvm_ffi::{match_any, Any, Function};

fn arms(value: Any) {
    match_any! { value { Function(_) => (), } }; //~ the last arm of `match_any!` is `_ => ..`
    match_any! { value { _ if true => (), } }; //~ the arm `_` of `match_any!` cannot have a guard
    match_any! { value { _ => (), Function(_) => (), _ => () } }; //~ the arm `_` must be the last one
    match_any! { value { name => (), _ => () } }; //~ expected `Type(binding)`, with one binding
    match_any! { value { Function(a, b) => (), _ => () } }; //~ expected `Type(binding)`, with one
    match_any! { value {} }; //~ the last arm of `match_any!` is `_ => ..`
}
