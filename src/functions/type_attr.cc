// SPDX-License-Identifier: Apache-2.0
// Global functions of open type attributes.
#include "core/type_attr.h"

#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <string_view>
#include <utility>

#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

void type_attr_set(int32_t type_index, const String& name, Any value) {
  TVM_FFI_CHECK_SAFE_CALL(set_type_attr(type_index, detail::TextView(name), std::move(value)));
}

Any type_attr_get(const String& name, int32_t type_index) {
  return get_type_attr(detail::TextView(name), type_index);
}

void* type_attr_map_address(const String& name) {
  return const_cast<TypeAttrMap*>(&type_attr_map(detail::TextView(name)));
}

}  // namespace

void register_type_attr_functions() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def("ffi.TypeAttrSet", type_attr_set, refl::short_call())
      .def("ffi.TypeAttrGet", type_attr_get, refl::short_call())
      .def("ffi.TypeAttrMap", type_attr_map_address, refl::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
