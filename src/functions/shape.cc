// SPDX-License-Identifier: Apache-2.0
// Global functions of shapes.
#include <tvm/ffi/container/shape.h>

#include <optional>
#include <vector>

#include "functions/functions.h"

namespace tvm::ffi::runtime {
namespace {

Shape shape_from(PackedArgs args) {
  std::vector<int64_t> extents;
  extents.reserve(static_cast<size_t>(args.size()));
  for (int i = 0; i < args.size(); ++i) {
    std::optional<int64_t> extent = args[i].try_cast<int64_t>();
    if (!extent.has_value()) {
      TVM_FFI_THROW(ValueError) << "Expect shape to take list of int arguments";
    }
    extents.push_back(*extent);
  }
  return Shape(extents.begin(), extents.end());
}

}  // namespace

void register_shape_functions() {
  ShortDef().def_packed("ffi.Shape",
                        [](PackedArgs args, Any* result) { *result = shape_from(args); });
}

}  // namespace tvm::ffi::runtime
