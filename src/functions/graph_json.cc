// SPDX-License-Identifier: Apache-2.0
// Global functions of graph JSON.
#include "graph/graph_json.h"

#include <tvm/ffi/extra/serialization.h>

#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_graph_json_functions() {
  ShortDef()
      .def("ffi.ToJSONGraph",
           [](const Any& value, const Any& metadata) { return ToJSONGraph(value, metadata); })
      .def("ffi.ToJSONGraphString",
           [](const Any& value, const Any& metadata) {
             return to_json_graph_string(value, metadata);
           })
      .def("ffi.FromJSONGraph", [](const Any& document) { return FromJSONGraph(document); })
      .def("ffi.FromJSONGraphString",
           [](const String& text) { return from_json_graph_string(text); });
}

}  // namespace tvm::ffi::runtime
