// SPDX-License-Identifier: Apache-2.0
//! Structs for classes that another library registers. Before this crate reads the first object of
//! such a class, it compares the struct with the registered class.
//!
//! The fields of the struct may have other names than those of the class, and the struct may leave
//! out fields at its end. With the feature `compat`, the struct may have fields that the class does
//! not register, a field may have a class that derives from the registered one, and objects with these
//! structs may be created; the library cannot check them. Fields that other code assigns do not have
//! to be a [`Writable`] then.

use std::fmt::{self, Display, Formatter, Write};
use std::marker::PhantomData;
use std::mem::size_of;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::OnceLock;

use tvm_ffi_sys::{TVMFFIAny, TVMFFIFieldInfo, TVMFFITypeInfo};

use super::definition::IS_LOCKED;
use super::field::{ancestors, fields};
use super::type_index::{index_of, total_size};
use super::{FieldFlags, FieldValue, Writable};
use crate::any::Any;
use crate::collections::array::Array;
use crate::collections::map::Map;
use crate::error::{Error, Result, TYPE_ERROR, VALUE_ERROR};
use crate::object::{is_derived, type_info, type_key_of, Ancestors, ObjectCore, Reached, REFUSED};
use crate::type_traits::{mismatch_error, AnyCompatible};

const UNKNOWN: i32 = 0;
const COMPAT: bool = cfg!(feature = "compat");

/// Checks a struct and what can be read through it. The text of an error lives as long as the
/// process.
pub type Check = fn(&mut Reached) -> Result<(), &'static str>;

/// A field of a struct.
pub struct DeclaredField {
    /// The name.
    pub name: &'static str,
    /// The offset from the header of the object, in bytes.
    pub offset: usize,
    /// The size in bytes.
    pub size: usize,
    /// `None` if the type of the field is not a type of values.
    pub value: Option<DeclaredType>,
}

/// The type of a field, as a type of values.
pub struct DeclaredType {
    schema: String,
    is_writable: bool,
    has_c_layout: bool,
    check: Check,
}

/// Finds out whether a type is a type of values.
pub struct TypeProbe<T>(pub PhantomData<T>);

impl<T: AnyCompatible> TypeProbe<T> {
    /// Return the type.
    pub fn declared(&self) -> Option<DeclaredType> {
        Some(DeclaredType {
            schema: T::type_schema(),
            is_writable: false,
            has_c_layout: T::HAS_C_LAYOUT,
            check: T::check_layout,
        })
    }
}

impl TypeProbe<Any> {
    /// Return the type.
    pub fn declared(&self) -> Option<DeclaredType> {
        Some(DeclaredType {
            schema: crate::type_traits::simple_schema("Any"),
            is_writable: false,
            has_c_layout: true,
            check: |_| Ok(()),
        })
    }
}

impl<T: AnyCompatible> TypeProbe<Writable<T>> {
    /// Return the type.
    pub fn declared(&self) -> Option<DeclaredType> {
        writable(TypeProbe::<T>(PhantomData).declared())
    }
}

impl TypeProbe<Writable<Any>> {
    /// Return the type.
    pub fn declared(&self) -> Option<DeclaredType> {
        writable(TypeProbe::<Any>(PhantomData).declared())
    }
}

impl<T: FieldValue> TypeProbe<T> {
    /// Return whether the field has a value.
    ///
    /// # Safety
    ///
    /// The field has a value or is undefined.
    #[inline]
    pub unsafe fn is_defined(&self, field: *const T) -> bool {
        // SAFETY: the caller meets the conditions of the function.
        !T::locked(field, || unsafe { T::is_undefined(field) })
    }
}

fn writable(value: Option<DeclaredType>) -> Option<DeclaredType> {
    value.map(|value| DeclaredType {
        is_writable: true,
        ..value
    })
}

/// The function for all other types. Rust prefers the functions of the type itself.
pub trait OtherType {
    /// The type of the fields.
    type Field;
    /// Return None.
    fn declared(&self) -> Option<DeclaredType>;
    /// Return true.
    fn is_defined(&self, field: *const Self::Field) -> bool;
}

impl<T> OtherType for TypeProbe<T> {
    type Field = T;
    #[inline]
    fn is_defined(&self, _field: *const T) -> bool {
        true
    }
    fn declared(&self) -> Option<DeclaredType> {
        None
    }
}

