// SPDX-License-Identifier: Apache-2.0
//! Visitors whose state needs a larger alignment than an object has.

use tvm_ffi::{
    dispatch, structural_visit, structural_walk, Array, DefRegionKind, StructuralView,
    StructuralVisitor, VisitCallbacks, VisitContext, WalkOrder, WalkResult,
};

/// A state whose address is a multiple of 256.
#[repr(align(256))]
#[derive(Default)]
struct Aligned {
    sum: i64,
    misaligned: usize,
}

impl Aligned {
    fn add(&mut self, value: i64) {
        self.misaligned += std::ptr::from_ref(self) as usize % 256;
        self.sum += value;
    }
}

#[dispatch(walk)]
impl Aligned {
    fn walk_number(&mut self, value: i64) -> WalkResult {
        self.add(value);
        WalkResult::Advance
    }
}

#[dispatch(visit)]
impl Aligned {
    fn visit_number(&mut self, value: i64) {
        self.add(value);
    }
    fn visit_rest(&mut self, value: &StructuralView, kind: DefRegionKind) -> tvm_ffi::Result<()> {
        self.default_visit_children(value, kind).map(|_| ())
    }
}

/// Return nested arrays. The hook that visits arrays is C++ code, and calls the visitor that Rust
/// created.
fn root() -> Array<Array<i64>> {
    Array::new(vec![Array::new(vec![1, 2]), Array::new(vec![3])])
}

#[test]
fn dispatch_objects_keep_their_alignment() {
    let mut state = Aligned::default();
    structural_walk(&root(), &mut state, WalkOrder::PreOrder).unwrap();
    structural_visit(&root(), &mut state).unwrap();
    assert_eq!((state.sum, state.misaligned), (12, 0));
}

#[test]
fn states_of_callbacks_keep_their_alignment() {
    let add = |value: i64, context: &mut VisitContext<'_, Aligned>| context.state_mut().add(value);
    let mut callbacks = VisitCallbacks::new(Aligned::default(), add);
    structural_visit(&root(), &mut callbacks).unwrap();
    let state = callbacks.into_state();
    assert_eq!((state.sum, state.misaligned), (6, 0));
}
