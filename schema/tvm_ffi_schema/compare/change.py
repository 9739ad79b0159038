# SPDX-License-Identifier: Apache-2.0
"""One change between two schemas."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Span
from ..link.program import Class


@dataclass(frozen=True)
class Change:
    """One change: the rule, the type key, what happened, and the class that allows it or not.

    `remedy` says how to change the schema such that the change breaks no user, or fewer.
    """

    rule: str
    type_key: str
    text: str
    span: Span
    cls: Class | None = None
    remedy: str = ""
