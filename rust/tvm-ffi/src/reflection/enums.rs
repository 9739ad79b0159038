// SPDX-License-Identifier: Apache-2.0
//! Enums: types whose objects are named singletons.

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, KEY_ERROR, TYPE_ERROR, VALUE_ERROR};
use crate::function::Function;
use crate::object::{is_instance_of, Object, ObjectCore, ObjectRef, ObjectRefCore};
use crate::string::String;
use crate::type_traits::AnyCompatible;
use crate::{def_object_ref, rs_class};

// The runtime has registered the types of this file; this crate does not change the registrations.

/// An enum object that stores its name and its number. Other classes may derive from it. Objects of
/// other classes can be enum entries too, if [`ObjectDef::as_enum`](super::ObjectDef::as_enum) makes
/// their class an enum.
#[rs_class("ffi.Enum")]
pub struct EnumObj {
    base: Object,
    _int_index: i64,
    _str_index: String,
}

impl EnumObj {
    /// Return the number of the entry. The number is set when the object becomes an entry.
    pub fn number(&self) -> i64 {
        self._int_index
    }

    /// Return the name of the entry. The name is set when the object becomes an entry.
    pub fn name(&self) -> &str {
        self._str_index.as_str()
    }
}

impl Default for EnumObj {
    fn default() -> Self {
        EnumObj::new(Object::new(), 0, "")
    }
}

def_object_ref!(
    /// A reference to an [`EnumObj`].
    pub Enum,
    ObjectRef,
    EnumObj
);

/// The base of enum classes whose objects are identified by number.
#[rs_class("ffi.IntEnum")]
#[derive(Default)]
pub struct IntEnumObj {
    base: EnumObj,
}

def_object_ref!(
    /// A reference to an [`IntEnumObj`].
    pub IntEnum,
    Enum,
    IntEnumObj
);

/// The base of enum classes whose objects are identified by name.
#[rs_class("ffi.StrEnum")]
#[derive(Default)]
pub struct StrEnumObj {
    base: EnumObj,
}

def_object_ref!(
    /// A reference to a [`StrEnumObj`].
    pub StrEnum,
    Enum,
    StrEnumObj
);

crate::impl_debug_by_repr!(Enum, IntEnum, StrEnum);

/// An entry of the enum whose reference type is `R`.
///
/// The object of an enum derives from [`EnumObj`], or its class is made an enum by
/// [`ObjectDef::as_enum`](super::ObjectDef::as_enum).
///
/// ```
/// use tvm_ffi::reflection::{Enum, EnumDef, EnumObj};
/// use tvm_ffi::{def_object_ref, rs_class};
///
/// #[rs_class("my_library.Color")]
/// pub struct ColorObj {
///     base: EnumObj,
///     code: i64,
/// }
/// def_object_ref!(pub Color, Enum, ColorObj);
///
/// let color = |code: i64| Color::from(ColorObj::new(EnumObj::default(), code));
/// EnumDef::add("RED", color(0xff0000))?.set_attr("is_warm", true)?;
/// EnumDef::add("BLUE", color(0x0000ff))?;
/// assert_eq!(EnumDef::<Color>::find("RED")?.unwrap().code, 0xff0000);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[derive(Debug)]
pub struct EnumDef<R> {
    name: String,
    entry: R,
}

impl<R: ObjectRefCore + AnyCompatible> EnumDef<R> {
    /// Add an object to its enum as the next entry. The number of the entry is the count of the
    /// existing entries.
    ///
    /// # Errors
    ///
    /// `TypeError` if the class is not an enum. `ValueError` if the name is empty or already used.
    #[track_caller]
    pub fn add(name: &str, entry: R) -> Result<Self> {
        Self::check_enum()?;
        Self::add_entry(name, Any::new(), entry)
    }

    /// Add an object to its enum as the entry with the given number.
    ///
    /// # Errors
    ///
    /// `TypeError` if the class is not an enum. `ValueError` if the name is empty, or if the name or
    /// the number is already used.
    #[track_caller]
    pub fn add_with_number(name: &str, number: i64, entry: R) -> Result<Self> {
        Self::check_enum()?;
        Self::add_entry(name, Any::from(number), entry)
    }

