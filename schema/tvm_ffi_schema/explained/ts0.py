# SPDX-License-Identifier: Apache-2.0
"""Examples for TS0xx: files, configuration, and the language of schema files."""

TEXT = r'''
@ base point
--- schema/ir.py
from tvm_ffi.schema import Object, declare, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "demo.Point"
    x: int

@ TS001
--- schema/ir.py escaped
"""A caf\xe9, in Latin-1."""
$ generate
@ fixed
--- schema/ir.py
"""A café, in UTF-8."""

@ TS002 from point
~ schema/ir.py
- class PointNode(Object):
+ class PointNode(Object)
$ generate

@ TS003
--- ir.json
{"version": "tschema-ir/9", "modules": []}
$ generate ir.json
@ fixed
~ ir.json
- {"version": "tschema-ir/9", "modules": []}
+ {"version": "tschema-ir/1", "modules": []}

@ TS004
--- schema/ir.py
from tvm_ffi.schema import Object, declare

for name in ("Add", "Sub", 3):
    declare(type(name + "Node", (Object,), {"type_key": "demo." + name}))
$ generate --frontend import
@ fixed
~ schema/ir.py
- for name in ("Add", "Sub", 3):
+ for name in ("Add", "Sub"):

@ TS005
--- tschema.toml
sources = ["defs/*.py"]
--- schema/ir.py
"""Classes will come."""
$ generate
@ fixed
--- tschema.toml
sources = ["schema/*.py"]

@ TS010 from point
--- tschema.toml
modus = "full"
$ generate
@ fixed
--- tschema.toml
mode = "full"

@ TS011 from point
--- tschema.toml
guard = "sums"
$ generate
@ fixed
--- tschema.toml
guard = "sum"

@ TS012 from point
--- tschema.toml
mode = full
$ generate
@ fixed
--- tschema.toml
mode = "full"

@ TS013
--- schema/ir.py
"""Classes will come."""
--- include/ir.h
// Classes will come.
--- src/ir.cc
// Classes will come.
! tree-sitter is not installed
$ validate
@ fixed
$ validate

@ TS014
--- schema/ir.py
"""Classes will come."""
! the package acme has a rule that cannot be imported
$ lint
@ fixed

@ TS020 from point
~ schema/ir.py
-     x: int
+     x: int = len("abc")
$ generate

@ TS021 from point
~ schema/ir.py
-     x: int
+     x: int
+     mutabel = True
$ generate
@ fixed
~ schema/ir.py
-     mutabel = True
+     mutable = True

@ TS022 from point
~ schema/ir.py
-     type_key = "demo.Point"
-     x: int
+     x: int
$ generate

@ TS023 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     final = "yes"
$ generate
@ fixed
~ schema/ir.py
-     final = "yes"
+     final = True

@ TS024 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Place"
$ generate
@ fixed
~ schema/ir.py
-     type_key = "demo.Place"
+     type_key = "demo.Place"
+     ref = "Point"

@ TS025 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     default_sequal_reduce = False
$ generate
@ fixed
~ schema/ir.py
-     default_sequal_reduce = False
+     default_sequal_reduce = False
+     default_shash_reduce = False

@ TS026 from point
~ schema/ir.py
-     x: int
+     x: int = 0
+     y: int
$ generate
@ fixed
~ schema/ir.py
-     y: int
+     y: int = 0

@ TS027 from point
~ schema/ir.py
-     x: int
+     x: int
+     next: "PiontNode"
$ generate
@ fixed
~ schema/ir.py
-     next: "PiontNode"
+     next: "PointNode"

@ TS028 from point
~ schema/ir.py
-     x: int
+     x: int
+
+
+ @declare
+ class PlaceNode(Object):
+     """A place."""
+
+     type_key = "demo.Point"
$ generate
@ fixed
~ schema/ir.py
-     """A place."""
-
-     type_key = "demo.Point"
+     """A place."""
+
+     type_key = "demo.Place"

@ TS029 from point
--- schema/other.py
from tvm_ffi.schema import Object, declare


@declare
class PointNode(Object):
    """A point of something else."""

    type_key = "other.Point"
--- schema/user.py
from tvm_ffi.schema import Object, declare


@declare
class LineNode(Object):
    """A line."""

    type_key = "demo.Line"
    start: "PointNode"
$ generate
@ fixed
~ schema/user.py
- from tvm_ffi.schema import Object, declare
+ from tvm_ffi.schema import Object, declare
+
+ from ir import PointNode

@ TS030 from point
~ schema/ir.py
-     x: int
+     x: ty.Array[int, int]
$ generate
@ fixed
~ schema/ir.py
-     x: ty.Array[int, int]
+     x: ty.Map[int, int]

@ TS032 from point
~ schema/ir.py
-     x: int
+     x: int
+     x: float
$ generate
@ fixed
~ schema/ir.py
-     x: float
+     y: float

@ TS033 from point
~ schema/ir.py
-     x: int
+     x: int
+
+
+ @declare
+ class NamedNode(Object):
+     """Something with a name."""
+
+     type_key = "demo.Named"
+     name: str
+
+
+ @declare
+ class TownNode(PointNode, NamedNode):
+     """A point with a name."""
+
+     type_key = "demo.Town"
$ generate
@ fixed
~ schema/ir.py
- from tvm_ffi.schema import Object, declare, ty
+ from tvm_ffi.schema import Object, declare, mixin, ty
- @declare
- class NamedNode(Object):
-     """Something with a name."""
-
-     type_key = "demo.Named"
-     name: str
+ @mixin
+ class Named:
+     """Something with a name."""
+
+     name: str
- class TownNode(PointNode, NamedNode):
+ class TownNode(PointNode, Named):

@ TS035 from point
~ schema/ir.py
-     x: int
+     x: ty.int8_t = 128
$ generate
@ fixed
~ schema/ir.py
-     x: ty.int8_t = 128
+     x: ty.int16_t = 128

@ TS036
--- schema/ir.py
from tvm_ffi.schema import IntEnum, declare, entry


@declare
class Colour(IntEnum):
    """A colour."""

    type_key = "demo.Colour"
    Red = entry(1)
    Green = entry(1)
$ generate
@ fixed
~ schema/ir.py
-     Green = entry(1)
+     Green = entry(2)

@ TS037 from point
~ schema/ir.py
- @declare
- class PointNode(Object):
+ class PointNode(Object):
$ generate

@ TS038 from point
~ schema/ir.py
-     """A point."""
+     """A point.
+
+     Attributes
+     ----------
+     z
+         How far up.
+     """
$ generate
@ fixed
~ schema/ir.py
-     z
-         How far up.
+     x
+         How far right.

@ TS039 from point
~ schema/ir.py
-     x: int
+     data_: int
$ generate
@ fixed
~ schema/ir.py
-     data_: int
+     data: int

@ TS040 from point
~ schema/ir.py
- from tvm_ffi.schema import Object, declare, ty
+ from tvm_ffi.schema import Object, declare, method, ty
-     x: int
+     x: int
+
+     @method
+     def moved(self, by) -> int:
+         """How far right it is then."""
$ generate
@ fixed
~ schema/ir.py
-     def moved(self, by) -> int:
+     def moved(self, by: int) -> int:

@ TS041
--- schema/ir.py
from tvm_ffi.schema import mixin


@mixin
class Named:
    """Something with a name."""

    type_key = "demo.Named"
    name: str
$ generate
@ fixed
~ schema/ir.py
-     type_key = "demo.Named"
-     name: str
+     name: str

@ TS042 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     reserved = ["x"]
$ generate
@ fixed
~ schema/ir.py
-     x: int
+     right: int

@ TS043 from point
~ schema/ir.py
-     type_key = "demo.Point"
+     type_key = "demo.Point"
+     type_attrs = {"__ffi_repr__": 1}
$ generate
@ fixed
~ schema/ir.py
-     type_attrs = {"__ffi_repr__": 1}
+     type_attrs = {"demo.rank": 1}
'''
