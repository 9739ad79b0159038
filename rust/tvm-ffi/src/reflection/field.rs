// SPDX-License-Identifier: Apache-2.0
//! Getters and setters of reflected fields.

use std::mem::MaybeUninit;
use std::os::raw::c_void;

use tvm_ffi_sys::{
    TVMFFIAny, TVMFFIFieldFlagBitMask, TVMFFIFieldInfo, TVMFFIFieldSetter, TVMFFIObject,
    TVMFFISEqHashKind, TVMFFITypeGetOrAllocIndex, TVMFFITypeIndex, TVMFFITypeInfo,
};

use super::{bytes_of, check};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, ATTRIBUTE_ERROR, TYPE_ERROR};
use crate::function::Function;
use crate::object::{type_info, type_key_of, ObjectCore};
use crate::similar_name;
use crate::type_traits::{AnyCompatible, ContainerElement};

/// A type that a reflected field may have: every [`AnyCompatible`] type, [`Any`], and
/// [`Writable`](super::Writable) of one of these.
///
/// # Safety
///
/// The type has the representation of `Value`. If `IS_LOCKED` is true, `locked` locks the field.
/// `copy` does not run code that could use the field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a reflected field",
    note = "the types of reflected fields are those that an `Any` can hold (`AnyCompatible`), and `Any`",
    note = "for an object struct (`ShapeObj`), use its reference type (`Shape`, `Option<Shape>`)"
)]
pub unsafe trait FieldValue: Sized + 'static {
    /// The type of the values of the field.
    type Value: FieldValue<Value = Self::Value> + ContainerElement;
    /// Whether other code may assign the field, so that all code locks it.
    const IS_LOCKED: bool = false;
    /// Return whether the field does not have a value yet (it is undefined).
    ///
    /// # Safety
    ///
    /// The field has a value or is undefined.
    unsafe fn is_undefined(field: *const Self) -> bool;
    /// Return a copy of the value.
    fn copy(&self) -> Self::Value;
    /// Return the value of a field that is not part of an object.
    fn into_value(self) -> Self::Value;
    /// Call a function that uses the field, and lock the field during the call if necessary.
    fn locked<R>(field: *const Self, run: impl FnOnce() -> R) -> R {
        let _ = field;
        run()
    }
}

// SAFETY: the type is its own value. The functions of `AnyCompatible` only copy the value.
unsafe impl<T: AnyCompatible + 'static> FieldValue for T {
    type Value = Self;
    unsafe fn is_undefined(field: *const Self) -> bool {
        // SAFETY: the caller meets the conditions of this function.
        unsafe { <T as AnyCompatible>::is_undefined(field) }
    }
    #[inline]
    fn copy(&self) -> Self {
        let mut data = TVMFFIAny::new();
        // SAFETY: the view of a value of this type is used while `self` is borrowed.
        unsafe {
            T::copy_to_any_view(self, &mut data);
            T::copy_from_any_view_after_check(&data)
        }
    }
    fn into_value(self) -> Self {
        self
    }
}

// SAFETY: the type is its own value. A copy adds a reference.
unsafe impl FieldValue for Any {
    type Value = Self;
    unsafe fn is_undefined(_field: *const Self) -> bool {
        false
    }
    fn copy(&self) -> Self {
        self.clone()
    }
    fn into_value(self) -> Self {
        self
    }
}

/// Store the value of a field in `result`, or None if the field is undefined. The function has the
/// signature `TVMFFIFieldGetter`.
///
/// # Safety
///
/// `field` is the address of a field of type `F`, and `result` is writable.
pub unsafe extern "C" fn get_field<F: FieldValue>(
    field: *mut c_void,
    result: *mut TVMFFIAny,
) -> i32 {
    let field = field.cast::<F>();
    crate::panics::guarded(|| {
        // SAFETY: the caller meets the conditions of this function. The code borrows the field only
        // if the field has a value.
        unsafe {
            let value = F::locked(field, || match F::is_undefined(field) {
                true => Ok(Any::new()),
                false => (*field.cast::<F::Value>()).element_as_view().to_any(),
            })?;
            result.write(Any::into_raw_ffi_any(value));
        }
        Ok(())
    })
}

