// SPDX-License-Identifier: Apache-2.0
// Which values the well-known type attributes accept.
#include "core/type_attr_rules.h"

#include "core/error_slot.h"
#include "core/type_name.h"

namespace tvm::ffi::runtime {
namespace {

AttrRule rule_of(std::string_view name) {
  for (const WellKnownAttr& entry : kWellKnownAttrs) {
    if (entry.name == name) return entry.rule;
  }
  return AttrRule::kAny;
}

bool accepts(AttrRule rule, const TVMFFIAny& value) {
  switch (rule) {
    case AttrRule::kFunction:
      return value.type_index == kTVMFFIFunction;
    case AttrRule::kNativeOrFunction:
      return value.type_index == kTVMFFIFunction ||
             (value.type_index == kTVMFFIOpaquePtr && value.v_ptr != nullptr);
    case AttrRule::kBool:
      return value.type_index == kTVMFFIBool;
    case AttrRule::kEnumState:
      return type_name(value.type_index) == "ffi.EnumState";
    case AttrRule::kDict:
      return value.type_index == kTVMFFIDict;
    default:
      return true;
  }
}

std::string_view describe(AttrRule rule) {
  switch (rule) {
    case AttrRule::kFunction:
      return "a function";
    case AttrRule::kNativeOrFunction:
      return "a function or a native function pointer";
    case AttrRule::kBool:
      return "a bool";
    case AttrRule::kDict:
      return "an `ffi.Dict`";
    default:
      return "an `ffi.EnumState`";
  }
}

}  // namespace

bool accepts_type_attr(std::string_view name, const Any& value) {
  const TVMFFIAny& bits = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value);
  return bits.type_index == kTVMFFINone || accepts(rule_of(name), bits);
}

int refuse_type_attr(int32_t type_index, std::string_view name, const Any& value) {
  const TVMFFIAny& bits = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value);
  return raise("TypeError",
               {"Type attribute `", name, "` of type `", type_name(type_index), "` must be ",
                describe(rule_of(name)), ", got `", value_name(bits), "`"});
}

}  // namespace tvm::ffi::runtime
