// SPDX-License-Identifier: Apache-2.0
//! [`Module`]: a collection of functions that a library exports.

use std::fmt;

use tvm_ffi_sys::{TVMFFIObject, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::collections::array::Array;
use crate::error::{Error, Result, VALUE_ERROR};
use crate::function::Function;
use crate::object::{Object, ObjectArc, ObjectCore};
use crate::similar_name;
use crate::string::String;

/// The object of a [`Module`]. C++ defines the object, and stores a pointer to virtual functions in
/// front of the header.
#[repr(C)]
pub struct ModuleObj {
    object: Object,
}

// SAFETY: a handle is the address of the header; the ABI defines the type index and the type key.
unsafe impl ObjectCore for ModuleObj {
    const TYPE_KEY: &'static str = "ffi.Module";
    const TYPE_DEPTH: i32 = 1;
    const TYPE_FINAL: bool = true;

    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIModule as i32
    }

    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

/// A collection of functions, for example those of a shared library.
///
/// A function of a module keeps the library of the module loaded.
#[repr(C)]
#[derive(Clone)]
pub struct Module {
    data: ObjectArc<ModuleObj>,
}

crate::impl_object_ref!(Module, ModuleObj);
crate::impl_object_upcast!(Module => crate::object::ObjectRef);

/// Call a global function of the runtime, and convert its result.
macro_rules! call {
    ($name:literal $(, $argument:expr)* $(,)?) => {
        crate::cached_global_func!($name).call_packed(&[$($argument),*])?.try_into()
    };
}

impl Module {
    /// Load a library, or a file of another format for which a loader is registered.
    ///
    /// # Errors
    ///
    /// `LibraryNotFoundError` if the file cannot be loaded, `RuntimeError` if no loader knows its
    /// format.
    pub fn load_from_file(file_name: impl AsRef<str>) -> Result<Module> {
        let file_name = String::from(file_name.as_ref());
        call!("ffi.ModuleLoadFromFile", AnyView::from(&file_name))
    }

    /// Return a function of the module or of a module that it imports.
    ///
    /// # Errors
    ///
    /// `ValueError` if there is no such function.
    #[track_caller]
    pub fn get_function(&self, name: &str) -> Result<Function> {
        let function = self.query("ffi.ModuleGetFunction", name, true)?;
        if function.type_index() == TVMFFITypeIndex::kTVMFFINone as i32 {
            return Err(self.no_function(name));
        }
        function.try_into()
    }

    /// Return whether the module has a function. With `query_imports`, also search the imported
    /// modules.
    ///
    /// # Errors
    ///
    /// The error of the module.
    pub fn implements_function(&self, name: &str, query_imports: bool) -> Result<bool> {
        self.query("ffi.ModuleImplementsFunction", name, query_imports)?
            .try_into()
    }

    /// Return the metadata of a function: JSON that contains the type schema of the function.
    ///
    /// # Errors
    ///
    /// The error of the module.
    pub fn get_function_metadata(&self, name: &str, query_imports: bool) -> Result<Option<String>> {
        self.query("ffi.ModuleGetFunctionMetadata", name, query_imports)?
            .try_into()
    }

    /// Return the documentation of a function.
    ///
    /// # Errors
    ///
    /// The error of the module.
    pub fn get_function_doc(&self, name: &str, query_imports: bool) -> Result<Option<String>> {
        self.query("ffi.ModuleGetFunctionDoc", name, query_imports)?
            .try_into()
    }

    /// Return the names of the functions, if the module can list them.
    ///
    /// # Errors
    ///
    /// The error of the module.
    pub fn function_names(&self) -> Result<Option<Array<String>>> {
        call!("ffi.ModuleGetFunctionNames", AnyView::from(self))
    }

    /// Return the kind of the module, for example `library`.
    ///
    /// # Errors
    ///
    /// The error of the module.
    pub fn kind(&self) -> Result<String> {
        call!("ffi.ModuleGetKind", AnyView::from(self))
    }

    /// Import another module. Lookups in this module then also find the functions of the other
    /// module.
    ///
    /// # Errors
    ///
    /// `RuntimeError` if the other module imports this one.
    pub fn import_module(&self, other: &Module) -> Result<()> {
        call!(
            "ffi.ModuleImportModule",
            AnyView::from(self),
            AnyView::from(other)
        )
    }

    /// Remove all imported modules.
    ///
    /// # Errors
    ///
    /// The error of the module.
    pub fn clear_imports(&self) -> Result<()> {
        call!("ffi.ModuleClearImports", AnyView::from(self))
    }

    #[cold]
    #[track_caller]
    fn no_function(&self, name: &str) -> Error {
        let listed = self.function_names().ok().flatten();
        let listed: Vec<String> = listed.iter().flatten().collect();
        let known: Vec<&str> = listed.iter().map(String::as_str).collect();
        let hint = similar_name::hint(name, &known, "its functions");
        let message = format!("Module has no function `{name}`{hint}");
        Error::at_caller(VALUE_ERROR, &message)
    }

    /// Call a global function that returns information about a function of the module.
    fn query(&self, query: &'static str, name: &str, query_imports: bool) -> Result<Any> {
        let name = String::from(name);
        let args = [
            AnyView::from(self),
            AnyView::from(&name),
            AnyView::from(&query_imports),
        ];
        Function::get_global(query)?.call_packed(&args)
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Ok(kind) => write!(f, "Module[{}]", &*kind),
            Err(_) => f.write_str("Module"),
        }
    }
}
