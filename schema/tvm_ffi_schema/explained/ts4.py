# SPDX-License-Identifier: Apache-2.0
"""Examples for TS4xx: hand-written C++, bindings and libraries against the schema."""

TEXT = r'''
@ base call
--- schema/ir.py
from tvm_ffi.schema import Object, declare, field, method


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "demo.Expr"


@declare
class CallNode(ExprNode):
    """A call."""

    type_key = "demo.Call"
    op: str
    level: int = field(default=3, structural_eq="ignore")

    @method
    def arity(self, extra: int) -> int:
        """How many operands there are."""
--- include/ir.h
#include <tvm/ffi/tvm_ffi.h>

class ExprNode : public tvm::ffi::Object {
 public:
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr uint32_t _type_child_slots = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Expr", ExprNode, tvm::ffi::Object);
};
class Expr : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Expr, tvm::ffi::ObjectRef, ExprNode);
};

class CallNode : public ExprNode {
 public:
  tvm::ffi::String op;
  int64_t level = 3;
  CallNode() = default;
  CallNode(tvm::ffi::String op, int64_t level) : op(std::move(op)), level(level) {}
  int64_t arity(int64_t extra) const { return extra; }
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Call", CallNode, ExprNode);
};
class Call : public Expr {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Call, Expr, CallNode);
};
--- src/ir.cc
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<ExprNode>();
  refl::ObjectDef<CallNode>()
      .def_ro("op", &CallNode::op)
      .def_ro("level", &CallNode::level, refl::default_value(3), refl::AttachFieldFlag::SEqHashIgnore())
      .def("arity", &CallNode::arity, "How many operands there are.");
}

@ TS401 from call
~ include/ir.h
- class CallNode : public ExprNode {
+ class CalNode : public ExprNode {
$ validate

@ TS402 from call
~ schema/ir.py
-
- @declare
- class CallNode(ExprNode):
-     """A call."""
-
-     type_key = "demo.Call"
-     op: str
-     level: int = field(default=3, structural_eq="ignore")
-
-     @method
-     def arity(self, extra: int) -> int:
-         """How many operands there are."""
+
~ include/ir.h
-   static constexpr uint32_t _type_child_slots = 1;
+   static constexpr uint32_t _type_child_slots = 0;
$ validate

@ TS403 from call
~ include/ir.h
-   TVM_FFI_DECLARE_OBJECT_INFO("demo.Call", CallNode, ExprNode);
+   TVM_FFI_DECLARE_OBJECT_INFO("demo.Cal", CallNode, ExprNode);
$ validate

@ TS404 from call
~ include/ir.h
- class CallNode : public ExprNode {
+ class CallNode : public tvm::ffi::Object {
$ validate

@ TS405 from call
~ include/ir.h
-   TVM_FFI_DECLARE_OBJECT_INFO("demo.Call", CallNode, ExprNode);
+   TVM_FFI_DECLARE_OBJECT_INFO("demo.Call", CallNode, tvm::ffi::Object);
$ validate

@ TS406 from call
~ src/ir.cc
-   refl::ObjectDef<ExprNode>();
-   refl::ObjectDef<CallNode>()
+   refl::ObjectDef<CallNode>()
$ validate

@ TS407 from call
~ include/ir.h
-   int64_t level = 3;
+   int64_t level = 3;
+   static void RegisterReflection();
$ validate
@ fixed
~ src/ir.cc
- TVM_FFI_STATIC_INIT_BLOCK() {
+ TVM_FFI_STATIC_INIT_BLOCK() {
+   CallNode::RegisterReflection();

@ TS408 from call
~ src/ir.cc
-       .def_ro("op", &CallNode::op)
-       .def_ro("level", &CallNode::level, refl::default_value(3), refl::AttachFieldFlag::SEqHashIgnore())
+       .def_ro("level", &CallNode::level, refl::default_value(3), refl::AttachFieldFlag::SEqHashIgnore())
$ validate

@ TS409 from call
~ src/ir.cc
-       .def_ro("op", &CallNode::op)
+       .def_ro("op", &CallNode::level)
$ validate

@ TS410 from call
~ src/ir.cc
-       .def_ro("op", &CallNode::op)
+       .def_ro("op", &CallNode::op)
+       .def_ro("name", &CallNode::op)
$ validate

@ TS411 from call
~ include/ir.h
-   int64_t level = 3;
+   int32_t level = 3;
$ validate

@ TS412 from call
~ include/ir.h
-   tvm::ffi::String op;
-   int64_t level = 3;
+   int64_t level = 3;
+   tvm::ffi::String op;
$ validate

@ TS413 from call
~ src/ir.cc
-       .def_ro("op", &CallNode::op)
+       .def_rw("op", &CallNode::op)
$ validate

@ TS414 from call
~ include/ir.h
-   int64_t level = 3;
+   int64_t level = 4;
$ validate

@ TS415 from call
~ include/ir.h
-   int64_t level = 3;
+   int64_t level;
$ validate

@ TS416 from call
~ src/ir.cc
-       .def_ro("level", &CallNode::level, refl::default_value(3), refl::AttachFieldFlag::SEqHashIgnore())
+       .def_ro("level", &CallNode::level, refl::default_value(3))
$ validate

@ TS417 from call
~ include/ir.h
-   static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
+   static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;
$ validate

@ TS418 from call
~ src/ir.cc
-       .def("arity", &CallNode::arity, "How many operands there are.");
+       .def("arity", &CallNode::arity, "How many operands there are.");
+   refl::TypeAttrDef<CallNode>().def("__s_equal__", &CallNode::SEqual);
$ validate
@ fixed
~ src/ir.cc
-   refl::TypeAttrDef<CallNode>().def("__s_equal__", &CallNode::SEqual);
+   refl::TypeAttrDef<CallNode>()
+       .def("__s_equal__", &CallNode::SEqual)
+       .def("__s_hash__", &CallNode::SHash);

@ TS419 from call
~ include/ir.h
-   CallNode(tvm::ffi::String op, int64_t level) : op(std::move(op)), level(level) {}
+   CallNode(int64_t level) : level(level) {}
$ validate

@ TS420 from call
~ include/ir.h
-   int64_t arity(int64_t extra) const { return extra; }
+   int64_t arity() const { return 0; }
$ validate

@ TS421 from call
~ include/ir.h
- class Call : public Expr {
+ class Call : public tvm::ffi::ObjectRef {
$ validate

@ TS422 from call
~ include/ir.h
-   static constexpr uint32_t _type_child_slots = 1;
+   static constexpr uint32_t _type_child_slots = 9;
$ validate

@ TS423 from call
~ include/ir.h
-   TVM_FFI_DECLARE_OBJECT_INFO("demo.Expr", ExprNode, tvm::ffi::Object);
+   TVM_FFI_DECLARE_OBJECT_INFO_FINAL("demo.Expr", ExprNode, tvm::ffi::Object);
$ validate

@ TS424 from call
~ include/ir.h
-   TVM_FFI_DECLARE_OBJECT_INFO("demo.Expr", ExprNode, tvm::ffi::Object);
+   TVM_FFI_DECLARE_OBJECT_INFO_FINAL("demo.Expr", ExprNode, tvm::ffi::Object);
$ validate

@ TS425 from call
~ schema/ir.py
-     op: str
+     op: str = field(doc="What is called.")
~ src/ir.cc
-       .def_ro("op", &CallNode::op)
+       .def_ro("op", &CallNode::op, "Something else.")
$ validate
@ fixed
~ src/ir.cc
-       .def_ro("op", &CallNode::op, "Something else.")
+       .def_ro("op", &CallNode::op, "What is called.")

@ TS426 from call
--- python/ir.py
from tvm_ffi import Object
from tvm_ffi.dataclasses import c_class


@c_class("demo.Call")
class Call(Object):
    op: bytes
    level: int = 3
$ validate
@ fixed
~ python/ir.py
-     op: bytes
+     op: str

@ TS427 from call
~ include/ir.h
-   int64_t level = 3;
+   int64_t level = 3;
+   int64_t scratch = 0;
$ validate
@ fixed
~ schema/ir.py
-     level: int = field(default=3, structural_eq="ignore")
+     level: int = field(default=3, structural_eq="ignore")
+     scratch: int = field(default=0, reflect=False, init=False)

@ TS428 from call
~ include/ir.h
-   int64_t level = 3;
+   int64_t level = 3; PROJECT_MACRO x(]
$ validate

@ base library
--- schema/ir.py
from tvm_ffi.schema import IntEnum, Object, auto_slots, declare, entry, ty


@declare
class ShapeNode(Object):
    """A shape."""

    type_key = "explained.Shape"


@declare
class PointNode(ShapeNode):
    """A point."""

    type_key = "explained.Point"
    type_attrs = {"explained.rank": 1}
    x: int = 1


@declare
class Colour(IntEnum):
    """A colour."""

    type_key = "explained.Colour"
    Red = entry(1)
$ build -q -o point.tfs

@ TS431 from library
~ schema/ir.py
-     type_key = "explained.Point"
+     type_key = "explained.Place"
+     ref = "Point"
$ validate --lib point.tfs

@ TS432 from library
~ schema/ir.py
- class PointNode(ShapeNode):
+ class PointNode(Object):
$ validate --lib point.tfs

@ TS433 from library
~ schema/ir.py
-     x: int = 1
+     y: int = 1
$ validate --lib point.tfs

@ TS434 from library
~ schema/ir.py
-     x: int = 1
+     x: ty.int32_t = 1
$ validate --lib point.tfs

@ TS435 from library
~ schema/ir.py
-     x: int = 1
+     x: float = 1
$ validate --lib point.tfs

@ TS436 from library
~ schema/ir.py
-     x: int = 1
+     x: int = 2
$ validate --lib point.tfs

@ TS437 from library
~ schema/ir.py
-     type_key = "explained.Shape"
+     type_key = "explained.Shape"
+     child_slots = auto_slots(extra=4)
$ validate --lib point.tfs

@ TS438 from library
~ schema/ir.py
-     type_attrs = {"explained.rank": 1}
+     type_attrs = {"explained.rank": 2}
$ validate --lib point.tfs

@ TS439 from library
~ schema/ir.py
-     Red = entry(1)
+     Red = entry(1)
+     Green = entry(2)
$ validate --lib point.tfs
'''
