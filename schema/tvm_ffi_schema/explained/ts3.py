# SPDX-License-Identifier: Apache-2.0
"""Examples for TS3xx: what `lint` finds."""

TEXT = r'''
@ base point
--- schema/ir.py
from tvm_ffi.schema import Object, declare, extern, field, module, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "demo.Point"

    #: How far right.
    x: int
$ lint

@ TS301 from point
~ schema/ir.py
- class PointNode(Object):
+ class Point(Object):
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     cpp_name = "PointThing"
$ lint

@ TS302 from point
~ schema/ir.py
-     x: int
+     X: int
$ lint

@ TS303 from point
~ schema/ir.py
- @declare
+ __tschema__ = module(namespace="shapes")
+
+
+ @declare
$ lint
@ fixed
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "shapes.Point"

@ TS310 from point
--- tschema.toml
[lint]
select = ["ALL"]
~ schema/ir.py
-     """A point."""
-
-     type_key = "demo.Point"
+     type_key = "demo.Point"
$ lint

@ TS311 from point
~ schema/ir.py
-     x: int
+     x: int = field(doc="How far left.")
$ lint

@ TS312 from point
--- tschema.toml
[lint]
select = ["ALL"]
~ schema/ir.py
-     #: How far right.
-     x: int
+     x: int
$ lint

@ TS320 from point
~ schema/ir.py
-     x: int
+     x: ty.List[int] = []
$ generate
@ fixed
~ schema/ir.py
-     x: ty.List[int] = []
+     x: ty.List[int] = field(default_factory=lambda: [])

@ TS321 from point
~ schema/ir.py
-     x: int
+     x: ty.Any
$ lint

@ TS322 from point
~ schema/ir.py
-     x: int
+     default: int
$ generate
@ fixed
~ schema/ir.py
-     default: int
+     default_: int = field(name="default")

@ TS323 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     mutable = True
+     structural_eq = "tree"
$ lint
@ fixed
~ schema/ir.py
-     structural_eq = "tree"
+     structural_eq = "singleton"

@ TS324 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     s_equal = "Equal"
$ lint
@ fixed
~ schema/ir.py
-     s_equal = "Equal"
+     s_equal = "Equal"
+     s_hash = "Hash"

@ TS325 from point
~ schema/ir.py
- @declare
+ Centre = extern("other.Centre", obj="other::CentreNode", ref="other::Centre", parent="demo.Point")
+
+
+ @declare
$ lint
@ fixed
~ schema/ir.py
- from tvm_ffi.schema import Object, declare, extern, field, module, ty
+ from tvm_ffi.schema import Object, auto_slots, declare, extern, field, module, ty
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     child_slots = auto_slots(extra=4)

@ TS326 from point
~ schema/ir.py
- @declare
+ __tschema__ = module(dialect="classic")
+
+
+ @declare
-     x: int
+     x: int = field(structural_eq="def-simple")
$ lint
@ fixed
~ schema/ir.py
-     x: int = field(structural_eq="def-simple")
+     x: int = field(structural_eq="def")

@ TS330 from point
~ schema/ir.py
- @declare
+ Stmt = extern("other.Stmt", obj="other::StmtNode", ref="other::Stmt")
+
+
+ @declare
$ lint

@ TS331 from point
~ schema/ir.py
-     x: int
+     x: int  # tschema: allow TS312 -- plain to see
$ lint

@ TS332 from point
~ schema/ir.py
-     #: How far right.
-     x: int
+     x: int  # tschema: allow TS312
$ lint
@ fixed
~ schema/ir.py
-     x: int  # tschema: allow TS312
+     x: int  # tschema: allow TS312 -- plain to see
'''
