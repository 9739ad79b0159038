// SPDX-License-Identifier: Apache-2.0
//! Mutations: types of callbacks, changes in place, definition regions, policies, and replacements
//! of variables.

#[path = "common/mutate.rs"]
mod mutate;

use std::cell::RefCell;

use mutate::{
    address, increment, pair, same, text, var, Dag, DagObj, NotPairs, Pair, PairObj, PRE,
};
use tvm_ffi::{
    dispatch, structural_map, structural_mutate, structural_walk, Any, Array, DefRegionKind,
    DefaultMutContextPolicy, InplaceMode, InplaceValue, List, MutateCallbacks, MutateContext,
    MutateDispatch, MutateValue, Mutator, Object, ObjectRefCore, Result, String, StructuralMutator,
    StructuralVarRemap, StructuralView, Unchanged, UnchangedOr, WalkResult,
};

// ---------------------------------------------------------------- mutations

// spec: RUST-R37
#[test]
fn mutate_links_own_recursion() {
    let root = pair(1i64, pair(2i64, Array::new(vec![3i64])));
    let number = |value: i64, context: &mut MutateContext<'_, i64>| {
        *context.state_mut() += value;
        value + 1
    };
    let by_node = |node: &PairObj, context: &mut MutateContext<'_, i64>| -> Result<Pair> {
        // Mutate only the second field of the pair.
        Ok(pair(node.a.clone(), context.mutate(&node.b)?))
    };
    let mut callbacks = MutateCallbacks::new(0, (number, by_node));
    let result = structural_mutate(root.clone(), &mut callbacks).unwrap();
    assert_eq!(
        text(result),
        "rust.test.mutate.Pair(a=1, b=rust.test.mutate.Pair(a=2, b=(4,)))"
    );
    assert_eq!(*callbacks.state(), 3);
    *callbacks.state_mut() = 4;
    assert_eq!(callbacks.into_state(), 4);
    let by_view = |view: &StructuralView, context: &mut MutateContext<'_>| match view.cast::<i64>()
    {
        Some(value) => Ok(Any::from(value * 2)),
        None => context.default_mutate(view),
    };
    let result = structural_mutate(root, by_view).unwrap();
    assert_eq!(
        text(result),
        "rust.test.mutate.Pair(a=2, b=rust.test.mutate.Pair(a=4, b=(6,)))"
    );
}

// spec: RUST-R37
#[test]
fn results_of_mutate_callbacks_are_final() {
    let replace = |_: String, _: &mut MutateContext<'_>| Array::new(vec![1i64]);
    let number = |value: i64, _: &mut MutateContext<'_>| value + 1;
    let root = pair(String::from("s"), 1i64);
    let result = structural_mutate(root, (replace, number)).unwrap();
    assert_eq!(text(result), "rust.test.mutate.Pair(a=(1,), b=2)");
}

// spec: RUST-R37
#[test]
fn modes_tell_what_is_unique() {
    let seen = RefCell::new(Vec::new());
    let run = |root: Any| {
        let list = |value: MutateValue<'_, List<Any>>, context: &mut MutateContext<'_>| {
            assert_eq!(value.inplace_mode(), context.inplace_mode());
            seen.borrow_mut().push(value.inplace_mode());
            context.default_maybe_inplace_mutate_result(value)
        };
        let number = |value: i64, _: &mut MutateContext<'_>| value + 1;
        text(structural_mutate(root, (list, number)).unwrap())
    };
    use InplaceMode::{Allow, Disallow};
    let inner: List<Any> = [Any::from(1i64)].into_iter().collect();
    let list = |inner| -> List<Any> { [Any::from(inner)].into_iter().collect() };
    assert_eq!(run(Any::from(list(inner.clone()))), "[[2]]");
    assert_eq!(seen.take(), [Allow, Disallow]);
    assert_eq!(text(inner.clone()), "[1]");
    assert_eq!(run(Any::from(list(inner))), "[[2]]");
    assert_eq!(seen.take(), [Allow, Allow]);
    let shared: List<Any> = [Any::from(1i64)].into_iter().collect();
    assert_eq!(run(Any::from(shared.clone())), "[2]");
    assert_eq!(seen.take(), [Disallow]);
    assert_eq!(text(shared), "[1]");
}

// spec: RUST-R37
#[test]
fn allow_never_overrides_sharing() {
    let shared: List<Any> = [Any::from(1i64)].into_iter().collect();
    let other = shared.clone();
    let text_link = |_: String, context: &mut MutateContext<'_>| {
        let kind = context.def_region_kind();
        context.maybe_inplace_mutate_with_mode(other.clone(), kind, InplaceMode::Allow)
    };
    let number = |value: i64, _: &mut MutateContext<'_>| value + 1;
    let result = structural_mutate(String::from("s"), (text_link, number)).unwrap();
    assert_eq!(text(result), "[2]");
    assert_eq!(text(shared), "[1]");
    // A list without other references is changed in place if the mode allows it.
    let addresses = RefCell::new(Vec::new());
    let make = |_: String, context: &mut MutateContext<'_>| -> Result<Any> {
        for mode in [InplaceMode::Allow, InplaceMode::Disallow] {
            let list: List<Any> = [Any::from(1i64)].into_iter().collect();
            let before = address(&list);
            let kind = context.def_region_kind();
            let after: List<Any> = context
                .maybe_inplace_mutate_with_mode(list, kind, mode)?
                .try_into()?;
            assert_eq!(text(after.clone()), "[2]");
            addresses.borrow_mut().push(before == address(&after));
        }
        Ok(Any::new())
    };
    structural_mutate(String::from("s"), (make, number)).unwrap();
    assert_eq!(addresses.take(), [true, false]);
}

