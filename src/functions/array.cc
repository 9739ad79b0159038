// SPDX-License-Identifier: Apache-2.0
// Global functions of arrays.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/reflection/registry.h>

#include "functions/functions.h"
#include "functions/sequence.h"

namespace tvm::ffi::runtime {

void register_array_functions() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def_packed(
          "ffi.Array",
          [](PackedArgs args, Any* result) {
            *result = Array<Any>(args.data(), args.data() + args.size());
          },
          refl::short_call())
      .def(
          "ffi.ArrayGetItem",
          [](const ArrayObj* array, int64_t index) -> Any { return array->at(index); },
          refl::short_call())
      .def(
          "ffi.ArraySize",
          [](const ArrayObj* array) -> int64_t { return static_cast<int64_t>(array->size()); },
          refl::short_call())
      .def(
          "ffi.ArrayContains",
          [](const ArrayObj* array, const Any& value) { return contains(array, value); },
          refl::short_call());
}

}  // namespace tvm::ffi::runtime
