# SPDX-License-Identifier: Apache-2.0
"""Classes that refer to classes of another file and of another crate."""

from __future__ import annotations

from typing import Optional

from terms import CallNode, Kind, TermNode

from tvm_ffi_schema import Object, declare, entry, extern, field, module, ty

__tschema__ = module(namespace="units", type_key_prefix="units.")

Step = extern("ffi.reflection.AccessStep", obj="other::StepObj", ref="other::Step", header="o.h")


@declare
class Option(Object):
    """Has the name of a type of Rust."""

    type_key = "Option"
    step: Optional[Step] = None
    kind: Optional[Kind] = None
    calls: ty.List[CallNode] = field(default_factory=list)


@declare
class LoopNode(CallNode):
    """Derives from a class of another file."""

    type_key = "Loop"
    body: Optional[TermNode] = None


@declare
class UnitNode(Object):
    """Entries of a plain object."""

    type_key = "Unit"
    metres: float = 1.0
    metre = entry()
    mile = entry(metres=1609.344, attrs={"symbol": "mi"})
