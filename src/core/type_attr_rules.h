// SPDX-License-Identifier: Apache-2.0
// The well-known type attributes, and rules for their values.
#pragma once

#include <tvm/ffi/any.h>

#include <cstdint>
#include <string_view>

namespace tvm::ffi::runtime {

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

/*! \brief How the column of an attribute comes into existence. */
enum class AttrColumn {
  /*! \brief On request, once a value was registered. */
  kWithValue,
  /*! \brief On request. */
  kOnRequest,
  /*! \brief At start-up, because inline code of containers and traversals reads it. */
  kAtStartUp,
};

/*! \brief An attribute to whose name the ABI gives a meaning (docs/reference/type-attributes.md).
 */
struct WellKnownAttr {
  std::string_view name;
  AttrRule rule;
  AttrColumn column;
};

inline constexpr WellKnownAttr kWellKnownAttrs[] = {
    {"__any_equal__", AttrRule::kNativeOrFunction, AttrColumn::kAtStartUp},
    {"__any_hash__", AttrRule::kNativeOrFunction, AttrColumn::kAtStartUp},
    {"__data_from_json__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__data_to_json__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_compare__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_convert__", AttrRule::kFunction, AttrColumn::kAtStartUp},
    {"__ffi_convert_type_schema__", AttrRule::kAny, AttrColumn::kWithValue},
    {"__ffi_enum__", AttrRule::kEnumState, AttrColumn::kOnRequest},
    {"__ffi_enum_attrs__", AttrRule::kDict, AttrColumn::kOnRequest},
    {"__ffi_enum_entries__", AttrRule::kDict, AttrColumn::kOnRequest},
    {"__ffi_enum_value_entries__", AttrRule::kDict, AttrColumn::kOnRequest},
    {"__ffi_eq__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_hash__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_init__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_new__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_repr__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_shallow_copy__", AttrRule::kFunction, AttrColumn::kOnRequest},
    {"__ffi_type_final__", AttrRule::kBool, AttrColumn::kOnRequest},
    {"__rust_locks__", AttrRule::kAny, AttrColumn::kOnRequest},
    {"__s_equal__", AttrRule::kFunction, AttrColumn::kAtStartUp},
    {"__s_hash__", AttrRule::kFunction, AttrColumn::kAtStartUp},
    {"__s_maybe_inplace_mutate__", AttrRule::kNativeOrFunction, AttrColumn::kAtStartUp},
    {"__s_mutate__", AttrRule::kNativeOrFunction, AttrColumn::kAtStartUp},
    {"__s_visit__", AttrRule::kNativeOrFunction, AttrColumn::kAtStartUp},
};

/*!
 * \brief Whether an attribute accepts a value.
 *
 * Hooks with a known signature must be functions, because clients call them without checking. None
 * is always accepted, because None means that the attribute is absent. An attribute whose name has
 * no meaning in the ABI accepts every value.
 * \param name canonical name of the attribute.
 */
bool accepts_type_attr(std::string_view name, const Any& value);

/*!
 * \brief Raise a TypeError that names the attribute, the type, the accepted kinds of values and the
 * given value.
 * \return -1
 */
int refuse_type_attr(int32_t type_index, std::string_view name, const Any& value);

}  // namespace tvm::ffi::runtime
