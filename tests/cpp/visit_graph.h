// SPDX-License-Identifier: Apache-2.0
// Object classes for the tests of structural visits.
#ifndef TVM_FFI_TESTS_CPP_VISIT_GRAPH_H_
#define TVM_FFI_TESTS_CPP_VISIT_GRAPH_H_

#include <gtest/gtest.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>
#include <utility>
#include <vector>

namespace visit_graph {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

/*! \brief A variable with a type. */
class VarObj : public Object {
 public:
  Any type;
  int64_t id = 0;

  static constexpr bool _type_mutable = true;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  TVM_FFI_DECLARE_OBJECT_INFO("test.visit.Var", VarObj, Object);
};

class Var : public ObjectRef {
 public:
  explicit Var(int64_t id, Any type = nullptr) : ObjectRef(make_object<VarObj>()) {
    get_mutable()->id = id;
    get_mutable()->type = std::move(type);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Var, ObjectRef, VarObj);

 private:
  VarObj* get_mutable() { return static_cast<VarObj*>(data_.get()); }
};

/*!
 * \brief A node with one field for each TVMFFIDefRegionKind, and a field that is not visited.
 */
class NodeObj : public Object {
 public:
  Any first;
  Any pattern;
  Any simple;
  Any ignored;
  Any last;

  static constexpr bool _type_mutable = true;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("test.visit.Node", NodeObj, Object);
};

class Node : public ObjectRef {
 public:
  explicit Node(Any first = nullptr, Any last = nullptr, Any pattern = nullptr,
                Any simple = nullptr)
      : ObjectRef(make_object<NodeObj>()) {
    NodeObj* self = get_mutable();
    self->first = std::move(first);
    self->pattern = std::move(pattern);
    self->simple = std::move(simple);
    self->ignored = "ignored";
    self->last = std::move(last);
  }
  NodeObj* get_mutable() const { return static_cast<NodeObj*>(data_.get()); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Node, ObjectRef, NodeObj);
};

inline void RegisterGraph() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<VarObj>().def_rw("type", &VarObj::type).def_rw("id", &VarObj::id);
  refl::ObjectDef<NodeObj>()
      .def_rw("first", &NodeObj::first)
      .def_rw("pattern", &NodeObj::pattern, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_rw("simple", &NodeObj::simple, refl::AttachFieldFlag::SEqHashDefSimple())
      .def_rw("ignored", &NodeObj::ignored, refl::AttachFieldFlag::SEqHashIgnore())
      .def_rw("last", &NodeObj::last);
}

/*! \brief Return the nodes that an error recorded, beginning with the innermost. */
inline std::vector<const Object*> RecordedNodes(const Error& error) {
  std::vector<const Object*> nodes;
  Optional<VisitErrorContext> context = VisitErrorContext::TryGetFromError(error);
  if (!context.has_value()) return nodes;
  for (ObjectRef node : (*context)->reverse_visit_pattern) nodes.push_back(node.get());
  return nodes;
}

}  // namespace visit_graph

#endif  // TVM_FFI_TESTS_CPP_VISIT_GRAPH_H_
