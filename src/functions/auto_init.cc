// SPDX-License-Identifier: Apache-2.0
// The global function that registers the automatic constructor of a type.
#include "layout/auto_init.h"

#include <tvm/ffi/reflection/accessor.h>

#include "core/type_table.h"
#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_auto_init_functions() {
  ShortDef().def("ffi._RegisterFFIInit", [](int32_t type_index) {
    publish_type_definition(type_index);  // The constructor needs the new fields.
    register_auto_init(detail::GetTypeInfoOrThrow(type_index));
  });
}

}  // namespace tvm::ffi::runtime
