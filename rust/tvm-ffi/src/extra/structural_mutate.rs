// SPDX-License-Identifier: Apache-2.0
//! Changed copies of graphs of values: maps by callbacks, and mutations whose callbacks decide how
//! to go on.
//!
//! Everything that structural equality looks at is mutated, at each occurrence: the elements of
//! sequences, the values (not the keys) of mappings, the reflected fields without
//! `SEQ_HASH_IGNORE`, plain values and None. Objects are copied when the first of their parts
//! changes; what does not change is shared with the result. A container is changed in place instead
//! where that is allowed and there is no other reference to it. A type replaces the treatment of its
//! fields by the attributes `__s_mutate__` and `__s_maybe_inplace_mutate__`.
//!
//! Variables are replaced where they are defined, and nodes with identity where they are first met;
//! the run remembers the replacement for the places where they occur again. In-place changes before
//! an error are not undone.
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
pub use context::{MutContextPolicy, MutateContext};
pub use map::{structural_map, IntoMapper, MapWithContextPolicy};
pub use mutate::{structural_mutate, IntoMutator, MutateCallbacks, StructuralMutator};
pub use mutator::Mutator;
pub use remap::StructuralVarRemap;
pub use result::IntoMutateResult;
pub use value::{InplaceMode, InplaceValue, MutateValue};
#[doc(hidden)]
pub use {map::MapLink, mutate::MutateLink, mutator::mutate_by_policy};