/// Convert a value and store it in a field. Drop the former value if there is one. The function has
/// the signature `TVMFFIFieldSetter`.
///
/// # Safety
///
/// `field` is the address of a field of type `F`, no other code uses the field unless `F` locks it,
/// and `value` is valid.
pub unsafe extern "C" fn set_field<F: FieldValue>(
    field: *mut c_void,
    value: *const TVMFFIAny,
) -> i32 {
    let field = field.cast::<F>();
    crate::panics::guarded(|| {
        // SAFETY: the caller meets the conditions of this function. The conversion and the drop of
        // the former value may run foreign code, so they are not part of the locked assignment.
        unsafe {
            let new = F::Value::element_from_view(AnyView::from_raw_ffi_any(*value))?;
            let former = F::locked(field, || {
                let was_defined = !F::is_undefined(field);
                let former = field.cast::<MaybeUninit<F::Value>>().read();
                field.cast::<F::Value>().write(new);
                was_defined.then_some(former)
            });
            if let Some(former) = former {
                drop(former.assume_init());
            }
        }
        Ok(())
    })
}

/// Return the value for `TVMFFIFieldInfo::field_static_type_index`. For some values of this index,
/// the runtime knows the memory layout of the field; for the others, it calls the getter.
///
/// For a field that is locked, the runtime must call the getter. It reads a reference directly if
/// it knows that the field is a reference, so such a field looks like an optional one. For the
/// other types, it needs the type schema at the beginning of the metadata too.
pub(super) fn static_type_index<F: FieldValue>(schema: &str) -> i32 {
    const ANY: i32 = -1;
    /// A field that does not own anything, and that the runtime does not read directly.
    const PLAIN: i32 = TVMFFITypeIndex::kTVMFFIOpaquePtr as i32;
    /// A field of 8 bytes that refers to an object, or a field of another size that the runtime
    /// cannot read directly.
    const OBJECT: i32 = TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32;
    let is_word = size_of::<F>() == size_of::<usize>();
    let is_pointer = is_word && std::mem::needs_drop::<F>();
    let unreadable = if is_word || !std::mem::needs_drop::<F>() {
        PLAIN
    } else {
        OBJECT
    };
    let is_cell = size_of::<F>() == size_of::<TVMFFIAny>();
    let object = if F::IS_LOCKED { ANY } else { OBJECT };
    match schema_name(schema) {
        "int" => TVMFFITypeIndex::kTVMFFIInt as i32,
        "bool" => TVMFFITypeIndex::kTVMFFIBool as i32,
        "float" => TVMFFITypeIndex::kTVMFFIFloat as i32,
        "DataType" => TVMFFITypeIndex::kTVMFFIDataType as i32,
        "Device" => TVMFFITypeIndex::kTVMFFIDevice as i32,
        "void*" => PLAIN,
        "Any" | "ffi.String" | "ffi.Bytes" | "ffi.BigInt" | "Variant" if is_cell => ANY,
        "Tuple" if is_pointer => object,
        // An optional reference is stored as one pointer, and an `Optional` of this crate as a
        // `TVMFFIAny`. An `Option` of another type has a layout that only Rust knows.
        "Optional" if is_pointer || is_cell && is_optional::<F::Value>() => ANY,
        key if is_pointer && is_object_key(key) => object,
        _ => unreadable,
    }
}

/// Return whether the type is `Optional` of this crate. A later compiler may write type names
/// differently. In that case, the function returns false, and the runtime calls the getter.
fn is_optional<F>() -> bool {
    std::any::type_name::<F>().starts_with("tvm_ffi::optional::Optional<")
}

/// Return the name `X` of a type schema that begins with `{"type":"X"`.
fn schema_name(schema: &str) -> &str {
    let rest = schema.strip_prefix("{\"type\":\"").unwrap_or("");
    rest.split('"').next().unwrap_or("")
}

fn is_object_key(key: &str) -> bool {
    // SAFETY: this call only queries the index; it does not register a type or raise an error.
    let index = unsafe { TVMFFITypeGetOrAllocIndex(&bytes_of(key), -1, 0, 0, 0, -2) };
    index >= TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32
}

/// Reads one field of objects. [`FieldGetter::new`] looks the field up by name; reads do not.
#[derive(Clone, Copy)]
pub struct FieldGetter {
    /// The type index of the type that declares the field.
    owner: i32,
    offset: usize,
    getter: tvm_ffi_sys::TVMFFIFieldGetter,
}

