# SPDX-License-Identifier: Apache-2.0
"""Examples for TS2xx: hierarchy and child slots."""

TEXT = r'''
@ base family
--- schema/ir.py
from tvm_ffi.schema import Object, declare


@declare
class BaseNode(Object):
    """What all have."""

    type_key = "demo.Base"


@declare
class LeafNode(BaseNode):
    """One of them."""

    type_key = "demo.Leaf"

@ TS201
--- schema/a.py
from b import LeafNode
from tvm_ffi.schema import declare


@declare
class BaseNode(LeafNode):
    """What all have."""

    type_key = "demo.Base"
--- schema/b.py
from a import BaseNode
from tvm_ffi.schema import declare


@declare
class LeafNode(BaseNode):
    """One of them."""

    type_key = "demo.Leaf"
$ generate
@ fixed
~ schema/a.py
- from b import LeafNode
- from tvm_ffi.schema import declare
+ from tvm_ffi.schema import Object, declare
- class BaseNode(LeafNode):
+ class BaseNode(Object):

@ TS202
--- schema/a.py
from b import LeafNode
from tvm_ffi.schema import Object, declare


@declare
class BaseNode(Object):
    """What all have."""

    type_key = "demo.Base"
    first: LeafNode
--- schema/b.py
from a import BaseNode
from tvm_ffi.schema import declare


@declare
class LeafNode(BaseNode):
    """One of them."""

    type_key = "demo.Leaf"
$ generate
@ fixed
~ schema/a.py
- from b import LeafNode
- from tvm_ffi.schema import Object, declare
+ from tvm_ffi.schema import Object, declare
-     first: LeafNode
+     first: "LeafNode"

@ TS210
--- schema/ir.py
from tvm_ffi.schema import declare, extern

Stmt = extern("other.Stmt", obj="other::StmtNode", ref="other::Stmt", slots=1)


@declare
class ForNode(Stmt):
    """A loop."""

    type_key = "demo.For"


@declare
class IfNode(Stmt):
    """A condition."""

    type_key = "demo.If"
$ generate
@ fixed
~ schema/ir.py
- Stmt = extern("other.Stmt", obj="other::StmtNode", ref="other::Stmt", slots=1)
+ Stmt = extern("other.Stmt", obj="other::StmtNode", ref="other::Stmt", slots=2)

@ TS211 from family
~ schema/ir.py
-     type_key = "demo.Base"
+     type_key = "demo.Base"
+     sealed = True
+     child_slots = 0
$ generate
@ fixed
~ schema/ir.py
-     child_slots = 0
+     child_slots = "auto"

@ TS212 from family
~ schema/ir.py
-     type_key = "demo.Base"
+     type_key = "demo.Base"
+     final = True
$ generate

@ TS213 from family
~ schema/ir.py
-     type_key = "demo.Base"
+     type_key = "demo.Base"
+     child_slots = 1
-     type_key = "demo.Leaf"
+     type_key = "demo.Leaf"
+     child_slots = 1
$ generate
'''
