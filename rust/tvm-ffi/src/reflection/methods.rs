// SPDX-License-Identifier: Apache-2.0
//! Registration of methods and attributes of types that are defined in Rust.

use std::marker::PhantomData;

use tvm_ffi_sys::{TVMFFIFieldFlagBitMask, TVMFFIMethodInfo, TVMFFITypeRegisterMethod};

use super::set_type_attr;
use super::{bytes_of, check};
use crate::any::{Any, AnyView};
use crate::error::{Error, Result, TYPE_ERROR};
use crate::function::Function;
use crate::function::Parameters;
pub(super) use crate::function_internal::metadata_text;
use crate::function_internal::AsPackedCallable;
use crate::object::ObjectCore;

/// The name of the method that creates an object from the values of its fields.
const INIT: &str = "__ffi_init__";

struct Method {
    name: String,
    doc: String,
    is_static: bool,
    function: Function,
    schema: String,
    /// The number of parameters, without the receiver.
    parameter_count: usize,
    parameters: Parameters,
}

/// Collects the methods and attributes of the type `N`.
///
/// The function `path` of `#[type_reflection(path)]` or `rs_class(.., reflection = path)` gets an
/// `ObjectDef`. See the example of [`derive`](crate::derive).
pub struct ObjectDef<N> {
    methods: Vec<Method>,
    attributes: Vec<(String, Any)>,
    is_enum: bool,
    object: PhantomData<fn(N)>,
}

impl<N: ObjectCore> ObjectDef<N> {
    pub(super) fn new() -> Self {
        ObjectDef {
            methods: Vec::new(),
            attributes: Vec::new(),
            is_enum: false,
            object: PhantomData,
        }
    }

    /// Add a method. The first parameter of `function` is the receiver: the object on which the
    /// method is called.
    pub fn def<F, I, O>(&mut self, name: &str, function: F, doc: &str) -> &mut Self
    where
        F: AsPackedCallable<I, O> + 'static,
    {
        self.add(name, function, doc, false)
    }

    /// Add a method without a receiver. A method with the name `__ffi_init__` is the constructor.
    pub fn def_static<F, I, O>(&mut self, name: &str, function: F, doc: &str) -> &mut Self
    where
        F: AsPackedCallable<I, O> + 'static,
    {
        self.add(name, function, doc, true)
    }

    /// Set the names of the parameters of the method that was added last: separated by commas,
    /// without the receiver. Language bindings (such as the Python extension) show the names and
    /// accept them as keywords. Registration fails if the number of names is wrong.
    pub fn arg_names(&mut self, names: &str) -> &mut Self {
        self.set_parameters(|parameters| parameters.arg_names(names))
    }

    /// Set the defaults of the trailing parameters of the method that was added last. `values` is
    /// the text of a JSON array. The defaults do not apply to calls from Rust. Registration fails
    /// if `values` is not a JSON array or has too many values, or if the parameters do not have
    /// names.
    pub fn arg_defaults(&mut self, values: &str) -> &mut Self {
        self.set_parameters(|parameters| parameters.arg_defaults(values))
    }

    /// Make the type an enum, so that entries can be added later. Types whose objects derive from
    /// [`EnumObj`](super::EnumObj) are enums, and [`EnumEntry`](super::EnumEntry) makes a type an
    /// enum.
    pub fn as_enum(&mut self) -> &mut Self {
        self.is_enum = true;
        self
    }

    /// Set an attribute of the type.
    pub fn type_attr(&mut self, name: &str, value: impl Into<Any>) -> &mut Self {
        self.attributes.push((name.to_string(), value.into()));
        self
    }

    fn set_parameters(&mut self, set: impl FnOnce(Parameters) -> Parameters) -> &mut Self {
        if let Some(method) = self.methods.last_mut() {
            method.parameters = set(std::mem::take(&mut method.parameters));
        }
        self
    }

    fn add<F, I, O>(&mut self, name: &str, function: F, doc: &str, is_static: bool) -> &mut Self
    where
        F: AsPackedCallable<I, O> + 'static,
    {
        self.methods.push(Method {
            name: name.to_string(),
            doc: doc.to_string(),
            is_static,
            schema: F::type_schema(),
            function: Function::from_typed_named(&format!("{}.{name}", N::TYPE_KEY), function),
            parameter_count: F::PARAMETER_COUNT.saturating_sub(usize::from(!is_static)),
            parameters: Parameters::default(),
        });
        self
    }

    /// Register all methods and attributes. Return whether one of the methods is the constructor.
    pub(super) fn register(self, type_index: i32) -> Result<bool> {
        let mut has_init = false;
        for (position, method) in self.methods.iter().enumerate() {
            if self.methods[..position]
                .iter()
                .any(|former| former.name == method.name)
            {
                let message = format!("duplicate method `{}` of `{}`", method.name, N::TYPE_KEY);
                return Err(Error::new(TYPE_ERROR, &message, ""));
            }
            method.register(type_index, N::TYPE_KEY)?;
            has_init |= method.name == INIT;
        }
        if self.is_enum {
            let mark = Function::get_global("ffi.EnumMark")?;
            mark.call_packed(&[AnyView::from(&type_index)])?;
        }
        for (name, value) in &self.attributes {
            set_type_attr(type_index, name, value)?;
        }
        Ok(has_init)
    }
}

impl Method {
    fn register(&self, type_index: i32, type_key: &str) -> Result<()> {
        let metadata = self.parameters.metadata(
            &format!("{type_key}.{}", self.name),
            &self.schema,
            self.parameter_count,
        )?;
        let is_static = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskIsStaticMethod as i64;
        let info = TVMFFIMethodInfo {
            name: bytes_of(&self.name),
            doc: bytes_of(&self.doc),
            metadata: bytes_of(&metadata),
            flags: if self.is_static { is_static } else { 0 },
            method: *AnyView::from(&self.function).as_raw_ffi_any(),
        };
        // SAFETY: the texts are valid during the call, which copies them and retains the function.
        check(unsafe { TVMFFITypeRegisterMethod(type_index, &info) })
    }
}
