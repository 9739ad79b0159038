# SPDX-License-Identifier: Apache-2.0
"""Examples for TS6xx: building, images, and what is read from built libraries."""

TEXT = r'''
@ base point
--- schema/ir.py
from tvm_ffi.schema import Object, cpp, declare, method, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "demo.Point"
    x: int

@ TS601 from point
$ CXX=/nowhere/c++ build -o point.so
@ fixed
$ build -o point.tfs

@ TS602 from point
~ schema/ir.py
-     x: int
+     x: int = cpp("nonsense()")
$ build -o point.o --debug
@ fixed
~ schema/ir.py
-     x: int = cpp("nonsense()")
+     x: int = cpp("1 + 1")

@ TS603 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     type_attrs = {"demo.big": 1 << 70}
$ build -o point.tfs
@ fixed
~ schema/ir.py
-     type_attrs = {"demo.big": 1 << 70}
+     type_attrs = {"demo.big": 1 << 60}

@ TS604 from point
~ schema/ir.py
-     x: int
+     x: int
+
+     @method
+     def moved(self, by: int) -> int:
+         """How far right it is then."""
$ build -o point.tfs

@ TS605
--- shapes.py
from tvm_ffi import Object
from tvm_ffi.dataclasses import field, py_class


@py_class("explained.Point")
class Point(Object):
    """A point."""

    x: int
    odd: object = field(default_factory=object)
$ import --module shapes -o ir.py
@ fixed
~ shapes.py
-     odd: object = field(default_factory=object)
+     odd: object = None

@ TS610 from point
$ build -o point.exe
@ fixed
$ build -o point.tfs

@ TS611 from point
--- src/moved.cc
// Bodies of methods.
$ build -o point.o --debug --sources src/moveed.cc
@ fixed
$ build -o point.o --debug --sources src/moved.cc

@ TS612 from point
$ generate --to python --functions demo=build/libpoint.so
@ fixed
$ generate --to python
'''
