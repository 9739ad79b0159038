# SPDX-License-Identifier: Apache-2.0
"""The directives in Rust files, which apply to all files of a run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .types import SCALAR_SIZES, RustType

_FORMS = {
    "field": "<type_key>.<field> -> <RustType>",
    "nullable": "<type_key>.<field>",
    "enum": "<type_key>.<field> -> Name(i32) { A=0, B=1 }",
    "opaque": "<type_key>",
    "upcast": "<type_key> -> <RustType>",
    "custom-new": "<type_key>",
}
KINDS = frozenset(_FORMS)
_INTEGERS = frozenset(name for name in SCALAR_SIZES if name[0] in "iu")
_ENUM = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*\(\s*(?P<repr>\w+)\s*\)\s*\{(?P<items>[^{}]*)\}")
_ITEM = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(-?\d+)\s*")


@dataclass(frozen=True)
class RustEnum:
    """Names for the values of an integer field."""

    name: str
    representation: str
    items: tuple[tuple[str, int], ...]


@dataclass
class Directives:
    """The directives of a run. The keys are type keys, or ``<type key>.<field>``."""

    fields: dict[str, RustType] = field(default_factory=dict)
    enums: dict[str, RustEnum] = field(default_factory=dict)
    nullable: set[str] = field(default_factory=set)
    opaque: set[str] = field(default_factory=set)
    custom_new: set[str] = field(default_factory=set)
    upcasts: dict[str, list[str]] = field(default_factory=dict)

    def take(self, kind: str, payload: str, lineno: int) -> None:
        """Parse and store a directive; raise ValueError if the directive is malformed."""
        name, arrow, target = (part.strip() for part in payload.partition("->"))
        wants_target, wants_field = "->" in _FORMS[kind], ".<field>" in _FORMS[kind]
        complete = bool(name) and bool(arrow and target) == wants_target
        if wants_field:
            key, dot, last = name.rpartition(".")
            complete = complete and bool(key and dot and last)
        if not complete or (not wants_target and arrow):
            raise _malformed(kind, lineno)
        if kind == "field":
            self.fields[name] = _rust_type(target)
        elif kind == "enum":
            self.enums[name] = _enum(target, lineno)
        elif kind == "upcast":
            targets = self.upcasts.setdefault(name, [])
            targets += [target] if target not in targets else []
        else:
            {"nullable": self.nullable, "opaque": self.opaque}.get(kind, self.custom_new).add(name)


def _malformed(kind: str, lineno: int) -> ValueError:
    return ValueError(f"Invalid `{kind}` directive at line {lineno}. Expected `{_FORMS[kind]}`")


def _rust_type(text: str) -> RustType:
    """Read a type. The generator imports a path, and writes a type with arguments unchanged."""
    return RustType(text, verbatim=not re.fullmatch(r"[\w#]+(::[\w#]+)*", text))


def _enum(text: str, lineno: int) -> RustEnum:
    match = _ENUM.fullmatch(text)
    if match is None or match["repr"] not in _INTEGERS:
        raise _malformed("enum", lineno)
    items = []
    for part in match["items"].split(","):
        if not part.strip():
            continue
        item = _ITEM.fullmatch(part)
        if item is None:
            raise _malformed("enum", lineno)
        items.append((item[1], int(item[2])))
    return RustEnum(match["name"], match["repr"], tuple(items))
