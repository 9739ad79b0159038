// SPDX-License-Identifier: Apache-2.0
// Global functions of strings and bytes.
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_string_functions() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def(
          "ffi.String", [](String text) { return text; }, refl::short_call())
      .def("ffi.Bytes", [](Bytes bytes) { return bytes; }, refl::short_call());
}

}  // namespace tvm::ffi::runtime
