// SPDX-License-Identifier: Apache-2.0
//! Mutations with own mutators, mappers and policies.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{def_object_ref, dispatch, rs_class, structural_map, structural_mutate};
use tvm_ffi::{Any, Array, DefRegionKind, DefaultMutContextPolicy, IntoMapper, IntoMutator};
use tvm_ffi::{InplaceMode, List, MapWithContextPolicy, MutContextPolicy, MutateContext};
use tvm_ffi::{MutateValue, Mutator, Object, ObjectArc, ObjectRefCore, Result, StructuralMutator};
use tvm_ffi::{StructuralView, UnchangedOr, WalkOrder, RUNTIME_ERROR};

#[rs_class("rust.earlier.Var", s_eq_hash_kind = "FreeVar")]
pub struct VarObj {
    base: Object,
    number: i64,
}
def_object_ref!(pub Var, ObjectRef, VarObj);

fn var(number: i64) -> Var {
    VarObj::new(Object::new(), number).into()
}

/// Replaces each variable once. The replacements are kept by the provided methods.
#[derive(Default)]
struct Rename {
    made: i64,
}

impl StructuralMutator for Rename {
    fn dispatch_mutate(&mut self, value: &StructuralView, kind: DefRegionKind) -> Result<Any> {
        if value.cast::<Var>().is_none() {
            return self.on_default_mutate(MutateValue::borrowed(value), kind);
        }
        if let Some(known) = self.var_remap_get(value)? {
            return Ok(known);
        }
        self.made += 1;
        let new = Any::from(var(100 + self.made));
        self.var_remap_set(value, &new)?;
        Ok(new)
    }
}

/// Return the numbers of the variables after a mutation.
fn numbers_after<M>(vars: &[&Var], mutator: &mut M) -> Result<Vec<i64>>
where
    for<'m> &'m mut M: IntoMutator<M>,
{
    let vars = Array::new(vars.iter().map(|var| Var::from(*var)).collect());
    let result = Array::<Var>::try_from(structural_mutate(vars, mutator)?)?;
    Ok(result.iter().map(|var| var.number).collect())
}

// spec: RUST-R45
#[test]
fn a_mutator_needs_no_table_of_variables() -> Result<()> {
    let (x, y) = (var(1), var(2));
    let mut rename = Rename::default();
    assert_eq!(numbers_after(&[&x, &y, &x], &mut rename)?, [101, 102, 101]);
    // Each run has its own replacements.
    assert_eq!(numbers_after(&[&x], &mut rename)?, [103]);
    let outside = rename.mutate(&x, DefRegionKind::None).err().unwrap();
    assert_eq!(outside.kind(), RUNTIME_ERROR);
    Ok(())
}

struct Forget;

#[dispatch(mutate)]
impl Forget {
    fn mutate_any(&mut self, value: &StructuralView, mutator: &mut Mutator) -> Result<Any> {
        if value.cast::<Var>().is_none() {
            return mutator.default_mutate(self, value);
        }
        let known = mutator.var_remap_get(self, value)?;
        mutator.var_remap_set(self, value, &Any::from(var(0)))?;
        Ok(known.unwrap_or_else(|| Any::from(var(9))))
    }
}

// spec: RUST-R45
#[test]
fn a_dispatch_without_state_is_passed_by_value() -> Result<()> {
    let x = var(1);
    let vars = Array::new(vec![x.clone(), x]);
    let result = Array::<Var>::try_from(structural_mutate(vars, Forget)?)?;
    assert_eq!((result.get(0)?.number, result.get(1)?.number), (9, 0));
    Ok(())
}

// spec: RUST-R45
#[test]
fn callbacks_become_a_mapper_for_a_policy() -> Result<()> {
    let mapper = (|value: i64| value + 1, |_: bool| 7i64).into_mapper();
    let mut mapper = MapWithContextPolicy::new(mapper, DefaultMutContextPolicy);
    let root = Array::new(vec![Any::from(1i64), Any::from(true)]);
    let result = structural_map(root, &mut mapper, WalkOrder::PreOrder)?;
    let result = Array::<i64>::try_from(result)?;
    assert_eq!((result.get(0)?, result.get(1)?), (2, 7));
    Ok(())
}

#[rs_class("rust.earlier.Definition", s_eq_hash_kind = "TreeNode")]
pub struct DefinitionObj {
    base: Object,
    #[reflect(seq_hash_def_pattern)]
    numbers: Array<i64>,
}
def_object_ref!(pub Definition, ObjectRef, DefinitionObj);

/// Records the regions of numbers. The mutator asks for the region `None` everywhere.
#[derive(Default)]
struct Regions(Vec<DefRegionKind>);

impl StructuralMutator for Regions {
    fn dispatch_mutate(&mut self, value: &StructuralView, kind: DefRegionKind) -> Result<Any> {
        if value.cast::<i64>().is_some() {
            self.0.push(kind);
        }
        self.default_mutate(value, DefRegionKind::None)
    }
}

// spec: RUST-R45
#[test]
fn a_mutator_stays_inside_a_pattern() -> Result<()> {
    let mut regions = Regions::default();
    let numbers = Array::new(vec![1i64]);
    let definition: Definition = DefinitionObj::new(Object::new(), numbers.clone()).into();
    structural_mutate(definition, &mut regions)?;
    structural_mutate(numbers, &mut regions)?;
    assert_eq!(regions.0, [DefRegionKind::Pattern, DefRegionKind::None]);
    Ok(())
}

/// Records whether values may be changed in place.
struct Modes;

impl<S> MutContextPolicy<S> for Modes {
    fn default_mutate(
        &self,
        value: MutateValue<'_>,
        context: &mut MutateContext<'_, S>,
    ) -> Result<UnchangedOr<Any>> {
        if let Some(list) = value.cast::<List<Any>>() {
            list.push(Any::from(value.inplace_mode() == InplaceMode::Allow))?;
        }
        context.default_maybe_inplace_mutate_result(value)
    }
}

// spec: RUST-R45
#[test]
fn a_value_that_a_callback_keeps_is_not_changed_in_place() -> Result<()> {
    let mut kept = None;
    let mapper = |list: List<Any>| {
        kept = Some(list.clone());
        list
    };
    let mut mapper = MapWithContextPolicy::new(mapper.into_mapper(), Modes);
    structural_map(List::<Any>::new(), &mut mapper, WalkOrder::PreOrder)?;
    let kept = kept.unwrap();
    assert_eq!(
        (kept.len(), kept.get(0)?.try_as::<bool>()),
        (1, Some(false))
    );
    Ok(())
}

// spec: RUST-R45
#[test]
fn a_replacement_is_changed_in_place_where_the_original_could_be() -> Result<()> {
    let mut made = None;
    let mapper = |number: i64| match number {
        0 => {
            let list = List::from_iter([Any::from(1i64)]);
            made = Some(address(&list));
            Any::from(list)
        }
        _ => Any::from(number + 1),
    };
    let result = structural_map(0i64, mapper, WalkOrder::PreOrder)?;
    let result = List::<i64>::try_from(result)?;
    assert_eq!(result.get(0)?, 2);
    // A number cannot be changed in place.
    assert_ne!(Some(address(&result)), made);
    Ok(())
}

fn address<T>(list: &List<T>) -> usize {
    // SAFETY: nothing reads from the address.
    unsafe { ObjectArc::as_raw(List::data(list)) as usize }
}