impl FieldGetter {
    /// Find a field of a type. Inherited fields are found too.
    ///
    /// # Errors
    ///
    /// `TypeError` if the type index is unknown, `AttributeError` if the type does not have the
    /// field.
    #[track_caller]
    pub fn new(type_index: i32, field: &str) -> Result<Self> {
        let Some(info) = type_info(type_index) else {
            let message = format!("Unknown type index {type_index}");
            return Err(Error::at_caller(TYPE_ERROR, &message));
        };
        let found = std::iter::once(info)
            .chain(ancestors(info))
            .find_map(|owner| {
                fields(owner)
                    .iter()
                    .find(|f| f.name.as_str() == field)
                    .map(|f| (owner, f))
            });
        if let Some((owner, found)) = found {
            if let Some(getter) = found.getter {
                let offset = found.offset as usize;
                return Ok(FieldGetter {
                    owner: owner.type_index,
                    offset,
                    getter,
                });
            }
        }
        let known: Vec<&str> = fields_from_root(info).map(|f| f.name.as_str()).collect();
        let hint = similar_name::hint(field, &known, "its fields");
        let key = info.type_key.as_str();
        let message = format!("Type `{key}` does not have field `{field}`{hint}");
        Err(Error::at_caller(ATTRIBUTE_ERROR, &message))
    }

    /// Return the value of the field.
    ///
    /// # Errors
    ///
    /// `TypeError` if the type of the object does not have the field, and any error of the getter.
    #[inline]
    #[track_caller]
    pub fn get_any<N: ObjectCore>(&self, object: &N) -> Result<Any> {
        let address = (object as *const N).cast_mut();
        // SAFETY: every object struct starts with the header.
        let index = unsafe { (*address.cast::<tvm_ffi_sys::TVMFFIObject>()).type_index };
        if index != self.owner && !is_derived_from(index, self.owner) {
            return Err(wrong_owner(index, self.owner));
        }
        // SAFETY: the object has the field at this offset.
        unsafe { call_getter(self.getter, address.cast(), self.offset) }
    }

    /// Return the value of the field as a `T`.
    ///
    /// # Errors
    ///
    /// The errors of [`FieldGetter::get_any`], and `TypeError` if the value does not convert.
    #[track_caller]
    pub fn get<N, T>(&self, object: &N) -> Result<T>
    where
        N: ObjectCore,
        T: TryFrom<Any, Error = Error>,
    {
        T::try_from(self.get_any(object)?).map_err(|error| self.wrong_type(&error))
    }

    /// Add the name of the field to the message of an error about its value.
    #[cold]
    fn wrong_type(&self, error: &Error) -> Error {
        let is_this = |f: &&TVMFFIFieldInfo| usize::try_from(f.offset) == Ok(self.offset);
        let field = type_info(self.owner).and_then(|info| fields(info).iter().find(is_this));
        let name = field.map_or("?", |field| field.name.as_str());
        let (reason, owner) = (error.message_lossy(), type_key_of(self.owner));
        let message = format!("{reason} in field `{name}` of `{owner}`");
        error.reworded(error.kind(), &message)
    }
}

#[cold]
#[track_caller]
fn wrong_owner(index: i32, owner: i32) -> Error {
    let (owner, found) = (type_key_of(owner), type_key_of(index));
    let message = format!("Cannot read a field of `{owner}` from an object of type `{found}`");
    Error::at_caller(TYPE_ERROR, &message)
}

/// Read the field at an offset with its getter.
///
/// # Safety
///
/// The object is alive, and has a field with this getter at the offset.
#[inline]
unsafe fn call_getter(
    getter: tvm_ffi_sys::TVMFFIFieldGetter,
    object: *mut TVMFFIObject,
    offset: usize,
) -> Result<Any> {
    let mut value = TVMFFIAny::new();
    // SAFETY: the caller meets the conditions of this function; the getter writes an owned value.
    unsafe {
        check(getter(object.cast::<u8>().add(offset).cast(), &mut value))?;
        Ok(Any::from_raw_ffi_any(value))
    }
}

