# SPDX-License-Identifier: Apache-2.0
"""The static members of an object class: constants and object information."""

from __future__ import annotations

from ..ir import abi
from ..link import equality
from ..link.program import Class
from . import cpp_classic
from .cpp_layout import wrap_call
from .cpp_methods import exported
from .cpp_type import CppNames
from .writer import Pieces, quoted


def emit(cls: Class, names: CppNames) -> Pieces:
    """Return the static members: constants that the runtime reads, and the macro."""
    out: Pieces = []
    kind = equality.stated_kind(cls, names.options.customs)
    if isinstance(cls.parent, Class) and cpp_classic.is_classic(cls.parent, names):
        # A parent in the classic dialect has reducers instead of a structural kind. Reducers are
        # not inherited, so this class states its kind even if the parent has the same kind.
        kind = equality.effective_kind(cls, names.options.customs)
    if kind:
        word = abi.STRUCTURAL_KINDS_IN_C[kind]
        out.append(f"  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = {word};")
    out += cpp_classic.type_constants(cls)
    if cls.registers_itself:
        out.append(f"  {exported(cls, names)}static void RegisterReflection();")
    macro = "TVM_FFI_DECLARE_OBJECT_INFO" + ("_FINAL" if cls.final else "")
    arguments = [quoted(cls.type_key), cls.obj, names.object_class(cls.parent.type_key)]
    out += wrap_call(f"  {macro}", arguments, ";")
    return out
