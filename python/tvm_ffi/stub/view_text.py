# SPDX-License-Identifier: Apache-2.0
"""Write a C++ header with structs that have the layout of registered objects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .cpp_types import EXTRA_HEADERS, HEADER_SIZE, escape_identifier, quote_key, struct_name

_WARNINGS_OFF = """\
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4749)
#endif"""
_WARNINGS_ON = """\
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif"""


@dataclass
class Member:
    """A member: its reflected name, position and C++ type."""

    name: str
    offset: int
    size: int
    alignment: int
    text: str


@dataclass
class Struct:
    """A struct. `base` is a C++ class, `depth` the number of ancestors of the type."""

    key: str
    depth: int
    base: str
    size: int
    alignment: int
    members: list[Member] = field(default_factory=list)


def header(structs: Sequence[Struct], opaque: Sequence[tuple[str, int]]) -> str:
    """Return the header; `opaque` has (key, depth) of types to which the structs only refer."""
    every = sorted([*(s.key for s in structs), *(key for key, _ in opaque)], key=_place)
    opaque = sorted(opaque, key=lambda entry: _place(entry[0]))
    parts = ["#pragma once", "\n".join(f"#include <{name}>" for name in _headers(structs))]
    parts += grouped([(key, [f"struct {struct_name(key)};"]) for key in every])
    marks = [
        "template <>\ninline constexpr bool tvm::ffi::is_object_subclass_v<"
        f"{qualified(key)}> = true;"
        for key in every
    ]
    if marks:
        parts.append("\n".join(marks))
    parts += grouped([(key, _opaque_lines(key, depth)) for key, depth in opaque])
    # Without marks, there is one more empty line, as in the text that the peer writes.
    parts.append(
        ("" if marks else "\n") + f"static_assert(sizeof(::tvm::ffi::Object) == {HEADER_SIZE});\n"
        "static_assert(alignof(::tvm::ffi::Object) == 8);"
    )
    parts.append(_WARNINGS_OFF)
    parts += grouped([(struct.key, _struct_lines(struct)) for struct in structs])
    parts.append(_WARNINGS_ON)
    return "\n\n".join(parts) + "\n"


def _headers(structs: Sequence[Struct]) -> list[str]:
    """Return the headers to include; the umbrella header does not include ``extra``."""
    texts = [member.text for struct in structs for member in struct.members]
    names = " ".join([*texts, *(struct.base for struct in structs)])
    more = [header for name, header in EXTRA_HEADERS.items() if f"::{name}" in names]
    return [*more, "tvm/ffi/tvm_ffi.h"]


def _place(key: str) -> tuple[tuple[str, ...], str]:
    """Return a sort key that groups types by namespace."""
    return namespaces(key), struct_name(key)


def namespaces(key: str) -> tuple[str, ...]:
    """Return the namespaces of the struct of a type."""
    return tuple(map(escape_identifier, key.split(".")[:-1]))


def qualified(key: str) -> str:
    """Return the full name of the struct of a type."""
    return "::" + "::".join([*namespaces(key), struct_name(key)])


def grouped(pieces: Sequence[tuple[str, list[str]]]) -> list[str]:
    """Put pieces of text inside their namespaces, and merge adjacent pieces of one namespace."""
    groups: list[tuple[tuple[str, ...], list[str]]] = []
    for key, lines in pieces:
        spaces = namespaces(key)
        if not groups or groups[-1][0] != spaces:
            groups.append((spaces, []))
        groups[-1][1].append("\n".join(lines))
    texts = []
    for spaces, bodies in groups:
        opening = "\n".join(f"namespace {s} {{" for s in spaces)
        closing = "\n".join(f"}}  // namespace {s}" for s in reversed(spaces))
        texts.append("\n\n".join(filter(None, [opening, *bodies, closing])))
    return texts


def _opaque_lines(key: str, depth: int) -> list[str]:
    return [
        f"struct {struct_name(key)} : public ::tvm::ffi::Object {{",
        f"  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP({quote_key(key)}, {depth});",
        "};",
    ]


def _struct_lines(struct: Struct) -> list[str]:
    name = struct_name(struct.key)
    lines = [
        f"struct alignas({struct.alignment}) {name} : public {struct.base} {{",
        f"  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP({quote_key(struct.key)}, {struct.depth});",
    ]
    if struct.members:
        lines.append("")
    checks = [
        f"static_assert(sizeof({name}) == {struct.size});",
        f"static_assert(alignof({name}) == {struct.alignment});",
    ]
    for one in struct.members:
        member = escape_identifier(one.name)
        note = f"offset={one.offset}, size={one.size}, align={one.alignment}"
        if member != one.name:
            note += f", reflected name={_printable(one.name)}"
        lines.append(f"  {one.text} {member};  // {note}")
        checks += [
            f"static_assert(sizeof(decltype({name}::{member})) == {one.size});",
            f"static_assert(alignof(decltype({name}::{member})) == {one.alignment});",
            f"static_assert(offsetof({name}, {member}) == {one.offset});",
        ]
    if struct.members:
        # Headers of apache-tvm-ffi do not have the macro.
        fields = [f"TVM_FFI_FIELD({escape_identifier(one.name)})" for one in struct.members]
        listed = f"  TVM_FFI_DECLARE_OBJECT_FIELDS({', '.join([name, *fields])});"
        lines += ["#ifdef TVM_FFI_DECLARE_OBJECT_FIELDS", listed, "#endif"]
    return [*lines, "};", "", *checks]


def _printable(name: str) -> str:
    """Escape a name for a ``//`` comment.

    A line break in the name would end the comment, and a backslash at the end of the name would
    continue the comment on the next line.
    """
    return re.sub(r"\\$", r"\\\\", ascii(name))
