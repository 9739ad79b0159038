// SPDX-License-Identifier: Apache-2.0
//! Registration of a type that is defined in Rust. The code that the derive macros generate uses
//! this module.

use std::marker::PhantomData;

use tvm_ffi_sys::{
    TVMFFIFieldFlagBitMask, TVMFFIFieldInfo, TVMFFIFieldSetter, TVMFFIObjectCreator,
    TVMFFITypeInfo, TVMFFITypeMetadata, TVMFFITypeRegisterField, TVMFFITypeRegisterMetadata,
};

use super::field::{ancestors, get_field, set_field, static_type_index, FieldValue};
use super::init::{unsafe_init, unsafe_init_creator, DefinedFields, UnsafeInit};
use super::methods::{metadata_text, ObjectDef};
use super::mirror::is_assigned;
use super::set_type_attr;
use super::type_index::other_layout;
use super::writable::WritableField;
use super::{bytes_of, check, FieldFlags, SEqHashKind, ShallowCopy};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, TYPE_ERROR, VALUE_ERROR};
use crate::function::Function;
use crate::object::{is_instance_of, type_info, ObjectArc, ObjectCore, ObjectRef, ObjectRefCore};
use crate::type_traits::ContainerElement;

/// A reflected field of type `F` of the object struct `T`.
pub struct FieldDefinition<T, F> {
    name: &'static str,
    offset: usize,
    doc: &'static str,
    flags: i64,
    default: Any,
    metadata: &'static str,
    types: PhantomData<fn(T) -> F>,
}

/// Describe a field of `Self`. `derive(Object)` cannot write an unsafe block itself: code with the
/// place of the field belongs to the user's crate, which may forbid unsafe code.
#[doc(hidden)]
#[macro_export]
macro_rules! __field_definition {
    ($name:expr, $field:ident, $type:ty) => {
        // SAFETY: the field has this offset and this type.
        unsafe {
            $crate::reflection::FieldDefinition::<Self, $type>::new(
                $name,
                ::core::mem::offset_of!(Self, $field),
            )
        }
    };
}

// Only the registration requires that `F` is a `FieldValue`, so that the compiler reports a wrong type
// of a field once.
impl<T, F> FieldDefinition<T, F> {
    /// Describe a field with this name (for other languages) and this offset.
    ///
    /// # Safety
    ///
    /// The struct `T` has a field of type `F` at this offset.
    pub unsafe fn new(name: &'static str, offset: usize) -> Self {
        FieldDefinition {
            name,
            offset,
            doc: "",
            flags: 0,
            default: Any::new(),
            metadata: "",
            types: PhantomData,
        }
    }

    /// Set the documentation.
    pub fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Add flags.
    pub fn flags(mut self, flags: FieldFlags) -> Self {
        self.flags |= flags.bits();
        self
    }

    /// Let other code assign the field.
    pub fn writable(self) -> Self
    where
        F: WritableField,
    {
        self.flags(FieldFlags::WRITABLE)
    }

    /// Set None as the default, even if the type of the field does not accept None. In that case, a
    /// constructor call that uses the default fails.
    pub fn default_none(mut self) -> Self {
        self.flags |= HAS_DEFAULT;
        self
    }

    /// Add the members of a JSON object to the metadata. `members` is the text of this object.
    pub fn metadata(mut self, members: &'static str) -> Self {
        self.metadata = members;
        self
    }
}

impl<T, F: FieldValue> FieldDefinition<T, F> {
    /// Set the default value, which all objects share.
    pub fn default(mut self, value: F) -> Self {
        self.default = value.into_value().element_into_any();
        self.flags |= HAS_DEFAULT;
        self
    }

    /// Set a function that returns the default for each object.
    pub fn default_factory(mut self, make: fn() -> F) -> Self {
        let factory = Function::from_packed(move |_| Ok(make().into_value().element_into_any()));
        self.default = Any::from(factory);
        self.flags |= HAS_DEFAULT | DEFAULT_FROM_FACTORY;
        self
    }
}

const HAS_DEFAULT: i64 = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskHasDefault as i64;
const DEFAULT_FROM_FACTORY: i64 =
    TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskDefaultFromFactory as i64;

/// The beginning of the metadata of a field that is locked.
pub(super) const IS_LOCKED: &str = "{\"is_locked\":true,";

/// Registers the parts of a type in the order that the runtime requires.
///
/// If the type has been registered already, for example by a copy of this library, nothing is
/// registered. Instead, the layout of `T` is compared with the registered layout, because the
/// objects of other code become references to `T`.
pub struct TypeDefinition<T> {
    type_index: i32,
    has_creator: bool,
    has_init: bool,
    /// The type that was registered before.
    known: Option<&'static TVMFFITypeInfo>,
    object: PhantomData<fn(T)>,
}

impl<T: ObjectCore> TypeDefinition<T> {
    /// Register the metadata of a type whose objects other languages cannot create.
    pub fn new(type_index: i32, kind: Option<SEqHashKind>, doc: &str) -> Result<Self> {
        Self::begin(type_index, kind, doc, None)
    }

