// SPDX-License-Identifier: Apache-2.0
//! A stand-in for the crate `tvm-ffi`: the names and sizes that generated code relies on, and no
//! behaviour. What compiles against it names, sizes and borrows things consistently.
#![allow(dead_code)]

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

pub mod derive {
    pub use tvm_ffi_derive::{Object, ObjectRef};
}

#[derive(Debug)]
pub struct Error(std::string::String);
pub struct ErrorKind(&'static str);
pub const VALUE_ERROR: ErrorKind = ErrorKind("ValueError");
pub type Result<T> = std::result::Result<T, Error>;
impl Error {
    pub fn new(kind: ErrorKind, message: &str, _backtrace: &str) -> Self {
        Self(format!("{}: {message}", kind.0))
    }
}

/// The header of an object.
#[repr(C)]
#[derive(Default)]
pub struct Object {
    words: [u64; 3],
}
impl Object {
    pub fn new() -> Self {
        Self::default()
    }
}
/// # Safety
/// The type begins with a header.
pub unsafe trait ObjectCore {
    const TYPE_KEY: &'static str;
    fn type_index() -> i32 {
        Self::TYPE_KEY.len() as i32
    }
}

#[repr(transparent)]
pub struct ObjectArc<T>(NonNull<T>);
impl<T> ObjectArc<T> {
    pub fn new(value: T) -> Self {
        Self(NonNull::from(Box::leak(Box::new(value))))
    }
}
impl<T> Clone for ObjectArc<T> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}
impl<T> Deref for ObjectArc<T> {
    type Target = T;
    fn deref(&self) -> &T {
        unsafe { self.0.as_ref() }
    }
}

pub mod object {
    /// # Safety
    /// The type is one pointer to an object.
    pub unsafe trait ObjectRefCore {}
    #[repr(transparent)]
    #[derive(Clone)]
    pub struct ObjectRef(std::ptr::NonNull<u8>);
}

macro_rules! references {
    ($($name:ident $(<$($parameter:ident),+>)?),*) => {$(
        #[repr(transparent)]
        pub struct $name $(<$($parameter),+>)? (NonNull<u8>, $(PhantomData<($($parameter,)+)>)?);
        impl $(<$($parameter),+>)? Clone for $name $(<$($parameter),+>)? {
            fn clone(&self) -> Self {
                Self(self.0, $(PhantomData::<($($parameter,)+)>)?)
            }
        }
    )*};
}
references!(Array<T>, List<T>, Map<K, V>, Function, Module, Shape, Tensor);

#[repr(C, align(8))]
#[derive(Clone)]
pub struct Any([u64; 2]);
#[repr(C, align(8))]
#[derive(Clone)]
pub struct String([u64; 2]);
#[repr(C, align(8))]
#[derive(Clone)]
pub struct Bytes([u64; 2]);
#[repr(C)]
#[derive(Clone)]
pub struct Optional<T>(Any, PhantomData<T>);
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DLDataType(u8, u8, u16);
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DLDevice(i32, i32);

impl From<&str> for String {
    fn from(text: &str) -> Self {
        Self([text.len() as u64; 2])
    }
}

pub struct FieldGetter(i32);
impl FieldGetter {
    pub fn new(type_index: i32, _name: &str) -> Result<Self> {
        Ok(Self(type_index))
    }
    pub fn get<T, O: ObjectCore>(&self, _object: &O) -> Result<T> {
        Err(Error::new(VALUE_ERROR, "nothing is there", ""))
    }
    pub fn get_any<O: ObjectCore>(&self, object: &O) -> Result<Any> {
        self.get(object)
    }
}

pub trait ShallowCopy {
    fn shallow_copy(&self) -> Self;
}
impl ShallowCopy for Object {
    fn shallow_copy(&self) -> Self {
        Self::new()
    }
}
/// # Safety
/// Fields are dropped once.
pub unsafe trait UnsafeInit {
    /// # Safety
    /// As the trait.
    unsafe fn drop_defined_fields(this: *mut Self);
}
unsafe impl UnsafeInit for Object {
    unsafe fn drop_defined_fields(_this: *mut Self) {}
}
pub mod reflection {
    /// # Safety
    /// The value is defined or all zero.
    pub unsafe fn drop_if_defined<T>(value: *mut T) {
        let _ = value;
    }
}

#[macro_export]
macro_rules! impl_object_upcast {
    ($($from:ty => $to:ty),* $(,)?) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> $to {
                unsafe { ::core::mem::transmute_copy(&::core::mem::ManuallyDrop::new(value)) }
            }
        }
    )*};
}
