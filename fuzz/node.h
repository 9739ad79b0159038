// SPDX-License-Identifier: Apache-2.0
// The object type of the inputs of fuzz_graph_json and fuzz_graph_pack, with fields of all kinds.
#ifndef FUZZ_NODE_H_
#define FUZZ_NODE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cstdint>

namespace fuzz {

class NodeObj : public tvm::ffi::Object {
 public:
  int64_t number = 0;
  double weight = 0;
  DLDataType dtype{kDLInt, 32, 1};
  tvm::ffi::String name;
  tvm::ffi::Optional<tvm::ffi::ObjectRef> next;
  tvm::ffi::Any anything;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("fuzz.Node", NodeObj, tvm::ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<NodeObj>()
      .def_rw("number", &NodeObj::number, refl::default_value(1))
      .def_rw("weight", &NodeObj::weight)
      .def_rw("dtype", &NodeObj::dtype)
      .def_rw("name", &NodeObj::name, refl::default_value("x"))
      .def_rw("next", &NodeObj::next, refl::default_value(nullptr))
      .def_rw("anything", &NodeObj::anything);
}

}  // namespace fuzz

#endif  // FUZZ_NODE_H_