    fn begin(
        type_index: i32,
        kind: Option<SEqHashKind>,
        doc: &str,
        creator: Option<TVMFFIObjectCreator>,
    ) -> Result<Self> {
        let Ok(total_size) = i32::try_from(size_of::<T>()) else {
            return Err(Error::new(
                TYPE_ERROR,
                "The struct is too large for an object",
                "",
            ));
        };
        let known = type_info(type_index).filter(|info| !info.metadata.is_null());
        if known.is_none() {
            let metadata = TVMFFITypeMetadata {
                doc: bytes_of(doc),
                creator,
                total_size,
                structural_eq_hash_kind: kind
                    .map_or_else(|| inherited_kind(type_index), |k| k as i32),
            };
            // SAFETY: the texts are valid during the call, which copies them.
            check(unsafe { TVMFFITypeRegisterMetadata(type_index, &metadata) })?;
        }
        Ok(TypeDefinition {
            type_index,
            has_creator: creator.is_some(),
            has_init: false,
            known,
            object: PhantomData,
        })
    }

    /// Register a field.
    pub fn field<F: FieldValue>(self, field: FieldDefinition<T, F>) -> Result<Self> {
        if self.has_creator {
            check_init_off(&field)?;
        }
        let schema = F::Value::element_type_schema();
        if let Some(known) = self.known {
            check_known_field(known, &field, static_type_index::<F>(&schema))?;
            return Ok(self);
        }
        let metadata = field_metadata::<F>(&schema, field.metadata)?;
        let setter: TVMFFIFieldSetter = set_field::<F>;
        let info = TVMFFIFieldInfo {
            name: bytes_of(field.name),
            doc: bytes_of(field.doc),
            metadata: bytes_of(&metadata),
            flags: field.flags,
            size: size_of::<F>() as i64,
            alignment: align_of::<F>() as i64,
            offset: field.offset as i64,
            getter: Some(get_field::<F>),
            setter: setter as *mut std::os::raw::c_void,
            default_value_or_factory: *AnyView::from(&field.default).as_raw_ffi_any(),
            field_static_type_index: static_type_index::<F>(&schema),
        };
        // SAFETY: the texts are valid during the call, which copies them and retains the default.
        check(unsafe { TVMFFITypeRegisterField(self.type_index, &info) })?;
        Ok(self)
    }

    /// Register the methods and attributes that the function `describe` adds.
    pub fn methods(mut self, describe: fn(&mut ObjectDef<T>)) -> Result<Self> {
        if self.known.is_some() {
            return Ok(self);
        }
        let mut methods = ObjectDef::new();
        describe(&mut methods);
        self.has_init = methods.register(self.type_index)?;
        Ok(self)
    }

    /// Complete the definition.
    pub fn finish(self) -> Result<()> {
        if self.known.is_some() {
            return Ok(());
        }
        set_type_attr(
            self.type_index,
            "__ffi_type_final__",
            &Any::from(T::TYPE_FINAL),
        )
    }
}

impl<T: ObjectCore + ShallowCopy> TypeDefinition<T> {
    /// Register `__ffi_shallow_copy__` for a type whose objects always have values in all fields.
    pub fn shallow_copy(self) -> Result<Self> {
        self.register_copy(|_| DefinedFields::Unknown)
    }

    fn register_copy(self, defined: unsafe fn(*const T) -> DefinedFields) -> Result<Self> {
        if self.known.is_some() {
            return Ok(self);
        }
        let copy = Function::from_packed(move |args| {
            let object = receiver::<T>(args)?;
            // SAFETY: the object is a `T`, and the reference keeps it alive. The code checks that
            // all fields are set before it reads them.
            unsafe {
                if let DefinedFields::Without(field) = defined(object.address) {
                    let key = T::TYPE_KEY;
                    let message = format!("Cannot copy a `{key}`: field `{field}` is not set");
                    return Err(Error::new(VALUE_ERROR, &message, ""));
                }
                let copy = ObjectArc::new((*object.address).shallow_copy());
                let raw = ObjectArc::into_raw(copy).cast();
                Ok(Any::from(ObjectRef::from_data(ObjectArc::from_raw(raw))))
            }
        });
        set_type_attr(self.type_index, "__ffi_shallow_copy__", &Any::from(copy))?;
        Ok(self)
    }
}

impl<T: UnsafeInit> TypeDefinition<T> {
    /// Register the metadata of a type whose objects other languages can create.
    pub fn with_creator(type_index: i32, kind: Option<SEqHashKind>, doc: &str) -> Result<Self> {
        Self::begin(type_index, kind, doc, Some(unsafe_init_creator::<T>))
    }

    /// Register `__ffi_shallow_copy__` for a type whose objects may have fields without values.
    pub fn checked_shallow_copy(self) -> Result<Self>
    where
        T: ShallowCopy,
    {
        self.register_copy(T::defined_fields)
    }

