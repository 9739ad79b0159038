// SPDX-License-Identifier: Apache-2.0
//! Operations on graphs of values: comparison, hash, copy, text and JSON.
//!
//! These functions call the global functions of C++ (`tvm/ffi/extra`). Arguments are passed by
//! reference; every type that converts to an [`AnyView`] is accepted.

use crate::any::{Any, AnyView};
use crate::collections::array::Array;
use crate::error::Result;
use crate::object::ObjectRef;
use crate::string::String;

/// Call a global function of the runtime.
macro_rules! call {
    ($name:literal $(, $argument:expr)* $(,)?) => {
        crate::cached_global_func!($name).call_packed(&[$($argument),*])
    };
}

/// Return whether two values have the same structure.
///
/// ```
/// use tvm_ffi::{extra::structural_equal, Array};
///
/// assert!(structural_equal(&Array::new(vec![1i64]), &Array::new(vec![1i64]))?);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
///
/// # Errors
///
/// `TypeError` for an object whose type does not support the comparison.
pub fn structural_equal<'a, 'b>(
    lhs: impl Into<AnyView<'a>>,
    rhs: impl Into<AnyView<'b>>,
) -> Result<bool> {
    structural_equal_with(lhs, rhs, false, false)
}

/// Return whether two values have the same structure.
///
/// With `map_free_vars`, free variables of one value may correspond to free variables of the other;
/// with `skip_tensor_content` only the shapes and types of tensors are compared.
///
/// # Errors
///
/// `TypeError` for an object whose type does not support the comparison.
pub fn structural_equal_with<'a, 'b>(
    lhs: impl Into<AnyView<'a>>,
    rhs: impl Into<AnyView<'b>>,
    map_free_vars: bool,
    skip_tensor_content: bool,
) -> Result<bool> {
    let options = (&map_free_vars).into();
    call!(
        "ffi.StructuralEqual",
        lhs.into(),
        rhs.into(),
        options,
        (&skip_tensor_content).into()
    )?
    .try_into()
}

/// Return the access paths of the first difference in the left and in the right value. Return
/// `None` if the values have the same structure. The options are those of
/// [`structural_equal_with`].
///
/// # Errors
///
/// `TypeError` for an object whose type does not support the comparison.
pub fn get_first_structural_mismatch<'a, 'b>(
    lhs: impl Into<AnyView<'a>>,
    rhs: impl Into<AnyView<'b>>,
    map_free_vars: bool,
    skip_tensor_content: bool,
) -> Result<Option<(ObjectRef, ObjectRef)>> {
    let paths: Option<Array<ObjectRef>> = call!(
        "ffi.GetFirstStructuralMismatch",
        lhs.into(),
        rhs.into(),
        (&map_free_vars).into(),
        (&skip_tensor_content).into(),
    )?
    .try_into()?;
    let Some(paths) = paths else { return Ok(None) };
    Ok(Some((paths.get(0)?, paths.get(1)?)))
}

/// Return a hash that is equal for values of the same structure.
///
/// # Errors
///
/// `TypeError` for an object whose type does not support the hash.
pub fn structural_hash<'a>(value: impl Into<AnyView<'a>>) -> Result<u64> {
    structural_hash_with(value, false, false)
}

/// Return a hash that is equal for values of the same structure, with the options of
/// [`structural_equal_with`].
///
/// # Errors
///
/// `TypeError` for an object whose type does not support the hash.
pub fn structural_hash_with<'a>(
    value: impl Into<AnyView<'a>>,
    map_free_vars: bool,
    skip_tensor_content: bool,
) -> Result<u64> {
    let options = (&map_free_vars).into();
    call!(
        "ffi.StructuralHash",
        value.into(),
        options,
        (&skip_tensor_content).into()
    )?
    .try_into()
}

/// Return whether two values are equal by content, as Python's `==` does for dataclasses.
///
/// # Errors
///
/// Any error of a hook of a type.
pub fn recursive_eq<'a, 'b>(
    lhs: impl Into<AnyView<'a>>,
    rhs: impl Into<AnyView<'b>>,
) -> Result<bool> {
    call!("ffi.RecursiveEq", lhs.into(), rhs.into())?.try_into()
}

