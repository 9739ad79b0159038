// SPDX-License-Identifier: Apache-2.0
// Global functions for the packed form of graphs, which pickles contain, and for read-only tensors.
#include "graph/graph_pack.h"

#include <tvm/ffi/container/const_tensor.h>

#include "core/foreign_tensor.h"
#include "functions/functions.h"

namespace tvm::ffi::runtime {
namespace {

// Returns (program, types, externals), see PackedGraph.
Array<Any> pack(const Any& value, const Function& is_external) {
  PackedGraph packed = pack_graph(value, is_external);
  return {packed.program, packed.types, packed.externals};
}

bool is_read_only(const ConstTensor& tensor) { return tensor.IsReadOnly(); }

}  // namespace

void register_graph_pack_functions() {
  ShortDef()
      .def("ffi._PackGraph", pack)
      .def("ffi._PackPath", path_of_external)
      .def("ffi._UnpackGraph", unpack_graph)
      .def("ffi.TensorIsReadOnly", is_read_only)
      // Compiled clients call this function through tvm/ffi/detail/deleter_mark.h.
      .def("ffi._ReadOnlyTensorDeleter",
           []() { return reinterpret_cast<void*>(delete_read_only_tensor); });
}

}  // namespace tvm::ffi::runtime