    /// Register `__ffi_new__`. If `wants_init` is true and the class has no method `__ffi_init__`,
    /// register a constructor under this name.
    pub fn creator(self, wants_init: bool) -> Result<Self> {
        if self.known.is_some() {
            return Ok(self);
        }
        // SAFETY: the caller of `__ffi_new__` sets the fields.
        let new = Function::from_packed(|_| Ok(Any::from(unsafe { unsafe_init::<T>() })));
        set_type_attr(self.type_index, "__ffi_new__", &Any::from(new))?;
        if wants_init && !self.has_init {
            let register = Function::get_global("ffi._RegisterFFIInit")?;
            register.call_packed(&[AnyView::from(&self.type_index)])?;
        }
        Ok(self)
    }
}

/// Return an error if a registered field occupies bytes of `field`, but is not the same field.
fn check_known_field<T: ObjectCore, F: FieldValue>(
    known: &TVMFFITypeInfo,
    field: &FieldDefinition<T, F>,
    static_type_index: i32,
) -> Result<()> {
    let begin = field.offset as i64;
    let end = begin + size_of::<F>() as i64;
    for at in 0..known.num_fields as usize {
        // SAFETY: the array has `num_fields` entries, which live as long as the process.
        let other = unsafe { &*known.fields.add(at) };
        let overlaps = other.offset < end && begin < other.offset + other.size;
        let is_same = other.offset == begin
            && other.size == end - begin
            && other.field_static_type_index == static_type_index;
        let name = other.name.as_str();
        if overlaps && !is_same {
            let difference = format!("field `{name}` instead of field `{}`", field.name);
            return Err(other_layout::<T>(&difference));
        }
        if overlaps && F::IS_LOCKED != is_assigned(other) && !cfg!(feature = "compat") {
            let difference = format!("only one of both declares `{name}` as `Writable`");
            return Err(other_layout::<T>(&difference));
        }
    }
    Ok(())
}

/// Return the metadata of a field: its type schema and the members of the JSON object `more`. If the
/// type schema is not the first member, the runtime does not read the field without its getter.
fn field_metadata<F: FieldValue>(schema: &str, more: &str) -> Result<String> {
    let mut text = metadata_text(schema, &[]);
    if F::IS_LOCKED {
        text.replace_range(..1, IS_LOCKED);
    }
    if more.is_empty() {
        return Ok(text);
    }
    let members = more
        .trim()
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    let Some(members) = members.map(str::trim) else {
        let message = format!("The metadata of a field is the text of a JSON object, not `{more}`");
        return Err(Error::new(VALUE_ERROR, &message, ""));
    };
    if members.contains("\"type_schema\"") {
        let message = "The metadata of a field cannot have the member `type_schema`";
        return Err(Error::new(VALUE_ERROR, message, ""));
    }
    if !members.is_empty() {
        text.pop();
        text = format!("{text},{members}}}");
    }
    Ok(text)
}

/// The address of the object on which a hook is called, and a reference that keeps it alive.
struct Receiver<T> {
    address: *const T,
    _owner: ObjectRef,
}

fn receiver<T: ObjectCore>(args: &[AnyView<'_>]) -> Result<Receiver<T>> {
    let object = args.first().and_then(|view| view.try_as::<ObjectRef>());
    let Some(owner) = object else {
        let message = format!("Expected one argument of type `{}`", T::TYPE_KEY);
        return Err(Error::new(TYPE_ERROR, &message, ""));
    };
    let header = ObjectArc::as_header(ObjectRef::data(&owner));
    // SAFETY: the reference keeps the object alive.
    if !is_instance_of::<T>(unsafe { (*header).type_index }) {
        let message = format!("Expected an object of type `{}`", T::TYPE_KEY);
        return Err(Error::new(TYPE_ERROR, &message, ""));
    }
    Ok(Receiver {
        address: header.cast::<T>(),
        _owner: owner,
    })
}

/// Return the structural kind of the nearest ancestor that has metadata.
fn inherited_kind(type_index: i32) -> i32 {
    let unsupported = SEqHashKind::Unsupported as i32;
    let Some(info) = type_info(type_index) else {
        return unsupported;
    };
    // SAFETY: metadata that is set lives as long as the process.
    let found = ancestors(info).find_map(|parent| unsafe { parent.metadata.as_ref() });
    found.map_or(unsupported, |metadata| metadata.structural_eq_hash_kind)
}

/// Refuse a field that the constructor would leave at zero bytes, if zero bytes are not a value of
/// the field's type.
fn check_init_off<T: ObjectCore, F: FieldValue>(field: &FieldDefinition<T, F>) -> Result<()> {
    if field.flags & FieldFlags::INIT_OFF.bits() == 0 || field.flags & HAS_DEFAULT != 0 {
        return Ok(());
    }
    let zero = std::mem::MaybeUninit::<F>::zeroed();
    // SAFETY: `is_undefined` accepts zero bytes.
    if unsafe { !F::is_undefined(zero.as_ptr()) } {
        return Ok(());
    }
    let message = format!(
        "`init_off` field `{}` of `{}` needs a default: zero bytes are not a value of type `{}`",
        field.name,
        T::TYPE_KEY,
        F::Value::element_type_str()
    );
    Err(Error::new(TYPE_ERROR, &message, ""))
}