/// Return whether `lhs` is less than `rhs` by content, as Python's `<` does for ordered
/// dataclasses.
///
/// # Errors
///
/// `TypeError` for values that have no order.
pub fn recursive_lt<'a, 'b>(
    lhs: impl Into<AnyView<'a>>,
    rhs: impl Into<AnyView<'b>>,
) -> Result<bool> {
    call!("ffi.RecursiveLt", lhs.into(), rhs.into())?.try_into()
}

/// Return a hash that is equal for values that [`recursive_eq`] finds equal.
///
/// # Errors
///
/// `TypeError` for values that have no hash.
pub fn recursive_hash<'a>(value: impl Into<AnyView<'a>>) -> Result<u64> {
    call!("ffi.RecursiveHash", value.into())?.try_into()
}

/// Return a deep copy of a value: all objects inside are copied too.
///
/// # Errors
///
/// `InternalError` for an object whose type cannot be copied, such as a tensor.
pub fn deep_copy<'a>(value: impl Into<AnyView<'a>>) -> Result<Any> {
    call!("ffi.DeepCopy", value.into())
}

/// Return the text that Python's `repr` shows for the value.
///
/// # Errors
///
/// Any error of a hook of a type.
pub fn repr<'a>(value: impl Into<AnyView<'a>>) -> Result<String> {
    call!("ffi.ReprPrint", value.into())?.try_into()
}

/// Return a graph of values as a JSON value: maps, arrays and scalars.
///
/// `metadata` is stored with the graph; pass None to store no metadata.
///
/// # Errors
///
/// An error for an object whose type cannot be serialized.
pub fn to_json_graph<'a, 'b>(
    value: impl Into<AnyView<'a>>,
    metadata: impl Into<AnyView<'b>>,
) -> Result<Any> {
    call!("ffi.ToJSONGraph", value.into(), metadata.into())
}

/// Return a graph of values as JSON text, which [`from_json_graph_str`] reads.
///
/// ```
/// use tvm_ffi::{extra, Array};
///
/// let text = extra::to_json_graph_str(&Array::new(vec![1i64, 2]), &())?;
/// let array: Array<i64> = extra::from_json_graph_str(&text)?.try_into()?;
/// assert_eq!(array.to_vec()?, [1, 2]);
/// # Ok::<(), tvm_ffi::Error>(())
/// ```
///
/// `metadata` is stored with the graph; pass `&()` to store no metadata.
///
/// # Errors
///
/// An error for an object whose type cannot be serialized.
pub fn to_json_graph_str<'a, 'b>(
    value: impl Into<AnyView<'a>>,
    metadata: impl Into<AnyView<'b>>,
) -> Result<String> {
    call!("ffi.ToJSONGraphString", value.into(), metadata.into())?.try_into()
}

/// Rebuild a graph of values from the result of [`to_json_graph`].
///
/// # Errors
///
/// `ValueError` for a malformed graph.
pub fn from_json_graph<'a>(value: impl Into<AnyView<'a>>) -> Result<Any> {
    call!("ffi.FromJSONGraph", value.into())
}

/// Rebuild a graph of values from the text of [`to_json_graph_str`].
///
/// # Errors
///
/// `ValueError` for a malformed text.
pub fn from_json_graph_str(text: &str) -> Result<Any> {
    let text = String::from(text);
    call!("ffi.FromJSONGraphString", (&text).into())
}

/// Parse JSON text into maps, arrays and scalars.
///
/// # Errors
///
/// `ValueError` with the position of the syntax error.
pub fn json_parse(text: &str) -> Result<Any> {
    let text = String::from(text);
    call!("ffi.json.Parse", (&text).into())
}

/// Write maps, arrays and scalars as JSON text. If `indent` is given, the text has line breaks, and
/// `indent` blanks per level.
///
/// # Errors
///
/// `ValueError` for a value that JSON cannot represent.
pub fn json_stringify<'a>(value: impl Into<AnyView<'a>>, indent: Option<i64>) -> Result<String> {
    call!("ffi.json.Stringify", value.into(), (&indent).into())?.try_into()
}
