// SPDX-License-Identifier: Apache-2.0
// Object classes of each structural kind, for tests of structural mutation.
#ifndef TVM_FFI_TESTS_CPP_MUTATE_NODES_H_
#define TVM_FFI_TESTS_CPP_MUTATE_NODES_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <string>
#include <utility>

namespace mutate_nodes {

using tvm::ffi::Any;
using tvm::ffi::Array;
using tvm::ffi::make_object;
using tvm::ffi::Object;
using tvm::ffi::ObjectPtr;
using tvm::ffi::ObjectRef;
using tvm::ffi::String;

/*! \brief The common members of the classes below. */
#define MUTATE_NODE(Name, Kind)                                                       \
  static constexpr bool _type_mutable = true;                                         \
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKind##Kind; \
  TVM_FFI_DECLARE_OBJECT_INFO("test.mutate." #Name, Name##Obj, Object);               \
  }                                                                                   \
  ;                                                                                   \
  class Name : public ObjectRef {                                                     \
   public:                                                                            \
    TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Name, ObjectRef, Name##Obj);

class PairObj : public Object {
 public:
  Any a;
  Any b;
  PairObj() = default;
  PairObj(Any a, Any b) : a(std::move(a)), b(std::move(b)) {}
  MUTATE_NODE(Pair, TreeNode)
  Pair(Any a, Any b) : Pair(make_object<PairObj>(std::move(a), std::move(b))) {}
};

class IntBoxObj : public Object {
 public:
  int64_t value = 0;
  Any ignored;
  IntBoxObj() = default;
  explicit IntBoxObj(int64_t value) : value(value) {}
  MUTATE_NODE(IntBox, TreeNode)
  explicit IntBox(int64_t value) : IntBox(make_object<IntBoxObj>(value)) {}
};

class VarObj : public Object {
 public:
  String name;
  Any type;
  VarObj() = default;
  VarObj(String name, Any type) : name(std::move(name)), type(std::move(type)) {}
  MUTATE_NODE(Var, FreeVar)
  Var(String name, Any type) : Var(make_object<VarObj>(std::move(name), std::move(type))) {}
};

class DagObj : public Object {
 public:
  Any a;
  DagObj() = default;
  explicit DagObj(Any a) : a(std::move(a)) {}
  MUTATE_NODE(Dag, DAGNode)
  explicit Dag(Any a) : Dag(make_object<DagObj>(std::move(a))) {}
};

/*! \brief A node whose field `params` opens a Pattern region. */
class FnObj : public Object {
 public:
  Array<Var> params;
  Any body;
  FnObj() = default;
  FnObj(Array<Var> params, Any body) : params(std::move(params)), body(std::move(body)) {}
  MUTATE_NODE(Fn, TreeNode)
  Fn(Array<Var> params, Any body) : Fn(make_object<FnObj>(std::move(params), std::move(body))) {}
};

/*! \brief A node whose field `params` opens a Simple region. */
class LetObj : public Object {
 public:
  Array<Var> params;
  Any body;
  LetObj() = default;
  LetObj(Array<Var> params, Any body) : params(std::move(params)), body(std::move(body)) {}
  MUTATE_NODE(Let, TreeNode)
  Let(Array<Var> params, Any body) : Let(make_object<LetObj>(std::move(params), std::move(body))) {}
};

/*! \brief A node class without a shallow copy. */
class NoCopyObj : public Object {
 public:
  Any a;
  explicit NoCopyObj(Any a) : a(std::move(a)) {}
  NoCopyObj(const NoCopyObj&) = delete;
  MUTATE_NODE(NoCopy, TreeNode)
  explicit NoCopy(Any a) : NoCopy(make_object<NoCopyObj>(std::move(a))) {}
};

#undef MUTATE_NODE

/*! \brief Register the classes, once. */
inline void RegisterNodes() {
  namespace refl = tvm::ffi::reflection;
  static bool done = [] {
    refl::ObjectDef<PairObj>().def_rw("a", &PairObj::a).def_ro("b", &PairObj::b);
    refl::ObjectDef<IntBoxObj>()
        .def_rw("value", &IntBoxObj::value)
        .def_rw("ignored", &IntBoxObj::ignored, refl::AttachFieldFlag::SEqHashIgnore());
    refl::ObjectDef<VarObj>().def_rw("name", &VarObj::name).def_rw("type", &VarObj::type);
    refl::ObjectDef<DagObj>().def_rw("a", &DagObj::a);
    refl::ObjectDef<FnObj>()
        .def_rw("params", &FnObj::params, refl::AttachFieldFlag::SEqHashDefPattern())
        .def_rw("body", &FnObj::body);
    refl::ObjectDef<LetObj>()
        .def_rw("params", &LetObj::params, refl::AttachFieldFlag::SEqHashDefSimple())
        .def_rw("body", &LetObj::body);
    refl::ObjectDef<NoCopyObj>(refl::init(false)).def_rw("a", &NoCopyObj::a);
    return true;
  }();
  (void)done;
}

/*! \brief Return the text that ReprPrint gives for a value. */
inline std::string Text(const Any& value) { return std::string(tvm::ffi::ReprPrint(value)); }

}  // namespace mutate_nodes

#endif  // TVM_FFI_TESTS_CPP_MUTATE_NODES_H_
