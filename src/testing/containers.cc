// SPDX-License-Identifier: Apache-2.0
// Fixtures: containers that hold tensors.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace tvm::ffi::testing {
namespace {

using AnyArray = Array<Any>;

void register_sequences() {
  reflection::GlobalDef()
      .def("testing.make_array_with_tensor", [](Tensor t) { return AnyArray{t}; })
      .def("testing.make_array_with_mixed",
           [](Tensor t, int64_t x) { return AnyArray{t, x, String("hello")}; })
      .def("testing.make_nested_array_with_tensor",
           [](Tensor t) {
             AnyArray inner{t, 42};
             return AnyArray{inner, t};
           })
      .def("testing.make_list_with_tensor", [](Tensor t, int64_t x) { return List<Any>{t, x}; })
      .def("testing.make_empty_array_with_tensor_input", [](Tensor) { return AnyArray(); });
}

void register_mappings() {
  reflection::GlobalDef()
      .def("testing.make_map_with_tensor",
           [](Tensor t) {
             return Map<String, Any>{{"tensor", t}, {"value", 42}, {"name", String("test")}};
           })
      .def("testing.make_dict_with_tensor",
           [](Tensor t) { return Dict<String, Any>{{"tensor", t}, {"value", 42}}; })
      .def("testing.make_nested_map_with_tensor", [](Tensor first, Tensor second) {
        AnyArray array{first, second};
        Map<String, Any> map{{"t", first}};
        return Map<String, Any>{{"array", array}, {"map", map}, {"scalar", 99}};
      });
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  register_sequences();
  register_mappings();
}

}  // namespace tvm::ffi::testing
