// SPDX-License-Identifier: Apache-2.0
//! The default mutation of the parts of a value: by the hook of its type if there is one, otherwise
//! field by field.

use tvm_ffi_sys::{TVMFFIFieldFlagBitMask, TVMFFIFieldInfo, TVMFFISEqHashKind};
use tvm_ffi_sys::{TVMFFITypeIndex, TVMFFITypeInfo};

use super::mutator_object::call_hook;
use super::value::is_unique;
use crate::any::{is_object_index, Any, AnyView};
use crate::error::{Error, Result, TYPE_ERROR};
use crate::extra::structural_visit::{
    owned, record_field, record_object, DefRegionKind, Hook, StructuralView,
};
use crate::extra::unchanged::{is_marker, same_value, Unchanged};
use crate::function::Function;
use crate::object::{type_info, type_key_of};
use crate::reflection::{
    fields_from_root, is_enum, is_free_var, read_field, structural_kind, write_field,
};

pub(super) const OPERATION: &str = "StructuralMutate";
/// Each backtrace line of a mutation begins with this text.
const LINE: &str = "[native structural map]";

const IGNORE: i64 = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskSEqHashIgnore as i64;
const FIRST_DYNAMIC: i32 = TVMFFITypeIndex::kTVMFFIDynObjectBegin as i32;

static MUTATE: Hook = Hook::new(
    "__s_mutate__",
    "__s_mutate__ must be a direct hook pointer or ffi.Function",
);
static INPLACE_MUTATE: Hook = Hook::new(
    "__s_maybe_inplace_mutate__",
    "__s_maybe_inplace_mutate__ must be a direct hook pointer or ffi.Function",
);
static SHALLOW_COPY: Hook = Hook::new(
    "__ffi_shallow_copy__",
    "__ffi_shallow_copy__ must be an ffi.Function",
);

/// Mutates values, and records the replacements of variables. `mutate_value` returns a new value,
/// or the marker `Unchanged`.
pub(super) trait Engine {
    /// Mutate a value. `is_inplace` is true only for an object without other references.
    fn mutate_value(
        &mut self,
        value: &StructuralView,
        kind: DefRegionKind,
        is_inplace: bool,
    ) -> Result<Any>;
    fn var_remap_get(&mut self, var: &StructuralView) -> Result<Option<Any>>;
    fn var_remap_set(&mut self, var: &StructuralView, mapped: &Any) -> Result<()>;
}

