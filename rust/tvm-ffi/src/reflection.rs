// SPDX-License-Identifier: Apache-2.0
//! Registration of types that are defined in Rust, and access to fields and type attributes by
//! name.

mod access_path;
mod definition;
mod enum_entry;
mod enums;
mod field;
mod init;
#[doc(hidden)]
pub mod member;
mod methods;
mod mirror;
mod type_index;
mod writable;

pub use access_path::{AccessKind, AccessPath, AccessPathObj, AccessStep, AccessStepObj};
#[doc(hidden)]
pub use definition::{FieldDefinition, TypeDefinition};
pub use enum_entry::EnumEntry;
pub use enums::{Enum, EnumDef, EnumObj, IntEnum, IntEnumObj, StrEnum, StrEnumObj};
pub use field::FieldGetter;
#[doc(hidden)]
pub use field::FieldValue;
pub(crate) use field::{
    fields_from_root, is_enum, is_free_var, read_field, structural_kind, write_field,
};
#[doc(hidden)]
pub use init::{drop_if_defined, unsafe_init_creator, DefinedFields};
pub use init::{unsafe_init, UnsafeInit};
pub use methods::ObjectDef;
#[doc(hidden)]
pub use mirror::{reference_error, DeclaredField, Mirror, OtherType, TypeProbe};
#[doc(hidden)]
pub use type_index::{LazyTypeIndex, TypeRegistration};
pub use writable::Writable;
#[doc(hidden)]
pub use writable::WritableField;

#[doc(hidden)]
pub use crate::object::Reached;
pub use crate::type_attr::{get_type_attr, set_type_attr, TypeAttrColumn};

use tvm_ffi_sys::{TVMFFIByteArray, TVMFFIFieldFlagBitMask, TVMFFISEqHashKind};

use crate::error::{Error, Result};
use crate::object::Object;

/// Copies the fields of an object into a new struct that is not in an object yet.
///
/// `derive(Object)` and `rs_class` implement this trait for reflected types, and register it as the
/// type attribute `__ffi_shallow_copy__`. The copy shares the objects that the fields refer to.
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` cannot be copied",
    note = "the parent of a reflected type implements `ShallowCopy`, as `Object` and other reflected \
            types do"
)]
pub trait ShallowCopy {
    /// Copy the fields into a struct with a new header.
    fn shallow_copy(&self) -> Self;
}

impl ShallowCopy for Object {
    fn shallow_copy(&self) -> Self {
        Object::new()
    }
}

/// The way in which structural equality and structural hash treat the objects of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum SEqHashKind {
    /// Structural equality and structural hash raise an error for objects of the type.
    Unsupported = TVMFFISEqHashKind::kTVMFFISEqHashKindUnsupported as i32,
    /// Two objects are equal if their fields are equal.
    TreeNode = TVMFFISEqHashKind::kTVMFFISEqHashKindTreeNode as i32,
    /// The objects are variables. Two variables are equal if they are defined at the same position
    /// of the two compared values.
    FreeVar = TVMFFISEqHashKind::kTVMFFISEqHashKindFreeVar as i32,
    /// Two objects are equal if their fields are equal and both graphs share objects in the same
    /// way.
    DAGNode = TVMFFISEqHashKind::kTVMFFISEqHashKindDAGNode as i32,
    /// Like `TreeNode`, for trees without variables.
    ConstTreeNode = TVMFFISEqHashKind::kTVMFFISEqHashKindConstTreeNode as i32,
    /// An object is equal only to itself.
    UniqueInstance = TVMFFISEqHashKind::kTVMFFISEqHashKindUniqueInstance as i32,
}

/// Flags of a reflected field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FieldFlags {
    bits: i64,
}

macro_rules! field_flags {
    ($($(#[$doc:meta])* $name:ident = $bit:ident;)*) => {
        impl FieldFlags {
            $($(#[$doc])*
            pub const $name: FieldFlags =
                FieldFlags { bits: TVMFFIFieldFlagBitMask::$bit as i64 };)*
        }
    };
}

field_flags! {
    /// Other languages are allowed to set the field.
    WRITABLE = kTVMFFIFieldFlagBitMaskWritable;
    /// Structural equality and structural hash ignore the field.
    SEQ_HASH_IGNORE = kTVMFFIFieldFlagBitMaskSEqHashIgnore;
    /// The field defines all variables in its value, at any depth.
    SEQ_HASH_DEF_PATTERN = kTVMFFIFieldFlagBitMaskSEqHashDefPattern;
    /// The field defines the variable that it holds.
    SEQ_HASH_DEF_SIMPLE = kTVMFFIFieldFlagBitMaskSEqHashDefSimple;
    /// The text of Python's `repr` does not show the field.
    REPR_OFF = kTVMFFIFieldFlagBitMaskReprOff;
    /// Comparison and hash by content (`recursive_eq`, `recursive_hash`) ignore the field.
    COMPARE_OFF = kTVMFFIFieldFlagBitMaskCompareOff;
    /// The hash by content (`recursive_hash`) ignores the field.
    HASH_OFF = kTVMFFIFieldFlagBitMaskHashOff;
    /// The constructor has no parameter for the field.
    INIT_OFF = kTVMFFIFieldFlagBitMaskInitOff;
    /// The constructor takes the field as a keyword-only argument.
    KW_ONLY = kTVMFFIFieldFlagBitMaskKwOnly;
}

impl FieldFlags {
    /// No flags.
    pub const NONE: FieldFlags = FieldFlags { bits: 0 };

    /// Return the bits of `TVMFFIFieldInfo::flags`.
    pub const fn bits(self) -> i64 {
        self.bits
    }

    /// Return whether all flags of `other` are set.
    pub const fn contains(self, other: FieldFlags) -> bool {
        self.bits & other.bits == other.bits
    }
}

impl std::ops::BitOr for FieldFlags {
    type Output = FieldFlags;
    fn bitor(self, other: FieldFlags) -> FieldFlags {
        FieldFlags {
            bits: self.bits | other.bits,
        }
    }
}

/// Return a view of a text. Pass it only to functions of the runtime that copy the text.
fn bytes_of(text: &str) -> TVMFFIByteArray {
    TVMFFIByteArray::new(text.as_ptr(), text.len())
}

/// Convert the status of a function of the runtime to a result.
fn check(status: i32) -> Result<()> {
    match status {
        0 => Ok(()),
        _ => Err(Error::from_raised()),
    }
}
