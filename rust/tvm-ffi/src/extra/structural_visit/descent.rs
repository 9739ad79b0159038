// SPDX-License-Identifier: Apache-2.0
//! The default visit of the parts of a value: with the hook of the value's type if it has one,
//! otherwise field by field.

use tvm_ffi_sys::TVMFFIFieldFlagBitMask;

use super::visitor_object::call_hook;
use super::{enter, owned, record_field, Hook};
use super::{DefRegionKind, StructuralView, VisitFn, VisitResult};
use crate::any::is_object_index;
use crate::object::type_info;
use crate::reflection::{fields_from_root, is_free_var, read_field};

pub(super) const OPERATION: &str = "StructuralVisit";
/// Each backtrace line of a visit begins with this text.
pub(super) const OBJECT_LINE_VISIT: &str = "[native structural visit]";

const IGNORE: i64 = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskSEqHashIgnore as i64;

static HOOK: Hook = Hook::new(
    "__s_visit__",
    "__s_visit__ must be an opaque function pointer or ffi.Function",
);

/// Visit the parts of a value with `visit`.
///
/// The hooks of containers are in the runtime. A hook gets the definition region of the value, and
/// can visit parts in another region.
pub(super) fn visit_parts(
    value: &StructuralView,
    kind: DefRegionKind,
    visit: &mut VisitFn<'_>,
) -> VisitResult {
    let type_index = value.type_index();
    if !is_object_index(type_index) {
        return Ok(None);
    }
    crate::stack::check_space(OPERATION)?;
    // A callback may release the reference that led to the value, so hold another reference.
    let owner = value.to_owned();
    let value = owned(&owner);
    if let Some(attribute) = HOOK.find(type_index) {
        return call_hook(&HOOK, &attribute, value, kind, visit);
    }
    visit_fields(value, kind, visit)
}

fn visit_fields(
    value: &StructuralView,
    kind: DefRegionKind,
    visit: &mut VisitFn<'_>,
) -> VisitResult {
    let Some(info) = type_info(value.type_index()) else {
        return Ok(None);
    };
    let inside = kind.inside(is_free_var(info));
    for field in fields_from_root(info) {
        if field.flags & IGNORE != 0 {
            continue;
        }
        let at_field = |error| record_field(error, field.name.as_str(), OBJECT_LINE_VISIT);
        // SAFETY: the object has the type of the field, and the caller keeps the object alive.
        let part = unsafe { read_field(value.raw().data_union.v_obj, field) }.map_err(at_field)?;
        let interrupt =
            enter(owned(&part), inside.of_field(field.flags), visit).map_err(at_field)?;
        if interrupt.is_some() {
            return Ok(interrupt);
        }
    }
    Ok(None)
}
