# SPDX-License-Identifier: Apache-2.0
"""Rust identifiers and module paths."""

from __future__ import annotations

from pathlib import Path

_WORDS = (
    "abstract as async await become box break const continue do dyn else enum extern false "
    "final fn for gen if impl in let loop macro match mod move mut override priv pub ref "
    "return static struct trait true try type typeof unsafe unsized use virtual where while "
    "yield "
)
_KEYWORDS = frozenset(_WORDS.split())
# Keywords that cannot be raw identifiers, and `base`, the member for the parent's object.
_TAKEN = frozenset({"self", "Self", "super", "crate", "_", "base"})


def identifier(name: str) -> str:
    """Return a valid Rust identifier: keywords become raw, invalid characters are replaced."""
    plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    if not plain or plain[0].isdigit():
        plain = f"_{plain}"
    if plain in _TAKEN:
        return f"{plain}_"
    return f"r#{plain}" if plain in _KEYWORDS else plain


def member_names(fields: list[str]) -> dict[str, str]:
    """Return field name -> member name; omit trailing underscores if the names stay different."""
    short = {name: name.rstrip("_") or name for name in fields}
    texts = list(short.values())
    found: dict[str, str] = {}
    for name in fields:
        wanted = identifier(short[name] if texts.count(short[name]) == 1 else name)
        while wanted in found.values():
            wanted += "_"
        found[name] = wanted
    return found


def is_snake_case(name: str) -> bool:
    """Return whether the Rust compiler accepts the name of a member without a warning."""
    return name == name.lower()


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

    Raises
    ------
    ValueError
        If no directory above the file has a ``Cargo.toml``.

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
