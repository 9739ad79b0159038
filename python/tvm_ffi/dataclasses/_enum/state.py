# SPDX-License-Identifier: Apache-2.0
"""The native state of an enum, shared by all languages."""

from __future__ import annotations

from ... import core
from ..c_class import c_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...container import Dict, List

# The type attribute that stores the state.
ENUM_STATE_ATTR = "__ffi_enum__"


@c_class("ffi.EnumState")
class EnumState(core.Object):
    """The state of one enum.

    ``entries`` are the variants in order of registration, ``indexes`` maps numbers and names to
    variants, and ``attrs`` contains the values of variants by column. The containers are live:
    additions to them take effect in all languages.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import EnumState
    >>> len(EnumState().entries)
    0

    """

    entries: List[Any]
    indexes: Dict[Any, Any]
    attrs: Dict[str, Dict[Any, Any]]

    if TYPE_CHECKING:

        def __init__(self) -> None: ...


def state_of(cls: type) -> EnumState | None:
    """Return the state of an enum class, or None if its type is not an enum."""
    info = getattr(cls, "__tvm_ffi_type_info__", None)
    if info is None:
        return None
    state: EnumState | None = core._type_get_attr(info.type_index, ENUM_STATE_ATTR)
    return state
