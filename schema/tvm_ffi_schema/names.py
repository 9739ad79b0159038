# SPDX-License-Identifier: Apache-2.0
"""Names: what C++, Python and Rust keep for themselves, and how names are made from others."""

from __future__ import annotations

import keyword
import re

CPP_KEYWORDS = frozenset(
    (
        *("alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor"),
        *("bool", "break", "case", "catch", "char", "char8_t", "char16_t", "char32_t"),
        *("class", "compl", "concept", "const", "consteval", "constexpr", "constinit"),
        *("const_cast", "continue", "co_await", "co_return", "co_yield", "decltype"),
        *("default", "delete", "do", "double", "dynamic_cast", "else", "enum"),
        *("explicit", "export", "extern", "false", "float", "for", "friend", "goto"),
        *("if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept"),
        *("not", "not_eq", "nullptr", "operator", "or", "or_eq", "private"),
        *("protected", "public", "register", "reinterpret_cast", "requires", "return"),
        *("short", "signed", "sizeof", "static", "static_assert", "static_cast"),
        *("struct", "switch", "template", "this", "thread_local", "throw", "true"),
        *("try", "typedef", "typeid", "typename", "union", "unsigned", "using"),
        *("virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq"),
    )
)
RUST_KEYWORDS = frozenset(
    (
        *("as", "async", "await", "box", "break", "const", "continue", "crate", "dyn"),
        *("else", "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let"),
        *("loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self"),
        *("static", "struct", "super", "trait", "true", "type", "unsafe", "use"),
        *("where", "while", "abstract", "become", "do", "final", "macro", "override"),
        *("priv", "try", "typeof", "unsized", "virtual", "yield"),
    )
)
#: Members of every object and reference class; a field or method of that name would hide them.
CPP_MEMBERS = frozenset(
    (
        *("type_index", "header_", "data_", "get", "defined", "unique", "use_count"),
        *("same_as", "RuntimeTypeIndex", "IsInstance", "GetTypeKey", "ContainerType"),
    )
)

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TYPE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)*\Z")
_NAMESPACE = re.compile(r"(::)?[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*\Z")


def is_identifier(text: str) -> bool:
    """Tell whether C++ takes a text as a name."""
    return bool(_IDENTIFIER.match(text)) and text not in CPP_KEYWORDS


def is_type_key(text: str) -> bool:
    """Tell whether a text is a type key: names joined by dots."""
    return bool(_TYPE_KEY.match(text))


def is_namespace(text: str) -> bool:
    """Tell whether a text is a C++ namespace, possibly nested; empty is the global one."""
    words = text.replace("::", " ").split()
    return not text or (bool(_NAMESPACE.match(text)) and not CPP_KEYWORDS.intersection(words))


def languages_of_keyword(name: str) -> list[str]:
    """Return the languages in which a name is a keyword."""
    found = []
    if name in CPP_KEYWORDS:
        found.append("C++")
    if keyword.iskeyword(name):
        found.append("Python")
    if name in RUST_KEYWORDS:
        found.append("Rust")
    return found


def stripped(class_name: str) -> str:
    """Return a class name without the suffix that object classes have."""
    for suffix in ("Node", "Obj"):
        if class_name.endswith(suffix) and len(class_name) > len(suffix):
            return class_name[: -len(suffix)]
    return class_name
