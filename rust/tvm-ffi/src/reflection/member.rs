// SPDX-License-Identifier: Apache-2.0
//! Which types the members of an object struct may have that are not reflected fields.

use std::marker::PhantomData;

/// A type of members that several threads may use, because it holds values of this crate. Types that
/// are `Send` and `Sync` do not have to implement this trait. With the feature `compat`, every type
/// implements it.
///
/// # Safety
///
/// Several threads may use the type, under the rules for objects.
#[diagnostic::on_unimplemented(
    message = "any thread can get an object, so an object cannot contain a `{Self}`, which is neither \
               `Send` and `Sync` nor a value that an `Any` can hold",
    note = "use a `Mutex`, an atomic type or a `Writable` for what changes, `Arc` for `Rc`, and a \
            reference type, such as `Shape`, for an object"
)]
pub unsafe trait SharedMember {}

#[cfg(feature = "compat")]
// SAFETY: the feature leaves this condition to the program.
unsafe impl<T: ?Sized> SharedMember for T {}

#[cfg(not(feature = "compat"))]
mod accepted {
    use std::collections::{BTreeMap, HashMap};
    use std::sync::{Arc, Mutex, OnceLock, RwLock};

    use super::super::field::FieldValue;
    use super::SharedMember;
    use crate::object::{ObjectArc, ObjectCore, ObjectWeak};

    // SAFETY: the type consists of values of this crate.
    unsafe impl<T: FieldValue> SharedMember for T {}

    macro_rules! accept {
        ($([$($bound:tt)*] $type:ty;)*) => {$(
            // SAFETY: the type consists of values and references of this crate.
            unsafe impl<$($bound)*> SharedMember for $type {}
            // SAFETY: see above.
            unsafe impl<$($bound)*> SharedMember for Option<$type> {}
        )*};
    }

    accept! {
        [T: ObjectCore] ObjectArc<T>;
        [T: ObjectCore] ObjectWeak<T>;
        [T: SharedMember] Arc<T>;
        [T: SharedMember] Mutex<T>;
        [T: SharedMember] OnceLock<T>;
        [T: SharedMember] RwLock<T>;
        [T: SharedMember] Vec<T>;
        [K: SharedMember, V: SharedMember] BTreeMap<K, V>;
        [K: SharedMember, V: SharedMember] HashMap<K, V>;
    }
}

/// Checks the type of a member: `(&member::<T>()).check()` calls the method of [`Shared`] if `T`
/// is `Send` and `Sync`, and otherwise the method of [`Unshared`].
pub struct Member<T>(PhantomData<T>);

/// Make a [`Member`].
pub fn member<T>() -> Member<T> {
    Member(PhantomData)
}

/// See [`Member`].
pub trait Shared {
    /// Accept the type.
    fn check(&self) {}
}

impl<T: Send + Sync> Shared for Member<T> {}

/// See [`Member`].
pub trait Unshared {
    /// The type of the member.
    type Type;
    /// Accept the type if it is a [`SharedMember`].
    fn check(&self)
    where
        Self::Type: SharedMember,
    {
    }
}

impl<T> Unshared for &Member<T> {
    type Type = T;
}