/// Mutate a value with `engine`; after a failure, add the value to the context of the error. If the
/// value has other references, `may_be_inplace` has no effect.
pub(super) fn enter(
    value: &StructuralView,
    kind: DefRegionKind,
    may_be_inplace: bool,
    engine: &mut (dyn Engine + '_),
) -> Result<Any> {
    crate::stack::check_space(OPERATION)
        .and_then(|()| engine.mutate_value(value, kind, may_be_inplace && is_unique(value)))
        .map_err(|error| record_object(error, AnyView::from(value), LINE))
}

/// Mutate an owned value; return the new value, or `value` if it is unchanged.
pub(super) fn enter_owned(
    value: Any,
    kind: DefRegionKind,
    may_be_inplace: bool,
    engine: &mut (dyn Engine + '_),
) -> Result<Any> {
    let result = enter(owned(&value), kind, may_be_inplace, engine)?;
    Ok(if is_marker(&result) { value } else { result })
}

fn unchanged() -> Result<Any> {
    Ok(Any::from(Unchanged))
}

/// Mutate the parts of a value with `engine`.
///
/// The runtime has hooks for containers. A hook gets the definition region of the value, and can
/// mutate parts in another region.
pub(super) fn mutate_parts(
    value: &StructuralView,
    kind: DefRegionKind,
    may_be_inplace: bool,
    engine: &mut (dyn Engine + '_),
) -> Result<Any> {
    const LEAVES: [i32; 3] = [
        TVMFFITypeIndex::kTVMFFIStr as i32,
        TVMFFITypeIndex::kTVMFFIBytes as i32,
        TVMFFITypeIndex::kTVMFFIBigInt as i32,
    ];
    let type_index = value.type_index();
    if !is_object_index(type_index) || LEAVES.contains(&type_index) {
        return unchanged();
    }
    crate::stack::check_space(OPERATION)?;
    let is_inplace = may_be_inplace && is_unique(value);
    // Hold a second reference, so that hooks copy the value instead of changing it in place.
    let _second = (!is_inplace).then(|| value.to_owned());
    let inplace_hook = is_inplace
        .then(|| INPLACE_MUTATE.find(type_index))
        .flatten();
    if let Some(attribute) = inplace_hook {
        return call_hook(&INPLACE_MUTATE, &attribute, value, kind, engine);
    }
    if let Some(attribute) = MUTATE.find(type_index) {
        return call_hook(&MUTATE, &attribute, value, kind, engine);
    }
    let Some(info) = type_info(type_index) else {
        return unchanged();
    };
    let copy = SHALLOW_COPY.find(type_index);
    let Some(copy) = copy.and_then(|copy| copy.try_as::<Function>()) else {
        if type_index < FIRST_DYNAMIC || is_enum(info) {
            return unchanged();
        }
        let message = "__ffi_shallow_copy__ must be an ffi.Function";
        return Err(Error::new(TYPE_ERROR, message, ""));
    };
    let kind_of_type = structural_kind(info);
    let is_var = is_free_var(info);
    let is_dag = kind_of_type == TVMFFISEqHashKind::kTVMFFISEqHashKindDAGNode as i32;
    if is_var || is_dag {
        if let Some(mapped) = engine.var_remap_get(value)? {
            return Ok(mapped);
        }
        if is_var && kind == DefRegionKind::None {
            return unchanged();
        }
    } else if may_be_enum(kind_of_type) && is_enum(info) {
        return unchanged();
    }
    let result = mutate_fields(value, info, kind.inside(is_var), &copy, engine)?;
    let is_recorded = is_dag || (is_var && (!is_marker(&result) || kind == DefRegionKind::Pattern));
    if is_recorded {
        engine.var_remap_set(value, &result)?;
    }
    Ok(result)
}

/// Return whether enums may have this structural kind: `UniqueInstance`, or no kind
/// (`Unsupported`).
fn may_be_enum(kind: i32) -> bool {
    kind == TVMFFISEqHashKind::kTVMFFISEqHashKindUniqueInstance as i32
        || kind == TVMFFISEqHashKind::kTVMFFISEqHashKindUnsupported as i32
}

fn mutate_fields(
    value: &StructuralView,
    info: &'static TVMFFITypeInfo,
    inside: DefRegionKind,
    make_copy: &Function,
    engine: &mut (dyn Engine + '_),
) -> Result<Any> {
    // Hold a second reference, so that other code does not change the object in place while this
    // function reads the fields.
    let owner = value.to_owned();
    let value = owned(&owner);
    let mut copy: Option<Any> = None;
    for field in fields_from_root(info) {
        if field.flags & IGNORE != 0 {
            continue;
        }
        let at_field = |error| record_field(error, field.name.as_str(), LINE);
        // SAFETY: the object has the type of the field, and `owner` keeps the object alive.
        let part = unsafe { read_field(value.raw().data_union.v_obj, field) }.map_err(at_field)?;
        let region = inside.of_field(field.flags);
        let result = enter(owned(&part), region, false, engine).map_err(at_field)?;
        if is_marker(&result) || same_value(&AnyView::from(&result), &AnyView::from(&part)) {
            continue;
        }
        drop(part);
        set_in_copy(value, &mut copy, make_copy, field, &result).map_err(at_field)?;
    }
    Ok(copy.unwrap_or_else(|| Any::from(Unchanged)))
}

/// Set a field in the copy of an object. If there is no copy yet, create it first.
fn set_in_copy(
    value: &StructuralView,
    copy: &mut Option<Any>,
    make_copy: &Function,
    field: &TVMFFIFieldInfo,
    new: &Any,
) -> Result<()> {
    if field.setter.is_null() {
        let message = format!(
            "Cannot structurally mutate field `{}` of type `{}` because it does not define a setter",
            field.name.as_str(),
            type_key_of(value.type_index())
        );
        return Err(Error::new(TYPE_ERROR, &message, ""));
    }
    let target = match copy {
        Some(copy) => copy,
        None => copy.insert(shallow_copy(value, make_copy)?),
    };
    // SAFETY: the copy is alive and has the type of the original, so it has the field. No other
    // code uses the copy yet.
    unsafe {
        write_field(
            owned(target).raw().data_union.v_obj,
            field,
            AnyView::from(new),
        )
    }
}

fn shallow_copy(value: &StructuralView, make_copy: &Function) -> Result<Any> {
    let view = AnyView::from(value);
    let copy = make_copy.call_packed(&[view])?;
    let copy_view = AnyView::from(&copy);
    // The fields of the copy are set in place, so nothing else may refer to it.
    let is_new = !same_value(&copy_view, &view) && copy.debug_strong_count() == Some(1);
    if copy.type_index() != value.type_index() || !is_new {
        let message =
            "Shallow copy callback must return a distinct object with the same type as its input";
        return Err(Error::new(TYPE_ERROR, message, ""));
    }
    Ok(copy)
}
