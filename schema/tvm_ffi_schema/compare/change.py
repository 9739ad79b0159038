# SPDX-License-Identifier: Apache-2.0
"""One change between two schemas."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Span
from ..link.program import Class


@dataclass(frozen=True)
class Change:
    """One change: rule, type key, description, and the class with comments that may allow it.

    `remedy` says how to change the schema so that the change breaks fewer users.
    """

    rule: str
    type_key: str
    text: str
    span: Span
    cls: Class | None = None
    remedy: str = ""
