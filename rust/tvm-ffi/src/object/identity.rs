// SPDX-License-Identifier: Apache-2.0
//! Objects as keys, by address.

use std::hash::{Hash, Hasher};

use super::{unsafe_, ObjectArc, ObjectRef, ObjectRefCore};
use crate::object::Object;

/// A key that is equal for references to the same object. It holds a strong reference.
#[derive(Clone)]
pub struct ObjectIdentity {
    object: ObjectRef,
}

impl ObjectIdentity {
    /// Return the identity of the object of a reference.
    pub fn of<T: ObjectRefCore>(reference: &T) -> Self {
        let header = ObjectArc::as_header(T::data(reference));
        // SAFETY: the reference is strong; every object starts with an `Object`.
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
