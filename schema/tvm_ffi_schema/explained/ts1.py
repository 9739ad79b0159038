# SPDX-License-Identifier: Apache-2.0
"""Examples for TS1xx: markers, and the files that are written."""

TEXT = r'''
@ base marked
--- tschema.toml
mode = "inplace"
--- schema/ir.py
from tvm_ffi.schema import Object, declare, module

__tschema__ = module(header="ir.h")


@declare
class PointNode(Object):
    """A point."""

    type_key = "demo.Point"
    ref = False
    x: int
--- include/ir.h
// tschema: PointNode
// tschema: end

@ base whole
--- schema/ir.py
from tvm_ffi.schema import Object, declare


@declare
class PointNode(Object):
    """A point."""

    type_key = "demo.Point"
    x: int

@ TS101 from marked
--- include/ir.h
// tschema: PointNode
int mine;
$ generate
@ fixed
--- include/ir.h
// tschema: PointNode
// tschema: end
int mine;

@ TS102 from marked
--- include/ir.h
// tschema: end
// tschema: PointNode
// tschema: end
$ generate

@ TS103 from marked
--- include/ir.h
// tschema: PointNode
// tschema: @includes
// tschema: end
// tschema: end
$ generate
@ fixed
--- include/ir.h
// tschema: @includes
// tschema: end
// tschema: PointNode
// tschema: end

@ TS104 from marked
--- include/ir.h
// tschema: PiontNode
// tschema: end
$ generate

@ TS105 from marked
--- include/ir.h
// tschema: PointNode
// tschema: end
// tschema: PointNode
// tschema: end
$ generate

@ TS106 from marked
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin
// tschema: end
$ generate
@ fixed
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin
// tschema: custom-end
// tschema: end

@ TS107 from marked
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin tial
int mine{1};
// tschema: custom-end
// tschema: end
$ generate
@ fixed
~ include/ir.h
- // tschema: custom-begin tial
+ // tschema: custom-begin tail

@ TS108 from marked
$ generate
~ include/ir.h
-   int64_t x{};
+   int32_t x{};
$ generate
@ fixed
~ schema/ir.py
- from tvm_ffi.schema import Object, declare, module
+ from tvm_ffi.schema import Object, declare, module, ty
-     x: int
+     x: ty.int32_t
~ include/ir.h
-   int32_t x{};
+   int64_t x{};
$ generate

@ TS109 from marked
--- include/ir.h
// tschema: PointNode
  int mine() const { return 1; }
// tschema: end
$ generate
@ fixed
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin
  int mine() const { return 1; }
// tschema: custom-end
// tschema: end

@ TS110 from marked
--- include/ir.h
// tschema: PointNode
<<<<<<< ours
  int64_t x{};
=======
  int64_t y{};
>>>>>>> theirs
// tschema: end
$ generate
@ fixed
--- include/ir.h
// tschema: PointNode
  int64_t x{};
// tschema: end

@ TS111 from marked
--- include/ir.h
// tchema: PointNode
// tschema: PointNode
// tschema: end
$ generate

@ TS112 from marked
--- include/ir.h escaped
// tschema: PointNode\r
// tschema: custom-begin\r
// tschema: custom-end\r
// tschema: end
$ generate
@ fixed
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin
// tschema: custom-end
// tschema: end

@ TS113 from marked
--- include/ir.h
// tschema: @includes
// tschema: end
$ generate
@ fixed
--- include/ir.h
// tschema: @includes
// tschema: end
// tschema: PointNode
// tschema: end

@ TS114 from marked
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin registration
  int moved() const { return 1; }
// tschema: custom-end
// tschema: end
$ generate
@ fixed
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin tail
  int moved() const { return 1; }
// tschema: custom-end
// tschema: end

@ TS115 from whole
--- include/ir.h
// By hand.
$ generate
@ fixed
--- tschema.toml
mode = "inplace"
--- include/ir.h
// By hand.
// tschema: PointNode
// tschema: end

@ TS116 from whole
--- schema/shapes.py
from tvm_ffi.schema import Object, declare


@declare
class ShapeNode(Object):
    """A shape."""

    type_key = "demo.Shape"
$ generate
--- tschema.toml
sources = ["schema/ir.py"]
$ check
@ fixed
--- tschema.toml
sources = ["schema/*.py"]

@ TS117 from whole
$ generate
~ schema/ir.py
-     x: int
+     x: int
+     y: int
! somebody writes to include/ir.h during the run
$ generate
@ fixed
$ generate --force

@ TS118 from whole
--- include
A file where a directory should be.
$ generate
@ fixed
--- tschema.toml
cpp_include_root = "headers"

@ TS119 from whole
! another run is at work in this directory
$ generate
@ fixed

@ TS120 from marked
--- include/ir.h escaped
// tschema: PointNode
// tschema: end
// caf\xe9
$ generate
@ fixed
--- include/ir.h
// tschema: PointNode
// tschema: end
// café

@ TS121 from marked
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin method:gone
  int gone() const { return 1; }
// tschema: custom-end
// tschema: end
$ check
@ fixed
--- include/ir.h
// tschema: PointNode
// tschema: custom-begin
  int gone() const { return 1; }
// tschema: custom-end
// tschema: end
$ generate
'''
