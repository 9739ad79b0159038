# SPDX-License-Identifier: Apache-2.0
"""The static members of an object class: the constants and the macro that the runtime reads."""

from __future__ import annotations

from ..cxx.constructs import TABLE
from ..cxx.pattern import Construct, quoted
from ..ir import abi
from ..link import equality, slots
from ..link.program import Class
from . import cpp_classic
from .cpp_layout import wrap_call
from .cpp_methods import exported
from .cpp_type import CppNames
from .writer import Pieces


def emit(cls: Class, names: CppNames) -> Pieces:
    """Return the static members."""
    out: Pieces = [f"  {one.write()};" for one in constants(cls, names)]
    is_apart = cls.registers_itself and cls.d.registration != "inline"
    if is_apart and not cpp_classic.is_node_type(cls, names):
        out.append(f"  {exported(cls, names)}static void RegisterReflection();")
    word, arguments = macro(cls, names).call()
    return [*out, *wrap_call(f"  {word}", arguments, ";")]


def constants(cls: Class, names: CppNames) -> list[Construct]:
    """Return the constants of both dialects in the order in which they are written."""
    stated = {
        "kind": abi.STRUCTURAL_KINDS_IN_C.get(_kind(cls, names), ""),
        "mutable": "true" if cls.d.mutable else "",
        "slots": str(cls.slots) if slots.must_state(cls) else "",
        "overflow": "false" if cls.d.sealed else "",
    }
    return [TABLE.make("BODY", name, value=text) for name, text in stated.items() if text]


def _kind(cls: Class, names: CppNames) -> str:
    """Return the structural kind that the class states."""
    if cpp_classic.is_classic(cls, names):  # reducers say that a class is a tree or a variable
        return "" if cls.d.structural_eq in ("tree", "var") else cls.d.structural_eq
    if isinstance(cls.parent, Class) and cpp_classic.is_classic(cls.parent, names):
        # A parent in the classic dialect has reducers instead of a structural kind. Reducers are
        # not inherited, so this class states its kind even if the parent has the same kind.
        return equality.effective_kind(cls, names.options.customs)
    return equality.stated_kind(cls, names.options.customs)


def macro(cls: Class, names: CppNames) -> Construct:
    """Return the macro that declares the type."""
    values = {"cls": cls.obj, "parent": names.object_class(cls.parent.type_key)}
    if cpp_classic.is_classic(cls, names):
        return TABLE.make("BODY", "info", cls.final, "classic", **values)
    return TABLE.make("BODY", "info", cls.final, key=quoted(cls.type_key), **values)
