# SPDX-License-Identifier: Apache-2.0
"""Check the settings of classes, and convert their values to the form of the IR."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .. import dsl
from ..diag import Bag, near
from ..dsl.table import CLASS
from ..ir import Span
from .raw import EntryName, RawClass


def check(raw: RawClass, bag: Bag) -> dict[str, Any]:
    """Return the valid settings; report the other settings."""
    good = {}
    for name, (value, span) in raw.settings.items():
        if name not in CLASS:
            hint = near(name, CLASS) or "annotate the name to make it a field"
            if any(isinstance(b, type) and issubclass(b, dsl.Enum) for b, _ in raw.bases):
                payload = f", and `{name} = entry({value!r})` in an IntEnum or a StrEnum"
                hint = f"write an entry as `{name} = entry()`{payload}"
            bag.add("TS021", f"{name!r} is not a setting", span, help=hint)
            continue
        wanted = CLASS[name].problem(value)
        if wanted is None:
            good[name] = value
        else:
            bag.add("TS023", f"{name} must be {wanted}, found {_shown(value)}", span)
    return good


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def literal(value: Any, span: Span, bag: Bag, what: str) -> Any:
    """Return a value in the form of the IR; report a value that the IR cannot represent."""
    if isinstance(value, dsl.CppText):
        return {"$cpp": value.text}
    if isinstance(value, (dsl.EntrySpec, EntryName)):
        return {"$entry": [value.owner, value.name]}
    if isinstance(value, float) and math.isnan(value):
        return math.nan  # always return the same object, so that comparison by identity works
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value
    if isinstance(value, (list, tuple)):
        return [literal(item, span, bag, what) for item in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: literal(item, span, bag, what) for key, item in value.items()}
    bag.add("TS035", f"{what}: {_shown(value)} has no literal form", span, help='use cpp("...")')
    return None
