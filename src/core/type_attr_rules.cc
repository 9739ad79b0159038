// SPDX-License-Identifier: Apache-2.0
// The table of well-known type attributes and their legal values.
#include "core/type_attr_rules.h"

#include <mutex>
#include <utility>
#include <vector>

#include "core/error_slot.h"
#include "core/mutex.h"
#include "core/type_name.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

/*! \brief The values that an attribute accepts. */
enum class AttrRule {
  kAny,
  /*! \brief An `ffi.Function`. */
  kFunction,
  /*! \brief An `ffi.Function`, or an opaque pointer to a C++ function of the hook's signature. */
  kNativeOrFunction,
  kBool,
  kEnumState,
  /*! \brief An `ffi.Dict`, which clients change in place. */
  kDict,
};

struct NamedRule {
  std::string_view name;
  AttrRule rule;
};

constexpr NamedRule kRules[] = {
    {"__any_equal__", AttrRule::kNativeOrFunction},
    {"__any_hash__", AttrRule::kNativeOrFunction},
    {"__data_from_json__", AttrRule::kFunction},
    {"__data_to_json__", AttrRule::kFunction},
    {"__ffi_compare__", AttrRule::kFunction},
    {"__ffi_convert__", AttrRule::kFunction},
    {"__ffi_enum__", AttrRule::kEnumState},
    {"__ffi_enum_attrs__", AttrRule::kDict},
    {"__ffi_enum_entries__", AttrRule::kDict},
    {"__ffi_enum_value_entries__", AttrRule::kDict},
    {"__ffi_eq__", AttrRule::kFunction},
    {"__ffi_hash__", AttrRule::kFunction},
    {"__ffi_init__", AttrRule::kFunction},
    {"__ffi_new__", AttrRule::kFunction},
    {"__ffi_repr__", AttrRule::kFunction},
    {"__ffi_shallow_copy__", AttrRule::kFunction},
    {"__ffi_type_final__", AttrRule::kBool},
    {"__s_equal__", AttrRule::kFunction},
    {"__s_hash__", AttrRule::kFunction},
    {"__s_maybe_inplace_mutate__", AttrRule::kNativeOrFunction},
    {"__s_mutate__", AttrRule::kNativeOrFunction},
    {"__s_visit__", AttrRule::kNativeOrFunction},
};

AttrRule rule_of(std::string_view name) {
  for (const NamedRule& entry : kRules) {
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

void retire_type_attr(std::string_view name, Any value) {
  AttrRule rule = rule_of(name);
  if (rule != AttrRule::kFunction && rule != AttrRule::kNativeOrFunction) return;
  if (value.type_index() != kTVMFFIFunction) return;
  // `mutex` guards `retired`. Both are never destroyed.
  static auto* const mutex = new Mutex;
  static auto* const retired = new std::vector<Any>;
  std::lock_guard<Mutex> lock(*mutex);
  retired->push_back(std::move(value));
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
