# SPDX-License-Identifier: Apache-2.0
"""The settings of a class: which there are, what they may be, what they become."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from .. import dsl, names
from ..diag import Bag, near
from ..ir import Span
from .raw import EntryName, RawClass

EQUALITY_KINDS = ("tree", "var", "dag", "const-tree", "singleton")


def _bool(value: Any) -> str | None:
    return None if type(value) is bool else "a bool"


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) else "a text"


def _texts(value: Any) -> str | None:
    good = isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
    return None if good else "a list of texts"


def _dict(value: Any) -> str | None:
    good = isinstance(value, dict) and all(isinstance(key, str) for key in value)
    return None if good else "a dict with names as keys"


def _type_key(value: Any) -> str | None:
    if isinstance(value, str) and names.is_type_key(value):
        return None
    return "a type key: names joined by dots"


def _identifier(value: Any) -> str | None:
    return None if isinstance(value, str) and names.is_identifier(value) else "a C++ name"


def _ref(value: Any) -> str | None:
    return None if value is False else _identifier(value) and "a C++ name or False"


def _namespace(value: Any) -> str | None:
    return None if isinstance(value, str) and names.is_namespace(value) else "a C++ namespace"


def _final(value: Any) -> str | None:
    return None if type(value) is bool or value == "auto" else "a bool or 'auto'"


def _kind(value: Any) -> str | None:
    known = value is None or value in EQUALITY_KINDS
    return None if known else "one of " + ", ".join(map(repr, EQUALITY_KINDS)) + ", None"


def _slots(value: Any) -> str | None:
    if value == "auto" or isinstance(value, dsl.AutoSlots) or (type(value) is int and value >= 0):
        return None
    return "'auto', a count or auto_slots(extra)"


def _registration(value: Any) -> str | None:
    return None if value in ("init-block", "member") else "'init-block' or 'member'"


def _traits(value: Any) -> str | None:
    good = isinstance(value, (list, tuple)) and all(isinstance(t, dsl.Trait) for t in value)
    return None if good else "a list of Trait values"


def _anything(value: Any) -> str | None:
    return None


CHECKS: dict[str, Callable[[Any], str | None]] = {
    "type_key": _type_key,
    "ref": _ref,
    "default_visit_attrs": _bool,
    "default_sequal_reduce": _bool,
    "default_shash_reduce": _bool,
    "s_equal": _text,
    "s_hash": _text,
    "structural_eq": _kind,
    "mutable": _bool,
    "final": _final,
    "abstract": _bool,
    "nullable": _bool,
    "cow": _bool,
    "child_slots": _slots,
    "sealed": _bool,
    "cpp_name": _identifier,
    "namespace": _namespace,
    "header": _text,
    "source": _text,
    "includes": _texts,
    "obj_constants": _dict,
    "ref_constants": _dict,
    "ctor": _bool,
    "registration": _registration,
    "type_attrs": _dict,
    "traits": _traits,
    "reserved": _texts,
    "renamed_from": _type_key,
    "since": _text,
    "deprecated": _text,
    "internal": _anything,
}


def check(raw: RawClass, bag: Bag) -> dict[str, Any]:
    """Return the settings that are right; report the others."""
    good = {}
    for name, (value, span) in raw.settings.items():
        if name not in CHECKS:
            hint = near(name, CHECKS)
            bag.add(
                "TS021",
                f"{name!r} is no setting",
                span,
                help=hint or "annotate the name to make it a field",
            )
            continue
        wanted = CHECKS[name](value)
        if wanted is None:
            good[name] = value
        else:
            bag.add("TS023", f"{name} must be {wanted}, found {_shown(value)}", span)
    return good


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def literal(value: Any, span: Span, bag: Bag, what: str) -> Any:
    """Return a value as the intermediate form holds it; report what has no such form."""
    if isinstance(value, dsl.CppText):
        return {"$cpp": value.text}
    if isinstance(value, (dsl.EntrySpec, EntryName)):
        return {"$entry": [value.owner, value.name]}
    if isinstance(value, float) and math.isnan(value):
        return math.nan  # one object, since it does not equal itself
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value
    if isinstance(value, (list, tuple)):
        return [literal(item, span, bag, what) for item in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: literal(item, span, bag, what) for key, item in value.items()}
    bag.add("TS035", f"{what}: {_shown(value)} has no literal form", span, help='use cpp("...")')
    return None
