// SPDX-License-Identifier: Apache-2.0
// The types of enums, and the global functions with which the public headers and language bindings
// (such as the Python extension) use the enum store.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <optional>

#include "core/enum_store.h"
#include "functions/functions.h"
#include "layout/enum_payload.h"

namespace tvm::ffi::runtime {
namespace {

namespace refl = reflection;

void register_state() {
  refl::ObjectDef<EnumStateObj>()
      .def_ro("entries", &EnumStateObj::entries, refl::init(false),
              "Enum singletons in registration order.")
      .def_ro("indexes", &EnumStateObj::indexes, refl::init(false),
              "Canonical integer and string indices to enum singletons.")
      .def_ro("attrs", &EnumStateObj::attrs, refl::init(false),
              "Extensible-attribute columns keyed by enum singleton.")
      .def(refl::init<>());
}

void register_bases() {
  const auto ignore = refl::AttachFieldFlag::SEqHashIgnore();
  // These fields are keyword-only, so that positional arguments set only the fields of a subclass.
  refl::ObjectDef<EnumObj>(refl::init(false))
      .def_ro("_int_index", &EnumObj::_int_index, ignore, refl::kw_only(true),
              "Canonical integer index.")
      .def_ro("_str_index", &EnumObj::_str_index, refl::kw_only(true), "Canonical string index.");
  refl::ObjectDef<IntEnumObj>(refl::init(false))
      .def_ro("value", &IntEnumObj::_int_index, ignore, refl::init(false),
              "Canonical integer index.")
      .def_convert<IntEnum>();
  refl::ObjectDef<StrEnumObj>(refl::init(false))
      .def_ro("value", &StrEnumObj::_str_index, ignore, refl::init(false),
              "Canonical string index.")
      .def_convert<StrEnum>();
}

Optional<String> name_of(const ObjectRef& entry) {
  if (!entry.defined()) return std::nullopt;
  return enum_name_of(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(entry));
}

bool try_set_attr(int32_t type_index, const String& column, const ObjectRef& entry,
                  const Any& value) {
  return entry.defined() && try_set_enum_attr(type_index, column, entry, value);
}

bool set_payload(void* field, void* address, const Any& value) {
  return set_field_to_payload(static_cast<const TVMFFIFieldInfo*>(field), address,
                              detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value));
}

}  // namespace

void register_enum_functions() {
  register_state();
  register_bases();
  ShortDef()
      .def("ffi.EnumMark", mark_enum)
      .def("ffi.EnumFindState", find_enum_state)
      .def("ffi.EnumFindEntry", find_enum_entry)
      .def("ffi.EnumCopyEntries", copy_enum_entries)
      .def("ffi.EnumAddEntry", add_enum_entry)
      .def("ffi.EnumSetPayload", set_payload)
      .def("ffi.EnumSetAttr", set_enum_attr)
      .def("ffi.EnumTrySetAttr", try_set_attr)
      .def("ffi.EnumGetAttr", find_enum_attr)
      .def("ffi.EnumNameOf", name_of);
}

}  // namespace tvm::ffi::runtime