/// Return whether a field has a value.
#[doc(hidden)]
#[macro_export]
macro_rules! __is_defined {
    ($type:ty, $field:expr) => {{
        #[allow(unused_imports)]
        use $crate::reflection::OtherType as _;
        $crate::reflection::TypeProbe::<$type>(::core::marker::PhantomData).is_defined($field)
    }};
}

/// Describe a field of a struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __declared_field {
    ($struct:ty, $field:ident, $name:expr, $type:ty) => {{
        #[allow(unused_imports)]
        use $crate::reflection::OtherType as _;
        $crate::reflection::DeclaredField {
            name: $name,
            offset: ::core::mem::offset_of!($struct, $field),
            size: ::core::mem::size_of::<$type>(),
            value: $crate::reflection::TypeProbe::<$type>(::core::marker::PhantomData).declared(),
        }
    }};
}

/// The comparison of a struct with the class that another library registers.
pub struct Mirror {
    /// `UNKNOWN`, the type index of the objects that can be read, or `REFUSED`.
    readable: AtomicI32,
    /// `UNKNOWN`, or the type index of new objects.
    creatable: AtomicI32,
    /// The difference of the struct itself, without the types of its fields.
    own: OnceLock<Option<String>>,
    parent: Check,
    fields: fn() -> Vec<DeclaredField>,
}

impl Mirror {
    /// Compare a struct with these fields when it is first needed.
    pub const fn new(parent: Check, fields: fn() -> Vec<DeclaredField>) -> Self {
        Mirror {
            readable: AtomicI32::new(UNKNOWN),
            creatable: AtomicI32::new(UNKNOWN),
            own: OnceLock::new(),
            parent,
            fields,
        }
    }

    /// Return the type index of objects that can be read as a `T`.
    ///
    /// # Panics
    ///
    /// Panics if the type key is not registered.
    #[inline]
    pub fn readable<T: ObjectCore>(&'static self) -> i32 {
        match self.readable.load(Ordering::Acquire) {
            UNKNOWN => self.first_readable::<T>(),
            known => known,
        }
    }

    #[cold]
    fn first_readable<T: ObjectCore>(&'static self) -> i32 {
        let index = match self.check::<T>(&mut Reached::new()) {
            Ok(()) => T::type_index(),
            Err(_) => REFUSED,
        };
        self.readable.store(index, Ordering::Release);
        index
    }

