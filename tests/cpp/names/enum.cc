// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/enum.h>

#include <string_view>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Dict;
using ffi::Enum;
using ffi::EnumObj;
using ffi::EnumState;
using ffi::EnumStateObj;
using ffi::ObjectRef;
using ffi::String;

HOLDS(EnumStateObj::_type_final && !EnumState::_type_is_nullable);
HAS_TYPE(The<EnumStateObj>().entries, ffi::List<ObjectRef>);
using Indexes = Dict<Any, ObjectRef>;
using Attrs = Dict<String, Dict<ObjectRef, Any>>;
HAS_TYPE(The<EnumStateObj>().indexes, Indexes);
HAS_TYPE(The<EnumStateObj>().attrs, Attrs);
HAS_TYPE(The<EnumObj>()._int_index, int64_t);
HAS_TYPE(The<EnumObj>()._str_index, String);
HOLDS(std::is_default_constructible_v<EnumObj>&& std::is_constructible_v<EnumObj, int, String>);
HOLDS(EnumObj::_type_s_eq_hash_kind == kTVMFFISEqHashKindUniqueInstance && !EnumObj::_type_final);
HOLDS(std::is_base_of_v<EnumObj, ffi::IntEnumObj>&& std::is_base_of_v<EnumObj, ffi::StrEnumObj>);
HOLDS(!Enum::_type_is_nullable && !ffi::IntEnum::_type_is_nullable);
HOLDS(!ffi::StrEnum::_type_is_nullable);
HAS_TYPE(EnumObj::_GetByIntIndex<ffi::IntEnumObj>(The<int64_t>()), Enum);
HAS_TYPE(EnumObj::_GetByStrIndex<ffi::StrEnumObj>(The<const String>()), Enum);
HAS_TYPE(EnumObj::_GetByIntIndex(The<int32_t>(), The<int64_t>()), Enum);
HAS_TYPE(EnumObj::_GetByStrIndex(The<int32_t>(), The<const String>()), Enum);
HAS_TYPE(ffi::type_attr::kEnumState, const ffi::reflection::AttrKey<EnumState>);
HOLDS(std::string_view(ffi::type_attr::kEnumState.name) == "__ffi_enum__");
