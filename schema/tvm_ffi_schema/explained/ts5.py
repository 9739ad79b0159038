# SPDX-License-Identifier: Apache-2.0
"""Examples for TS5xx: comparisons with an older version."""

TEXT = r'''
@ base versions
--- old/ir.py
from tvm_ffi.schema import Object, declare


@declare
class PointNode(Object):
    """A point."""

    type_key = "demo.Point"
    x: int
    y: int = 0
--- schema/ir.py
from tvm_ffi.schema import Object, declare


@declare
class PointNode(Object):
    """A point."""

    type_key = "demo.Point"
    x: int
    y: int = 0

@ TS500 from versions
~ schema/ir.py
-     y: int = 0
+     y: int = 1
$ breaking --against old
@ fixed
~ schema/ir.py
-     type_key = "demo.Point"
+     # tschema: allow FIELD_SAME_DEFAULT -- nobody relied on 0
+     type_key = "demo.Point"

@ TS501 from versions
~ schema/ir.py
-     y: int = 0
+     # tschema: allow FIELD_NO_DELETE -- z is computed now
+     y: int = 0
$ breaking --against old

@ TS502 from versions
--- old/ir.py
from tvm_ffi.schema import Object

class (Object):
$ breaking --against old

@ TS503 from versions
~ schema/ir.py
-     """A point."""
+     """A point in the plane."""
$ breaking --against old --all
@ fixed
$ breaking --against old
'''
