# SPDX-License-Identifier: Apache-2.0
"""Rust identifiers and module paths."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from pathlib import Path

_WORDS = (
    "abstract as async await become box break const continue do dyn else enum extern false "
    "final fn for gen if impl in let loop macro match mod move mut override priv pub ref "
    "return static struct trait true try type typeof unsafe unsized use virtual where while "
    "yield "
)
_KEYWORDS = frozenset(_WORDS.split())
# Keywords that cannot be raw identifiers.
_NOT_RAW = frozenset({"self", "Self", "super", "crate", "_"})
# The member for the object of the parent.
_BASE = frozenset({"base"})


def identifier(name: str) -> str:
    """Return a valid Rust identifier: keywords become raw, invalid characters are replaced."""
    plain = "".join(c if _is_kept(c) else "_" for c in name)
    if name and not plain.strip("_") and name.strip("_"):
        plain = _spelled(name)
    if not plain.isidentifier():
        plain = f"_{plain}"
    if plain in _NOT_RAW:
        return f"{plain}_"
    return f"r#{plain}" if plain in _KEYWORDS else plain


def _is_kept(character: str) -> bool:
    """Return whether identifiers may have a character: the compiler warns about other scripts."""
    if character.isascii():
        return character.isalnum() or character == "_"
    is_stable = unicodedata.normalize("NFKC", character) == character
    is_latin = unicodedata.name(character, "").startswith("LATIN")
    return is_stable and is_latin and f"_{character}".isidentifier()


def _spelled(name: str) -> str:
    """Return the names of the characters: ``plus_sign`` for ``+``."""
    words = "_".join(unicodedata.name(c, f"u{ord(c):x}") for c in name)
    return re.sub(r"\W", "_", words.lower(), flags=re.ASCII)


def unused(name: str, taken: Collection[str]) -> str:
    """Return the name, with underscores at the end until it differs from all names in ``taken``."""
    while name in taken or name.removeprefix("r#") in taken:
        name = f"{name.removeprefix('r#')}_"
    return name


def member_names(fields: list[str]) -> dict[str, str]:
    """Return field name -> member name; omit trailing underscores if the names stay different."""
    short = {name: name.rstrip("_") or name for name in fields}
    texts = list(short.values())
    found: dict[str, str] = {}
    for name in fields:
        wanted = identifier(short[name] if texts.count(short[name]) == 1 else name)
        found[name] = unused(wanted, _BASE.union(found.values()))
    return found


def is_snake_case(name: str) -> bool:
    """Return whether the Rust compiler accepts the name of a member without a warning."""
    plain = name.removeprefix("r#").strip("_")
    return plain == plain.lower() and "__" not in plain


def is_camel_case(name: str) -> bool:
    """Return whether the Rust compiler surely accepts the name of a type without a warning."""
    return re.fullmatch(r"[A-Z][A-Za-z0-9]*", name) is not None


def literal(text: str) -> str:
    """Return a text as a Rust string literal."""
    plain = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    parts = (plain.get(c, c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text)
    return f'"{"".join(parts)}"'


def leaf(type_key: str) -> str:
    """Return the last component of a type key as the name of a type."""
    return identifier(type_key.rpartition(".")[2])


def module_path(path: Path) -> str:
    """Return the path of the module that a file defines.

    Raise ValueError if no directory above the file has a ``Cargo.toml``.
    """
    full = path.absolute()
    root = next((p for p in full.parents if (p / "Cargo.toml").is_file()), None)
    if root is None:
        raise ValueError(f"{path} is not in a Cargo crate: there is no `Cargo.toml` above it")
    parts = list(full.relative_to(root).with_suffix("").parts)
    if parts[0] == "src":
        del parts[0]
    if parts and parts[-1] in ("lib", "main", "mod"):
        del parts[-1]
    return "::".join(["crate", *map(identifier, parts)])
