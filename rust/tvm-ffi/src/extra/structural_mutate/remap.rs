// SPDX-License-Identifier: Apache-2.0
//! The recorded replacements of variables.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tvm_ffi_sys::TVMFFITypeIndex;

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, RUNTIME_ERROR, TYPE_ERROR};
use crate::extra::structural_visit::StructuralView;
use crate::object::{ObjectIdentity, ObjectRef};

/// Records the replacements of variables and of nodes with identity, and keeps these objects alive.
#[derive(Default)]
pub struct StructuralVarRemap {
    entries: HashMap<ObjectIdentity, Any>,
}

/// Return the key of a variable in [`StructuralVarRemap`].
fn key_of(var: &StructuralView) -> Result<ObjectIdentity> {
    let is_text = [
        TVMFFITypeIndex::kTVMFFIStr as i32,
        TVMFFITypeIndex::kTVMFFIBytes as i32,
    ]
    .contains(&var.type_index());
    match AnyView::from(var).try_as::<ObjectRef>() {
        Some(object) if !is_text => Ok(ObjectIdentity::of(&object)),
        _ => {
            let message = "Variable-remap key must be an object-backed value";
            Err(Error::new(TYPE_ERROR, message, ""))
        }
    }
}

impl StructuralVarRemap {
    /// Return the recorded replacement of a variable, or `None` if there is no record. The
    /// replacement is the marker `Unchanged` if the variable was recorded as unchanged.
    ///
    /// # Errors
    ///
    /// `TypeError` for a value that is not an object.
    pub fn get(&self, var: &StructuralView) -> Result<Option<Any>> {
        Ok(self.entries.get(&key_of(var)?).cloned())
    }

    /// Record the replacement of a variable. If `mapped` is None, remove the record.
    ///
    /// # Errors
    ///
    /// `TypeError` for a value that is not an object.
    pub fn set(&mut self, var: &StructuralView, mapped: &Any) -> Result<()> {
        self.replace(var, mapped).map(drop)
    }

    /// Record the replacement of a variable, and return the former replacement.
    fn replace(&mut self, var: &StructuralView, mapped: &Any) -> Result<Option<Any>> {
        let key = key_of(var)?;
        Ok(
            match mapped.type_index() == TVMFFITypeIndex::kTVMFFINone as i32 {
                true => self.entries.remove(&key),
                false => self.entries.insert(key, mapped.clone()),
            },
        )
    }

    /// Remove all records.
    pub fn clear(&mut self) {
        drop(std::mem::take(&mut self.entries));
    }
}

/// The replacements of one run (call of `structural_map` or `structural_mutate`), which the driver
/// and the contexts of the run share.
#[derive(Default)]
pub(super) struct RunRemap {
    table: RefCell<StructuralVarRemap>,
}

impl RunRemap {
    pub(super) fn get(&self, var: &StructuralView) -> Result<Option<Any>> {
        self.table.borrow().get(var)
    }

    pub(super) fn set(&self, var: &StructuralView, mapped: &Any) -> Result<()> {
        // The destructor of the former entry may run foreign code, so end the mutable borrow before
        // the entry is dropped.
        let former = self.table.borrow_mut().replace(var, mapped)?;
        drop(former);
        Ok(())
    }
}

thread_local! {
    /// The replacements of the innermost run on this thread whose [`StructuralMutator`] may use the
    /// provided methods.
    ///
    /// [`StructuralMutator`]: super::StructuralMutator
    static CURRENT: RefCell<Option<Rc<RunRemap>>> = const { RefCell::new(None) };
}

/// A run of a [`StructuralMutator`](super::StructuralMutator) on this thread. The value has the
/// replacements of the enclosing run, which continues when the value is dropped.
pub(super) struct CurrentRun(Option<Rc<RunRemap>>);

impl CurrentRun {
    pub(super) fn begin() -> Self {
        CurrentRun(CURRENT.replace(Some(Rc::default())))
    }

    /// Return the replacements of the current run.
    pub(super) fn remap() -> Result<Rc<RunRemap>> {
        CURRENT.with_borrow(Option::clone).ok_or_else(|| {
            let message = "a mutator records the replacements of variables only during \
                           `structural_mutate`: implement `var_remap_get` and `var_remap_set`, or \
                           start the mutation with `structural_mutate`";
            Error::new(RUNTIME_ERROR, message, "")
        })
    }
}

impl Drop for CurrentRun {
    fn drop(&mut self) {
        // The destructors of the replacements may run foreign code, so end the borrow before the
        // replacements are dropped.
        drop(CURRENT.replace(self.0.take()));
    }
}