    /// Check the struct and what can be read through it.
    ///
    /// # Errors
    ///
    /// The difference.
    pub fn check<T: ObjectCore>(&'static self, reached: &mut Reached) -> Result<(), &'static str> {
        let address = std::ptr::from_ref(self).cast();
        if reached.contains(&address) {
            return Ok(());
        }
        reached.push(address);
        (self.parent)(reached)?;
        let fields = (self.fields)();
        if let Some(difference) = self.own.get_or_init(|| difference::<T>(&fields).err()) {
            return Err(difference);
        }
        let values = fields.iter().filter_map(|field| field.value.as_ref());
        values
            .map(|value| value.check)
            .try_for_each(|check| check(reached))
    }

    /// Return the type index for a new object.
    ///
    /// # Panics
    ///
    /// Panics if the objects of the class have more, or other, fields.
    #[inline]
    pub fn creatable<T: ObjectCore>(&'static self) -> i32 {
        match self.creatable.load(Ordering::Acquire) {
            UNKNOWN => self.first_creatable::<T>(),
            known => known,
        }
    }

    #[cold]
    fn first_creatable<T: ObjectCore>(&'static self) -> i32 {
        let index = T::type_index();
        let info = type_info(index);
        let is_complete = COMPAT
            || self.readable::<T>() != REFUSED
                && info.and_then(total_size) == Some(size_of::<T>())
                && info.is_some_and(|info| fields(info).len() <= (self.fields)().len());
        if !is_complete {
            let difference = self.check::<T>(&mut Reached::new()).err();
            let size = || format!("the struct has {} bytes", size_of::<T>());
            let reason = difference.map_or_else(size, str::to_string);
            panic!(
                "this crate cannot create objects of the class `{}`, which another library \
                 registers: {reason}",
                T::TYPE_KEY
            );
        }
        self.creatable.store(index, Ordering::Release);
        index
    }
}

/// Compare a struct with the registered class.
fn difference<T: ObjectCore>(declared: &[DeclaredField]) -> Result<(), String> {
    let info = type_info(T::type_index()).ok_or("the class is not registered")?;
    let registered = fields(info);
    let found = other_parent::<T>(info)
        .or_else(|| {
            let size = total_size(info).filter(|&size| size < size_of::<T>())?;
            Some(format!(
                "the objects have {size} bytes, the struct has {}",
                size_of::<T>()
            ))
        })
        .or_else(|| declared.iter().find_map(|field| refusal(field, registered)));
    let Some(found) = found else { return Ok(()) };
    let mut text = format!(
        "the struct of this crate does not fit the class `{}` of the loaded library: {found}. The \
         struct is {{",
        T::TYPE_KEY
    );
    text += &listed(declared.iter().map(|field| {
        let schema = field
            .value
            .as_ref()
            .and_then(|value| Schema::parse(&value.schema));
        (field.name, schema, field.offset as i64)
    }));
    let _ = write!(text, "}}, {} bytes; the class is {{", size_of::<T>());
    text += &listed(
        registered
            .iter()
            .map(|field| (field.name.as_str(), Schema::of(field), field.offset)),
    );
    let size =
        total_size(info).map_or_else(|| "unknown size".to_string(), |n| format!("{n} bytes"));
    let _ = write!(
        text,
        "}}, {size}. Build this crate against the loaded library; run tvm-ffi-stubgen again if it \
         wrote the struct"
    );
    Err(text)
}

/// Return the text for fields with their types and offsets.
fn listed<'a>(fields: impl Iterator<Item = (&'a str, Option<Schema>, i64)>) -> String {
    let text = |(name, schema, offset): (&str, Option<Schema>, i64)| match schema {
        Some(schema) => format!("{name}: {schema} at {offset}"),
        None => format!("{name} at {offset}"),
    };
    fields.map(text).collect::<Vec<_>>().join(", ")
}

fn other_parent<T: ObjectCore>(info: &'static TVMFFITypeInfo) -> Option<String> {
    let Ancestors::Parent(declared, _) = T::ANCESTORS else {
        return None;
    };
    let parent = ancestors(info).next();
    let registered = parent.map_or("", |parent| parent.type_key.as_str());
    (registered != declared || info.type_depth != T::TYPE_DEPTH)
        .then(|| format!("its parent is `{registered}`, not `{declared}`"))
}

/// Return why the class does not have a declared field.
fn refusal(declared: &DeclaredField, registered: &[TVMFFIFieldInfo]) -> Option<String> {
    let name = declared.name;
    let (start, end) = (
        declared.offset as i64,
        (declared.offset + declared.size) as i64,
    );
    let namesake = registered.iter().find(|field| field.name.as_str() == name);
    let overlaps =
        |field: &&TVMFFIFieldInfo| field.offset < end && start < field.offset + field.size;
    let Some(field) = namesake.or_else(|| registered.iter().find(overlaps)) else {
        let message =
            || format!("the class does not register the field `{name}` at offset {start}");
        return (!COMPAT).then(message);
    };
    let theirs = field.name.as_str();
    if (field.offset, field.size) != (start, end - start) {
        return Some(format!(
            "the field `{name}` is {} bytes at offset {start}, `{theirs}` is {} bytes at offset {}",
            declared.size, field.size, field.offset
        ));
    }
    let declared = declared.value.as_ref();
    let types =
        declared.and_then(|value| Some((value, Schema::parse(&value.schema)?, Schema::of(field)?)));
    let Some((value, own, schema)) = types else {
        let message = || format!("the type of the field `{name}` cannot be checked");
        return (!COMPAT).then(message);
    };
    if !value.has_c_layout {
        return Some(format!(
            "the field `{name}` needs `Optional` instead of `Option`, as in C++"
        ));
    }
    if value.is_writable != is_assigned(field) && !COMPAT {
        return Some(match value.is_writable {
            true => {
                format!("`{name}` must not be a `Writable`, because `{theirs}` is not assigned")
            }
            false => {
                format!("`{name}` must be a `Writable`, because other code may assign `{theirs}`")
            }
        });
    }
    let message =
        || format!("the field `{name}` has the type {own}, `{theirs}` has the type {schema}");
    let fits = match value.is_writable && !COMPAT {
        true => schema.is_same(&own),
        false => schema.is_readable_as(&own),
    };
    (!fits).then(message)
}