// spec: RUST-R35
#[test]
fn mutate_contexts_open_regions() {
    let seen = RefCell::new(Vec::new());
    let note = |value: i64, context: &mut MutateContext<'_>| {
        seen.borrow_mut().push((value, context.def_region_kind()));
        Unchanged
    };
    let open = |node: &PairObj, context: &mut MutateContext<'_>| -> Result<Unchanged> {
        context.mutate_with(&node.a, DefRegionKind::Simple)?;
        context.with_def_region_kind(DefRegionKind::Pattern, |context| {
            context.mutate(&node.b)?;
            context.mutate_with_result(&node.b, DefRegionKind::None)
        })?;
        context.mutate(&node.a)?;
        Ok(Unchanged)
    };
    structural_mutate(pair(1i64, 2i64), (note, open)).unwrap();
    use DefRegionKind::{None, Pattern, Simple};
    assert_eq!(
        seen.take(),
        [(1, Simple), (2, Pattern), (2, Pattern), (1, None)]
    );
}

// spec: RUST-R35
#[test]
fn mutate_callbacks_take_policies() {
    let number = |value: i64, _: &mut MutateContext<'_, ()>| value + 1;
    let callbacks = MutateCallbacks::new((), number).with_policy(NotPairs);
    let root = Array::new(vec![Any::from(1i64), Any::from(pair(2i64, 3i64))]);
    let result = structural_mutate(root, callbacks).unwrap();
    assert_eq!(text(result), "(2, rust.test.mutate.Pair(a=2, b=3))");
}

#[derive(Default)]
struct Rewriter {
    pairs: usize,
}

#[dispatch(mutate)]
impl Rewriter {
    fn mutate_number(&mut self, value: i64) -> i64 {
        value + 1
    }
    fn mutate_pair(&mut self, node: &PairObj, mutator: &mut Mutator<'_>) -> Result<Pair> {
        self.pairs += 1;
        let b = mutator.mutate(self, &node.b)?;
        Ok(pair(b, node.a.clone()))
    }
    fn mutate_list(
        &mut self,
        value: MutateValue<'_, List<Any>>,
        mutator: &mut Mutator<'_>,
    ) -> Result<UnchangedOr<Any>> {
        mutator.default_maybe_inplace_mutate_result(self, value)
    }
    fn mutate_rest(&mut self, value: &StructuralView, mutator: &mut Mutator<'_>) -> Result<Any> {
        mutator.default_mutate(self, value)
    }
}

// spec: RUST-R37
#[test]
fn dispatch_mutate_owns_recursion() {
    let mut rewriter = Rewriter::default();
    let list: List<Any> = [Any::from(pair(1i64, 2i64))].into_iter().collect();
    let result = structural_mutate(Array::new(vec![list]), &mut rewriter).unwrap();
    assert_eq!(text(result), "([rust.test.mutate.Pair(a=3, b=1)],)");
    assert_eq!(rewriter.pairs, 1);
}

#[derive(Default)]
struct WithPolicy;

#[dispatch(mutate, policy = NotPairs)]
impl WithPolicy {
    fn mutate_number(&mut self, value: i64) -> i64 {
        value + 1
    }
    fn mutate_text(&mut self, value: String, mutator: &mut Mutator<'_>) -> Result<Any> {
        assert_eq!(mutator.def_region_kind(), DefRegionKind::None);
        // The default mutation calls the policy `NotPairs`, which does not change pairs.
        let kept = pair(1i64, value);
        assert!(mutator.default_mutate_result(self, &kept)?.is_unchanged());
        Ok(Any::new())
    }
}

// spec: RUST-R35
#[test]
fn dispatch_mutate_takes_a_policy() {
    let parts: Vec<Any> = vec![
        1i64.into(),
        pair(2i64, 3i64).into(),
        String::from("s").into(),
    ];
    let result = structural_mutate(Array::new(parts), &mut WithPolicy).unwrap();
    assert_eq!(text(result), "(2, rust.test.mutate.Pair(a=2, b=3), None)");
}

/// Implements `StructuralMutator` without the macro, and counts the default mutations.
#[derive(Default)]
struct ByHand {
    defaults: usize,
}

