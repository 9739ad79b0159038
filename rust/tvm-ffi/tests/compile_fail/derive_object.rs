// SPDX-License-Identifier: Apache-2.0
//! Wrong uses of `derive(Object)`.
use tvm_ffi::derive::Object as Derive;
use tvm_ffi::Object;

#[repr(C)]
#[derive(Derive)]
struct NoKey { //~ the attribute `#[type_key = ".."]` is missing
    base: Object,
}

#[derive(Derive)]
#[type_key = "fail.A"]
struct NoRepr { //~ derive(Object) needs `#[repr(C)]`
    base: Object,
}

#[derive(Derive)]
#[type_key = "fail.B"]
enum Enumeration { //~ derive(Object) needs a struct
    Variant,
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.C"]
struct Tuple(Object); //~ derive(Object) needs a struct with named fields

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.D"]
struct Generic<T> { //~ derive(Object) does not support parameters
    base: Object,
    value: T,
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.E"]
struct Empty {} //~ an object struct needs the parent's object as its first field

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.F"]
struct NotRegistered {
    base: Object,
    #[reflect]
    value: i64, //~ `reflect` needs the attribute `#[type_register]`
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.G"]
#[type_index(69)]
#[type_register] //~ `type_register` does not go with `type_index`
struct StaticIndex {
    base: Object,
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.H"]
#[type_register]
struct Twice {
    base: Object,
    #[reflect]
    value: i64,
    #[reflect(name = "value")] //~ duplicate field `value`
    other: i64,
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.I"]
#[type_register]
struct ParentReflected {
    #[reflect] //~ the first field, the parent's object, cannot be reflected
    base: Object,
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.J"]
#[type_register]
struct UnknownFlag {
    base: Object,
    #[reflect(WRITABLE)] //~ did you mean the flag `writable`?
    value: i64,
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.K"]
#[type_register]
#[type_s_eq_hash_kind = "Tree"] //~ unknown kind `Tree`; expected one of `Unsupported`, `TreeNode`
struct UnknownKind {
    base: Object,
}

#[repr(C)]
#[derive(Derive)]
#[type_key(fail)] //~ expected `#[type_key = "my.Type"]`
struct KeyInParentheses {
    base: Object,
}
