// SPDX-License-Identifier: Apache-2.0
//! Objects, functions and containers that C++, Python and Rust share.
//!
//! ```
//! use tvm_ffi::{Function, Result};
//!
//! fn main() -> Result<()> {
//!     let add = Function::from_typed(|a: i64, b: i64| Ok(a + b));
//!     let sum: i64 = add.call_tuple((1, 2))?.try_into()?;
//!     assert_eq!(sum, 3);
//!     Ok(())
//! }
//! ```
//!
//! # Threads
//!
//! [`String`], [`Bytes`], [`BigInt`], [`Shape`], [`Error`] and [`Function`] are `Send` and `Sync`:
//! their content does not change, or (for functions) each call checks the thread where this is
//! needed. Types that refer to other objects, [`Any`] and [`AnyView`] are not `Send` or `Sync`,
//! because an object may be of a type that is bound to a thread. Any thread may get an object from
//! other code; therefore the methods of [`List`] and [`Dict`] lock the container. Closures that become functions
//! must be `Send` and `Sync`. [`Function::from_packed_local`] also accepts other closures, and
//! binds the function to the thread that creates it.
//!
//! # Failures
//!
//! Errors and exceptions of all languages are [`Error`]. A panic in a callback or in an exported
//! function becomes an `InternalError` with the text and place of the panic; the panic does not
//! unwind into C.
//!
//! # Features
//!
//! * `compat` (default): interfaces of earlier crates that are not sound. Without it, safe code has no
//!   undefined behaviour, under the conditions that the guide lists. The documentation of each
//!   interface names its replacement, for example [`ObjectArc::get_mut`] for writing through an
//!   `ObjectArc`.
//! * `export-metadata`: exported functions come with their types and documentation.
//!
//! # Names
//!
//! The names [`String`] and [`Result`] of this crate are meant to shadow those of `std` where a
//! program says `use tvm_ffi::*`.
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

// The macros expand to paths that begin with `tvm_ffi`, so this crate needs this name for itself.
extern crate self as tvm_ffi;

// One line per module, in alphabetical order.
pub mod any;
pub mod big_int;
pub mod collections;
pub mod derive;
pub mod device;
pub mod dtype;
pub mod error;
pub mod extra;
pub mod function;
pub mod function_internal;
pub mod macros;
#[doc(hidden)]
pub mod match_any_internal;
pub mod object;
pub mod optional;
mod panics;
mod reentrant;
pub mod reflection;
pub mod rvalue_ref;
mod shared_lock;
mod similar_name;
mod stack;
pub mod static_init;
pub mod string;
mod type_attr;
pub mod type_traits;
pub mod variant;

// One line per module, in alphabetical order.
pub use any::{Any, AnyView};
pub use big_int::BigInt;
pub use collections::array::Array;
pub use collections::dict::Dict;
pub use collections::list::List;
pub use collections::map::Map;
pub use collections::shape::Shape;
#[cfg(feature = "compat")]
pub use collections::tensor::TensorView;
pub use collections::tensor::{CPUNDAlloc, NDAllocator, Tensor, TensorElement, TensorRef};
pub use collections::tensor::{TypedTensor, TypedTensorView, TypedTensorViewMut};
pub use collections::tuple::Tuple;
pub use device::{current_stream, with_stream};
pub use dtype::DLDataTypeExt;
pub use error::{Error, ErrorKind, Result};
pub use error::{
    ATTRIBUTE_ERROR, INDEX_ERROR, INTERNAL_ERROR, KEY_ERROR, OVERFLOW_ERROR, RUNTIME_ERROR,
    TYPE_ERROR, VALUE_ERROR, ZERO_DIVISION_ERROR,
};
pub use extra::dispatch::{dispatch, MapDispatch, MutateDispatch, WalkDispatch};
pub use extra::module::Module;
pub use extra::structural_mutate::{structural_map, structural_mutate, StructuralMutator};
pub use extra::structural_mutate::{DefaultMutContextPolicy, MutContextPolicy, MutateCallbacks};
pub use extra::structural_mutate::{InplaceMode, InplaceValue, MutateValue, StructuralVarRemap};
pub use extra::structural_mutate::{IntoMapper, IntoMutator, MapWithContextPolicy};
pub use extra::structural_mutate::{MutateContext, Mutator};
pub use extra::structural_visit::{structural_visit, structural_walk, StructuralVisitor};
pub use extra::structural_visit::{ContextPolicy, DefRegionKind, DefaultContextPolicy};
pub use extra::structural_visit::{IntoVisitor, IntoWalker, VisitCallbacks, VisitInterrupt};
pub use extra::structural_visit::{StructuralView, VisitContext};
pub use extra::structural_visit::{WalkOrder, WalkResult, WalkWithContextPolicy};
pub use extra::unchanged::{Unchanged, UnchangedOr};
pub use function::{Function, GlobalDef, TypedFunction};
pub use object::{Object, ObjectArc, ObjectCore, ObjectCoreWithExtraItems};
pub use object::{ObjectIdentity, ObjectRefCast, ObjectRefCore, ObjectWeak};
pub use optional::{Optional, OptionalCompatible};
pub use reflection::{get_type_attr, FieldFlags, FieldGetter, ObjectDef, SEqHashKind};
pub use reflection::{ShallowCopy, TypeAttrColumn, UnsafeInit, Writable};
pub use rvalue_ref::RValueRef;
pub use static_init::run_static_init_blocks;
pub use string::{Bytes, String};
pub use type_traits::AnyCompatible;
pub use variant::Variant;

#[doc(hidden)]
pub use tvm_ffi_macros::__match_any;
pub use tvm_ffi_macros::{def_object_ref, rs_class};

pub use tvm_ffi_sys;
pub use tvm_ffi_sys::TVMFFITypeIndex as TypeIndex;
pub use tvm_ffi_sys::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType};
pub use tvm_ffi_sys::{TVMFFIAny, TVMFFIObject, TVMFFIStreamHandle};