impl MutateDispatch for ByHand {
    fn dispatch_mutate(
        &mut self,
        value: &StructuralView,
        _: &mut Mutator<'_>,
    ) -> Option<Result<Any>> {
        value.cast::<i64>().map(|number| Ok(Any::from(number + 1)))
    }
    fn on_default_mutate(&mut self, value: MutateValue<'_>, kind: DefRegionKind) -> Result<Any> {
        self.defaults += 1;
        tvm_ffi::extra::structural_mutate::mutate_by_policy(
            &DefaultMutContextPolicy,
            self,
            value,
            kind,
        )
    }
}

// spec: RUST-R37
#[test]
fn defaults_of_a_dispatch_share_the_memory_of_the_run() {
    let dag: Dag = DagObj::new(Object::new(), 1i64).into();
    let mut by_hand = ByHand::default();
    let result = structural_mutate(Array::new(vec![dag.clone(), dag]), &mut by_hand).unwrap();
    let result: Array<Dag> = result.try_into().unwrap();
    assert!(result.get(0).unwrap().same_as(&result.get(1).unwrap()));
    assert_eq!(result.get(0).unwrap().a.try_as::<i64>(), Some(2));
    assert_eq!(by_hand.defaults, 3);
}

/// A mutator that stores the replacements of variables itself.
#[derive(Default)]
struct Own {
    table: StructuralVarRemap,
    inplace: usize,
}

impl StructuralMutator for Own {
    fn dispatch_mutate(&mut self, value: &StructuralView, kind: DefRegionKind) -> Result<Any> {
        match value.cast::<i64>() {
            Some(number) => Ok(Any::from(number + 1)),
            None => self.default_mutate(value, kind),
        }
    }
    fn dispatch_maybe_inplace_mutate(
        &mut self,
        value: InplaceValue<'_>,
        kind: DefRegionKind,
    ) -> Result<Any> {
        self.inplace += 1;
        let result = self.default_maybe_inplace_mutate_result(value, kind)?;
        Ok(result.into_option().unwrap_or_else(|| Unchanged.into()))
    }
    fn var_remap_get(&mut self, var: &StructuralView) -> Result<Option<Any>> {
        self.table.get(var)
    }
    fn var_remap_set(&mut self, var: &StructuralView, mapped: &Any) -> Result<()> {
        self.table.set(var, mapped)
    }
}

// spec: RUST-R37
#[test]
fn mutators_by_hand() {
    let dag: Dag = DagObj::new(Object::new(), 1i64).into();
    let root = Array::new(vec![dag.clone(), dag]);
    let mut own = Own::default();
    let result: Array<Dag> = structural_mutate(root, &mut own)
        .unwrap()
        .try_into()
        .unwrap();
    assert!(result.get(0).unwrap().same_as(&result.get(1).unwrap()));
    assert_eq!(result.get(0).unwrap().a.try_as::<i64>(), Some(2));
    assert_eq!(own.inplace, 1);
    let list: List<Any> = [Any::from(1i64)].into_iter().collect();
    let result = own.maybe_inplace_mutate(list, DefRegionKind::None).unwrap();
    assert_eq!(text(result), "[2]");
    assert_eq!(own.inplace, 2);
    let changed = own.mutate_result(&4i64, DefRegionKind::None).unwrap();
    assert_eq!(changed.into_option().unwrap().try_as::<i64>(), Some(5));
}

// ---------------------------------------------------------------- replacements of variables

// spec: RUST-R37
#[test]
fn callbacks_use_the_memory_of_the_run() {
    let x = var(1i64);
    let y = var(2i64);
    let bind = |_: String, context: &mut MutateContext<'_>| -> Result<Any> {
        assert!(context.var_remap_get(&x)?.is_none());
        context.var_remap_set(&x, &Any::from(y.clone()))?;
        assert!(same(&context.var_remap_get(&x)?.unwrap(), &y));
        let error = context.var_remap_set(&1i64, &Any::new()).unwrap_err();
        assert_eq!(
            error.message(),
            "Variable-remap key must be an object-backed value"
        );
        let new = context.mutate(&x)?;
        assert!(same(&new, &y));
        context.var_remap_set(&x, &Any::new())?;
        assert!(context.mutate_result(&x)?.is_unchanged());
        context.var_remap_set(&x, &Any::from(y.clone()))?;
        Ok(Any::from(Unchanged))
    };
    let root = Array::new(vec![Any::from(String::from("s")), Any::from(x.clone())]);
    let result = structural_mutate(root.clone(), bind).unwrap();
    let result: Array<Any> = result.try_into().unwrap();
    assert!(same(&result.get(1).unwrap(), &y));
    // The replacement of `x` is valid only in the mutation above, not in a later traversal.
    let result = structural_map(root.clone(), increment, PRE).unwrap();
    assert!(same(&result, &root));
}

#[test]
fn remap_tables_get_set_and_clear() {
    let mut table = StructuralVarRemap::default();
    let x = var(1i64);
    let use_view = |view: &StructuralView| {
        table.set(view, &Any::from(5i64)).unwrap();
        assert_eq!(table.get(view).unwrap().unwrap().try_as::<i64>(), Some(5));
        table.clear();
        assert!(table.get(view).unwrap().is_none());
        WalkResult::Skip
    };
    structural_walk(&x, use_view, PRE).unwrap();
}
