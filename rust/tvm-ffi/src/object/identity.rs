// SPDX-License-Identifier: Apache-2.0
//! [`ObjectIdentity`]: an object as a key, compared by address.

use std::hash::{Hash, Hasher};

use super::{unsafe_, ObjectArc, ObjectRef, ObjectRefCore};
use crate::object::Object;

/// A key that compares objects by address. The key holds a strong reference.
#[derive(Clone)]
pub struct ObjectIdentity {
    object: ObjectRef,
}

impl ObjectIdentity {
    /// Return the key for the object of a reference.
    pub fn of<T: ObjectRefCore>(reference: &T) -> Self {
        let header = ObjectArc::as_header(T::data(reference));
        // SAFETY: `reference` is a strong reference; every object starts with an `Object`.
        let object = unsafe {
            unsafe_::inc_ref(header);
            ObjectRef::from_data(ObjectArc::from_raw(header.cast::<Object>()))
        };
        ObjectIdentity { object }
    }

    fn address(&self) -> usize {
        ObjectArc::as_header(ObjectRef::data(&self.object)) as usize
    }
}

impl PartialEq for ObjectIdentity {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address()
    }
}

impl Eq for ObjectIdentity {}

impl Hash for ObjectIdentity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.address().hash(state);
    }
}

impl std::fmt::Debug for ObjectIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ObjectIdentity({:#x})", self.address())
    }
}
