// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/compat/classic.h>

#include "../use.h"

namespace ffi = tvm::ffi;

class ShapeNode : public ffi::Object {
 public:
  int64_t width = 0;
  int64_t height = 0;
  void VisitAttrs(tvm::AttrVisitor* v) {
    v->Visit("width", &width);
    v->Visit("height", &height);
  }
  bool SEqualReduce(const ShapeNode* other, tvm::SEqualReducer equal) const {
    return equal(width, other->width) && equal(height, other->height);
  }
  void SHashReduce(tvm::SHashReducer hash_reduce) const {
    hash_reduce(width);
    hash_reduce(height);
  }
  static constexpr const char* _type_key = "names.ShapeNode";
  TVM_DECLARE_BASE_OBJECT_INFO(ShapeNode, ffi::Object);
};
class VarNode : public ShapeNode {
 public:
  bool SEqualReduce(const VarNode* other, tvm::SEqualReducer equal) const {
    return equal.FreeVarEqualImpl(this, other);
  }
  void SHashReduce(tvm::SHashReducer hash_reduce) const { hash_reduce.FreeVarHashImpl(this); }
  static constexpr const char* _type_key = "names.VarNode";
  TVM_DECLARE_FINAL_OBJECT_INFO(VarNode, ShapeNode);
};
class Shape : public ffi::ObjectRef {
 public:
  TVM_DEFINE_OBJECT_REF_METHODS(Shape, ffi::ObjectRef, ShapeNode);
};
HOLDS(std::is_default_constructible_v<Shape>);
TVM_REGISTER_NODE_TYPE(ShapeNode);
TVM_REGISTER_NODE_TYPE(VarNode);
