// SPDX-License-Identifier: Apache-2.0
//! Fields that other code may assign while Rust code borrows them.
use tvm_ffi::derive::Object as Derive;
use tvm_ffi::{rs_class, Any, Array, Object, String, Writable};

#[rs_class("fail.Class")]
struct ClassObj {
    base: Object,
    #[reflect(writable)]
    text: String, //~ cannot be a plain `tvm_ffi::String`, because other code may assign it while Rust code borrows it: declare it as `tvm_ffi::Writable<tvm_ffi::String>`
    #[reflect(writable, default = 1)]
    number: i64, //~ declare it as `tvm_ffi::Writable<i64>`
    #[reflect(writable, default_factory = || Array::new(vec![1i64]))]
    array: Array<i64>, //~ declare it as `tvm_ffi::Writable<tvm_ffi::Array<i64>>`
    #[reflect(writable)]
    cell: Writable<Any>,
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.Derived"]
#[type_register]
struct DerivedObj {
    base: Object,
    #[reflect(writable)]
    any: Any, //~ declare it as `tvm_ffi::Writable<tvm_ffi::Any>`
}

fn borrowed(object: &ClassObj) -> &Any {
    &object.cell //~ mismatched types
}
