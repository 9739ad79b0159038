// SPDX-License-Identifier: Apache-2.0
// Global functions of graph JSON.
#include "graph/graph_json.h"

#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/reflection/registry.h>

#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_graph_json_functions() {
  using reflection::short_call;
  reflection::GlobalDef()
      .def(
          "ffi.ToJSONGraph",
          [](const Any& value, const Any& metadata) { return ToJSONGraph(value, metadata); },
          short_call())
      .def(
          "ffi.ToJSONGraphString",
          [](const Any& value, const Any& metadata) {
            return to_json_graph_string(value, metadata);
          },
          short_call())
      .def(
          "ffi.FromJSONGraph", [](const Any& document) { return FromJSONGraph(document); },
          short_call())
      .def(
          "ffi.FromJSONGraphString",
          [](const String& text) { return from_json_graph_string(text); }, short_call());
}

}  // namespace tvm::ffi::runtime
