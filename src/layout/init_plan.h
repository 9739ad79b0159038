// SPDX-License-Identifier: Apache-2.0
// How the automatic `__ffi_init__` of a type binds arguments to fields; computed once per type.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tvm::ffi::runtime {

/*! \brief How a field is set to its default in a call without arguments. */
struct DefaultStep {
  const TVMFFIFieldInfo* field;
  /*! \brief Function that stores the default value directly; NULL if a factory makes the default or
   * the setter is a function object. */
  TVMFFIFieldSetter setter;
};

struct InitPlan {
  /*! \brief The type, whose entry in the type table is never freed. */
  const TVMFFITypeInfo* type;
  /*! \brief All fields: inherited fields first, then in order of registration. */
  std::vector<const TVMFFIFieldInfo*> fields;
  /*! \brief Fields for positional arguments: required fields first, then fields with a default. */
  std::vector<int32_t> positional;
  /*! \brief The fields with a default, in the order of `fields`. */
  std::vector<DefaultStep> defaults;
  /*! \brief Function that makes an empty object; NULL if a call without arguments needs more than
   * this function and `defaults`. */
  TVMFFIObjectCreator create_default = nullptr;

  /*! \brief Return the index of the field that the constructor parameter `name` sets; -1 if there
   * is not such a parameter. The search begins at `hint`, because keywords are usually in the order
   * of the fields. */
  int32_t find_parameter(std::string_view name, int32_t hint) const;
  /*! \brief Whether `field` may be given as an argument. */
  static bool is_parameter(const TVMFFIFieldInfo* field) {
    return (field->flags & kTVMFFIFieldFlagBitMaskInitOff) == 0;
  }
  static bool has_default(const TVMFFIFieldInfo* field) {
    return (field->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0;
  }
  static bool is_keyword_only(const TVMFFIFieldInfo* field) {
    return (field->flags & kTVMFFIFieldFlagBitMaskKwOnly) != 0;
  }
};

/*! \brief Make a plan for the current fields of the type and its ancestors. */
std::unique_ptr<InitPlan> make_init_plan(const TVMFFITypeInfo* type);

/*! \brief Count the fields from which a plan is made now. A plan with another number of fields is
 * outdated. */
int64_t count_fields(const TVMFFITypeInfo* type);

}  // namespace tvm::ffi::runtime
