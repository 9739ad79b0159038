# SPDX-License-Identifier: Apache-2.0
"""Keywords of C++, checks of names, and names that are derived from other names."""

from __future__ import annotations

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
#: Members of every object or reference class; a field or method with such a name hides the member.
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
    """Return whether a text can be a name in C++."""
    return bool(_IDENTIFIER.match(text)) and text not in CPP_KEYWORDS


def is_type_key(text: str) -> bool:
    """Return whether a text is a type key: names joined by dots."""
    return bool(_TYPE_KEY.match(text))


def is_namespace(text: str) -> bool:
    """Return whether a text is a C++ namespace; the empty text is the global namespace."""
    words = text.replace("::", " ").split()
    return not text or (bool(_NAMESPACE.match(text)) and not CPP_KEYWORDS.intersection(words))


def stripped(class_name: str) -> str:
    """Return a class name without the suffix `Node` or `Obj`."""
    for suffix in ("Node", "Obj"):
        if class_name.endswith(suffix) and len(class_name) > len(suffix):
            return class_name[: -len(suffix)]
    return class_name
