// SPDX-License-Identifier: Apache-2.0
//! Paths from a value to a part of it, such as `<root>.body[0]["x"]`.

use crate::any::Any;
use crate::derive::{Object, ObjectRef};
use crate::object::{impl_unchecked_mirror, Object, ObjectArc};
use crate::string::String;

/// The kind of an access step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum AccessKind {
    /// The step leads to a field of an object.
    Attr = 0,
    /// The step leads to an element of a sequence.
    ArrayItem = 1,
    /// The step leads to the value of a key.
    MapItem = 2,
    /// The object does not have the field.
    AttrMissing = 3,
    /// The sequence does not have the element.
    ArrayItemMissing = 4,
    /// The map does not have the key.
    MapItemMissing = 5,
}

/// One step from a value to a part of it.
#[repr(C)]
#[derive(Object)]
#[type_key = "ffi.reflection.AccessStep"]
#[type_final]
pub struct AccessStepObj {
    base: Object,
    kind: i32,
    /// The name of the field, the index, or the key.
    pub key: Any,
}

impl AccessStepObj {
    /// Return the kind of the step, or `None` for a kind that this crate does not know.
    pub fn kind(&self) -> Option<AccessKind> {
        use AccessKind::*;
        [
            Attr,
            ArrayItem,
            MapItem,
            AttrMissing,
            ArrayItemMissing,
            MapItemMissing,
        ]
        .into_iter()
        .find(|kind| *kind as i32 == self.kind)
    }
}

/// A reference to an [`AccessStepObj`].
#[repr(C)]
#[derive(ObjectRef, Clone)]
pub struct AccessStep {
    data: ObjectArc<AccessStepObj>,
}

impl AccessStep {
    /// Create a step.
    pub fn new(kind: AccessKind, key: impl Into<Any>) -> Self {
        let step = AccessStepObj {
            base: Object::new(),
            kind: kind as i32,
            key: key.into(),
        };
        AccessStep {
            data: ObjectArc::new(step),
        }
    }

    /// Create a step to a field.
    pub fn attr(name: &str) -> Self {
        Self::new(AccessKind::Attr, String::from(name))
    }

    /// Create a step to an element.
    pub fn array_item(index: i64) -> Self {
        Self::new(AccessKind::ArrayItem, index)
    }

    /// Create a step to the value of a key.
    pub fn map_item(key: impl Into<Any>) -> Self {
        Self::new(AccessKind::MapItem, key)
    }
}

impl std::ops::Deref for AccessStep {
    type Target = AccessStepObj;
    fn deref(&self) -> &AccessStepObj {
        &self.data
    }
}

/// A path: a parent path and one more step. Paths can share a common parent path.
#[repr(C)]
pub struct AccessPathObj {
    base: Object,
    parent: Option<AccessPath>,
    step: Option<AccessStep>,
    depth: i32,
}

// SAFETY: the struct has the members of C++, where the parent is registered as any object.
impl_unchecked_mirror!(AccessPathObj, "ffi.reflection.AccessPath", true);

impl AccessPathObj {
    /// Return the path without its last step, or `None` for the root.
    pub fn parent(&self) -> Option<&AccessPath> {
        self.parent.as_ref()
    }

    /// Return the last step, or `None` for the root.
    pub fn step(&self) -> Option<&AccessStep> {
        self.step.as_ref()
    }

    /// Return the number of steps.
    pub fn depth(&self) -> i32 {
        self.depth
    }
}

impl Drop for AccessPathObj {
    /// Release a long chain of parents without recursion.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut path) = next {
            // SAFETY: the code only assigns one field; it does not replace the object as a whole.
            next = match unsafe { ObjectArc::get_mut(&mut path.data) } {
                Some(object) => object.parent.take(),
                None => None,
            };
        }
    }
}

/// A reference to an [`AccessPathObj`].
#[repr(C)]
#[derive(ObjectRef, Clone)]
pub struct AccessPath {
    data: ObjectArc<AccessPathObj>,
}

crate::impl_debug_by_repr!(AccessStep, AccessPath);

impl AccessPath {
    /// Return the path without steps.
    pub fn root() -> Self {
        Self::with(None, None, 0)
    }

    /// Return this path with one more step.
    pub fn extend(&self, step: AccessStep) -> Self {
        Self::with(Some(self.clone()), Some(step), self.depth.saturating_add(1))
    }

    /// Return this path with a step to a field.
    pub fn attr(&self, name: &str) -> Self {
        self.extend(AccessStep::attr(name))
    }

    /// Return this path with a step to an element.
    pub fn array_item(&self, index: i64) -> Self {
        self.extend(AccessStep::array_item(index))
    }

    /// Return this path with a step to the value of a key.
    pub fn map_item(&self, key: impl Into<Any>) -> Self {
        self.extend(AccessStep::map_item(key))
    }

    /// Return the steps of the path, beginning at the root.
    pub fn to_steps(&self) -> Vec<AccessStep> {
        let mut steps = Vec::new();
        let mut path = Some(self);
        while let Some(current) = path {
            steps.extend(current.step.clone());
            path = current.parent.as_ref();
        }
        steps.reverse();
        steps
    }

    fn with(parent: Option<AccessPath>, step: Option<AccessStep>, depth: i32) -> Self {
        let path = AccessPathObj {
            base: Object::new(),
            parent,
            step,
            depth,
        };
        AccessPath {
            data: ObjectArc::new(path),
        }
    }
}

impl std::ops::Deref for AccessPath {
    type Target = AccessPathObj;
    fn deref(&self) -> &AccessPathObj {
        &self.data
    }
}