/// Return the value of a field of an object, or None if the field has no getter.
///
/// # Safety
///
/// The object is alive and has the field.
pub(crate) unsafe fn read_field(object: *mut TVMFFIObject, field: &TVMFFIFieldInfo) -> Result<Any> {
    let Some(getter) = field.getter else {
        return Ok(Any::new());
    };
    // SAFETY: the caller meets the conditions of this function.
    unsafe { call_getter(getter, object, field.offset as usize) }
}

/// Convert a value and store it in a field of an object. The field has a setter.
///
/// # Safety
///
/// The object is alive and has the field, and no other code uses the field during the call.
pub(crate) unsafe fn write_field(
    object: *mut TVMFFIObject,
    field: &TVMFFIFieldInfo,
    value: AnyView<'_>,
) -> Result<()> {
    const IS_FUNCTION: i64 = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitSetterIsFunctionObj as i64;
    // SAFETY: the caller meets the conditions of this function. The flag `IS_FUNCTION` says whether
    // the setter is a function object or a C function.
    unsafe {
        let address: *mut c_void = object.cast::<u8>().add(field.offset as usize).cast();
        if field.flags & IS_FUNCTION != 0 {
            let mut data = TVMFFIAny::new();
            data.type_index = TVMFFITypeIndex::kTVMFFIFunction as i32;
            data.data_union.v_obj = field.setter.cast();
            let setter: Function = AnyView::from_raw_ffi_any(data).try_into()?;
            setter.call_packed(&[AnyView::from(&address), value])?;
            return Ok(());
        }
        let setter: TVMFFIFieldSetter = std::mem::transmute(field.setter);
        check(setter(address, value.as_raw_ffi_any()))
    }
}

/// Return whether the objects of a type are entries of an enum.
pub(crate) fn is_enum(info: &'static TVMFFITypeInfo) -> bool {
    ancestors(info).any(|ancestor| ancestor.type_key.as_str() == "ffi.Enum")
        || super::get_type_attr(info.type_index, "__ffi_enum__").is_some()
}

/// Return the fields of a type and of its ancestors, beginning with the root type.
pub(crate) fn fields_from_root(
    info: &'static TVMFFITypeInfo,
) -> impl Iterator<Item = &'static TVMFFIFieldInfo> {
    // SAFETY: the array has `type_depth` entries, which live as long as the process.
    (0..info.type_depth.max(0) as usize)
        .map(move |depth| unsafe { &**info.type_acenstors.add(depth) })
        .chain(std::iter::once(info))
        .flat_map(fields)
}

/// Return whether the objects of a type are variables.
pub(crate) fn is_free_var(info: &TVMFFITypeInfo) -> bool {
    structural_kind(info) == TVMFFISEqHashKind::kTVMFFISEqHashKindFreeVar as i32
}

/// Return the structural kind of a type.
pub(crate) fn structural_kind(info: &TVMFFITypeInfo) -> i32 {
    // SAFETY: metadata that is set lives as long as the process.
    let metadata = unsafe { info.metadata.as_ref() };
    metadata.map_or(
        TVMFFISEqHashKind::kTVMFFISEqHashKindUnsupported as i32,
        |metadata| metadata.structural_eq_hash_kind,
    )
}

/// Return whether objects of a type are objects of the type `owner` too.
fn is_derived_from(type_index: i32, owner: i32) -> bool {
    let is_ancestor = |info| ancestors(info).any(|ancestor| ancestor.type_index == owner);
    type_index == owner || type_info(type_index).is_some_and(is_ancestor)
}

/// Return the fields that a type itself declares.
pub(super) fn fields(info: &TVMFFITypeInfo) -> &[TVMFFIFieldInfo] {
    if info.fields.is_null() {
        return &[];
    }
    // SAFETY: the array has `num_fields` entries.
    unsafe { std::slice::from_raw_parts(info.fields, info.num_fields.max(0) as usize) }
}

/// Return the ancestors of a type; the parent is first.
pub(super) fn ancestors(
    info: &'static TVMFFITypeInfo,
) -> impl Iterator<Item = &'static TVMFFITypeInfo> {
    // SAFETY: the array has `type_depth` entries, which live as long as the process.
    (0..info.type_depth.max(0) as usize)
        .rev()
        .map(move |depth| unsafe { &**info.type_acenstors.add(depth) })
}
