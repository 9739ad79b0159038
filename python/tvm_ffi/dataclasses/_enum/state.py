# SPDX-License-Identifier: Apache-2.0
"""The native state of an enum, the one truth about it."""

from __future__ import annotations

from ... import core
from ...registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...container import Dict, List

# The type attribute under which a type keeps its state.
ENUM_STATE_ATTR = "__ffi_enum__"


@register_object("ffi.EnumState")
class EnumState(core.Object):
    """Everything that is known of one enum, in every language.

    ``entries`` are the variants in order of registration, ``indexes`` has each of them under its
    number and its name, and ``attrs`` holds the values of variants by column. The containers are
    live; the library follows what is added to them.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import EnumState
    >>> len(EnumState().entries)
    0

    """

    if TYPE_CHECKING:
        entries: List[Any]
        indexes: Dict[Any, Any]
        attrs: Dict[str, Dict[Any, Any]]


def state_of(cls: type) -> EnumState | None:
    """Return the state of an enum class, None where its type is no enum."""
    info = getattr(cls, "__tvm_ffi_type_info__", None)
    if info is None:
        return None
    state: EnumState | None = core._type_get_attr(info.type_index, ENUM_STATE_ATTR)
    return state
