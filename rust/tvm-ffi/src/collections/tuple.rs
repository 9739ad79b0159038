// SPDX-License-Identifier: Apache-2.0
//! [`Tuple`]: an array of fixed length with a type for each element.

use std::fmt;
use std::marker::PhantomData;

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use super::array::Array;
use super::seq;
use super::CallValue;
use crate::any::{Any, AnyView};
use crate::error::{Error, Result};
use crate::type_traits::{AnyCompatible, ContainerElement};

mod sealed {
    pub trait Sealed {}
}

/// The types of the elements of a [`Tuple`]: a tuple of 1 to 8 types that a container can hold.
pub trait Elements: sealed::Sealed + CallValue + 'static {
    /// Return whether the elements of the array `view` have exactly the types of this tuple.
    #[doc(hidden)]
    fn check(view: &AnyView<'_>) -> bool;
}

/// An immutable array with one element for each type of the tuple `T`. It is `Tuple` in C++, and
/// `tuple[...]` in the type of a field in Python.
///
/// ```
/// use tvm_ffi::{String, Tuple};
///
/// let pair = Tuple::from((1i64, String::from("a")));
/// let (number, text) = pair.get()?;
/// assert_eq!((number, text.as_str()), (1, "a"));
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
#[repr(transparent)]
pub struct Tuple<T> {
    array: Array<Any>,
    _types: PhantomData<T>,
}

impl<T: Elements> Tuple<T> {
    /// Return copies of the elements.
    ///
    /// # Errors
    ///
    /// `TypeError` if other code has put a value of another type into the array.
    #[track_caller]
    pub fn get(&self) -> Result<T> {
        T::from_value(AnyView::from(&self.array))
    }

    /// Return the elements as an array.
    pub fn as_array(&self) -> &Array<Any> {
        &self.array
    }
}

impl<T> Tuple<T> {
    /// Return an array with elements of the types.
    fn of_array(array: Array<Any>) -> Self {
        Tuple {
            array,
            _types: PhantomData,
        }
    }
}

impl<T: Elements> From<T> for Tuple<T> {
    fn from(elements: T) -> Self {
        let array = Array::try_from(elements.into_value());
        Self::of_array(array.expect("the elements of a tuple become an array"))
    }
}

impl<T: Elements + Default> Default for Tuple<T> {
    fn default() -> Self {
        Self::from(T::default())
    }
}

impl<T> Clone for Tuple<T> {
    fn clone(&self) -> Self {
        Self::of_array(self.array.clone())
    }
}

impl<T> fmt::Debug for Tuple<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        AnyView::from(&self.array).fmt(f)
    }
}

/// An element of another type is not equal to anything.
impl<T: Elements + PartialEq> PartialEq for Tuple<T> {
    fn eq(&self, other: &Self) -> bool {
        matches!((self.get(), other.get()), (Ok(a), Ok(b)) if a == b)
    }
}

impl<T: Elements + Eq> Eq for Tuple<T> {}

// SAFETY: the struct contains only an array; the checks accept only arrays with elements of the
// types `T`.
unsafe impl<T: Elements> AnyCompatible for Tuple<T> {
    crate::macros::same_representation!(array: Array<Any>, Self::of_array);

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        // SAFETY: the caller guarantees that `data` is valid.
        data.type_index == TVMFFITypeIndex::kTVMFFIArray as i32
            && T::check(&unsafe { AnyView::from_raw_ffi_any(*data) })
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        // SAFETY: the caller guarantees that `data` is valid.
        let view = unsafe { AnyView::from_raw_ffi_any(*data) };
        T::from_value(view).map(Self::from).map_err(|_| ())
    }

    fn get_mismatch_type_info(data: &TVMFFIAny) -> String {
        // SAFETY: the caller has just tried to convert `data`, so `data` is alive.
        T::mismatch(&unsafe { AnyView::from_raw_ffi_any(*data) })
    }

    fn conversion_error(data: &TVMFFIAny) -> Error {
        // SAFETY: the caller has just tried to convert `data`, so `data` is alive.
        let view = unsafe { AnyView::from_raw_ffi_any(*data) };
        let Err(error) = T::from_value(view) else {
            return crate::type_traits::mismatch_error::<Self>(data);
        };
        error
    }

    fn type_str() -> String {
        T::type_name()
    }

    fn type_schema() -> String {
        T::value_schema()
    }
}

crate::macros::impl_value!([T: Elements] Tuple<T>);

/// Return element `i` of an array, or `None` if the array does not have `len` elements.
fn element<'a>(view: &'a AnyView<'_>, len: usize, i: usize) -> Option<AnyView<'a>> {
    // SAFETY: the view keeps the array alive, and the elements of an array do not change.
    unsafe {
        let cell = seq::cell_of(view.as_raw_ffi_any())?;
        if seq::len(cell) != len {
            return None;
        }
        seq::view(cell, i)
    }
}

macro_rules! impl_elements {
    ($len:literal; $($name:ident $index:tt),*) => {
        impl<$($name: ContainerElement + 'static),*> sealed::Sealed for ($($name,)*) {}

        impl<$($name: ContainerElement + 'static),*> Elements for ($($name,)*) {
            fn check(view: &AnyView<'_>) -> bool {
                $(element(view, $len, $index).is_some_and(|e| $name::element_check_strict(&e)))&&*
            }
        }
    };
}

impl_elements!(1; A 0);
impl_elements!(2; A 0, B 1);
impl_elements!(3; A 0, B 1, C 2);
impl_elements!(4; A 0, B 1, C 2, D 3);
impl_elements!(5; A 0, B 1, C 2, D 3, E 4);
impl_elements!(6; A 0, B 1, C 2, D 3, E 4, F 5);
impl_elements!(7; A 0, B 1, C 2, D 3, E 4, F 5, G 6);
impl_elements!(8; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