/// Return whether code assigns a registered field.
pub(super) fn is_assigned(field: &TVMFFIFieldInfo) -> bool {
    let is_locked = || field.metadata.as_str().starts_with(IS_LOCKED);
    field.flags & FieldFlags::WRITABLE.bits() != 0 || is_locked()
}

/// A type of values.
struct Schema {
    name: String,
    args: Vec<Schema>,
}

impl Schema {
    /// Return the type of a registered field, if it is registered.
    fn of(field: &TVMFFIFieldInfo) -> Option<Self> {
        let metadata = parsed(field.metadata.as_str())?;
        let schema = metadata.get(&"type_schema".into()).ok()??;
        Self::parse(crate::String::try_from(schema).ok()?.as_str())
    }

    fn parse(json: &str) -> Option<Self> {
        Self::from_json(&parsed(json)?)
    }

    fn from_json(json: &Map<crate::String, Any>) -> Option<Self> {
        let name = crate::String::try_from(json.get(&"type".into()).ok()??).ok()?;
        let args = match json.get(&"args".into()).ok()? {
            None => Vec::new(),
            Some(args) => Array::<Map<crate::String, Any>>::try_from(args)
                .ok()?
                .iter()
                .map(|arg| Self::from_json(&arg))
                .collect::<Option<_>>()?,
        };
        Some(Schema {
            name: name.to_string(),
            args,
        })
    }

    /// Return whether every value of one type is a value of the other.
    fn is_same(&self, other: &Schema) -> bool {
        let length = self.args.len().max(other.args.len());
        let is_same = |at: usize| match (self.args.get(at), other.args.get(at)) {
            (Some(one), Some(two)) => one.is_same(two),
            (one, two) => one.or(two).is_some_and(|arg| arg.name == "Any"),
        };
        self.name == other.name && (self.name == "ffi.Function" || (0..length).all(is_same))
    }

    /// Return whether a field of this type can be read as a field of another type and the same size.
    fn is_readable_as(&self, other: &Schema) -> bool {
        match (
            self.name.as_str(),
            other.name.as_str(),
            &self.args[..],
            &other.args[..],
        ) {
            ("ffi.String" | "ffi.Bytes" | "Variant", "Any", ..) => true,
            ("Optional", "Optional", [from], [to]) => from.is_readable_as(to),
            (_, "Optional", _, [to]) => self.is_readable_as(to),
            // The elements of containers are checked when they are read.
            (from, to, ..) => {
                from == to || is_subclass(from, to) || COMPAT && is_subclass(to, from)
            }
        }
    }
}

impl Display for Schema {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, arg) in self.args.iter().enumerate() {
            write!(f, "{}{arg}", if i == 0 { "[" } else { ", " })?;
        }
        f.write_str(if self.args.is_empty() { "" } else { "]" })
    }
}

fn parsed(json: &str) -> Option<Map<crate::String, Any>> {
    let parse = crate::cached_global_func!("ffi.json.Parse");
    let value = parse
        .call_packed(&[(&crate::String::from(json)).into()])
        .ok()?;
    Map::try_from(value).ok()
}

/// Return whether a type key belongs to a class that derives from another.
fn is_subclass(derived: &str, base: &str) -> bool {
    let (Some(derived), Some(base)) = (index_of(derived), index_of(base)) else {
        return false;
    };
    type_info(base).is_some_and(|info| is_derived(derived, base, info.type_depth))
}

/// Return the error for a value that is not a reference `R` to a `T`.
#[cold]
#[track_caller]
pub fn reference_error<R: AnyCompatible, T: ObjectCore>(data: &TVMFFIAny) -> Error {
    if !is_derived(data.type_index, T::type_index(), T::TYPE_DEPTH) {
        return mismatch_error::<R>(data);
    }
    match T::check_layout(&mut Reached::new()) {
        Err(difference) => Error::of_crate(TYPE_ERROR, difference),
        Ok(()) => {
            let (class, name) = (type_key_of(data.type_index), T::TYPE_KEY);
            let message = format!(
                "an object of `{class}` has a field of `{name}` without a value: its constructor has \
                 not set all fields yet"
            );
            Error::of_crate(VALUE_ERROR, &message)
        }
    }
}
