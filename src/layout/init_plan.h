// SPDX-License-Identifier: Apache-2.0
// How the automatic `__ffi_init__` of a type binds arguments to fields, worked out once.
#ifndef TVM_FFI_SRC_LAYOUT_INIT_PLAN_H_
#define TVM_FFI_SRC_LAYOUT_INIT_PLAN_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief How a field gets its default in a call without arguments. */
struct DefaultStep {
  const TVMFFIFieldInfo* field;
  /*! \brief Takes the default as it is; null where that is made, or the setter is an object. */
  TVMFFIFieldSetter setter;
};

struct InitPlan {
  /*! \brief The type; entries of the type table live for ever. */
  const TVMFFITypeInfo* type;
  /*! \brief All fields, inherited ones first, each group in order of registration. */
  std::vector<const TVMFFIFieldInfo*> fields;
  /*! \brief Fields that positional arguments bind to: required ones, then those with a default. */
  std::vector<int32_t> positional;
  /*! \brief The fields with a default, in the same order. */
  std::vector<DefaultStep> defaults;
  /*! \brief Makes an empty object; set where a call without arguments needs nothing else but
   * `defaults`. */
  TVMFFIObjectCreator create_default = nullptr;

  /*! \brief Where the field of an `init` parameter of this name is; -1 when there is none.
   * The search begins at `hint`, since keywords mostly come in the order of the fields. */
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

/*! \brief The plan for the fields that the type and its ancestors have now. */
std::unique_ptr<InitPlan> make_init_plan(const TVMFFITypeInfo* type);

/*! \brief Number of those fields: a plan with another number of fields is out of date. */
int64_t count_fields(const TVMFFITypeInfo* type);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_LAYOUT_INIT_PLAN_H_
