// SPDX-License-Identifier: Apache-2.0
//! Creation of enum entries from the values of some fields and the defaults of the other fields.

use tvm_ffi_sys::{TVMFFIFieldFlagBitMask, TVMFFIFieldInfo, TVMFFIObject};

use super::field::{ancestors, fields, write_field};
use super::{unsafe_init, EnumDef, EnumObj, UnsafeInit};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, TYPE_ERROR, VALUE_ERROR};
use crate::function::Function;
use crate::object::{is_instance_of, type_info, ObjectArc, ObjectCore, ObjectRef, ObjectRefCore};
use crate::string::String;
use crate::type_traits::AnyCompatible;

/// Creates an entry of the enum whose reference type is `R`. Fields without a value get their
/// default.
///
/// ```
/// use tvm_ffi::reflection::{Enum, EnumEntry, EnumObj};
/// use tvm_ffi::{def_object_ref, rs_class, String};
///
/// #[rs_class("my_library.Colour")]
/// pub struct ColourObj {
///     base: EnumObj,
///     #[reflect(default = 0)]
///     red: i64,
///     #[reflect(default = "-")]
///     note: String,
/// }
/// def_object_ref!(pub Colour, Enum, ColourObj);
///
/// let crimson = EnumEntry::<Colour>::new("crimson").set("red", 220).add()?;
/// assert_eq!((crimson.entry().red, crimson.entry().note.as_str()), (220, "-"));
/// assert_eq!(crimson.entry().name(), "crimson");
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[must_use = "`add` makes the entry"]
pub struct EnumEntry<R> {
    name: std::string::String,
    number: Any,
    values: Vec<(std::string::String, Any)>,
    _entry: std::marker::PhantomData<R>,
}

impl<R> EnumEntry<R>
where
    R: ObjectRefCore + AnyCompatible + TryFrom<Any, Error = Error>,
    R::ContainerType: UnsafeInit,
{
    /// Describe an entry. The default number of the entry is the count of the existing entries.
    pub fn new(name: &str) -> Self {
        EnumEntry {
            name: name.to_string(),
            number: Any::new(),
            values: Vec::new(),
            _entry: std::marker::PhantomData,
        }
    }

    /// Set the number of the entry.
    pub fn number(mut self, number: i64) -> Self {
        self.number = Any::from(number);
        self
    }

    /// Set the value of a field. The field may be read-only or inherited.
    pub fn set(mut self, field: &str, value: impl Into<Any>) -> Self {
        self.values.push((field.to_string(), value.into()));
        self
    }

    /// Create the object and add it to the enum.
    ///
    /// # Errors
    ///
    /// `ValueError` if the name is empty, if the name or the number is already used, or if a field
    /// has neither a value nor a default. `TypeError` if a value has the wrong type, or if the enum does not have a
    /// field.
    #[track_caller]
    pub fn add(self) -> Result<EnumDef<R>> {
        // SAFETY: nothing reads the object before its fields have values.
        let object = unsafe { unsafe_init::<R::ContainerType>() };
        self.fill(&object)?;
        let entry = R::try_from(Any::from(object))?;
        EnumDef::add_entry(&self.name, self.number, entry)
    }

    #[track_caller]
    fn fill(&self, object: &ObjectRef) -> Result<()> {
        let index = <R::ContainerType as ObjectCore>::type_index();
        let key = <R::ContainerType as ObjectCore>::TYPE_KEY;
        let Some(info) = type_info(index) else {
            let message = format!("Type `{key}` is not registered");
            return Err(Error::at_caller(TYPE_ERROR, &message));
        };
        let mut owners: Vec<_> = ancestors(info).collect();
        owners.reverse();
        owners.push(info);
        let mut known: Vec<&TVMFFIFieldInfo> = Vec::new();
        let address = ObjectArc::as_header(ObjectRef::data(object));
        for owner in owners {
            let is_base = BASES.contains(&owner.type_key.as_str());
            for field in fields(owner) {
                match is_base {
                    true => set_base(address, field)?,
                    false => known.push(field),
                }
            }
        }
        for (name, _) in &self.values {
            if !known.iter().any(|field| field.name.as_str() == name) {
                let message = format!("Enum `{key}` does not have field `{name}`");
                return Err(Error::at_caller(TYPE_ERROR, &message));
            }
        }
        for field in known {
            let name = field.name.as_str();
            let given = self.values.iter().rev().find(|(known, _)| known == name);
            let value = match given {
                Some((_, value)) => value.clone(),
                None => default_of(field, key)?,
            };
            // SAFETY: the object is new and has the field.
            unsafe { write_field(address, field, AnyView::from(&value))? };
        }
        Ok(())
    }
}

/// The enum classes of the runtime. Their fields get values when an object becomes an entry.
const BASES: &[&str] = &["ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"];

/// Set a field of an enum class of the runtime to a temporary value.
fn set_base(address: *mut TVMFFIObject, field: &TVMFFIFieldInfo) -> Result<()> {
    let value = match field.name.as_str() {
        "_int_index" => Any::from(0i64),
        "_str_index" => Any::from(String::new()),
        _ => return Ok(()), // the field `value` shares the memory of one of the two fields above
    };
    // SAFETY: the object is new, and derives from the class of the field.
    debug_assert!(is_instance_of::<EnumObj>(unsafe { (*address).type_index }));
    // SAFETY: the object is new, and derives from the class of the field.
    unsafe { write_field(address, field, AnyView::from(&value)) }
}

/// Return the default of a field. If the default is a factory, call it and return the result.
#[track_caller]
fn default_of(field: &TVMFFIFieldInfo, key: &str) -> Result<Any> {
    const HAS_DEFAULT: i64 = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskHasDefault as i64;
    const FROM_FACTORY: i64 =
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskDefaultFromFactory as i64;
    if field.flags & HAS_DEFAULT == 0 {
        let name = field.name.as_str();
        let message = format!("An entry of `{key}` needs a value for field `{name}`");
        return Err(Error::at_caller(VALUE_ERROR, &message));
    }
    // SAFETY: the runtime keeps the default alive as long as the process lives.
    let default = unsafe { AnyView::from_raw_ffi_any(field.default_value_or_factory) };
    if field.flags & FROM_FACTORY != 0 {
        return Function::try_from(default)?.call_packed(&[]);
    }
    default.to_any()
}
