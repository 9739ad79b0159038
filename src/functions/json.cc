// SPDX-License-Identifier: Apache-2.0
// Global functions of JSON text.
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/reflection/registry.h>

#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {

void register_json_functions() {
  reflection::GlobalDef()
      .def(
          "ffi.json.Parse", [](const String& text) { return json::Parse(text); },
          reflection::short_call())
      // Frontends keep their lock, so that no other thread of theirs changes a List meanwhile.
      .def(
          "ffi.json.Stringify",
          [](const Any& value, const Optional<int>& indent) {
            return json::Stringify(value, indent);
          },
          reflection::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
