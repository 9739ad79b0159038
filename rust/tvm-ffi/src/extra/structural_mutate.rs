// SPDX-License-Identifier: Apache-2.0
//! Functions that return changed copies of graphs of values. [`structural_map`] replaces values by
//! the results of callbacks; [`structural_mutate`] lets the callbacks decide which parts are
//! mutated.
//!
//! A mutation reaches every value that structural equality compares: the elements of sequences, the
//! values (not the keys) of mappings, the reflected fields without `SEQ_HASH_IGNORE`, plain values
//! and None. A value is mutated at each occurrence, with two exceptions that are described below.
//! An object is copied when the first of its parts changes; the result shares unchanged objects
//! with the original. A container without other references is changed in place if in-place changes
//! are allowed. A type can define its own mutation with the attributes `__s_mutate__` and
//! `__s_maybe_inplace_mutate__`.
//!
//! The exceptions: a variable is mutated where it is defined, and a node with identity (structural
//! kind DAG) where it occurs first. The new value is recorded, and replaces later occurrences in
//! the same run (one call of [`structural_map`] or [`structural_mutate`]).
//!
//! In-place changes before an error are not undone.
//!
//! ```
//! use tvm_ffi::{structural_map, Array, WalkOrder};
//!
//! let root = Array::new(vec![1i64, 2]);
//! let doubled = structural_map(root.clone(), |value: i64| value * 2, WalkOrder::PostOrder)?;
//! assert_eq!(Array::<i64>::try_from(doubled)?.to_vec()?, [2, 4]);
//! assert_eq!(root.to_vec()?, [1, 2]);
//! # Ok::<(), tvm_ffi::Error>(())
//! ```

mod context;
mod descent;
mod map;
mod mutate;
mod mutator;
mod mutator_object;
mod remap;
mod result;
mod value;

pub use super::dispatch::{MapDispatch, MutateDispatch};
pub use context::{DefaultMutContextPolicy, MutContextPolicy, MutateContext};
pub use map::{structural_map, IntoMapper, MapWithContextPolicy};
pub use mutate::{structural_mutate, IntoMutator, MutateCallbacks, StructuralMutator};
pub use mutator::Mutator;
pub use remap::StructuralVarRemap;
pub use result::IntoMutateResult;
pub use value::{InplaceMode, InplaceValue, MutateValue};
#[doc(hidden)]
pub use {map::MapLink, mutate::MutateLink, mutator::mutate_by_policy};
