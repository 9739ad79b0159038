// SPDX-License-Identifier: Apache-2.0
//! Wrong uses of `#[dispatch]`.
use tvm_ffi::reflection::AccessPathObj;
use tvm_ffi::{dispatch, StructuralView, WalkResult};

struct Order;
#[dispatch(walk)]
impl Order {
    fn walk_all(&mut self, _: &StructuralView) -> WalkResult {
        WalkResult::Advance
    }
    fn walk_number(&mut self, _: i64) -> WalkResult { //~ never called, because `walk_all` before it
        WalkResult::Advance
    }
}

struct Empty;
#[dispatch(visit)]
impl Empty { //~ no method has a name that begins with `visit_`
    fn walk_number(&mut self, _: i64) {}
}

struct Mutable;
#[dispatch(visit)]
impl Mutable {
    fn visit_path(&mut self, _: &mut AccessPathObj) {} //~ by a shared reference, `&N`
}

struct Shared;
#[dispatch(visit)]
impl Shared {
    fn visit_path(&self, _: &AccessPathObj) {} //~ the first parameter of a method is `&mut self`
}

struct Traits;
#[dispatch(walk)]
impl Iterator for Traits { //~ `dispatch` belongs on an `impl` without a trait
    type Item = i64;
    fn next(&mut self) -> Option<i64> {
        None
    }
}

struct Many;
#[dispatch(visit)]
impl Many {
    fn visit_two(&mut self, _: i64, _: i64, _: i64) {} //~ a method takes `&mut self`, the value, and
}

struct Nothing;
#[dispatch(walk)]
impl Nothing {
    fn walk_number(&mut self, _: i64) {} //~ this method must return what becomes of the value
}

struct Policy;
#[dispatch(walk, policy = ())] //~ only `visit` and `mutate` take a policy
impl Policy {
    fn walk_number(&mut self, _: i64) -> WalkResult {
        WalkResult::Advance
    }
}

struct Unknown;
#[dispatch(stroll)] //~ expected `walk`, `visit`, `map` or `mutate`
impl Unknown {}

struct Results;
#[dispatch(walk)] //~ the trait bound `i32: IntoWalkResult` is not satisfied
impl Results {
    fn walk_number(&mut self, _: i64) -> i32 {
        1
    }
}

struct MapPolicy;
#[dispatch(map, policy = ())] //~ only `visit` and `mutate` take a policy
impl MapPolicy {
    fn map_number(&mut self, _: i64) -> i64 {
        0
    }
}

struct MutateOrder;
#[dispatch(mutate)]
impl MutateOrder {
    fn mutate_any(&mut self, _: tvm_ffi::MutateValue<'_>) -> i64 {
        0
    }
    fn mutate_number(&mut self, _: i64) -> i64 { //~ never called, because `mutate_any` before it
        0
    }
}
