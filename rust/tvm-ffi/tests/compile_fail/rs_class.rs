// SPDX-License-Identifier: Apache-2.0
//! Wrong uses of `rs_class`.
use tvm_ffi::{rs_class, Object};

#[rs_class(final)] //~ the type key comes first
struct NoKey {
    base: Object,
}

#[rs_class("fail.A", finally)] //~ `finally` is not an option of `rs_class`; expected `final`
struct UnknownOption {
    base: Object,
}

#[rs_class("fail.B", child_slots = 1, child_slots = 2)] //~ `child_slots` is given more than once
struct Twice {
    base: Object,
}

#[rs_class("fail.C")]
struct OtherName {
    parent: Object, //~ the first field of a class is `base`, the object of the parent
}

#[rs_class("fail.D")]
struct Generic<T> { //~ rs_class does not support parameters
    base: Object,
    value: T,
}

#[rs_class("")] //~ a type key cannot be empty
struct EmptyKey {
    base: Object,
}

#[rs_class("fail.E")]
struct TwoDefaults {
    base: Object,
    #[reflect(default = 1, default_factory = || 1)] //~ `default` is given more than once
    value: i64,
}
