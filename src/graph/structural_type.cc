// SPDX-License-Identifier: Apache-2.0
// Finds out how structural equality and hash treat a type.
#include "graph/structural_type.h"

#include <tvm/ffi/error.h>

namespace tvm::ffi::runtime {
namespace {

[[noreturn]] void throw_unsupported(const char* what, const TVMFFITypeInfo* type) {
  TVM_FFI_THROW(TypeError) << what << " is not set for type `" << ToStringView(type->type_key)
                           << "`, so StructuralHash is not supported for this type";
  TVM_FFI_UNREACHABLE();
}

SEqHashKind kind_of(const TVMFFITypeInfo* type) {
  bool is_set = type->metadata != nullptr &&
                type->metadata->structural_eq_hash_kind != kTVMFFISEqHashKindUnsupported;
  if (is_set) return type->metadata->structural_eq_hash_kind;
  // Each entry of an enum has exactly one object, so entries are compared by identity.
  if (is_enum_type(type->type_index)) return kTVMFFISEqHashKindUniqueInstance;
  throw_unsupported(type->metadata == nullptr ? "Type metadata" : "_type_s_eq_hash_kind", type);
}

}  // namespace

StructuralType structural_type(const TVMFFITypeAttrColumn* hook, int32_t type_index) {
  const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
  StructuralType found;
  found.kind = kind_of(type);
  found.has_hook = find_hook(hook, type_index) != nullptr;
  found.key_hash = type->type_key_hash;
  found.plan = &field_plan(type_index);
  return found;
}

DefRegion region_for_hook(DefRegion region, int64_t requested) {
  switch (requested) {
    case kTVMFFIDefRegionKindNone:
      return region;
    case kTVMFFIDefRegionKindPattern:
    case kTVMFFIDefRegionKindSimple:
      return region == kTVMFFIDefRegionKindPattern ? region : static_cast<DefRegion>(requested);
    default:
      TVM_FFI_THROW(ValueError) << "def_region_kind must be 0 (as it is), 1 (pattern) or 2 "
                                   "(simple), got "
                                << requested;
      TVM_FFI_UNREACHABLE();
  }
}

void throw_structural_cycle(const char* operation, int32_t type_index) {
  TVM_FFI_THROW(ValueError) << operation << ": cyclic reference detected through type `"
                            << TypeIndexToTypeKey(type_index) << "`";
  TVM_FFI_UNREACHABLE();
}

}  // namespace tvm::ffi::runtime
