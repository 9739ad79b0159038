# SPDX-License-Identifier: Apache-2.0
"""One change between two schemas."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Span
from ..link.program import Class


@dataclass(frozen=True)
class Change:
    """One change, with its rule, the type key of its class, and its description `text`.

    Comments in the class `cls` may allow the change. `remedy` says how to edit the schema so that
    the change breaks fewer users.
    """

    rule: str
    type_key: str
    text: str
    span: Span
    cls: Class | None = None
    remedy: str = ""