    /// Return the entry with a name, or `None` if there is no such entry.
    ///
    /// # Errors
    ///
    /// `TypeError` if the entry is an object of another class, or if another library defines the
    /// enum and is not loaded.
    #[track_caller]
    pub fn find(name: &str) -> Result<Option<R>> {
        Self::find_index(&Any::from(String::from(name)))
    }

    /// Return the entry with a number, or `None` if there is no such entry.
    ///
    /// # Errors
    ///
    /// `TypeError` if the entry is an object of another class, or if another library defines the
    /// enum and is not loaded.
    #[track_caller]
    pub fn find_number(number: i64) -> Result<Option<R>> {
        Self::find_index(&Any::from(number))
    }

    /// Return the entry with a name.
    ///
    /// # Errors
    ///
    /// `KeyError` if there is no such entry. `TypeError` if the entry is an object of another class,
    /// or if another library defines the enum and is not loaded.
    #[track_caller]
    pub fn get(name: &str) -> Result<R> {
        let Some(entry) = Self::find(name)? else {
            let key = <R::ContainerType as ObjectCore>::TYPE_KEY;
            let message = format!("Enum `{key}` does not have entry `{name}`");
            return Err(Error::at_caller(KEY_ERROR, &message));
        };
        Ok(entry)
    }

    /// Set the attribute `column` of this entry. The enum stores the values of one attribute for
    /// all entries as a column.
    ///
    /// # Errors
    ///
    /// Any error that the runtime raises.
    #[track_caller]
    pub fn set_attr(self, column: &str, value: impl Into<Any>) -> Result<Self> {
        let index = Self::type_index()?;
        let (column, value) = (String::from(column), value.into());
        let set = Function::get_global("ffi.EnumSetAttr")?;
        set.call_packed(&[
            AnyView::from(&index),
            AnyView::from(&column),
            AnyView::from(&self.name),
            AnyView::from(&value),
        ])?;
        Ok(self)
    }

    /// Return the object of the entry.
    pub fn entry(&self) -> &R {
        &self.entry
    }

    #[track_caller]
    fn type_index() -> Result<i32> {
        <R::ContainerType as ObjectCore>::try_type_index()
    }

    /// Return an error if the class is not an enum.
    #[track_caller]
    fn check_enum() -> Result<()> {
        let index = Self::type_index()?;
        if is_instance_of::<EnumObj>(index) {
            return Ok(());
        }
        let state = Function::get_global("ffi.EnumFindState")?;
        match state.call_packed(&[AnyView::from(&index)])?.try_as::<()>() {
            None => Ok(()),
            Some(()) => {
                let message = format!(
                    "`{}` is not an enum: let the object derive from `EnumObj`, or call \
                     `ObjectDef::as_enum` in the reflection function of the class",
                    <R::ContainerType as ObjectCore>::TYPE_KEY
                );
                Err(Error::at_caller(TYPE_ERROR, &message))
            }
        }
    }

    #[track_caller]
    pub(super) fn add_entry(name: &str, number: Any, entry: R) -> Result<Self> {
        if name.is_empty() {
            let key = <R::ContainerType as ObjectCore>::TYPE_KEY;
            let message = format!("Enum `{key}` cannot have an entry with an empty name");
            return Err(Error::at_caller(VALUE_ERROR, &message));
        }
        let (index, name) = (Self::type_index()?, String::from(name));
        let no_fields = Function::get_global("ffi.Map")?.call_packed(&[])?;
        Function::get_global("ffi.EnumAddEntry")?.call_packed(&[
            AnyView::from(&index),
            AnyView::from(&name),
            AnyView::from(&number),
            AnyView::from(&entry),
            AnyView::from(&no_fields),
        ])?;
        Ok(EnumDef { name, entry })
    }

    #[track_caller]
    fn find_index(index: &Any) -> Result<Option<R>> {
        let type_index = Self::type_index()?;
        let arguments = [AnyView::from(&type_index), AnyView::from(index)];
        let found = Function::get_global("ffi.EnumFindEntry")?.call_packed(&arguments)?;
        crate::any::TryFromTemp::<Option<R>>::try_from(found)
            .map(crate::any::TryFromTemp::into_value)
    }
}
