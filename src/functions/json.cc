// SPDX-License-Identifier: Apache-2.0
// Global functions of JSON text.
#include <tvm/ffi/extra/json.h>

#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_json_functions() {
  ShortDef()
      .def("ffi.json.Parse", [](const String& text) { return json::Parse(text); })
      // Stringify is a short call: the Python extension keeps the GIL during it, so that other
      // Python threads do not change a List at the same time.
      .def("ffi.json.Stringify", [](const Any& value, const Optional<int>& indent) {
        return json::Stringify(value, indent);
      });
}

}  // namespace tvm::ffi::runtime
