// SPDX-License-Identifier: Apache-2.0
//! Conversions of references to references to an ancestor. `impl_object_upcast!` expands to this
//! module.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{is_instance_of, ObjectArc, ObjectCore, ObjectRefCore};

/// The ancestors of an object struct, as far as the compiler knows them.
pub enum Ancestors {
    /// The struct implements [`ObjectCore`] without `derive(Object)`.
    Unknown,
    /// The struct is the root of all object types.
    Root,
    /// The type key and the ancestors of the first field.
    Parent(&'static str, &'static Ancestors),
}

impl Ancestors {
    const fn may_include(&self, type_key: &str) -> bool {
        match self {
            Ancestors::Unknown => true,
            Ancestors::Root => false,
            Ancestors::Parent(key, rest) => is_equal(key, type_key) || rest.may_include(type_key),
        }
    }
}

const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The conversion of references `S` to references `B`.
pub struct Upcast<S, B> {
    is_checked: AtomicBool,
    types: PhantomData<fn(S) -> B>,
}

impl<S: ObjectRefCore, B: ObjectRefCore> Upcast<S, B> {
    /// Create the conversion.
    ///
    /// # Panics
    ///
    /// Panics if the object struct of `S` certainly does not begin with the object struct of `B`.
    pub const fn new(message: &str) -> Self {
        let target = <B::ContainerType as ObjectCore>::TYPE_KEY;
        let is_same = is_equal(<S::ContainerType as ObjectCore>::TYPE_KEY, target);
        let ancestors = &<S::ContainerType as ObjectCore>::ANCESTORS;
        if !is_same && !ancestors.may_include(target) {
            panic!("{}", message);
        }
        Upcast {
            is_checked: AtomicBool::new(false),
            types: PhantomData,
        }
    }

    /// Convert a reference. The reference count does not change.
    ///
    /// # Panics
    ///
    /// Panics if the type of `S` is not registered as a type that derives from the type of `B`.
    #[inline]
    pub fn apply(&self, value: S) -> B {
        if !self.is_checked.load(Ordering::Relaxed) {
            self.check();
        }
        // SAFETY: the check has found that an object of `S` is an object of `B`.
        unsafe {
            let raw = ObjectArc::into_raw(S::into_data(value));
            B::from_data(ObjectArc::from_raw(raw.cast()))
        }
    }

    #[cold]
    fn check(&self) {
        let type_index = <S::ContainerType as ObjectCore>::type_index();
        if !is_instance_of::<B::ContainerType>(type_index) {
            panic!(
                "`{}` is not registered as a type that derives from `{}`",
                <S::ContainerType as ObjectCore>::TYPE_KEY,
                <B::ContainerType as ObjectCore>::TYPE_KEY
            );
        }
        self.is_checked.store(true, Ordering::Relaxed);
    }
}
